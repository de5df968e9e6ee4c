#!/usr/bin/env python3
"""Tests of the program `opconform` as its users meet it: arguments, files, output, exit codes.

usage: cli_test.py OPCONFORM SPEC_CASES_DIR [UNITTEST-ARGUMENT...]

The tests themselves stand in subjects/, one file a subject.
"""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays as it is

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "subjects"))

import program  # noqa: E402


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program.set_up(*arguments[:2])
    names = sorted(path.stem for path in (HERE / "subjects").glob("*_test.py"))
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    # Further arguments are patterns of test names, as with `unittest -k`.
    loader.testNamePatterns = [f"*{word}*" for word in arguments[2:]] or None
    suite.addTests(loader.loadTestsFromName(name) for name in names)
    if suite.countTestCases() == 0:
        print("no test is selected", file=sys.stderr)
        return 1
    result = unittest.TextTestRunner().run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
