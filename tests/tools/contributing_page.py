#!/usr/bin/env python3
"""Fails where CONTRIBUTING.md, or another page, names what does not exist.

usage: contributing_page.py ROOT PROGRAM [BUILD]
       contributing_page.py --self-test

Of CONTRIBUTING.md: files and folders, except those that its examples make. Of all pages: commands of the program and
their options. With BUILD, a folder in which all tests are built: what follows -R must select at least one of them.
"""
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

PAGE = "CONTRIBUTING.md"
# What the examples of the page make.
NEW_FILES = {"reports/csv.cpp", "csv.cpp"}
NEW_OPTIONS = {"--csv"}

SPAN = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```(?:\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?!project/|unit/)\.?[a-z]\w*/|^[a-z]\w*\.(?:cpp|h|def|py|json|md)$")
# Names of tests look like files in folders. In running text, {a,b} stands for several names, and words in capitals for any.
BRACES = re.compile(r"\{([\w,.-]+)\}")
CAPITALS = re.compile(r"\b[A-Z][A-Z-]*[A-Z]\b")
PATTERN = re.compile(r"(?:ctest|tools/test)\b[^|#\n]* -R (?:'([^']+)'|(\S+))")


def spread(name):
    """The names that one with {a,b} stands for."""
    match = BRACES.search(name)
    if not match:
        return [name]
    return [one for word in match[1].split(",") for one in spread(name[: match.start()] + word + name[match.end() :])]


def missing_files(text, root):
    for word in SPAN.findall(BLOCK.sub("", text)):
        if not FILE.match(word) or " " in word or word in NEW_FILES:
            continue
        for name in spread(word):
            pattern = CAPITALS.sub("*", name).rstrip("/")
            if not any(root.glob(pattern if "/" in pattern else f"[!b]*/**/{pattern}")):  # not in build/
                yield f"there is no {name}"


def commands(text):
    """What the page shows to type, with the program's name in front, one line each."""
    lines = [line for block in BLOCK.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    for line in [*lines, *SPAN.findall(BLOCK.sub("", text))]:
        if line.removeprefix("$ ").startswith("opconform "):
            yield line.split(" # ")[0].split(" | ")[0].split(" > ")[0]


class Help:
    """What the help of a command names; `ask` takes the words behind the program's name."""

    def __init__(self, ask):
        self.ask = cache(ask)

    def objections(self, line):
        words = line.removeprefix("$ ").split()[1:]
        path = ()
        while words and re.fullmatch(r"[a-z]+", words[0]) and f"\n  {words[0]} " in self.ask(path):
            path += (words.pop(0),)
        if not path and words and re.fullmatch(r"[a-z]+", words[0]):
            yield f"there is no command {words[0]}: {line}"
        for word in words:
            option = re.match(r"--[a-z][\w-]*", word)
            if option and option[0] not in NEW_OPTIONS and option[0] not in self.ask(path):
                yield f"opconform {' '.join(path)} has no {option[0]}: {line}"


def patterns(text):
    return [quoted or plain for quoted, plain in PATTERN.findall(text)]


def tests_of(build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    return [test["name"] for test in json.loads(listing.stdout)["tests"]]


def check(root, program, build):
    text = (root / PAGE).read_text(encoding="utf-8")
    yield from (f"{PAGE}: {what}" for what in missing_files(text, root))
    environment = {**os.environ, "NO_COLOR": "1"}
    known = Help(lambda path: subprocess.run([program, *path, "--help"], check=True, capture_output=True, text=True,
                                             env=environment).stdout)
    for page in [root / PAGE, root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        for line in commands(page.read_text(encoding="utf-8")):
            yield from (f"{page.relative_to(root)}: {what}" for what in known.objections(line))
    if build:
        names = tests_of(build)
        for pattern in patterns(text):
            if not any(re.search(pattern, name) for name in names):
                yield f"{PAGE}: -R selects no test: {pattern}"


def self_test():
    root = Path(__file__).resolve().parents[2]
    text = "`spec/{rule.h,no-such.h}` `planted/operators/OPERATOR.cpp` `none/OPERATOR.h` `plain.h` `nor.h`\n```\n`spec/nor.h`\n```\n"
    assert list(missing_files(text, root)) == ["there is no spec/no-such.h", "there is no none/OPERATOR.h",
                                               "there is no nor.h"]
    text = "`opconform list` x\n```sh\n$ opconform run \\\n  --all | grep x\nopconform   # alone\nopconformx\n```\n"
    assert [line.split() for line in commands(text)] == [["$", "opconform", "run", "--all"], ["opconform"], ["opconform", "list"]]
    helps = {(): "\n  run  \n", ("run",): "--quiet"}
    assert not list(Help(helps.get).objections("opconform run a.json --quiet --csv x"))
    assert list(Help(helps.get).objections("opconform run --lout")) == ["opconform run has no --lout: opconform run --lout"]
    assert list(Help(helps.get).objections("$ opconform rum")) == ["there is no command rum: $ opconform rum"]
    assert patterns("ctest --preset gcc -R '^a|b'\ntools/test -R c  # why\nctest -N\n") == ["^a|b", "c"]
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    found = list(check(Path(arguments[0]), arguments[1], arguments[2] if len(arguments) == 3 else None))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
