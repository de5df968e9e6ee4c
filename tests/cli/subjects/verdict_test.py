"""Cases that are wrong on purpose: each verdict, what is said of it, and the line that shows it again."""
import os
import re
import shlex
import subprocess

import program
from documents import document, gather, scatter, slice1, split, tensor, with_change
from program import CliTest, opconform

FREEDOM = ("expect", "outputs", "OutputTensors", 1, 0)


class Verdicts(CliTest):
    def judge(self, operator, case, *arguments):
        """(verdict, rule, message) of both backends, which must agree; and the weak mark."""
        outcome = self.run_cases(self.write("a.json", document(operator, case)), *arguments)
        self.assertEqual("", outcome.err)
        found = {(result["verdict"], result["rule"], result.get("weak", False)) for result in outcome.json["results"]}
        self.assertEqual(1, len(found), found)
        (verdict, rule, weak), = found
        message = outcome.json["results"][0]["message"]
        self.assertEqual(0 if verdict == "pass" else 1, outcome.code)
        return verdict, rule, message, weak

    def assert_verdict(self, verdict, operator, case, rule="", words=()):
        found = self.judge(operator, case)
        self.assertEqual(verdict, found[0], found)
        if rule:
            self.assertEqual(rule, found[1], found)
        for word in words:
            self.assertIn(word, found[2])
        return found

    def test_mismatch_says_where_what_and_from_where(self):
        case = with_change(split(rules=["split.partition"]), (*FREEDOM[:-1], 1), 99)
        self.assert_verdict("mismatch", "DML_SPLIT", case, "",
                            ["OutputTensors[1][1]", "expected 99", "found 12", "InputTensor[2]"])

    def test_mismatch_names_where_the_expected_value_stands(self):
        case = with_change(split(), (*FREEDOM[:-1], 1), 10)
        self.assert_verdict("mismatch", "DML_SPLIT", case, "", ["expected 10 (InputTensor[0])", "found 12 (InputTensor[2])"])

    def test_mismatch_in_two_dimensions(self):
        case = with_change(slice1(), ("expect", "outputs", "OutputTensor"), [[5], [3]])
        self.assert_verdict("mismatch", "DML_SLICE1", case, "", ["OutputTensor[1, 0]", "expected 3", "found 2",
                                                                 "InputTensor[0, 1]"])

    def test_mismatch_counts_the_wrong_elements(self):
        case = with_change(split(), FREEDOM[:-1], [0, 0, 0])
        self.assert_verdict("mismatch", "DML_SPLIT", case, "", ["3 elements"])

    def test_mismatch_of_floats_shows_the_bits(self):
        case = with_change(scatter(), ("expect", "outputs", "OutputTensor"), [0, 11, 2, "0x7fc00001"])
        self.assert_verdict("mismatch", "DML_SCATTER", case, "", ["0x7fc00001", "0x41200000"])

    def test_one_of(self):
        self.assert_verdict("pass", "DML_SPLIT", with_change(split(), FREEDOM, {"one_of": [7, 11]}))
        self.assert_verdict("mismatch", "DML_SPLIT", with_change(split(), FREEDOM, {"one_of": [7, 8]}), "",
                            ["expected 7 or 8", "found 11"])

    def test_any(self):
        self.assert_verdict("pass", "DML_SPLIT", with_change(split(), FREEDOM, {"any": True}))
        self.assert_verdict("mismatch", "DML_SPLIT", with_change(
            with_change(split(), FREEDOM, {"any": True}), (*FREEDOM[:-1], 2), 0), "", ["OutputTensors[1][2]"])

    def test_nothing_but_any_passes(self):
        everything = [[{"any": True}], [{"any": True}] * 3]
        self.assert_verdict("pass", "DML_SPLIT", with_change(split(), FREEDOM[:-2], everything))

    def test_any_of(self):
        result = split()["expect"]
        wrong = with_change(split(), FREEDOM, 0)["expect"]
        for verdict, alternatives in (("pass", [{"error": "gather.index-range"}, result]),
                                      ("pass", [result, {"rejected": ["split.support"]}]),
                                      ("pass", [wrong, result]), ("mismatch", [wrong]),
                                      ("mismatch", [{"rejected": ["split.support"]}, wrong]),
                                      ("pass", [{"any_of": [wrong, {"any_of": [result]}]}])):
            with self.subTest(alternatives=alternatives):
                self.assert_verdict(verdict, "DML_SPLIT", split(expect=False) | {"expect": {"any_of": alternatives}})

    def test_missed_rejection(self):
        self.assert_verdict("missed-rejection", "DML_SPLIT",
                            split(expect=False) | {"expect": {"rejected": ["split.support"]}}, "split.support")

    def test_wrong_rejection(self):
        self.assert_verdict("wrong-rejection", "DML_SPLIT", with_change(split(), ("desc", "Axis"), 1), "split.axis-range",
                            ["Axis", "1"])

    def test_wrong_rejection_where_an_error_is_expected(self):
        case = with_change(split(), ("desc", "Axis"), 1) | {"expect": {"error": "gather.index-range"}}
        self.assert_verdict("wrong-rejection", "DML_SPLIT", case)

    def test_other_rule(self):
        broken = with_change(split(expect=False), ("desc", "Axis"), 1)
        for rules in (["split.support"], ["split.axis-range", "split.support"]):
            with self.subTest(rules=rules):
                self.assert_verdict("other-rule", "DML_SPLIT", broken | {"expect": {"rejected": rules}}, "",
                                    ["split.axis-range", "split.support"])
        self.assert_verdict("pass", "DML_SPLIT", broken | {"expect": {"rejected": ["split.axis-range"]}})

    def test_a_subset_of_the_broken_rules_is_other_rule(self):
        broken = with_change(with_change(split(expect=False), ("desc", "Axis"), 1),
                             ("desc", "OutputTensors", 0, "DataType"), "INT8")
        both = ["split.same-data-type", "split.axis-range"]
        self.assert_verdict("pass", "DML_SPLIT", broken | {"expect": {"rejected": both}})
        self.assert_verdict("other-rule", "DML_SPLIT", broken | {"expect": {"rejected": both[:1]}})

    def test_other_rule_says_what_is_named_and_what_is_broken(self):
        for fault, does, because in (
                ("first-rule-only", "rejects rightly, but does not name this rule, which is broken",
                 "rightly rejected, but for split.axis-range; broken is split.axis-range, split.same-data-type: name all"),
                ("error-of-another-rule", "fails rightly, but does not name this rule, which is broken",
                 "rightly failed, but for gather.output-shape; broken is gather.index-range: name that")):
            broken = with_change(with_change(split(expect=False), ("desc", "Axis"), 1),
                                 ("desc", "OutputTensors", 0, "DataType"), "INT8")
            content = (document("DML_SPLIT", broken) if fault == "first-rule-only" else
                       document("ONNX_GATHER", gather(indices=[2, 3]) | {"expect": {"error": "gather.index-range"}}))
            outcome = opconform("run", self.write("case.json", content), "--backend", "faulty:" + fault)
            self.assert_exit(1, outcome)
            self.assertIn(f"\n  does     {does}\n", outcome.out)
            self.assertIn(f"\n  because  {because}", outcome.out)

    def test_missed_error(self):
        case = gather() | {"expect": {"error": "gather.index-range"}}
        self.assert_verdict("missed-error", "ONNX_GATHER", case, "gather.index-range")

    def test_wrong_error(self):
        self.assert_verdict("wrong-error", "ONNX_GATHER", gather(indices=[2, 3]), "gather.index-range", ["3"])

    def test_error(self):
        case = gather(indices=[2, 3]) | {"expect": {"error": "gather.index-range"}}
        self.assert_verdict("pass", "ONNX_GATHER", case)

    def test_error_for_another_rule(self):
        case = gather(indices=[2, 3]) | {"expect": {"error": "gather.data-rank"}}
        self.assert_verdict("other-rule", "ONNX_GATHER", case)

    def test_no_expectation_means_the_reference(self):
        self.assert_verdict("pass", "DML_SPLIT", split(expect=False))
        self.assert_verdict("pass", "DML_SPLIT", with_change(split(expect=False), ("desc", "Axis"), 1))
        without = gather(indices=[2, 3])
        del without["expect"]
        self.assert_verdict("pass", "ONNX_GATHER", without)

    def test_weak(self):
        weak = split(expect=False)
        weak["desc"]["InputTensor"]["data"] = [7, 7, 7, 7]
        self.assertTrue(self.assert_verdict("pass", "DML_SPLIT", weak)[3])
        self.assertFalse(self.assert_verdict("pass", "DML_SPLIT", split())[3])

    def test_one_element_is_not_weak(self):
        one = split(expect=False)
        one["desc"].update(InputTensor=tensor("INT32", [1], data=[7]), OutputTensors=[tensor("INT32", [1])])
        self.assertFalse(self.assert_verdict("pass", "DML_SPLIT", one)[3])

    def test_weak_is_counted(self):
        weak = split(expect=False)
        weak["desc"]["InputTensor"]["data"] = [7, 7, 7, 7]
        file = self.write("a.json", document("DML_SPLIT", weak))
        self.assertIn("weak", opconform("run", file).out)
        self.assertEqual(2, self.run_cases(file).json["summary"]["weak"])

    def test_fill(self):
        for fill in ({"pattern": "iota"}, {"pattern": "random", "seed": 3}, {"pattern": "random"}):
            with self.subTest(fill=fill):
                case = split(expect=False)
                case["desc"]["InputTensor"] = tensor("FLOAT16", [1000], fill=fill)
                case["desc"]["OutputTensors"] = [tensor("FLOAT16", [300]), tensor("FLOAT16", [700])]
                self.assertFalse(self.assert_verdict("pass", "DML_SPLIT", case)[3])

    def test_fill_of_indices_stays_in_range(self):
        case = scatter()
        case["desc"]["IndicesTensor"] = tensor("INT32", [4], fill={"pattern": "random", "seed": 1})
        case["desc"]["UpdatesTensor"] = tensor("FLOAT32", [4], fill={"pattern": "iota"})
        del case["expect"]
        self.assert_verdict("pass", "DML_SCATTER", case)

    def test_empty_output_passes(self):
        case = gather(indices=[], expected=[])
        self.assert_verdict("pass", "ONNX_GATHER", case)

    def test_overlapping_writes(self):
        case = with_change(scatter(), ("desc", "IndicesTensor", "data"), [1, 1])
        del case["expect"]
        self.assert_verdict("pass", "DML_SCATTER", case)
        for verdict, value in (("pass", {"one_of": [10, 11]}), ("mismatch", 1), ("mismatch", 21)):
            expected = {"outputs": {"OutputTensor": [0, value, 2, 3]}}
            self.assert_verdict(verdict, "DML_SCATTER", case | {"expect": expected})


