"""`--profile`: what implementations promise, in every command that runs them."""
import json
import xml.etree.ElementTree as ElementTree

from documents import document, scatter, tensor, with_change
from program import opconform
from results import SCHEMA, ResultsTest, data_of, demand_schema

CLAMPS = {"name": "mine", "operators": {"DML_SCATTER": {"index_out_of_range": "clamp"}, "DML_JOIN": "not-offered"},
          "minus_zero": "either"}


class Profile(ResultsTest):
    def setUp(self):
        super().setUp()
        self.profile = self.write("mine.json", json.dumps(CLAMPS))
        outside = with_change(scatter(), ("desc", "IndicesTensor", "data"), [0, 9])
        del outside["expect"]
        self.cases = self.write("outside.json", document("DML_SCATTER", outside))

    def run_with(self, *arguments, profile=None):
        return self.run_cases(self.cases, "--profile", profile or self.profile, *arguments)

    def test_holds_what_is_not_built_in(self):
        outcome = self.run_with("--backend", "reference", "--backend", "faulty:scatter-clamps", "--backend",
                                "faulty:scatter-wraps")
        self.assert_exit(1, outcome)
        demand_schema(outcome.json)
        verdicts = {result["backend"]: result["verdict"] for result in outcome.json["results"]}
        self.assertEqual({"reference": "pass", "faulty:scatter-clamps": "pass", "faulty:scatter-wraps": "mismatch"},
                         verdicts)
        self.assertEqual(["faulty:scatter-clamps", "faulty:scatter-wraps"],
                         [one["backend"] for one in outcome.json["promises"]])
        promise = outcome.json["promises"][0]
        self.assertEqual("mine", promise["name"])
        self.assertEqual(["other", "less", "more"], [one["kind"] for one in promise["differences"]])
        self.assertEqual(CLAMPS, promise["promise"])

    def test_a_comparison_says_that_promises_differ(self):
        for name, more in (("before", []), ("after", ["--profile", self.profile]), ("same", ["--profile", self.profile])):
            opconform("run", self.cases, "--backend", "faulty:scatter-clamps", *more, "--json", self.folder / name)
        outcome = opconform("compare", self.folder / "before", self.folder / "after", "--json", self.folder / "changes")
        self.assertIn(f"judged by different promises: document in {self.folder / 'before'}, mine in", outcome.out)
        changes = json.loads((self.folder / "changes").read_text())
        demand_schema(changes)
        self.assertEqual(["document", "mine"], [changes["comparisons"][0][which]["promise"] for which in ("before", "after")])
        self.assertNotIn("promises", opconform("compare", self.folder / "after", self.folder / "same").out)

    def test_the_doctor_examines_it(self):
        outcome = opconform("doctor", "faulty:scatter-clamps", "--profile", self.profile, timeout=60)
        self.assertIn("DML_JOIN      not offered", outcome.out)
        self.assertIn(f"opconform run --backend faulty:scatter-clamps --profile {self.profile}", outcome.out)
        self.assert_exit(0, outcome)

    def test_sarif_names_it(self):
        file = self.folder / "results.sarif"
        self.run_with("--backend", "faulty:scatter-clamps", "--sarif", file)
        run = json.loads(file.read_text())["runs"][0]
        self.assertTrue(run["properties"]["promise"].startswith("faulty:scatter-clamps promises mine: "))

    def test_holds_all_where_all_are_built_in(self):
        outcome = self.run_with("--backend", "reference")
        self.assert_exit(1, outcome)
        self.assertEqual(["reference"], [one["backend"] for one in outcome.json["promises"]])
        self.assertIn("due by its promise", outcome.json["results"][0]["message"])

    def test_none_says_nothing(self):
        self.assertNotIn("promises", self.run_cases(self.cases, "--backend", "reference").json)

    def test_a_failure_is_repeated_under_it(self):
        outcome = self.run_with("--backend", "reference", profile="webnn")
        self.assert_exit(1, outcome)
        self.assertIn(" --profile webnn", outcome.json["results"][0]["repro"])
        again = opconform(*outcome.json["results"][0]["repro"].split()[1:])
        self.assert_exit(1, again)

    def test_is_said_first(self):
        outcome = opconform("run", self.cases, "--backend", "reference", "--profile", self.profile)
        first = outcome.out.splitlines()
        self.assertEqual("reference promises mine: other than the documents in 1 point, less than them in 1 point, "
                         "more than them in 1 point", first[0])
        self.assertRegex(first[1], r"^  other +a zero may arrive with either sign; the document says: ")
        quiet = opconform("run", self.cases, "--backend", "reference", "--profile", self.profile, "--quiet")
        self.assertEqual(first[0], quiet.out.splitlines()[0])
        self.assertNotIn("either sign", quiet.out)

    def test_other_commands(self):
        fuzz = opconform("fuzz", "--operator", "DML_JOIN", "--cases", 500, "--profile", self.profile, "--json", "-",
                         "--out", self.folder / "out")
        self.assert_exit(0, fuzz)
        demand_schema(fuzz.json)
        self.assertEqual("mine", fuzz.json["promises"][0]["name"])
        tally = fuzz.json["by_operator"]["DML_JOIN"]
        self.assertEqual(tally["valid"] + tally["broken"], tally["unsupported"])
        self.assert_exit(2, opconform("fuzz", "--operator", "DML_JOIN", "--cases", 600, "--resume", "--out",
                                      self.folder / "out"))
        grid = opconform("grid", "--operator", "DML_JOIN", "--profile", self.profile, "--json", "-")
        self.assert_exit(0, grid)
        demand_schema(grid.json)
        self.assertEqual(grid.json["total"]["cells"], grid.json["total"]["unsupported"])
        reduced = opconform("reduce", self.cases, "--backend", "reference", "--profile", self.profile)
        self.assert_exit(1, reduced)
        self.assert_exit(2, opconform("reduce", self.cases, "--backend", "reference"))

    def test_every_report_tells(self):
        results = self.folder / "results.json"
        files = {kind: self.folder / f"report.{kind}" for kind in ("html", "markdown", "junit", "sarif")}
        opconform("run", self.cases, "--backend", "reference", "--profile", self.profile, "--json", results,
                  *[word for kind, file in files.items() for word in (f"--{kind}", file)])
        report = self.report_of(results)
        self.assertEqual("mine", report["promises"][0]["name"])
        data = data_of(files["html"].read_text(encoding="utf-8"))
        SCHEMA.validate(data)
        self.assertEqual(report["promises"], data["promises"])
        markdown = files["markdown"].read_text(encoding="utf-8").splitlines()
        self.assertTrue(markdown[2].startswith("> **Promise**: reference promises mine: other than"), markdown[:4])
        properties = ElementTree.parse(files["junit"]).iter("property")
        self.assertIn("promise", [one.get("name") for one in properties])

    def test_bad_profiles(self):
        wrong = self.write("wrong.json", json.dumps(CLAMPS | {"layouts": "pakced"}))
        for profile, *words in (("numpi", "did you mean numpy?"), ("", "a name or a file is missing"), (wrong, "wrong.json", "/layouts", "packed"),
                                (self.write("no.json", "{"), "no.json"), (self.folder, str(self.folder))):
            with self.subTest(profile=profile):
                outcome = opconform("run", self.cases, "--profile", profile)
                self.assert_exit(2, outcome)
                for word in words:
                    self.assertIn(word, outcome.err)

    def test_list(self):
        text = opconform("list", "profiles").out
        for name in ("directml", "onnx", "webnn", "numpy", "torch"):
            self.assertRegex(text, rf"(?m)^{name} ")
        self.assertIn("  other ", text)
