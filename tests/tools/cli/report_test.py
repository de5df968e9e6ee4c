"""`opconform report`, `compare` and `certify`, and the files of reports that `run` writes."""
import json
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import program
from documents import GOOD, copy, document, split
from program import CONTROL, CliTest, cases_text, opconform, start

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "reports/report.schema.json").read_text(encoding="utf-8")))
HOSTILE = "</script><script>alert(1)</script> ]]> \x1b[31m \u202e | ` & \" ' \ufffe"
WRONG = document("DML_SPLIT", split("good"), split("wrong", expect=False) | {"expect": {"rejected": ["split.axis-range"]}},
                 split("hostile", expect=False) | {"says": HOSTILE, "expect": {"rejected": ["split.axis-range"]}})
FORMS = ("html", "markdown", "junit", "sarif")


def data_of(page):
    begin = page.index('id="report-data">') + len('id="report-data">')
    return json.loads(page[begin:page.index("</script>", begin)])


def copy_labelled(label, folder):
    """The committed cases of a label as a corpus of their own. Returns its files."""
    lines = (Path(program.corpus) / f"{label}.label").read_text(encoding="utf-8").splitlines()
    wanted = {}
    for line in lines:
        if line and not line.startswith("#"):
            file, case = line.split(" ", 1)
            wanted.setdefault(file, set()).add(case)
    for file, cases in wanted.items():
        whole = json.loads((Path(program.corpus) / file).read_text(encoding="utf-8"))
        whole["cases"] = [case for case in whole["cases"] if case["id"] in cases]
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(json.dumps(whole))
    return [folder / file for file in wanted]


