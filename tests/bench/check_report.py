#!/usr/bin/env python3
"""Runs the benchmarks in their short form and checks the files that they write: what is there, and that its figures fit
together. Judges no times.

usage: check_report.py OPCONFORM_BENCH OPCONFORM_SWEEP FOLDER SPEED_PLOT
"""
import json
import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree


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
    for timed in cell["times"].values():
        assert 0 < timed["low_ns"] <= timed["ns"] <= timed["high_ns"] and timed["wall_ns"] > 0, name
    assert cell["wall_ns"] == cell["times"]["optimized"]["wall_ns"], name
    assert cell["processors_of_others"] >= 0, name
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
    for gain, who in (("gain_once", "optimized, planned anew"), ("gain_kept", "optimized, plan kept")):
        assert cell[gain] is None or math.isclose(cell[gain], measured[cell["best_peer"]] / times[who]), name


def check_comparison(bench, path):
    """A run beside itself, beside one that was faster, and beside a file that is none."""
    def exit_code(*files):
        return subprocess.run([bench, "--compare", *files], check=False, stdout=subprocess.DEVNULL).returncode

    assert exit_code(path, path) == 0
    faster = json.loads(path.read_text(encoding="utf-8"))
    ours = faster["cells"][0]["times"]["optimized"]
    spread = max(1.05, ours["high_ns"] / ours["low_ns"])
    faster["cells"][0]["ns"] /= 1.1 * spread
    other = path.with_suffix(".faster.json")
    other.write_text(json.dumps(faster), encoding="utf-8")
    assert exit_code(other, path) == 1 and exit_code(path, other) == 0
    other.write_text("{}", encoding="utf-8")
    assert exit_code(other, path) == 2
    assert exit_code(path, path, path) == 2
    # Beside a new run, of the same machine: whatever it says of times, it is a verdict.
    again = subprocess.run([bench, "--short", "--rounds", "1", "--compare", path], check=False, capture_output=True,
                           text=True)
    assert again.returncode in (0, 1) and " cells compared: " in again.stdout, again.stdout + again.stderr


def check_plot(report, path):
    """Well-formed, with a panel a family and a line for everyone who was measured."""
    svg = path.with_suffix(".svg")
    subprocess.run([sys.executable, sys.argv[4], path, svg], check=True)
    root = ElementTree.parse(svg).getroot()
    name = "{http://www.w3.org/2000/svg}"
    panels = root.findall(f"{name}g[@class='family']")
    assert len(panels) == len({cell["family"] for cell in report["cells"]})
    for panel in panels:
        family = panel.find(f"{name}text").text
        cells = [cell for cell in report["cells"] if cell["family"] == family]
        known = {who for cell in cells for who in cell["times"] if who in ("optimized", *PEERS)}
        assert len(panel.findall(f"{name}path[@class='dots']")) == len(known), family
    assert report["machine"]["cpu"] in root.find(f"{name}text").text


def main():
    bench, sweep = sys.argv[1:3]
    report = run(bench, "--short", "--rounds", "3")
    check_surroundings(report, PEERS)
    peers = {name for name in PEERS if report["versions"][name]}
    operators = Path(__file__).parents[2] / "spec/operators.def"
    assert len({cell["operator"] for cell in report["cells"]}) == operators.read_text().count("\nOPCONFORM_OPERATOR(")
    for cell in report["cells"]:
        check_cell(cell, peers)
        # oneDNN knows neither indices nor windows that run backwards; the others take all of these cells.
        assert peers - {"oneDNN"} <= set(cell["times"]), cell["cell"]

    assert report["machine"]["processors_of_others"] >= 0
    check_comparison(bench, Path(sys.argv[3]) / f"{Path(bench).name}.json")

    report = run(bench, "--drawn", "1", "--rounds", "2", "--benchmark_filter=/1K/")
    assert len(report["cells"]) > 30
    for cell in report["cells"]:
        check_cell(cell, peers)
    check_plot(report, Path(sys.argv[3]) / f"{Path(bench).name}.json")

    report = run(bench, "--neighbours", "--rounds", "1", "--benchmark_filter=/1K/")
    assert len(report["neighbours"]) > 100
    for one in report["neighbours"]:
        assert math.isclose(one["growth"], one["to_ns"] / one["from_ns"] / one["bytes_growth"]), one
        assert one["is_cliff"] == (one["growth"] > 1.5) and one["is_cliff"] >= one["is_own_cliff"], one

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
