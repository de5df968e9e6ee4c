"""`opconform report`, and the files of reports that `run` writes."""
import json
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import program
from documents import GOOD, copy, document, split
from program import opconform, start
from results import HOSTILE, SCHEMA, WRONG, ResultsTest, data_of, demand_schema

FORMS = ("html", "markdown", "junit", "sarif")


class ReportTest(ResultsTest):
    # What it says

    def test_all_forms_at_once_from_run_and_from_report(self):
        def texts(*arguments):
            files = {form: self.folder / f"out.{form}" for form in FORMS}
            options = [word for form, file in files.items() for word in (f"--{form}", file)]
            outcome = opconform(*arguments, *options)
            self.assertIn(outcome.code, (0, 1), outcome)
            return {form: file.read_text(encoding="utf-8") for form, file in files.items()}

        cases = self.write("cases.json", WRONG)
        results = self.folder / "results.json"
        by_run = texts("run", cases, "--backend", "reference", "--json", results)
        by_report = texts("report", results)
        self.assertEqual(by_run, by_report)

    def test_markdown_goes_to_standard_output(self):
        outcome = opconform("report", self.results_of("r", WRONG, code=1))
        self.assert_exit(0, outcome)
        self.assertIn("| reference | 3 | 2 | 1 pass, 2 missed-rejection |", outcome.out)
        self.assertIn("## Failures", outcome.out)
        self.assertIn("`wrong` on reference: **missed-rejection**, `split.axis-range`", outcome.out)

    def test_rows_name_their_texts(self):
        report = self.report_of(self.results_of("r", WRONG))
        results = report["results"]
        row = dict(zip(results["columns"], results["rows"][1]))
        self.assertEqual("wrong", "".join(results["texts"][place] for place in row["id"]))
        self.assertEqual("DML_SPLIT", report["spec"]["operators"][row["operator"]]["name"])
        self.assertEqual("rejection", results["texts"][row["expect"]])
        self.assertEqual({"axis": [0]}, results["traits"][row["traits"]])
        self.assertEqual(["missed-rejection"], [results["verdicts"][verdict] for verdict, group in row["verdicts"]])
        self.assertEqual(["wrong", "hostile"], [failure["case"] for failure in results["failures"]])
        self.assertEqual([{"backend": "reference", "cases": 3, "failed": 2, "weak": 0, "unnamed_rule": 0,
                           "verdicts": {"pass": 1, "missed-rejection": 2}}], results["summary"])

    def test_every_kind_of_file(self):
        files = {name: self.folder / f"{name}.json" for name in ("fuzz", "covered", "grid", "selftest", "code", "speed", "mutation")}
        for arguments in (
            ("fuzz", "--cases", 2000, "--strength", 2, "--json", files["fuzz"], "--coverage", files["covered"]),
            ("grid", "--operator", "ONNX_GATHER", "--json", files["grid"]),
            ("selftest", program.spec_cases, "--only", "reversed-*", "--no-fuzz", "--json", files["selftest"]),
        ):
            self.assertIn(opconform(*arguments).code, (0, 1))
            demand_schema(json.loads(files[arguments[0]].read_text(encoding="utf-8")))
        share = {"reached": 1, "reachable": 3, "percent": 33.3}
        shares = {"lines": share, "branches": share, "regions": share}
        files["code"].write_text(json.dumps({
            "kind": "code", "version": 1, "modules": [{"module": "spec", **shares, "files": [{"file": "spec/a.cpp", **shares}]}],
            "gaps": [{"file": "spec/a.cpp", "line": 3, "what": "line", "reason": "none"}]}))
        files["speed"].write_text(json.dumps({"kind": "speed", "version": 1, "cells": [
            {"cell": "copy", "ns": 10, "over_limit": 1.25, "times": {"ours": {"ns": 10}, "other": {"ns": 25.0}}}]}))
        files["mutation"].write_text(json.dumps({"kind": "mutation", "version": 1, "modules": {"reference": {"killed": 3, "survived": 1}}}))
        report = self.report_of(self.results_of("r", GOOD, code=0), *files.values())
        self.assertEqual({"kind", "version", "title", "program", "inputs", "spec", "results", "campaigns", "coverage", "grids",
                          "selftest", "code", "mutation", "speed"}, set(report))
        self.assertEqual(2000, report["campaigns"][0]["cases"])
        self.assertEqual({"ours": 1.0, "other": 2.5}, report["speed"]["cells"][0]["contenders"])
        self.assertEqual(33.3, report["code"]["modules"][0]["lines"]["percent"])
        text = opconform("report", *files.values()).out
        for words in ("Generated cases", "Coverage of the documents", "Planted bugs", "Mutation score", "75.0 %"):
            self.assertIn(words, text)

    def test_shards_and_backends_side_by_side(self):
        cases = self.write("cases.json", WRONG)
        files = []
        for number, (shard, backend) in enumerate((("1/2", "reference"), ("2/2", "reference"), ("1/1", "optimized"))):
            files.append(self.folder / f"part{number}.json")
            opconform("run", cases, "--backend", backend, "--shard", shard, "--json", files[-1])
        results = self.report_of(*files)["results"]
        self.assertEqual(["reference", "optimized"], results["backends"])
        self.assertEqual([3, 3], [one["cases"] for one in results["summary"]])
        self.assertTrue(all(None not in row[-1] for row in results["rows"]))
        results = self.report_of(*files[1:])["results"]
        self.assertEqual(2, sum(None in row[-1] for row in results["rows"]))

    def test_failures_have_a_smallest_case(self):
        file = self.folder / "r.json"
        opconform("run", program.spec_cases, "--filter", "slice1/*", "--backend", "faulty:reversed-start-off-by-one", "--json", file)
        failures = self.report_of(file)["results"]["failures"]
        kinds = {(one["verdict"], one["rule"]) for one in failures}
        shrunk = [one for one in failures if "shrunk" in one]
        self.assertEqual(min(len(kinds), 20), len(shrunk))
        smallest = self.write("smallest.json", json.dumps(shrunk[0]["shrunk"]["case"]))
        self.assert_exit(1, opconform("run", smallest, "--backend", "faulty:reversed-start-off-by-one"))

    # Hostile words

    def test_hostile_words_are_text_in_every_form(self):
        file = self.results_of("r", WRONG)
        document = json.loads(file.read_text(encoding="utf-8"))
        for one in document["results"]:
            one["message"] = one["repro"] = HOSTILE
        file.write_text(json.dumps(document))
        outputs = {form: self.folder / f"out.{form}" for form in FORMS}
        self.assert_exit(0, opconform("report", file, "--title", HOSTILE,
                                      *(word for form, name in outputs.items() for word in (f"--{form}", name))))
        page = outputs["html"].read_text(encoding="utf-8")
        self.assertEqual(HOSTILE, data_of(page)["title"])
        self.assertEqual(HOSTILE, data_of(page)["results"]["failures"][0]["message"])
        self.assertNotIn("alert(1)</script>", page)
        junit = ElementTree.parse(outputs["junit"])
        self.assertIn("</script>", junit.find(".//failure").get("message"))
        self.assertNotIn("\x1b", outputs["junit"].read_text(encoding="utf-8"))
        sarif = json.loads(outputs["sarif"].read_text(encoding="utf-8"))
        self.assertIn("</script>", sarif["runs"][0]["results"][0]["message"]["text"])
        markdown = outputs["markdown"].read_text(encoding="utf-8")
        self.assertNotIn("\x1b", markdown)
        self.assertIn("\\</script\\>", markdown)
        self.assert_clean(opconform("report", file))

    def test_a_page_stays_small(self):
        file = self.folder / "r.json"
        opconform("run", program.corpus, "--backend", "faulty:wrong-element", "--json", file, timeout=60)
        document = json.loads(file.read_text(encoding="utf-8"))
        cases, results = document["cases"], document["results"]
        for turn in range(1, 6):
            # As long as words may be, and different in each case.
            document["cases"] = document["cases"] + [one | {"id": f"{one['id']}/{turn}", "says": f"{turn} {i} " + "word " * 100}
                                                     for i, one in enumerate(cases)]
            document["results"] = document["results"] + [one | {"case": f"{one['case']}/{turn}"} for one in results]
        file.write_text(json.dumps(document))
        page = self.folder / "page.html"
        self.assert_exit(0, opconform("report", file, "--html", page, timeout=30))
        self.assertLess(page.stat().st_size, 5_000_000)
        shown = data_of(page.read_text(encoding="utf-8"))["results"]
        self.assertEqual(len(document["cases"]), len(shown["rows"]) + shown["left_out"])
        self.assertEqual(shown["summary"][0]["failed"], len(shown["failures"]) + shown["failures_left_out"])
        self.assertEqual(len(document["cases"]), shown["summary"][0]["cases"])
        self.assertEqual(shown["summary"][0]["failed"], sum(one["failures"] for one in shown["groups"]))
        self.assertGreater(shown["left_out"], 0)
        columns = dict(zip(shown["columns"], zip(*shown["rows"])))
        named = {place for name in ("id", "says") for places in columns[name] for place in places}
        named.update(place for name in ("file", "version", "data_type", "index_type", "expect") for place in columns[name])
        self.assertEqual(set(range(len(shown["texts"]))), named)
        self.assertEqual(set(range(len(shown["traits"]))), set(columns["traits"]))
        ids = ["".join(shown["texts"][place] for place in places) for places in columns["id"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLess(set(ids), {one["id"] for one in document["cases"]})
        SCHEMA.validate(data_of(page.read_text(encoding="utf-8")))

    def test_a_page_leaves_out_nothing_of_all_cases_on_two_implementations(self):
        file, page = self.folder / "r.json", self.folder / "page.html"
        self.assert_exit(0, opconform("run", program.corpus, "--backend", "reference", "--backend", "optimized", "--json", file, timeout=60))
        self.assert_exit(0, opconform("report", file, "--html", page, timeout=30))
        shown = data_of(page.read_text(encoding="utf-8"))["results"]
        ids = {one["id"] for one in json.loads(file.read_text(encoding="utf-8"))["cases"]}
        self.assertEqual(0, shown["left_out"])
        self.assertEqual(ids, {"".join(shown["texts"][place] for place in row[0]) for row in shown["rows"]})
        self.assertEqual([len(ids)] * 2, [one["cases"] for one in shown["summary"]])
        # As much again, and more, fits still: a page that is full at the size of the suite drops something at the next case.
        self.assertLess(page.stat().st_size, 3_000_000)

    # JUnit, SARIF

    def test_junit_counts(self):
        cases = [split("a"), split("b", expect=False) | {"expect": {"rejected": ["split.axis-range"]}}]
        expected = self.write("expected.txt", "b known\n")
        for arguments, failures, skipped in (((), 1, 0), (("--expect", expected), 0, 1)):
            file = self.folder / "junit.xml"
            opconform("run", self.write("c.json", document("DML_SPLIT", *cases)), "--junit", file, "--backend", "reference", *arguments)
            suite = ElementTree.parse(file).getroot().find("testsuite")
            self.assertEqual(("2", str(failures), "0"), tuple(suite.get(key) for key in ("tests", "failures", "errors")))
            self.assertEqual(skipped, len(suite.findall("testcase/skipped")))
            self.assertEqual(["a", "b"], [one.get("name") for one in suite.iter("testcase")])

    def test_junit_has_times(self):
        """Those of the results, whose sum is that of the suite; in an isolated run as well."""
        cases = self.write("c.json", document("DML_SPLIT", split("a"), split("b"), split("c")))
        for more in ((), ("--isolate",)):
            with self.subTest(more=more):
                results, junit = self.folder / "r.json", self.folder / "j.xml"
                self.assert_exit(0, opconform("run", cases, "--backend", "reference", "--json", results, "--junit", junit, *more))
                measured = {one["case"]: one["seconds"] for one in json.loads(results.read_text(encoding="utf-8"))["results"]}
                suite = ElementTree.parse(junit).getroot().find("testsuite")
                shown = {one.get("name"): float(one.get("time")) for one in suite.iter("testcase")}
                self.assertEqual({"a", "b", "c"}, set(measured))
                self.assertEqual(measured, shown)
                self.assertTrue(all(0 < time < 60 for time in shown.values()), shown)
                self.assertAlmostEqual(sum(shown.values()), float(suite.get("time")), 5)
        self.assertNotIn("seconds", data_of(self.page_of(results))["results"])

    def page_of(self, *files):
        page = self.folder / "page.html"
        self.assert_exit(0, opconform("report", *files, "--html", page))
        return page.read_text(encoding="utf-8")

    def test_times_that_are_none(self):
        whole = self.results_of("r", document("DML_SPLIT", split("a"), split("b")), code=0)
        first, second = json.loads(whole.read_text(encoding="utf-8"))["results"]
        junit = self.folder / "j.xml"
        first.pop("seconds")  # as an older version wrote it
        second["seconds"] = 0.25
        self.assert_exit(0, opconform("report", self.edited(whole, results=[first, second]), "--junit", junit))
        suite = ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual(["0.000000", "0.250000"], [one.get("time") for one in suite.iter("testcase")])
        self.assertEqual("0.250000", suite.get("time"))
        for bad in (-1, "1", 1e300, None):
            with self.subTest(bad=bad):
                outcome = opconform("report", self.edited(whole, results=[first, second | {"seconds": bad}]))
                self.assert_exit(2, outcome)
                self.assertIn("/results/1/seconds", outcome.err)

    def test_sarif_names_rule_and_file(self):
        file = self.folder / "r.sarif"
        cases = self.write("a case.json", WRONG)
        opconform("run", cases, "--sarif", file, "--backend", "reference")
        (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
        result = run["results"][0]
        self.assertEqual("split.axis-range", result["ruleId"])
        self.assertIn(result["ruleId"], [rule["id"] for rule in run["tool"]["driver"]["rules"]])
        self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("a%20case.json"))
        self.assertEqual("opconform/reference/", run["automationDetails"]["id"])

    def test_sarif_suppresses_what_is_expected_to_fail(self):
        expected = self.write("expected.txt", "wro* see [1]: [mis: \x1b known\n")
        outcome, by_run = self.folder / "r.json", self.folder / "run.sarif"
        opconform("run", self.write("c.json", WRONG), "--backend", "reference", "--expect", expected, "--json", outcome, "--sarif", by_run)
        self.assertEqual(["wrong"], [one["case"] for one in self.report_of(outcome)["results"]["excused"]])
        by_report, page = self.folder / "report.sarif", self.folder / "page.html"
        opconform("report", outcome, "--sarif", by_report, "--html", page)
        self.assertEqual(by_run.read_text(encoding="utf-8"), by_report.read_text(encoding="utf-8"))
        SCHEMA.validate(data_of(page.read_text(encoding="utf-8")))
        compared = opconform("compare", outcome, outcome, "--sarif", "-").json
        for document in (json.loads(by_run.read_text(encoding="utf-8")), compared):
            hostile, wrong = sorted(document["runs"][0]["results"], key=lambda one: one["properties"]["verdict"])
            self.assertEqual([], hostile["suppressions"])
            self.assertEqual([{"kind": "external", "justification": "see [1]: [mis: \\u001b known"}], wrong["suppressions"])
            self.assertEqual(("xfail", "split.axis-range"), (wrong["properties"]["verdict"], wrong["ruleId"]))

    def test_sarif_knows_an_alert_again_whatever_its_verdict(self):
        whole = self.results_of("r", document("DML_SPLIT", split("a", rules=["split.partition"])))
        result = json.loads(whole.read_text(encoding="utf-8"))["results"][0]
        alerts = []
        for verdict in ("crash", "timeout"):
            file = self.folder / f"{verdict}.sarif"
            opconform("report", self.edited(whole, results=[result | {"verdict": verdict}]), "--sarif", file)
            (alert,) = json.loads(file.read_text(encoding="utf-8"))["runs"][0]["results"]
            alerts.append((alert["ruleId"], alert["partialFingerprints"]))
        self.assertEqual([("split.partition", {"caseAndImplementation/v1": "a on reference"})] * 2, alerts)

    def test_what_could_not_be_judged_is_no_success(self):
        for cases, words in ((self.write("cut.json", "{"), "cut.json: "), (self.write("twice.json", document("DML_SPLIT", split("a"), split("a"))), "twice.json")):
            with self.subTest(words):
                junit, sarif = self.folder / "j.xml", self.folder / "r.sarif"
                self.assert_exit(2, opconform("run", cases, "--junit", junit, "--sarif", sarif))
                (suite, *_) = ElementTree.parse(junit).getroot()
                self.assertEqual("1", suite.get("errors"))
                self.assertIn(words, suite.find("testcase/error").get("message"))
                (run, *_) = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
                self.assertFalse(run["invocations"][0]["executionSuccessful"])
                self.assertIn(words, run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        interrupted = self.edited(self.results_of("r", GOOD, code=0), interrupted=True)
        self.assert_exit(0, opconform("report", interrupted, "--junit", junit))
        self.assertIn("interrupted", ElementTree.parse(junit).getroot().find("testsuite/testcase/error").get("message"))

    def test_a_run_that_selects_nothing_says_so_everywhere(self):
        file, junit, sarif = (self.folder / name for name in ("r.json", "j.xml", "r.sarif"))
        outcome = opconform("run", self.write("c.json", GOOD), "--filter", "none", "--json", file, "--junit", junit, "--sarif", sarif)
        self.assert_exit(2, outcome)
        message = "no case is selected: none of 1 satisfies --filter (a glob is compared with the whole id: --filter '*none*')"
        self.assertEqual([f"opconform: {message}"], outcome.messages)
        self.assertEqual([message], json.loads(file.read_text(encoding="utf-8"))["bad_input"])
        self.assertEqual("1", ElementTree.parse(junit).getroot().find("testsuite").get("errors"))
        (run,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        self.assertIn("no case is selected", opconform("report", file).out)

    def test_generated_cases_grids_and_planted_bugs_count_as_well(self):
        campaign, grid, bugs, junit = (self.folder / name for name in ("f.json", "g.json", "s.json", "j.xml"))
        of = ("--backend", "faulty:reversed-start-off-by-one", "--operator", "DML_SLICE1")
        self.assert_exit(1, opconform("fuzz", *of, "--cases", 2000, "--out", self.folder / "out", "--json", campaign, "--quiet"))
        self.assert_exit(1, opconform("grid", *of, "--json", grid))
        (finding,) = json.loads(campaign.read_text(encoding="utf-8"))["findings"]
        campaign = self.edited(campaign, findings=[finding, finding | {"verdict": "crash"}])
        cases = self.write("one.json", GOOD)  # which sees no bug
        self.assert_exit(1, opconform("selftest", cases, "--only", "negative-*", "--no-fuzz", "--json", bugs))
        markdown = opconform("report", campaign, grid, bugs).out
        self.assertIn("DML\\_SLICE1 at 2\\_1: FLOAT32, rank 4", markdown)
        sarif = self.folder / "r.sarif"
        self.assert_exit(0, opconform("report", campaign, grid, bugs, "--junit", junit, "--sarif", sarif))
        runs = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
        self.assertEqual([f"opconform/{of[1]}/{kind}/" for kind in ("generated", "support-grid")],
                         [run["automationDetails"]["id"] for run in runs])
        for run in runs:
            prints = [result["partialFingerprints"]["caseAndImplementation/v1"] for result in run["results"]]
            self.assertEqual(len(prints), len(set(prints)))
            self.assertGreater(len(prints), 0)
        suites = {one.get("name").split(": ")[-1]: one for one in ElementTree.parse(junit).getroot()}
        self.assertEqual({"generated cases", "support grid", "planted bugs"}, set(suites))
        for suite in suites.values():
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertGreater(int(suite.get("failures")), 0)
        self.assertIn("again: opconform run", suites["generated cases"].find("testcase/failure").text)
        row = suites["support grid"].find("testcase[failure]")
        self.assertEqual("2_1", row.get("name"))
        self.assertIn("FLOAT32, rank 4: mismatch: ", row.find("failure").text)

    def test_a_time_that_is_none(self):
        good = self.results_of("r", GOOD, code=0)
        run = json.loads(good.read_text(encoding="utf-8"))["run"]
        file = self.edited(good, run=run | {"started": "not a time, but longer than one"})
        junit = self.folder / "j.xml"
        self.assert_exit(0, opconform("report", file, "--junit", junit))
        self.assertEqual("1970-01-01T00:00:00", ElementTree.parse(junit).getroot().find("testsuite").get("timestamp"))

    # Bad input

    def test_no_output_is_written_over_another_or_over_an_input(self):
        file, cases = self.results_of("r", GOOD, code=0), self.write("c.json", GOOD)
        before = file.read_bytes()
        for arguments in (("report", file, "--json", file), ("report", file, "--html", "same", "--json", "./same"),
                          ("report", file, "--html", "-", "--markdown", "-"), ("run", cases, "--json", cases), ("compare", file, file, "--json", file),
                          ("run", cases, "--coverage", "same", "--json", "same")):
            with self.subTest(arguments):
                outcome = opconform(*arguments, cwd=self.folder)
                self.assert_exit(2, outcome)
                self.assertIn("would be written over", outcome.err)
        self.assertEqual(before, file.read_bytes())
        self.assertFalse((self.folder / "same").exists())
        covered = self.folder / "covered.json"
        self.assert_exit(0, opconform("run", cases, "--coverage", covered))
        self.assert_exit(2, opconform("coverage", covered, "--json", covered))
        self.assert_exit(0, opconform("coverage", covered))
        self.assert_exit(0, opconform("report", file, "--html", "/dev/null", "--json", "/dev/null"))

    def test_no_output_is_written_among_the_cases_of_a_folder(self):
        folder = self.folder / "cases/below"
        folder.mkdir(parents=True)
        (folder / "c.json").write_text(self.write("c.json", GOOD).read_text())
        before = (folder / "c.json").read_bytes()
        for arguments in (("run", "cases", "--json", "cases/below/c.json"), ("run", "cases", "--coverage", "cases/new.json"),
                          ("run", ".", "--json", "new.json"), ("selftest", "cases", "--only", "plain", "--no-fuzz", "--json", "cases/below/c.json")):
            with self.subTest(arguments):
                outcome = opconform(*arguments, cwd=self.folder)
                self.assert_exit(2, outcome)
                self.assertIn("are read as cases", outcome.err)
        self.assertEqual(before, (folder / "c.json").read_bytes())
        self.assertEqual([folder / "c.json"], sorted((self.folder / "cases").rglob("*.json")))
        self.assert_exit(0, opconform("run", "cases", "--html", "cases/page.html", cwd=self.folder))

    def test_bad_files(self):
        good = self.results_of("good", GOOD, code=0)
        results = json.loads(good.read_text(encoding="utf-8"))["results"]
        cases = json.loads(good.read_text(encoding="utf-8"))["cases"]
        for file, words in (
            (self.write("none.json", "{}"), "kind"),
            (self.write("list.json", "[1]"), "object"),
            (self.write("broken.json", '{"kind": "results"'), "no valid JSON"),
            (self.write("other.json", '{"kind": "postcard"}'), "postcard"),
            (self.folder / "absent.json", "absent.json"),
            (self.edited(good, results=...), "results"),
            (self.edited(good, results=[results[0] | {"verdict": "splendid"}]), "splendid"),
            (self.edited(good, results=[results[0] | {"case": "elsewhere"}]), "elsewhere"),
            (self.edited(good, results=[results[0], results[0]]), "already"),
            (self.edited(good, cases=[cases[0] | {"rules": ["no.such-rule"]}]), "no.such-rule"),
            (self.edited(good, cases=[cases[0] | {"operator": "DML_NONE"}]), "DML_NONE"),
            (self.edited(good, cases=[cases[0] | {"rank": -1}]), "rank"),
            (self.edited(good, cases=[cases[0], cases[0] | {"rank": 7}]), "another case"),
            (self.edited(good, run={"program": 1}), "program"),
            (self.edited(good, version=2), "version"),
            (self.edited(good, run=json.loads(good.read_text())["run"] | {"seconds": -1}), "seconds"),
            (self.edited(good, choices=[{"backend": "b", "rule": "scatter.overlap-any-winner", "choice": "none", "cases": 1}]), "none"),
        ):
            for command in ("report", "compare"):
                if command == "compare" and "results" not in words and "splendid" != words:
                    continue
                with self.subTest(words, command=command):
                    outcome = opconform(command, file)
                    self.assert_exit(2, outcome)
                    self.assertIn(words, outcome.err)
                    self.assertIn(Path(file).name, outcome.err)
                    self.assert_clean(outcome)

    def test_a_second_file_of_the_same_results(self):
        file = self.results_of("r", GOOD, code=0)
        outcome = opconform("report", file, file)
        self.assert_exit(2, outcome)
        self.assertIn("already", outcome.err)

    def test_files_that_cannot_be_written_do_not_cost_the_others(self):
        file = self.results_of("r", GOOD, code=0)
        page = self.folder / "page.html"
        outcome = opconform("report", file, "--junit", "/dev/full", "--html", page, "--markdown", "/dev/full")
        self.assert_exit(3, outcome)
        self.assertEqual(2, len(outcome.messages), outcome)
        self.assertTrue(page.exists())
