"""The fast suite in stages, and one mutant's way through it."""
import concurrent.futures
import dataclasses
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

LEAST_LIMIT_S = 4.0
LIMIT_FACTOR = 6.0
MEMORY_BYTES = 6 << 30
FILE_BYTES = 64 << 20
REACHED_BYTES = 1 << 20  # as in runtime.cpp
# "mismatch slice1/windows/whole [optimized]"
FAILED_CASE = re.compile(r"^(?!pass|xfail|unsupported)[a-z-]+ (\S+) \[\S+\]$", re.MULTILINE)
ALL = ("reference", "validation", "comparison", "optimized")


@dataclass(frozen=True)
class Stage:
    name: str
    command: tuple  # {work} is a folder that is thrown away, {cases} the committed cases, {smoke} a few of them
    modules: tuple = ALL
    environment: tuple = ()
    kind: str = "exit"  # cases: names failing cases; gtest: names failing tests


SCALAR = (("OPCONFORM_FORCE_ISA", "scalar"),)
# As spec_cases/fetched and spec_cases/streamed: cmake/ConformanceTests.cmake.
MACHINE_H = Path(__file__).resolve().parents[2] / "optimized" / "machine.h"
STREAMED = re.findall(r"^ *std::ptrdiff_t (streamed_\w+);", MACHINE_H.read_text(encoding="utf-8"), re.MULTILINE)
assert STREAMED, "optimized/machine.h: no field begins with streamed_"
ORDERS = {
    order: ",".join(["intel", "least_part_bytes=1", "fetched_output_bytes=0", *(f"{field}={least}" for field in STREAMED)])
    for order, least in (("fetched", "never"), ("streamed", 0))
}  # fmt: skip
# Tests of these take more than half of their program's time: they come last.
LARGE_TESTS = ":".join(["Differential.LargeCopies", "*IsStreamed*", "Threads.*", "*GathersOfEachRow*"])
OPERATOR_TESTS = ":".join(["Differential.Sl*", "Differential.Sp*", "Differential.Sc*", "Differential.G*"])
COPY_TESTS = "*CopiesMatchANaiveLoop*"
SCATTER_TESTS = "*ScattersMatchANaiveLoop*"


# Of these tests only the cheap ones: what the others see, generated cases see as well.
LONG_DIFFERENTIAL_TESTS = ":".join([
    "*EveryRelationHolds*", "RelationsDeathTest.*", "Relations.EachSees*", "Relations.BrokenOnes*", "SupportGrid*",
    "Relations.LeaveOpen*", "Differential.OptimizedAgrees*",
])  # fmt: skip


def unit(name, modules=ALL, filter_=None, suffix=""):
    arguments = ["--gtest_brief=1", "--gtest_fail_fast"] + ([f"--gtest_filter={filter_}"] if filter_ else [])
    return Stage(name + suffix, (f"tests/{name}", *arguments), modules, (), "gtest")


