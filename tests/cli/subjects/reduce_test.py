"""`opconform reduce`: a failing case in, a smallest one that fails alike out."""
import json
import math
import os
import signal
import subprocess
import time

import program
from documents import GOOD, copy, document, split, tensor
from program import CONTROL, CliTest, catches, opconform, start, wait_for

WIDE = {
    "id": "wide",
    "desc": {
        "InputTensor": tensor("INT64", [2, 3, 4], fill={"pattern": "iota"}, Strides=[20, 6, 1]),
        "OutputTensors": [tensor("INT64", [2, 1, 4]), tensor("INT64", [2, 2, 4])],
        "Axis": 1,
    },
}
MANY = {
    "id": "many",
    "desc": {
        "InputTensor": tensor("UINT8", [2, 6], fill={"pattern": "iota"}),
        "OutputTensors": [tensor("UINT8", [2, 1])] * 6,
        "Axis": 1,
    },
}


class Reduce(CliTest):
    def reduce(self, fault, content, *arguments, code=1, **more):
        outcome = opconform("reduce", self.write("case.json", content), "--backend", "faulty:" + fault, *arguments,
                            timeout=30, **more)
        self.assert_exit(code, outcome)
        return outcome

    def assert_fails_alike(self, fault, outcome, verdict, *arguments):
        """The only case of what was printed."""
        again = opconform("run", self.write("smallest.json", outcome.bytes_out), "--backend", "faulty:" + fault, "--json",
                          "-", *arguments)
        self.assert_exit(1, again)
        self.assertEqual([verdict], list(again.verdicts().values()))
        return outcome.json["cases"][0]["desc"]

    def test_mismatch(self):
        outcome = self.reduce("wrong-element", document("DML_SPLIT", WIDE))
        desc = self.assert_fails_alike("wrong-element", outcome, "mismatch")
        self.assertEqual(1, len(desc["OutputTensors"]))
        self.assertEqual([1], desc["OutputTensors"][0]["Sizes"])
        self.assertIn("mismatch", outcome.err)
        self.assertRegex(outcome.err, r"checks +\d+")

    def test_each_kind(self):
        for fault, verdict, more in (("crash", "crash", ["--isolate"]), ("silent-end", "crash", ["--isolate"]),
                                     ("exception", "crash", []), ("wrong-rejection", "wrong-rejection", []),
                                     ("hostile-words", "wrong-rejection", [])):
            with self.subTest(fault=fault):
                outcome = self.reduce(fault, document("DML_SPLIT", MANY))
                desc = self.assert_fails_alike(fault, outcome, verdict, *more)
                self.assertEqual([[1]] * 4, [one["Sizes"] for one in desc["OutputTensors"]])
                self.assertIsNone(CONTROL.search(outcome.err))
                self.assertLess(len(outcome.err), 4000)

    def test_memory_fault(self):
        outcome = self.reduce("writes-behind", document("DML_SPLIT", WIDE))
        self.assert_fails_alike("writes-behind", outcome, "memory-fault")

    def test_hang(self):
        began = time.monotonic()
        outcome = self.reduce("hang", document("DML_SPLIT", MANY), "--timeout", "0.5", "--isolate")
        self.assertLess(time.monotonic() - began, 20)
        self.assert_fails_alike("hang", outcome, "timeout", "--isolate", "--timeout", "0.5")

    def test_what_is_smallest_stays(self):
        first = self.reduce("wrong-element", document("DML_SPLIT", WIDE))
        second = self.reduce("wrong-element", first.json)
        self.assertEqual(first.json["cases"][0]["desc"], second.json["cases"][0]["desc"])

    def test_a_case_that_passes(self):
        for fault, arguments in (("wrong-element", []), ("crash", []), ("crash", ["--isolate"])):
            outcome = self.reduce(fault, GOOD, *arguments, code=2)
            self.assertEqual("", outcome.out)
            self.assertEqual(1, len(outcome.messages), outcome)
            self.assertIn("does not fail", outcome.err)
            self.assertIn("good", outcome.err)

    def test_expectation_that_is_wrong_itself(self):
        wrong = split("wrong", expect=False) | {"expect": {"outputs": {"OutputTensors": [[10], [0] * 3]}}}
        outcome = opconform("reduce", self.write("case.json", document("DML_SPLIT", wrong)))
        self.assert_exit(1, outcome)
        self.assertIn("not reduced", outcome.err)
        self.assertIn("expectation", outcome.err)
        given = outcome.json["cases"][0]
        self.assertEqual(wrong["expect"]["outputs"], given["expect"]["outputs"])
        again = opconform("run", self.write("again.json", outcome.bytes_out))
        self.assert_exit(1, again)

    def test_selection(self):
        two = document("DML_SPLIT", WIDE, MANY)
        outcome = self.reduce("crash", two, code=2)
        self.assertIn("--case", outcome.err)
        self.assertIn("2 cases", outcome.err)
        outcome = self.reduce("crash", two, "--case", "none", code=2)
        self.assertIn('"none"', outcome.err)
        self.assertEqual("many/smallest", self.reduce("crash", two, "--case", "many").json["cases"][0]["id"])
        self.assertEqual("wide/smallest", self.reduce("wrong-element", two, "--case", "wide").json["cases"][0]["id"])

    def test_a_folder(self):
        self.write("a/one.json", document("DML_SPLIT", WIDE))
        self.write("a/two.json", document("DML_SPLIT", MANY))
        outcome = opconform("reduce", self.folder / "a", "--case", "many", "--backend", "faulty:crash", timeout=20)
        self.assert_exit(1, outcome)

    def test_bad_input(self):
        for content in ("", "{", "[]", document("DML_SPLIT"), document("DML_NONE", WIDE),
                        document("DML_SPLIT", split(feature_level="9_9"))):
            with self.subTest(content=str(content)[:20]):
                outcome = self.reduce("crash", content, code=2)
                self.assertEqual("", outcome.out)
                self.assertEqual(1, len(outcome.messages), outcome)
                self.assertIn("case.json", outcome.err)
        outcome = opconform("reduce", self.folder / "none.json")
        self.assert_exit(2, outcome)
        self.assertIn("none.json", outcome.err)

    def test_bad_usage(self):
        file = self.write("case.json", GOOD)
        for arguments in ([], [file, "--backend", "none"], [file, "--timeout", "0"], [file, "--seed", "-1"],
                          [file, "--out", ""], [file, file]):
            with self.subTest(arguments=arguments):
                self.assertEqual(1, len(self.assert_bad_usage("reduce", *arguments).messages))

    def test_case_that_cannot_be_run(self):
        large = copy("UINT8", [1])
        large["desc"]["InputTensor"] = tensor("UINT8", [1 << 31], fill={"pattern": "iota"})
        large["desc"]["OutputTensors"] = [tensor("UINT8", [1 << 31])]
        for more in ([], ["--isolate"]):
            with self.subTest(arguments=more):
                outcome = self.reduce("crash", document("DML_SPLIT", large), *more, code=2)
                self.assertEqual("", outcome.out)
                self.assertEqual(1, len(outcome.messages), outcome)
                self.assertIn("memory limit", outcome.err)

    def test_reads_a_pipe(self):
        text = program.cases_text(document("DML_SPLIT", MANY)).encode()
        outcome = opconform("reduce", "/dev/stdin", "--backend", "faulty:crash", input=text, timeout=20)
        self.assert_exit(1, outcome)
        self.assertEqual("many/smallest", outcome.json["cases"][0]["id"])

    def test_writes_a_file(self):
        target = self.folder / "smallest.json"
        outcome = self.reduce("wrong-element", document("DML_SPLIT", WIDE), "--out", target)
        self.assertEqual("", outcome.out)
        self.assertEqual(["wide/smallest"], [case["id"] for case in json.loads(target.read_text())["cases"]])

    def test_over_its_own_file(self):
        file = self.write("case.json", document("DML_SPLIT", WIDE))
        self.assert_exit(1, opconform("reduce", file, "--backend", "faulty:wrong-element", "--out", file, timeout=20))
        self.assertEqual(["wide/smallest"], [case["id"] for case in json.loads(file.read_text())["cases"]])

    def test_unwritable(self):
        for target in ("/dev/full", self.folder, self.folder / "none" / "x.json"):
            with self.subTest(target=target):
                outcome = self.reduce("wrong-element", document("DML_SPLIT", WIDE), "--out", target, code=3)
                self.assertIn(str(target), outcome.err)
                self.assertEqual(["wide/smallest"], [case["id"] for case in outcome.json["cases"]])
        with open("/dev/full", "wb") as full:
            outcome = self.reduce("wrong-element", document("DML_SPLIT", WIDE), stdout=full, code=3)
            self.assertIn("No space left", outcome.err)

    def test_interrupted(self):
        wide = json.loads(json.dumps(WIDE))
        wide["desc"]["InputTensor"] = tensor("INT64", [4, 60, 4], fill={"pattern": "iota"})
        wide["desc"]["OutputTensors"] = [tensor("INT64", [4, 1, 4])] * 60
        file = self.write("case.json", document("DML_SPLIT", wide))
        def interrupt(arguments, number, pauses):
            with start("reduce", file, "--backend", "faulty:slow", *arguments,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
                wait_for(lambda: catches(process, number))
                time.sleep(next(pauses))
                os.killpg(process.pid, number)
                began = time.monotonic()
                out, err = process.communicate(timeout=program.NEVER_SECONDS)
            waited = time.monotonic() - began
            self.assertEqual(3, process.returncode, err)
            self.assertIn(b"interrupted", err)
            self.assertNotIn(b"does not fail", err)
            again = opconform("run", self.write("found.json", out), "--backend", "faulty:slow")
            self.assertIn("mismatch", again.out)
            is_smaller = len(json.loads(out)["cases"][0]["desc"]["OutputTensors"]) < 60
            return waited if is_smaller else math.inf

        for arguments in ([], ["--isolate"]):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(arguments=arguments, signal=number):
                    pauses = iter((1.5, 4, 16))  # however busy the machine is, it gets to something smaller
                    self.assert_within(2, lambda: interrupt(arguments, number, pauses))
