"""`opconform run --expect`: a list of known failures, which must not grow stale."""
import json
import subprocess

import program
from documents import MIXED
from program import CliTest, opconform, start, wait_for


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
