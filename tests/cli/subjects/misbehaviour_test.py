"""Implementations that crash, hang or spoil their process, without any option: every other case is judged, and nothing
is left of them, however the program ends."""
import json
import signal
import time

import program
from documents import document, split, tensor
from processes import MisbehaviourTest
from program import opconform, wait_for
from results import demand_schema

FOREVER = ("--timeout", "86400")  # no test may wait for it


def many(name, outputs):
    """A split of bytes into so many outputs: what misbehaves does so in more than three."""
    return {"id": name, "desc": {"InputTensor": tensor("UINT8", [2, outputs], fill={"pattern": "iota"}),
                                 "OutputTensors": [tensor("UINT8", [2, 1])] * outputs, "Axis": 1}}


CASES = document("DML_SPLIT", split("first"), many("many", 6), split("between"), many("more", 5), split("last"))
ONLY_MANY = document("DML_SPLIT", split("first"), many("many", 6))

# By name: the verdict of the cases in which it strikes, and what the message says.
MISBEHAVIOURS = {
    "crash": ("crash", "signal 11"),
    "silent-end": ("crash", "ended before its verdict"),
    "exit": ("crash", "ended before its verdict"),
    "abort": ("crash", "signal 6"),
    "stack-overflow": ("crash", "signal 11"),
    "memory-hog": ("crash", "bad_alloc"),
    "exception": ("crash", "exception"),
    "hang": ("timeout", "did not end within 300 ms"),
    "hang-without-signals": ("timeout", "did not end within 300 ms"),
    "kills-its-group": ("crash", "signal 9"),
    "kills-its-parent": ("crash", "signal 9"),
    "files-closed": ("crash", "closed the channel"),
    "garbage-in-files": ("crash", "wrote into it"),
    "directory-changed": ("mismatch", "OutputTensors[0]"),
    "children-left": ("mismatch", "OutputTensors[0]"),
    "comes-back-twice": ("mismatch", "OutputTensors[0]"),
    "wrong-rejection": ("wrong-rejection", "split.support"),
    "hostile-words": ("wrong-rejection", ""),
}
if program.PATIENCE > 1:  # instrumented programs have other ways to end by these
    for _name in ("stack-overflow", "memory-hog"):
        MISBEHAVIOURS[_name] = ("crash", "")


class EveryKind(MisbehaviourTest):
    def test_the_verdict_is_of_its_case_and_all_others_are_judged(self):
        file = self.write("cases.json", CASES)
        for name, (verdict, words) in MISBEHAVIOURS.items():
            for more in ([], ["--jobs", "3"]):
                with self.subTest(name, more=more):
                    timeout = "0.3" if verdict == "timeout" else "5"  # only those that hang have to wait for it
                    outcome = self.run_cases(file, "--backend", "faulty:" + name, "--timeout", timeout, *more,
                                             env=self.environment)
                    self.assert_exit(1, outcome)
                    self.assertEqual("", outcome.err)
                    self.assertEqual({"first": "pass", "many": verdict, "between": "pass", "more": verdict,
                                      "last": "pass"}, outcome.verdicts())
                    demand_schema(outcome.json)
                    for result in outcome.json["results"]:
                        if result["verdict"] == verdict:
                            self.assertIn(words, result["message"])
                            self.assertNotIn("depends on", result["message"])
                    self.assert_nothing_is_left()

    def test_what_is_built_in_is_judged_beside_it(self):
        outcome = self.run_cases(self.write("cases.json", CASES), "--backend", "faulty:crash", "--backend", "optimized")
        self.assert_exit(1, outcome)
        self.assertEqual({"pass"}, set(outcome.verdicts("optimized").values()))
        self.assertEqual(5, len(outcome.verdicts("optimized")))

    def test_what_depends_on_the_cases_before_it_says_so(self):
        outcome = self.run_cases(self.write("cases.json", CASES), "--backend", "faulty:crash-after-others")
        self.assert_exit(1, outcome)
        self.assertEqual({"many": "flaky", "more": "flaky"},
                         {case: verdict for case, verdict in outcome.verdicts().items() if verdict != "pass"})
        for result in outcome.json["results"]:
            if result["verdict"] == "flaky":
                self.assertRegex(result["message"], "signal 11.*depends on what ran before it.*alone, the verdict is pass")
        alone = self.run_cases(self.write("many.json", document("DML_SPLIT", many("many", 6))), "--backend",
                               "faulty:crash-after-others")
        self.assertEqual({"many": "pass"}, alone.verdicts())

    def test_memory_faults_behind_pages(self):
        outcome = self.run_cases(self.write("cases.json", CASES), "--backend", "faulty:reads-behind-input")
        self.assert_exit(1, outcome)
        # It reads whole vectors: nothing is wrong with inputs of 16 bytes.
        self.assertEqual({"first": "pass", "many": "memory-fault", "between": "pass", "more": "memory-fault",
                          "last": "pass"}, outcome.verdicts())
        self.assertRegex(outcome.json["results"][1]["message"], r"^read outside InputTensor: byte \d+, where its buffer has \d+ bytes")

    def test_files_are_where_they_were_meant(self):
        self.write("cases.json", CASES)
        outcome = opconform("run", "cases.json", "--backend", "faulty:directory-changed", "--json", "results.json",
                            cwd=self.folder)
        self.assert_exit(1, outcome)
        self.assertEqual(5, len(json.loads((self.folder / "results.json").read_text())["results"]))

    def test_a_report_has_them(self):
        outcome = opconform("run", self.write("cases.json", CASES), "--backend", "faulty:crash", "--junit",
                            self.folder / "r.xml", "--html", self.folder / "r.html")
        self.assert_exit(1, outcome)
        self.assertIn("signal 11", (self.folder / "r.xml").read_text())

    def test_in_process_a_crash_ends_the_run(self):
        outcome = opconform("run", self.write("cases.json", CASES), "--backend", "faulty:crash", "--in-process")
        self.assert_exit(-signal.SIGSEGV, outcome)
        self.assert_bad_usage("run", "--in-process", "--isolate")


