"""The adapters that need nothing but Python: what they say of the engines is what their lists of known failures say.

usage: adapters_test.py PROGRAM SOURCE_DIR
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, SOURCES = sys.argv.pop(1), Path(sys.argv.pop(1))
ADAPTERS = SOURCES / "adapters"
# The lists are of this version.
NUMPY = "1.24."


def run(backend, *more, **environment):
    outcome = subprocess.run([PROGRAM, "run", str(SOURCES / "spec_cases"), "--backend", f"process:{backend}", "-q", *more],
                             capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    return outcome.returncode, outcome.stdout + outcome.stderr


def has(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


class Numpy(unittest.TestCase):
    def test_fails_where_its_lists_say(self):
        import numpy
        if not numpy.__version__.startswith(NUMPY):
            self.skipTest(f"NumPy is {numpy.__version__}")
        folder = ADAPTERS / "numpy"
        for one in json.loads((folder / "adapter.json").read_text(encoding="utf-8"))["runs"]:
            with self.subTest(one["name"]):
                code, text = run(" ".join([sys.executable, str(folder / "adapter.py"), *one["options"]]), "--expect",
                                 str(folder / one["expect"]))
                self.assertEqual(0, code, text)

    def test_options_that_there_are_not(self):
        for option in ("gather=nobody", "device=1"):
            code, text = run(f"{sys.executable} {ADAPTERS}/numpy/adapter.py {option}")
            self.assertEqual(1, code)
            self.assertIn("gather", text)


@unittest.skipUnless(has("onnx"), "the package onnx is not there")
class OnnxBackend(unittest.TestCase):
    # The backend here errs in what it may: it sees no broken rule.
    PROMISE = {"name": "test", "refusals": "none", "after_error": "anything", "operators": {
        "DML_SCATTER": {"index_out_of_range": "error", "negative_indices": "count-from-end"},
        "ONNX_GATHER": {"index_out_of_range": "error"}}}

    def run_binding(self, binding, *more, module="numpy_backend:NumpyBackend", **environment):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as profile:
            json.dump(self.PROMISE, profile)
            profile.flush()
            return run(f"{sys.executable} {ADAPTERS}/onnx_backend/adapter.py module={module}#{binding}", "--profile",
                       profile.name, *more, PYTHONPATH=str(SOURCES / "tests/adapters"), **environment)

    def test_every_operator_passes_in_every_binding(self):
        for binding in ("run-time", "constant-values", "constant-indices", "symbolic-shapes"):
            with self.subTest(binding):
                more = []
                if binding == "constant-values":  # ONNX-1, of the package itself
                    more = ["--expect", str(ADAPTERS / "onnx_backend/expected-constant-values.txt")]
                code, text = self.run_binding(binding, *more)
                self.assertEqual(0, code, text)

    def test_nodes_of_older_operator_sets(self):
        for opset in (10, 11):
            for operator in ("scatter", "split", "slice1"):
                with self.subTest(f"{operator} {opset}"):
                    code, text = self.run_binding("run-time", "--operator", operator,
                                                  module=f"numpy_backend:NumpyBackend opset={opset}")
                    self.assertEqual(0, code, text)

    def test_what_is_wrong_with_constants_alone_is_seen_there_alone(self):
        for binding, code in (("run-time", 0), ("constant-indices", 1)):
            found, text = self.run_binding(binding, "--operator", "scatter", OPCONFORM_MISBEHAVE="wrong-constants")
            self.assertEqual(code, found, text)

    def test_a_backend_is_needed(self):
        for module, words in (("", "which backend"), ("no.such.module", "no.such.module")):
            code, text = self.run_binding("run-time", module=module)
            self.assertEqual(1, code)
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