class Reproduction(CliTest):
    """The line that a failure prints gives the same verdict when a shell runs it."""

    WRONG = with_change(split("group/wrong-1.x_y"), FREEDOM, 0)

    def again(self, text, folder):
        lines = re.findall(r"^ +again +(opconform run .*)$", text, re.MULTILINE)
        self.assertEqual(2, len(lines), text)
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        link = programs / "opconform"
        if not link.is_symlink():
            link.symlink_to(program.executable)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        outputs = []
        for line in lines:
            shell = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, check=False, timeout=program.NEVER_SECONDS,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(1, shell.returncode, (line, shell))
            outputs.append(shell.stdout.decode())
        return lines, outputs

    def check_name(self, name, *arguments):
        self.write(name, document("DML_SPLIT", self.WRONG, split("good")))
        outcome = opconform("run", name, *arguments, cwd=self.folder)
        self.assert_exit(1, outcome)
        _, outputs = self.again(outcome.out, self.folder)
        for output, backend in zip(outputs, ("reference", "optimized")):
            self.assertIn(f"mismatch group/wrong-1.x_y [{backend}]", output)
            self.assertNotIn("good", output)
            self.assertIn("0 passed, 1 failed", output)

    def test_plain_name(self):
        self.check_name("wrong.json")

    def test_blank(self):
        self.check_name("two words.json")

    def test_quotes(self):
        self.check_name("it's \"quoted\".json")

    def test_backslash(self):
        self.check_name("back\\slash.json")

    def test_dollar_and_backtick(self):
        self.check_name("$HOME `id` $(id) !x;y&z|*.json")

    def test_umlaut(self):
        self.check_name("größe.json")

    def test_line_feed(self):
        """No line on a terminal, but right in the results."""
        file = self.write("line\nfeed.json", document("DML_SPLIT", self.WRONG))
        repro = self.run_cases(file).json["results"][0]["repro"]
        self.assertEqual(str(file), shlex.split(repro)[2])

    def test_name_with_a_dash_in_front(self):
        self.write("-x.json", document("DML_SPLIT", self.WRONG))
        outcome = opconform("run", "--", "-x.json", cwd=self.folder)
        self.again(outcome.out, self.folder)

    def test_options_are_kept(self):
        options = ["--guard", "canary", "--seed", "7", "--strict-gaps", "--memory-limit", "100000"]
        self.write("a.json", document("DML_SPLIT", self.WRONG))
        outcome = opconform("run", "a.json", *options, cwd=self.folder)
        lines, _ = self.again(outcome.out, self.folder)
        for line in lines:
            words = shlex.split(line)
            for number, option in enumerate(options):
                if option.startswith("--"):
                    self.assertIn(option, words)
                    if number + 1 < len(options) and not options[number + 1].startswith("--"):
                        self.assertEqual(options[number + 1], words[words.index(option) + 1])

    def test_json_holds_the_same_line(self):
        file = self.write("a b.json", document("DML_SPLIT", self.WRONG))
        printed = re.findall(r"again +(.*)", opconform("run", file).out)
        self.assertEqual(printed, [result["repro"] for result in self.run_cases(file).json["results"]])

    def test_a_case_found_by_default(self):
        """Cases of $OPCONFORM_SPEC_CASES: the line names the file, so it needs no environment."""
        self.write("cases/a.json", document("DML_SPLIT", self.WRONG))
        outcome = opconform("run", cwd=self.folder, env={"OPCONFORM_SPEC_CASES": "cases"})
        self.again(outcome.out, self.folder)


