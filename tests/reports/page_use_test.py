"""What a reader does with the page, and pages that the program makes."""
import json
import re
import subprocess
import sys
import time

import page_driver
from jsonschema import Draft202012Validator
from page_models import HOSTILE, failing, large, usual
from page_pictures import grouped
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Use(page_driver.PageTest):
    def test_group_leads_to_its_rule_and_its_cases(self):
        self.open(failing)
        self.find("#groups .facts a").click()
        self.wait(
            lambda: self.run_script("return document.activeElement.id === 'rule-slice1.copy'"), "the focus on the rule"
        )
        self.browser.find_element(By.XPATH, "//*[@id='groups']//a[starts-with(., 'Search its')]").click()
        self.wait(lambda: self.text_of("#cases .found") == "60 cases of 91", "the cases of the group")
        self.check("open_everything")
        self.wait(lambda: self.texts("#groups h4 a"), "the failures one by one")
        self.run_script("document.querySelector('#groups h4 a').click()")
        self.wait(lambda: self.shown_cases() == ["slice1/plain/1"], "the list of one case")
        details = self.wait(lambda: self.texts("#cases .details"), "the details of the case")[0]
        self.assertIn("expected 1 (InputTensor[0]), found 2", details)
        self.assertIn("opconform show slice1/plain/1", details)

    def test_copy_button_answers(self):
        self.open(failing)
        button = self.find("#groups .command button")
        # It says so for two seconds only.
        self.run_script(
            "window.said = []; new MutationObserver(() => said.push(arguments[0].textContent))"
            ".observe(arguments[0], {childList: true})",
            button,
        )
        button.click()
        answer = self.wait(lambda: self.run_script("return said[0]"), "the button says what it did")
        self.assertIn(answer, ("Copied", "Selected"))
        self.wait(lambda: button.text == "Copy", "the button can be used again")

    def test_case_opens_and_tells_all(self):
        self.open(usual, "#cases?reversed")
        self.assertEqual(1, len(self.shown_cases()))
        details = self.wait(lambda: self.texts("#cases .details"), "the details of the case")[0]
        for part in (
            "a negative stride reverses",
            "spec_cases/slice1/strides.json",
            "slice1.copy: Copies the window",
            "slice1-strides: printed 1 < 2",
            "-2, 1",
            "strided",
            "optimized",
            "pass",
            "opconform show slice1/strides/reversed",
        ):
            self.assertIn(part, details)

    def test_address_leads_to_a_filter(self):
        self.open(usual, "#cases?op=DML_SLICE1%20version=2_1%20type=UINT8")
        self.assertEqual(["slice1/support/uint8"], self.shown_cases())
        self.assertEqual("UINT8", self.control("Data type").get_property("value"))
        self.run_script("location.hash = '#cases?rule=gather.semantics'")
        self.wait(lambda: self.shown_cases() == ["gather/string"], "the other filter")
        self.assertEqual("", self.control("Data type").get_property("value"))
        self.browser.back()
        self.wait(lambda: self.shown_cases() == ["slice1/support/uint8"], "the first filter, on the way back")
        self.open(usual, "#rule-slice1.support")
        self.wait(
            lambda: self.run_script("return document.activeElement.id === 'rule-slice1.support'"),
            "the focus on the rule",
        )
        self.open(usual, "#%E0%A4%A")  # no address of this page
        self.open(usual, "#cases?version=99_9%20op=%3Cscript%3E")
        self.assertEqual([], self.shown_cases())

    def test_keyboard_goes_from_a_cell_to_its_cases(self):
        self.open(usual)
        self.run_script("document.querySelector('#support').querySelector('h2').focus()")
        self.browser.switch_to.active_element.send_keys(Keys.TAB)
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        wanted = "DML_SLICE1, feature level 2_1, UINT8: not supported; 1 case, all pass. Show the cases"
        for _ in range(20):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
            if self.browser.switch_to.active_element.get_attribute("aria-label") == wanted:
                break
        cell = self.browser.switch_to.active_element
        self.assertEqual(wanted, cell.get_attribute("aria-label"))
        self.assertIn("3px", self.run_script("return getComputedStyle(arguments[0]).outline", cell), "the focus shows")
        cell.send_keys(Keys.ENTER)
        self.wait(lambda: self.shown_cases() == ["slice1/support/uint8"], "the cases of the cell")
        self.assertTrue(
            self.run_script("return document.activeElement.matches('#cases .found')"), "the focus went along"
        )
        top = self.run_script("return document.querySelector('#cases .found').getBoundingClientRect().top")
        self.assertTrue(0 <= top < 900, f"the cases cannot be seen: {top}")

    def test_everything_that_can_be_clicked_has_a_place_in_the_order(self):
        self.open(usual)
        out_of_order = self.run_script(
            """
          return [...document.querySelectorAll("[tabindex]")].map((element) => element.outerHTML.slice(0, 100))
            .filter((start) => /tabindex="[1-9]/.test(start) || /^<(a|button|summary|select|input)/.test(start));"""
        )
        self.assertEqual([], out_of_order)
        self.browser.switch_to.active_element.send_keys(Keys.TAB)
        self.assertEqual("Skip to what is wrong", self.browser.switch_to.active_element.text)

    def test_theme_toggle(self):
        for scheme in ("light", "dark"):
            self.media(prefers_color_scheme=scheme)
            self.open(usual)
            colour = "return getComputedStyle(document.body).backgroundColor"
            before = self.run_script(colour)
            self.assertEqual("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 23, 28)", before)
            button = self.find(".theme")
            self.assertEqual("Dark theme" if scheme == "light" else "Light theme", button.text)
            button.send_keys(Keys.ENTER)
            self.assertNotEqual(before, self.run_script(colour))
            button.click()
            self.assertEqual(before, self.run_script(colour))
            button.click()
            self.browser.refresh()
            self.wait_until_loaded()
            self.assertNotEqual(before, self.run_script(colour), "the choice is kept")
            self.run_script("localStorage.clear()")
        self.media()

    def test_page_given(self):
        if not page_driver.OPTIONS.page:
            self.skipTest("no --page")
        self.open(page_driver.OPTIONS.page)
        self.assertEqual("What is wrong", self.text_of("main h2"))
        self.assert_well_made()

    def page_of_the_program(self, *arguments, title="A title", exit_code):
        """The page that the program makes of a run with these arguments."""
        if not page_driver.OPTIONS.program:
            self.skipTest("no --program")
        results, page = self.folder / "results.json", self.folder / "program.html"
        run = [page_driver.OPTIONS.program, "run", *arguments, "--json", results]
        for command, expected in (
            (run, exit_code),
            ([page_driver.OPTIONS.program, "report", results, "--title", title, "--html", page], 0),
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(expected, done.returncode, f"{command}: {done.stderr}")
        return page

    def test_program_embeds_the_page_as_it_is(self):
        page = self.page_of_the_program(page_driver.OPTIONS.source / "spec_cases/slice1", "--backend", "optimized", exit_code=0)
        written = page.read_text(encoding="utf-8")
        model = json.loads(re.search('id="report-data">(.*?)</script>', written, re.DOTALL)[1])
        schema = json.loads((page_driver.OPTIONS.source / "reports/report.schema.json").read_text(encoding="utf-8"))
        Draft202012Validator(schema).validate(model)
        composed = self.folder / "composed.html"
        page_driver.make_page(model, composed)
        data = re.compile('(?<=id="report-data">).*?(?=</script>)', re.DOTALL)
        self.assertEqual(data.sub("", composed.read_text(encoding="utf-8")), data.sub("", written))

    def test_pages_of_the_program_answer_questions(self):
        cases = page_driver.OPTIONS.source / "spec_cases"
        page = self.page_of_the_program(cases, "--backend", "faulty:reversed-start-off-by-one", exit_code=1)
        self.open(page)
        self.assertEqual("A title", self.browser.title)
        self.assertEqual(["What is wrong", "How sure one can be"], self.texts("main h2")[:2])
        self.assertRegex(self.text_of("#groups .message"), r"expected .*, found ")
        self.control("Search").send_keys("negative stride")
        by_words = self.text_of("#cases .found")
        self.control("Search").clear()
        self.control("Search").send_keys("stride<0 operator=DML_SLICE1")
        self.assertEqual(by_words, self.text_of("#cases .found"), "words find what a case is, not where else they stand")
        self.assertRegex(by_words, r"^[1-9][\d,]* cases of ")
        self.check("open_everything")
        self.wait(lambda: self.texts("#support table"), "the tables")
        row = "//*[@id='support']//table[contains(caption, 'DML_SLICE1')]//tr[th='FLOAT64']"
        place = (
            "count(//*[@id='support']//table[contains(caption, 'DML_SLICE1')]//th[starts-with(., '2_1')]/preceding-sibling::*) + 1"
        )
        cell = self.browser.find_element(By.XPATH, f"{row}/*[{place}]")
        self.assertIn("not supported", cell.text.replace("\n", " "))
        self.assert_well_made()

    def test_hostile_cases_of_the_program(self):
        shape = {"DataType": "UINT8", "Sizes": [1, 1, 1, 2]}
        desc = {"InputTensor": shape | {"data": [1, 2]}, "OutputTensor": shape, "InputWindowOffsets": [0] * 4}
        desc |= {"InputWindowSizes": shape["Sizes"], "InputWindowStrides": [1, 1, 1, -1]}
        texts = [text for text in HOSTILE if text != "\ud800"]
        names = [f"hostile/{i}" for i in range(len(texts))] + texts  # the latter are rejected
        cases = [
            {"id": name, "says": text, "feature_level": "2_1", "desc": desc} for name, text in zip(names, texts * 2)
        ]
        file = self.folder / "hostile.json"
        file.write_text(json.dumps({"operator": "DML_SLICE1", "cases": cases}), encoding="utf-8")
        title = "</title><script>alert(1)</script>"
        page = self.page_of_the_program(file, "--backend", "reference", title=title, exit_code=2)
        self.open(page)
        self.assertEqual(title, self.browser.title)
        body = self.text_of("#wrong .notice") + self.text_of("#cases")
        for text in (HOSTILE[0], HOSTILE[1], HOSTILE[5], HOSTILE[9], "aU+0000bU+001B[31mcU+0007", "evilU+202Egnp.exe"):
            self.assertIn(text, body)
        self.assert_well_made()

    def test_thousands_of_cases_open_and_filter_fast(self):
        page = self.page(large)
        started = time.monotonic()
        self.open(page)
        opened = time.monotonic() - started
        self.assertLess(
            self.run_script("return document.querySelectorAll('*').length"),
            12_000,
            "elements, before anything is opened",
        )
        times, made = self.run_script(
            """
          const input = document.querySelector("#cases input[type=search]");
          const changes = new MutationObserver(() => {});
          changes.observe(document.body, { childList: true, subtree: true });
          const queries = ["n", "negative", "negative stride", "negative stride 7", "string permuted 13", ""];
          const times = queries.map((query) => {
            const start = performance.now();
            input.value = query;
            input.dispatchEvent(new Event("input"));
            return performance.now() - start;
          });
          const added = changes.takeRecords().flatMap((record) => [...record.addedNodes]);
          const size = (node) => 1 + (node.querySelectorAll?.("*").length ?? 0);
          return [times, added.reduce((sum, node) => sum + size(node), 0) / queries.length];"""
        )
        print(
            f"opened in {opened:.1f} s; filtered in " + ", ".join(f"{one:.0f}" for one in times) + " ms",
            file=sys.stderr,
        )
        # What makes it fast. Its time depends on what else the machine does: it is printed only.
        self.assertLess(made, 3_000, "elements made anew by each filter: those of 100 cases")

    def test_print_opens_what_is_closed_and_hides_controls(self):
        self.open(grouped)
        self.run_script("for (const one of document.querySelectorAll('details')) one.open = false")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        # In one script: printing does not wait for events that come later.
        wrong = self.run_script(
            "dispatchEvent(new Event('beforeprint')); return document.getElementById('wrong').innerText"
        )
        self.assertIn("Mismatch: nothing explains it", wrong)
        self.assertIn("Rules that all its cases show", wrong, "of a group that was never opened")
        self.assertNotIn("more are not shown here", wrong)
        self.assertEqual(5, len([one for one in self.browser.find_elements(By.CSS_SELECTOR, ".picture svg") if one.is_displayed()]))
        for selector in ("nav", ".filters", ".theme", ".more", ".command button"):
            for element in self.browser.find_elements(By.CSS_SELECTOR, selector):
                self.assertFalse(element.is_displayed(), selector)
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(0, self.run_script("return document.querySelectorAll('#wrong details[open]').length"))
        self.media()

    def test_nothing_moves(self):
        self.open(usual)
        moving = self.run_script(
            """
          return [...document.querySelectorAll("*")].filter((element) => {
            const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
            return animationName !== "none" || transitionDuration !== "0s" || scrollBehavior !== "auto";
          }).map((element) => element.outerHTML.slice(0, 100));"""
        )
        self.assertEqual([], moving)