class Pictures(MisbehaviourTest):
    """What a worker found is shown, though it stays there."""

    def examples(self, *more):
        outcome = self.run_cases(self.write("cases.json", document("DML_SPLIT", many("many", 6))), "--backend",
                                 "faulty:directory-changed", *more)
        self.assert_exit(1, outcome)
        demand_schema(outcome.json)
        return [group["example"] for group in outcome.json["groups"]]

    def test_of_the_smallest_case(self):
        for more in ([], ["--isolate"], ["--in-process"]):
            with self.subTest(more=more):
                example, = self.examples(*more)
                self.assertTrue(example["shrunk"])
                output = next(one for one in example["picture"]["tensors"] if one["name"] == "OutputTensors[0]")
                self.assertEqual([0], output["wrong"])
                self.assertNotEqual(output["expected"], output["elements"])

    def test_on_a_terminal(self):
        file = self.write("cases.json", document("DML_SPLIT", many("many", 6)))
        shown = [opconform("run", file, "--backend", "faulty:directory-changed", "--verbose", *more).out
                 for more in ([], ["--in-process"])]
        self.assertIn("wrong", shown[0])
        without_times = [[line for line in text.splitlines() if " s" not in line and "again" not in line] for text in shown]
        self.assertEqual(*without_times)


class OtherCommands(MisbehaviourTest):
    def test_grid(self):
        for name, words in (("crash", "signal 11"), ("garbage-in-files", "wrote into it"), ("exception", "exception")):
            with self.subTest(name):
                outcome = opconform("grid", "--backend", "faulty:" + name, "--operator", "DML_SPLIT", "--json", "-",
                                    env=self.environment)
                self.assert_exit(1, outcome)
                grid = outcome.json
                self.assertEqual(1650, grid["total"]["cells"])
                self.assertEqual(254, grid["total"]["wrong"])  # the other splits have at most three outputs
                for cell in grid["wrong"]:
                    self.assertRegex(cell["message"], "^crash: .*" + words)
                self.assert_nothing_is_left()

    def test_fuzz(self):
        for name in ("crash", "garbage-in-files", "files-closed", "kills-its-parent", "comes-back-twice", "children-left"):
            with self.subTest(name):
                outcome = opconform("fuzz", "--backend", "faulty:" + name, "--operator", "DML_SPLIT", "--cases", "60",
                                    "--sizes", "small", "--out", self.folder / name, "--json", "-", env=self.environment, timeout=60)
                self.assert_exit(1, outcome)
                self.assertEqual(60, outcome.json["cases"])
                self.assertEqual(11, outcome.json["by_operator"]["DML_SPLIT"]["failed"])  # those of more than three outputs
                self.assert_nothing_is_left()

    def test_reduce(self):
        for name in ("crash", "garbage-in-files", "files-closed", "kills-its-group", "comes-back-twice"):
            with self.subTest(name):
                outcome = opconform("reduce", self.write("cases.json", document("DML_SPLIT", many("many", 6))), "--backend",
                                    "faulty:" + name, env=self.environment, timeout=60)
                self.assert_exit(1, outcome)
                self.assertEqual(4, len(outcome.json["cases"][0]["desc"]["OutputTensors"]))
                self.assert_nothing_is_left()


