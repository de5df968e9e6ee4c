"""`opconform corpus`, and what runs of committed cases need: labels and repetitions."""
import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import program
from documents import document, gather, slice1, split
from program import CliTest, opconform


class CorpusTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cases = self.folder / "cases"
        self.write("cases/split/a.json", document("DML_SPLIT", split("one"), split("two")))
        self.write("cases/gather/b.json", document("ONNX_GATHER", gather("three")))
        self.write("cases/CHANGELOG.md", "# Changes\n\n## 1.1.0\n\nMore.\n\n## 1.0.0\n\nThe first.\n")
        self.assert_exit(0, opconform("corpus", "update", self.cases, "--version", "1.0.0"))

    def verify(self, *words):
        """The corpus is found to differ, and the message names `words`."""
        outcome = opconform("corpus", "verify", self.cases)
        self.assert_exit(1, outcome)
        for word in words:
            self.assertIn(word, outcome.err)
        return outcome

    def assert_not_updated(self, *arguments):
        before = (self.cases / "corpus.manifest").read_bytes()
        outcome = opconform("corpus", "update", self.cases, *arguments)
        self.assert_exit(1, outcome)
        self.assertEqual(before, (self.cases / "corpus.manifest").read_bytes())
        return outcome

    def test_what_was_taken_in_is_verified(self):
        outcome = opconform("corpus", "verify", self.cases)
        self.assert_exit(0, outcome)
        self.assertIn("corpus 1.0.0: 3 cases in 2 files, all as the manifest has them", outcome.out)
        manifest = json.loads((self.cases / "corpus.manifest").read_text())
        self.assertEqual({"one", "two", "three"}, set(manifest["cases"]))
        self.assertEqual({"gather/b.json", "split/a.json"}, set(manifest["files"]))

    def test_a_changed_case(self):
        changed = split("two")
        changed["desc"]["InputTensor"]["data"][0] = 99
        self.write("cases/split/a.json", document("DML_SPLIT", split("one"), changed))
        outcome = self.verify("case two has changed", "file split/a.json has changed")
        self.assertNotIn("case one", outcome.err)
        self.assertIn("case two has changed", self.assert_not_updated("--version", "1.1.0").err)

    def test_a_number_written_otherwise_is_a_change(self):
        text = (self.cases / "split/a.json").read_text().replace("10", "1e1", 1)
        self.write("cases/split/a.json", text)
        outcome = opconform("corpus", "verify", self.cases)
        self.assertNotEqual(0, outcome.code)

    def test_layout_and_order_of_keys_are_no_change_of_a_case(self):
        text = json.loads((self.cases / "split/a.json").read_text())
        text["cases"] = [dict(reversed(one.items())) for one in text["cases"]]
        self.write("cases/split/a.json", json.dumps(text, indent=7))
        outcome = self.verify("file split/a.json has changed")
        self.assertNotIn("case one", outcome.err)
        self.assert_exit(0, opconform("corpus", "update", self.cases, "--version", "1.0.0"))
        self.assert_exit(0, opconform("corpus", "verify", self.cases))

    def test_a_case_that_is_gone_needs_a_successor(self):
        self.write("cases/split/a.json", document("DML_SPLIT", split("one"), split("better")))
        self.verify("case two is gone", "case better is not in the manifest")
        self.assertIn("case two is gone", self.assert_not_updated("--version", "1.1.0").err)
        self.assertIn("no-such", self.assert_not_updated("--version", "1.1.0", "--supersede", "two=no-such").err)
        self.assert_exit(0, opconform("corpus", "update", self.cases, "--version", "1.1.0", "--supersede", "two=better"))
        outcome = opconform("corpus", "verify", self.cases)
        self.assert_exit(0, outcome)
        self.assertIn("corpus 1.1.0", outcome.out)
        # It is remembered, and cannot come back.
        self.write("cases/split/c.json", document("DML_SPLIT", split("two")))
        self.verify("case two is superseded but still there")

    def test_a_file_that_is_gone(self):
        (self.cases / "gather/b.json").unlink()
        self.verify("case three is gone", "file gather/b.json is gone")

    def test_new_cases_need_a_new_version_that_the_changelog_tells_of(self):
        self.write("cases/split/c.json", document("DML_SPLIT", split("four")))
        self.assertIn("version 1.0.0", self.assert_not_updated("--version", "1.0.0").err)
        self.assertIn("CHANGELOG.md", self.assert_not_updated("--version", "2.0.0").err)
        self.assertIn("CHANGELOG.md", self.assert_not_updated("--version", "1.1").err)
        self.assert_exit(0, opconform("corpus", "update", self.cases, "--version", "1.1.0"))

    def test_a_version_before_that_of_the_manifest(self):
        self.write("cases/CHANGELOG.md", "# Changes\n\n## 1.10.0\n\n## 1.9.0\n\n## 1.1\n\n## next\n\n## 1.0.0\n")
        self.write("cases/split/c.json", document("DML_SPLIT", split("four")))
        self.assert_exit(0, opconform("corpus", "update", self.cases, "--version", "1.10.0"))
        before = (self.cases / "corpus.manifest").read_bytes()
        for version in ("1.9.0", "1.1", "0"):
            with self.subTest(version):
                outcome = opconform("corpus", "update", self.cases, "--version", version)
                self.assert_exit(2, outcome)
                self.assertIn(f"corpus.manifest: /version: is 1.10.0, but --version is {version}: ", outcome.err)
                self.assertEqual(before, (self.cases / "corpus.manifest").read_bytes())
        for version in ("next", "", "1.", ".1", "1.10.0 ", "-1", "99999999999999999999"):
            self.assertIn("--version", self.assert_bad_usage("corpus", "update", self.cases, "--version=" + version).err)

    def test_a_manifest_whose_version_is_none(self):
        file = self.cases / "corpus.manifest"
        file.write_text(file.read_text().replace("1.0.0", "first"))
        outcome = opconform("corpus", "update", self.cases, "--version", "1.1.0")
        self.assert_exit(2, outcome)
        self.assertIn('corpus.manifest: /version: "first" is no version', outcome.err)

    def test_a_bad_case_is_not_taken_in(self):
        self.write("cases/split/c.json", document("DML_SPLIT", split("four", unknown=1)))
        self.assert_exit(2, opconform("corpus", "update", self.cases, "--version", "1.1.0"))
        self.assert_exit(2, opconform("corpus", "grow", self.cases))

    def test_bad_manifests(self):
        for text, word in (("", "JSON"), ("[]", "object"), ("{", "JSON"), ('{"version": 1}', "version"),
                           ('{"version": "1", "files": {}, "cases": {}}', "superseded"),
                           ('{"version": "1", "superseded": {}, "files": {}, "cases": {"one": 1}}', "/cases/one"),
                           ('{"version": "1", "superseded": {}, "files": [], "cases": {}}', "files"),
                           ('{"version": "1", "superseded": {}, "files": {}, "cases": {}, "x": 1}', "x")):
            with self.subTest(text):
                self.write("cases/corpus.manifest", text)
                outcome = opconform("corpus", "verify", self.cases)
                self.assert_exit(2, outcome)
                self.assertIn("corpus.manifest", outcome.err)
                self.assertIn(word, outcome.err)

    def test_no_manifest_no_folder_no_action(self):
        (self.cases / "corpus.manifest").unlink()
        self.assert_exit(2, opconform("corpus", "verify", self.cases))
        self.assert_exit(2, opconform("corpus", "verify", self.folder / "none"))
        self.assert_bad_usage("corpus")
        self.assert_bad_usage("corpus", "shrink")
        self.assert_bad_usage("corpus", "update", self.cases)
        self.assert_bad_usage("corpus", "update", self.cases, "--version", "1.1.0", "--supersede", "two")


