"""Runs the program under test, within the limits that bad input must not break."""
import atexit
import contextlib
import json
import math
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

MEMORY_BYTES = 1 << 30
TIMEOUT_SECONDS = 5  # of the processor: by the clock, a busy machine needs any time
NEVER_SECONDS = 120  # What takes longer by the clock does not end.
# Longer by this factor where programs are instrumented.
PATIENCE = float(os.environ.get("OPCONFORM_TEST_PATIENCE", "1"))
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # all but the line feed

executable = None
corpus = None  # all committed cases
spec_cases = None  # those that people wrote: some tests start a process for each
_limits_memory = False


def set_up(opconform, cases):
    global executable, corpus, spec_cases, _limits_memory
    executable = str(Path(opconform).resolve())
    corpus = str(Path(cases).resolve())
    folder = tempfile.TemporaryDirectory(prefix="opconform-cli-cases-")
    atexit.register(folder.cleanup)
    spec_cases = os.path.join(folder.name, "spec_cases")
    shutil.copytree(corpus, spec_cases, ignore=shutil.ignore_patterns(
        "generated", "corpus.manifest", "*.label"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The limit is inherited: one for this process is one for each that it starts.
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, before[1]))
    _limits_memory = opconform_starts()
    if not _limits_memory:  # Sanitizers reserve terabytes of addresses: under them only the time is limited.
        resource.setrlimit(resource.RLIMIT_AS, before)


def operators():
    """What the program says of each operator: name, fields, versions, support."""
    return opconform("spec", "--json").json["operators"]


def cost_of_this_machine():
    """As a factor, 1 to 4. In some virtual machines system calls take ten times as long, and page faults, too; where
    others use the other half of a core, everything takes longer."""
    rounds = 20_000

    def seconds(step):
        start = time.process_time()
        for _ in range(rounds):
            step()
        return (time.process_time() - start) / rounds

    return min(max(seconds(os.getppid) / 4e-7, seconds(lambda: sum(range(40))) / 4e-7, 1), 4)


COST = cost_of_this_machine()


def without_limits():
    """For the child of a test: V8 reserves more addresses than any test may use."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)


def opconform_starts():
    return subprocess.run([executable, "--version"], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def is_sanitized():
    return not _limits_memory


def start(*arguments, env=None, program=None, **more):
    """The running program, for whoever sends it signals or closes its output."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("COLUMNS", "NO_COLOR", "OPCONFORM_SPEC_CASES", "OPCONFORM_FORCE_ISA",
                                  "OPCONFORM_MACHINE")}
    environment.update(env or {})
    return subprocess.Popen([program or executable, *map(str, arguments)], env=environment, **more)


def limit_processor(process, seconds):
    with contextlib.suppress(ProcessLookupError, PermissionError):  # over already, or another user's
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))


def catches(process, number):
    """Whether a signal will reach the program's own handler."""
    with contextlib.suppress(OSError):
        caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text(), re.MULTILINE)
        return bool(int(caught[1], 16) >> number - 1 & 1)
    return True  # it has ended


def descendants(pid):
    """The numbers of its processes: keepers, their workers, and what these have started."""
    with contextlib.suppress(OSError):
        children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return children + [one for child in children for one in descendants(child)]
    return []


def processor_ticks(pid):
    """What a process has used of the processor, in hundredths of a second."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(words[11]) + int(words[12])
    return 0


def wait_for(condition, seconds=NEVER_SECONDS, pause=0.02):
    """Whether it came true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(pause)
    return True


class Outcome:
    def __init__(self, code, out, err):
        self.code = code
        self.bytes_out = out
        self.bytes_err = err
        self.out = out.decode("utf-8", "surrogateescape")
        self.err = err.decode("utf-8", "surrogateescape")
        self.messages = self.err.splitlines()

    def __str__(self):
        return f"exit code {self.code}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lasting(self):
        """The JSON as text, without what is of this one run: command, times, machine."""
        kept = {key: value for key, value in self.json.items() if key != "run"}
        for result in kept.get("results", []):
            result.pop("seconds", None)
        return json.dumps(kept)

    def verdicts(self, backend=None):
        """Of `run --json -`: {case: verdict}; the verdicts of two backends must agree."""
        verdicts = {}
        for result in self.json["results"]:
            if backend in (None, result["backend"]):
                verdicts.setdefault(result["case"], set()).add(result["verdict"])
        return {case: "/".join(sorted(found)) for case, found in verdicts.items()}


def opconform(*arguments, timeout=TIMEOUT_SECONDS, stdin=subprocess.DEVNULL, input=None, **more):
    """What ran to its end, within `timeout` seconds of the processor."""
    timeout *= PATIENCE * COST
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    with start(*arguments, stdin=subprocess.PIPE if input is not None else stdin, **more) as process:
        limit_processor(process, timeout)
        try:
            out, err = process.communicate(input, timeout=max(NEVER_SECONDS, 5 * timeout))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            words = " ".join(map(str, arguments))
            raise AssertionError(f"does not end: opconform {words}") from None
    if process.returncode == -signal.SIGXCPU:
        raise AssertionError(f"not done after {timeout} s of the processor: opconform {' '.join(map(str, arguments))}")
    return Outcome(process.returncode, out or b"", err or b"")


class CliTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="opconform-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        """A file in the test's folder: bytes, text, or a document (see documents.py)."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, (dict, list)):
            content = cases_text(content)
        if isinstance(content, str):
            content = content.encode("utf-8")
        path.write_bytes(content)
        return path

    def run_cases(self, *arguments, **more):
        """`run --json -`, whose standard output is the results and nothing else."""
        outcome = opconform("run", *arguments, "--json", "-", **more)
        self.assertIn(outcome.code, (0, 1, 2, 3), outcome)
        return outcome

    def on_terminal(self, *arguments, env=None):
        """What a terminal shows: both streams."""
        try:
            parent, child = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine gives no terminal: {error}")
        try:
            process = start(*arguments, stdin=child, stdout=child, stderr=child,
                            env={"TERM": "xterm-256color", **(env or {})})
        finally:
            os.close(child)
        shown = b""
        with process:
            end = time.monotonic() + NEVER_SECONDS
            while time.monotonic() < end:
                if not select.select([parent], [], [], 0.1)[0]:
                    if process.poll() is not None:
                        break
                    continue
                try:
                    chunk = os.read(parent, 65536)
                except OSError:
                    break
                shown += chunk
            process.wait(timeout=NEVER_SECONDS)
        os.close(parent)
        return shown.decode("utf-8", "replace")

    def assert_within(self, seconds, attempt):
        """`attempt` returns how long it waited; on a busy machine, that may be too long, but not three times."""
        waited = []
        while len(waited) < 3:
            waited.append(attempt())
            if waited[-1] < seconds:
                return
        self.fail(f"at most {seconds} s, but {waited}")

    def assert_exit(self, code, outcome):
        self.assertEqual(code, outcome.code, outcome)

    def assert_bad_usage(self, *arguments):
        outcome = opconform(*arguments)
        self.assert_exit(2, outcome)
        self.assertEqual("", outcome.out)
        self.assertNotEqual("", outcome.err)
        self.assertIsNone(CONTROL.search(outcome.err), repr(outcome.err))
        return outcome


def literal(text):
    """A number as it shall stand in the file, to the digit."""
    return f"\u00ab{text}\u00bb"


def cases_text(document):
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return re.sub("\"\u00ab(.*?)\u00bb\"", lambda found: json.loads(f'"{found[1]}"'), text)

