#!/usr/bin/env python3
"""Tests of tools/kill_matrix on a corpus of four cases.

usage: kill_matrix_test.py KILL_MATRIX
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = None
CASES = {"a.json": ["one", "two"], "big/b.json": ["three", "four"]}
CATCHES = {"early": ["one", "three"], "late": ["three"], "hidden": ["four"], "never": []}


class KillMatrixTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kill-matrix-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for file, names in CASES.items():
            path = self.folder / "cases" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"cases": [{"id": name, "rules": ["r." + name]} for name in names]}))
        self.write("selftest.json", {"suspects": [
            *({"name": name, "kind": "bug", "suite": {"caught_by": by}} for name, by in CATCHES.items()),
            {"name": "permitted", "kind": "permitted", "suite": {"caught_by": []}}]})

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def run_tool(self, *arguments):
        command = [sys.executable, PROGRAM, "--cases", self.folder / "cases",
                   "--selftest", self.folder / "selftest.json", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def matrix(self, *arguments):
        out = self.folder / "out.json"
        run = self.run_tool("--json", out, *arguments)
        self.assertEqual(0, run.returncode, run.stderr)
        return run.stdout, json.loads(out.read_text())

    def test_what_is_caught_by_what(self):
        text, matrix = self.matrix("--list")
        self.assertIn("4 cases; 4 planted bugs and 0 mutants, of which cases catch 3 and 0", text)
        self.assertEqual(["four", "three"], matrix["alone"])
        self.assertEqual({"three", "four"}, set(matrix["needed"]))
        self.assertIn("nothing  two", text)
        self.assertEqual(["bug early", "bug late"], matrix["matrix"]["three"]["catches"])
        self.assertEqual({"cases": 1, "catches": 2}, matrix["rules"]["r.three"])

    def test_mutants_count_where_cases_kill_them(self):
        mutants = self.folder / "cases.jsonl"
        lines = [{"id": "m1", "killed_by": ["two"]}, {"id": "m2", "killed_by": []}, {"id": "m3", "killed_by": ["gone"]}]
        mutants.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"id": "cut o')
        text, matrix = self.matrix("--mutants", mutants)
        self.assertIn("4 planted bugs and 3 mutants, of which cases catch 3 and 1", text)
        self.assertEqual(["mutant m1"], matrix["matrix"]["two"]["catches"])

    def test_smoke_catches_each_bug_twice_where_that_goes(self):
        text, _ = self.matrix("--smoke")
        self.assertIn("the smoke test's 3 cases catch 3 of the planted bugs and 0 of the mutants", text)
        lines = (self.folder / "cases" / "smoke.label").read_text().splitlines()
        self.assertEqual(["a.json one", "big/b.json four", "big/b.json three"], lines[1:])

    def test_smoke_reads_no_large_file_to_catch_a_bug_again(self):
        file = self.folder / "cases/a.json"
        file.write_text(file.read_text() + " " * 200_000)
        self.matrix("--smoke")
        lines = (self.folder / "cases" / "smoke.label").read_text().splitlines()
        self.assertEqual(["big/b.json four", "big/b.json three"], lines[1:])

    def test_bad_files(self):
        for content in ("{}\n", "[]\n", "no JSON\n", '{"id": "m1", "killed_by": 3}\n'):
            (self.folder / "cases.jsonl").write_text(content)
            run = self.run_tool("--mutants", self.folder / "cases.jsonl")
            self.assertEqual(2, run.returncode)
            self.assertIn("cases.jsonl", run.stderr)
        for content in ({}, [], {"suspects": [{"name": "x"}]}, {"enough": 8, "suspects": []},
                        {"suspects": [{"name": "x", "kind": "bug", "suite": {"caught_by": ["no-such-case"]}}]}):
            self.write("selftest.json", content)
            run = self.run_tool()
            self.assertEqual(2, run.returncode)
            self.assertIn("selftest.json", run.stderr)
        self.assertEqual(2, self.run_tool("--selftest", self.folder / "none.json").returncode)
        self.assertEqual(2, self.run_tool("--cases", self.folder / "none").returncode)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
