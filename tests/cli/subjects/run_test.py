"""`opconform run`: selection, jobs, files written, words of others."""
import json
import os

import program
from documents import GOOD, MIXED, WRONG, document, gather, slice1, split, tensor
from program import CONTROL, CliTest, opconform


class SelectionTest(CliTest):
    def all_cases(self):
        return [case["id"] for case in opconform("list", program.spec_cases, "--json").json]

    def selected(self, *arguments):
        return list(self.run_cases(program.spec_cases, "--backend", "reference", *arguments).verdicts())

    def test_filter(self):
        file = self.write("a.json", MIXED)
        self.assertEqual(["a/1", "a/2"], list(self.run_cases(file, "--filter", "a/*").verdicts()))
        self.assertEqual(["a/1", "b/1"], list(self.run_cases(file, "--filter", "?/1").verdicts()))
        self.assertEqual(["a/1", "a/2", "b/1"],
                         list(self.run_cases(file, "--filter", "b/1", "--filter", "a/[12]").verdicts()))

    def test_filter_passes_slashes(self):
        self.assertEqual(5, len(self.run_cases(self.write("a.json", MIXED), "--filter", "*1", "--filter", "*2").verdicts()))

    def test_filter_that_matches_nothing(self):
        outcome = opconform("run", self.write("a.json", GOOD), "--filter", "none*")
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIn("no case is selected: none of 1 satisfies --filter", outcome.err)
        outcome = opconform("run", self.write("a.json", GOOD), "--filter", "oo", "--type", "int8", "--shard", "2/2")
        self.assertIn("none of 1 satisfies --filter, --type and --shard", outcome.err)
        self.assertIn("--filter '*oo*'", outcome.err)

    def test_filter_that_matches_nothing_with_json(self):
        outcome = self.run_cases(self.write("a.json", GOOD), "--filter", "none*")
        self.assert_exit(2, outcome)
        self.assertEqual([], outcome.json["results"])

    def ids(self, *arguments):
        outcome = opconform("list", "--json", *arguments)
        self.assertIn(outcome.code, (0, 2), outcome)
        return [case["id"] for case in outcome.json]

    def test_operator(self):
        cases = opconform("list", program.spec_cases, "--json").json
        for word, name in (("slice1", "DML_SLICE1"), ("DML_SPLIT", "DML_SPLIT"), ("Gather", "ONNX_GATHER"),
                           ("dml_scatter_elements", "DML_SCATTER")):
            with self.subTest(word=word):
                expected = [case["id"] for case in cases if case["operator"] == name]
                self.assertEqual(expected, self.selected("--operator", word))
                self.assertEqual(expected, self.ids(program.spec_cases, "--operator", word))
        self.assertEqual([case["id"] for case in cases if case["operator"] in ("DML_JOIN", "DML_SPLIT")],
                         self.selected("--operator", "join", "--operator", "split"))

    def test_data_type(self):
        cases = opconform("list", program.spec_cases, "--json").json
        expected = [case["id"] for case in cases if case["data_type"] in ("FLOAT32", "float")]
        self.assertGreater(len(expected), 50)
        for word in ("FLOAT32", "float32", "float"):
            self.assertEqual(expected, self.selected("--type", word))
        self.assertEqual([case["id"] for case in cases if case["data_type"] in ("INT8", "int8", "bool")],
                         self.ids(program.spec_cases, "--type", "int8", "--type", "bool"))

    def test_rule(self):
        """Of the cases that name it, and of those that break it."""
        rejected, failing = ({"expect": {"rejected": ["split.axis-range"]}}, {"expect": {"any_of": [
            {"error": "split.partition"}, {"rejected": ["split.support"]}]}})
        file = self.write("a.json", document("DML_SPLIT", split("shows", rules=["split.partition"]), split("other"),
                                             split("breaks", expect=False) | rejected,
                                             split("perhaps", expect=False) | failing))
        for globs, expected in ((["split.partition"], ["shows", "perhaps"]), (["split.axis-range"], ["breaks"]),
                                (["split.*"], ["shows", "breaks", "perhaps"]), (["slice1.*"], []),
                                (["split.support", "split.axis*"], ["breaks", "perhaps"])):
            with self.subTest(globs=globs):
                self.assertEqual(expected, self.ids(file, *(word for glob in globs for word in ("--rule", glob))))

    def test_what_selects_is_combined(self):
        cases = opconform("list", program.spec_cases, "--json").json
        expected = [case["id"] for case in cases if case["operator"] == "DML_SLICE1" and case["data_type"] == "INT32" and
                    "slice1.copy-start" in case["rules"] and case["id"].startswith("slice1/")]
        self.assertTrue(expected)
        self.assertEqual(expected, self.selected("--operator", "slice1", "--type", "INT32", "--rule", "slice1.copy-start",
                                                 "--filter", "slice1/*"))

    def test_list_knows_levels(self):
        levels = {case["version"] for case in opconform("list", program.spec_cases, "--json", "--feature-level", "3_0").json
                  if "_" in case["version"]}
        self.assertLessEqual(levels, {"1_0", "2_0", "2_1", "3_0"})
        self.assertIn("3_0", levels)

    def test_shards_are_a_partition(self):
        every = self.all_cases()
        self.assertGreater(len(every), 600)
        for count in (1, 3, 7):
            shards = [self.selected("--shard", f"{number}/{count}") for number in range(1, count + 1)]
            self.assertEqual(sorted(every), sorted(case for shard in shards for case in shard))
            self.assertLessEqual(max(map(len, shards)) - min(map(len, shards)), 1)

    def test_shard_beyond_the_cases_is_empty(self):
        outcome = opconform("run", self.write("a.json", GOOD), "--shard", "2/2")
        self.assert_exit(2, outcome)

    def test_feature_level(self):
        file = self.write("a.json", document("DML_SPLIT", *(
            split(f"at-{level}", feature_level=level) for level in ("3_0", "4_1", "6_4")), split("at-highest")))
        self.assertEqual(["at-3_0", "at-4_1"], list(self.run_cases(file, "--feature-level", "5_0").verdicts()))
        self.assertEqual(4, len(self.run_cases(file, "--feature-level", "6_4").verdicts()))
        self.assert_exit(2, opconform("run", file, "--feature-level", "2_1"))

    def test_feature_level_leaves_onnx_alone(self):
        file = self.write("a.json", document("ONNX_GATHER", gather()))
        self.assertEqual({"tested": "pass"}, self.run_cases(file, "--feature-level", "1_0").verdicts())

    def test_backends(self):
        file = self.write("a.json", GOOD)
        backends = lambda *more: [result["backend"] for result in self.run_cases(file, *more).json["results"]]
        self.assertEqual(["reference", "optimized"], backends())
        self.assertEqual(["optimized"], backends("--backend", "optimized"))

    def test_backend_named_twice_counts_once(self):
        outcome = self.run_cases(self.write("a.json", GOOD), "--backend", "reference", "--backend", "reference")
        self.assertIn(outcome.code, (0, 2))
        if outcome.code == 0:
            self.assertEqual({"pass": 1}, outcome.json["summary"])
        text = opconform("run", self.write("a.json", GOOD), "--backend", "reference", "--backend", "reference")
        self.assertNotIn("4 passed", text.out)


