"""`opconform run --coverage` and `opconform coverage`: collecting, merging, judging, bad files."""
import json
import os

import program
from documents import GOOD, document, gather, scatter, slice1, split
from program import CliTest, opconform

MIXED = document("DML_SPLIT", split("a/1"), split("a/2", source={"document": "DML_SPLIT_OPERATOR_DESC"}),
                 split("b/1", expect=False))
SHARDS = 100


class CoverageTest(CliTest):
    def collect(self, name, *arguments, code=0):
        file = self.folder / name
        outcome = opconform("run", *arguments, "--coverage", file)
        self.assert_exit(code, outcome)
        return file

    def figures(self, *arguments):
        outcome = opconform("coverage", *arguments, "--json", "-")
        self.assert_exit(0, outcome)
        return outcome.json

    def bins(self, file):
        """{group: {bin: {counter: number}}}"""
        return {group["group"]: {entry.pop("bin"): entry for entry in group["bins"]}
                for group in json.loads(file.read_text())["groups"]}


class Collecting(CoverageTest):
    def test_file(self):
        file = self.collect("c.json", self.write("a.json", MIXED))
        written = json.loads(file.read_text())
        self.assertEqual({"kind", "version", "program", "model", "cases", "groups", "combinations"}, set(written))
        self.assertRegex(written["program"], r"^opconform \d+\.\d+\.\d+$")
        self.assertEqual({"documented": {"accepted": 1}, "curated": {"accepted": 2}}, written["cases"])
        bins = self.bins(file)
        self.assertEqual({"split.partition shown": {"documented": 1, "curated": 2}}, bins["rules/split/semantics"])
        self.assertEqual({"6_4 INT32 rank 1": {"cases": 3}}, bins["support/split/inside"])
        self.assertEqual({"rank 1 axis 0": {"cases": 3}}, bins["axis/split/position"])

    def test_rejections(self):
        broken = split("broken", expect=False) | {"expect": {"rejected": ["split.axis-range"]}}
        broken["desc"]["Axis"] = 1
        bins = self.bins(self.collect("c.json", self.write("a.json", document("DML_SPLIT", broken))))
        self.assertEqual({"rules/split/constraint": {"split.axis-range broken": {"curated": 1}}}, bins)

    def test_does_not_depend_on_how_it_runs(self):
        whole = self.collect("whole.json", program.spec_cases).read_bytes()
        for arguments in (["--jobs", "4"], ["--backend", "optimized"], ["--seed", "7"], ["--strict-gaps"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(whole, self.collect("c.json", program.spec_cases, *arguments).read_bytes())

    def test_does_not_depend_on_isolation(self):
        few = (program.spec_cases, "--filter", "*split*")
        self.assertEqual(self.collect("here.json", *few).read_bytes(),
                         self.collect("isolated.json", *few, "--isolate", "--jobs", "3").read_bytes())

    def test_operators_by_their_contents(self):
        for operator, case, group, name in (
                ("DML_SCATTER", scatter(), "index/scatter", "INT32 distinct"),
                ("DML_SLICE1", slice1(), "stride/slice1/InputWindowStrides", "negative 1"),
                ("ONNX_GATHER", gather(indices=(-1, 0)), "index/gather", "int64 mixed-sign")):
            if operator == "ONNX_GATHER":
                case["expect"]["outputs"]["output"] = [7, 5]
            with self.subTest(operator=operator):
                bins = self.bins(self.collect("c.json", self.write("a.json", document(operator, case))))
                self.assertIn(name, bins[group])

    def test_failing_cases_count_too(self):
        wrong = split(expect=False) | {"expect": {"outputs": {"OutputTensors": [[1], [1, 1, 1]]}}}
        file = self.collect("c.json", self.write("a.json", document("DML_SPLIT", wrong)), code=1)
        self.assertIn("rules/split/semantics", self.bins(file))

    def test_bad_input_beside_good(self):
        file = self.collect("c.json", self.write("bad.json", "{"), self.write("good.json", GOOD), code=2)
        self.assertEqual({"curated": {"accepted": 1}}, json.loads(file.read_text())["cases"])

    def test_targets(self):
        cases = self.write("a.json", GOOD)
        self.assert_bad_usage("run", cases, "--coverage", "-")
        self.assert_bad_usage("run", cases, "--coverage", "")
        outcome = opconform("run", cases, "--coverage", self.folder / "none" / "c.json")
        self.assert_exit(3, outcome)
        self.assertIn("there is no folder", outcome.err)
        if os.path.exists("/dev/full"):
            self.assert_exit(3, opconform("run", cases, "--coverage", "/dev/full"))


class Merging(CoverageTest):
    def test_a_hundred_shards_are_one_run(self):
        whole = self.collect("whole.json", program.spec_cases, "--backend", "reference")
        shards = [self.collect(f"{i}.json", program.spec_cases, "--backend", "reference", "--shard", f"{i}/{SHARDS}")
                  for i in range(1, SHARDS + 1)]
        merged = self.folder / "merged.json"
        outcome = opconform("coverage", *reversed(shards), "--output", merged)
        self.assert_exit(0, outcome)
        self.assertEqual(whole.read_bytes(), merged.read_bytes())
        self.assertEqual(opconform("coverage", whole).out, outcome.out)
        # Also by way of files that were merged before.
        halves = [self.folder / "first.json", self.folder / "second.json"]
        for half, files in zip(halves, (shards[:50], shards[50:])):
            self.assert_exit(0, opconform("coverage", *files, "--output", half))
        self.assertEqual(whole.read_bytes(), opconform("coverage", *halves, "--output", "-").bytes_out)

    def test_other_models_name_both_files(self):
        own = self.collect("own.json", self.write("a.json", GOOD))
        other = self.write("other.json", json.dumps(json.loads(own.read_text()) | {"model": "0" * 16}))
        for files in ((own, other), (other, own)):
            outcome = opconform("coverage", *files)
            self.assert_exit(2, outcome)
            self.assertEqual("", outcome.out)
            for file in files:
                self.assertIn(str(file), outcome.err)
        outcome = opconform("coverage", other)
        self.assert_exit(2, outcome)
        self.assertIn("this program", outcome.err)


class Judging(CoverageTest):
    def setUp(self):
        super().setUp()
        self.file = self.collect("c.json", self.write("a.json", MIXED))

    def test_table(self):
        outcome = opconform("coverage", self.file)
        self.assert_exit(0, outcome)
        self.assertRegex(outcome.out, r"(?m)^group +reached +reachable +percent +impossible$")
        self.assertRegex(outcome.out, r"(?m)^layout/split/OutputTensors +1 +5 +20\.0 +2$")
        self.assertRegex(outcome.out, r"(?m)^total +\d+ +\d+ +\d+\.\d +\d+$")
        self.assertRegex(outcome.out, r"(?m)^rules/split/semantics +1 +1 +0$")
        self.assertIn("1 documented cases: 1 with a result", outcome.out)
        self.assertEqual("", outcome.err)

    def test_missing(self):
        text = opconform("coverage", self.file, "--missing", "--group", "layout/split/*").out
        self.assertIn("not reached: layout/split/OutputTensors: permuted\n", text)
        self.assertIn("impossible: layout/split/OutputTensors: broadcast: tensor.output-no-overlap forbids it\n", text)
        self.assertNotIn("OutputTensors: packed", text)

    def test_what_is_missing_comes_first(self):
        lines = opconform("coverage", self.file).out.splitlines()
        self.assertTrue(all(line.startswith("not reached: ") for line in lines[:20]), lines[:21])
        self.assertRegex(lines[20], r"^and \d+ more$")
        campaign = self.folder / "campaign.json"
        self.assert_exit(0, opconform("fuzz", "--cases", 2000, "--quiet", "--coverage", campaign))
        few = opconform("coverage", campaign, "--group", "combinations/DML_SPLIT/*", "--missing")
        self.assertRegex(few.out, r"(?m)^not reached: combinations/DML_SPLIT/\d: \w.* .*, .* .*$")
        self.assertRegex(few.out, r"(?m)^impossible: combinations/DML_SPLIT/\d: \d+: split\.axis-range forbids them$")
        self.assertRegex(few.out, r"(?m)^total +\d+ +\d+ +\d+\.\d +[1-9]\d*$")
        missing = self.figures(campaign)["combinations"][0]["missing"]
        self.assertEqual(20, len(missing))
        self.assertIn("nothing is missing", opconform("coverage", self.file, "--group", "rules/tensor/memory").out)

    def test_counts(self):
        text = opconform("coverage", self.file, "--counts", "--group", "layout/split/Out*", "--quiet").out
        self.assertTrue(text.startswith("layout/split/OutputTensors\n           3  packed\n           0  explicit\n"), text)
        self.assertRegex(text, r"(?m)^total +1 +5 +20\.0 +2$")
        # Of a rule, the cases of all origins.
        text = opconform("coverage", self.file, "--counts", "--group", "rules/split/semantics").out
        self.assertRegex(text, r"(?m)^ +3  split\.partition shown$")

    def test_json(self):
        figures = self.figures(self.file, "--group", "layout/split/OutputTensors")
        self.assertEqual({"reached": 1, "reachable": 5, "percent": 20.0}, figures["total"])
        group, = figures["groups"]
        self.assertEqual(["explicit", "permuted", "padded", "absurd"], group["missing"])
        self.assertEqual([{"bin": name, "rule": "tensor.output-no-overlap"} for name in ("broadcast", "overlapping")],
                         group["impossible"])

    def test_impossible_bins_name_rules_that_exist(self):
        rules = {rule["name"] for rule in opconform("spec", "--json").json["rules"]}
        named = {entry["rule"] for group in self.figures(self.file)["groups"] for entry in group["impossible"]}
        self.assertLessEqual(named, rules)
        self.assertLessEqual({"scatter.support", "slice1.stride-not-zero", "gather.axis-range"}, named)

    def test_fail_under(self):
        arguments = ("coverage", self.file, "--group", "layout/split/OutputTensors", "--fail-under")
        self.assert_exit(0, opconform(*arguments, "20"))
        self.assert_exit(0, opconform(*arguments, "0"))
        outcome = opconform(*arguments, "20.5")
        self.assert_exit(1, outcome)
        self.assertIn("20.00 %, below 20.5 %", outcome.err)
        self.assertIn("total", outcome.out)
        outcome = opconform("coverage", self.file, "--group", "layout/split/InputTensor", "--fail-under", "14.286")
        self.assert_exit(1, outcome)
        self.assertIn("coverage is 14.28 %, below 14.286 %", outcome.err)  # 1 of 7: never rounded up
        for value in ("-1", "101", "nan", "inf", "x", "", "50%"):
            self.assert_bad_usage(*arguments[:-1], "--fail-under=" + value)

    def test_usage(self):
        self.assert_bad_usage("coverage")
        self.assert_bad_usage("coverage", self.file, "--json", "-", "--output", "-")
        self.assert_bad_usage("coverage", self.file, "--json", "")
        outcome = opconform("coverage", self.file, "--group", "nothing/*")
        self.assert_exit(2, outcome)
        self.assertIn("nothing/*", outcome.err)
        self.assert_exit(3, opconform("coverage", self.file, "--json", self.folder / "none" / "c.json"))


class BadFiles(CoverageTest):
    def assert_bad(self, content, *words):
        file = self.write("bad.json", content)
        outcome = opconform("coverage", file)
        self.assert_exit(2, outcome)
        self.assertEqual("", outcome.out)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertLess(len(outcome.err), 1000 + len(str(file)))
        for word in (str(file), *words):
            self.assertIn(word, outcome.err)

    def test_files(self):
        self.assert_bad("", "is empty")
        self.assert_bad("[]", "must be an object")
        self.assert_bad("[" * 100000, "nested deeper")
        self.assert_bad(b"\xff\xfe", "no valid JSON")
        self.assert_bad(b" " * (65 << 20), "bytes")
        self.assert_bad("{}", "version")
        self.assert_bad('{"version": 2, "model": "x"}', "/version", "2")
        self.assert_bad('{"version": 1, "model": "\\u001b[2J"}', "/model")
        self.assert_exit(2, opconform("coverage", self.folder / "none.json"))
        self.assert_exit(2, opconform("coverage", self.folder))

    def test_a_file_named_twice(self):
        file = self.collect("c.json", self.write("a.json", MIXED))
        outcome = opconform("coverage", file, file)
        self.assert_exit(2, outcome)
        self.assertIn(f"{file}: is named twice", outcome.err)
        other = f"{file.parent}/./{file.name}"
        self.assertIn(f"{other}: is named twice", opconform("coverage", file, other).err)

    def test_truncated(self):
        text = self.collect("c.json", self.write("a.json", MIXED)).read_text()
        for part in range(1, 8):
            self.assert_bad(text[:len(text) * part // 8], "no valid JSON")

    def test_values(self):
        good = json.loads(self.collect("c.json", self.write("a.json", MIXED)).read_text())

        def changed(**more):
            return json.dumps(good | more)

        name = "axis/split/position"
        self.assert_bad(changed(groups=[{"group": "none", "bins": []}]), "/groups/0/group", "none")
        self.assert_bad(changed(groups=[{"group": name, "bins": [{"bin": "none", "cases": 1}]}]), "/bins/0/bin", "none")
        for count in (-1, 1.5, "1", None, 1 << 64, [1]):
            self.assert_bad(changed(groups=[{"group": name, "bins": [{"bin": "rank 1 axis 0", "cases": count}]}]),
                            "/groups/0/bins/0/cases")
        self.assert_bad(changed(groups=[{"group": name, "bins": [{"bin": "rank 1 axis 1", "cases": 1}]}]),
                        "split.axis-range")
        self.assert_bad(changed(combinations=[{"operator": "DML_SPLIT", "strength": 2, "words": 1 << 62,
                                               "reached": f"0*{1 << 62}"}]), "/combinations/0/words")
        self.assert_bad(changed(combinations=[{"operator": "DML_SPLIT", "strength": 2, "words": 3, "reached": "0*2"}]),
                        "/combinations/0/words", "must be 55")
        self.assert_bad(changed(combinations=[{"operator": "DML_SPLIT", "strength": 2, "words": 55, "reached": "0*2"}]),
                        "/combinations/0/reached", "0*2")
        self.assert_bad(changed(more=1), "/more")
