"""Names that are wrong: which was meant, and which there are."""
import program
from documents import GOOD, document, gather, slice1, split, with_change
from program import CliTest, opconform


class WrongNameTest(CliTest):
    def assert_says(self, outcome, *words):
        """Exit code 2 and one line on stderr that holds the words."""
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        for one in words:
            self.assertIn(one, outcome.err)


class OnTheCommandLine(WrongNameTest):
    def test_commands(self):
        self.assert_says(opconform("rum"), '"rum"', "did you mean run?", "opconform help")
        self.assert_says(opconform("help", "vaildate"), "did you mean validate?")
        self.assert_says(opconform("help", "corpus", "verfy"), "did you mean verify?")
        self.assert_says(opconform("corpus", "verfy"), "no such command", "did you mean verify?", "opconform corpus --help")
        self.assert_says(opconform("corpus"), "verify, update and grow")
        self.assertNotIn("did you mean", opconform("frobnicate").err)

    def test_options(self):
        self.assert_says(opconform("run", "--bakend", "optimized"), '"--bakend"', "did you mean --backend?",
                         "opconform run --help")
        self.assert_says(opconform("corpus", "verify", "--quite"), "did you mean --quiet?", "opconform corpus verify --help")
        self.assert_says(opconform("fuzz", "--featurelevel=3_0"), '"--featurelevel"', "did you mean --feature-level?")
        self.assert_says(opconform("spec", "gather"), "unexpected argument", '"gather"')

    def test_backends(self):
        file = self.write("a.json", GOOD)
        for command in (["run", file], ["fuzz"], ["grid"], ["reduce", file], ["certify"]):
            with self.subTest(command=command):
                outcome = opconform(*command, "--backend", "nope", cwd=self.folder)
                self.assert_says(outcome, "--backend", '"nope"', "there are reference and optimized", "opconform list planted")
        self.assert_says(opconform("run", file, "--backend", "Optimised"), "did you mean optimized?")
        self.assert_says(opconform("run", file, "--backend", "faulty:reversed-start-of-by-one"),
                         "did you mean faulty:reversed-start-off-by-one?")
        self.assert_says(opconform("run", file, "--backend", "reversed-start-off-by-one"),
                         "did you mean faulty:reversed-start-off-by-one?")

    def test_operators(self):
        for command in ("run", "list", "fuzz", "grid"):
            with self.subTest(command=command):
                self.assert_says(opconform(command, "--operator", "slice2"), "--operator", "did you mean DML_SLICE1?",
                                 "There are DML_SCATTER, DML_SPLIT, ")

    def test_rules_types_and_levels(self):
        self.assert_says(opconform("list", "--rule", "slice1.copystart"), "did you mean slice1.copy-start?", "opconform spec")
        self.assert_says(opconform("list", "--rule", "slise.*"), "--rule", "slise.*")
        self.assert_says(opconform("list", "--type", "flaot32"), "did you mean FLOAT32?", "There are FLOAT64, ", "bfloat16")
        self.assert_says(opconform("run", "--feature-level", "6.4"), "did you mean 6_4?", "There are 1_0, 2_0")

    def test_labels(self):
        self.assert_says(opconform("run", "--label", "smok", program.corpus, timeout=60), "--label", '"smok"', "did you mean smoke?")
        self.assert_says(opconform("run", "--label", "smoke", self.folder), "--label", str(self.folder))

    def test_planted_bugs(self):
        self.assert_says(opconform("selftest", "--only", "reversed-start-of-by-one"),
                         "did you mean reversed-start-off-by-one?", "opconform list planted")

    def test_cases(self):
        file = self.write("a.json", document("DML_SPLIT", split("split/four-into-two"), split("other")))
        for arguments in (["show", "split/for-into-two", file], ["reduce", file, "--case", "split/four-into-too"]):
            with self.subTest(arguments=arguments):
                self.assert_says(opconform(*arguments), "did you mean split/four-into-two?")
        self.assert_says(opconform("show", "four-into-two", file), "did you mean split/four-into-two?")


class InCaseFiles(WrongNameTest):
    def assert_message(self, content, place, *words):
        file = self.write("a.json", content)
        self.assert_says(opconform("run", file), f"{file}: {place}: ", *words)

    def test_keys(self):
        for case, path, wrong, place, meant in (
                (slice1(), ("desc", "InputTensor"), "InputTensr", "/cases/0/desc/InputTensr", "InputTensor"),
                (slice1(), ("desc", "InputWindowStrides"), "InputWindowStride", "/cases/0/desc/InputWindowStride",
                 "InputWindowStrides"),
                (slice1(), ("desc", "OutputTensor", "DataType"), "datatype", "/cases/0/desc/OutputTensor/datatype", "DataType"),
                (slice1(), ("id",), "Id", "/cases/0/Id", "id"),
                (slice1(), ("expect",), "expects", "/cases/0/expects", "expect"),
                (slice1(), ("desc", "InputTensor", "data"), "Data", "/cases/0/desc/InputTensor/Data", "data")):
            with self.subTest(wrong=wrong):
                value = case
                for key in path:
                    value = value[key]
                changed = with_change(with_change(case, path, ...), (*path[:-1], wrong), value)
                self.assert_message(document("DML_SLICE1", changed), place, f'unknown key; did you mean "{meant}"?')

    def test_a_key_that_is_only_lacking(self):
        """Though the object holds others that resemble it."""
        case = with_change(slice1(), ("desc", "InputWindowSizes"), ...)
        self.assert_message(document("DML_SLICE1", case), "/cases/0/desc", 'lacks "InputWindowSizes"')

    def test_keys_of_the_file(self):
        self.assert_message({"operator": "DML_SPLIT", "case": [split()]}, "/case", 'did you mean "cases"?')
        self.assert_message({"Operator": "DML_SPLIT", "cases": [split()]}, "/Operator", 'did you mean "operator"?')

    def test_operators(self):
        self.assert_message(document("Slice1", slice1()), "/operator", '"Slice1"', "did you mean DML_SLICE1?",
                            "There are DML_SCATTER, ")
        self.assert_message(document("nope", slice1()), "/operator", '"nope"; there are DML_SCATTER, ')

    def test_data_types(self):
        case = with_change(slice1(), ("desc", "InputTensor", "DataType"), "float32")
        self.assert_message(document("DML_SLICE1", case), "/cases/0/desc/InputTensor/DataType", "DirectML", '"float32"',
                            "did you mean FLOAT32? There are FLOAT64, ")
        case = with_change(gather(), ("desc", "data", "type"), "FLOAT32")
        self.assert_message(document("ONNX_GATHER", case), "/cases/0/desc/data/type", "ONNX", "did you mean float?")

    def test_rules_errata_and_levels(self):
        self.assert_message(document("DML_SLICE1", slice1(rules=["slice1.copy-strat"])), "/cases/0/rules",
                            "did you mean slice1.copy-start?")
        self.assert_message(document("DML_SLICE1", slice1(errata=["slice1.max-copied-sing"])), "/cases/0/errata",
                            "did you mean slice1.max-copied-sign?")
        self.assert_message(document("DML_SLICE1", slice1(feature_level="3.0")), "/cases/0/feature_level",
                            "did you mean 3_0?")
