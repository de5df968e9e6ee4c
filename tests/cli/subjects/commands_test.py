"""Arguments of every command; list, show, validate and spec."""
import re

import program
from documents import GOOD, MIXED, copy, document, gather, scatter, slice1, split, tensor, with_change
from program import CliTest, opconform

COMMANDS = ("run", "fuzz", "reduce", "grid", "selftest", "coverage", "report", "compare", "certify", "list", "show", "validate",
            "spec", "corpus", "help", "version")


class Usage(CliTest):
    def test_help(self):
        for command in ([], *([name] for name in COMMANDS)):
            for option in ("--help", "-h"):
                with self.subTest(command=command, option=option):
                    outcome = opconform(*command, option, cwd=self.folder)
                    self.assert_exit(0, outcome)
                    self.assertIn("Usage: opconform", outcome.out)
                    self.assertEqual("", outcome.err)

    def test_help_names_every_command(self):
        text = opconform("--help").out
        for command in COMMANDS:
            self.assertIn(f"  {command} ", text)

    def test_help_wins_over_other_faults(self):
        self.assert_exit(0, opconform("run", "--no-such-option", "--help"))
        self.assert_exit(0, opconform("show", "--help"))

    def test_version(self):
        for command in ([], *([name] for name in COMMANDS)):
            with self.subTest(command=command):
                outcome = opconform(*command, "--version", cwd=self.folder)
                self.assert_exit(0, outcome)
                self.assertRegex(outcome.out, r"^opconform \d+\.\d+\.\d+\n$")

    def test_help_and_version_are_commands(self):
        self.assertEqual(opconform("--help").out, opconform("help").out)
        for command in (["run"], ["corpus", "verify"], ["list", "planted"], ["help"]):
            with self.subTest(command=command):
                outcome = opconform("help", *command)
                self.assert_exit(0, outcome)
                self.assertEqual(opconform(*command, "--help").out, outcome.out)
        self.assertEqual(opconform("--version").out, opconform("version").out)

    def test_no_command(self):
        """Nothing was tested: that is no success. What to do is said on one screen."""
        outcome = self.assert_bad_usage()
        self.assertLess(len(outcome.messages), 24)
        for words in ("opconform run", "opconform list backends", "opconform help", "spec_cases"):
            self.assertIn(words, outcome.err)

    def test_unknown_command(self):
        self.assertIn("nothing", self.assert_bad_usage("nothing").err)

    def test_two_commands(self):
        self.assert_bad_usage("spec", "list")

    def test_unknown_options(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                self.assertIn("--nothing", self.assert_bad_usage(command, "--nothing", "x").err)

    def test_missing_arguments(self):
        for arguments in (["show"], ["validate"], *(["run", option] for option in (
                "--backend", "--filter", "--operator", "--rule", "--type", "--feature-level", "--jobs", "--shard", "--timeout", "--guard", "--seed",
                "--memory-limit", "--expect", "--json"))):
            with self.subTest(arguments=arguments):
                self.assert_bad_usage(*arguments)

    def test_bad_values(self):
        file = self.write("a.json", GOOD)
        for option, values in {
            "--backend": ("nothing", "", "Reference"),
            "--feature-level": ("6_5", "6.4", "7_0", "", "6_4 ", "1", "_", "13"),
            "--operator": ("nothing", "", "DML_", "slice"),
            "--rule": ("nothing", "", "slice1", "Slice1.copy"),
            "--type": ("nothing", "", "-", "float33"),
            "--jobs": ("0", "-1", "x", "1.5", "99999999999999999999", ""),
            "--shard": ("0/3", "4/3", "1", "1/", "/3", "1/0", "1/3/5", "a/b", "-1/-1", "-1/3", " 1/3", "1/ 3", "+1/3",
                        "1/3 ", "1/-3", "0/0", "99999999999999999999/99999999999999999999", ""),
            "--timeout": ("0", "-1", "x", "nan", "inf", "-nan", "1e99", ""),
            "--guard": ("nothing", "Pages", ""),
            "--seed": ("-1", "x", "1.5", "18446744073709551616", ""),
            "--memory-limit": ("-1", "x", "1.5", "18446744073709551616", "1GB", ""),
        }.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    outcome = self.assert_bad_usage("run", file, option + "=" + value, "--backend=reference"
                                                    if option != "--backend" else "--quiet")
                    self.assertIn(option, outcome.err)

    def test_flags_take_no_value(self):
        file = self.write("a.json", GOOD)
        for flag in ("--isolate", "--strict-gaps", "--verbose", "--quiet"):
            with self.subTest(flag=flag):
                self.assert_exit(2, opconform("run", file, flag + "=maybe"))

    def test_an_option_given_twice(self):
        """Neither silently the first nor silently the last."""
        self.assert_bad_usage("run", self.write("a.json", GOOD), "--seed", "1", "--seed", "2")

    def test_the_committed_cases_where_no_path_is_given(self):
        outcome = opconform("list", cwd=self.folder, env={"OPCONFORM_SPEC_CASES": program.spec_cases})
        self.assert_exit(0, outcome)

    def test_forced_instruction_set_that_does_not_exist(self):
        outcome = opconform("run", self.write("a.json", GOOD), env={"OPCONFORM_FORCE_ISA": "sse9"})
        self.assertIn(outcome.code, (2, 3), outcome)
        self.assertIn("OPCONFORM_FORCE_ISA", outcome.err)
        self.assertIn("sse9", outcome.err)

    def test_a_machine_that_nobody_measured(self):
        outcome = opconform("run", self.write("a.json", GOOD), env={"OPCONFORM_MACHINE": "abacus"})
        self.assert_exit(2, outcome)
        self.assertIn('OPCONFORM_MACHINE is "abacus", but must be intel or zen', outcome.err)

    def test_threads_that_are_none(self):
        case = self.write("a.json", GOOD)
        for backend in ("optimized,threads=0", "optimized,threads=x", "optimized,thread=2", "optimized,"):
            outcome = self.assert_bad_usage("run", case, "--backend", backend)
            self.assertIn(backend, outcome.err)
        for threads in ("0", "257", "2,x", ""):
            self.assert_bad_usage("run", case, "--threads", threads)


class Listings(CliTest):
    def test_backends(self):
        outcome = opconform("list", "backends")
        self.assert_exit(0, outcome)
        lines = [line.split(maxsplit=1) for line in outcome.out.splitlines()]
        self.assertEqual(["reference", "optimized", "faulty:NAME", "plugin:PATH", "process:COMMAND", "adapter:NAME", "recorded:DIR"], [line[0] for line in lines])
        self.assertTrue(all(len(line) == 2 for line in lines))

    def test_planted_bugs(self):
        outcome = opconform("list", "planted")
        self.assert_exit(0, outcome)
        headings = [line for line in outcome.out.splitlines() if not line.startswith(" ")]
        self.assertEqual(3, len(headings))
        rows = [line.split(maxsplit=1) for line in outcome.out.splitlines() if line.startswith("  ")]
        self.assertGreater(len(rows), 200)
        self.assertEqual(len(rows), len({row[0] for row in rows}))
        for row in rows:
            self.assertRegex(row[0], r"^faulty:[a-z0-9_-]+$")
            self.assertGreater(len(row[1]), 10)
        text = dict(rows)
        self.assertRegex(text["faulty:reversed-start-off-by-one"], r"\(DML_SLICE1\)$")
        self.assertIn("faulty:crash", text)

    def test_each_that_is_listed_can_be_run(self):
        file = self.write("a.json", GOOD)
        for name in ("reference", "optimized", "faulty:reversed-start-off-by-one"):
            self.assert_exit(0, opconform("run", file, "--backend", name))

    def test_a_folder_of_that_name_is_a_path(self):
        self.write("backends/a.json", GOOD)
        self.assertIn("good", opconform("list", "./backends", cwd=self.folder).out)


class Quiet(CliTest):
    """--quiet leaves the summary, in every command that has one."""

    def test_the_summary_stays(self):
        results = self.folder / "results.json"
        covered = self.folder / "covered.json"
        file = self.write("a.json", MIXED)
        opconform("run", file, "--json", results, "--coverage", covered)
        for arguments, last in (
                (["run", file], r"^4|passed"),
                (["fuzz", "--cases", "2000"], r"^2,000 cases in .* 0 findings$"),
                (["grid", "--operator", "split", "--feature-level", "1_0"], r"^total "),
                (["selftest", program.spec_cases, "--no-fuzz", "--only", "reversed-start-off-by-one"], r"^1 of 1 planted bugs"),
                (["coverage", covered], r"^total "),
                (["compare", results, results], r"in both, all alike$"),
                (["corpus", "verify", program.corpus], r"^corpus .* all as the manifest has them$")):
            with self.subTest(command=arguments[0]):
                loud, quiet = (opconform(*arguments, *more, cwd=self.folder, timeout=60) for more in ((), ("--quiet",)))
                self.assertEqual(loud.code, quiet.code)
                self.assertLess(len(quiet.out.splitlines()), 9, quiet)
                self.assertLessEqual(len(quiet.out), len(loud.out))
                self.assertRegex(quiet.out, re.compile(last, re.MULTILINE))
                self.assertEqual(quiet.out.splitlines(), opconform(*arguments, "-q", cwd=self.folder, timeout=60).out.splitlines()
                                 if arguments[0] not in ("run", "fuzz", "selftest") else quiet.out.splitlines())


class List(CliTest):
    KINDS = {"outputs", "rejected", "error", "any_of", "reference"}

    def test_json(self):
        cases = opconform("list", program.spec_cases, "--json").json
        self.assertGreaterEqual(len(cases), 600)
        self.assertEqual(len(cases), len({case["id"] for case in cases}))
        self.assertLessEqual({case["expect"] for case in cases}, self.KINDS)
        self.assertEqual({"DML_SCATTER", "DML_SPLIT", "DML_SLICE1", "ONNX_GATHER", "DML_JOIN"}, {case["operator"] for case in cases})
        for case in cases:
            self.assertEqual({"id", "says", "file", "line", "operator", "version", "data_type", "index_type", "rank", "rules", "errata", "expect",
                              "traits"}, set(case))
            self.assertIsInstance(case["rules"], list)
            self.assertIsInstance(case["errata"], list)

    def test_json_of_each_kind(self):
        result = split()["expect"]
        kinds = {"outputs": result, "rejected": {"rejected": ["split.support"]}, "error": {"error": "gather.index-range"},
                 "any_of": {"any_of": [result]}}
        cases = [split(kind, expect=False, rules=["split.partition"]) | {"expect": expect}
                 for kind, expect in kinds.items()] + [split("reference", expect=False, errata=["strides.planes"])]
        found = opconform("list", self.write("a.json", document("DML_SPLIT", *cases)), "--json").json
        self.assertEqual([*kinds, "reference"], [case["expect"] for case in found])
        self.assertEqual(["split.partition"], found[0]["rules"])
        self.assertEqual(["strides.planes"], found[-1]["errata"])

    def test_traits(self):
        def traits(operator, case):
            (found,) = opconform("list", self.write("a.json", document(operator, case)), "--json").json
            return found["traits"]

        self.assertEqual({"axis": [0]}, traits("DML_SPLIT", split()))
        self.assertEqual({"stride": [-1, 1]}, traits("DML_SLICE1", slice1()))
        self.assertEqual({"axis": [0], "index": [1, 3]}, traits("DML_SCATTER", scatter()))
        self.assertEqual({"axis": [0], "index": [-3, 2]}, traits("ONNX_GATHER", gather(indices=[2, -3, 0], expected=(7, 5, 5))))
        last = with_change(gather(), ["desc", "indices"], {"type": "int64", "shape": [2], "fill": {"pattern": "iota"}})
        self.assertEqual({"axis": [-1]}, traits("ONNX_GATHER", with_change(last, ["desc", "axis"], -1)), "a pattern names no index")
        for strides, size, layout in (([2], 8, ["strided"]), ([0], 4, ["broadcast"]), ([1], 16, None)):
            with self.subTest(strides):
                changed = with_change(split(expect=False), ["desc", "InputTensor"], tensor("INT32", [4], Strides=strides, TotalTensorSizeInBytes=4 * size))
                self.assertEqual(layout, traits("DML_SPLIT", changed).get("layout"))

    def test_alias_is_the_same_operator(self):
        found = opconform("list", self.write("a.json", document("DML_SCATTER_ELEMENTS", scatter())), "--json").json
        self.assertEqual("DML_SCATTER", found[0]["operator"])

    def test_text(self):
        lines = opconform("list", program.spec_cases).out.splitlines()
        self.assertEqual(len(opconform("list", program.spec_cases, "--json").json), len(lines))

    def test_filter(self):
        found = opconform("list", program.spec_cases, "--json", "--filter", "gather/*").json
        self.assertTrue(found)
        self.assertTrue(all(case["id"].startswith("gather/") for case in found))

    def test_filter_that_matches_nothing(self):
        outcome = opconform("list", program.spec_cases, "--json", "--filter", "none")
        self.assert_exit(2, outcome)
        self.assertEqual([], outcome.json)


class Show(CliTest):
    def test_every_part(self):
        case = slice1(says="the window backwards", rules=["slice1.copy"], errata=["slice1.max-copied-sign"], twin="other",
                      source={"document": "a page", "section": "a section"}, feature_level="4_1")
        outcome = opconform("show", "tested", self.write("a.json", document("DML_SLICE1", case)))
        self.assert_exit(0, outcome)
        for words in ("tested", "the window backwards", "a page", "a section", "DML_SLICE1", "4_1", "InputTensor", "INT32",
                      "InputWindowStrides", "-1", "  1 2 3\n  4 5 6\n", "5 2", "slice1.copy", "slice1.max-copied-sign", "other",
                      "a.json"):
            self.assertIn(words, outcome.out)

    def test_a_committed_case_of_each_kind(self):
        chosen = {}
        for case in opconform("list", program.spec_cases, "--json").json:
            chosen.setdefault((case["operator"], case["expect"], bool(case["errata"])), case["id"])
        self.assertGreaterEqual(len(chosen), 10)
        for name in chosen.values():
            with self.subTest(case=name):
                outcome = opconform("show", name, program.spec_cases)
                self.assert_exit(0, outcome)
                self.assertTrue(outcome.out.startswith(name))

    def test_strings_are_readable(self):
        case = gather(data_type="string", data=["a", "b"], indices=[1], expected=["b"])
        self.assertIn('"a" "b"', opconform("show", "tested", self.write("a.json", document("ONNX_GATHER", case))).out)

    def test_elements_stand_in_columns_and_only_strings_in_quotes(self):
        case = slice1()
        case["desc"]["InputTensor"]["data"] = [[1, 20, 3], [400, 5, 6]]
        outcome = opconform("show", "tested", self.write("a.json", document("DML_SLICE1", case)))
        self.assertIn("InputTensor holds the elements\n    1 20 3\n  400  5 6\n", outcome.out)
        case = copy("FLOAT32", ["NaN", 1.5, "-0.0", "0x7fc00001"])
        outcome = opconform("show", "tested", self.write("a.json", document("DML_SPLIT", case)))
        self.assertIn("InputTensor holds the elements\n  NaN 1.5 -0.0 0x7fc00001\n", outcome.out)

    def test_long_rows_are_shortened_unless_all_is_asked_for(self):
        elements = [*range(1, 41), *[7] * 50, 3]
        file = self.write("a.json", document("DML_SPLIT", copy("INT32", elements, factors={"rank": "1", "fill": "few"})))
        outcome = opconform("show", "tested", file)
        self.assertIn("1 2 .. 40, 7 x 50, 3 (91 elements)", outcome.out)
        self.assertRegex(outcome.out, r"factors\n  rank  1\n  fill  few\n")
        whole = opconform("show", "tested", file, "--whole").out
        self.assertIn(" ".join(map(str, elements)), whole)
        self.assertNotIn("..", whole)

    def test_the_descriptor_is_a_table(self):
        outcome = opconform("show", "tested", self.write("a.json", document("DML_SLICE1", slice1())))
        self.assertRegex(outcome.out, r"\n +type +sizes +strides +bytes\n  InputTensor +INT32 +\{2, 3\} +packed +24\n")
        self.assertIn("InputTensor holds the elements\n  1 2 3\n  4 5 6\n", outcome.out)

    def test_a_picture_of_what_goes_in_and_what_is_due(self):
        outcome = opconform("show", "tested", self.write("a.json", document("DML_SLICE1", slice1())))
        self.assertRegex(outcome.out, r"\npicture\n +InputTensor +OutputTensor\n")
        self.assertRegex(outcome.out, r"\n +\| 1 2 3 \| +\| 5 2 \|\n +\| 4 5 6 \|")

    def test_the_picture_is_as_wide_as_the_terminal(self):
        file = self.write("a.json", document("DML_SPLIT", copy("INT32", list(range(1000, 1040)))))
        for columns in (40, 60, 120):
            with self.subTest(columns=columns):
                outcome = opconform("show", "tested", file, env={"COLUMNS": str(columns)})
                lines = outcome.out[outcome.out.index("\npicture\n"):].splitlines()[2:5]
                self.assertLessEqual(max(map(len, lines)), columns)

    def test_the_field_that_breaks_a_rule(self):
        case = with_change(split("broken", expect=False), ("desc", "Axis"), 1) | {"expect": {"rejected": ["split.axis-range"]}}
        outcome = opconform("show", "broken", self.write("a.json", document("DML_SPLIT", case)))
        self.assertRegex(outcome.out, r"\nwhat the descriptor breaks\n  Axis is 1, but .* \(split.axis-range\)\n")
        self.assertNotIn("picture", outcome.out)

    def test_unknown_case(self):
        outcome = opconform("show", "none", self.write("a.json", GOOD))
        self.assert_exit(2, outcome)
        self.assertEqual("", outcome.out)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIn("none", outcome.err)

    def test_no_blanks_at_the_end_of_lines(self):
        outcome = opconform("show", "good", self.write("a.json", GOOD))
        self.assertNotRegex(outcome.out, r"[ \t]\n")


class Validate(CliTest):
    BROKEN = with_change(with_change(split("broken", expect=False), ("desc", "Axis"), 1),
                         ("desc", "OutputTensors", 0, "DataType"), "INT8")

    def test_valid(self):
        outcome = opconform("validate", self.write("a.json", GOOD))
        self.assert_exit(0, outcome)
        self.assertIn("good", outcome.out)
        self.assertIn("valid", outcome.out)

    def test_broken_rules_with_field_and_both_values(self):
        outcome = opconform("validate", self.write("a.json", document("DML_SPLIT", self.BROKEN)))
        self.assert_exit(1, outcome)
        for words in ("split.axis-range", "Axis", "split.same-data-type", "OutputTensors[0]", "INT8", "INT32"):
            self.assertIn(words, outcome.out)

    def test_rules_that_the_case_expects(self):
        case = self.BROKEN | {"expect": {"rejected": ["split.same-data-type", "split.axis-range"]}}
        self.assert_exit(0, opconform("validate", self.write("a.json", document("DML_SPLIT", case))))

    def test_json(self):
        outcome = opconform("validate", self.write("a.json", document("DML_SPLIT", split("fine"), self.BROKEN)), "--json")
        self.assert_exit(1, outcome)
        fine, broken = outcome.json
        self.assertEqual({"id": "fine", "valid": True, "violations": []}, fine)
        self.assertEqual("broken", broken["id"])
        self.assertFalse(broken["valid"])
        self.assertEqual({"split.axis-range", "split.same-data-type"}, {found["rule"] for found in broken["violations"]})
        for found in broken["violations"]:
            self.assertEqual({"rule", "field", "message"}, set(found))

    def test_committed_cases(self):
        outcome = opconform("validate", program.spec_cases, "--json")
        self.assert_exit(0, outcome)
        rejected = {case["id"] for case in opconform("list", program.spec_cases, "--json").json
                    if case["expect"] == "rejected"}
        self.assertEqual(rejected & {case["id"] for case in outcome.json if case["valid"]}, set())

    def test_a_case_that_permits_rejection_among_others(self):
        case = self.BROKEN | {"expect": {"any_of": [{"rejected": ["split.same-data-type", "split.axis-range"]},
                                                    {"rejected": ["split.support"]}]}}
        self.assert_exit(0, opconform("validate", self.write("a.json", document("DML_SPLIT", case))))

    def test_a_broken_case_that_leaves_the_judgement_to_the_reference(self):
        """Says so: an own case without `expect` is what `validate` is for."""
        outcome = opconform("validate", self.write("a.json", document("DML_SPLIT", self.BROKEN)))
        self.assertIn("broken", outcome.out)

    def test_huge_descriptors_are_validated_at_once(self):
        case = split(expect=False)
        case["desc"]["InputTensor"] = tensor("INT32", [4294967295] * 8)
        outcome = opconform("validate", self.write("a.json", document("DML_SPLIT", case)), timeout=2)
        self.assert_exit(1, outcome)
        self.assertIn("tensor.size-overflow", outcome.out)


class Spec(CliTest):
    SCATTER_3_0 = {"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"}
    ALL = SCATTER_3_0 | {"FLOAT64", "INT64", "UINT64"}
    ONNX = set("bfloat16 bool complex128 complex64 double float float16 int16 int32 int64 int8 string uint16 uint32 uint64 "
               "uint8".split())

    def spec(self):
        outcome = opconform("spec", "--json", cwd=self.folder)
        self.assert_exit(0, outcome)
        self.assertEqual("", outcome.err)
        return outcome.json

    def table(self, name):
        """{since: {role: (least rank, most, types)}}"""
        found, = [operator for operator in self.spec()["operators"] if operator["name"] == name]
        return {row["since"]: {role: (*tensor["ranks"], set(tensor["data_types"])) for role, tensor in
                               row["tensors"].items()} for row in found["support"]}

    def test_scatter(self):
        table = self.table("DML_SCATTER")
        self.assertEqual({"1_0", "2_1", "3_0", "4_1"}, set(table))
        indices = {"INT64", "INT32", "UINT64", "UINT32"}
        for since, ranks, values, of_indices in (("4_1", (1, 8), self.ALL, indices), ("3_0", (1, 8), self.SCATTER_3_0, indices),
                                                 ("2_1", (4, 4), self.SCATTER_3_0, {"UINT32"}),
                                                 ("1_0", (4, 4), {"FLOAT32", "FLOAT16"}, {"UINT32"})):
            self.assertEqual({"InputTensor": (*ranks, values), "IndicesTensor": (*ranks, of_indices),
                              "UpdatesTensor": (*ranks, values), "OutputTensor": (*ranks, values)}, table[since])

    def test_split(self):
        table = self.table("DML_SPLIT")
        self.assertEqual({"1_0", "2_1", "3_0", "4_1"}, set(table))
        without_bytes = {"FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"}
        for since, row in (("4_1", (1, 8, self.ALL)), ("3_0", (1, 8, self.SCATTER_3_0)), ("2_1", (4, 4, self.SCATTER_3_0)),
                           ("1_0", (4, 4, without_bytes))):
            self.assertEqual([row, row], list(table[since].values()))

    def test_slice1(self):
        table = self.table("DML_SLICE1")
        self.assertEqual({"2_1", "3_0", "4_1"}, set(table))
        for since, row in (("4_1", (1, 8, self.ALL)), ("3_0", (1, 8, self.SCATTER_3_0)), ("2_1", (4, 5, self.SCATTER_3_0))):
            self.assertEqual({"InputTensor": row, "OutputTensor": row}, table[since])

    def test_gather(self):
        table = self.table("ONNX_GATHER")
        self.assertEqual([1, 11, 13], sorted(table))
        for since, types in ((13, self.ONNX), (11, self.ONNX - {"bfloat16"}), (1, self.ONNX - {"bfloat16"})):
            self.assertEqual({"data", "indices", "output"}, set(table[since]))
            self.assertEqual(types, table[since]["data"][2])
            self.assertEqual(types, table[since]["output"][2])
            self.assertEqual({"int32", "int64"}, table[since]["indices"][2])
            self.assertEqual((1, 8), table[since]["data"][:2])
            self.assertEqual((0, 8), table[since]["indices"][:2])
            self.assertEqual((0, 15), table[since]["output"][:2])

    def test_rules(self):
        spec = self.spec()
        rules = {rule["name"]: rule for rule in spec["rules"]}
        self.assertEqual(len(spec["rules"]), len(rules))
        # The one kind of which each operator has one.
        self.assertEqual(len(spec["operators"]), [rule["kind"] for rule in rules.values()].count("support"))
        for name, kind in (("tensor.offset", "semantics"), ("tensor.gaps-dont-care", "freedom"),
                           ("tensor.outside-intact", "memory"), ("tensor.buffer-size", "constraint"),
                           ("scatter.support", "support"), ("slice1.partial", "semantics"),
                           ("gather.index-range", "constraint"), ("gather.negative-index-v1", "freedom"),
                           ("split.single-is-copy", "semantics"), ("tensor.input-intact", "memory")):
            self.assertEqual(kind, rules[name]["kind"], name)
        for rule in rules.values():
            self.assertEqual({"name", "kind", "statement", "source"}, set(rule))
            self.assertRegex(rule["statement"], r"\.\)?$")
            self.assertTrue(rule["source"], rule)

    def test_errata(self):
        errata = [erratum["name"] for erratum in self.spec()["errata"]]
        self.assertEqual(len(errata), len(set(errata)))
        self.assertLessEqual({"scatter.example-1-overlap", "slice1.max-copied-sign", "strides.letter-I",
                              "gather.bounds-v1"}, set(errata))

    def test_fields(self):
        fields = {operator["name"]: [(field["name"], field["kind"], field["role"]) for field in operator["fields"]]
                  for operator in self.spec()["operators"]}
        self.assertEqual([("InputTensor", "tensor", "input, values"), ("OutputCount", "number", "length of OutputTensors"),
                          ("OutputTensors", "tensors", "output, values"), ("Axis", "number", "axis")], fields["DML_SPLIT"])
        self.assertEqual([("data", "tensor", "input, values"), ("indices", "tensor", "input, indices"),
                          ("output", "tensor", "output, values"), ("axis", "number", "axis, may be left out")],
                         fields["ONNX_GATHER"])
        self.assertEqual(("DimensionCount", "number", "length of InputWindowOffsets, InputWindowSizes, InputWindowStrides"),
                         fields["DML_SLICE1"][2])

    def test_text_holds_the_same(self):
        text = opconform("spec").out
        spec = self.spec()
        for row in spec["rules"] + spec["errata"] + spec["operators"]:
            self.assertRegex(text, rf"(?m)^{re.escape(row['name'])}\b")
        for operator in spec["operators"]:
            for field in operator["fields"]:
                self.assertIn(f"    {field['name']}: {field['kind']}, {field['role']}\n", text)

    def test_of_one_operator_it_says_what_concerns_that(self):
        text = opconform("spec", "--operator", "gather", "--operator", "split").out
        found = set(re.findall(r"(?m)^([a-z0-9]+)\.[a-z0-9-]+ \(", text))
        self.assertEqual({"tensor", "gather", "split"}, found)
        self.assertEqual(["DML_SPLIT", "ONNX_GATHER"], sorted(re.findall(r"(?m)^([A-Z]+_[A-Z0-9]+)", text)))
        self.assert_bad_usage("spec", "--operator", "gather", "--json")
        self.assert_bad_usage("spec", "--operator", "gater")

    def test_cases_name_only_what_stands_there(self):
        spec = self.spec()
        rules = {rule["name"] for rule in spec["rules"]}
        errata = {erratum["name"] for erratum in spec["errata"]}
        for case in opconform("list", program.spec_cases, "--json").json:
            self.assertLessEqual(set(case["rules"]), rules)
            self.assertLessEqual(set(case["errata"]), errata)
