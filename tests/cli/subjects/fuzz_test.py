"""`opconform fuzz`: what a campaign finds, reports and writes."""
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import program
from program import CONTROL, CliTest, descendants, opconform, start, wait_for
from results import demand_schema

CHANGES = ("seconds", "rate", "byte_rate", "run")


def same_part(campaign):
    """What must not depend on the jobs, the folder or the pace."""
    campaign = {key: value for key, value in campaign.items() if key not in CHANGES}
    text = json.dumps(campaign)
    for finding in campaign["findings"]:
        for example in finding["examples"]:
            text = text.replace(json.dumps(str(Path(example["file"]).parent))[1:-1], "DIR")
    return json.loads(text)


class FuzzTest(CliTest):
    def fuzz(self, fault, *arguments, out=None, cases="4000", code=1, **more):
        """A campaign into a folder of the test's, as JSON."""
        limits = () if cases is None else ("--cases", cases)
        outcome = opconform("fuzz", "--backend", "faulty:" + fault, *limits, "--out", out or self.folder / "out",
                            "--json", "-", *arguments, timeout=60, **more)
        self.assert_exit(code, outcome)
        demand_schema(outcome.json)
        return outcome.json

    def shell(self, line):
        """A command line as a user pastes it."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        if not (folder / "opconform").exists():
            (folder / "opconform").symlink_to(program.executable)
        return subprocess.run(["sh", "-c", line], env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
                              cwd=self.folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=program.NEVER_SECONDS)

    def assert_reproduces(self, campaign):
        for finding in campaign["findings"]:
            for example in finding["examples"]:
                shown = self.shell(example["repro"])
                self.assertEqual(1, shown.returncode, (example["repro"], shown.stdout))
                self.assertIn(finding["verdict"], shown.stdout.decode(), example["repro"])


def elements(case_file):
    """Of the largest tensor."""
    def sizes(value):
        if isinstance(value, list):
            for one in value:
                yield from sizes(one)
        elif isinstance(value, dict):
            for key, one in value.items():
                if key in ("Sizes", "shape"):
                    product = 1
                    for extent in one:
                        product *= extent
                    yield product
                yield from sizes(one)
    return max(sizes(json.loads(case_file.read_text())))


class Findings(FuzzTest):
    def test_wrong_elements(self):
        campaign = self.fuzz("wrong-element")
        self.assertEqual(4000, campaign["cases"])
        self.assertEqual({"mismatch"}, {finding["verdict"] for finding in campaign["findings"]})
        self.assertEqual(len(program.operators()), len(campaign["findings"]))
        for finding in campaign["findings"]:
            self.assertGreater(finding["count"], 0)
            for example in finding["examples"]:
                file = Path(example["file"])
                self.assertLessEqual(elements(file), 8, file.read_text())
                self.assertLess(file.stat().st_size, 2000)
                self.assert_exit(0, opconform("validate", file))
        self.assert_reproduces(campaign)

    def test_what_only_a_check_as_in_run_shows(self):
        for fault, words in (("reads-behind-input", "read outside "), ("input-changed-and-restored", " was written, and is as it was")):
            with self.subTest(fault=fault):
                campaign = self.fuzz(fault, cases="20000", out=self.folder / fault)
                self.assertEqual(5, len(campaign["findings"]))
                for finding in campaign["findings"]:
                    self.assertIn(words, finding["examples"][0]["result"]["message"])
                    self.assertTrue(finding["examples"][0]["shrunk"])
                self.assert_reproduces(campaign)

    def test_bytes(self):
        outcome = opconform("fuzz", "--cases", "4000", "--json", self.folder / "campaign.json")
        self.assertRegex(outcome.out.splitlines()[-1], r"cases/s, [\d,]+ MB/s, 0 findings$")
        campaign = json.loads((self.folder / "campaign.json").read_text())
        demand_schema(campaign)
        self.assertEqual(campaign["bytes"], sum(tally["bytes"] for tally in campaign["by_operator"].values()))
        self.assertAlmostEqual(campaign["byte_rate"] * campaign["seconds"], campaign["bytes"], delta=1)

    def test_what_is_broken_is_named(self):
        campaign = self.fuzz("reversed-start-off-by-one")
        finding, = campaign["findings"]
        diagnosis = finding["diagnosis"]
        self.assertEqual("slice1.copy-start", diagnosis["rule"])
        self.assertIn("where the stride is negative", diagnosis["says"])
        self.assertIn("some InputWindowStrides[i] < 0", diagnosis["common"]["conditions"])
        text = opconform("fuzz", "--backend", "faulty:reversed-start-off-by-one", "--cases", "4000", cwd=self.folder).out
        for line in ("does     " + diagnosis["says"], "rule     slice1.copy-start: ", "common   DML_SLICE1, valid, some "):
            self.assertIn("\n  " + line, text)
        (self.folder / "campaign.json").write_text(json.dumps(campaign))
        forms = {}
        for form in ("markdown", "junit", "sarif", "html"):
            opconform("report", self.folder / "campaign.json", "--" + form, self.folder / form)
            forms[form] = (self.folder / form).read_text()
            self.assertIn(diagnosis["says"], forms[form])
        self.assertEqual("slice1.copy-start", json.loads(forms["sarif"])["runs"][0]["results"][0]["ruleId"])

    def test_failing_cases_are_looked_at(self):
        """More than the four that are shrunk, and what they do is told."""
        finding, = self.fuzz("reversed-start-off-by-one")["findings"]
        self.assertEqual(finding["count"], len(finding["failing"]))
        self.assertEqual(sorted(set(finding["failing"])), finding["failing"])
        part, = finding["parts"]
        self.assertEqual("slice1.copy-start", part["rule"])
        self.assertLessEqual(100, part["cases"])
        text = opconform("fuzz", "--backend", "faulty:reversed-start-off-by-one", "--cases", "4000", cwd=self.folder).out
        self.assertIn(f"\n  looked   at {part['cases']} of them: all have this cause\n", text)
        self.assertIn(f"some InputWindowStrides[i] < 0: {part['cases']} of {part['cases']} failures, ", text)

    def test_failing_cases_that_do_not_do_the_same(self):
        parts = max((f["parts"] for f in self.fuzz("wrong-element")["findings"]), key=len)
        self.assertLess(1, len(parts))
        self.assertEqual(sorted((part["cases"] for part in parts), reverse=True), [part["cases"] for part in parts])
        text = opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "4000", cwd=self.folder).out
        self.assertIn(" changes the bits of elements (tensor.bits-preserved)\n", text)

    def test_a_hang_is_not_diagnosed(self):
        campaign = self.fuzz("hang", "--timeout", "0.3", "--operator", "DML_SPLIT", cases="24")
        self.assertNotIn("diagnosis", campaign["findings"][0])

    def test_each_kind(self):
        for fault, verdict in (("crash", "crash"), ("silent-end", "crash"), ("exception", "crash"),
                               ("wrong-rejection", "wrong-rejection"), ("writes-behind", "memory-fault"),
                               ("missed-rejection", "missed-rejection")):
            with self.subTest(fault=fault):
                operators = () if fault in ("writes-behind", "missed-rejection") else ("--operator", "DML_SPLIT")
                campaign = self.fuzz(fault, *operators, cases="600", out=self.folder / fault)
                verdicts = {finding["verdict"] for finding in campaign["findings"]}
                self.assertIn(verdict, verdicts)
                campaign["findings"] = [one for one in campaign["findings"] if one["verdict"] == verdict][:4]
                for finding in campaign["findings"]:
                    for example in finding["examples"]:
                        self.assertTrue(example["shrunk"])
                self.assert_reproduces(campaign)

    def test_hang(self):
        began = time.monotonic()
        campaign = self.fuzz("hang", "--timeout", "0.5", "--operator", "DML_SPLIT", cases="24")
        self.assertEqual(["timeout"], [finding["verdict"] for finding in campaign["findings"]])
        self.assertEqual(24, campaign["cases"])
        self.assertLess(time.monotonic() - began, 30)
        self.assert_reproduces(campaign)

    def test_what_fails_now_and_then_is_reported_as_such(self):
        campaign = self.fuzz("sometimes", cases="8000", code=1)
        examples = [example for finding in campaign["findings"] for example in finding["examples"]]
        self.assertIn(False, [example["shrunk"] for example in examples])
        for example in examples:
            self.assertNotEqual("", example["repro"])
            if not example["shrunk"]:
                self.assertNotEqual("", example["result"]["message"])
                self.assertTrue(Path(example["file"]).exists())

    def test_short_timeout_is_no_finding(self):
        outcome = opconform("fuzz", "--timeout", "0.01", "--time", "1", "--out", self.folder / "out", timeout=20)
        self.assertNotIn("timeout", outcome.out)

    def test_right_backends_have_no_finding(self):
        for backend in ("reference", "optimized"):
            with self.subTest(backend=backend):
                outcome = opconform("fuzz", "--backend", backend, "--cases", "3000", "--seed", "5", cwd=self.folder)
                self.assert_exit(0, outcome)
                self.assertEqual("", outcome.err)
                self.assertIn("3,000 cases", outcome.out)
                self.assertEqual([], list(self.folder.iterdir()))

    def test_report_as_text(self):
        outcome = opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "2000", cwd=self.folder, timeout=30)
        self.assert_exit(1, outcome)
        self.assertEqual("", outcome.err)
        again = re.findall(r"^  again    (.*)$", outcome.out, re.M)
        self.assertGreater(len(again), 3)
        for line in again:
            self.assertEqual(1, self.shell(line).returncode, line)
        self.assertEqual(["bin", "opconform-fuzz"], sorted(path.name for path in self.folder.iterdir()))

    def test_a_second_campaign_takes_a_folder_of_its_own(self):
        for _ in range(2):
            opconform("fuzz", "--backend", "faulty:wrong-element", "--cases", "100", cwd=self.folder, timeout=30)
        self.assertEqual(["opconform-fuzz", "opconform-fuzz-2"], sorted(path.name for path in self.folder.iterdir()))

    def test_two_at_once_take_folders_of_their_own(self):
        running = [start("fuzz", "--backend", "faulty:wrong-element", "--cases", "500", cwd=self.folder,
                         stdout=subprocess.PIPE) for _ in range(4)]
        outputs = [process.communicate(timeout=program.NEVER_SECONDS)[0].decode() for process in running]
        self.assertEqual([1] * 4, [process.returncode for process in running])
        self.assertEqual(4, len(list(self.folder.iterdir())))
        self.assertEqual(4, len({re.search(r"opconform-fuzz[-\d]*/", output)[0] for output in outputs}))

    def test_shrinking_is_quick(self):
        """The figures are printed; that they are no demand of the test is for machines that are busy."""
        for fault, operator in (("wrong-element", "DML_SCATTER"), ("wrong-rejection", "DML_SPLIT"),
                                ("writes-behind", "DML_SLICE1"), ("crash", "DML_SPLIT")):
            whole = self.fuzz(fault, "--operator", operator, cases="400", out=self.folder / fault)
            numbers = [example["case"] for finding in whole["findings"] for example in finding["examples"] + finding["alike"]]
            spent = []
            for number in numbers + [number + 8000 for number in range(20)]:
                one = opconform("fuzz", "--backend", "faulty:" + fault, "--operator", operator, "--first", number,
                                "--cases", 1, "--json", "-", cwd=self.folder).json
                if one["findings"]:
                    spent.append(1000 * one["seconds"])
            print(f"\n{fault}: {len(spent)} cases shrunk, median {statistics.median(spent):.1f} ms, "
                  f"most {max(spent):.1f} ms", file=sys.stderr)
            self.assertLess(statistics.median(spent), 2000)


class Determinism(FuzzTest):
    def test_jobs(self):
        for fault, cases in (("wrong-element", "9000"), ("crash", "2500"), ("alike-rules", "9000")):
            with self.subTest(fault=fault):
                one = None
                for jobs in ("1", "2", "7"):
                    campaign = same_part(self.fuzz(fault, "--jobs", jobs, cases=cases, out=self.folder / f"{fault}{jobs}"))
                    one = one or campaign
                    self.assertEqual(one, campaign)
                names = [sorted(path.name for path in (self.folder / f"{fault}{jobs}").iterdir()) for jobs in (1, 2, 7)]
                self.assertEqual([names[0]] * 3, names)

    def interrupted(self, fault, number, *arguments, cases, whole):
        """Ended after a moment, and gone on with, until it is done."""
        out = self.folder / f"signal{number}"
        pause = 0.04  # short enough for any machine: the campaign must not be over
        for attempt in range(60):
            resume = ["--resume"] if (out / "campaign.json").exists() else []
            with start("fuzz", "--backend", "faulty:" + fault, "--cases", cases, "--out", out, "--json",
                       self.folder / "result.json", *arguments, *resume,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
                try:
                    _, err = process.communicate(timeout=pause)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, number) if attempt % 2 else process.send_signal(number)
                    _, err = process.communicate(timeout=program.NEVER_SECONDS)
            if process.returncode == 1:
                break
            # Ended by the signal itself: it had not begun.
            self.assertIn(process.returncode, (3, -signal.SIGKILL, -number), err)
            pause *= 1.3
        self.assertGreater(attempt, 0, "too short to be interrupted")
        self.assertEqual(1, process.returncode)
        campaign = json.loads((self.folder / "result.json").read_text())
        demand_schema(campaign)
        self.assertEqual(same_part(whole), same_part(campaign))
        names = lambda folder: {path.name for path in folder.iterdir() if ".part" not in path.name}
        self.assertEqual(names(self.folder / "whole"), names(out))

    def test_in_process(self):
        backend = "wrong-element"
        in_workers = same_part(self.fuzz(backend, out=self.folder / "a"))
        self.assertEqual(in_workers, same_part(self.fuzz(backend, "--in-process", out=self.folder / "b")))
        outcome = opconform("fuzz", "--backend", "faulty:crash", "--in-process", "--cases", "4000", "--out", self.folder / "c")
        self.assertEqual(-signal.SIGSEGV, outcome.code, outcome)
        self.assert_exit(2, opconform("fuzz", "--in-process", "--isolate"))

    def test_interrupted_and_resumed(self):
        cases = "12000"
        whole = self.fuzz("wrong-element", cases=cases, out=self.folder / "whole")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signal=number):
                self.interrupted("wrong-element", number, "--jobs", "2", cases=cases, whole=whole)

    def test_killed_and_resumed_with_crashes(self):
        whole = self.fuzz("crash", cases="6000", out=self.folder / "whole")
        self.interrupted("crash", signal.SIGKILL, cases="6000", whole=whole)

    def test_killed_and_resumed_with_combinations(self):
        arguments = ("--strength", "2", "--operator", "DML_SPLIT")
        whole = self.fuzz("wrong-element", *arguments, cases="20000", out=self.folder / "whole")
        self.interrupted("wrong-element", signal.SIGKILL, *arguments, cases="20000", whole=whole)


class Limits(FuzzTest):
    def test_time(self):
        def timed():
            began = time.monotonic()
            outcome = opconform("fuzz", "--time", "1", "--json", "-")
            waited = time.monotonic() - began
            self.assert_exit(0, outcome)
            self.assertLess(0.9, outcome.json["seconds"])
            self.assertNotIn("interrupted", outcome.json)
            return max(waited, outcome.json["seconds"])

        self.assert_within(3, timed)

    def test_sizes(self):
        """Large tensors belong to a default campaign, and show what small ones do not."""
        for sizes, cases, code in (("small", "20000", 0), ("large", "300", 1)):
            outcome = opconform("fuzz", "--backend", "faulty:rows-of-16-kib-tail-lost", "--sizes", sizes, "--cases", cases,
                                "--out", self.folder / sizes, timeout=300)
            self.assert_exit(code, outcome)
        found = json.loads(next((self.folder / "large").glob("DML_SLICE1-mismatch*.json")).read_text())
        desc = found["cases"][0]["desc"]
        width = {"8": 1, "16": 2, "32": 4, "64": 8}[desc["OutputTensor"]["DataType"].lstrip("UINTFLOA")]
        self.assertLessEqual(16384, (desc["OutputTensor"]["Sizes"][-1] - 1) * width)
        self.assertLess(len(json.dumps(found)), 4096)
        outcome = opconform("fuzz", "--sizes", "huge")
        self.assert_exit(2, outcome)
        self.assertIn("--sizes", outcome.err)

    def test_strength_ends_by_itself(self):
        outcome = opconform("fuzz", "--strength", "2", "--json", "-", "--jobs", "2", timeout=60)
        self.assert_exit(0, outcome)
        combinations = outcome.json["combinations"]
        self.assertEqual({one["name"] for one in program.operators()}, {one["operator"] for one in combinations})
        for one in combinations:
            self.assertEqual(one["feasible"], one["covered"], one)
            self.assertGreater(one["covered"], 0)

    def test_cases_are_counted_to_the_one(self):
        for cases in (1, 2047, 2049):
            campaign = opconform("fuzz", "--cases", cases, "--json", "-", "--jobs", "3").json
            self.assertEqual(cases, campaign["cases"])
            self.assertEqual([[0, cases]], campaign["done"])

    def test_parts_of_a_campaign_are_its_cases(self):
        whole = self.fuzz("wrong-element", cases="3000")
        numbers = {example["case"] for finding in whole["findings"] for example in finding["examples"]}
        number = min(numbers)
        one = self.fuzz("wrong-element", "--first", number, cases="1", out=self.folder / "one")
        self.assertEqual([number], [example["case"] for finding in one["findings"] for example in finding["examples"]])

    def test_operator(self):
        campaign = opconform("fuzz", "--cases", "500", "--operator", "scatter", "--operator", "DML_SCATTER", "--json", "-")
        if campaign.code == 2:  # no such alias
            campaign = opconform("fuzz", "--cases", "500", "--operator", "DML_SCATTER", "--json", "-")
        self.assertEqual(1, len(campaign.json["by_operator"]))


class Ends(FuzzTest):
    @staticmethod
    def is_alive(pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def fresh(self):
        """Nothing is there yet."""
        return self.folder / str(len(list(self.folder.iterdir())))

    def test_interrupt_shows_what_was_found(self):
        def interrupt(number):
            out = self.fresh()
            with start("fuzz", "--backend", "faulty:wrong-element", "--out", out,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
                wait_for(lambda: list(out.glob("*mismatch*.json")))
                os.killpg(process.pid, number)
                began = time.monotonic()
                text, err = process.communicate(timeout=program.NEVER_SECONDS)
            waited = time.monotonic() - began
            self.assertEqual(3, process.returncode)
            self.assertIn(b"mismatch", text)
            self.assertIn(b"interrupted", text)
            self.assertEqual(1, len(err.splitlines()), err)
            self.assertIn(str(out).encode(), err)
            return waited

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                self.assert_within(2, lambda: interrupt(number))

    def test_interrupt_while_a_large_case_is_reduced(self):
        """Its values are hundreds of megabytes, which nobody waits for."""
        def interrupt():
            out = self.fresh()
            with start("fuzz", "--backend", "faulty:bytes-behind-64-mib-lost", "--sizes", "large", "--operator",
                       "slice1", "--first", "19061", "--cases", "1", "--out", out, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE) as process:
                wait_for(lambda: len(descendants(process.pid)) > 2)
                time.sleep(2)
                process.send_signal(signal.SIGTERM)
                began = time.monotonic()
                process.communicate(timeout=program.NEVER_SECONDS)
            self.assertEqual(3, process.returncode)
            self.assertLess(sum(path.stat().st_size for path in out.iterdir()), 1 << 16)
            return time.monotonic() - began

        self.assert_within(5, interrupt)

    def test_no_process_outlives_the_first(self):
        def kill(fault):
            with start("fuzz", "--backend", "faulty:" + fault, "--jobs", "3", "--out", self.fresh(),
                       stdout=subprocess.DEVNULL) as process:
                children = []

                def are_there():  # each worker has a keeper; those that crash come and go
                    children[:] = descendants(process.pid)
                    return len(children) > 3

                wait_for(are_there)
                process.kill()
                began = time.monotonic()
                process.wait(timeout=program.NEVER_SECONDS)
            self.assertGreater(len(children), 3)
            self.assertTrue(wait_for(lambda: not any(map(self.is_alive, children))), children)
            return time.monotonic() - began

        for fault in ("wrong-element", "hang", "crash"):
            with self.subTest(fault=fault):
                self.assert_within(5, lambda: kill(fault))

    def test_progress_on_a_terminal(self):
        shown = self.on_terminal("fuzz", "--time", "1")
        self.assertRegex(shown, r"[\d,]+ cases, [\d,]+ cases/s, 0 findings, \d\.\d s")
        self.assertRegex(shown.splitlines()[-1], "0 findings")
        self.assertNotIn("\r", self.on_terminal("fuzz", "--cases", "20000", "--quiet").replace("\r\n", ""))

    def test_a_reader_that_goes_away(self):
        with start("fuzz", "--backend", "faulty:wrong-element", "--cases", "2000", "--out", self.folder / "out",
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            err = process.stderr.read()
            process.wait(timeout=program.NEVER_SECONDS)
        self.assertIn(process.returncode, (-signal.SIGPIPE, 3))
        self.assertLessEqual(len(err.splitlines()), 1)
        self.assertEqual(2000, json.loads((self.folder / "out" / "campaign.json").read_text())["cases"])


class HostileWords(FuzzTest):
    """What a backend says reaches nobody raw, nor by the megabyte."""

    def test_words(self):
        for fault in ("hostile-words", "exception"):
            with self.subTest(fault=fault):
                out = self.folder / fault
                arguments = ("fuzz", "--backend", "faulty:" + fault, "--cases", "150", "--operator", "DML_SPLIT",
                             "--out", out)
                outcome = opconform(*arguments, timeout=60)
                self.assert_exit(1, outcome)
                self.assertIsNone(CONTROL.search(outcome.out + outcome.err))
                self.assertNotIn("\u202e", outcome.out)
                self.assertLess(len(outcome.out), 20_000)
                for file in out.iterdir():
                    self.assertLess(file.stat().st_size, 200_000, file)
                    self.assertLess(len(file.name), 200)
                    file.read_text("utf-8")
                campaign = json.loads((out / "campaign.json").read_text())
                for finding in campaign["findings"]:
                    for example in finding["examples"]:
                        self.assertTrue(example["shrunk"], finding["verdict"])
                self.assert_reproduces(campaign)
                again = opconform(*arguments, "--resume", timeout=60)
                self.assert_exit(1, again)

    def test_rules_that_look_alike_keep_their_files(self):
        campaign = self.fuzz("alike-rules", "--operator", "DML_SPLIT")
        self.assertEqual(3, len(campaign["findings"]))
        files = [example["file"] for finding in campaign["findings"] for example in finding["examples"]]
        self.assertEqual(len(files), len(set(files)))
        self.assert_reproduces(campaign)