# In this order, cheap ones first; a mutant goes through those of its module that reach it.
RUN = ("cli/opconform", "run", "{cases}", "--jobs", "1")
FUZZ = ("cli/opconform", "fuzz", "--quiet", "--out", "{work}/fuzz")
STAGES = [
    # Few cases, soon read: they spare most mutants the many.
    Stage("smoke", tuple(word.replace("{cases}", "{smoke}") for word in RUN), kind="cases"),
    unit("spec_tests"),
    unit("reference_tests"),
    unit("optimized_tests", ("optimized", "validation"), ":".join([f"-{LARGE_TESTS}", OPERATOR_TESTS, COPY_TESTS, SCATTER_TESTS])),
    Stage("fuzz", (*FUZZ, "--cases", "40000")),
    Stage("fuzz, scalar", (*FUZZ, "--cases", "40000"), ("optimized",), SCALAR),
    *(Stage(f"fuzz, {order}", (*FUZZ, "--cases", "40000", "--backend", "optimized,threads=3"), ("optimized",),
            (("OPCONFORM_MACHINE", machine),)) for order, machine in ORDERS.items()),
    unit("ledger_coverage_tests", ("reference", "validation", "comparison"), "-Corpus.*:CaseWriter.*"),
    unit("harness_tests", ("reference", "validation", "comparison")),
    unit("thread_tests", ("comparison",)),
    Stage("cases", RUN, kind="cases"),
    Stage("cases, scalar", (*RUN, "--backend", "optimized"), ("optimized",), SCALAR, "cases"),
    *(Stage(f"cases, {order}", (*RUN, "--backend", "optimized", "--backend", "optimized,threads=3"), ("optimized",),
            (("OPCONFORM_MACHINE", machine),), "cases") for order, machine in ORDERS.items()),
    Stage("grid", ("cli/opconform", "grid"), ("validation", "reference")),
    unit("coverage_tests", ("validation",)),
    # Planted faults that must be found, and permitted differences that must not be.
    Stage("selftest", ("cli/opconform", "selftest", "{cases}", "--label", "smoke", "--no-fuzz"),
          ("reference", "validation", "comparison")),
    unit("differential_tests", ("reference", "comparison"), f"-{LONG_DIFFERENTIAL_TESTS}"),
    unit("promise_tests", ("comparison",)),
    unit("undecided_tests", ("validation", "comparison")),
    unit("optimized_tests", ("optimized",), LARGE_TESTS, ", large"),
    unit("optimized_tests", ("optimized",), OPERATOR_TESTS, ", operators"),
    unit("optimized_tests", ("optimized",), COPY_TESTS, ", copies"),
    unit("optimized_tests", ("optimized",), SCATTER_TESTS, ", scatters"),
    # What a foreign implementation meets as well, and takes long.
    Stage("cases, huge", (*RUN, "--label", "huge", "--backend", "optimized"), ("optimized",), kind="cases"),
    Stage("campaign", (*FUZZ, "--cases", "1000000"), ("optimized",)),
    Stage("cases, large", (*RUN, "--label", "large", "--backend", "optimized"), ("optimized",), kind="cases"),
]  # fmt: skip


# What of the stages names the committed cases that fail, all of them.
ALL_CASES = [stage.name for stage in STAGES if stage.command[:len(RUN)] == RUN]
CASES_ALONE = [stage.name for stage in STAGES if stage.command[:2] in (RUN[:2], FUZZ[:2])]


def programs_of(names):
    """The build's targets that these stages run."""
    programs = {Path(stage.command[0]).name for stage in STAGES if stage.name in names}
    return sorted("opconform_cli" if name == "opconform" else name for name in programs)


@dataclass
class Outcome:
    stage: str = ""
    how: str = ""  # exit code, signal, time limit
    killed_by: list = field(default_factory=list)  # ids of cases, names of tests

    @property
    def killed(self):
        return bool(self.how)


