#!/usr/bin/env python3
"""Demands that each planted bug is caught by committed cases of every operator that it concerns: who implements one
operator alone has no other cases.

usage: planted_bugs_check.py SELFTEST CASES
SELFTEST: from `opconform selftest --json`; CASES: the folder of the cases. Exit code 1 names what is missed.
"""
import json
import sys
from pathlib import Path


def operators_of_cases(folder):
    operators = {}
    for path in folder.rglob("*.json"):
        if path.name.endswith(".schema.json"):
            continue
        document = json.loads(path.read_text(encoding="utf-8"))
        operators.update({case["id"]: document["operator"] for case in document["cases"]})
    return operators


def main():
    selftest, cases = map(Path, sys.argv[1:])
    operator_of = operators_of_cases(cases)
    bugs = [one for one in json.loads(selftest.read_text(encoding="utf-8"))["suspects"] if one["kind"] == "bug"]
    missed = [f"{bug['name']}: no case of {name} catches it" for bug in bugs for name in bug["operators"]
              if name not in {operator_of[case] for case in bug["suite"]["caught_by"]}]
    for line in missed:
        print(line)
    pairs = sum(len(bug["operators"]) for bug in bugs)
    print(f"{len(bugs)} planted bugs, {pairs - len(missed)} of {pairs} caught for themselves in each operator")
    return 1 if missed or not bugs else 0


if __name__ == "__main__":
    sys.exit(main())