class Ends(MisbehaviourTest):
    """Each of these would last for a day."""

    SIGNALS = (signal.SIGTERM, signal.SIGINT)

    def test_run(self):
        file = self.write("cases.json", ONLY_MANY)
        target = self.folder / "results.json"
        for number in self.SIGNALS:
            for name, more in (("hang", []), ("hang-without-signals", ["--jobs", "2"]), ("hang", ["--in-process"]),
                               ("hang", ["--in-process", "--jobs", "2"])):
                with self.subTest(name, number=number, more=more):
                    for pause in (0.5, 2, 8):  # until the first case is judged, on any machine
                        process = self.begin("run", file, "--backend", "faulty:" + name, *FOREVER, "--json", target,
                                             "--html", self.folder / "r.html", *more)
                        time.sleep(pause)
                        code, out, err = self.end(process, number)
                        self.assertEqual(3, code, err)
                        self.assertIn("interrupted", out + err)
                        left = json.loads(target.read_text())
                        demand_schema(left)
                        self.assertTrue(left["interrupted"])
                        if left["results"]:
                            break
                    self.assertEqual([("first", "pass")], [(one["case"], one["verdict"]) for one in left["results"]])

    def test_while_a_case_is_reduced(self):
        file = self.write("cases.json", document("DML_SPLIT", many("many", 60)))
        process = self.begin("reduce", file, "--backend", "faulty:hang", "--timeout", "5")
        time.sleep(1)
        code, _, err = self.end(process, signal.SIGTERM)
        self.assertEqual(3, code, err)
        self.assertIn("interrupted", err)

    def test_fuzz(self):
        for number in self.SIGNALS:
            out = self.folder / f"out{number}"
            target = self.folder / "campaign.json"
            process = self.begin("fuzz", "--backend", "faulty:hang", "--operator", "DML_SPLIT", *FOREVER, "--jobs", "2",
                                 "--out", out, "--json", target)
            wait_for((out / "campaign.json").exists)
            time.sleep(1)
            code, _, err = self.end(process, number)
            self.assertEqual(3, code, err)
            self.assertTrue(json.loads((out / "campaign.json").read_text())["interrupted"])
            left = json.loads(target.read_text())
            demand_schema(left)
            self.assertTrue(left["interrupted"])

    def test_grid(self):
        target = self.folder / "grid.json"
        process = self.begin("grid", "--backend", "faulty:hang", "--operator", "DML_SPLIT", *FOREVER, "--json", target)
        wait_for(target.exists)
        time.sleep(1)
        code, _, err = self.end(process, signal.SIGTERM)
        self.assertEqual(3, code, err)
        left = json.loads(target.read_text())
        demand_schema(left)
        self.assertTrue(left["interrupted"])
        self.assertLess(left["total"]["cells"], 1650)

    def test_certify(self):
        process = self.begin("certify", "--backend", "faulty:hang", "--out", self.folder / "certificate.html")
        wait_for(lambda: len(self.marked()) > 1)
        code, _, err = self.end(process, signal.SIGTERM)
        self.assertEqual(3, code, err)
        self.assertIn("no certificate", err)

    def test_nothing_outlives_a_program_that_is_killed(self):
        file = self.write("cases.json", CASES)
        for name, more in (("hang-without-signals", FOREVER), ("children-left", ("--repeat", "1000000")),
                           ("comes-back-twice", ("--repeat", "1000000"))):
            with self.subTest(name):
                process = self.begin("run", file, "--backend", "faulty:" + name, *more)
                self.assertTrue(wait_for(lambda: len(self.marked()) > 2), self.marked())
                code, _, _ = self.end(process, signal.SIGKILL)
                self.assertEqual(-signal.SIGKILL, code)
