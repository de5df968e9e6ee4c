#!/usr/bin/env python3
"""Fails on an include against the direction of the project's folders, and where docs/architecture.md says something else
of the rooms of the harness.

usage: include_direction.py ROOT
       include_direction.py --self-test
"""
import re
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

# All that code from outside may know of the project.
PLUGIN_HEADERS = "include/opconform/plugin*.h"

# The folders of the project: what of the project each may include besides itself, and which libraries.
# An entry is a folder, or a pattern of files. A folder that nobody lists is included by nobody else. A folder inside
# another has a row of its own where it may include more than that.
ALLOWED = {
    "spec": ([], []),
    "include": (["spec"], ["dlpack/"]),
    "reference": (["spec"], []),
    "optimized": (["spec", "include/opconform/optimized.h"], ["tbb/"]),
    # A room of the harness names the rooms that it may include. Only what judges and runs knows the reference, and
    # relations do not: they put it under test.
    "harness/base": (["spec"], ["nlohmann/"]),
    "harness/cases": (["harness/base", "spec"], ["nlohmann/"]),
    "harness/model": (["harness/base", "spec"], []),
    "harness/backends": (["harness/cases", "harness/base", "spec", "reference", "include"], []),
    "harness/judging": (
        ["harness/cases", "harness/model", "harness/backends", "harness/base", "spec", "reference"],
        [],
    ),
    "harness/generation": (["harness/cases", "harness/base", "spec"], []),
    "harness/coverage": (["harness/generation", "harness/judging", "harness/cases", "harness/base", "spec"], ["nlohmann/"]),
    "harness/diagnosis": (
        [
            "harness/coverage", "harness/generation", "harness/model", "harness/judging", "harness/cases", "harness/backends",
            "harness/base", "spec",
        ],
        [],
    ),
    "harness/relations": (
        ["harness/generation", "harness/judging", "harness/cases", "harness/backends", "harness/base", "spec"],
        [],
    ),
    "harness/running": (
        [
            "harness/diagnosis", "harness/generation", "harness/judging", "harness/cases", "harness/backends", "harness/base",
            "spec", "reference",
        ],
        ["nlohmann/"],
    ),
    "harness/campaigns": (
        [
            "harness/coverage", "harness/diagnosis", "harness/running", "harness/relations", "harness/generation", "harness/judging",
            "harness/cases", "harness/backends", "harness/base", "spec",
        ],
        ["nlohmann/"],
    ),
    "harness/strength": (
        [
            "harness/campaigns", "harness/running", "harness/relations", "harness/diagnosis", "harness/coverage",
            "harness/generation", "harness/judging", "harness/backends", "harness/model", "harness/cases", "harness/base", "spec",
        ],
        ["nlohmann/"],
    ),
    # onnx.pb.h is made from its own onnx.proto.
    "harness/interchange": (
        ["harness/judging", "harness/cases", "harness/backends", "harness/base", "spec"], ["nlohmann/", "onnx.pb.h"],
    ),
    "reports": (["harness", "include/opconform/optimized.h", "spec"], ["nlohmann/"]),
    "cli": (
        ["planted/registry.h", "reports", "harness", "reference", "spec", "include"],
        ["nlohmann/", "CLI/", "openssl/"],
    ),
    "tools": ([], []),
    "adapters": ([PLUGIN_HEADERS], []),
    "adapters/libtorch": (["adapters/cpp", PLUGIN_HEADERS], ["ATen/", "c10/", "torch/"]),
    "adapters/onednn": (["adapters/cpp", PLUGIN_HEADERS], ["oneapi/dnnl/"]),
    "planted": (["harness/model", "harness/backends", "harness/base", "spec"], []),
    "tests": (
        ["adapters", "cli/options.h", "planted/registry.h", "bench", "reports", "harness", "optimized", "reference", "spec", "include"],
        ["nlohmann/", "gtest/", "gmock/"],
    ),
    "fuzz": (["reports", "harness", "optimized", "reference", "spec", "include"], ["nlohmann/"]),
    "bench": (
        ["reports", "harness", "optimized", "reference", "spec", "include"],
        ["nlohmann/", "benchmark/", "CLI/"],
    ),
    "bench/peers": (["bench", "spec"], ["ATen/", "torch/", "oneapi/dnnl/", "omp.h", "Python.h", "numpy/"]),
}

