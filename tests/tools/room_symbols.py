#!/usr/bin/env python3
"""Fails where a library of the project uses what one defines whose headers its folder must not include
(include_direction.py): a call needs no include, and what the linker is given comes along with other libraries.

usage: room_symbols.py NM FOLDER=ARCHIVE...
       room_symbols.py --self-test NM CXX
"""
import subprocess
import sys
import tempfile
from pathlib import Path, PurePath

from include_direction import permits

# What is declared elsewhere than in the folder that defines it.
PUBLIC_HEADERS = {"optimized": "include/opconform/optimized.h"}


def symbols(nm, archive):
    """The names that an archive or object file defines for others, and those that it leaves to others."""
    lines = subprocess.run([nm, "-g", "-P", archive], check=True, capture_output=True, text=True).stdout.splitlines()
    defined, used = set(), set()
    for name, kind in (line.split()[:2] for line in lines if " " in line and not line.endswith(":")):
        (used if kind in "Uwv" else defined).add(name)
    return defined, used - defined


def may_use(folder, other):
    return any(permits(folder, PurePath(seen)) for seen in (other, PUBLIC_HEADERS.get(other)) if seen)


def check(nm, libraries):
    """All objections to `libraries`, pairs of a folder and its archive."""
    found = [(folder, *symbols(nm, archive)) for folder, archive in libraries]
    holders = {}
    for folder, defined, _ in found:
        for name in defined:
            holders.setdefault(name, set()).add(folder)
    return [f"{folder} uses {name} of {' and '.join(sorted(holders[name]))}"
            for folder, _, used in found for name in sorted(used & holders.keys())
            if not any(may_use(folder, other) for other in holders[name])]


# For the self-test: a folder, what of another one its only function calls, and whether the check must object to it.
PLANTED = [
    ("spec", "nobody", False),
    ("reference", "spec", False),
    ("optimized", "reference", True),
    ("harness/base", "reference", True),
    ("harness/backends", "optimized", False),
    ("harness/coverage", "harness/backends", True),
    ("harness/relations", "reference", True),
    ("harness/running", "reference", False),
    ("planted", "nobody", False),
]


def planted_library(cxx, place, folder, called):
    """An object file with a function of the folder's name that calls another folder's."""
    own, other = (name.replace("/", "_") for name in (folder, called))
    source = Path(place) / f"{own}.cpp"
    source.write_text(f"int {other}(); int {own}() {{ return {other}(); }}", encoding="utf-8")
    subprocess.run([cxx, "-c", "-o", source.with_suffix(".o"), source], check=True)
    return source.with_suffix(".o")


def self_test(nm, cxx):
    with tempfile.TemporaryDirectory() as place:
        objected = {line.split()[0] for line in check(
            nm, [(folder, planted_library(cxx, place, folder, called)) for folder, called, _ in PLANTED])}
    failed = [(folder, called) for folder, called, wrong in PLANTED if (folder in objected) != wrong]
    for folder, called in failed:
        print(f"self-test: {folder} with a call of {called}: {'objected to' if folder in objected else 'missed'}")
    return 1 if failed else 0


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--self-test":
        return self_test(*arguments[1:])
    if len(arguments) < 2 or not all("=" in argument for argument in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    found = check(arguments[0], [argument.split("=", 1) for argument in arguments[1:]])
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