class GeneratedFilesTest(CliTest):
    HEADER = {"by": "a test", "seed": 7, "corpus": "1.0.0", "cases": 1, "hunts": "nothing"}

    def verdicts(self, header, *cases):
        file = self.write("a.json", document("DML_SPLIT", *cases, generated=header))
        return file, self.run_cases(file)

    def test_a_header_changes_no_verdict(self):
        for seed in (7, None, "unknown", [7, 2**64 - 1]):
            header = self.HEADER | {"seed": seed}
            _, outcome = self.verdicts(header, split("one", factors={"rank": "1", "axis": "0"}))
            self.assert_exit(0, outcome)
            self.assertEqual({"one": "pass"}, outcome.verdicts())

    def test_bad_headers(self):
        for change, place, value in (({"cases": 2}, "/generated/cases", "2"), ({"cases": 0}, "/generated/cases", "0"),
                                     ({"cases": "1"}, "/generated/cases", "1"), ({"seed": -1}, "/generated/seed", "-1"),
                                     ({"seed": "7"}, "/generated/seed", "7"), ({"seed": [7]}, "/generated/seed", "two"),
                                     ({"seed": [7, 7]}, "/generated/seed", "once"),
                                     ({"seed": [7, None]}, "/generated/seed/1", "null"),
                                     ({"by": ""}, "/generated/by", "empty"), ({"hunts": 1}, "/generated/hunts", "1"),
                                     ({"factors": ["rank", "axis", "rank"]}, "/generated/factors", "rank"),
                                     ({"more": 1}, "/generated/more", "more")):
            with self.subTest(change):
                file, outcome = self.verdicts(self.HEADER | change, split("one"))
                self.assert_exit(2, outcome)
                self.assertIn(f"{file}: {place}: ", outcome.err)
                self.assertIn(value, outcome.err)
        for missing in self.HEADER:
            with self.subTest(missing):
                _, outcome = self.verdicts({key: value for key, value in self.HEADER.items() if key != missing}, split("one"))
                self.assert_exit(2, outcome)
                self.assertIn(f'/generated: lacks "{missing}"', outcome.err)

    def test_bad_factors(self):
        for factors, place in (([], "/cases/0/factors"), (["1"], "/cases/0/factors"), ("1", "/cases/0/factors"),
                               ({"rank": 1}, "/cases/0/factors/rank")):
            file = self.write("a.json", document("DML_SPLIT", split("one", factors=factors)))
            outcome = self.run_cases(file)
            self.assert_exit(2, outcome)
            self.assertIn(f"{file}: {place}: ", outcome.err)

    def test_factors_that_the_header_names(self):
        header = self.HEADER | {"factors": ["rank", "axis"]}
        file, _ = self.verdicts(header, split("one", factors=["1", "0"]))
        self.assertRegex(opconform("show", "one", file).out, r"factors\n  rank  1\n  axis  0\n")
        for factors, place in ((["1"], "/cases/0/factors"), (["1", 0], "/cases/0/factors/1")):
            file, outcome = self.verdicts(header, split("one", factors=factors))
            self.assert_exit(2, outcome)
            self.assertIn(f"{file}: {place}: ", outcome.err)

    def test_growth_is_written_one_case_a_line(self):
        """A corpus of one operator's int8 combinations less a few, which come back in the form of the rest."""
        folder = self.folder / "cases"
        source = Path(program.corpus)
        for path in source.rglob("*.json"):
            if path.name.endswith(".schema.json"):
                continue
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_text().splitlines(keepends=True)
            if path.name == "combinations-int8.json" and path.parent.parent.name == "slice1":
                document_ = json.loads("".join(lines))
                del document_["cases"][-3:]
                document_["generated"]["cases"] -= 3
                target.write_text(json.dumps(document_))
            else:
                shutil.copyfile(path, target)  # no link: what grows is written through it
        outcome = opconform("corpus", "grow", folder, "--seed", "5", "--version", "9.9.9", timeout=120)
        self.assert_exit(0, outcome)
        grown = [path for path in folder.rglob("*.json") if '"9.9.9"' in path.read_text()]
        self.assertTrue(grown)
        before = {line.rstrip(",") for line in
                  (source / "slice1/generated/combinations-int8.json").read_text().splitlines()[3:-4]}
        for path in grown:
            self.assertEqual("generated", path.parent.name)
            text = path.read_text()
            header = json.loads(text)["generated"]
            self.assertEqual(("opconform corpus grow", [1, 5]), (header["by"], header["seed"]))
            self.assertEqual(header["cases"], len(json.loads(text)["cases"]))
            self.assertEqual(header["cases"] + 4, text.count("\n"))
            if path.name == "combinations-int8.json":
                self.assertLessEqual(before, {line.rstrip(",") for line in text.splitlines()})
        self.assert_exit(0, opconform("validate", *grown))


class LabelTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.json", document("DML_SPLIT", split("one"), split("two")))
        self.write("b/c.json", document("DML_SLICE1", slice1("three")))
        self.write("broken.json", "{")  # not read, as no label names it

    def test_cases_of_a_label(self):
        self.write("smoke.label", "# why\na.json two\n\nb/c.json three\n")
        outcome = self.run_cases(self.folder, "--label", "smoke")
        self.assert_exit(0, outcome)
        self.assertEqual({"two": "pass", "three": "pass"}, outcome.verdicts())

    def test_bad_labels(self):
        for text, word in (("a.json four\n", "four"), ("a.json\n", "line 1"), ("# none\n", "names no case"),
                           ("none.json one\n", "none.json"), (" one\n", "line 1"), ("a.json \n", "line 1")):
            with self.subTest(text):
                self.write("smoke.label", text)
                outcome = opconform("run", self.folder, "--label", "smoke")
                self.assert_exit(2, outcome)
                self.assertIn(word, outcome.err)
        self.assert_exit(2, opconform("run", self.folder, "--label", "other"))
        self.assert_exit(2, opconform("run", self.folder, "--label", "../smoke"))
        self.assert_exit(2, opconform("run", self.folder, self.folder, "--label", "smoke"))


class LargeCasesTest(CliTest):
    """A file can have a label: its cases are then left out unless they are asked for."""

    def setUp(self):
        super().setUp()
        self.write("a.json", document("DML_SPLIT", split("one")))
        self.large = self.write("b/large.json", document("DML_SPLIT", split("two"), split("three"), label="large"))
        self.write("b/huge.json", document("DML_SLICE1", slice1("four"), label="huge"))

    def test_a_folder_is_run_without_them(self):
        outcome = self.run_cases(self.folder)
        self.assert_exit(0, outcome)
        self.assertEqual({"one": "pass"}, outcome.verdicts())
        said = opconform("run", self.folder).out
        self.assertIn("2 cases left out: --label large runs them\n1 case left out: --label huge runs it\n", said)
        self.assertNotIn("left out", opconform("run", self.folder, "--quiet").out)
        self.assertNotIn("huge", opconform("run", self.folder, "--operator", "split").out)
        self.assertNotIn("left out", opconform("run", self.large).out)

    def test_they_are_run_by_their_label_or_by_the_name_of_their_file(self):
        for words, ids in (((self.folder, "--label", "large"), {"two", "three"}), ((self.folder, "--label", "huge"), {"four"}),
                           ((self.large,), {"two", "three"}), ((self.folder, self.large), {"one", "two", "three"}),
                           ((self.large, "--label", "large"), {"two", "three"})):
            with self.subTest(words):
                outcome = self.run_cases(*words)
                self.assert_exit(0, outcome)
                self.assertEqual(ids, set(outcome.verdicts()))

    def test_other_commands(self):
        self.assertEqual(["one"], [line.split()[0] for line in opconform("list", self.folder).out.splitlines()])
        self.assertEqual(["four"], [line.split()[0] for line in
                                    opconform("list", self.folder, "--label", "huge").out.splitlines()])
        self.assert_exit(0, opconform("show", "four", self.folder))
        self.assertEqual(4, len(opconform("validate", self.folder).out.splitlines()))
        outcome = opconform("run", self.folder, "--filter", "t*")
        self.assert_exit(2, outcome)
        self.assertIn("--label large", outcome.err)

    def test_wrong_labels(self):
        self.write("c.json", document("DML_SPLIT", split("five"), label="slow"))
        outcome = opconform("run", self.folder)
        self.assert_exit(2, outcome)
        self.assertIn('c.json: /label: "slow"', outcome.err)
        self.assertIn("large", outcome.err)
        self.write("c.json", document("DML_SPLIT", split("two")))
        outcome = opconform("run", self.folder)
        self.assert_exit(2, outcome)
        self.assertIn('"two" stands also in', outcome.err)
        empty = self.folder / "b" / "none"
        empty.mkdir()
        (empty / "d.json").write_text((self.folder / "a.json").read_text())
        outcome = opconform("run", empty, "--label", "large")
        self.assert_exit(2, outcome)
        self.assertIn("no case file has the label large", outcome.err)


