"""The adapters that need nothing that is not in Debian: what they say of engines is what their lists of known failures say.

usage: adapters_test.py PROGRAM SOURCE_DIR
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, SOURCES = sys.argv.pop(1), Path(sys.argv.pop(1))
ADAPTERS = SOURCES / "adapters"
# The lists are of this version.
NUMPY = "1.24."
NODE = shutil.which("node")


def run(backend, *more, cases=SOURCES / "spec_cases", **environment):
    outcome = subprocess.run([PROGRAM, "run", cases, "--backend", f"process:{backend}", "-q", *more],
                             capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    return outcome.returncode, outcome.stdout + outcome.stderr


def has(*names):
    """Of modules that hold something: an empty folder of Debian's test data is named onnx, too."""
    try:
        return all(importlib.util.find_spec(name) for name in names)
    except ModuleNotFoundError:
        return False


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


@unittest.skipUnless(has("onnx.helper"), "the package onnx is not there")
class OnnxBackend(unittest.TestCase):
    # The backend here errs in what it may: it sees no broken rule.
    PROMISE = {"name": "test", "refusals": "none", "after_error": "anything", "operators": {
        "DML_SCATTER": {"index_out_of_range": "error", "negative_indices": "count-from-end"},
        "ONNX_GATHER": {"index_out_of_range": "error"}}}

    FEW = ("--label", "smoke")

    def run_binding(self, binding, *more, module="numpy_backend:NumpyBackend", **environment):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as profile:
            json.dump(self.PROMISE, profile)
            profile.flush()
            return run(f"{sys.executable} {ADAPTERS}/onnx_backend/adapter.py module={module}#{binding}", "--profile",
                       profile.name, *more, PYTHONPATH=str(SOURCES / "tests/adapters"), **environment)

    def test_every_operator_passes_in_every_binding(self):
        for binding in ("run-time", "constant-values", "constant-indices", "symbolic-shapes"):
            with self.subTest(binding):
                more = {"run-time": [],
                        # ONNX-1, of the package itself
                        "constant-values": ["--expect", str(ADAPTERS / "onnx_backend/expected-constant-values.txt")],
                        }.get(binding, self.FEW)  # fmt: skip
                code, text = self.run_binding(binding, *more)
                self.assertEqual(0, code, text)

    def test_nodes_of_older_operator_sets(self):
        for opset in (10, 11):
            for operator in ("scatter", "split", "slice1"):
                with self.subTest(f"{operator} {opset}"):
                    code, text = self.run_binding("run-time", *self.FEW, "--operator", operator,
                                                  module=f"numpy_backend:NumpyBackend opset={opset}")
                    self.assertEqual(0, code, text)

    def test_what_is_wrong_with_constants_alone_is_seen_there_alone(self):
        for binding, code in (("run-time", 0), ("constant-indices", 1)):
            found, text = self.run_binding(binding, *self.FEW, "--operator", "scatter", OPCONFORM_MISBEHAVE="wrong-constants")
            self.assertEqual(code, found, text)

    def test_a_backend_is_needed(self):
        for module, words in (("", "which backend"), ("no.such.module", "no.such.module")):
            code, text = self.run_binding("run-time", module=module)
            self.assertEqual(1, code)
            self.assertIn(words, text)


class Selection(unittest.TestCase):
    """What tools/peers runs."""

    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("peers", str(SOURCES / "tools/peers"))
        self.peers = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers", loader))
        loader.exec_module(self.peers)
        self.adapters = self.peers.descriptions()

    def backends(self, *names, all=False, run_time=False):
        options = argparse.Namespace(all=all, run_time=run_time)
        return {name: self.peers.backends_of(adapter, run, options)
                for name, adapter, run in self.peers.runs_of(self.adapters, names)}

    def test_by_adapters_and_runs(self):
        self.assertEqual({"tfjs-cpu", "tfjs-wasm", "browser-litert"}, self.backends("browser-litert", "tfjs").keys())
        self.assertGreater(len(self.backends()), 15)

    def test_of_each_two_choices_of_bindings_every_combination_is_run(self):
        for run in ("onnxruntime-cpu", "onnxruntime-webgpu", "onnxruntime_web-wasm"):
            backends = self.backends(run)[run]
            self.assertEqual(4, len(backends))
            choices = [[word in backend.partition("#")[2] for word in ("constant-values", "constant-indices", "symbolic")]
                       for backend in backends]
            for one, other in ((0, 1), (0, 2), (1, 2)):
                self.assertEqual(4, len({(choice[one], choice[other]) for choice in choices}), run)

    def test_all_bindings_or_one(self):
        run = "onnxruntime-webgpu"
        self.assertEqual(["adapter:onnxruntime,provider=webgpu"], self.backends(run, all=True)[run])
        self.assertEqual(["adapter:onnxruntime,provider=webgpu#run-time"], self.backends(run, run_time=True)[run])
        self.assertEqual(["adapter:numpy"], self.backends("numpy")["numpy-default"])


