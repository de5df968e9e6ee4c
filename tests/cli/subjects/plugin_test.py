"""Implementations in shared libraries: what they are, what they do wrong, and what is left of them."""
import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import program
from documents import document
from processes import MisbehaviourTest
from program import opconform


def plugin(name):
    """Of those that are built with the tests."""
    return str(Path(program.executable).parent.parent / "plugins" / f"opconform_{name}_plugin.so")


def gather(name, size, **more):
    """The last of that many bytes. What misbehaves does so at 7."""
    return {"id": name, "desc": {"data": {"type": "uint8", "shape": [size], "fill": {"pattern": "iota"}},
                                 "indices": {"type": "int32", "shape": [1], "data": [size - 1]},
                                 "output": {"type": "uint8", "shape": [1]}}, **more}


ROOT = Path(__file__).resolve().parents[3]
REJECTED = gather("rejected", 7)
REJECTED["desc"]["output"] = {"type": "uint8", "shape": [2]}
CASES = document("ONNX_GATHER", gather("first", 3), gather("seven", 7), gather("between", 4), gather("again", 7),
                 gather("last", 5))
ALL = ("first", "seven", "between", "again", "last")
ELSEWHERE = document("DML_SPLIT", {"id": "split", "desc": {
    "InputTensor": {"DataType": "UINT8", "Sizes": [4], "fill": {"pattern": "iota"}},
    "OutputTensors": [{"DataType": "UINT8", "Sizes": [4]}], "Axis": 0}})

# What strikes where the data has 7 elements: the verdict there, and what the message says. All other cases pass.
AT_SEVEN = {
    "crash-in-offers": ("crash", "signal 11"),
    "crash-in-prepare": ("crash", "signal 11"),
    "hang-in-prepare": ("timeout", "did not end within"),
    "unknown-reply": ("crash", "prepare() returned 77, which is none of the replies"),
    "endless-text": ("crash", "the text of a reply is no text"),
    "endless-rules": ("crash", "a reply names 18446744073709551615 rules"),
    "signal-handlers": ("crash", "signal 11"),
    "crash": ("crash", "signal 11"),
    "hang": ("timeout", "did not end within"),
    "endless-loop": ("timeout", "did not end within"),
    "exit": ("crash", "ended before its verdict"),
    "abort": ("crash", "signal 6"),
    "stack-overflow": ("crash", "signal 11"),
    "memory": ("crash", "signal 6"),
    "closes-all-files": ("crash", "closed the channel"),
    "writes-into-the-channel": ("crash", "wrote into it"),
    "blocks-signals": ("timeout", "did not end within"),
    "wrong-and-spoiled": ("mismatch", "never written"),
    "crash-after-another": ("flaky", "alone, the verdict is pass"),
    # What disturbs nobody.
    "fork-bomb": ("pass", ""),
    "thread-that-lives-on": ("pass", ""),
    "prints": ("pass", ""),
    "float-mode": ("pass", ""),
    "directory": ("pass", ""),
    "locale": ("pass", ""),
    "slow": ("pass", ""),
    "slow-start": ("pass", ""),
}
# What it takes to make one unusable, and what the program says of it.
BROKEN_AT_ONCE = {
    "other-major": "was built for version 7.2 of the plug-in interface; this program has 1.1",
    "init-fails": "opconform_plugin_init() returned 3",
    "short-struct": "left struct_size at 16",
    "no-execute": "left execute null",
    "no-name": "left name empty",
    "name-of-garbage": "name is no text",
    "unknown-bindings": "left bindings at 1048576",
    "garbage-in-open": "promise is no text",
}
NO_START = {
    "crash-on-load": "signal 11",
    "exit-on-load": "exit code 0",
    "crash-in-init": "signal 11",
    "crash-in-open": "signal 11",
    "crash-in-close": "signal 11",
}


