#!/usr/bin/env python3
"""Results do not depend on the number of workers, behind a pipe or in a library, also of what crashes.

usage: worker_numbers_test.py OPCONFORM ANSWERING SUITE-PLUGIN CASES
"""
import json
import subprocess
import sys


def results(opconform, cases, backend, jobs):
    """{case: (verdict, rule, message)}"""
    command = [opconform, "run", cases, "--label", "smoke", "--json", "-", "--jobs", str(jobs), "--backend", backend]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), done
    return {one["case"]: (one["verdict"], one["rule"], one["message"]) for one in json.loads(done.stdout)["results"]}


def findings(opconform, backend, jobs):
    command = [opconform, "fuzz", "--cases", "2000", "--json", "-", "--jobs", str(jobs), "--backend", backend]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), done
    campaign = json.loads(done.stdout)
    return campaign["by_operator"], [(one["verdict"], one["rule"], one["count"]) for one in campaign["findings"]]


def main(opconform, answering, plugin, cases):
    failed = False
    for name in ("reference", "faulty:negative-index-off-by-one", "faulty:crash"):
        for backend in (f"process:'{answering}' {name}", f"plugin:{plugin},backend={name}"):
            one, two, seven = ([results(opconform, cases, backend, jobs), findings(opconform, backend, jobs)]
                               for jobs in (1, 2, 7))
            if not one == two == seven:
                print(backend, "depends on the number of jobs")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