class SameResults(CliTest):
    """What must not change the verdicts."""

    def results(self, *arguments, cases=None, code=0):
        outcome = self.run_cases(cases or program.spec_cases, *arguments, timeout=20)
        self.assert_exit(code, outcome)
        return outcome

    def test_jobs(self):
        one = self.results("--jobs", "1").lasting
        for jobs in ("2", "7"):
            self.assertEqual(one, self.results("--jobs", jobs).lasting)

    def test_isolated_jobs(self):
        one = self.results("--isolate", "--shard", "1/20").lasting
        self.assertEqual(one, self.results("--isolate", "--shard", "1/20", "--jobs", "7").lasting)

    def test_seeds(self):
        one = self.results().verdicts()
        for seed in ("0", "2", "18446744073709551615"):
            outcome = self.results("--seed", seed)
            self.assertEqual(int(seed), outcome.json["seed"])
            self.assertEqual(one, outcome.verdicts())

    def test_isolation_and_guards(self):
        part = ("--shard", "1/20")
        one = self.results(*part).verdicts()
        for arguments in (["--isolate"], ["--guard", "canary"], ["--guard", "pages"], ["--guard", "pages-before"],
                          ["--strict-gaps"], ["--isolate", "--timeout", "60"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(one, self.results(*part, *arguments).verdicts())

    def test_isolation_of_failures(self):
        file = self.write("a.json", MIXED)
        one = self.results(cases=file, code=1)
        isolated = self.results("--isolate", cases=file, code=1)
        self.assertEqual(one.verdicts(), isolated.verdicts())
        strip = lambda outcome: [{**result, "repro": "", "seconds": 0} for result in outcome.json["results"]]
        self.assertEqual(strip(one), strip(isolated))

    def test_forced_instruction_sets(self):
        one = self.results().verdicts()
        scalar = self.run_cases(program.spec_cases, env={"OPCONFORM_FORCE_ISA": "scalar"})
        self.assertEqual(one, scalar.verdicts())

    def test_strict_gaps_with_gaps(self):
        case = slice1()
        case["desc"]["OutputTensor"] = tensor("INT32", [2, 1], Strides=[3, 2], TotalTensorSizeInBytes=32)
        outcome = self.results("--strict-gaps", cases=self.write("a.json", document("DML_SLICE1", case)))
        self.assertEqual({"tested": "pass"}, outcome.verdicts())

    def test_a_run_is_deterministic(self):
        self.assertEqual(self.results().lasting, self.results().lasting)


class ResultFile(CliTest):
    def test_format(self):
        file = self.write("a.json", MIXED)
        target = self.folder / "results.json"
        outcome = opconform("run", file, "--json", target, "--seed", "5")
        self.assert_exit(1, outcome)
        self.assertEqual("", outcome.err)
        self.assertIn("wrong/1", outcome.out)
        results = json.loads(target.read_text())
        self.assertEqual(1, results["version"])
        self.assertEqual(5, results["seed"])
        self.assertEqual({"pass": 6, "missed-rejection": 4}, results["summary"])
        self.assertEqual(10, len(results["results"]))
        for result in results["results"]:
            for key in ("case", "backend", "verdict", "rule", "message", "repro"):
                self.assertIsInstance(result[key], str)
        self.assertEqual([("a/1", "reference"), ("a/1", "optimized"), ("a/2", "reference")],
                         [(result["case"], result["backend"]) for result in results["results"]][:3])

    def test_standard_output_holds_nothing_else(self):
        outcome = opconform("run", self.write("a.json", MIXED), "--json", "-", "--verbose")
        self.assertEqual(1, json.loads(outcome.out)["version"])

    def test_an_old_file_is_replaced_whole(self):
        target = self.write("results.json", "x" * 100000)
        self.assert_exit(0, opconform("run", self.write("a.json", GOOD), "--json", target))
        self.assertEqual(1, json.loads(target.read_text())["version"])
        self.assertEqual({"a.json", "results.json"}, {path.name for path in self.folder.iterdir()})

    def test_full_disk(self):
        outcome = opconform("run", self.write("a.json", GOOD), "--json", "/dev/full")
        self.assert_exit(3, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIn("/dev/full", outcome.err)
        self.assertIn("No space left", outcome.err)

    def test_a_file_that_cannot_be_written_does_not_hide_the_verdicts(self):
        outcome = opconform("run", self.write("a.json", WRONG), "--json", "/dev/full")
        self.assert_exit(3, outcome)
        self.assertIn("mismatch", outcome.out)

    def test_missing_directory(self):
        """Told before the work, not behind it."""
        target = self.folder / "none" / "results.json"
        for arguments in (["run", self.write("a.json", GOOD)], ["fuzz"], ["grid"], ["selftest", program.corpus],
                          ["certify", "--out", self.folder / "page.html"]):
            for option in ("--json", "--html", "--coverage"):
                if option not in opconform(arguments[0], "--help").out:
                    continue
                with self.subTest(command=arguments[0], option=option):
                    outcome = opconform(*arguments, option, target)
                    self.assert_exit(3, outcome)
                    self.assertEqual([f"opconform: {target}: cannot be written: there is no folder {target.parent}"],
                                     outcome.messages)
                    self.assertEqual("", outcome.out)

    def test_a_folder_that_may_not_be_entered(self):
        target = self.folder / "closed" / "results.json"
        target.parent.mkdir()
        target.parent.chmod(0)
        self.addCleanup(target.parent.chmod, 0o700)
        arguments = ("run", self.write("a.json", GOOD), "--json", target)
        if os.geteuid() == 0:  # whom no folder is closed to
            self.folder.chmod(0o755)
            try:
                outcome = opconform(*arguments, user=65534, group=65534, extra_groups=[])
            except PermissionError:
                self.skipTest("run by root, and nobody else may start the program")
        else:
            outcome = opconform(*arguments)
        self.assert_exit(3, outcome)
        self.assertEqual([f"opconform: {target}: cannot be written: Permission denied"], outcome.messages)

    def test_directory_as_target(self):
        outcome = opconform("run", self.write("a.json", GOOD), "--json", self.folder)
        self.assert_exit(3, outcome)
        self.assertIn(str(self.folder), outcome.err)

    def test_empty_target(self):
        self.assert_exit(2, opconform("run", self.write("a.json", GOOD), "--json", ""))

    def test_bad_input_is_in_the_file_too(self):
        faulty = self.write("faulty.json", "[")
        outcome = self.run_cases(faulty, self.write("good.json", GOOD))
        self.assertIn(str(faulty), json.dumps(outcome.json["bad_input"]))

    def test_indices_of_a_type_that_there_is_not_have_no_values(self):
        """An element of theirs may be shorter than any index, or an address."""
        def broken(index_type, *indices):
            case = gather(index_type, indices=indices) | {"expect": {"rejected": ["gather.support"]}}
            case["desc"]["indices"]["type"] = index_type
            return case
        cases = (gather(), broken("string", "one", "two"), broken("uint8", 1), broken("bool", True), broken("float16", 1))
        run = self.run_cases(self.write("a.json", document("ONNX_GATHER", *cases)), "--backend", "reference")
        self.assertEqual({"pass"}, set(run.verdicts().values()))
        self.assertEqual([[0, 2], None, None, None, None], [one["traits"].get("index") for one in run.json["cases"]])

    def test_control_characters_in_the_target(self):
        outcome = opconform("run", self.write("a.json", GOOD), "--json", self.folder / "\x1b[31m/x.json")
        self.assert_exit(3, outcome)
        self.assertIsNone(CONTROL.search(outcome.err), repr(outcome.err))


class Untrusted(CliTest):
    """What a case file or a file name holds never reaches the output raw."""

    EVIL = "\x1b]0;title\x07\x1b[31mred\r\x7f\u009b31m\u202egnp\0"

    def assert_harmless(self, outcome):
        text = outcome.out + outcome.err
        self.assertIsNone(CONTROL.search(text), repr(text))
        self.assertNotRegex(text, "[\u202a-\u202e\u2066-\u2069]")

    def test_says(self):
        case = split("wrong", expect=False, says=self.EVIL, source={"document": self.EVIL, "section": self.EVIL},
                     twin=self.EVIL) | {"expect": {"outputs": {"OutputTensors": [[10], [0] * 3]}}}
        file = self.write("a.json", document("DML_SPLIT", case))
        for arguments in (["run", file], ["run", file, "-v"], ["list", file], ["show", "wrong", file],
                          ["validate", file]):
            with self.subTest(arguments=arguments):
                self.assert_harmless(opconform(*arguments))

    def test_string_elements(self):
        file = self.write("a.json", document("ONNX_GATHER", gather(
            data_type="string", data=[self.EVIL, "b"], indices=[0], expected=["x" + self.EVIL])))
        for arguments in (["run", file], ["show", "tested", file]):
            with self.subTest(arguments=arguments):
                outcome = opconform(*arguments)
                self.assertIn("red", outcome.out)
                self.assert_harmless(outcome)

    def test_file_name(self):
        file = self.write("\x1b[31m\r\x7f.json", WRONG)
        for arguments in (["run", file], ["show", "wrong", file], ["validate", file], ["list", file]):
            with self.subTest(arguments=arguments):
                self.assert_harmless(opconform(*arguments))

    def test_arguments(self):
        for arguments in (["run", "--backend", self.EVIL[:-1]], ["run", "--shard", self.EVIL[:-1]],
                          ["run", "--feature-level", self.EVIL[:-1]], ["run", "--" + self.EVIL[:-1]],
                          [self.EVIL[:-1]], ["show", self.EVIL[:-1]], ["run", "--jobs", self.EVIL[:-1]],
                          ["run", "--expect", self.EVIL[:-1]]):
            with self.subTest(arguments=arguments):
                outcome = opconform(*arguments, cwd=self.folder, env={"OPCONFORM_SPEC_CASES": program.spec_cases})
                self.assert_exit(2, outcome)
                self.assert_harmless(outcome)

    def test_list_of_expected_failures(self):
        file = self.write("a.json", WRONG)
        for line in (f"{self.EVIL.replace(chr(13), '')}", f"none{self.EVIL} reason", f"wrong {self.EVIL}"):
            with self.subTest(line=line):
                self.assert_harmless(opconform("run", file, "-v", "--expect", self.write("list", line)))


class ExitCodes(CliTest):
    """The highest where several apply."""

    def test_each(self):
        good, wrong = self.write("good.json", GOOD), self.write("wrong.json", WRONG)
        faulty = self.write("faulty.json", "[")
        for code, arguments in ((0, [good]), (1, [wrong]), (1, [good, wrong]), (2, [faulty]), (2, [good, faulty]),
                                (2, [wrong, faulty]), (2, [faulty, wrong, good]),
                                (3, [good, "--json", "/dev/full"]), (3, [wrong, "--json", "/dev/full"]),
                                (3, [faulty, wrong, "--json", "/dev/full"])):
            with self.subTest(arguments=arguments):
                self.assert_exit(code, opconform("run", *arguments))

    def test_stale_and_bad(self):
        stale = self.write("stale", "none reason\n")
        self.assert_exit(2, opconform("run", self.write("faulty.json", "["), self.write("good.json", GOOD), "--expect",
                                      stale))

    def test_a_failing_run_prints_the_good_ones_too(self):
        outcome = opconform("run", self.write("good.json", GOOD), self.write("wrong.json", WRONG), "-v")
        self.assertIn("good", outcome.out)
        self.assertIn("2 passed, 2 failed", outcome.out)
