"""`opconform compare`: what changed between results."""
import json

from documents import GOOD
from program import opconform
from results import WRONG, ResultsTest, demand_schema


def name_of(result):
    """The case of a result in SARIF."""
    return result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]


class CompareTest(ResultsTest):
    def compare(self, *arguments):
        return opconform("compare", *arguments)

    def changed(self, before, changes, **more):
        """The same results, some of them changed, by case, and one more case: as the first, but for `more`."""
        after = self.edited(before)
        document = json.loads(after.read_text(encoding="utf-8"))
        for one in document["results"]:
            one.update(changes.get(one["case"], {}))
        document["results"].append(document["results"][0] | more | {"case": "more"})
        document["cases"].append(document["cases"][0] | {"id": "more"})
        after.write_text(json.dumps(document))
        return after

    def test_what_changed(self):
        before = self.results_of("before", WRONG)
        after = self.changed(before, {"good": {"verdict": "mismatch", "rule": "split.copy"}, "wrong": {"verdict": "pass"},
                                      "hostile": {"rule": "split.support"}})  # fmt: skip
        outcome = self.compare(before, after)
        self.assert_exit(1, outcome)
        for line in ("3 cases in both, 1 regressed, 1 fixed, 1 different, 1 new", "split.copy: 1 regressed",
                     "split.axis-range: 1 fixed", "regressed: good: pass -> mismatch of split.copy",
                     "fixed: wrong: missed-rejection of split.axis-range -> pass",
                     "different: hostile: missed-rejection of split.axis-range -> missed-rejection of split.support"):
            self.assertIn(line, outcome.out)
        self.assert_clean(outcome)
        outcome = self.compare(before, after, "--json", "-")
        demand_schema(outcome.json)
        self.assertEqual({"regressed": 1, "lost": 0, "fixed": 1, "different": 1, "new": 1, "gone": 0},
                         outcome.json["comparisons"][0]["counts"])
        self.assert_exit(0, self.compare(before, before))
        backwards = self.compare(after, before)
        self.assert_exit(1, backwards)  # wrong was right
        self.assertIn("gone: more: was mismatch", backwards.out)

    def test_any_number_side_by_side(self):
        first = self.results_of("first", WRONG)
        changed = self.changed(first, {"good": {"verdict": "mismatch", "rule": "split.copy"}, "wrong": {"verdict": "pass"},
                                       "hostile": {"verdict": "unsupported", "rule": ""}})
        third = self.edited(first)
        for files in ([first], [first, changed, third]):
            outcome = self.compare(*files, "--side-by-side")
            self.assert_exit(0, outcome)
            self.assert_clean(outcome)
            shown = self.compare(*files, "--side-by-side", "--json", "-")
            demand_schema(shown.json)
            self.assertEqual(len(files), len(shown.json["implementations"]))
            for row in shown.json["rules"]:
                self.assertEqual(len(files), len(row["counts"]))
        rules = {row["rule"]: row["counts"] for row in shown.json["rules"]}
        self.assertEqual([0, 2, 0], [count["failed"] for count in rules["split.copy"]])  # "more" is as "good"
        self.assertEqual([2, 0, 2], [count["failed"] for count in rules["split.axis-range"]])
        self.assertIn("2 failed", outcome.out)
        document = json.loads(first.read_text(encoding="utf-8"))
        document["cases"][0]["rules"] = ["split.single-is-copy"]
        first.write_text(json.dumps(document))
        for more, is_told in ([], False), (["--verbose"], True):  # nobody breaks it
            self.assertEqual(is_told, "split.single-is-copy" in self.compare(first, "--side-by-side", *more).out)
        self.assert_exit(2, self.compare(first, "--markdown", "table.md"))
        outcome = self.compare(first, changed, "--side-by-side", "--markdown", "-")
        self.assertTrue(outcome.out.startswith("# Side by side\n"), outcome)
        self.assertIn("| **2 failed** |", outcome.out)

    def test_choices_side_by_side(self):
        first = self.results_of("first", WRONG)
        document = json.loads(first.read_text(encoding="utf-8"))
        backend = document["results"][0]["backend"]
        document["choices"] = [{"backend": backend, "rule": "tensor.gaps-dont-care", "choice": "written | over", "cases": 7}]
        second = self.edited(first)
        second.write_text(json.dumps(document))
        outcome = self.compare(first, second, "--side-by-side", "--markdown", "-")
        self.assertIn("| tensor.gaps-dont-care | written \\| over | - | 7 |", outcome.out)
        shown = self.compare(first, second, "--side-by-side", "--json", "-")
        demand_schema(shown.json)
        self.assertIn({"rule": "tensor.gaps-dont-care", "choice": "written | over", "cases": [0, 7]}, shown.json["choices"])
        self.assertRegex(self.compare(first, second, "--side-by-side").out, r"tensor.gaps-dont-care\n  written \| over +- +7\n")
        document["choices"][0]["cases"] = "many"
        second.write_text(json.dumps(document))
        outcome = self.compare(first, second, "--side-by-side")
        self.assert_exit(2, outcome)
        self.assertIn("/choices/0/cases", outcome.err)

    def test_times_are_no_change(self):
        before = self.results_of("before", WRONG)
        after = self.edited(before)
        document = json.loads(after.read_text(encoding="utf-8"))
        document["results"][0]["seconds"] = 12.5
        document["results"][1].pop("seconds")
        after.write_text(json.dumps(document))
        outcome = self.compare(before, after)
        self.assert_exit(0, outcome)
        self.assertIn("3 cases in both, all alike", outcome.out)

    def test_what_is_no_file_of_results(self):
        before = self.results_of("before", WRONG)
        for name, change in (("/version", {"version": 3}), ("/results/0/case", {"cases": []})):
            with self.subTest(name):
                bad = self.write("bad.json", json.dumps(json.loads(before.read_text()) | change))
                outcome = self.compare(before, bad)
                self.assert_exit(2, outcome)
                self.assertIn(name, outcome.err)

    def test_sarif_says_what_became_of_each_failure(self):
        before = self.results_of("before", WRONG)
        after = self.changed(before, {"good": {"verdict": "unsupported"}, "wrong": {"verdict": "pass"}},
                             verdict="mismatch", rule="split.partition")  # fmt: skip

        def states(*files, code=1):
            outcome = self.compare(*files, "--sarif", "-")
            self.assert_exit(code, outcome)
            (run,) = outcome.json["runs"]
            self.assertEqual("opconform/reference/", run["automationDetails"]["id"])
            for result in run["results"]:
                if result["properties"]["verdict"] != "unsupported":
                    self.assertIn(result["ruleId"], [rule["id"] for rule in run["tool"]["driver"]["rules"]])
                self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(".json"))
                self.assertEqual({"caseAndImplementation/v1": f"{name_of(result)} on reference"}, result["partialFingerprints"])
            return {f"{name_of(result)} {result['properties']['verdict']}": result["baselineState"] for result in run["results"]}

        self.assertEqual({"good unsupported": "new", "hostile missed-rejection": "unchanged",
                          "more mismatch": "new", "wrong missed-rejection": "absent"}, states(before, after))
        self.assertEqual({"hostile missed-rejection": "unchanged", "more mismatch": "unchanged",
                          "wrong missed-rejection": "new"}, states(after, before))
        other = self.edited(before)
        other.write_text(before.read_text(encoding="utf-8").replace("split.axis-range", "split.support"))
        self.assertEqual({"updated"}, set(states(before, other, code=0).values()))
        target = self.folder / "both.sarif"
        self.assertIn("regressed", self.compare(after, before, "--sarif", target).out)
        self.assertEqual("2.1.0", json.loads(target.read_text(encoding="utf-8"))["version"])
        cut = self.edited(before, interrupted=True)
        (run,) = self.compare(before, cut, "--sarif", "-").json["runs"]
        self.assertFalse(run["invocations"][0]["executionSuccessful"])

    def test_sarif_has_each_category_once(self):
        both = self.folder / "both.json"
        opconform("run", self.write("c.json", WRONG), "--json", both)
        fixed = self.with_verdicts(both, {"wrong": "pass", "hostile": "crash"}, rule="")
        timeout = self.with_verdicts(both, {"wrong": "pass", "hostile": "timeout"}, rule="")
        runs = self.compare(both, fixed, timeout, "--sarif", "-").json["runs"]
        self.assertEqual(["opconform/reference/", "opconform/optimized/"], [run["automationDetails"]["id"] for run in runs])
        for run in runs:  # of the last two files: what was fixed before them is not told
            (result,) = run["results"]
            self.assertEqual(("hostile", "updated", "timeout"),
                             (name_of(result), result["baselineState"], result["properties"]["verdict"]))
        (run,) = self.compare(both, "--sarif", "-").json["runs"]
        self.assertEqual("opconform/optimized/", run["automationDetails"]["id"])
        self.assertEqual({"caseAndImplementation/v1": "wrong on optimized"}, run["results"][1]["partialFingerprints"])

    def test_sarif_closes_only_what_was_judged_again(self):
        before = self.results_of("before", WRONG)
        filtered = self.results_of("filtered", WRONG, "--filter", "good")
        not_offered = self.with_verdicts(before, {"wrong": "unsupported", "hostile": "unsupported"})
        for after, words in ((filtered, "not run in the later file"), (self.edited(filtered, interrupted=True), "not run in the later file"),
                             (not_offered, "not offered in the later file")):
            with self.subTest(after.name):
                results = self.compare(before, after, "--sarif", "-").json["runs"][0]["results"]
                self.assertEqual([("hostile", "unchanged"), ("wrong", "unchanged")],
                                 [(name_of(result), result["baselineState"]) for result in results])
                for result in results:
                    self.assertIn(words, result["message"]["text"])
        excused = self.with_verdicts(before, {"wrong": "xfail"}, message="known [mismatch: 1]")
        still = self.compare(excused, filtered, "--sarif", "-").json["runs"][0]["results"][1]
        self.assertEqual("known", still["suppressions"][0]["justification"])

    def test_sarif_of_expected_failures(self):
        whole = self.results_of("r", GOOD)
        for before, after, state, is_suppressed in (
            ("mismatch", "xfail", "updated", True), ("xfail", "xfail", "unchanged", True), ("pass", "xfail", "new", True),
            ("xfail", "mismatch", "updated", False), ("xfail", "pass", "absent", True),
        ):
            with self.subTest(f"{before} -> {after}"):
                files = [self.with_verdicts(whole, {"good": verdict}, message="known [mismatch: 1]") for verdict in (before, after)]
                (result,) = self.compare(*files, "--sarif", "-").json["runs"][0]["results"]
                self.assertEqual(state, result["baselineState"])
                self.assertEqual([{"kind": "external", "justification": "known"}] if is_suppressed else [],
                                 result["suppressions"])

    def with_verdicts(self, file, verdicts, **more):
        """A copy of a file of results with other verdicts, by case."""
        document = json.loads(file.read_text(encoding="utf-8"))
        return self.edited(file, results=[
            one | ({"verdict": verdicts[one["case"]], **more} if one["case"] in verdicts else {}) for one in document["results"]])

    def test_what_each_change_is_called(self):
        whole = self.results_of("r", GOOD)
        for before, after, change, code in (
            ("pass", "mismatch", "regressed", 1), ("unsupported", "mismatch", "regressed", 1), ("pass", "xfail", "regressed", 1),
            ("unsupported", "xfail", "regressed", 1), ("pass", "vacuous", "regressed", 1), ("pass", "unsupported", "lost", 1),
            ("mismatch", "pass", "fixed", 0), ("xfail", "pass", "fixed", 0), ("unsupported", "pass", "fixed", 0),
            ("mismatch", "xfail", "different", 0), ("xfail", "mismatch", "different", 0), ("mismatch", "crash", "different", 0),
            ("mismatch", "unsupported", "different", 0), ("xfail", "unsupported", "different", 0), ("xfail", "xfail", None, 0),
            ("unsupported", "unsupported", None, 0), ("pass", "pass", None, 0), ("crash", "crash", None, 0),
        ):
            with self.subTest(f"{before} -> {after}"):
                files = [self.with_verdicts(whole, {"good": verdict}) for verdict in (before, after)]
                outcome = self.compare(*files, "--json", "-")
                self.assert_exit(code, outcome)
                demand_schema(outcome.json)
                (one,) = outcome.json["comparisons"]
                self.assertEqual([change] if change else [], [each["change"] for each in one["changes"]])

    def test_new_cases_that_fail_are_told_with_their_rules(self):
        before = self.results_of("before", GOOD)
        document = json.loads(before.read_text(encoding="utf-8"))
        results, cases = document["results"], document["cases"]
        new = [results[0] | {"case": "a"}] + [
            results[0] | {"case": name, "verdict": verdict, "rule": "split.partition", "message": "wrong", "repro": "run"}
            for name, verdict in (("b", "mismatch"), ("c", "xfail"), ("d", "unsupported"))]
        cases = cases + [cases[0] | {"id": one["case"]} for one in new]
        outcome = self.compare(before, self.edited(before, results=results + new, cases=cases))
        self.assert_exit(0, outcome)
        self.assertEqual(["  1 cases in both, 4 new (2 failing)", "  split.partition: 2 new failing",
                          "  new: b: mismatch of split.partition", "    wrong", "    again: run",
                          "  new: c: xfail of split.partition", "    wrong", "    again: run",
                          "  new: a: pass", "  new: d: unsupported of split.partition"], outcome.out.splitlines()[1:])

    def test_what_is_not_offered_any_more(self):
        before = self.results_of("before", GOOD, code=0)
        results = json.loads(before.read_text(encoding="utf-8"))["results"]
        after = self.edited(before, results=[one | {"verdict": "unsupported"} for one in results])
        outcome = self.compare(before, after)
        self.assert_exit(1, outcome)
        self.assertIn("lost", outcome.out)
        self.assert_exit(0, self.compare(after, before))

    def test_backends_of_one_file_and_versions_of_several(self):
        both = self.folder / "both.json"
        opconform("run", self.write("c.json", GOOD), "--json", both)
        outcome = self.compare(both)
        self.assert_exit(0, outcome)
        self.assertIn(f"reference in {both} -> optimized in {both}", outcome.out)
        outcome = self.compare(both, both, "--json", "-")
        self.assertEqual([("reference", "reference"), ("optimized", "optimized")],
                         [(one["before"]["backend"], one["after"]["backend"]) for one in outcome.json["comparisons"]])
        self.assert_exit(2, self.compare(both, "--backend", "reference"))
        self.assert_exit(2, self.compare(both, "--backend", "none"))

    def test_words_of_the_files_stay_on_their_lines(self):
        before = self.results_of("before", GOOD)
        hostile = "x\n  1 cases in both, all alike\x1b\u202e" + "y" * 60_000
        document = json.loads(before.read_text(encoding="utf-8"))
        words = {"case": hostile, "backend": hostile}
        before = self.edited(before, results=[document["results"][0] | words], cases=[document["cases"][0] | {"id": hostile}])
        wrong = document["results"][0] | words | {"verdict": "mismatch", "rule": hostile, "message": hostile, "repro": hostile}
        after = self.edited(before, results=[wrong, wrong | {"backend": "other" + hostile}], bad_input=["a.json"])
        for outcome in (self.compare(before, after), self.compare(before, self.edited(after, results=[], interrupted=True))):
            self.assert_exit(1, outcome)
            self.assert_clean(outcome)
            lines = outcome.out.splitlines()
            self.assertEqual(1, sum("cases in both" in line.split("x\\n")[0] for line in lines), lines)
            self.assertNotIn("\u202e", outcome.out)
            self.assertLess(max(map(len, lines)), 4000)
        lines = self.compare(before, after).out.splitlines()
        self.assertEqual(8, len(lines), lines)
        self.assertTrue(lines[-1].startswith("only in ") and "other" in lines[-1], lines[-1])

    def of_backends(self, name, *backends):
        """Results of one case on implementations of these names."""
        whole = self.results_of(name, GOOD)
        (result,) = json.loads(whole.read_text(encoding="utf-8"))["results"]
        return self.edited(whole, results=[result | {"backend": backend} for backend in backends])

    def test_each_implementation_is_compared_with_itself_where_both_files_have_it(self):
        def pairs(*files):
            outcome = self.compare(*files, "--json", "-")
            self.assert_exit(0, outcome)
            demand_schema(outcome.json)
            return ([(one["before"]["backend"], one["after"]["backend"]) for one in outcome.json["comparisons"]],
                    [(one["file"], one["backend"]) for one in outcome.json["unpaired"]])

        a, z = self.of_backends("a", "alpha"), self.of_backends("z", "zeta")
        az, zb = self.of_backends("az", "alpha", "zeta"), self.of_backends("zb", "zeta", "beta")
        bg = self.of_backends("bg", "beta", "gamma")
        for files, compared, only in (
            ((z, az), [("zeta", "zeta")], [(az, "alpha")]),
            ((az, zb), [("zeta", "zeta")], [(az, "alpha"), (zb, "beta")]),
            ((az, zb, bg), [("zeta", "zeta"), ("beta", "beta")], [(az, "alpha"), (zb, "beta"), (zb, "zeta"), (bg, "gamma")]),
            ((z, az, z), [("zeta", "zeta")] * 2, [(az, "alpha")]),
            ((az,), [("alpha", "zeta")], []),
            ((a, z), [("alpha", "zeta")], []),
            ((az, bg), [("alpha", "zeta"), ("zeta", "beta"), ("beta", "gamma")], []),
            ((az, bg, a), [("alpha", "zeta"), ("zeta", "beta"), ("beta", "gamma"), ("gamma", "alpha")], []),
            ((z, zb, a), [("zeta", "zeta"), ("zeta", "beta"), ("beta", "alpha")], [(zb, "beta")]),
        ):
            with self.subTest([file.name for file in files]):
                self.assertEqual((compared, [(str(file), backend) for file, backend in only]), pairs(*files))
        self.assertIn(f"\nonly in {az}: alpha\nonly in {zb}: beta\n", self.compare(az, zb).out)

    def test_a_run_that_was_interrupted_before_its_first_result(self):
        both = self.folder / "both.json"
        opconform("run", self.write("c.json", WRONG), "--json", both)
        killed = self.edited(both, results=[], cases=[], interrupted=True)
        outcome = self.compare(both, killed)
        self.assert_exit(1, outcome)
        for backend in ("reference", "optimized"):
            self.assertIn(f"{backend} in {both} -> {backend} in {killed}\n  0 cases in both, 3 gone\n"
                          f"  {killed} judged nothing on {backend}: its run was interrupted before its first result there\n", outcome.out)
        runs = self.compare(both, killed, "--sarif", "-").json["runs"]
        self.assertEqual(["opconform/reference/", "opconform/optimized/"], [run["automationDetails"]["id"] for run in runs])
        for run in runs:
            self.assertFalse(run["invocations"][0]["executionSuccessful"])
            self.assertEqual(["unchanged"] * 2, [result["baselineState"] for result in run["results"]])
        self.assert_exit(0, self.compare(killed, both))
        self.assert_exit(1, self.compare(both, killed, both, killed))
        part = self.edited(both, results=json.loads(both.read_text(encoding="utf-8"))["results"][:1], interrupted=True)
        missing = ({"reference", "optimized"} - {one["backend"] for one in json.loads(part.read_text(encoding="utf-8"))["results"]}).pop()
        self.assertIn(f"{part} judged nothing on {missing}", self.compare(both, part, "--backend", missing).out)
        for files in ((killed,), (killed, killed), (both, self.edited(both, results=[])),
                      (both, self.edited(both, results=[], bad_input=["a.json:1:2: no valid JSON"]))):
            outcome = self.compare(*files)
            self.assert_exit(2, outcome)
            self.assertIn("holds no results", outcome.err)

    def test_results_that_are_not_whole(self):
        before = self.results_of("before", WRONG)
        for what in ({"interrupted": True}, {"bad_input": ["a.json:1:2: no valid JSON"]}):
            with self.subTest(what):
                after = self.edited(before, **what)
                outcome = self.compare(before, after)
                self.assert_exit(1, outcome)  # what is gone may have failed
                self.assertIn(f"{after} is not whole", outcome.out)
                outcome = self.compare(after, before)
                self.assert_exit(0, outcome)
                self.assertIn("is not whole", outcome.out)
                self.assertTrue(self.compare(before, after, "--json", "-").json["comparisons"][0]["after"]["partial"])
