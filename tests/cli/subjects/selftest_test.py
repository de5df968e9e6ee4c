"""`opconform selftest`: bugs that are planted, caught or missed."""
import json

import program
from documents import GOOD, document
from program import CliTest, opconform
from results import demand_schema

REVERSED = {
    "id": "reversed", "rules": ["slice1.copy-start"], "source": {"document": "DML_SLICE1_OPERATOR_DESC"},
    "desc": {"InputTensor": {"DataType": "UINT8", "Sizes": [4], "data": [1, 2, 3, 4]},
             "OutputTensor": {"DataType": "UINT8", "Sizes": [2]},
             "InputWindowOffsets": [0], "InputWindowSizes": [4], "InputWindowStrides": [-2]},
}


class Selftest(CliTest):
    def selftest(self, *arguments, **more):
        return opconform("selftest", self.write("case.json", document("DML_SLICE1", REVERSED)),
                         "--fuzz-time", "0.001", *arguments, timeout=30, **more)

    def test_all_caught(self):
        outcome = self.selftest("--only", "reversed-start-*", "--only", "copies-twice", "--jobs", "2")
        self.assert_exit(0, outcome)
        self.assertIn("reversed-start-off-by-one", outcome.out)
        self.assertIn("4 of 4 planted bugs caught", outcome.out)
        self.assertIn("0 of 1 permitted accused", outcome.out)

    def test_a_survivor_is_named(self):
        outcome = self.selftest("--only", "string-ends-at-nul")
        self.assert_exit(1, outcome)
        self.assertIn("SURVIVED", outcome.out)
        self.assertIn("survived: string-ends-at-nul: ends a string at its first NUL", outcome.out)

    def test_json_says_which_cases_catch(self):
        outcome = self.selftest("--only", "reversed-start-off-by-one", "--json", "-")
        self.assert_exit(0, outcome)
        (suspect,) = outcome.json["suspects"]
        self.assertEqual({"cases": 1, "caught_after": 1, "caught_by": ["reversed"]}, suspect["suite"])
        self.assertEqual(suspect["suite"], suspect["documents"])
        self.assertEqual(["DML_SLICE1"], suspect["operators"])
        self.assertEqual(["slice1.copy-start"], suspect["rules"])
        self.assertEqual("bug", suspect["kind"])
        self.assertEqual(1, len(suspect["fuzz"]["caught_by"]))
        again = self.folder / "again.json"
        self.assert_exit(0, self.selftest("--only", "reversed-start-off-by-one", "--json", again))
        without_run = lambda one: {key: value for key, value in one.items() if key != "run"}
        self.assertEqual(without_run(outcome.json), without_run(json.loads(again.read_text())))

    def test_until_enough_cases_catch_a_bug(self):
        outcome = opconform("selftest", program.corpus, "--only", "reversed-start-off-by-one", "--enough", "8", "--json", "-")
        self.assert_exit(0, outcome)
        (suspect,) = outcome.json["suspects"]
        self.assertEqual(8, len(suspect["suite"]["caught_by"]))
        self.assertEqual(8, outcome.json["enough"])
        demand_schema(outcome.json)

    def test_bad_usage(self):
        for arguments in (("--only", "no-such-bug"), ("--only", "crash"), ("--jobs", "0"), ("--enough", "0"), ("--fuzz-time", "x"),
                          ("--only", "reversed-start-*", "no-such-file.json")):
            with self.subTest(arguments=arguments):
                outcome = self.selftest(*arguments)
                self.assert_exit(2, outcome)
                self.assertNotIn("Traceback", outcome.err)

    def test_a_file_that_cannot_be_written(self):
        outcome = self.selftest("--only", "reversed-start-*", "--json", "/dev/full")
        self.assert_exit(3, outcome)
        self.assertIn("4 of 4 planted bugs caught", outcome.out)

    def test_every_planted_bug_is_a_backend(self):
        file = self.write("case.json", document("DML_SLICE1", REVERSED))
        outcome = opconform("run", file, "--backend", "faulty:reversed-start-off-by-one")
        self.assert_exit(1, outcome)
        self.assertIn("--backend faulty:reversed-start-off-by-one", outcome.out)
        self.assert_exit(2, opconform("run", file, "--backend", "faulty:no-such-bug"))
        self.assert_exit(0, opconform("run", self.write("good.json", GOOD), "--backend", "faulty:plain"))
