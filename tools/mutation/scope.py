"""What is mutated, and what by rule is not."""
import fnmatch
import json
from pathlib import Path

HERE = Path(__file__).parent

# The modules, in the order of the report: the files of each.
MODULES = {
    "reference": ["reference/*.cpp", "reference/*.h"],
    "validation": ["spec/*.cpp", "spec/*.h", "spec/operators/*.cpp", "spec/operators/*.h"],
    "comparison": [
        "harness/judging/judge.cpp",
        "harness/judging/case_buffers.cpp",
        "harness/judging/check.cpp",
        "harness/judging/oracle.cpp",
        "harness/cases/element.cpp",
        "harness/cases/element.h",
        "harness/cases/float_format.cpp",
        "harness/cases/float_format.h",
        "harness/base/layout.h",
        "harness/generation/case_memory.cpp",
        "harness/judging/guarded_buffer.cpp",
        "harness/judging/guarded_buffer.h",
        "harness/judging/found_element.cpp",
        "harness/running/differential.cpp",
        "harness/running/differential.h",
        "harness/judging/verdict.cpp",
    ],
    "optimized": ["optimized/*.cpp", "optimized/*.h", "optimized/kernels/*.cpp", "optimized/kernels/*.h"],
}

# Of these files only what decides verdicts; the rest makes cases.
FUNCTIONS = {
    "harness/running/differential.cpp": {
        "Differential::agrees_on_valid", "Differential::rejects", "Differential::judge_rejection_or_crash",
        "Differential::judge_valid", "Differential::judge_broken",
    },
    "harness/running/differential.h": set(),
    "harness/generation/case_memory.cpp": {"CaseMemory::difference_outside"},
}  # fmt: skip


def is_in_scope(path, function):
    return path not in FUNCTIONS or function in FUNCTIONS[path]


# Reasons for leaving out a place that an operator could mutate. They are counted.
MESSAGE = "text of messages"
PREFETCH = "prefetch"
TUNING = "tuning"
SPEED = "speed only"
COMPILE_TIME = "decided at compile time"
UNDEFINED = "undefined behaviour"

# Their texts are for people; no verdict, exit code or case depends on them. Not so in these files, where text is
# what is compared or written to case files.
TEXT_IS_CONTENT = {"harness/cases/element.cpp"}
MESSAGE_FUNCTIONS = {
    "harness/cases/element.cpp": {"element_text"},
    "harness/judging/found_element.cpp": {"found_text"},
}
MESSAGE_CALLS = {"harness/cases/element.cpp": {"reject"}}

# Tables that schemata could not reach: in the mutated tree, constants of class type lose their constexpr in these
# files, so do functions of the sources among them, and the tables are initialised when the program starts.
RUNTIME_TABLES = ["spec/operators/*.cpp", "spec/data_type.h", "spec/data_type.cpp", "spec/support.h"]


def module_of(path):
    for module, patterns in MODULES.items():
        if any(fnmatch.fnmatchcase(path, pattern) and path.count("/") == pattern.count("/") for pattern in patterns):
            return module
    return None


def has_runtime_tables(path):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in RUNTIME_TABLES)


def load_speed_only():
    """{(file, function): argument}"""
    path = HERE / "speed_only.json"
    entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return {(entry["file"], entry["function"]): entry["argument"] for entry in entries}