class Report(CliTest):
    def test_order_of_a_failure(self):
        """Verdict, case, what it shows, coordinate, expected, found, place, the line that reproduces it."""
        case = with_change(split(rules=["split.partition"], says="two runs"), FREEDOM, 0)
        text = opconform("run", self.write("a.json", document("DML_SPLIT", case)), "--backend", "reference").out
        places = [text.index(word) for word in ("mismatch", "tested", "split.partition", "OutputTensors[1][0]",
                                                "expected 0", "found 11", "InputTensor[1]", "opconform run")]
        self.assertEqual(sorted(places), places)
        self.assertIn("two runs", text)

    def test_strings_are_readable(self):
        case = gather(data_type="string", data=["a\"b", "c"], indices=[0], expected=["c"])
        text = opconform("run", self.write("a.json", document("ONNX_GATHER", case))).out
        self.assertIn('expected "c"', text)
        self.assertIn(r'found "a\"b"', text)

    def test_named_floats_are_readable(self):
        case = with_change(scatter(), ("expect", "outputs", "OutputTensor"), ["NaN", 11, 2, 10])
        text = opconform("run", self.write("a.json", document("DML_SCATTER", case))).out
        self.assertNotIn("\\", text)
        self.assertIn("NaN", text)

    def test_quiet_prints_the_summary_alone(self):
        text = opconform("run", self.write("a.json", document("DML_SPLIT", with_change(split(), FREEDOM, 0))), "-q").out
        self.assertNotIn("again", text)
        self.assertIn("1 mismatch", text)
        self.assertEqual("0 passed, 2 failed", text.splitlines()[-1])

    def test_verbose_draws_each_failure(self):
        file = self.write("a.json", document("DML_SPLIT", with_change(split(), FREEDOM, 0)))
        verbose = opconform("run", file, "-v").out
        self.assertEqual(2, len(re.findall("expected +found\n", verbose)))
        self.assertEqual(2, verbose.count("\n  OutputTensors[1][0]: 11 came from InputTensor[1]; due: 0\n"))
        self.assertIn(">x< wrong", verbose)
        self.assertNotIn(">x< wrong", opconform("run", file).out)
        isolated = opconform("run", file, "-v", "--isolate").out
        self.assertEqual(2, isolated.count("\n  OutputTensors[1][0]: 11 came from InputTensor[1]; due: 0\n"))
        self.assertNotIn("\x1b", verbose)
        self.assertTrue(verbose.isascii())

    def test_verbose_tells_of_passes(self):
        text = opconform("run", self.write("a.json", document("DML_SPLIT", split())), "-v").out
        self.assertIn("pass tested [reference]", text)
        self.assertIn("pass tested [optimized]", text)