class ResultsTest(CliTest):
    """Files of results, and reports of them."""

    def assert_clean(self, outcome):
        self.assertIsNone(CONTROL.search(outcome.out + outcome.err), outcome)

    def results_of(self, name, cases, *arguments, backend="reference", code=None):
        file = self.folder / f"{name}.json"
        outcome = opconform("run", self.write(f"{name}-cases.json", cases), "--backend", backend, "--json", file,
                            *arguments)
        if code is not None:
            self.assert_exit(code, outcome)
        return file

    def report_of(self, *files):
        outcome = opconform("report", *files, "--json", "-")
        self.assert_exit(0, outcome)
        SCHEMA.validate(outcome.json)
        return outcome.json

    def edited(self, file, **changes):
        document = json.loads(file.read_text(encoding="utf-8"))
        for key, value in changes.items():
            if value is ...:
                del document[key]
            else:
                document[key] = value
        self.edits = getattr(self, "edits", 0) + 1
        changed = self.folder / f"edited-{self.edits}-{file.name}"
        changed.write_text(json.dumps(document))
        return changed


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
        self.assertEqual("wrong", row["id"])
        self.assertEqual("DML_SPLIT", report["spec"]["operators"][row["operator"]]["name"])
        self.assertEqual("refusal", row["expect"])
        self.assertEqual(["missed-rejection"], [results["verdicts"][place] for place in row["verdicts"]])
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
        share = {"reached": 1, "reachable": 3, "percent": 33.3}
        shares = {"lines": share, "branches": share, "regions": share}
        files["code"].write_text(json.dumps({
            "kind": "code", "version": 1, "modules": [{"module": "spec", **shares, "files": [{"file": "spec/a.cpp", **shares}]}],
            "gaps": [{"file": "spec/a.cpp", "line": 3, "what": "line", "reason": "none"}]}))
        files["speed"].write_text(json.dumps({"kind": "speed", "cells": [
            {"cell": "copy", "ns": 10, "over_limit": 1.25, "times": {"ours": {"ns": 10}, "other": {"ns": 25.0}}}]}))
        files["mutation"].write_text(json.dumps({"kind": "mutation", "modules": {"reference": {"killed": 3, "survived": 1}}}))
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
            document["cases"] = document["cases"] + [one | {"id": f"{one['id']}/{turn}"} for one in cases]
            document["results"] = document["results"] + [one | {"case": f"{one['case']}/{turn}"} for one in results]
        file.write_text(json.dumps(document))
        page = self.folder / "page.html"
        begin = time.monotonic()
        self.assert_exit(0, opconform("report", file, "--html", page, timeout=60))
        self.assertLess(time.monotonic() - begin, 30)
        self.assertLess(page.stat().st_size, 3_000_000)
        shown = data_of(page.read_text(encoding="utf-8"))["results"]
        self.assertEqual(len(document["cases"]), len(shown["rows"]) + shown["left_out"])
        self.assertEqual(shown["summary"][0]["failed"], len(shown["failures"]) + shown["failures_left_out"])
        self.assertEqual(len(document["cases"]), shown["summary"][0]["cases"])

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

    def test_sarif_names_rule_and_file(self):
        file = self.folder / "r.sarif"
        cases = self.write("a case.json", WRONG)
        opconform("run", cases, "--sarif", file, "--backend", "reference")
        (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
        result = run["results"][0]
        self.assertEqual("split.axis-range", result["ruleId"])
        self.assertIn(result["ruleId"], [rule["id"] for rule in run["tool"]["driver"]["rules"]])
        self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("a%20case.json"))

    # Bad input

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
        outcome = opconform("report", file, "--junit", self.folder / "absent/junit.xml", "--html", page, "--markdown", "/dev/full")
        self.assert_exit(3, outcome)
        self.assertEqual(2, len(outcome.messages), outcome)
        self.assertTrue(page.exists())

    # Runs that end early

    def test_a_killed_run_leaves_what_it_had(self):
        cases = self.write("cases.json", document("DML_SPLIT", *(copy("INT64", [1, 2], name=f"a/{number}")
                                                                for number in range(100))))
        file = self.folder / "r.json"
        file.write_text("of an earlier run")
        process = start("run", cases, "--backend", "faulty:slow", "--json", file, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
        try:
            known = []
            end = time.monotonic() + 60
            while not known and time.monotonic() < end and process.poll() is None:
                time.sleep(0.05)
                text = file.read_text(encoding="utf-8")
                known = json.loads(text)["results"] if text.startswith("{") else []
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
        document_left = json.loads(file.read_text(encoding="utf-8"))
        self.assertTrue(document_left["interrupted"])
        self.assertTrue(0 < len(document_left["results"]) < 100, document_left["summary"])
        report = self.report_of(file)
        self.assertTrue(report["inputs"][0]["interrupted"])
        self.assertIn("**Interrupted**", opconform("report", file).out)

    def test_what_is_no_plain_file_is_written_once(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process = start("run", self.write("a.json", GOOD), "--json", pipe, stdout=subprocess.DEVNULL)
        text = pipe.read_text(encoding="utf-8")
        self.assertEqual(0, process.wait())
        self.assertNotIn("interrupted", json.loads(text))


class CompareTest(ResultsTest):
    def compare(self, *arguments):
        return opconform("compare", *arguments)

    def test_what_changed(self):
        before = self.results_of("before", WRONG)
        after = self.edited(before)
        document = json.loads(after.read_text(encoding="utf-8"))
        verdicts = {"good": "mismatch", "wrong": "pass"}
        for one in document["results"]:
            one["verdict"] = verdicts.get(one["case"], one["verdict"])
            one["rule"] = {"good": "split.copy", "hostile": "split.support"}.get(one["case"], one["rule"])
        document["results"].append(document["results"][0] | {"case": "more"})
        document["cases"].append(document["cases"][0] | {"id": "more"})
        after.write_text(json.dumps(document))
        outcome = self.compare(before, after)
        self.assert_exit(1, outcome)
        for line in ("3 cases in both, 1 regressed, 1 fixed, 1 different, 1 new", "split.copy: 1 regressed",
                     "split.axis-range: 1 fixed", "regressed: good: pass -> mismatch of split.copy",
                     "fixed: wrong: missed-rejection of split.axis-range -> pass",
                     "different: hostile: missed-rejection of split.axis-range -> missed-rejection of split.support"):
            self.assertIn(line, outcome.out)
        self.assert_clean(outcome)
        outcome = self.compare(before, after, "--json", "-")
        self.assertEqual({"regressed": 1, "lost": 0, "fixed": 1, "different": 1, "new": 1, "gone": 0},
                         outcome.json["comparisons"][0]["counts"])
        self.assert_exit(0, self.compare(before, before))
        backwards = self.compare(after, before)
        self.assert_exit(1, backwards)  # wrong was right
        self.assertIn("gone: more: was mismatch", backwards.out)

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


class CertifyTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cases = self.folder / "cases"
        self.cases.mkdir()
        self.files = copy_labelled("smoke", self.cases)
        (self.cases / "CHANGELOG.md").write_text("# Cases\n\n## 1.0.0\n\nThe first.\n")
        self.environment = {"OPCONFORM_SPEC_CASES": str(self.cases)}
        self.assert_exit(0, self.call("corpus", "update", "--version", "1.0.0"))
        self.page = self.folder / "certificate.html"

    def call(self, *arguments):
        return opconform(*arguments, env=self.environment, timeout=120)

    def test_a_certificate_and_its_verification(self):
        outcome = self.call("certify", "--cases", 3000, "--out", self.page, "--jobs", 2)
        self.assert_exit(0, outcome)
        report = data_of(self.page.read_text(encoding="utf-8"))
        SCHEMA.validate(report)
        certificate = report["certificate"]
        self.assertEqual("conforms", certificate["verdict"])
        self.assertEqual("1.0.0", certificate["corpus"]["version"])
        self.assertEqual(3000, certificate["figures"]["campaign"]["cases"])
        self.assertEqual(0, certificate["figures"]["cases"]["failed"])
        self.assertNotIn(str(self.folder), json.dumps([one["command"] for one in certificate["steps"][1:2]]).replace(str(self.cases), ""))

        outcome = self.call("certify", "--verify", self.page)
        self.assert_exit(0, outcome)
        self.assertIn("all agree", outcome.out)
        seed = outcome.out.split("sample seed ")[1].split(":")[0]
        self.assertEqual(outcome.out, self.call("certify", "--verify", self.page, "--sample-seed", seed).out)

        text = self.page.read_text(encoding="utf-8")
        bad = self.folder / "bad.html"
        bad.write_text(text.replace('"not_passed":[]', '"not_passed":[{"case":"%s","verdict":"mismatch"}]' % report["results"]["rows"][0][0]))
        outcome = self.call("certify", "--verify", bad)
        self.assert_exit(1, outcome)
        self.assertIn("differs: case", outcome.out)
        bad.write_text(text.replace('"inside":', '"inside":1'))
        self.assert_exit(1, self.call("certify", "--verify", bad))

        self.files[0].write_text(self.files[0].read_text() + " ")
        self.assert_exit(0, self.call("corpus", "update", "--version", "1.0.0"))
        outcome = self.call("certify", "--verify", self.page)
        self.assert_exit(2, outcome)
        self.assertIn("another corpus", outcome.err)

    def test_what_is_no_certificate(self):
        for name, text in (("a.html", "<p>"), ("b.json", "{}"), ("c.html", '<script type="application/json" id="report-data">{'),
                           ("d.json", '{"kind": "report"}'), ("e.json", '{"kind": "report", "certificate": 3}'),
                           ("f.json", '{"kind": "report", "certificate": {"backend": "reference"}}')):
            with self.subTest(name):
                outcome = self.call("certify", "--verify", self.write(name, text))
                self.assert_exit(2, outcome)
                self.assertIn(name, outcome.err)

    def test_figures_of_other_sources_or_of_unknown_ones_are_refused(self):
        for kind in ("mutation", "code"):
            for hash_, message in (({"sources_sha256": "0" * 64}, "other sources"), ({}, "sources_sha256")):
                with self.subTest(kind=kind, message=message):
                    file = self.write(f"{kind}.json", json.dumps({"kind": kind, "modules": {}} | hash_))
                    outcome = self.call("certify", "--with", file, "--out", self.page)
                    self.assert_exit(2, outcome)
                    self.assertIn(message, outcome.err)
