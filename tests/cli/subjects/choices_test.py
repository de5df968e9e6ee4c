"""`opconform run`: what an implementation made of what the documents leave open."""
from documents import GOOD, document, scatter, tensor, with_change
from program import CliTest, opconform


class Choices(CliTest):
    def setUp(self):
        super().setUp()
        overlap = with_change(scatter(), ("desc", "IndicesTensor", "data"), [1, 1])
        del overlap["expect"]
        rounded = document("DML_SPLIT", {"id": "rounded", "desc": {
            "InputTensor": tensor("INT8", [4], data=[1, 2, 3, 4]), "Axis": 0,
            "OutputTensors": [tensor("INT8", [1]), tensor("INT8", [3])]}})
        self.files = (self.write("a.json", document("DML_SCATTER", overlap)), self.write("b.json", rounded),
                      self.write("c.json", GOOD))

    def test_of_each_case_and_in_all(self):
        outcome = self.run_cases(*self.files, "--backend", "reference", "--backend", "faulty:first-update-wins",
                                 "--backend", "faulty:gaps-overwritten")
        self.assert_exit(0, outcome)
        overlap, gaps = "scatter.overlap-any-winner", "tensor.gaps-dont-care"
        chosen = {(result["backend"], result["case"]): result.get("choices") for result in outcome.json["results"]}
        self.assertEqual({overlap: "last write"}, chosen["reference", "tested"])
        self.assertEqual({overlap: "first write"}, chosen["faulty:first-update-wins", "tested"])
        self.assertEqual({gaps: "left intact"}, chosen["faulty:first-update-wins", "rounded"])
        self.assertEqual({gaps: "overwritten"}, chosen["faulty:gaps-overwritten", "rounded"])
        self.assertIsNone(chosen["reference", "good"])
        count = lambda *texts: dict(zip(("backend", "rule", "choice"), texts), cases=1)
        self.assertEqual([
            count("faulty:first-update-wins", overlap, "first write"),
            count("faulty:first-update-wins", gaps, "left intact"),
            count("faulty:gaps-overwritten", overlap, "last write"),
            count("faulty:gaps-overwritten", gaps, "overwritten"),
            count("reference", overlap, "last write"),
            count("reference", gaps, "left intact")], outcome.json["choices"])

    def test_isolation_changes_none(self):
        arguments = (*self.files, "--backend", "faulty:first-update-wins")
        one = self.run_cases(*arguments).lasting
        strip = lambda text: text.replace(" --isolate", "")
        self.assertEqual(one, strip(self.run_cases(*arguments, "--isolate").lasting))

    def test_verbose_tells_of_them(self):
        text = opconform("run", *self.files, "--backend", "reference", "-v").out
        self.assertIn("chose    last write (scatter.overlap-any-winner)", text)