class RepeatTest(CliTest):
    def test_repetitions_are_counted(self):
        file = self.write("a.json", document("DML_SPLIT", split("one"), split("two")))
        outcome = opconform("run", file, "--repeat", "9")
        self.assert_exit(0, outcome)
        self.assertIn("9 repetitions, 0 verdicts changed", outcome.out)
        repetitions = self.run_cases(file, "--repeat", "3").json["repetitions"]
        self.assertEqual({"done": 3, "changed": []}, repetitions)

    def test_a_verdict_that_changes(self):
        file = self.write("a.json", document("DML_SPLIT", *(
            split(f"wide/{i}", expect=False) | {"desc": {
                "Axis": 0, "InputTensor": {"DataType": "UINT64", "Sizes": [1], "data": [7]},
                "OutputTensors": [{"DataType": "UINT64", "Sizes": [1]}]}} for i in range(50))))
        junit, results = self.folder / "j.xml", self.folder / "r.json"
        outcome = opconform("run", file, "--backend", "faulty:sometimes", "--repeat", "30", "--junit", junit, "--json", results)
        self.assert_exit(1, outcome)
        self.assertIn("verdict changed: wide/", outcome.err)
        self.assertIn("pass, and mismatch with --seed", outcome.err)
        # What reads the results alone must not take it for a success.
        failed = [one for one in json.loads(results.read_text())["results"] if one["verdict"] == "mismatch"]
        changed = [one for one in failed if one["message"].startswith("not always: ")]
        self.assertNotEqual([], changed)
        self.assertRegex(changed[0]["repro"], r" --seed \d+ --jobs \d+$")
        self.assertEqual(len(failed), len(ElementTree.parse(junit).getroot().findall(".//failure")))

    def test_bad_numbers(self):
        for number in ("0", "-1", "1.5", "x", "99999999999999999999"):
            self.assert_bad_usage("run", Path(program.spec_cases) / "documents", "--repeat", number)
