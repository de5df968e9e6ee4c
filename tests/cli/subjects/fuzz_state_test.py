"""`opconform fuzz`: arguments, the state of a campaign, and places that cannot be written."""
import json
import os
import resource
import signal
import subprocess
import unittest

import program
from documents import with_change
from fuzz_test import FuzzTest, same_part
from program import CONTROL, opconform, start, wait_for


class Arguments(FuzzTest):
    def test_bad_usage(self):
        for arguments in (["--operator", "DML_NONE"], ["--operator", ""], ["--backend", "none"], ["--backend", ""],
                          ["--feature-level", "9_9"], ["--seed", "-1"], ["--seed", "18446744073709551616"],
                          ["--seed", "x"], ["--cases", "-1"], ["--cases", "1e3"], ["--cases", "0"], ["--time", "0"],
                          ["--time", "nan"], ["--time", "1e9"], ["--time", "-1"], ["--timeout", "0"], ["--strength", "0"],
                          ["--strength", "7"], ["--strength", "x"], ["--jobs", "0"], ["--jobs", "-1"],
                          ["--jobs", "100000"], ["--resume"], ["--out", ""], ["--json", ""], ["--coverage", "-"],
                          ["--first", "18446744073709551615"], ["surplus"],
                          ["--feature-level", "1_0", "--operator", "DML_SLICE1"]):
            with self.subTest(arguments=arguments):
                outcome = self.assert_bad_usage("fuzz", *arguments)
                self.assertEqual(1, len(outcome.messages), outcome)
                wanted = "--feature-level" if len(arguments) > 2 else arguments[0]
                self.assertIn(wanted, outcome.err)

    def test_extremes(self):
        for arguments in (["--seed", "18446744073709551615"], ["--first", "4611686018427387904"],
                          ["--jobs", "1024"], ["--time", "86400"], ["--timeout", "86400"]):
            with self.subTest(arguments=arguments):
                outcome = opconform("fuzz", "--cases", "100", *arguments, "--json", "-", timeout=20)
                self.assert_exit(0, outcome)
                self.assertEqual(100, outcome.json["cases"])

    def test_nothing_is_made_of_bad_usage(self):
        opconform("fuzz", "--operator", "DML_NONE", "--out", self.folder / "out")
        opconform("fuzz", "--resume", "--out", self.folder / "out")
        self.assertEqual([], list(self.folder.iterdir()))