class Suite:
    """The stages over the built programs of one tree."""

    def __init__(self, binaries, tree, work, modules, wanted=(), skipped=()):
        self.binaries, self.tree, self.work = binaries, tree, work
        self.stages = [stage for stage in STAGES
                       if modules & set(stage.modules) and stage.name not in skipped
                       and (not wanted or stage.name in wanted)]  # fmt: skip
        self.smoke = work / "smoke"
        write_smoke(tree / "spec_cases", self.smoke)
        self.reached = {}
        self.seconds = {}

    def run(self, stage, number=None, reached=None, limit=None):
        """(how it went wrong, who saw it, seconds)"""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            return self._run(stage, folder, number, reached, limit)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, stage, folder, number, reached, limit):
        command = [part.format(work=folder, cases=self.tree / "spec_cases", smoke=self.smoke) for part in stage.command]
        command[0] = str(self.binaries / command[0])
        environment = {key: value for key, value in os.environ.items() if not key.startswith("OPCONFORM_")}
        environment.update(stage.environment)
        environment["OPCONFORM_SPEC_CASES"] = str(self.tree / "spec_cases")
        if number is not None:
            environment["OPCONFORM_MUTANT"] = str(number)
        if reached is not None:
            environment["OPCONFORM_REACHED"] = str(reached)
        start = time.monotonic()
        with open(folder / "output", "w+b") as output:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=set_limits,
            )  # fmt: skip
            try:
                code = process.wait(limit)
                how = f"exit code {code}" if code > 0 else f"signal {-code}" if code < 0 else ""
            except subprocess.TimeoutExpired:
                how = "time limit"
            end_group(process)
            seconds = time.monotonic() - start
            output.seek(0)
            text = output.read().decode("utf-8", "replace") if how and how != "time limit" else ""
        who = witnesses(stage, text) if how else []
        return how, who, seconds

    def measure(self, jobs, log):
        """Every stage without a mutant: it must pass, and shows what it reaches and how long it takes, beside others as it
        will run later."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for stage, (how, who, seconds, marks) in zip(self.stages, pool.map(self.measure_stage, self.stages)):
                if how:
                    raise RuntimeError(f"stage {stage.name} fails without a mutant: {how} {who[:5]}")
                self.reached[stage.name] = {number for number in range(len(marks)) if marks[number]}
                self.seconds[stage.name] = seconds
                log(f"{stage.name}: {seconds:.2f} s, reaches {len(self.reached[stage.name])} mutants")

    def measure_stage(self, stage):
        with tempfile.NamedTemporaryFile(dir=self.work) as file:
            file.write(bytes(REACHED_BYTES))
            file.flush()
            how, who, seconds = self.run(stage, reached=file.name, limit=600)
            return how, who, seconds, Path(file.name).read_bytes()

    def judge(self, mutant, module):
        """An Outcome, and the names of the stages that reached the mutant."""
        reaching = []
        for stage in self.stages:
            if module not in stage.modules or mutant.number not in self.reached[stage.name]:
                continue
            reaching.append(stage.name)
            limit = max(LEAST_LIMIT_S, LIMIT_FACTOR * self.seconds[stage.name])
            how, who, _ = self.run(stage, mutant.number, limit=limit)
            if how:
                return Outcome(stage.name, how, who), reaching
        return Outcome(), reaching

    def cases_that_kill(self, mutant, module):
        """(their ids, how the last stage went wrong): no ids if no case reaches it, or if what ends the whole run, which is
        seen case by case, does so without a case's doing."""
        killed_by, last = set(), ""
        for stage in self.stages:
            if module not in stage.modules or mutant.number not in self.reached[stage.name]:
                continue
            limit = max(LEAST_LIMIT_S, LIMIT_FACTOR * self.seconds[stage.name])
            how, who, _ = self.run(stage, mutant.number, limit=limit)
            last = how or last
            if how and not who and how != "time limit":
                only = ("--backend", "optimized") if module == "optimized" else ()
                isolated = dataclasses.replace(stage, command=(*RUN, *only, "--isolate"))
                _, who, _ = self.run(isolated, mutant.number, limit=20 * limit)
            killed_by.update(who)
        return sorted(killed_by), last


def write_smoke(cases, folder):
    """The cases of smoke.label in files of their own, without large ones: to read and run the rest takes longer."""
    wanted = {}
    for line in (cases / "smoke.label").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#") and "large" not in line:
            file, case = line.split(" ", 1)
            wanted.setdefault(file, set()).add(case)
    for file, ids in wanted.items():
        document = json.loads((cases / file).read_text(encoding="utf-8"))
        document["cases"] = [case for case in document["cases"] if case["id"] in ids]
        if "generated" in document:  # it counts the cases, and names their factors
            document["generated"]["cases"] = len(document["cases"])
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(json.dumps(document), encoding="utf-8")


def set_limits():
    # Of memory that can be written: tests of guards map more than that, without ever having it.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_group(process):
    """Ends what is left of a process and its children: the session that it was started in."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def witnesses(stage, text):
    """Who saw the mutant: failing cases, or tests."""
    if stage.kind == "cases":
        return sorted({match[1] for match in FAILED_CASE.finditer(text)})
    if stage.kind == "gtest":
        failed = {line.split("]", 1)[1].split("(")[0].split(",")[0].strip() for line in text.splitlines()
                  if line.startswith("[  FAILED  ]")}  # fmt: skip
        return sorted(name for name in failed if "." in name)
    return []