# Everybody may include the standard library (names without a dot), intrinsics and POSIX.
SYSTEM_HEADERS = re.compile(
    r"""[a-z_]+                                                             # <vector>
      | (assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal
        |stdarg|stddef|stdint|stdio|stdlib|string|time|wchar)\.h            # the C library
      | malloc\.h                                                          # glibc
      | (cpuid|immintrin|x86intrin|arm_neon)\.h                             # intrinsics
      | (sanitizer|valgrind)/[a-z_]+\.h                                     # what the checkers offer
      | (dirent|dlfcn|fcntl|fnmatch|glob|poll|pthread|sched|spawn|strings|termios|ucontext|unistd)\.h
      | sys/(file|ioctl|mman|prctl|resource|select|socket|stat|syscall|time|types|uio|un|utsname|wait)\.h
    """,
    re.VERBOSE,
)

SOURCE_SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp", ".inc", ".def"}
NOT_SOURCES = {"build", "out"}
# tests/consumer is a project of its own, which sees the installed headers alone.
INSTALLED_ONLY = "tests/consumer"

PAGE = "docs/architecture.md"

INCLUDE = re.compile(r"^\s*#\s*include\s*(.*)$")
NAMED = re.compile(r"""<([^>]+)>|"([^"]+)\"""")


def source_files(root):
    for top in sorted(root.iterdir()):
        if top.name.startswith((".", "build-")) or top.name in NOT_SOURCES:
            continue  # folders come and go there
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in SOURCE_SUFFIXES and path.is_file():
                yield path


def find_in_project(root, includer, name, quoted):
    """The project's file that an include names, relative to the root; None if it names none."""
    places = ([includer.parent] if quoted else []) + [root, root / "include"]
    for place in places:
        path = (place / name).resolve()
        if path.is_file() and path.is_relative_to(root):
            return path.relative_to(root)
    return None


def permits(folder, target):
    """May `folder`, which has a row in ALLOWED, include the file or folder `target` of the project?"""
    if target.is_relative_to(folder):
        return True
    names = (target.parts[0], "/".join(target.parts[:2]), target.as_posix())
    return any(fnmatchcase(name, entry) for entry in ALLOWED[folder][0] for name in names)


def objection(root, includer, rest):
    """Why the include directive of a file is wrong; None if it is fine."""
    own = includer.relative_to(root)
    inner = "/".join(own.parts[:2])
    folder = inner if inner in ALLOWED else own.parts[0]
    libraries = ALLOWED[folder][1]
    match = NAMED.match(rest)
    if not match:
        return f"a computed include ({rest}): its direction cannot be seen"
    name = match[1] or match[2]
    target = find_in_project(root, includer, name, quoted=bool(match[2]))
    if target is not None:
        return None if permits(folder, target) else f"{folder} must not include {target.as_posix()}"
    if own.as_posix().startswith(INSTALLED_ONLY) and name.startswith("opconform/"):
        return None
    if SYSTEM_HEADERS.fullmatch(name) or name.startswith(tuple(libraries)):
        return None
    return f"{folder} must not include {name}: neither a file of the project nor a header it may use"


def check(root):
    """All objections, as "file:line: why"."""
    root = root.resolve()
    found = []
    for path in source_files(root):
        own = path.relative_to(root)
        if own.parts[0] not in ALLOWED and "/".join(own.parts[:2]) not in ALLOWED:
            found.append(f"{own}:1: the folder {own.parent} has no row in ALLOWED of {Path(__file__).name}")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = INCLUDE.match(line)
            why = match and objection(root, path, match[1])
            if why:
                found.append(f"{own}:{number}: {why}")
    return found