class State(FuzzTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.file = self.out / "campaign.json"

    def resume(self, *arguments, fault="wrong-element", cases="2000"):
        return opconform("fuzz", "--backend", "faulty:" + fault, "--cases", cases, "--out", self.out, "--resume",
                         *arguments, timeout=30)

    def assert_rejected(self, outcome, *words):
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        self.assertIsNone(CONTROL.search(outcome.err))
        self.assertLess(len(outcome.err), 600)
        for word in (str(self.file), *words):
            self.assertIn(word, outcome.err)

    def test_there_is_one_already(self):
        self.fuzz("wrong-element", cases="100")
        before = self.file.read_bytes()
        outcome = opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "200", "--out", self.out)
        self.assert_rejected(outcome, "--resume")
        self.assertEqual(before, self.file.read_bytes())

    def test_nothing_to_resume(self):
        self.assert_rejected(self.resume(), "No such file")
        self.assertFalse(self.out.exists())

    def test_resumed_when_done(self):
        whole = self.fuzz("wrong-element", cases="2000")
        outcome = self.resume("--json", "-")
        self.assert_exit(1, outcome)
        self.assertEqual(same_part(whole), same_part(outcome.json))

    def test_resumed_with_more_cases(self):
        self.fuzz("wrong-element", cases="2000")
        whole = self.fuzz("wrong-element", cases="5000", out=self.folder / "whole")
        self.assertEqual(same_part(whole), same_part(self.resume("--json", "-", cases="5000").json))

    def test_choices_go_on(self):
        part = self.fuzz("gaps-overwritten", cases="1000", code=0)
        whole = self.fuzz("gaps-overwritten", "--jobs", "3", cases="3000", code=0, out=self.folder / "whole")
        resumed = self.resume("--json", "-", fault="gaps-overwritten", cases="3000").json
        self.assertEqual(same_part(whole), same_part(resumed))
        overwritten = lambda campaign: {choice["choice"]: choice["cases"] for choice in campaign["choices"]}["overwritten"]
        self.assertGreater(overwritten(whole), overwritten(part))

    def test_of_another_campaign(self):
        self.fuzz("wrong-element", "--seed", "7", cases="100")
        before = self.file.read_bytes()
        for arguments, words in ((["--seed", "8"], ["seed", "7", "8"]),
                                 (["--seed", "7", "--operator", "DML_SPLIT"], ["operators", "DML_SPLIT"]),
                                 (["--seed", "7", "--feature-level", "2_1"], ["feature_level", "2_1"]),
                                 (["--seed", "7", "--strength", "2"], ["strength"]),
                                 (["--seed", "7", "--sizes", "small"], ["sizes", "mixed", "small"]),
                                 (["--seed", "7", "--first", "5"], ["first", "5"])):
            with self.subTest(arguments=arguments):
                self.assert_rejected(self.resume(*arguments), *words)
        self.assert_rejected(self.resume("--seed", "7", fault="crash"), "backend", "faulty:crash", "faulty:wrong-element")
        self.assertEqual(before, self.file.read_bytes())

    def test_malformed(self):
        self.fuzz("wrong-element", cases="500")
        good = self.file.read_bytes()
        for text in (b"", b"{", b"[]", b"null", b"\xff", b"{}", good[:len(good) // 2], good + b"x",
                     b"[" * 100000, b'{"version": 1, "version": 1}', b"\0"):
            with self.subTest(text=text[:20]):
                self.file.write_bytes(text)
                self.assert_rejected(self.resume())
                self.assertEqual(text, self.file.read_bytes())

    def test_values(self):
        self.fuzz("wrong-element", cases="500")
        good = json.loads(self.file.read_text())
        operator = next(iter(good["by_operator"]))
        finding, example = ["findings", 0], ["findings", 0, "examples", 0]
        evil = "\x1b[31m" + "x" * 5000
        choice = {"rule": "tensor.gaps-dont-care", "choice": "overwritten", "cases": 1}
        for path, value, words in (
                (["version"], 2, ["version"]), (["version"], ..., ["version"]), (["settings"], ..., ["settings"]),
                (["settings", "seed"], "1", ["seed"]), (["settings", "seed"], evil, ["seed"]),
                (["settings", "more"], 1, ["more"]), (["settings"], 3, ["settings"]),
                (["seconds"], "1", ["seconds"]), (["seconds"], -1, ["seconds"]), (["seconds"], ..., ["seconds"]),
                (["done"], 5, ["done"]), (["done"], [[5, 4]], ["done"]), (["done"], [[0, 1, 2]], ["done"]),
                (["done"], [["0", 1]], ["done"]), (["done"], [[-1, 5]], ["done"]), (["done"], [[0.5, 5]], ["done"]),
                (["done"], [[0, 1 << 64]], ["done"]), (["done"], [[0, (1 << 64) - 1]], ["done"]),
                (["by_operator"], [], ["by_operator"]), (["by_operator", "DML_NONE"], {}, ["DML_NONE"]),
                (["by_operator", operator], 1, [operator]), (["by_operator", operator, "valid"], -1, ["valid"]),
                (["by_operator", operator, "valid"], 1.5, ["valid"]), (["by_operator", operator, "valid"], ..., ["valid"]),
                (["by_operator", operator, "valid"], 1 << 63, ["by_operator"]),
                (["by_operator", operator, "failed"], 1 << 63, ["by_operator"]),
                (["by_operator", operator, "bytes"], -1, ["bytes"]), (["by_operator", operator, "bytes"], "x", ["bytes"]),
                (["choices"], 3, ["choices"]), (["choices"], [3], ["/choices/0"]), (["choices"], [{}], ["choice"]),
                (["choices"], [choice | {"choice": evil}], ["choice"]), (["choices"], [choice | {"rule": "none"}], ["choice"]),
                (["choices"], [choice | {"cases": 501}], ["cases"]), (["choices"], [choice | {"cases": -1}], ["cases"]),
                (["findings"], {}, ["findings"]), (finding, 5, ["/findings/0"]),
                (finding + ["operator"], evil, ["operator"]), (finding + ["operator"], ..., ["operator"]),
                (finding + ["verdict"], "pass", ["verdict"]), (finding + ["verdict"], "none", ["verdict"]),
                (finding + ["count"], "x", ["count"]), (finding + ["count"], 1 << 63, ["count"]),
                (finding + ["failing"], 1, ["failing"]), (finding + ["failing"], ["1"], ["failing"]),
                (finding + ["failing"], [500], ["failing", "500"]), (finding + ["failing"], [(1 << 64) - 1], ["failing"]),
                (finding + ["examples"], 1, ["examples"]),
                (example, {}, ["examples"]), (example + ["case"], -1, ["examples"]), (example + ["case"], True, ["examples"]),
                (example + ["smallest"], {}, ["examples"]), (example + ["smallest", "cases"], [], ["examples"]),
                (example + ["result"], [], ["examples"]), (example + ["result", "verdict"], "x", ["examples"]),
                (example + ["checks"], "x", ["examples"]), (example + ["shrunk"], 1, ["examples"]),
                (example + ["signature"], 1, ["examples"])):
            with self.subTest(path=path, value=str(value)[:20]):
                self.file.write_text(json.dumps(with_change(good, path, value)))
                self.assert_rejected(self.resume(), *words)
        self.file.write_text(json.dumps(good).replace('"seconds": ', '"seconds": 1e999, "old": ', 1))
        self.assert_rejected(self.resume(), "seconds")
        self.file.write_text(json.dumps(good, sort_keys=True))
        self.assert_exit(1, self.resume(cases="500"))

    def test_more_done_than_time_to_count(self):
        """A state that claims any number of cases must not hold the program."""
        one = ("--operator", "DML_SPLIT")  # so that few findings are explained
        self.fuzz("wrong-element", *one, cases="500", code=1)
        good = json.loads(self.file.read_text())
        self.file.write_text(json.dumps(with_change(good, ["done"], [[0, 1 << 61]])))
        for more in (["--coverage", self.folder / "coverage.json"], []):
            outcome = self.resume(*one, *more, "--time", "1", cases=str(1 << 62))
            self.assertIn(outcome.code, (1, 2), outcome)

    def test_is_a_directory(self):
        self.file.mkdir(parents=True)
        self.assert_rejected(self.resume(), "directory")

    def test_in_use(self):
        with start("fuzz", "--backend", "faulty:slow", "--out", self.out,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_for(self.file.exists)
            outcome = self.resume(fault="slow")
            process.kill()
        self.assert_exit(2, outcome)
        self.assertIn("another", outcome.err)


class Unwritable(FuzzTest):
    def fuzz_to(self, out, *arguments, **more):
        return opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "3000", "--operator", "DML_SCATTER",
                         "--out", out, *arguments, timeout=30, **more)

    def assert_told(self, outcome, *words):
        self.assert_exit(3, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        for word in words:
            self.assertIn(word, outcome.err)

    def test_file_in_the_place_of_the_folder(self):
        file = self.write("file", "mine")
        self.assert_told(self.fuzz_to(file), str(file))
        self.assert_told(self.fuzz_to(file / "below"), str(file))
        self.assertEqual("mine", file.read_text())

    def test_folder_that_cannot_be_made(self):
        self.assert_told(self.fuzz_to("/proc/none"), "/proc/none")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only_folder(self):
        (self.folder / "out").mkdir(mode=0o500)
        self.assert_told(self.fuzz_to(self.folder / "out"), "Permission denied")
        outcome = opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "3000", cwd=self.folder / "out")
        self.assert_told(outcome, "Permission denied")
        self.assertIn("mismatch", outcome.out)

    def assert_shows_the_case(self, outcome):
        self.assertIn("mismatch", outcome.out)
        shown = [line.split(None, 1)[1] for line in outcome.out.splitlines() if line.startswith("  case ")]
        self.assertGreater(len(shown), 0, outcome)
        file = self.write("shown.json", shown[0])
        again = opconform("run", file, "--backend", "faulty:wrong-element")
        self.assert_exit(1, again)
        self.assertIn("mismatch", again.out)

    def test_finding_that_cannot_be_written(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "DML_SCATTER-mismatch.json").symlink_to("/dev/full")
        outcome = self.fuzz_to(self.folder / "out")
        self.assert_told(outcome, "DML_SCATTER-mismatch.json", "No space left")
        self.assertIn("3,000 cases", outcome.out)
        self.assert_shows_the_case(outcome)
        for line in outcome.out.splitlines():
            if line.startswith("  again "):
                self.assertEqual(1, self.shell(line.split(None, 1)[1]).returncode, line)

    def test_state_that_grows_too_large(self):
        """A limit on the size of files ends as a full disk does, but only when something has been found."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
        outcome = self.fuzz_to(self.folder / "out", preexec_fn=limit, restore_signals=False)
        self.assert_told(outcome, "campaign.json", "File too large")
        self.assertIn("3,000 cases", outcome.out)
        self.assertTrue((self.folder / "out" / "DML_SCATTER-mismatch.json").exists())
        self.assertEqual(0, json.loads((self.folder / "out" / "campaign.json").read_text())["cases"])
        self.assertEqual([], [path for path in (self.folder / "out").iterdir() if ".part" in path.name])
        self.assert_exit(1, self.fuzz_to(self.folder / "out", "--resume"))

    def test_full_disk(self):
        """A file system of two pages, which the campaign fills."""
        out = self.folder / "disk"
        out.mkdir()
        script = ('mount -t tmpfs -o size=8k none "$0" || exit 99; dd if=/dev/zero of="$0/ballast" bs=4k count=1 2>&-; "$@"')
        outcome = subprocess.run(["unshare", "-rm", "sh", "-c", script, out, program.executable, "fuzz", "--backend",
                                  "faulty:wrong-element", "--cases", "3000", "--operator", "DML_SCATTER", "--out", out],
                                 check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=program.NEVER_SECONDS)
        if outcome.returncode in (1, 99) and b"mount" in outcome.stderr + outcome.stdout or b"unshare" in outcome.stderr:
            self.skipTest(outcome.stderr.decode())
        found = program.Outcome(outcome.returncode, outcome.stdout, outcome.stderr)
        self.assert_exit(3, found)
        self.assertIn("No space left", found.err)
        self.assertLessEqual(len(found.messages), 3, found)
        self.assert_shows_the_case(found)

    def test_json_on_a_full_disk(self):
        outcome = self.fuzz_to(self.folder / "out", "--json", "/dev/full")
        self.assert_told(outcome, "/dev/full", "No space left")
        self.assertIn("mismatch", outcome.out)

    def test_json_in_no_folder(self):
        outcome = self.fuzz_to(self.folder / "out", "--json", self.folder / "none" / "x.json")
        self.assert_told(outcome, "none/x.json")

    def test_standard_output_on_a_full_disk(self):
        for number, arguments in enumerate(([], ["--json", "-"])):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                outcome = self.fuzz_to(self.folder / f"out{number}", *arguments, stdout=full)
                self.assert_told(outcome, "No space left")
                campaign = json.loads((self.folder / f"out{number}" / "campaign.json").read_text())
                self.assertEqual(3000, campaign["cases"])

    def test_standard_output_holds_nothing_else(self):
        outcome = self.fuzz_to(self.folder / "out", "--json", "-")
        self.assert_exit(1, outcome)
        self.assertEqual(1, outcome.json["version"])
        self.assertEqual("", outcome.err)
