"""`--expect`: a list of known failures, which must not grow stale."""
import json
import subprocess

import program
from documents import MIXED
from program import CliTest, opconform, start, wait_for
from results import demand_schema


def verdicts_of(file):
    """Of the results that are there by now."""
    return {one["verdict"] for one in json.loads(file.read_text())["results"]} if file.exists() else set()


class ExpectedFailures(CliTest):
    def run_expecting(self, lines, *arguments):
        return self.run_cases(self.write("a.json", MIXED), "--expect", self.write("known", lines), *arguments)

    def test_known_failures(self):
        outcome = self.run_expecting("# of another day\n\n  \nwrong/1 says so\nwrong/2\tsays so, too  \r\n")
        self.assert_exit(0, outcome)
        self.assertEqual("xfail", outcome.verdicts()["wrong/1"])
        self.assertEqual({"pass": 6, "xfail": 4}, outcome.json["summary"])
        self.assertIn("says so, too", json.dumps(outcome.json["results"]))

    def test_globs(self):
        self.assert_exit(0, self.run_expecting("wrong/* all of them\n"))

    def test_one_of_two_is_listed(self):
        outcome = self.run_expecting("wrong/1 known\n")
        self.assert_exit(1, outcome)
        self.assertEqual("missed-rejection", outcome.verdicts()["wrong/2"])

    def test_stale_because_it_passes(self):
        outcome = self.run_expecting("wrong/* known\na/1 no longer so\n")
        self.assert_exit(1, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIn("known:2", outcome.err)
        self.assertIn("a/1", outcome.err)

    def test_stale_because_nothing_matches(self):
        outcome = self.run_expecting("wrong/* known\nnothing/* of yore\n")
        self.assert_exit(1, outcome)
        self.assertIn("known:2", outcome.err)
        self.assertIn("nothing/*", outcome.err)

    def test_stale_lines_stand_in_the_results_and_in_reports(self):
        results, report = self.folder / "r.json", self.folder / "r.md"
        outcome = opconform("run", self.write("a.json", MIXED), "--expect", self.write("known", "wrong/* known\na/1 no longer so\nnothing/* x\n"),
                            "--json", results, "--markdown", report)
        self.assert_exit(1, outcome)
        stale = json.loads(results.read_text())["stale_expectations"]
        self.assertEqual(2, len(stale))
        self.assertIn("known:2", stale[0])
        self.assertIn("nothing/", report.read_text())

    def test_of_a_run_that_is_killed(self):
        target = self.folder / "r.json"
        with start("run", program.spec_cases, "--isolate", "--backend", "faulty:last-stride-ignored", "--expect",
                   self.write("known", "* known\n"), "--json", target, stdout=subprocess.DEVNULL) as process:
            wait_for(lambda: process.poll() is not None or "xfail" in verdicts_of(target))
            process.kill()
        self.assertLessEqual(verdicts_of(target), {"pass", "xfail"})
        self.assertIn("xfail", verdicts_of(target))

    def test_not_stale_where_the_case_is_not_selected(self):
        self.assert_exit(0, self.run_expecting("wrong/* known\n", "--filter", "a/1"))
        self.assert_exit(0, self.run_expecting("wrong/1 known\nwrong/2 known\n", "--shard", "4/5"))

    def test_not_stale_where_it_may_fail_in_another_shard(self):
        for shard in ("1/2", "2/2", "1/5", "4/5"):
            self.assert_exit(0, self.run_expecting("* a few of them\n", "--shard", shard))
        for shard, code in (("1/10", 1), ("2/10", 0)):
            self.assert_exit(code, self.run_expecting("wrong/* known\na/1 no longer so\n", "--shard", shard))

    def test_without_a_reason(self):
        outcome = self.run_expecting("wrong/1\n")
        self.assert_exit(2, outcome)

    def test_without_a_reason_names_the_line(self):
        outcome = opconform("run", self.write("a.json", MIXED), "--expect", self.write("known", "# x\nwrong/1 \n"))
        self.assert_exit(2, outcome)
        self.assertIn("known:2", outcome.err)
        self.assertIn("wrong/1", outcome.err)

    def test_summary_tells_of_them(self):
        outcome = opconform("run", self.write("a.json", MIXED), "--expect", self.write("known", "wrong/* so\n"))
        self.assertIn("2 xfail", outcome.out)
        self.assertIn("0 failed", outcome.out)

    def test_unusable_lists(self):
        file = self.write("a.json", MIXED)
        for path in (self.folder / "none", self.folder, "/dev/zero"):
            with self.subTest(path=path):
                outcome = opconform("run", file, "--expect", path)
                self.assert_exit(2, outcome)
                self.assertIn(str(path), outcome.err)

    def test_empty_list(self):
        self.assert_exit(1, self.run_expecting(""))


class OfCampaigns(CliTest):
    """`reversed-start-off-by-one` has one finding, `wrong-element` one for each operator."""
    KNOWN = "# of generated cases\nfuzz/DML_SLICE1-mismatch issue 12: reversed windows\n"

    def fuzz(self, lines, *arguments, backend="faulty:reversed-start-off-by-one", cases=("--cases", 2000)):
        return opconform("fuzz", "--backend", backend, *cases, "--out", self.new_folder(), "--expect",
                         self.write("known", lines), *arguments)

    def new_folder(self):
        self.campaigns = getattr(self, "campaigns", 0) + 1
        return self.folder / f"out{self.campaigns}"

    def test_a_known_finding(self):
        outcome = self.fuzz(self.KNOWN)
        self.assert_exit(0, outcome)
        self.assertIn("  expected issue 12: reversed windows\n", outcome.out)
        self.assertIn("1 finding, 1 of them expected", outcome.out)
        self.assertEqual([], outcome.messages)

    def test_the_case_of_a_finding_has_the_same_name(self):
        known = self.write("list", self.KNOWN)
        self.assert_exit(0, self.fuzz(self.KNOWN))
        outcome = opconform("run", self.folder / "out1/DML_SLICE1-mismatch.json", "--backend", "faulty:reversed-start-off-by-one", "--expect", known)
        self.assert_exit(0, outcome)
        self.assertIn("1 xfail", outcome.out)

    def test_another_finding_is_none_of_them(self):
        outcome = self.fuzz(self.KNOWN, "--json", "-", backend="faulty:wrong-element")
        self.assert_exit(1, outcome)
        demand_schema(outcome.json)
        self.assertEqual({"DML_SLICE1": "issue 12: reversed windows"},
                         {one["operator"]: one["expected"] for one in outcome.json["findings"] if "expected" in one})
        self.assertEqual(5, len(outcome.json["findings"]))
        self.assert_exit(0, self.fuzz("fuzz/*-mismatch all of them\n", backend="faulty:wrong-element"))

    def test_lines_for_cases_and_lines_for_campaigns(self):
        """One list serves both, and `*` is about cases alone."""
        both = self.KNOWN + "wrong/* known\n"
        self.assert_exit(0, self.fuzz(both + "no/such/case of yore\n"))
        self.assert_exit(0, opconform("run", self.write("a.json", MIXED), "--expect", self.write("list", both)))
        self.assert_exit(1, self.fuzz("* everything\n"))

    def test_stale(self):
        outcome = self.fuzz(self.KNOWN + "fuzz/DML_SPLIT-crash of yore\n", "--json", "-")
        self.assert_exit(1, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIn('known:3: "fuzz/DML_SPLIT-crash" matches no finding', outcome.err)
        demand_schema(outcome.json)
        self.assertEqual(1, len(outcome.json["stale_expectations"]))
        file = self.folder / "r.json"
        file.write_text(json.dumps(outcome.json))
        self.assertIn("matches no finding", opconform("report", file).out)
        self.assert_exit(1, self.fuzz("fuzz/DML_SLIT-crash misspelt\n", "--operator", "split"))

    def test_not_stale_where_its_operator_is_not_tested(self):
        for lines in ("fuzz/DML_SPLIT-crash x\n", "fuzz/*-crash x\n", "fuzz/DML_S[pP]* x\n"):
            self.assert_exit(0, self.fuzz(self.KNOWN + lines, "--operator", "slice1"))
        self.assert_exit(1, self.fuzz(self.KNOWN + "fuzz/DML_SLICE1-crash x\n", "--operator", "slice1"))

    def test_a_line_that_a_short_time_misses_is_told(self):
        outcome = self.fuzz(self.KNOWN + "fuzz/DML_SPLIT-crash seldom\n", cases=("--time", 1))
        self.assert_exit(0, outcome)
        self.assertIn("matches no finding", outcome.err)
        self.assert_exit(1, self.fuzz(self.KNOWN + "fuzz/DML_SPLIT-crash seldom\n", cases=("--time", 60, "--cases", 2000)))

    def test_of_a_resumed_campaign(self):
        folder = self.folder / "out"
        of = ("fuzz", "--backend", "faulty:reversed-start-off-by-one", "--out", folder, "--cases")
        self.assert_exit(1, opconform(*of, 1000))
        self.assert_exit(0, opconform(*of, 2000, "--resume", "--expect", self.write("known", self.KNOWN)))
        self.assert_exit(1, opconform(*of, 2000, "--resume"))

    def test_reports_tell_the_reason(self):
        file = self.folder / "r.json"
        self.assert_exit(0, self.fuzz(self.KNOWN, "--json", file, "--quiet"))
        outcome = opconform("report", file, "--junit", self.folder / "j.xml", "--sarif", self.folder / "r.sarif", "--html", self.folder / "r.html",
                            "--json", self.folder / "report.json")
        self.assert_exit(0, outcome)
        (result,) = json.loads((self.folder / "r.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([{"kind": "external", "justification": "issue 12: reversed windows"}], result["suppressions"])
        self.assertIn('<skipped message="issue 12: reversed windows"/>', (self.folder / "j.xml").read_text())
        self.assertIn("expected: issue 12", opconform("report", file).out)
        self.assertIn("issue 12", (self.folder / "r.html").read_text())

    def test_unusable_lists(self):
        for path, lines in ((self.folder / "none", None), (self.folder, None), (self.folder / "known", "fuzz/x\n")):
            if lines:
                path.write_text(lines)
            outcome = opconform("fuzz", "--cases", 10, "--expect", path)
            self.assert_exit(2, outcome)
            self.assertIn(str(path), outcome.err)
