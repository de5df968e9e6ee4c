#!/usr/bin/env python3
"""What `opconform-tune` prints is a value that the program takes, and its cases still pass.

usage: tune_check.py OPCONFORM_TUNE OPCONFORM
"""
import os
import re
import subprocess
import sys

FIELDS = ["fetched_output", "streamed_output", "streamed_runs", "streamed_backward", "streamed_reversed", "streamed_broadcast",
          "streamed_transpose", "streamed_narrow", "streamed_crowded"]  # fmt: skip


def call(*command, **environment):
    return subprocess.run(command, env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def main(tune, opconform):
    bad = call(tune, "--most", "0")
    assert (bad.returncode, bad.stdout) == (2, ""), bad
    none = call(tune, OPCONFORM_FORCE_ISA="scalar")
    assert none.returncode == 2 and "without AVX2" in none.stderr, none
    measured = call(tune, "--most", "2", "--rounds", "1", OPCONFORM_MACHINE="zen")
    if measured.returncode == 2 and "without AVX2" in measured.stderr:
        return
    assert measured.returncode == 0, measured
    *table, last = measured.stdout.splitlines()
    number = r"(never|\d+)"
    assert re.fullmatch("OPCONFORM_MACHINE=zen" + "".join(f",{field}_bytes={number}" for field in FIELDS), last), last
    assert len(table) == 1 + 1 + len(FIELDS) and all(len(row.split()) == 1 + 3 for row in table[2:]), measured.stdout
    run = call(opconform, "run", "--label", "smoke", "--backend", "optimized", OPCONFORM_MACHINE=last.split("=", 1)[1])
    assert run.returncode == 0, run


if __name__ == "__main__":
    main(*sys.argv[1:])
