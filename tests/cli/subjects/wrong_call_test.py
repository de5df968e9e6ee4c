"""Calls that are wrong as first calls are: each ends with one line that says what to do instead."""
from documents import GOOD, document, split
from program import CliTest, opconform


class WrongCall(CliTest):
    def assert_says(self, outcome, *words):
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        for one in words:
            self.assertIn(one, outcome.err)

    def test_what_is_lacking(self):
        for command, lacking in (("show", "CASE-ID"), ("validate", "CASE-FILE|DIR"), ("reduce", "CASE-FILE"),
                                 ("coverage", "FILE"), ("report", "FILE"), ("compare", "RESULTS.json")):
            with self.subTest(command=command):
                self.assert_says(opconform(command), f"lacks {lacking}", f"see opconform {command} --help")
        self.assert_says(opconform("corpus", "update"), "lacks --version")

    def test_numbers(self):
        file = self.write("a.json", GOOD)
        for option, value, range_ in (("--jobs", "0", "1 to 1024"), ("--jobs", "many", "1 to 1024"), ("--repeat", "0", "1 to 1000000"),
                                      ("--seed", "-1", "2^64"), ("--memory-limit", "1GB", "2^64"),
                                      ("--timeout", "5s", "0.001 to 86400"), ("--timeout", "0", "0.001 to 86400")):
            with self.subTest(option=option, value=value):
                self.assert_says(opconform("run", file, option, value), option, f'"{value}" is no ', range_)
        self.assert_says(opconform("fuzz", "--strength", "9"), '"9" is no whole number from 1 to 5')
        self.assert_says(opconform("coverage", file, "--fail-under", "101"), '"101" is no percentage from 0 to 100')

    def test_a_label_needs_a_folder(self):
        file = self.write("a.json", GOOD)
        for paths in ([file], [file, self.folder]):
            self.assert_says(opconform("run", *paths, "--label", "smoke"), "--label", "needs one folder of cases")

    def test_a_list_of_backends_in_one_word(self):
        self.assert_says(opconform("run", self.write("a.json", GOOD), "--backend", "reference,optimized"),
                         "--backend may be given several times")

    def test_a_list_that_there_is_not(self):
        self.assert_says(opconform("list", "backend", cwd=self.folder), '"backend"', "did you mean backends?")
        self.write("backend/a.json", GOOD)
        self.assert_exit(0, opconform("list", "backend", cwd=self.folder))

    def test_files_of_another_kind(self):
        file = self.write("a.json", GOOD)
        self.assert_says(opconform("coverage", file), "is no file that --coverage writes")
        self.assert_says(opconform("report", file), "is no file that a report is made from")
        self.assert_says(opconform("compare", file), "is no file of opconform run --json")

    def test_files_that_are_no_json(self):
        for name, text, words in (("empty", "", "is empty"), ("blank", " \n", "is empty"),
                                  ("cut", '{"operator": ', "line 1, column 14: unexpected end of input"),
                                  ("quotes", "{'a': 1}", "line 1, column 2: invalid literal"),
                                  ("comma", '{"cases": [1,]}', "line 1, column 14: unexpected ']'")):
            with self.subTest(name=name):
                self.assert_says(opconform("run", self.write(f"{name}.json", text)), f"{name}.json: ", words)

    def test_an_unknown_case(self):
        file = self.write("a.json", document("DML_SPLIT", split("one/case")))
        self.assert_says(opconform("show", "nothing", file), "opconform list lists them")
