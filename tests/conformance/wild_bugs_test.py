#!/usr/bin/env python3
"""Runs what docs/wild-bugs.md says: each planted bug on the case that catches it.

usage: wild_bugs_test.py OPCONFORM ROOT
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROW = re.compile(r"^\| (\d+) \| [^|]+ \| [^|]+ \| (?:`([\w-]+)`)? *\| (?:`([\w/.-]+)`)? *\| (\d*) *\| ([^|]*)\|$", re.MULTILINE)


def verdicts(program, root, bug):
    run = subprocess.run([program, "run", root / "spec_cases", "--label", "wild", "--backend", f"faulty:{bug}", "--json", "-",
                          "--quiet"], check=False, capture_output=True, text=True)
    return {one["case"]: one["verdict"] for one in json.loads(run.stdout)["results"]}


def main(program, root):
    root = Path(root)
    page = (root / "docs/wild-bugs.md").read_text(encoding="utf-8")
    rows = ROW.findall(page)
    wrong = [] if len(rows) == 89 else [f"{len(rows)} rows, not 89"]
    labelled = {line.split(" ")[1] for line in (root / "spec_cases/wild.label").read_text(encoding="utf-8").splitlines()
                if not line.startswith("#")}
    if labelled != {case for _, _, case, _, _ in rows if case}:
        wrong.append("wild.label and the page name other cases")
    found = {bug: verdicts(program, root, bug) for bug in {bug for _, bug, _, _, _ in rows if bug}}
    for number, bug, case, _, left in rows:
        if not bug:
            if not left.strip():
                wrong.append(f"row {number}: neither caught nor left")
        elif not case:
            if bad := [one for one, verdict in found[bug].items() if verdict not in ("pass", "unsupported")]:
                wrong.append(f"row {number}: {bug} is permitted, but {bad[0]} accuses it")
        elif found[bug].get(case) in ("pass", "unsupported", None):
            wrong.append(f"row {number}: {case} does not catch {bug}: {found[bug].get(case)}")
    for one in wrong:
        print(one)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
