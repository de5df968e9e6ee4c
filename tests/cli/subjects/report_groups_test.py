"""Groups of failures on their way from results to every form of a report."""
import copy
import json
import xml.etree.ElementTree as ElementTree

from documents import document, split
from program import opconform
from results import FILES, HOSTILE, SCHEMA, WRONG, ResultsTest, demand_schema

SHARED = "traits integers texts whole_numbers common failing_case picture tensor sources".split()

TENSORS = [
    {"name": "InputTensor", "role": "input", "data_type": "INT32", "sizes": [4], "strides": [1], "from": [0], "shown": [4],
     "elements": ["10", "11", "12", "13"]},
    {"name": "OutputTensors[1]", "role": "output", "data_type": "INT32", "sizes": [3], "strides": [2], "from": [1], "shown": [2],
     "elements": ["11", "12"], "expected": ["12", "any"], "wrong": [0], "origin": [{"at": 0, "tensor": "InputTensor", "element": [1]}],
     "due": [{"at": 0, "tensor": "InputTensor", "element": [2]}],
     "memory": {"first": -1, "bytes_per_cell": 4, "cells": ["guard", "element 0", "gap", "element 1"], "wrong": [2]}},
]  # fmt: skip

GROUP = {
    "backend": "reference", "verdict": "missed-rejection", "rule": "split.partition", "says": "takes what is split for whole",
    "explanation": "whole", "failures": 2, "explained": 2, "contradicted": 1,
    "common": {"text": "DML_SPLIT, axis 7", "conditions": ["DML_SPLIT", "axis 7"], "failing": 2, "failing_all": 2, "passing": 0,
               "passing_all": 1},
    "example": {"case": document("DML_SPLIT", split("smallest")), "message": "found 11", "shrunk": True, "picture": {"tensors": TENSORS}},
}  # fmt: skip


