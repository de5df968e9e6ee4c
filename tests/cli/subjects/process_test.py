"""Programs behind a pipe that do not keep to the protocol, crash or hang: the verdict is right, every other case is judged,
and nothing is left of them."""
import contextlib
import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import program
from documents import document, split
from misbehaviour_test import CASES, FOREVER, MisbehaviourTest, many
from program import CliTest, opconform, wait_for
from results import demand_schema

TESTS = Path(__file__).resolve().parents[2]
PROTOCOL = TESTS / "protocol"
MISBEHAVING = TESTS / "plugins" / "misbehaving.py"
ADAPTERS = TESTS.parent / "adapters"
NODE = shutil.which("node")
sys.path.insert(0, str(ADAPTERS / "python"))
from opconform_process import Tensor  # noqa: E402


def process(*words):
    return "process:" + shlex.join([sys.executable, *map(str, words)])


def misbehaving(name):
    return process(MISBEHAVING, name)


# Of hellos that make no sense, and what the message says: exit code 1.
NONSENSE = {
    "wrong-protocol": "speaks version 2 of the protocol; this program speaks version 1",
    "no-protocol": 'has no "protocol"',
    "no-name": 'has no "name"',
    "unknown-operator": "DML_SPLITS",
    "wrong-ranks": "[least, most]",
    "prints-at-start": "Loading the model",
    "hello-no-json": "no JSON object",
    "hello-too-long": "are possible",
    "hello-closed": "closed its standard input or output",
}
# Of programs that do not start: exit code 1.
NO_START = {
    "crash-on-start": "signal 11",
    "exit-on-start": "exit code 0",
    "error-on-start": "cannot find its device",
    "hang-on-start": "did not end within",
}
# In a case: the verdict of the cases in which it strikes, and what the message says.
WRONG = {
    "crash": ("crash", "was ended by signal 11"),
    "abort": ("crash", "was ended by signal 6"),
    "exit": ("crash", "ended with exit code 0"),
    "error": ("crash", "exit code 1; its last words: an error of the device"),
    "hang": ("timeout", "did not end within 1000 ms"),
    "hang-without-signals": ("timeout", "did not end within 1000 ms"),
    "spin": ("timeout", "did not end within 1000 ms"),
    "half": ("crash", "exit code 0 in the middle of a message"),
    "half-and-hang": ("timeout", "did not end within 1000 ms"),
    "short-output": ("crash", "replied with 1 bytes of an output of 2"),
    "long-output": ("crash", "replied with 3 bytes of an output of 2"),
    "missing-output": ("crash", "outputs, where there are"),
    "added-output": ("crash", "strings, where 1 to"),
    "huge-output": ("crash", "bytes, where at most"),
    "no-id": ("crash", "replied without an id"),
    "wrong-id": ("crash", "but was asked for id"),
    "earlier-id": ("crash", "but was asked for id"),
    "twice": ("crash", "unexpected bytes after its reply"),
    "unknown-status": ("crash", "the status \"fine\", which there is not"),
    "no-status": ("crash", "which there is not"),
    "no-object": ("crash", "no JSON object"),
    "no-json": ("crash", "no JSON object"),
    "wrong-rules": ("crash", "no list of rules"),
    "refused-with-outputs": ("crash", "with outputs"),
    "prints": ("crash", "reached the kernel"),
    "closes-output": ("crash", "closed its standard input or output"),
    "closes-input": ("crash", "closed its standard input or output"),
    "allocates": ("crash", "exit code 1; its last words: MemoryError"),
    "kills-its-group": ("crash", "signal 9"),
    "kills-its-parent": ("crash", "signal 9"),
    "lies": ("unsupported", "only three outputs"),
}
RIGHT = ("slow", "child-left", "writes-to-stderr", "spoiled", "started-others")
if program.is_sanitized():  # no limit of memory then
    del WRONG["allocates"]


