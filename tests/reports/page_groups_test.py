"""Groups of failures, and their pictures."""
import json

import page_driver
from page_models import HOSTILE, failing, usual
from page_pictures import GROUPS, grouped, hostile_picture
from selenium.webdriver.common.by import By

# Of a picture, by the names of its tensors, what stands in which cell: {text, kind, marks}.
CELLS = """
  const picture = arguments[0];
  return [...picture.querySelectorAll("g.element")].map((cell) => ({
    name: cell.querySelector("title").textContent,
    kind: cell.getAttribute("class").replace("element", "").trim(),
    marks: [...cell.querySelectorAll(".corner")].map((one) => one.textContent).join(" "),
  }));"""


class Groups(page_driver.PageTest):
    def open_groups(self, make=grouped):
        self.open(make)
        self.check("open_everything")
        self.wait(lambda: len(self.texts("#groups .group > div")) == len(make()["results"]["groups"]), "all groups are made")
        return self.browser.find_elements(By.CSS_SELECTOR, "#groups > div > .group")

    def cells(self, group):
        return self.run_script(CELLS, group.find_element(By.CSS_SELECTOR, "svg"))

    def test_groups_say_what_is_wrong(self):
        self.open(grouped)
        heads = [" ".join(text.split()) for text in self.texts("#groups summary h3")]
        self.assertEqual("✗ Starts one element before the window where the stride is negative 3 failures, mismatch by faulty:one", heads[0])
        self.assertEqual("✗ Mismatch: nothing explains it 3 failures by faulty:one", heads[4])
        self.assertEqual(len(GROUPS), len(heads))
        self.assertEqual(["faulty:one: 12 failures in 58 cases", "faulty:two: 6 failures in 58 cases"], self.texts("#wrong .what li"))
        group = self.text_of("#groups .group")
        for part in (
            "slice1.stride-negative: A negative stride reverses",
            "some InputWindowStrides[i] < 0",
            "True of 3 of 3 failures and 0 of 40 passes.",
            "An implementation that does this gives exactly what was found in all 3 failures.",
            "OutputTensor[0]: expected 17 (InputTensor[7]), found 16 (InputTensor[6])",
            "4 elements of 4 of OutputTensor are wrong",
            "opconform run --case group0/case-0",
        ):
            self.assertIn(part, group)
        self.assertIn("But 2 cases pass that it should fail, so it may be something else.", self.texts("#groups .group")[1])

    def test_a_group_that_nothing_explains_says_so(self):
        group = self.open_groups()[4].text
        self.assertIn("Nothing explains these failures.", group)
        self.assertIn("slice1.copy", group)
        self.assertNotIn("Rule that is broken", group)

    def test_where_the_verdict_says_it_all_nothing_is_called_unexplained(self):
        def fault():
            made = grouped()
            made["results"]["groups"][4] |= {"verdict": "memory-fault", "rule": "tensor.outside-intact"}
            return made

        group = self.open_groups(fault)[4].text
        self.assertIn("Memory-fault of tensor.outside-intact", group)
        self.assertNotIn("othing explains", group)

    def test_without_a_diagnosis_none_is_claimed(self):
        self.open(failing)
        heads = [" ".join(text.split()) for text in self.texts("#groups summary h3")]
        self.assertEqual(["✗ Mismatch of slice1.copy 5,738 failures by optimized", "✗ Mismatch 1 failure by optimized"], heads)
        group = self.text_of("#groups .group")
        self.assertIn("Rule that the failures name", group)
        self.assertIn("the least", group)
        for words in ("explains", "An implementation that does this", "broken"):
            self.assertNotIn(words, group)
        self.assertIn("The page lists 61 of 5,739 failures one by one", self.text_of("#groups"))

    def test_smallest_case_can_be_pasted(self):
        group = self.open_groups()[0]
        shown = self.wait(lambda: group.find_elements(By.CSS_SELECTOR, "pre"), "the case")[0].text
        self.assertEqual(GROUPS[0]["example"]["case"], json.loads(shown))

    def test_picture_marks_by_shape_and_letter(self):
        cells = self.cells(self.open_groups()[0])
        expected, inputs, found = cells[:4], cells[4:12], cells[12:]
        self.assertEqual("OutputTensor[0]: 17 (✓a)", expected[0]["name"])
        self.assertEqual("OutputTensor[0]: 16 (✗a)", found[0]["name"])
        self.assertEqual(["due"] * 4, [one["kind"] for one in expected])
        self.assertEqual(["wrong"] * 4, [one["kind"] for one in found])
        self.assertEqual(["", "", "", "wrong", "both", "both", "both", "due"], [one["kind"] for one in inputs])
        self.assertEqual("✗a ✓b", inputs[6]["marks"], "what was found for the first, and is due for the second")
        picture = self.find("#groups svg")
        self.assertEqual("img", picture.get_attribute("role"))
        self.assertIn("4 elements of 4 of OutputTensor are wrong", picture.get_attribute("aria-label"))
        self.assertEqual(8, len(picture.find_elements(By.CSS_SELECTOR, ".arrow")))
        dashes = self.run_script(
            "return ['wrong', 'due'].map((kind) => getComputedStyle(document.querySelector(`.arrow.${kind} path`)).strokeDasharray)"
        )
        self.assertEqual(2, len(set(dashes)), "arrows differ without colour, too")

    def test_arrows_lead_from_value_to_value(self):
        picture = self.open_groups()[0].find_element(By.CSS_SELECTOR, "svg")
        ends = self.run_script(
            """
          const place = (element) => element.getBoundingClientRect();
          const cell = (name) => place([...arguments[0].querySelectorAll("g.element")].find(
            (one) => one.querySelector("title").textContent.startsWith(name)).querySelector("rect"));
          const [found, due] = ["wrong", "due"].map((kind) => place(arguments[0].querySelector(`.arrow.${kind} path`)));
          const [from, start] = [cell("InputTensor[6]"), cell("InputTensor[7]")];
          return [Math.abs(found.top - from.bottom), from.left < found.right && found.right < from.right + 3,
                  Math.abs(due.bottom - start.top), start.left < due.right && due.right < start.right + 3];""",
            picture,
        )
        self.assertLess(ends[0], 3, "the found value's arrow begins below its cell")
        self.assertTrue(ends[1])
        self.assertLess(ends[2], 3, "the expected value's arrow begins above its cell")
        self.assertTrue(ends[3])

    def test_memory_shows_guards_gaps_and_what_is_wrong(self):
        picture = self.open_groups()[1].find_element(By.CSS_SELECTOR, "svg")
        kinds = self.run_script("return [...arguments[0].querySelectorAll('g.memory')].map((one) => one.getAttribute('class'))", picture)
        self.assertEqual(["memory guard"] * 2 + ["memory element"] * 3 + ["memory gap"], kinds[:6])
        self.assertEqual("memory guard wrong", kinds[-2])
        lines = self.run_script("return arguments[0].querySelectorAll('g.memory.guard line').length", picture)
        self.assertEqual(3 * 7, lines, "guards are hatched")
        labels = picture.text
        self.assertIn("byte -8", labels)
        self.assertIn("strides 4, 1", labels)
        self.assertIn("1 cell of the memory of OutputTensor is wrong", self.texts("#groups figcaption")[1])
        self.assertIn("4 of the 6 wrong elements have arrows", self.texts("#groups figcaption")[1])

    def test_large_tensors_go_on_beyond_the_picture(self):
        group = self.open_groups()[2]
        picture = group.find_element(By.CSS_SELECTOR, "svg")
        dots = [one.text for one in picture.find_elements(By.CSS_SELECTOR, ".dots")]
        self.assertEqual(["…", "…", "⋮", "⋮"] * 3, dots)
        heads = [one.text for one in picture.find_elements(By.CSS_SELECTOR, ".head")]
        self.assertEqual([str(number) for number in range(380, 388)] + [str(number) for number in range(496, 501)], heads[:13])
        self.assertIn("OutputTensor[498, 384]: 497384 (✗a)", [one["name"] for one in self.cells(group)])
        self.assertIn("4 elements of 40 shown of OutputTensor are wrong", group.text)

    def test_planes_and_single_elements(self):
        groups = self.open_groups()
        planes = [one.text for one in groups[4].find_elements(By.CSS_SELECTOR, ".plane")]
        self.assertEqual(["[0, ·, ·]", "[1, ·, ·]"], planes[:2])
        self.assertEqual(7, len(planes))
        self.assertEqual(
            [("output[]: 7", "due"), ("data[]: 7", "due"), ("output[]: 0", "wrong")],
            [(one["name"].split(" (")[0], one["kind"]) for one in self.cells(groups[5])],
        )

    def test_a_missed_rejection_has_no_picture(self):
        group = self.open_groups()[3]
        self.assertEqual([], group.find_elements(By.CSS_SELECTOR, "figure"))
        self.assertIn("expected a rejection for slice1.support", group.text)
        self.assertNotIn("An implementation that does this", group.text, "the verdict says it all")

    def test_tables_say_the_same(self):
        group = self.open_groups()[0]
        tables = self.wait(lambda: group.find_elements(By.CSS_SELECTOR, "figure table"), "the tables")
        rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in tables[0].find_elements(By.CSS_SELECTOR, "tbody tr")]
        self.assertEqual(["OutputTensor[0]", "17", "InputTensor[7]", "16", "InputTensor[6]"], rows[0])
        self.assertEqual(4, len(rows))
        captions = [table.find_element(By.TAG_NAME, "caption").text for table in tables]
        self.assertEqual(
            ["Wrong elements", "InputTensor: FLOAT32, sizes 8", "OutputTensor, as expected: FLOAT32, sizes 4", "OutputTensor, as found: FLOAT32, sizes 4"],
            captions,
        )

    def test_what_others_wrote_is_text(self):
        self.open_groups(hostile_picture)
        body = self.run_script("return document.body.textContent")
        for text in HOSTILE[:6] + [HOSTILE[9], HOSTILE[11], HOSTILE[12]]:
            self.assertIn(text, body)
        self.assertEqual(2, self.run_script("return document.scripts.length"))
        self.assertEqual(0, self.run_script("return document.querySelectorAll('img, svg script, svg foreignObject').length"))
        self.assertNotIn("\u202e", self.run_script("return [...document.querySelectorAll('svg')].map((one) => one.textContent).join('')"))

    def test_telephones_scroll_little(self):
        example = page_driver.OPTIONS.source / "reports/example/report.html"
        for make in (usual, failing, grouped, example):
            with self.subTest(make):
                self.size(400, 800)
                self.open(make)
                self.assertLess(self.run_script("return document.documentElement.scrollHeight"), 12_000)
                self.assertEqual([], self.check("too_wide"))