class ReportGroupsTest(ResultsTest):
    def grouped(self, *groups, name="r", cases=WRONG):
        """Results whose failures are in these groups, by turns."""
        file = self.results_of(name, cases, code=1)
        results = json.loads(file.read_text(encoding="utf-8"))["results"]
        failing = [one for one in results if one["verdict"] != "pass"]
        for i, one in enumerate(failing):
            one["group"] = i % len(groups)
        return self.edited(file, results=results, groups=list(groups))

    def forms_of(self, file):
        files = {form: self.folder / f"out.{form}" for form in ("markdown", "junit", "sarif", "html")}
        self.assert_exit(0, opconform("report", file, *(word for form, name in files.items() for word in (f"--{form}", name))))
        return {form: name.read_text(encoding="utf-8") for form, name in files.items()}

    def test_schemas_agree(self):
        for name in SHARED:
            self.assertEqual(FILES["$defs"][name], SCHEMA.schema["$defs"][name], name)

    def test_groups_come_through_as_they_are(self):
        file = self.grouped(GROUP)
        demand_schema(json.loads(file.read_text(encoding="utf-8")))
        results = self.report_of(file)["results"]
        self.assertEqual([GROUP], results["groups"])
        missed = results["verdicts"].index("missed-rejection")
        self.assertEqual([[0], [[missed, 0]], [[missed, 0]]], [row[-1] for row in results["rows"]])

    def test_failures_are_counted_anew_and_the_largest_group_comes_first(self):
        other = GROUP | {"says": "another", "failures": 7}
        none = GROUP | {"says": "of no failure"}
        cases = document("DML_SPLIT", *(split(f"wrong{i}", expect=False) | {"expect": {"rejected": ["split.axis-range"]}} for i in range(5)))
        file = self.grouped(other, GROUP, cases=cases)
        document_read = json.loads(file.read_text(encoding="utf-8"))
        for one in document_read["results"][:1]:
            one["group"] = 1
        results = self.report_of(self.edited(file, results=document_read["results"], groups=[other, GROUP, none]))["results"]
        self.assertEqual([(GROUP["says"], 3), ("another", 2)], [(one["says"], one["failures"]) for one in results["groups"]])
        self.assertEqual([0, 0, 1, 0, 1], [row[-1][0][1] for row in results["rows"]])

    def test_without_groups_they_are_made_by_verdict_and_rule(self):
        whole = json.loads(self.results_of("r", WRONG, code=1).read_text(encoding="utf-8"))
        whole.pop("groups", None)
        for one in whole["results"]:
            one.pop("group", None)
        whole["results"][1]["shrunk"] = {"case": document("DML_SPLIT", split("small")), "message": "small"}
        results = self.report_of(self.write("none.json", json.dumps(whole)))["results"]
        [group] = results["groups"]
        self.assertEqual(("missed-rejection", "split.axis-range", 2, ""), tuple(group[key] for key in ("verdict", "rule", "failures", "says")))
        self.assertNotIn("explained", group, "nobody asked why")
        self.assertEqual({"case": document("DML_SPLIT", split("small")), "message": "small", "shrunk": True}, group["example"])

    def test_the_same_breach_in_two_files_is_one_group(self):
        second = copy.deepcopy(WRONG)
        for one in second["cases"]:
            one["id"] += "-2"
        other = GROUP | {"common": GROUP["common"] | {"passing_all": 40}}
        files = self.grouped(GROUP, name="a"), self.grouped(other, name="b", cases=second)
        [group] = self.report_of(*files)["results"]["groups"]
        self.assertEqual((4, 4, 2), tuple(group[key] for key in ("failures", "explained", "contradicted")))
        self.assertEqual({"failing": 4, "passing_all": 41}, {key: group["common"][key] for key in ("failing", "passing_all")})
        other = GROUP | {"common": GROUP["common"] | {"text": "something else"}}
        [group] = self.report_of(files[0], self.grouped(other, name="c", cases=second))["results"]["groups"]
        self.assertNotIn("common", group, "what is true of each is not true of both")
        # What one file tells apart stays apart.
        self.assertEqual(2, len(self.report_of(self.grouped(GROUP, GROUP, name="d"))["results"]["groups"]))

    def test_every_form_shows_them(self):
        forms = self.forms_of(self.grouped(GROUP))
        line = "takes what is split for whole; split.partition; 2 failures; in common: DML_SPLIT, axis 7"
        self.assertIn("- **takes what is split for whole**, `split.partition` by reference: 2 failures (missed-rejection), 2 explained exactly", forms["markdown"])
        self.assertIn("in common: DML\\_SPLIT, axis 7 (2 of 2 failures, 0 of 1 passes)", forms["markdown"])
        self.assertIn("  ```json\n  " + json.dumps(GROUP["example"]["case"], separators=(",", ":")) + "\n  ```\n", forms["markdown"])
        failure = ElementTree.fromstring(forms["junit"]).find(".//failure")
        self.assertTrue(failure.get("message").startswith("takes what is split for whole: "))
        self.assertIn(f"group: {line}\n", failure.text)
        result = json.loads(forms["sarif"])["runs"][0]["results"][0]
        self.assertEqual("split.partition", result["ruleId"])
        self.assertIn("wrong: missed-rejection: takes what is split for whole: ", result["message"]["text"])

    def test_an_alert_stays_the_same_whatever_its_group(self):
        prints = []
        for group in (GROUP, GROUP | {"says": "", "rule": "", "explanation": "", "explained": 0, "rules_shown": ["split.axis-range"]}):
            results = json.loads(self.forms_of(self.grouped(group))["sarif"])["runs"][0]["results"]
            prints.append([one["partialFingerprints"] for one in results])
        self.assertEqual(prints[0], prints[1])
        self.assertEqual({"caseAndImplementation/v1": "wrong on reference"}, prints[0][0])
        self.assertIn("nothing explains it; all its cases show split.axis-range", results[0]["message"]["text"])

    def test_where_the_verdict_says_it_all_nothing_is_called_unexplained(self):
        group = GROUP | {"verdict": "memory-fault", "says": "", "rule": "tensor.outside-intact", "explanation": "", "explained": 0}
        forms = self.forms_of(self.grouped(group))
        self.assertIn("- **memory-fault**, `tensor.outside-intact`", forms["markdown"])
        for form in ("markdown", "junit", "sarif"):
            self.assertNotIn("nothing explains it", forms[form])

    def test_compare_names_the_same_rule(self):
        file = self.grouped(GROUP)
        by_compare = opconform("compare", file, file, "--sarif", "-").json["runs"][0]["results"]
        by_report = json.loads(self.forms_of(file)["sarif"])["runs"][0]["results"]
        self.assertEqual([one["ruleId"] for one in by_report], [one["ruleId"] for one in by_compare])

    def test_hostile_words_are_text(self):
        words = {key: HOSTILE for key in ("says", "rule", "explanation")}
        tensors = [TENSORS[0] | {"name": HOSTILE, "elements": [HOSTILE] * 4}]
        example = GROUP["example"] | {"message": HOSTILE, "picture": {"tensors": tensors}}
        common = GROUP["common"] | {"text": HOSTILE, "conditions": [HOSTILE]}
        forms = self.forms_of(self.grouped(GROUP | words | {"example": example, "common": common, "rules_shown": [HOSTILE]}))
        for form, text in forms.items():
            self.assertNotIn("\x1b", text, form)
            self.assertNotIn("\u202e", text.split('id="report-data">')[0], form)
        self.assertNotIn("alert(1)</script>", forms["html"])
        self.assertIn("</script>", ElementTree.fromstring(forms["junit"]).find(".//failure").text)

    def test_wrong_fields_are_told_with_their_place(self):
        def changed(path, value):
            group = copy.deepcopy(GROUP)
            at = group
            for step in path[:-1]:
                at = at[step]
            if value is ...:
                del at[path[-1]]
            else:
                at[path[-1]] = value
            return group

        picture = ("example", "picture", "tensors")
        for path, value, place, words in (
            (("backend",), 1, "/groups/0/backend", "must be a string"),
            (("verdict",), "splendid", "/groups/0/verdict", "splendid"),
            (("rule",), ..., "/groups/0", 'lacks "rule"'),
            (("says",), None, "/groups/0/says", "must be a string"),
            (("failures",), -1, "/groups/0/failures", "whole number"),
            (("explained",), 3, "/groups/0/explained", "no more than"),
            (("contradicted",), "2", "/groups/0/contradicted", "whole number"),
            (("rules_shown",), [1], "/groups/0/rules_shown", "array of strings"),
            (("common",), [], "/groups/0/common", "object"),
            (("common", "conditions"), "all", "/groups/0/common/conditions", "array"),
            (("common", "passing_all"), 1.5, "/groups/0/common/passing_all", "whole number"),
            (("example", "case"), 1, "/groups/0/example/case", "object"),
            (("example", "shrunk"), 1, "/groups/0/example/shrunk", "true or false"),
            (("example", "picture"), {}, "/groups/0/example/picture", "tensors"),
            ((*picture, 0, "role"), "bystander", "tensors/0/role", "bystander"),
            ((*picture, 0, "strides"), [1, 2], "tensors/0/strides", "must have 1"),
            ((*picture, 0, "from"), [-1], "tensors/0/from", "whole numbers from 0"),
            ((*picture, 0, "from"), [1], "tensors/0/shown", "beyond"),
            ((*picture, 0, "shown"), [2**64 - 1], "tensors/0/shown", "beyond"),
            ((*picture, 0, "elements"), ["10"], "tensors/0/elements", "must have the 4"),
            ((*picture, 1, "expected"), [1, 2], "tensors/1/expected", "array of strings"),
            ((*picture, 1, "wrong"), [2], "tensors/1/wrong", "below 2"),
            ((*picture, 1, "origin", 0, "at"), 2, "tensors/1/origin/0/at", "below 2"),
            ((*picture, 1, "origin", 0, "tensor"), "Other", "tensors/1/origin/0/tensor", "Other"),
            ((*picture, 1, "due", 0, "element"), [4], "tensors/1/due/0/element", "no element"),
            ((*picture, 1, "due", 0, "element"), [], "tensors/1/due/0/element", "no element"),
            ((*picture, 1, "memory", "first"), "0", "memory/first", "whole number"),
            ((*picture, 1, "memory", "cells"), ["hole"], "memory/cells", "hole"),
            ((*picture, 1, "memory", "wrong"), [4], "memory/wrong", "below 4"),
        ):
            with self.subTest(path=path, value=value):
                file = self.grouped(changed(path, value))
                outcome = opconform("report", file)
                self.assert_exit(2, outcome)
                self.assertIn(file.name, outcome.err)
                self.assertIn(place, outcome.err)
                self.assertIn(words, outcome.err)
                self.assert_clean(outcome)

    def test_a_failure_in_no_group_of_its_file_is_an_error(self):
        file = self.grouped(GROUP)
        results = json.loads(file.read_text(encoding="utf-8"))["results"]
        for group, words in ((1, '"groups" has 1 entries'), (-1, "whole number"), ("0", "whole number")):
            with self.subTest(group):
                outcome = opconform("report", self.edited(file, results=[*results[:1], results[1] | {"group": group}]))
                self.assert_exit(2, outcome)
                self.assertIn("/results/1/group", outcome.err)
                self.assertIn(words, outcome.err)
        outcome = opconform("report", self.edited(file, groups=[GROUP | {"backend": "optimized"}]))
        self.assert_exit(2, outcome)
        self.assertIn("of another implementation", outcome.err)
