"""Where the program finds its cases, from any folder."""
import shutil
from pathlib import Path

import program
from documents import GOOD, WRONG
from program import CliTest, opconform


class CaseFolder(CliTest):
    def setUp(self):
        super().setUp()
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()

    def copy_of_program(self):
        """In a folder of its own, as if it were installed."""
        copy = self.folder / "prefix" / "bin" / "opconform"
        copy.parent.mkdir(parents=True)
        shutil.copy(program.executable, copy)
        return str(copy)

    def install_cases(self, content=GOOD):
        return self.write("prefix/share/opconform/spec_cases/a.json", content)

    def ids(self, *arguments, **more):
        return [case["id"] for case in opconform("list", "--json", *arguments, **more).json]

    def test_a_build_uses_the_checkout(self):
        files = {case["file"] for case in opconform("list", "--json", "--filter", "slice1/*", cwd=self.elsewhere).json}
        self.assertTrue(files)
        for file in files:
            self.assertTrue(file.startswith(program.corpus), file)

    def test_installed_cases(self):
        copy, file = self.copy_of_program(), self.install_cases()
        found = opconform("list", "--json", program=copy, cwd=self.elsewhere).json
        self.assertEqual([("good", str(file))], [(case["id"], case["file"]) for case in found])

    def test_a_link_to_the_program(self):
        self.install_cases()
        link = self.folder / "link"
        link.symlink_to(self.copy_of_program())
        self.assertEqual(["good"], self.ids(program=str(link), cwd=self.elsewhere))

    def test_the_current_folder_wins_over_what_is_installed(self):
        copy = self.copy_of_program()
        self.install_cases()
        self.write("elsewhere/spec_cases/w.json", WRONG)
        self.assertEqual(["wrong"], self.ids(program=copy, cwd=self.elsewhere))

    def test_the_environment_wins_over_both(self):
        copy = self.copy_of_program()
        self.install_cases()
        self.write("elsewhere/spec_cases/w.json", WRONG)
        given = self.write("given/a.json", GOOD).parent
        self.assertEqual(["good"], self.ids(program=copy, cwd=self.elsewhere, env={"OPCONFORM_SPEC_CASES": given}))
        self.assertEqual(["wrong"], self.ids(program=copy, cwd=self.elsewhere, env={"OPCONFORM_SPEC_CASES": ""}))

    def test_what_repeats_a_failure_works_from_there(self):
        copy = self.copy_of_program()
        self.install_cases(WRONG)
        outcome = opconform("run", "--backend", "reference", program=copy, cwd=self.elsewhere)
        self.assert_exit(1, outcome)
        again, = [line for line in outcome.out.splitlines() if line.strip().startswith("again")]
        words = again.split()[1:]
        self.assertEqual("opconform", words[0])
        self.assert_exit(1, opconform(*words[1:], program=copy, cwd=self.elsewhere))

    def test_no_cases_anywhere(self):
        copy = self.copy_of_program()
        for command in (["run"], ["list"], ["show", "x"], ["run", "--label", "smoke"], ["corpus", "verify"], ["certify"],
                        ["selftest"]):
            with self.subTest(command=command):
                outcome = opconform(*command, program=copy, cwd=self.elsewhere)
                self.assert_exit(2, outcome)
                self.assertEqual(1, len(outcome.messages), outcome)
                for place in (self.elsewhere / "spec_cases", Path(copy).parent.parent / "share/opconform/spec_cases",
                              "OPCONFORM_SPEC_CASES"):
                    self.assertIn(str(place), outcome.err)

    def test_an_environment_that_names_nothing(self):
        outcome = opconform("run", cwd=self.elsewhere, env={"OPCONFORM_SPEC_CASES": "/nonexistent/cases"})
        self.assert_exit(2, outcome)
        self.assertIn("/nonexistent/cases", outcome.err)

    def test_help_and_orientation_say_where(self):
        for word in ("OPCONFORM_SPEC_CASES", "./spec_cases", "share/opconform/spec_cases"):
            self.assertIn(word, opconform("--help").out)
        for command in (["run"], ["selftest"], ["list"], ["show"], ["corpus", "verify"], ["export", "npy"]):
            self.assertIn("OPCONFORM_SPEC_CASES", opconform(*command, "--help").out, command)
        for command in (["fuzz"], ["reduce"], ["spec"], ["certify"], ["import", "onnx"], ["validate"], ["list", "planted"]):
            self.assertNotIn("Without a path", opconform(*command, "--help").out, command)
        copy, file = self.copy_of_program(), self.install_cases()
        self.assertIn(str(file.parent), opconform(program=copy, cwd=self.elsewhere).err)
        shutil.rmtree(file.parent)
        self.assertIn("found no folder of cases", opconform(program=copy, cwd=self.elsewhere).err)
