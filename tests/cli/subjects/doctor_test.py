"""Whether an implementation's results can be believed, before they are."""
import subprocess
import sys
from pathlib import Path

import program
from plugin_test import PluginTest, plugin
from program import opconform

ADAPTERS = Path(__file__).resolve().parents[3] / "adapters"


class DoctorTest(PluginTest):
    def examine(self, backend, misbehaviour="", timeout="2"):
        return opconform("doctor", backend, "--timeout", timeout, timeout=60,
                         env={**self.environment, "OPCONFORM_MISBEHAVE": misbehaviour})

    def test_of_a_good_plug_in_every_fault_is_seen(self):
        for backend, who in ((plugin("example"), "gather-in-c"), (plugin("suite"), "suite 1")):
            outcome = self.examine(f"plugin:{backend}")
            self.assert_exit(0, outcome)
            self.assertEqual("", outcome.err)
            self.assertTrue(outcome.out.startswith(f"plugin:{backend} is {who}\n"), outcome.out[:200])
            faults = outcome.out.split("faults injected into its correct results\n")[1].split("\n\n")[0].splitlines()
            self.assertEqual(13, len(faults))
            for fault in faults:
                self.assertRegex(fault, r"^  [a-z ]+  [a-z-]+ in (\d) of \1 cases?$")
            self.assertIn("\nhealthy: what it does wrong will be seen\n", outcome.out)
            self.assertIn(f"\n  opconform fuzz --backend plugin:{backend}\n", outcome.out)
            self.assert_nothing_is_left()

    def test_it_says_what_is_offered(self):
        offers = self.examine(f"plugin:{plugin('example')}").out.split("\n\n")[1]
        self.assertIn("ONNX_GATHER   ranks 1 to 8 of all 16 types\n", offers)
        self.assertIn("DML_SLICE1    not offered: this is Gather alone\n", offers)

    def test_behind_a_pipe_nobody_sees_what_it_does_to_memory(self):
        outcome = self.examine(f"process:{sys.executable} {ADAPTERS / 'python' / 'gather.py'}")
        self.assert_exit(0, outcome)
        for fault in ("writes one byte past the end of an output", "writes one byte before an output", "changes an input"):
            self.assertRegex(outcome.out, rf"\n  {fault} +cannot be seen: it has copies of the buffers\n")
        self.assertRegex(outcome.out, r"\n  changes an element +mismatch in 5 of 5 cases\n")
        self.assertIn("\nhealthy: what it does wrong will be seen, but for what it does to memory outside of its tensors\n",
                      outcome.out)

    def test_what_is_turned_down_when_it_is_executed_is_not_offered(self):
        program = self.write("late.py", f"""import sys
sys.path.insert(0, {str(ADAPTERS / "python")!r})
from opconform_process import NotOffered, serve
def run(case):
    data = case.tensor("data")
    if data.type != "int8" or data.rank > 2:
        raise NotOffered("only int8 up to rank 2")
serve("late", "1", {{"ONNX_GATHER": (lambda case: None, run)}})
""")
        offers = self.examine(f"process:{sys.executable} {program}").out.split("\n\n")[1]
        self.assertIn("ONNX_GATHER   ranks 1 2 of int8 (126 of the listed pairs of type and rank are not offered: only int8 up "
                      "to rank 2)\n", offers)
        self.assert_nothing_is_left()

    def test_who_answers_wrongly_is_not_healthy(self):
        for backend, words in (("faulty:reversed-start-off-by-one", "its answers are wrong"),
                               (f"plugin:{plugin('suite')},backend=faulty:hang", "its answers are wrong")):
            outcome = self.examine(backend)
            self.assert_exit(1, outcome)
            self.assertIn("not healthy: " + words, outcome.out)
            self.assertNotIn("\nnext\n", outcome.out)

    def test_who_answers_nothing_is_not_healthy(self):
        for misbehaviour in ("offers-nothing", "ran-elsewhere"):
            outcome = self.examine(f"plugin:{plugin('misbehaving')}", misbehaviour)
            self.assert_exit(1, outcome)
            self.assertIn("not healthy: no case passes", outcome.out)
            self.assertIn("not tried", outcome.out)

    def test_a_crash_ends_nothing(self):
        outcome = self.examine(f"plugin:{plugin('misbehaving')}", "crash-in-release")
        self.assert_exit(1, outcome)
        self.assertIn("unknown: while it was asked what it offers, its process was ended by signal 11", outcome.out)
        self.assertRegex(outcome.out, r"\b\d\d crash, ")
        self.assert_nothing_is_left()

    def test_what_is_lost_when_it_executes_is_still_offered(self):
        backend = f"plugin:{plugin('misbehaving')}"
        for misbehaviour, words in (("crash-at-the-third", "was ended by signal 11"),
                                    ("hang-at-the-third", "did not end within 3000 ms")):
            outcome = self.examine(backend, misbehaviour, timeout="0.1")
            self.assert_exit(1, outcome)
            self.assertIn("  ONNX_GATHER   ranks 1 to 8 of all 16 types\n", outcome.out)
            self.assertIn("\n  lost when it executed zeros of these: while it was asked what it offers, its process " + words,
                          outcome.out)
            self.assertIn("\nnot healthy: ", outcome.out)
            self.assert_nothing_is_left()

    def test_a_signal_ends_it_while_it_asks(self):
        process = program.start("doctor", f"plugin:{plugin('misbehaving')}", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env={**self.environment, "OPCONFORM_MISBEHAVE": "hang-at-the-third"})
        self.assertIn(" is gather-in-c", process.stdout.readline())
        process.terminate()
        _, err = process.communicate(timeout=10)
        self.assertEqual((3, "opconform: interrupted: these are the results so far\n"), (process.returncode, err))
        self.assert_nothing_is_left()
