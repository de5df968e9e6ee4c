#!/usr/bin/env python3
"""Tests of tools/code_coverage.py on exports of llvm-cov that are made up.

usage: code_coverage_test.py ROOT
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = None
SCRIPT = None

SOURCE = """\
int sign(int a) {
  if (a < 0) return -1;
  if (a >
      0)
    return 1;
  return 0;
}
"""
# A region: line, column, end line, end column, count, file, expanded file, kind (0 code, 3 a gap).
def regions(whole, first, second):
    return [[1, 17, 7, 2, whole, 0, 0, 0], [2, 7, 2, 12, whole, 0, 0, 0], [2, 13, 2, 14, first, 0, 0, 3],
            [2, 14, 2, 23, first, 0, 0, 0], [3, 7, 4, 8, whole, 0, 0, 0], [4, 9, 5, 5, second, 0, 0, 3],
            [5, 5, 5, 13, second, 0, 0, 0]]  # fmt: skip


WHOLE, PART = regions(4, 1, 1), regions(1, 0, 0)
FIRST, SECOND = (2, 7, 2, 12), (3, 7, 4, 8)


def branch(place, times_true, times_false):
    return [*place, times_true, times_false, 0, 0, 4]


# Stands for both tools: `export` prints the file beside the program, the others make what they are told to.
FAKE = """\
#!/usr/bin/env python3
import pathlib, sys
if sys.argv[1] == "merge":
    pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).write_text("merged")
elif sys.argv[1] == "export":
    print(next(pathlib.Path(a + ".json").read_text() for a in sys.argv[2:] if pathlib.Path(a + ".json").exists()))
elif sys.argv[1] == "show":
    folder = pathlib.Path(next(a for a in sys.argv if a.startswith("-output-dir=")).split("=")[1])
    folder.mkdir()
    (folder / "index.html").write_text(" ".join(sys.argv))
