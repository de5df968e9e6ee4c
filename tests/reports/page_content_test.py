"""What the page says."""
import json
import re

import page_driver
from jsonschema import Draft202012Validator
from page_models import HOSTILE, failing, hostile, report, share, strengths, usual
from page_pictures import grouped, hostile_picture
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

MOST_BYTES = 125_000  # of the page without data


class Content(page_driver.PageTest):
    def test_sources_of_the_page(self):
        folder = page_driver.OPTIONS.source / "reports/page"
        names = [f"{name}.js" for name in page_driver.SCRIPTS] + ["report.css", "report.html"]
        self.assertEqual(sorted(names), sorted(file.name for file in folder.iterdir()))
        self.assertLess(sum((folder / name).stat().st_size for name in names), MOST_BYTES)
        markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|</script|<!--|https?:(?!//www\.w3\.org/2000/svg\")"
        for name in names[:-1]:
            source = (folder / name).read_text(encoding="utf-8")
            self.assertIsNone(re.search(markup, source), f"{name}: data could become markup, or the page break")

    def test_the_example_is_of_this_page(self):
        example = (page_driver.OPTIONS.source / "reports/example/report.html").read_text(encoding="utf-8")
        for file in (page_driver.OPTIONS.source / "reports/page").iterdir():
            if file.suffix != ".html":
                # assertIn would print both, whole
                self.assertTrue(file.read_text(encoding="utf-8") in example, f"{file.name} has changed: run reports/example/make")

    def test_models_are_reports(self):
        schema = json.loads((page_driver.OPTIONS.source / "reports/report.schema.json").read_text(encoding="utf-8"))
        for make in (usual, failing, hostile, grouped, hostile_picture):
            Draft202012Validator(schema).validate(make())

    def test_what_is_wrong_comes_first(self):
        self.open(usual)
        self.assertEqual("A report", self.browser.title)
        sections = self.texts("main > section > h2")
        self.assertEqual(["What is wrong", "How sure one can be", "Cases"], sections[:3])
        self.assertEqual(self.texts("nav a"), sections)
        self.assertIn("There are failures", self.text_of("#wrong .verdict.bad"))
        self.assertEqual(
            ["optimized: 10 failures in 1,000 generated cases", "optimized: 1 of 10 cells of the support tables wrong", "The suite: 1 planted bug not caught"],
            self.texts("#wrong .what li"),
        )
        self.assertIn("Judged: 134 cases, 1,000 generated cases, 10 cells of the support tables.", self.text_of("#wrong"))
        self.assertNotIn("Interrupted", self.text_of("#wrong"))
        self.assertIn("mismatch in DML_SLICE1", self.text_of("#findings"))

    def test_how_sure_one_can_be(self):
        model = usual()
        model["results"]["summary"][0] |= {"weak": 3}
        model["results"]["summary"][0]["verdicts"] |= {"unsupported": 7, "pass": 127}
        self.open_model("sure", model)
        self.assertEqual(["Implementation", "Cases", "Passed", "Weak", "Not offered", "Failed"], self.texts("#sure thead th"))
        self.assertEqual(["optimized", "134", "127", "3", "7", "0"], self.texts("#sure tbody :is(th, td)"))
        sure = self.text_of("#sure")
        for part in (
            "Weak: passed, but all values are alike",
            "Planted bugs: 1 of 2 caught",
            "Documents: 9 of 10 reachable bins covered",
            "90.0 %",
            "Mutants of this project: 197 of 199 killed",
            "98.9 %",
            "optimized: 1,000 generated cases, 10 failures",
        ):
            self.assertIn(part, sure)
        self.assertNotIn("Not in this report", sure)
        del model["mutation"], model["code"]
        self.open_model("sure", model)
        self.assertIn("Not in this report: mutants, coverage of the code.", self.text_of("#sure"))

    def test_how_it_was_made(self):
        self.open(usual)
        self.check("open_everything")
        runs = self.wait(lambda: self.texts("#runs table") and self.text_of("#runs"), "the files")
        for part in (
            "opconform 1.0.0",
            "Debian GNU/Linux 12",
            "a processor",
            "avx2",
            "opconform run spec_cases --json r.json",
            "2026-11-21 20:00:00",
        ):
            self.assertIn(part, runs)

    def test_sections_are_there_only_where_their_data_is(self):
        self.open(failing)
        self.assertEqual(
            ["What is wrong", "How sure one can be", "Cases", "Verdicts", "Support", "Rules", "Errata", "Freedom", "How this was made"],
            self.texts("main > section > h2"),
        )
        always = ["What is wrong", "How sure one can be", "Support", "Rules", "Errata"]
        for keys, names in (
            (["mutation"], [*always, "Mutation score", "How this was made"]),
            (["coverage"], [*always, "Coverage of the documents", "How this was made"]),
            ([], [*always, "How this was made"]),
        ):
            with self.subTest(keys):
                required = ["kind", "version", "title", "program", "inputs", "spec"]
                self.open_model("alone", {key: usual()[key] for key in required + keys})
                self.assertEqual(names, self.texts("main > section > h2"))
                self.assert_well_made()

    def test_empty_lists(self):
        model = usual()
        model["inputs"] = []
        model["results"] |= {"rows": [], "choices": [], "failures": [], "groups": [], "summary": [], "backends": [], "verdicts": []}
        model["campaigns"][0] |= {"by_operator": {}, "findings": [], "cases": 0, "seconds": 0}
        model["coverage"] |= {"groups": [], "combinations": [], "total": share(0, 0)}
        model["grids"][0] |= {"rows": [], "wrong": [], "total": {}}
        model["selftest"]["suspects"] = model["code"]["modules"] = model["code"]["gaps"] = model["speed"]["cells"] = []
        model["mutation"]["modules"] = {}
        self.open_model("empty", model)
        self.assertEqual("0 cases of 0. None has all of this.", self.text_of("#cases .found"))
        self.assert_well_made()
        model["spec"] = {"operators": [], "rules": [], "errata": []}
        self.open_model("empty", model)
        self.assert_well_made()

    def test_promises_come_first(self):
        model = usual()
        model["promises"] = [
            {"backend": "optimized", "name": "torch", "differences": [
                {"kind": "other", "says": HOSTILE}, {"kind": "less", "says": "strings are not offered"}]},
            {"backend": "reference", "name": "all", "differences": []}]  # fmt: skip
        self.open_model("promises", model)
        self.assertEqual("Promises", self.texts("main > section > h2")[0])
        said = self.text_of("#promises")
        self.assertIn("optimized promises torch", said)
        self.assertIn("strings are not offered", said)
        self.assertIn("Nothing but what the documents say.", said)
        self.assertNotIn("Where a document leaves it open", said)
        self.assert_well_made()

    def test_interrupted_and_bad_input_cannot_be_missed(self):
        self.open(failing)
        wrong = self.text_of("#wrong")
        self.assertIn("Interrupted: partial results", wrong)
        self.assertIn("1 input could not be used", wrong)
        self.assertIn("optimized: 61 failures in 91 cases so far", self.text_of("#wrong .verdict.bad"))
        self.assertIn("1,234 cases are left out of this list", self.text_of("#cases"))

    def test_partial_results_without_failures_are_no_success(self):
        model = usual()
        model = {key: value for key, value in model.items() if key not in strengths()}
        model["inputs"][0]["interrupted"] = True
        self.open_model("partial", model)
        self.assertIn("No failure so far, but not everything was run", self.text_of("#wrong .verdict.other"))
        self.assert_well_made()

    def test_what_is_not_offered_is_no_success(self):
        rows = [(f"a/{i}", "copies", 0, "2_1", "FLOAT32", 1, "result", [0], [], [2]) for i in range(3)]
        campaign = strengths()["campaigns"][0] | {"cases": 5, "findings": [], "by_operator": {"DML_SLICE1": {"valid": 5, "unsupported": 5}}}
        grid = strengths()["grids"][0] | {"total": {"cells": 7, "unsupported": 7, "wrong": 0}, "wrong": [], "rows": []}
        self.open_model("none", report(rows, campaigns=[campaign], grids=[grid]))
        self.assertIn("Nothing was judged", self.text_of("#wrong .verdict.other"))
        self.assertEqual(["optimized", "3", "0", "3", "0"], self.texts("#sure tbody :is(th, td)"))
        self.assertIn("7 cells of the support tables, 0 wrong, 7 not offered", self.text_of("#sure .conclusions"))
        self.assert_well_made()

    def test_runs_that_differ_are_told_apart(self):
        self.open(failing)
        self.check("open_everything")
        facts, inputs = self.text_of("#runs .facts"), self.wait(lambda: self.texts("#runs table"), "the files")[0]
        self.assertIn("Debian GNU/Linux 12", facts)
        self.assertNotIn("avx2", facts)
        for part in ("Kernels", "avx2", "scalar", "opconform run --backend reference"):
            self.assertIn(part, inputs)

    def test_verdicts_by_operator_and_level(self):
        self.open(failing)
        self.check("open_everything")
        by_rule = [shown for shown in self.texts("#verdicts table") if shown.startswith("By broken rule")]
        self.assertEqual(1, len(by_rule))
        for part in ("optimized", "reference", "slice1.copy", "failed", "✓\u00a0ok 90"):
            self.assertIn(part, by_rule[0])
        tables = [shown for shown in self.texts("#verdicts table") if shown not in by_rule]
        for part in ("optimized", "reference", "✗\u00a0mismatch 61", "✓\u00a0pass 30", "✓\u00a0pass 91"):
            for shown in tables:
                self.assertIn(part, shown)
        self.assertIn("DML_SLICE1 2_1", tables[2])
        self.find("#verdicts a.tally").click()
        self.wait(lambda: len(self.shown_cases()) == 61, "the cases that failed")

    def test_matrix_says_which_types_are_supported_where(self):
        self.open(usual)
        cells = self.run_script(
            """
          document.querySelector("#support details").open = true;
          document.querySelector("#support details").dispatchEvent(new Event("toggle"));
          const table = document.querySelector("#support table");
          const heads = [...table.tHead.rows[0].cells].map((cell) => cell.innerText);
          const result = {};
          for (const row of table.tBodies[0].rows)
            heads.forEach((head, i) => (result[`${row.cells[0].innerText} ${head}`] = row.cells[i].innerText));
          return result;"""
        )
        cells = {name: " ".join(text.split()) for name, text in cells.items()}
        self.assertEqual(
            {"", "1_0 to 2_0", "2_1", "3_0 to 10_0"},
            {name.removeprefix("FLOAT32").strip() for name in cells if name.startswith("FLOAT32")},
            "a column for versions between which nothing changes",
        )
        self.assertEqual("not supported no case", cells["FLOAT32 1_0 to 2_0"])
        self.assertEqual("1–4 ✓ 66", cells["FLOAT32 2_1"])
        self.assertEqual("not supported ✓ 1", cells["UINT8 2_1"])
        self.assertEqual("1–8 ✓ 1", cells["UINT8 3_0 to 10_0"])
        self.open(failing)
        self.check("open_everything")
        self.assertIn("✗\u00a061 of\u00a091", self.wait(lambda: self.texts("#support .sign"), "the tables"))

    def test_matrix_has_a_column_for_each_row_of_the_table(self):
        model = usual()
        operator = model["spec"]["operators"][2]
        [row] = operator["support"]
        more = {name: tensor | {"ranks": [0, 8]} for name, tensor in row["tensors"].items()}
        operator["support"] = [row, {"since": 11, "tensors": row["tensors"]}, {"since": 13, "tensors": more}]
        self.open_model("columns", model)
        self.check("open_everything")
        heads = self.wait(lambda: self.texts("#support details:last-of-type div:not([hidden]) > .scroll thead th"), "the table")
        self.assertEqual(["1 to 12", "13 and later"], heads)
        self.find("#support details:last-of-type .matrix td a").click()
        self.wait(lambda: self.shown_cases() == ["gather/string"], "the cases of the column")
        self.assertEqual(
            'operator=ONNX_GATHER version>=1 version<=12 type=string', self.find("#cases input").get_property("value")
        )

    def test_matrix_of_another_tensor(self):
        self.open(usual)
        self.check("open_everything")
        self.wait(lambda: self.texts("#support select"), "the tables")
        select = self.find("#support select")
        self.assertEqual(
            ["InputTensor, OutputTensor", "IndicesTensor"],
            [option.text for option in select.find_elements(By.TAG_NAME, "option")],
        )
        select.send_keys(Keys.ARROW_DOWN)
        table = self.wait(
            lambda: [text for text in self.texts("#support div:not([hidden]) > .scroll table") if "DML_SCATTER: IndicesTensor" in text],
            "the table of the indices",
        )[0]
        self.assertIn("UINT32", table)
        # On paper nobody can choose.
        self.addCleanup(self.media)
        self.media("print")
        captions = self.run_script(
            "return [...document.querySelectorAll('#support caption')].filter((one) => one.checkVisibility()).map((one) => one.innerText)"
        )
        self.assertEqual(5, len(captions), captions)

    def test_matrix_of_indices_leads_to_cases(self):
        self.open(usual)
        self.check("open_everything")
        self.wait(lambda: self.texts("#support select"), "the tables")
        *_, select = self.browser.find_elements(By.CSS_SELECTOR, "#support select")
        select.send_keys(Keys.ARROW_DOWN)
        [cell] = self.wait(
            lambda: self.browser.find_elements(By.CSS_SELECTOR, "#support a[href*='index_type%3Dint64']"),
            "the cell of the only case",
        )
        self.assertIn("ONNX_GATHER, opset 1 and later, int64: supported with ranks 1–8; 1 case, all pass", cell.get_attribute("title"))
        cell.click()
        self.wait(lambda: self.texts("#cases .id") == ["gather/string"], "the list of one case")

    def test_rules_filter_and_state(self):
        self.open(usual)
        self.assertIn("5 rules: 1 fails, 3 all pass, 1 no case", self.text_of("#rules summary"))
        self.find("#rules summary").click()
        states = dict(
            zip(
                self.texts("#rules tbody th"),
                (" ".join(text.split()) for text in self.texts("#rules tbody td:last-child")),
            )
        )
        self.assertEqual("✓ all pass", states["slice1.copy"])
        self.assertEqual("– no case", states["scatter.overlap-any-winner"])
        self.assertEqual("✗ fails", states["gather.semantics"], "a campaign found it, where the cases pass")
        field = self.find("#rules input")
        field.send_keys("no case")
        self.assertEqual("1 rule of 5", self.text_of("#rules .quiet"))
        self.run_script("location.hash = '#rule-slice1.copy'")
        self.wait(
            lambda: self.run_script("return document.activeElement.id === 'rule-slice1.copy'"),
            "a link finds what the filter hid",
        )
        self.find("#rules summary").click()
        self.run_script("location.hash = '#rule-gather.semantics'")
        self.wait(lambda: self.find("#rules tbody").is_displayed(), "a link opens what is folded")
        self.open(failing)
        self.find("#rules summary").click()
        self.assertIn("✗\u00a0fails", self.texts("#rules td:last-child"))

    def test_errata_stand_side_by_side(self):
        self.open(usual)
        self.find("#errata summary").click()
        printed, read = self.browser.find_elements(By.CSS_SELECTOR, ".erratum:first-of-type .readings > div")
        self.assertLess(printed.rect["x"], read.rect["x"])
        self.assertEqual(printed.rect["y"], read.rect["y"])
        self.assertIn("1 case that shows it", self.text_of(".erratum"))

    def test_strength(self):
        self.open(usual)
        coverage = self.text_of("#coverage")
        self.assertLess(
            coverage.index("rank/scatter/IndicesTensor: 1 of 6 missing"),
            coverage.index("By operator"),
            "what is missing comes first",
        )
        self.check("open_everything")
        self.assertIn("axis 3 of 2", self.text_of("#coverage"))
        self.assertIn("DML_SLICE1 2_1 FLOAT32: rejected", self.text_of("#grid"))
        self.wait(lambda: len(self.texts("#selftest table")) == 3, "the tables that were folded")
        self.assertEqual(["hidden", "late"], self.texts("#selftest tbody th code")[:2], "what survived comes first")
        head = self.browser.find_element(By.XPATH, "//section[@id='selftest']//details//button[starts-with(., 'Suite')]")
        head.click()
        self.assertEqual("ascending", head.find_element(By.XPATH, "..").get_attribute("aria-sort"))
        self.assertIn("98.9 %", self.text_of("#mutation"))
        self.assertIn("spec/a.cpp:1234", self.text_of("#code"))
        self.assertIn("1.50 ×", self.text_of("#speed"))
        self.assertIn("500", self.text_of("#campaigns .facts"), "cases a second")

    def test_numbers_of_a_case_are_as_written(self):
        model = usual()
        page = self.folder / "numbers.html"
        page_driver.make_page(model, page)
        content = page.read_text(encoding="utf-8")
        page.write_text(content.replace('"SEED"', "[18446744073709551615, -0, 1.0, 0.1]"), encoding="utf-8")
        self.open(page)
        self.assertIn("[18446744073709551615, -0, 1.0, 0.1]", self.text_of("#findings pre"))

    def test_hostile_content_is_text(self):
        self.open(hostile)
        self.check("open_everything")
        self.run_script("document.querySelectorAll('.more').forEach((button) => button.click())")
        body = self.run_script("return document.body.innerText")
        for part in HOSTILE[:6] + [HOSTILE[9], HOSTILE[11], HOSTILE[12]]:
            self.assertIn(f"found {part}", body)
            self.assertIn(f"says {part}", body)
        for part in ("aU+0000bU+001B[31mcU+0007", "evilU+202Egnp.exe", "U+D800", "U+2028U+2029"):
            self.assertIn(part, body)
        self.assertEqual(2, self.run_script("return document.scripts.length"))
        self.assertEqual(0, self.run_script("return document.querySelectorAll('img').length"))
        # The very long message shows its beginning, and its end when asked.
        self.assertNotIn("END", body)
        self.run_script("document.querySelectorAll('.text > button').forEach((button) => button.click())")
        self.assertIn("END", self.run_script("return document.body.innerText"))
        self.assertEqual(HOSTILE[0] + HOSTILE[1] + HOSTILE[2], self.browser.title)

    def test_hostile_ids_can_be_followed(self):
        self.open(hostile)
        self.check("open_everything")
        self.wait(lambda: len(self.texts("#groups h4 a")) > len(HOSTILE), "the failures")
        for i in range(len(HOSTILE)):
            shown = self.texts("#groups h4 a")[i]
            self.run_script("document.querySelectorAll('#groups h4 a')[arguments[0]].click()", i)
            self.wait(lambda shown=shown: self.shown_cases() == [shown], f"the case {shown}")

    def test_pages_are_well_made(self):
        for make in (usual, failing, hostile, grouped, hostile_picture):
            with self.subTest(make.__name__):
                self.size(1280, 900)
                self.open(make)
                self.assert_well_made()
