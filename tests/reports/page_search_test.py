"""How cases are found: by words, by fields, by choices."""
import page_driver
from page_models import failing, report, usual
from page_pictures import grouped
from selenium.webdriver.common.by import By

REVERSED, NEGATIVE = "slice1/strides/reversed", "slice1/strides/negative"


class Search(page_driver.PageTest):
    def ask(self, query):
        """The ids that the query finds, and what is said of it."""
        self.run_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", self.find("#cases input"), query
        )
        return self.shown_cases(), self.text_of("#cases .found")

    def found(self, query):
        return self.ask(query)[0]

    def test_words_find_what_a_case_is(self):
        self.open(usual)
        self.control("Search").send_keys("Negative  stride")
        self.assertEqual([REVERSED, NEGATIVE], self.shown_cases(), "first what says the words in a row")
        self.assertEqual("2 cases of 134", self.text_of("#cases .found"))
        self.assertEqual("polite", self.find("#cases .found").get_attribute("aria-live"))
        self.assertIn("#cases?Negative", self.browser.current_url)
        self.control("Search").send_keys(" nonesuch")
        self.assertIn("0 cases of 134. None has all of this.", self.text_of("#cases .found"))
        self.browser.find_element(By.XPATH, "//button[.='Clear all']").click()
        self.assertEqual("134 cases of 134", self.text_of("#cases .found"))
        self.assertEqual(10, len(self.shown_cases()))
        self.find("#cases .more").click()
        self.assertEqual(110, len(self.shown_cases()))
        for query, ids in (
            ("negative index", ["gather/string"]),
            ("negative else", []),  # two statements have one each
            ("uint8 rank 8", [NEGATIVE]),
            ("strid -negative", []),
            ("-copies strided", [REVERSED]),
            ('"stride reverses"', [REVERSED]),
            ("reverses stride", [REVERSED]),
            ("gather.semantics", ["gather/string"]),
            ("semantics", []),
            ("float", self.found("float")),
        ):
            self.assertEqual(ids, self.found(query), query)

    def test_fields_find_what_a_case_is(self):
        self.open(usual)
        for query, ids in (
            ("operator:slice1 stride<0", [REVERSED]),
            ("op:gather", ["gather/string"]),
            ("stride>=3", [NEGATIVE]),
            ("stride=-2", [REVERSED]),
            ("index<0 axis:1", ["gather/string"]),
            ("rank>=5", [NEGATIVE]),
            ("rank>4 rank<8", []),
            ("level:3_0", [NEGATIVE]),
            ("version>2_1", [NEGATIVE]),
            ("opset>=11", ["gather/string"]),
            ("type:uint8 expect:rejection", ["slice1/support/uint8"]),
            ("type:int8", []),
            ("index_type:int64", ["gather/string"]),
            ("rule:stride-negative -erratum:slice1-strides", [NEGATIVE]),
            ("rule=slice1.stride", []),
            ("layout:strided", [REVERSED]),
            ("id:strides/rev", [REVERSED]),
            ('id="slice1/strides/reversed"', [REVERSED]),
            ("verdict:fail", []),
        ):
            self.assertEqual(ids, self.found(query), query)
        self.assertIn("134 cases of 134", self.ask("verdict:pass backend:optimized")[1])
        self.assertIn("133 cases of 134", self.ask("-op:gather")[1])

    def test_outcomes_are_those_of_one_implementation(self):
        self.open(failing)
        for query, number in (
            ("verdict:fail", 61),
            ("verdict:mismatch backend:optimized", 61),
            ("verdict:fail backend:reference", 0),
            ("verdict:pass backend=reference", 91),
            ("-verdict:pass backend:optimized", 61),
            ("group:1", 60),
            ("group:2", 1),
            ("group>1", 1),
            ("mismatch", 61),
        ):
            self.assertTrue(self.ask(query)[1].startswith(f"{number} case"), f"{query}: {self.ask(query)[1]}")
        self.open(grouped)
        self.assertEqual([f"group3/case-{i}" for i in range(3)], self.found("verdict:missed-rejection"))
        self.assertEqual([f"group3/case-{i}" for i in range(3)], self.found("group:4 backend:two"))

    def test_mistakes_are_told(self):
        self.open(usual)
        for query, says in (
            ("rank:x", "rank:x: this is no number"),
            ("version:new", "version:new: a version is 2_1 or 13"),
            ("type<5", "type<5: this has no order"),
            ("rule:", "rule:: says nothing yet"),
            ("operater:slice1", "“operater” is no field"),
        ):
            ids, said = self.ask(query)
            self.assertEqual([], ids, query)
            self.assertIn(says, said)

    def test_choices_are_terms_of_the_search(self):
        self.open(usual)
        for label, value, number in (
            ("Operator", "ONNX_GATHER", 1),
            ("Version", "3_0", 1),
            ("Data type", "UINT8", 2),
            ("Rank", "8", 1),
            ("Expected", "rejection", 1),
            ("Rule", "slice1.stride-negative", 2),
            ("Erratum", "slice1-strides", 1),
            ("Verdict", "fail", 0),
        ):
            self.choose(label, value)
            self.assertEqual(number, len(self.shown_cases()), f"{label} {value}")
            self.assertIn(f"={value}", self.control("Search").get_property("value"))
            self.choose(label, "")
            self.assertEqual("", self.control("Search").get_property("value"))
        self.ask("stride<0 type=float32")
        self.assertEqual("FLOAT32", self.control("Data type").get_property("value"))
        self.choose("Data type", "UINT8")
        self.assertEqual("stride<0 type=UINT8", self.control("Search").get_property("value"))
        self.ask("type:")
        self.assertEqual("", self.control("Data type").get_property("value"))

    def test_versions_stand_in_order(self):
        versions = ["2", "10_0", "1_0", "13", "2_1", "1"]
        rows = [(f"a/{one}", "copies", 0, one, "FLOAT32", 1, "result", [0], [], [0]) for one in versions]
        self.open_model("versions", report(rows))
        options = [one.text for one in self.control("Version").find_elements(By.TAG_NAME, "option")]
        self.assertEqual(["all", "1_0", "2_1", "10_0", "1", "2", "13"], options, "feature levels, then opsets")

    def test_help_leads_to_its_examples(self):
        self.open(usual)
        self.find("#cases .help summary").click()
        fields = self.texts("#cases .help tbody th")
        for name in ("operator, op", "version, level, opset", "stride", "verdict"):
            self.assertIn(name, fields)
        for link in self.browser.find_elements(By.CSS_SELECTOR, "#cases .help a"):
            query = link.text
            self.run_script("arguments[0].click()", link)
            self.wait(lambda query=query: self.control("Search").get_property("value") == query, query)
            self.assertNotIn("no field", self.text_of("#cases .found"))