ROOM_ROW = re.compile(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", re.MULTILINE)


def check_page(text):
    """All objections to the table of rooms on the page of the architecture."""
    rooms = {folder.removeprefix("harness/") for folder in ALLOWED if folder.startswith("harness/")}
    said = {}
    for room, cell in ROOM_ROW.findall(text):
        named = set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", cell)))
        if cell.startswith("all rooms but"):
            named = rooms - named - {room} | {"spec"}
        said[room] = named | ({"include"} if "the public headers" in cell else set())
    allowed = {room: {folder.removeprefix("harness/") for folder in ALLOWED[f"harness/{room}"][0]} for room in rooms}
    return [f"{PAGE}:1: says that {room} may include {sorted(said.get(room, []))}, not {sorted(allowed[room])}"
            for room in sorted(rooms) if said.get(room) != allowed[room]]


# For the self-test: file, its one include, and whether the check must object to it.
PLANTED = [
    ("spec/a.h", "<vector>", False),
    ("spec/b.h", '"spec/a.h"', False),
    ("spec/c.h", '"reference/a.h"', True),
    ("spec/d.h", '"../harness/base/a.h"', True),
    ("spec/e.h", "<nlohmann/json.hpp>", True),
    ("spec/f.h", '"nowhere.h"', True),
    ("spec/g.h", "SOME_MACRO", True),
    ("reference/a.h", '"spec/a.h"', False),
    ("reference/b.cpp", '"optimized/a.h"', True),
    ("reference/c.cpp", '"harness/base/a.h"', True),
    ("optimized/a.h", '"a_neighbour.h"', False),
    ("optimized/a_neighbour.h", "<immintrin.h>", False),
    ("optimized/b.cpp", '"opconform/optimized.h"', False),
    ("optimized/c.cpp", "<opconform/plugin.h>", True),
    ("optimized/d.cpp", '"reference/a.h"', True),
    ("optimized/e.cpp", '"harness/base/a.h"', True),
    ("include/opconform/optimized.h", '"spec/a.h"', False),
    ("include/opconform/plugin.h", '"optimized/a.h"', True),
    ("harness/base/a.h", "<nlohmann/json.hpp>", False),
    ("harness/base/b.cpp", "<sys/mman.h>", False),
    ("harness/base/c.cpp", '"harness/cases/a.h"', True),
    ("harness/cases/a.h", '"harness/base/a.h"', False),
    ("harness/cases/b.cpp", '"harness/backends/a.h"', True),
    ("harness/cases/c.cpp", '"harness/judging/a.h"', True),
    ("harness/backends/a.h", "<opconform/optimized.h>", False),
    ("harness/backends/b.cpp", '"optimized/a.h"', True),
    ("harness/backends/c.cpp", '"harness/cases/a.h"', False),
    ("harness/backends/d.cpp", '"harness/judging/a.h"', True),
    ("harness/judging/a.h", '"reference/a.h"', False),
    ("harness/judging/b.cpp", '"harness/generation/a.h"', True),
    ("harness/judging/c.cpp", '"harness/running/a.h"', True),
    ("harness/generation/a.h", '"harness/cases/a.h"', False),
    ("harness/generation/operators/a.cpp", '"harness/generation/a.h"', False),
    ("harness/generation/b.cpp", '"harness/judging/a.h"', True),
    ("harness/generation/c.cpp", '"harness/backends/a.h"', True),
    ("harness/generation/d.cpp", '"harness/running/a.h"', True),
    ("harness/generation/e.cpp", '"reference/a.h"', True),
    ("harness/relations/a.h", '"harness/judging/a.h"', False),
    ("harness/relations/b.cpp", '"reference/a.h"', True),
    ("harness/relations/c.cpp", '"harness/running/a.h"', True),
    ("harness/running/a.h", '"harness/generation/a.h"', False),
    ("harness/running/b.cpp", '"harness/relations/a.h"', True),
    ("harness/coverage/a.h", '"harness/judging/a.h"', False),
    ("harness/coverage/d.cpp", '"harness/diagnosis/a.h"', True),
    ("harness/diagnosis/a.h", '"harness/coverage/a.h"', False),
    ("harness/diagnosis/b.cpp", '"harness/running/a.h"', True),
    ("harness/coverage/b.cpp", '"harness/running/a.h"', True),
    ("harness/coverage/c.cpp", '"harness/campaigns/a.h"', True),
    ("harness/campaigns/a.h", '"harness/relations/a.h"', False),
    ("harness/campaigns/b.cpp", '"harness/strength/a.h"', True),
    ("harness/campaigns/c.cpp", '"reports/a.h"', True),
    ("harness/strength/a.h", '"harness/campaigns/a.h"', False),
    ("harness/strength/b.cpp", '"planted/registry.h"', True),
    ("harness/strength/c.cpp", '"harness/interchange/a.h"', True),
    ("harness/interchange/a.h", '"harness/judging/a.h"', False),
    ("harness/interchange/b.cpp", '"harness/running/a.h"', True),
    ("harness/judging/d.cpp", '"harness/interchange/a.h"', True),
    ("harness/a.h", "<vector>", True),
    ("reports/a.h", '"harness/running/a.h"', False),
    ("reports/b.cpp", '"cli/a.h"', True),
    ("cli/a.h", "<CLI/CLI.hpp>", False),
    ("cli/b.cpp", '"planted/registry.h"', False),
    ("planted/registry.h", "<vector>", False),
    ("planted/a.cpp", '"cli/a.h"', True),
    ("planted/b.cpp", '"harness/judging/a.h"', True),
    ("adapters/a.h", "<opconform/plugin.h>", False),
    ("adapters/b.cpp", '"spec/a.h"', True),
    ("adapters/c.cpp", '"harness/base/a.h"', True),
    ("adapters/d.cpp", '"reference/a.h"', True),
    ("adapters/e.cpp", "<opconform/optimized.h>", True),
    ("adapters/libtorch/a.cpp", "<opconform/optimized.h>", True),
    ("tools/a.h", "<vector>", False),
    ("cli/c.cpp", '"tools/a.h"', True),
    ("tests/b.cpp", '"tools/a.h"', True),
    ("tests/a.h", '"optimized/a.h"', False),
    ("fuzz/a.cpp", '"tests/a.h"', True),
    ("bench/a.h", "<benchmark/benchmark.h>", False),
    ("bench/b.cpp", "<torch/torch.h>", True),
    ("bench/peers/a.cpp", "<torch/torch.h>", False),
    ("bench/peers/b.cpp", '"bench/a.h"', False),
    ("bench/peers/c.cpp", "<benchmark/benchmark.h>", True),
    ("unlisted/a.h", "<vector>", True),
]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, include, _ in PLANTED:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"#pragma once\n#include {include}\n", encoding="utf-8")
        objected = {line.split(":")[0] for line in check(root)}
    failed = False
    for name, include, wrong in PLANTED:
        if (name in objected) != wrong:
            print(f"self-test: {name} with #include {include}: {'missed' if wrong else 'objected to'}")
            failed = True
    wrong = {line.split()[3] for line in check_page(
        "| `base` | text | `spec` |\n| `cases` | files | `base` |\n| `strength` | all | all rooms but `interchange` |\n")}
    if {"base", "strength"} & wrong or not {"cases", "model"} <= wrong:
        print(f"self-test: of a page, objected to {sorted(wrong)}")
        failed = True
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0])
    found = check(root) + check_page((root / PAGE).read_text(encoding="utf-8"))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