class AtItsStart(MisbehaviourTest):
    def start(self, backend, **environment):
        outcome = opconform("run", self.write("cases.json", CASES), "--backend", backend,
                            env={**self.environment, **environment})
        self.assertEqual("", outcome.out)
        self.assertIn("process:", outcome.err)
        self.assert_nothing_is_left()
        return outcome

    def test_all_are_tried(self):
        names = json.loads(subprocess.check_output([sys.executable, MISBEHAVING, "names"]))
        self.assertEqual(set(names["at_start"]), {*NONSENSE, *NO_START})
        if not program.is_sanitized():
            self.assertEqual(set(names["in_a_case"]), {*WRONG, *RIGHT})

    def test_who_breaks_the_protocol_at_once_does_not_conform(self):
        for name, words in NONSENSE.items():
            with self.subTest(name):
                outcome = self.start(misbehaving(name))
                self.assert_exit(1, outcome)
                self.assertIn(words, outcome.err)

    def test_no_start_is_a_failure(self):
        for name, words in NO_START.items():
            with self.subTest(name):
                outcome = self.start(misbehaving(name), OPCONFORM_START_SECONDS="1")
                self.assert_exit(1, outcome)
                self.assertIn(words, outcome.err)

    def test_no_such_command(self):
        outcome = self.start("process:no-such-program --fast")
        self.assert_exit(2, outcome)
        self.assertIn("exit code 127", outcome.err)

    def test_no_such_limit(self):
        outcome = opconform("run", self.write("cases.json", CASES), "--backend", misbehaving("slow"),
                            env={"OPCONFORM_START_SECONDS": "soon"})
        self.assert_exit(2, outcome)
        self.assertIn('"soon"', outcome.err)


class InACase(MisbehaviourTest):
    def test_the_verdict_is_of_its_case_and_all_others_are_judged(self):
        file = self.write("cases.json", CASES)
        runs = [(name, more) for name in WRONG for more in ([], ["--jobs", "3"])]
        # Most of them wait for a time limit.
        with ThreadPoolExecutor(4) as pool:
            outcomes = pool.map(lambda run: self.run_cases(file, "--backend", misbehaving(run[0]), "--timeout", "1", *run[1],
                                                           env=self.environment), runs)
        for (name, more), outcome in zip(runs, outcomes):
            verdict, words = WRONG[name]
            with self.subTest(name, more=more):
                self.assert_exit(0 if verdict == "unsupported" else 1, outcome)
                self.assertEqual("", outcome.err)
                self.assertEqual({"first": "pass", "many": verdict, "between": "pass", "more": verdict, "last": "pass"},
                                 outcome.verdicts())
                demand_schema(outcome.json)
                for result in outcome.json["results"]:
                    if result["verdict"] == verdict:
                        self.assertIn(words, result["message"])
                        self.assertNotIn("depends on", result["message"])
        self.assert_nothing_is_left()

    def test_what_is_unusual_and_right(self):
        file = self.write("cases.json", CASES)
        for name in RIGHT:
            with self.subTest(name):
                outcome = self.run_cases(file, "--backend", misbehaving(name), env=self.environment)
                self.assert_exit(0, outcome)
                self.assertEqual({"pass"}, set(outcome.verdicts().values()))
                self.assert_nothing_is_left()

    def test_in_process_the_program_is_started_anew(self):
        for name in ("crash", "twice", "prints"):
            outcome = self.run_cases(self.write("cases.json", CASES), "--backend", misbehaving(name), "--in-process",
                                     env=self.environment)
            self.assert_exit(1, outcome)
            self.assertEqual(["pass", "crash", "pass", "crash", "pass"], list(outcome.verdicts().values()))
            self.assert_nothing_is_left()

    def test_other_commands(self):
        for name, cases in (("crash", 24), ("twice", 8), ("wrong-id", 8)):
            with self.subTest(name):
                outcome = opconform("fuzz", "--backend", misbehaving(name), "--operator", "DML_SPLIT", "--cases", cases,
                                    "--out", self.folder / name, "--json", "-", env=self.environment, timeout=60)
                self.assert_exit(1, outcome)
                self.assertEqual(cases, outcome.json["cases"])
                outcome = opconform("reduce", self.write("cases.json", document("DML_SPLIT", many("many", 6))), "--backend",
                                    misbehaving(name), env=self.environment, timeout=60)
                self.assert_exit(1, outcome)
                self.assertEqual(4, len(outcome.json["cases"][0]["desc"]["OutputTensors"]))
                self.assert_nothing_is_left()

    def test_nothing_outlives_a_program_that_is_killed(self):
        for name in ("hang-without-signals", "child-left"):
            process_ = self.begin("run", self.write("cases.json", CASES), "--backend", misbehaving(name), *FOREVER,
                                  "--repeat", "1000000")
            self.assertTrue(wait_for(lambda: len(self.marked()) > 3), self.marked())
            time.sleep(0.2)
            code, _, _ = self.end(process_, signal.SIGKILL)
            self.assertEqual(-signal.SIGKILL, code)


