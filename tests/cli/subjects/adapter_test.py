"""Engines of others, by adapters: how they are found, started and told their options."""
import json
import sys
from pathlib import Path

import program
from program import CliTest, opconform

PROGRAM = """
import sys
sys.path.insert(0, {python!r})
from opconform_process import serve, NotOffered
def run(case):
    raise NotOffered((" ".join(sys.argv[1:]) or "no options") + " by " + case.binding)
serve("echo", "1", {{"ONNX_GATHER": (lambda case: None, run)}}, bindings={bindings})
"""


class AdapterTest(CliTest):
    def setUp(self):
        super().setUp()
        python = Path(program.executable).parent.parent / "share/opconform/adapters/python"
        self.write("adapters/echo/echo.py", PROGRAM.format(python=str(python), bindings=["run-time"]))
        self.write("adapters/bound/bound.py", PROGRAM.format(
            python=str(python), bindings=["run-time", "constant-values+symbolic-shapes", "constant-indices"]))
        self.describe("bound", {"run_by": sys.executable, "program": "bound.py"})
        self.describe("echo", {"says": "Says what it was told", "run_by": sys.executable, "program": "echo.py"})
        self.describe("native", {"says": "A library", "plugin": "libnative.so", "cmake": True})
        self.write("adapters/python/no_adapter.py", "")

    def describe(self, name, description):
        self.write(f"adapters/{name}/adapter.json", json.dumps(description))

    def call(self, *words):
        return opconform(*words, env={"OPCONFORM_ADAPTERS": str(self.folder / "adapters"),
                                      "OPCONFORM_PEERS": str(self.folder / "peers")}, preexec_fn=program.without_limits)

    def run_gather(self, backend):
        return self.call("run", Path(program.corpus) / "gather" / "shapes.json", "--backend", backend, "--json", "-", "-q")

    def assert_bad_input(self, outcome, *words):
        self.assertEqual(2, outcome.code, outcome)
        for word in words:
            self.assertIn(word, outcome.err)

    def test_options_reach_it_as_arguments(self):
        for options, told in (("", "no options"), (",provider=cpu", "provider=cpu"), (",a=1,it's two", "a=1 it's two")):
            outcome = self.run_gather("adapter:echo" + options)
            self.assertEqual(0, outcome.code, outcome)
            messages = {(one["backend"], one["verdict"], one["message"]) for one in outcome.json["results"]}
            self.assertEqual({("adapter:echo" + options, "unsupported", told + " by run-time")}, messages)
            self.assertTrue(outcome.json["run"]["implementations"]["adapter:echo" + options].startswith("echo 1"))

    def test_each_binding_is_a_backend(self):
        names = ["adapter:bound", "adapter:bound#constant-values+symbolic-shapes", "adapter:bound#constant-indices"]
        bindings = ["run-time", "constant-values+symbolic-shapes", "constant-indices"]
        told = {(name, "no options by " + binding) for name, binding in zip(names, bindings)}
        outcome = self.run_gather("adapter:bound")
        self.assertEqual(told, {(one["backend"], one["message"]) for one in outcome.json["results"]})
        outcome = self.run_gather(names[2])
        self.assertEqual({names[2]}, {one["backend"] for one in outcome.json["results"]})
        self.assert_bad_input(self.run_gather("adapter:bound#symbolic-shapes"), "does not offer the binding", "it offers")

    def test_they_are_listed(self):
        outcome = self.call("list", "adapters")
        self.assertEqual("bound            \necho             Says what it was told\nnative           A library (not installed)\n", outcome.out)

    def test_what_is_not_there_is_named(self):
        self.assert_bad_input(self.run_gather("adapter:ecko"), 'no such adapter in ', "did you mean echo? There are bound, echo and native")
        self.assert_bad_input(self.run_gather("adapter:"), "there are", "echo", "native")
        self.assert_bad_input(self.run_gather("adapter:../echo"), "no such adapter in ")
        self.assert_bad_input(self.run_gather("adapter:native"), "its engine is not installed", "tools/peers --install native")

    def test_a_description_that_says_nothing_is_named(self):
        for description, word in (({}, 'needs either'), ({"program": "a", "plugin": "b"}, "needs either"), ([], "object"),
                                  ({"program": 3}, "/program")):
            self.describe("echo", description)
            self.assert_bad_input(self.run_gather("adapter:echo"), "adapter.json", word)
