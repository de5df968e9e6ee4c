#!/usr/bin/env python3
"""Runs the benchmarks in their short form and checks the files that they write: what is there, and that its figures fit
together. Judges no times.

usage: check_report.py OPCONFORM_BENCH OPCONFORM_SWEEP FOLDER
"""
import json
import math
import subprocess
import sys
from pathlib import Path


def run(program, *options):
    """The report of a run, which must succeed."""
    path = Path(sys.argv[3]) / f"{Path(program).name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    subprocess.run([program, "--json", path, *options], check=True)
    return json.loads(path.read_text(encoding="utf-8"))


PEERS = ("libtorch", "oneDNN", "NumPy")


def check_surroundings(report, peers):
    assert report["machine"]["cpu"] and report["machine"]["processors"] >= 1
    for name in ("opconform", "isa", "compiler", *peers):
        assert name in report["versions"], name


def check_cell(cell, peers):
    name = cell["cell"]
    times = {who: timed["ns"] for who, timed in cell["times"].items()}
    assert {"optimized", "scalar", "memcpy", "streaming copy"} <= set(times), name
    assert all(ns > 0 for ns in times.values()), name
    assert cell["bytes_read"] % 64 == 0 and cell["bytes_written"] % 64 == 0, name
    assert cell["ns"] == times["optimized"], name
    assert cell["limit_ns"] == min(times["memcpy"], times["streaming copy"]), name
    assert math.isclose(cell["over_limit"], cell["ns"] / cell["limit_ns"]), name
    assert math.isclose(cell["gb_per_s"], (cell["bytes_read"] + cell["bytes_written"]) / cell["ns"]), name
    assert cell["standing"] in ("ok", "tie", "miss", "under floor"), name
    measured = {who: ns for who, ns in times.items() if who in peers}
    if measured:
        assert cell["best_peer"] == min(measured, key=measured.get), name
        assert math.isclose(cell["gain"], measured[cell["best_peer"]] / cell["ns"]), name
    else:
        assert cell["best_peer"] is None and cell["gain"] is None, name


def main():
    bench, sweep = sys.argv[1:3]
    report = run(bench, "--short", "--rounds", "3")
    check_surroundings(report, PEERS)
    peers = {name for name in PEERS if report["versions"][name]}
    assert len({cell["operator"] for cell in report["cells"]}) == 5
    for cell in report["cells"]:
        check_cell(cell, peers)
        # oneDNN knows neither indices nor windows that run backwards; the others take all of these cells.
        assert peers - {"oneDNN"} <= set(cell["times"]), cell["cell"]

    report = run(sweep, "--shapes", "8", "--rounds", "2")
    check_surroundings(report, ())
    assert len(report["cells"]) == 8
    for cell in report["cells"]:
        check_cell(cell, set())
        assert cell["descriptor"]

    rows = run(bench, "--roofline", "--rounds", "1")["roofline"]
    assert all(figure > 0 for row in rows for figure in row["gb_per_s"].values())


if __name__ == "__main__":
    main()
