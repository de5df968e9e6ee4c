#!/usr/bin/env python3
"""Every planted bug and every permitted implementation has the same verdicts behind a pipe as in a worker, but for those
that a pipe cannot show, which are listed here.

usage: pipe_test.py OPCONFORM ANSWERING CASES
"""
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# What the program does to memory of its own, or where its buffers lie (docs/protocol.md).
ESCAPES = {}


def results(opconform, cases, backend):
    """{case: (verdict, rule)}"""
    done = subprocess.run([opconform, "run", cases, "--label", "smoke", "--json", "-", "--jobs", "1", "--isolate",
                           "--backend", backend], stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), done
    return {one["case"]: (one["verdict"], one["rule"]) for one in json.loads(done.stdout)["results"]}


def main(opconform, answering, cases):
    listed = subprocess.check_output([opconform, "list", "planted"], text=True)
    # Of behaviours, misbehaving.py has its own.
    names = re.findall(r"^  (faulty:\S+)", listed.partition("\nwhat crashes")[0], re.MULTILINE)

    def compare(name):
        built_in = results(opconform, cases, name)
        piped = results(opconform, cases, f"process:'{answering}' {name}")
        return {case: (was, piped[case]) for case, was in built_in.items() if was != piped[case]}

    failed = False
    with ThreadPoolExecutor(2) as pool:
        for name, differing in zip(names, pool.map(compare, names)):
            if bool(differing) != (name.removeprefix("faulty:") in ESCAPES):
                print(name, differing)
                failed = True
    print(f"{len(names)} implementations")
    return 1 if failed or len(names) < 190 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