"""


class CodeCoverageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="code-coverage-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        for module in ("reference", "optimized", "harness"):
            (self.folder / "tree" / module).mkdir(parents=True)
            (self.folder / "tree" / module / "a.cpp").write_text(SOURCE)
        (self.folder / "profiles").mkdir()
        (self.folder / "profiles" / "one.profraw").write_text("")
        (self.folder / "fake").write_text(FAKE)
        (self.folder / "fake").chmod(0o755)
        self.known([])

    def known(self, entries):
        (self.folder / "gaps.json").write_text(json.dumps(entries))

    def program(self, name, **files):
        """An instrumented program: by module, regions and branches of each instantiation of what is in its a.cpp."""
        export = [{"filenames": [str(self.folder / "tree" / module / "a.cpp")], "regions": regions, "branches": branches}
                  for module, instantiations in files.items()
                  for regions, branches in (instantiations if isinstance(instantiations, list) else [instantiations])]  # fmt: skip
        export.append({"filenames": ["/usr/include/c++/vector"], "regions": WHOLE, "branches": []})
        (self.folder / (name + ".json")).write_text(json.dumps({"data": [{"functions": export}]}))
        return str(self.folder / name)

    def run_tool(self, *programs):
        command = [sys.executable, SCRIPT, "--root", self.folder / "tree", "--gaps", self.folder / "gaps.json",
                   "--profiles", self.folder / "profiles", "--out", self.folder / "out",
                   "--llvm-cov", self.folder / "fake", "--llvm-profdata", self.folder / "fake", *programs]  # fmt: skip
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def report(self, code, *programs):
        run = self.run_tool(*programs)
        self.assertEqual(code, run.returncode, run.stdout + run.stderr)
        return json.loads((self.folder / "out" / "code.json").read_text()), run.stdout

    def test_everything_reached(self):
        program = self.program("a", reference=(WHOLE, [branch(FIRST, 1, 3), branch(SECOND, 1, 2)]))
        report, text = self.report(0, program)
        (module,) = report["modules"]
        self.assertEqual("reference", module["module"])
        self.assertEqual({"reached": 6, "reachable": 6, "percent": 100.0}, module["lines"])
        self.assertEqual({"reached": 4, "reachable": 4, "percent": 100.0}, module["branches"])
        self.assertEqual({"reached": 5, "reachable": 5, "percent": 100.0}, module["regions"])
        self.assertEqual("reference/a.cpp", module["files"][0]["file"])
        self.assertEqual([], report["gaps"])
        self.assertIn("code.json", text)
        self.assertTrue((self.folder / "out" / "html" / "index.html").exists())

    def test_the_report_has_the_form_that_the_schema_demands(self):
        import jsonschema

        schema = json.loads((ROOT / "reports" / "report.schema.json").read_text())
        program = self.program("a", reference=(PART, [branch(FIRST, 0, 1)]), harness=(WHOLE, []))
        report, _ = self.report(1, program)
        jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/code"}).validate(report)
        self.assertEqual(("code", 1), (report["kind"], report["version"]))

    def test_gaps_are_told_and_fail_the_gate(self):
        program = self.program("a", reference=(PART, [branch(FIRST, 0, 1), branch(SECOND, 0, 1)]))
        report, text = self.report(1, program)
        self.assertEqual([(2, "a < 0: never true"), (3, "a > 0: never true"), (5, "not reached")],
                         [(gap["line"], gap["what"]) for gap in report["gaps"]])  # fmt: skip
        self.assertIn("FAILED reference: line coverage is 83.3 %, and must be 100 %", text)
        self.assertIn("FAILED reference: branch coverage is 50.0 %, and must be 100 %", text)
        self.assertIn("NO REASON IS LISTED", text)

    def test_gaps_that_are_listed_do_not(self):
        gaps = [("if (a < 0) return -1;", "a < 0: never true"), ("if (a >", "a > 0: never true"),
                ("return 1;", "not reached")]  # fmt: skip
        entries = [{"file": "reference/a.cpp", "text": t, "what": w, "reason": "because " + t} for t, w in gaps]
        self.known(entries)
        program = self.program("a", reference=(PART, [branch(FIRST, 0, 1), branch(SECOND, 0, 1)]))
        report, text = self.report(0, program)
        self.assertEqual("because return 1;", report["gaps"][2]["reason"])
        self.assertIn("because if (a >", text)
        self.known(entries[:2])
        self.report(1, program)

    def test_a_listed_gap_that_is_none_is_an_error(self):
        self.known([{"file": "reference/a.cpp", "text": "return 1;", "what": "not reached", "reason": "once so"}])
        _, text = self.report(1, self.program("a", reference=(WHOLE, [])))
        self.assertIn("FAILED known gaps: reached now, or not there any more: reference/a.cpp: return 1;", text)

    def test_what_any_program_reached_is_reached(self):
        part = self.program("part", reference=(PART, [branch(FIRST, 0, 1), branch(SECOND, 1, 0)]))
        whole = self.program("whole", reference=(WHOLE, [branch(FIRST, 1, 0), branch(SECOND, 0, 1)]))
        self.report(1, part)
        self.report(0, part, whole)
        self.report(0, whole, part)

    def test_instantiations_are_joined(self):
        # The second returns early: to it what follows is a region that is never reached.
        early = [*regions(1, 1, 0)[:4], [2, 24, 3, 7, 0, 0, 0, 3], [3, 7, 7, 2, 0, 0, 0, 0]]
        instantiations = [(WHOLE, [branch(FIRST, 0, 1), branch(SECOND, 1, 1)]), (early, [branch(FIRST, 1, 0)])]
        report, _ = self.report(0, self.program("a", reference=instantiations))
        self.assertEqual({"reached": 4, "reachable": 4, "percent": 100.0}, report["modules"][0]["branches"])

    def test_conditions_that_share_a_place(self):
        self.report(0, self.program("a", reference=(WHOLE, [branch(FIRST, 1, 0), branch(FIRST, 0, 1), branch(FIRST, 0, 0)])))

    def test_a_defaulted_comparison_has_no_branches(self):
        (self.folder / "tree" / "reference" / "a.cpp").write_text("// line 1\nfriend bool operator==(A, A) = default;\n")
        report, _ = self.report(0, self.program("a", reference=([[2, 34, 2, 35, 3, 0, 0, 0]], [[2, 34, 2, 35, 3, 0, 0, 0, 4]])))
        self.assertEqual(0, report["modules"][0]["branches"]["reachable"])

    def test_a_condition_that_is_reached_and_never_counted_is_a_constant(self):
        report, _ = self.report(0, self.program("a", reference=(WHOLE, [branch(FIRST, 1, 1), branch(SECOND, 0, 0)])))
        self.assertEqual({"reached": 2, "reachable": 2, "percent": 100.0}, report["modules"][0]["branches"])
        # Not so where nothing got there.
        report, _ = self.report(1, self.program("b", reference=(regions(0, 0, 0), [branch(SECOND, 0, 0)])))
        self.assertEqual({"reached": 0, "reachable": 2, "percent": 0.0}, report["modules"][0]["branches"])

    def test_what_a_macro_expands_to_is_left_out(self):
        macro = [[5, 5, 5, 8, 1, 0, 1, 1], [99, 1, 99, 9, 0, 1, 0, 0]]
        report, _ = self.report(0, self.program("a", reference=([*WHOLE, *macro], [[*FIRST, 0, 1, 1, 0, 4]])))
        self.assertEqual({"reached": 0, "reachable": 0, "percent": 100.0}, report["modules"][0]["branches"])

    def test_gates_differ_by_module(self):
        # Five of six lines: too few for 95 %, and there is no list of gaps for that module.
        _, text = self.report(1, self.program("a", harness=(PART, [branch(FIRST, 0, 1)])))
        self.assertIn("FAILED harness: line coverage is 83.3 %, and must be 95 %\n", text)
        # Branches of the harness are not judged.
        report, _ = self.report(0, self.program("b", harness=(WHOLE, [branch(FIRST, 0, 1)])))
        self.assertEqual([], report["gaps"])
        _, text = self.report(1, self.program("c", optimized=(WHOLE, [branch(FIRST, 0, 1), branch(SECOND, 1, 1)])))
        self.assertIn("FAILED optimized: branch coverage is 75.0 %, and must be 95 %", text)

    def test_documents_beside_the_code(self):
        groups = [{"group": "rules/split/a", "reached": 1, "reachable": 2}, {"group": "rules/x/b", "reached": 2, "reachable": 2}]
        (self.folder / "documents.json").write_text(json.dumps({"groups": groups}))
        report, text = self.report(0, "--documents", self.folder / "documents.json", self.program("a", reference=(WHOLE, [])))
        self.assertEqual({"rules": {"reached": 3, "reachable": 4, "percent": 75.0}}, report["documents"])
        self.assertRegex(text, r"rules +3/4 +75.0 %")

    def test_bad_input(self):
        program = self.program("a", reference=(WHOLE, []))
        for gaps in ("[", "{}x", '[{"file": "a"}]'):
            (self.folder / "gaps.json").write_text(gaps)
            self.assertEqual(2, self.run_tool(program).returncode)
        entry = {"file": "a", "text": "b", "what": "c", "reason": "d"}
        self.known([entry, entry])
        self.assertIn("twice", self.run_tool(program).stderr)
        self.known([])
        self.assertEqual(2, self.run_tool().returncode)
        (self.folder / "fake").write_text("#!/bin/sh\nexit 1\n")
        self.assertEqual(2, self.run_tool(program).returncode)
        (self.folder / "profiles" / "one.profraw").unlink()
        self.assertIn("run the tests first", self.run_tool(program).stderr)


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1)).resolve()
    SCRIPT = ROOT / "tools" / "code_coverage.py"
    unittest.main()
