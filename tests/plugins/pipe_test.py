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

# What a pipe cannot show (docs/protocol.md), and what becomes of it.
UNSEEN = {
    # in memory of the program's own: pass, or a crash of the program
    "writes-byte-behind", "writes-byte-before", "writes-behind", "works-in-the-input", "negative-indices-resolved-in-place",
    # by where the host's buffers lie
    "only-aligned-bases", "outputs-of-first-execution", "inputs-of-first-execution",
    # by what the host does to a descriptor that is in use: the program has its own
    "descriptor-not-copied", "last-prepared-in-force",
}
SEEN_OTHERWISE = {
    # mismatch of another rule: a string that is in no input, where the pointer shows which it was
    "strings-copied-shallowly", "string-ends-at-nul",
    # crash, not missed-rejection: what should have been refused is executed, with zeros
    "rank-0-accepted", "gather-of-a-scalar", "scatter-axis-equal-to-rank", "join-axis-equal-to-rank",
}


def results(opconform, cases, *backends, jobs=1):
    """Of each backend: {case: (verdict, rule)}"""
    command = [opconform, "run", cases, "--label", "smoke", "--json", "-", "--jobs", str(jobs), "--isolate"]
    for backend in backends:
        command += ["--backend", backend]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), done
    found = {backend: {} for backend in backends}
    for one in json.loads(done.stdout)["results"]:
        found[one["backend"]][one["case"]] = (one["verdict"], one["rule"])
    return found.values()


def main(opconform, answering, cases):
    listed = subprocess.check_output([opconform, "list", "planted"], text=True)
    # Of behaviours, misbehaving.py has its own.
    names = re.findall(r"^  (faulty:\S+)", listed.partition("\nwhat crashes")[0], re.MULTILINE)

    def compare(name):
        built_in, piped = results(opconform, cases, name, f"process:'{answering}' {name}")
        return {case: (was, piped[case]) for case, was in built_in.items() if was != piped[case]}

    failed = False
    for name in ("reference", "faulty:negative-index-off-by-one", "faulty:wrong-element"):
        backend = f"process:'{answering}' {name}"
        one, two, seven = (list(results(opconform, cases, backend, jobs=jobs)) for jobs in (1, 2, 7))
        if not one == two == seven:
            print(name, "depends on the number of jobs")
            failed = True
    with ThreadPoolExecutor(2) as pool:
        for name, differing in zip(names, pool.map(compare, names)):
            bug = name.removeprefix("faulty:")
            is_seen = all(judged[0] != "pass" for _, judged in differing.values())
            if bool(differing) != (bug in UNSEEN | SEEN_OTHERWISE) or (not is_seen and bug not in UNSEEN):
                print(name, differing)
                failed = True
    print(f"{len(names)} implementations")
    return 1 if failed or len(names) < 190 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