class PluginTest(MisbehaviourTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("cases.json", CASES)

    def run_plugin(self, misbehaviour, *more, file=None):
        hangs = misbehaviour.startswith("hang") or AT_SEVEN.get(misbehaviour, ("",))[0] == "timeout"
        return self.run_cases(file or self.file, "--backend", "plugin:" + plugin("misbehaving"), "--timeout",
                              str((0.5 if hangs else 20) * program.PATIENCE), *more,
                              env={**self.environment, "OPCONFORM_MISBEHAVE": misbehaviour})


class Misbehaviour(PluginTest):
    def test_each_costs_the_cases_where_it_strikes(self):
        for name, (verdict, words) in AT_SEVEN.items():
            for jobs in (["1", "3"] if verdict != "flaky" else ["1"]):
                with self.subTest(name, jobs=jobs):
                    outcome = self.run_plugin(name, "--jobs", jobs)
                    self.assert_exit(0 if verdict == "pass" else 1, outcome)
                    self.assertEqual({case: verdict if case in ("seven", "again") else "pass" for case in ALL},
                                     outcome.verdicts())
                    for result in outcome.json["results"]:
                        if result["verdict"] == verdict:
                            self.assertIn(words, result["message"])
                    self.assert_nothing_is_left()

    @unittest.skipIf(program.is_sanitized(), "the program brings the sanitizer along itself")
    def test_its_own_sanitizer_knows_what_lies_around_the_buffers(self):
        library = str(self.folder / "watched.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-g", "-fsanitize=address", "-I", ROOT / "include", ROOT / "tests/plugins/misbehaving.c",
                        "-o", library], check=True)
        runtime = subprocess.run(["cc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True).stdout.strip()
        environment = {**self.environment, "LD_PRELOAD": runtime, "OPCONFORM_MISBEHAVE": "reads-behind"}
        for name in (library, plugin("misbehaving")):
            with self.subTest(name):
                outcome = self.run_cases(self.file, "--backend", "plugin:" + name, "--guard", "canary", env=environment,
                                         preexec_fn=program.without_limits)
                wrong = "crash" if name == library else "pass"  # who is not watched is not seen to read canaries
                self.assertEqual({case: wrong if case in ("seven", "again") else "pass" for case in ALL}, outcome.verdicts())
                for result in outcome.json["results"]:
                    if result["verdict"] == "crash":
                        self.assertIn("AddressSanitizer: use-after-poison", result["message"])

    def test_what_it_prints_stands_beside_the_failure(self):
        outcome = self.run_plugin("says-why")
        self.assert_exit(1, outcome)
        for result in outcome.json["results"]:
            if result["verdict"] == "pass":
                self.assertNotIn("printed", result)
            else:
                self.assertIn("the kernel of 7 is broken", result["printed"])
                self.assertNotIn("the kernel", result["message"])
        outcome = self.run_plugin("prints")
        self.assertFalse([result for result in outcome.json["results"] if "printed" in result])

    def test_a_failure_that_hangs_on_earlier_cases_is_flaky_whatever_else_fails(self):
        outcome = self.run_plugin("wrong-after-another")
        self.assert_exit(1, outcome)
        self.assertEqual({"first": "pass", "seven": "flaky", "between": "pass", "again": "flaky", "last": "mismatch"},
                         outcome.verdicts())
        flaky, = [group for group in outcome.json["groups"] if group["verdict"] == "flaky"]
        self.assertEqual(2, flaky["failures"])
        for result in outcome.json["results"]:
            if result["verdict"] == "flaky":
                self.assertRegex(result["message"], "^mismatch, .*never written.*alone, the verdict is pass$")
                # The case alone would pass.
                self.assertNotIn("--filter", result["repro"])
                self.assertIn(str(self.file), result["repro"])

    def test_the_last_lines_that_it_printed_are_shown(self):
        outcome = opconform("run", self.file, "--backend", "plugin:" + plugin("misbehaving"),
                            env={**self.environment, "OPCONFORM_MISBEHAVE": "says-why"})
        self.assert_exit(1, outcome)
        self.assertIn("\n  printed  the kernel of 7 is broken\n", outcome.out)
        outcome = opconform("run", self.file, "--backend", "plugin:" + plugin("misbehaving"),
                            env={**self.environment, "OPCONFORM_MISBEHAVE": "says-much"})
        self.assert_exit(1, outcome)
        self.assertRegex(outcome.out, r"\n  printed  \d+ lines before these\n"
                                      r"           line 496 of 500\n(           line 49\d of 500\n){3}"
                                      r"           line 500 of 500\n  again ")
        outcome = self.run_plugin("says-much")
        printed = [result["printed"] for result in outcome.json["results"] if result["verdict"] == "crash"]
        self.assertEqual(2, len(printed))
        for text in printed:
            self.assertTrue(text.startswith("...\\nline ") and text.endswith("line 500 of 500\\n"), text)

    def test_a_write_after_the_reply_is_seen_or_harms_nobody(self):
        outcome = self.run_plugin("writes-late")
        self.assertLessEqual(set(outcome.verdicts().values()), {"pass", "mismatch", "memory-fault", "crash", "flaky"})
        for case in ("first", "between", "last"):
            self.assertIn(outcome.verdicts()[case], ("pass", "memory-fault"))
        self.assert_nothing_is_left()

    def test_what_is_wrong_in_each_case_is_wrong_in_each_case(self):
        for name in ("crash-at-the-third", "crash-in-release"):
            with self.subTest(name):
                outcome = self.run_plugin(name)
                self.assert_exit(1, outcome)
                self.assertEqual(dict.fromkeys(ALL, "crash"), outcome.verdicts())
                self.assert_nothing_is_left()

    def test_what_is_not_offered_and_what_ran_elsewhere_is_no_failure(self):
        for name, verdict in (("offers-nothing", "unsupported"), ("ran-elsewhere", "ran-elsewhere")):
            with self.subTest(name):
                outcome = self.run_plugin(name)
                self.assert_exit(0, outcome)
                self.assertEqual(dict.fromkeys(ALL, verdict), outcome.verdicts())

    def test_who_offers_what_it_lacks_is_judged_by_it(self):
        file = self.write("split.json", ELSEWHERE)
        honest = self.run_plugin("", file=file)
        self.assertEqual({"split": "unsupported"}, honest.verdicts())
        lies = self.run_plugin("offers-what-it-lacks", file=file)
        self.assert_exit(1, lies)
        self.assertEqual({"split": "mismatch"}, lies.verdicts())

    def test_a_spoiled_process_is_replaced_after_each_case(self):
        outcome = self.run_plugin("spoiled-each-time")
        self.assert_exit(0, outcome)
        self.assertEqual(dict.fromkeys(ALL, "pass"), outcome.verdicts())
        campaign = opconform("fuzz", "--backend", "plugin:" + plugin("misbehaving"), "--cases", "300", "--json", "-",
                             env={**self.environment, "OPCONFORM_MISBEHAVE": "spoiled-each-time"}, timeout=60)
        self.assert_exit(0, campaign)
        self.assertEqual(300, campaign.json["cases"])
        self.assert_nothing_is_left()

    def test_campaigns_find_the_crash_and_go_on(self):
        outcome = opconform("fuzz", "--backend", "plugin:" + plugin("misbehaving"), "--cases", "2000", "--json", "-",
                            env={**self.environment, "OPCONFORM_MISBEHAVE": "crash"}, timeout=120)
        self.assert_exit(1, outcome)
        self.assertEqual(2000, outcome.json["cases"])
        self.assertEqual({"crash"}, {finding["verdict"] for finding in outcome.json["findings"]})
        self.assert_nothing_is_left()


class Loading(PluginTest):
    def test_who_breaks_the_interface_at_once_does_not_conform(self):
        for name, words in BROKEN_AT_ONCE.items():
            with self.subTest(name):
                outcome = self.run_plugin(name)
                self.assert_exit(1, outcome)
                self.assertIn(words, outcome.err)
                self.assert_nothing_is_left()

    def test_what_does_not_start_is_a_finding(self):
        for name, words in NO_START.items():
            with self.subTest(name):
                outcome = self.run_plugin(name)
                self.assert_exit(1, outcome)
                self.assertIn("while it was opened and closed, its process", outcome.err)
                self.assertIn(words, outcome.err)
                self.assert_nothing_is_left()

    def test_an_environment_that_it_cannot_use_is_bad_input(self):
        outcome = self.run_plugin("no-start")
        self.assert_exit(2, outcome)
        self.assertIn("does not start: open() returned 3: there is no such device", outcome.err)
        self.assert_nothing_is_left()

    def test_files_that_are_none(self):
        text = self.write("text.so", {"no": "library"})
        library = subprocess.run(["cc", "-print-file-name=libm.so.6"], check=True, capture_output=True, text=True)
        for path, words in (("/nowhere/at/all.so", "there is no such file"), ("", "there is no such file"),
                            (str(text), "cannot be loaded"), ("/", "cannot be loaded"),
                            (library.stdout.strip(), "does not export opconform_plugin_init()")):
            with self.subTest(path):
                outcome = self.run_cases(self.file, "--backend", f"plugin:{path}")
                self.assert_exit(2, outcome)
                self.assertIn(words, outcome.err)

    def test_options(self):
        outcome = self.run_cases(self.file, "--backend", f"plugin:{plugin('example')},device=1")
        self.assert_exit(2, outcome)
        self.assertIn('takes no options, but was given "device=1"', outcome.err)
        suite = plugin("suite")
        outcome = self.run_cases(self.file, "--backend", f"plugin:{suite},backend=nobody")
        self.assert_exit(2, outcome)
        self.assertIn("there is no such backend", outcome.err)
        outcome = self.run_cases(self.file, "--backend", f"plugin:{suite},backend=reference")
        self.assert_exit(0, outcome)

    def test_what_open_decides_is_what_it_promises(self):
        outcome = self.run_plugin("decides-in-open")
        self.assert_exit(0, outcome)
        self.assertEqual(["torch"], [promise["name"] for promise in outcome.json["promises"]])
        self.assertIn("9.1", json.dumps(outcome.json))

    def test_its_own_promise(self):
        outside = gather("outside", 4)
        outside["desc"]["indices"]["data"] = [9]
        file = self.write("outside.json", document("ONNX_GATHER", outside, REJECTED))
        promise = {"name": "mine", "says": "a test", "operators": {"ONNX_GATHER": {"index_out_of_range": "clamp"}},
                   "refusals": "none"}
        for given, code, verdicts in (("", 0, {"outside": "pass", "rejected": "pass"}),
                                      (json.dumps(promise), 1, {"outside": "wrong-error", "rejected": "unsupported"}),
                                      ("torch", 0, {"outside": "pass", "rejected": "unsupported"})):
            outcome = self.run_cases(file, "--backend", "plugin:" + plugin("misbehaving"),
                                     env={"OPCONFORM_PROMISE": given})
            self.assert_exit(code, outcome)
            self.assertEqual(verdicts, outcome.verdicts())
        for given, words in (("nobody", "nobody"), ("{", "its promise"), ('{"name": 1}', "its promise"),
                             ('{"name": "x", "says": "y", "layout": "any"}', "layout")):
            outcome = self.run_cases(file, "--backend", "plugin:" + plugin("misbehaving"),
                                     env={"OPCONFORM_PROMISE": given})
            self.assert_exit(1, outcome)
            self.assertIn(words, outcome.err)

    def test_each_binding_that_is_offered_is_tested(self):
        backend = "plugin:" + plugin("bindings")
        parts = ["constant-values", "constant-indices", "symbolic-shapes"]
        names = ["+".join(part for i, part in enumerate(parts) if number >> i & 1) for number in range(8)]
        for misbehaviour in ("", "wrong-constants"):
            outcome = self.run_cases(self.file, "--backend", backend, env={"OPCONFORM_MISBEHAVE": misbehaviour})
            self.assert_exit(1 if misbehaviour else 0, outcome)
            for name in names:
                wrong = misbehaviour and "constant-indices" in name
                self.assertEqual(dict.fromkeys(ALL, "mismatch" if wrong else "pass"),
                                 outcome.verdicts(backend + ("#" + name if name else "")))
        for name, code in (("constant-values", 0), ("constant-indices", 1), ("run-time", 0),
                           ("constant-indices+symbolic-shapes", 1)):
            outcome = self.run_cases(self.file, "--backend", f"{backend}#{name}",
                                     env={"OPCONFORM_MISBEHAVE": "wrong-constants"})
            self.assert_exit(code, outcome)
            self.assertEqual(1, len({result["backend"] for result in outcome.json["results"]}))

    def test_each_bug_of_a_binding_is_caught_there_alone(self):
        page = (Path(program.corpus).parent / "docs/wild-bugs.md").read_text(encoding="utf-8")
        part = page.partition("## In bindings")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| `([\w+-]+)` \| [\d, ]* *\| `([\w-]+)` \| `([\w/.-]+)` \|$", part, re.MULTILINE)
        self.assertEqual(5, len(rows))
        backend = "plugin:" + plugin("bindings")
        for binding, bug, case in rows:
            folder = Path(program.corpus) / case.partition("/")[0]  # all others need not be read
            outcome = self.run_cases(folder, "--filter", case, "--backend", backend, env={"OPCONFORM_MISBEHAVE": bug}, timeout=60)
            self.assert_exit(1, outcome)
            self.assertEqual(8, len(outcome.json["results"]))
            for result in outcome.json["results"]:
                bound = result["backend"].partition("#")[2].split("+")
                wrong = set(binding.split("+")) <= set(bound)
                self.assertEqual(wrong, result["verdict"] != "pass", f"{bug}: {result['backend']}")

    def test_constants_of_descriptors_that_break_a_rule_have_no_contents(self):
        for binding in ("constant-values", "constant-indices"):
            outcome = self.run_cases(self.write("rejected.json", document("ONNX_GATHER", REJECTED)), "--backend",
                                     f"plugin:{plugin('bindings')}#{binding}")
            self.assert_exit(0, outcome)
            self.assertEqual({"rejected": "pass"}, outcome.verdicts())

    def test_a_path_may_hold_the_mark_of_bindings(self):
        place = self.folder / "c#"
        place.mkdir()
        library = shutil.copy(plugin("bindings"), place / "mine#1.so")
        for binding in ("", "#constant-values"):
            outcome = self.run_cases(self.file, "--backend", f"plugin:{library}{binding}")
            self.assert_exit(0, outcome)
            self.assertEqual(dict.fromkeys(ALL, "pass"), outcome.verdicts(f"plugin:{library}{binding}"))

    def test_a_binding_that_is_not_offered(self):
        outcome = self.run_cases(self.file, "--backend", f"plugin:{plugin('example')}#constant-indices")
        self.assert_exit(2, outcome)
        self.assertIn('does not offer the binding "constant-indices"; it offers run-time', outcome.err)


class Example(PluginTest):
    def test_passes_all_cases_of_its_operator(self):
        for name in ("example", "abi_1_0", "abi_1_1"):
            outcome = self.run_cases(f"{program.corpus}/gather", f"{program.corpus}/split/semantics.json", "--backend",
                                     "plugin:" + plugin(name), timeout=60)
            self.assert_exit(0, outcome)
            counts = {}
            for result in outcome.json["results"]:
                counts[result["verdict"]] = counts.get(result["verdict"], 0) + 1
            self.assertEqual({"pass", "unsupported"}, set(counts))
            self.assertGreater(counts["pass"], 2000)
            self.assertEqual({"plugin:" + plugin(name): "gather-in-c"}, outcome.json["run"]["implementations"])

    def test_reports_say_what_it_is(self):
        backend = "plugin:" + plugin("suite")
        outcome = self.run_cases(self.file, "--backend", backend, "--markdown", self.folder / "report.md", "--junit",
                                 self.folder / "report.xml", "--html", self.folder / "report.html")
        self.assert_exit(0, outcome)
        self.assertEqual({backend: "suite 1"}, outcome.json["run"]["implementations"])
        for file, words in (("report.md", "` is suite 1"), ("report.xml", 'name="implementation" value="suite 1"'),
                            ("report.html", '"implementations":')):
            self.assertIn(words, (self.folder / file).read_text(encoding="utf-8"))