class AtItsEnd(MisbehaviourTest):
    """Closing its standard input asks a program to end. It has half a second for that."""

    def run_with(self, at_end, *more):
        """Which programs began, and which came to the end of what they do when their standard input has ended."""
        source = self.write("program.py", f"""import atexit, os, pathlib, time
folder = pathlib.Path({str(self.folder)!r})
(folder / f"{{os.getpid()}}.began").touch()
def at_end():
    {at_end}
    (folder / f"{{os.getpid()}}.ended").touch()
atexit.register(at_end)
exec(pathlib.Path({str(PROTOCOL / "v1.py")!r}).read_text())
""")
        began = time.monotonic()
        outcome = self.run_cases(self.write("cases.json", CASES), "--backend", process(source), *more, env=self.environment)
        self.assert_exit(0, outcome)
        self.assert_nothing_is_left()
        self.assertLess(time.monotonic() - began, 6 * program.PATIENCE)
        return {kind: {file.stem for file in self.folder.glob(f"*.{kind}")} for kind in ("began", "ended")}

    def test_it_can_clean_up(self):
        for more, starts in (([], 2), (["--jobs", "3"], 4), (["--in-process"], 2)):
            with self.subTest(more=more):
                for file in (*self.folder.glob("*.began"), *self.folder.glob("*.ended")):
                    file.unlink()
                found = self.run_with("time.sleep(0.05)", *more)
                self.assertEqual(starts, len(found["began"]))
                self.assertEqual(found["began"], found["ended"])

    def test_what_does_not_end_is_killed(self):
        found = self.run_with("time.sleep(86400)", "--jobs", "3")
        self.assertEqual(4, len(found["began"]))
        self.assertEqual(set(), found["ended"])


class Protocol(CliTest):
    EXCHANGE = PROTOCOL / "v1.exchange"

    def test_the_page_shows_the_exchange(self):
        page = (TESTS.parent / "docs" / "protocol.md").read_text()
        self.assertIn(f"```\n{self.EXCHANGE.read_text()}```\n", page)

    def test_the_host_says_what_is_written_down(self):
        outcome = self.run_cases(PROTOCOL / "exchange.json", "--jobs", "1", "--backend",
                                 process(PROTOCOL / "exchange.py", "program", self.EXCHANGE))
        self.assert_exit(0, outcome)
        self.assertEqual({"exchange/valid": "pass", "exchange/broken": "pass"}, outcome.verdicts())

    def test_programs_say_what_is_written_down(self):
        programs = [[sys.executable, PROTOCOL / "v1.py"], [sys.executable, PROTOCOL / "helper_split.py"]]
        if NODE:
            programs += [[NODE, ADAPTERS / "javascript" / "split.mjs"], [NODE, PROTOCOL / "page_split.mjs"]]
        for words in programs:
            with self.subTest(words):
                subprocess.run([sys.executable, PROTOCOL / "exchange.py", "host", self.EXCHANGE, *words], check=True,
                               preexec_fn=program.without_limits)