class Threads(CliTest):
    """The planted bugs are races, and a case that shows one is enough: with so many, one does."""

    def test_the_least_number_of_threads_that_fails_is_told(self):
        documented = f"{program.spec_cases}/documents"
        for threads, most in (("3", 3), ("7", 7)):
            outcome = opconform("run", documented, "--backend", "faulty:scratch-for-two-threads", "--threads", threads, timeout=60)
            self.assert_exit(1, outcome)
            for misreading in ("packed", "misread", "changes the bits", "takes ", "rule  ", "shows  ", "common  "):
                self.assertNotIn(f"\n  {misreading}", outcome.out.replace("  does     ", "  "))
            said = re.findall(r"(?m)^  does     fails only where several threads execute at once: passes with (1 and 2|1 to \d+) threads "
                              r"at once, fails with (\d+)$", outcome.out)  # fmt: skip
            self.assertEqual(1, len(said), outcome.out)
            least = int(said[0][1])
            self.assertTrue(3 <= least <= most, outcome.out)
            self.assertEqual({str(least)}, set(re.findall(r"(?m)^  because .*\(in thread \d+ of (\d+) at once\)", outcome.out)))
            again = re.findall(r"(?m)^  again    (.*)$", outcome.out)
            self.assertEqual(1, len(again), outcome.out)
            self.assertIn(f" --threads {least}", again[0])

    def test_two_threads_are_the_least(self):
        outcome = opconform("run", f"{program.spec_cases}/documents", "--backend", "faulty:one-scratch-for-a-plan", "--threads", 2, timeout=60)
        self.assert_exit(1, outcome)
        self.assertIn("at once: passes with 1 thread, fails with 2\n", outcome.out)