@unittest.skipUnless(NODE, "needs Node")
class Company(unittest.TestCase):
    """adapters/onnx_js, on a runtime that has the bugs of docs/wild-bugs.md which models of one node do not show."""
    ROW = re.compile(r"^\| `(\w+)` \| [\d, ]+ \| `([\w-]+)` \| `([\w/.-]+)` \|$", re.MULTILINE)
    BINDINGS = 8

    def verdicts(self, company, bug, *more, **cases):
        words = [NODE, SOURCES / "tests/adapters/small_runtime.mjs", f"company={company}"]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results.out"
            _, text = run(shlex.join(map(str, words)), *more, "--json", str(file), **cases, OPCONFORM_MISBEHAVE=bug)
            self.assertTrue(file.exists(), text)
            results = json.loads(file.read_text(encoding="utf-8"))["results"]
        return {(one["case"], one["backend"]): one["verdict"] for one in results}

    def rows(self):
        return self.ROW.findall((SOURCES / "docs/wild-bugs.md").read_text(encoding="utf-8"))

    def test_an_honest_runtime_passes_in_every_company_and_binding(self):
        adapter = json.loads((ADAPTERS / "onnxruntime/adapter.json").read_text(encoding="utf-8"))
        for i, company in enumerate(adapter["options"]["company"]):
            with self.subTest(company):
                found = self.verdicts(company, "", "--label", "smoke", "--shard", f"{i % 2 + 1}/2")
                self.assertEqual({"pass", "unsupported"}, set(found.values()))
                passing = {backend for (_, backend), verdict in found.items() if verdict == "pass"}
                self.assertEqual(self.BINDINGS, len(passing))

    def test_each_bug_is_caught_in_its_company_and_not_in_a_node_alone(self):
        rows = self.rows()
        self.assertEqual(7, len(rows))
        for company, bug, case in rows:
            with self.subTest(bug):
                folder = SOURCES / "spec_cases" / case.partition("/")[0]  # all others need not be read
                for (_, backend), verdict in self.verdicts(company, bug, "--filter", case, cases=folder).items():
                    self.assertIn("company=" + company, backend)
                    self.assertNotIn(verdict, ("pass", "unsupported"), backend)
                self.assertEqual({"pass"}, set(self.verdicts("none", bug, "--filter", case, cases=folder).values()))


@unittest.skipIf(os.environ.get("OPCONFORM_WITHOUT_BROWSER") == "1", "without a browser")
@unittest.skipUnless(NODE, "needs Node")
class Page(unittest.TestCase):
    """An implementation in a page, by the bridge that serves engines in pages."""
    ENDING = """<script type="module">
      const socket = new WebSocket(`ws://${location.host}/`);
      socket.addEventListener("message", () => socket.close());
    </script>"""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_page(self, page, *more, **cases):
        words = [NODE, ADAPTERS / "browser/bridge.mjs", f"page={page}"]
        # What the browser leaves behind would be there.
        return run(shlex.join(map(str, words)), *more, "--jobs", "1", **cases, TMPDIR=str(self.folder))

    def assert_nothing_is_left(self):
        self.assertEqual([], [left.name for left in self.folder.iterdir() if left.name.startswith("opconform-browser-")])

    def test_passes_all_cases(self):
        file = self.folder / "results.json"
        code, text = self.run_page(ADAPTERS / "javascript/split.html", "--json", str(file))
        self.assertEqual(0, code, text)
        summary = json.loads(file.read_text(encoding="utf-8"))["summary"]
        self.assertGreater(summary["pass"], 1900)

    def test_takes_and_gives_many_bytes(self):
        sizes = [100, 1000, 70000, 1 << 20]  # each length of a frame's head, there and back
        tensors = [{"DataType": "UINT8", "Sizes": [size]} for size in sizes]
        cases = {"operator": "DML_SPLIT", "cases": [{
            "id": f"many/{size}", "says": "a split into one tensor copies it", "rules": ["split.partition"],
            "desc": {"InputTensor": {**tensor, "fill": {"pattern": "random", "seed": size}}, "OutputTensors": [tensor],
                     "Axis": 0},
        } for size, tensor in zip(sizes, tensors)]}
        file = self.folder / "many.json"
        file.write_text(json.dumps(cases), encoding="utf-8")
        code, text = self.run_page(ADAPTERS / "javascript/split.html", cases=file)
        self.assertEqual(0, code, text)
        self.assertIn("4 passed, 0 failed", text)

    def test_one_that_goes_is_no_answer(self):
        page = self.folder / "ending.html"
        page.write_text(self.ENDING, encoding="utf-8")
        # Of a bridge that was killed: there is no such process.
        (self.folder / "opconform-browser-99999999").mkdir()
        code, text = self.run_page(page, "--operator", "split")
        self.assertEqual(1, code)
        self.assertIn("ended", text)
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main()