class Layouts(unittest.TestCase):
    """What the helpers say of where elements lie."""
    DESCS = {  # with their strides, least bytes, total bytes and offsets
        '{"DataType": "FLOAT16", "Sizes": [2, 3]}': [[3, 1], 12, 12, [0, 1, 2, 3, 4, 5]],
        '{"DataType": "UINT8", "Sizes": [2, 3], "Strides": null}': [[3, 1], 8, 8, [0, 1, 2, 3, 4, 5]],
        '{"DataType": "INT8", "Sizes": [2, 3], "Strides": [1, 5], "TotalTensorSizeInBytes": 100}':
            [[1, 5], 12, 100, [0, 5, 10, 1, 6, 11]],
        '{"DataType": "FLOAT64", "Sizes": [2, 1, 2], "Strides": [0, 7, 1]}': [[0, 7, 1], 16, 16, [0, 1, 0, 1]],
        '{"DataType": "INT32", "Sizes": [2, 0, 3]}': [[0, 3, 1], 0, 0, []],
        '{"type": "float", "shape": []}': [[], 4, 4, [0]],
        '{"type": "double", "shape": [2, 1, 2]}': [[2, 2, 1], 32, 32, [0, 1, 2, 3]],
    }

    def test_in_python(self):
        for desc, found in self.DESCS.items():
            tensor = Tensor(json.loads(desc), None)
            self.assertEqual(found, [tensor.effective_strides, tensor.least_bytes, tensor.total_bytes, tensor.offsets()],
                             desc)
        signalling = bytes.fromhex("010080ff" "000080ff")
        self.assertEqual([0xff800001, 0xff800000], list(Tensor({"DataType": "FLOAT32", "Sizes": [2]}, signalling).bits))
        self.assertEqual([0xff800000ff800001], list(Tensor({"DataType": "FLOAT64", "Sizes": [1]}, signalling).bits))
        # A buffer's size is a multiple of 4 bytes, not of an element's, and what is written arrives in it.
        buffer = bytearray(12)
        tensor = Tensor({"DataType": "INT64", "Sizes": [1]}, buffer)
        tensor.elements[0] = -1
        self.assertEqual(([-1], [2**64 - 1]), (list(tensor.elements), list(tensor.bits)))
        with contextlib.suppress(ImportError):
            tensor.numpy()[0] = 1
            self.assertEqual(bytes([1] + 11 * [0]), buffer)

    @unittest.skipUnless(NODE, "needs Node")
    def test_in_javascript(self):
        code = """import(process.argv[1]).then(({Tensor}) => {
            const found = JSON.parse(process.argv[2]).map((desc) => {
                const tensor = new Tensor(desc);
                return [tensor.effectiveStrides, tensor.leastBytes, tensor.totalBytes, tensor.offsets()];
            });
            const signalling = new Uint8Array([1, 0, 128, 255, 0, 0, 128, 255]);
            const bits = new Tensor({DataType: "FLOAT32", Sizes: [2]}, signalling).bits;
            const more = new Tensor({DataType: "INT64", Sizes: [1]}, new Uint8Array(12));
            console.log(JSON.stringify([found, [...bits, more.elements.length, more.bits.length]]));
        })"""
        said = subprocess.check_output([NODE, "-e", code, ADAPTERS / "javascript" / "opconform_process.mjs",
                                        "[" + ", ".join(self.DESCS) + "]"], preexec_fn=program.without_limits)
        self.assertEqual([list(self.DESCS.values()), [0xff800001, 0xff800000, 1, 1]], json.loads(said))


class Programs(CliTest):
    """Whole programs: they pass all cases of the operators that they offer."""

    def assert_conforms(self, backend, least, **more):
        outcome = self.run_cases("--backend", backend, program.corpus, timeout=60, **more)
        self.assert_exit(0, outcome)
        verdicts = list(outcome.verdicts().values())
        self.assertEqual({"pass", "unsupported"}, set(verdicts))
        self.assertGreater(verdicts.count("pass"), least)

    def test_of_version_1(self):
        self.assert_conforms(process(PROTOCOL / "v1.py"), 1900)

    def test_in_python(self):
        self.assert_conforms(process(ADAPTERS / "python" / "gather.py"), 2200)

    @unittest.skipUnless(NODE, "needs Node")
    def test_in_javascript(self):
        for file in (ADAPTERS / "javascript" / "split.mjs", PROTOCOL / "page_split.mjs"):
            self.assert_conforms("process:" + shlex.join([NODE, str(file)]), 1900, preexec_fn=program.without_limits)

    def test_results_do_not_depend_on_jobs(self):
        file = self.write("cases.json", document("DML_SPLIT", *(split(f"case/{i}") for i in range(40)), many("many", 6)))
        for name in ("slow", "short-output"):
            outcomes = [self.run_cases(file, "--backend", misbehaving(name), "--jobs", jobs) for jobs in (1, 2, 7)]
            self.assertEqual(1, len({str(outcome.verdicts()) for outcome in outcomes}))
            self.assertEqual(1, len({str([one["message"] for one in outcome.json["results"]]) for outcome in outcomes}),
                             outcomes[0])
