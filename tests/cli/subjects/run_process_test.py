"""`opconform run` as a process: streams that close, signals, terminals."""
import json
import os
import signal
import subprocess
import time

import program
from documents import GOOD, WRONG, document, split, tensor
from program import CliTest, catches, descendants, opconform, processor_ticks, start, wait_for


class Streams(CliTest):
    def test_standard_output_on_a_full_disk(self):
        for arguments in (["run", program.spec_cases], ["run", program.spec_cases, "--json", "-"],
                          ["list", program.spec_cases], ["validate", program.spec_cases], ["spec"], ["spec", "--json"]):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                outcome = opconform(*arguments, stdout=full)
                self.assert_exit(3, outcome)
                self.assertEqual(1, len(outcome.messages), outcome)
                self.assertIn("No space left", outcome.err)

    def test_help_on_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            self.assertIn(opconform("--help", stdout=full).code, (0, 3))

    def test_standard_output_closed(self):
        outcome = subprocess.run(
            ["sh", "-c", '"$0" run "$1" >&-', program.executable, self.write("a.json", GOOD)],
            check=False, stderr=subprocess.PIPE)
        self.assertEqual(3, outcome.returncode, outcome)

    def test_a_reader_that_goes_away(self):
        """`| head -1`: ended by SIGPIPE, as other programs, or by an exit code; never a message of many lines."""
        target = self.folder / "results.json"
        with start("run", program.spec_cases, "--verbose", "--json", target, stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            err = process.stderr.read()
            process.wait(timeout=5)
        self.assertIn(process.returncode, (-signal.SIGPIPE, 3))
        self.assertLessEqual(len(err.splitlines()), 1)
        self.assertEqual(1, json.loads(target.read_text())["version"])

    def test_no_progress_in_a_pipe(self):
        outcome = opconform("run", program.spec_cases)
        self.assertEqual("", outcome.err)
        self.assertNotIn("\x1b", outcome.out)
        self.assertNotIn("\r", outcome.out)


class Interruption(CliTest):
    @staticmethod
    def wait_for_results(process):
        """The loading of cases may be interrupted without results. A worker that has worked for a while has told some."""
        def some_are_done():
            return process.poll() is not None or any(processor_ticks(one) >= 10 for one in descendants(process.pid))

        wait_for(some_are_done, pause=0.002)

    def interrupted(self, number, wait_until, *arguments):
        """How long it lived after the signal, and what it said."""
        with start("run", *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
            wait_until(process)
            os.killpg(process.pid, number)
            began = time.monotonic()
            out, err = process.communicate(timeout=program.NEVER_SECONDS)
        self.assertEqual(3, process.returncode, err)
        return time.monotonic() - began, out, err

    def interrupt(self, number, *arguments):
        target = self.folder / "results.json"
        coverage = self.folder / "coverage.json"

        def attempt():
            waited, out, err = self.interrupted(number, self.wait_for_results, program.corpus, "--isolate",
                                                "--json", target, "--coverage", coverage, *arguments)
            self.assertIn(b"interrupted", out + err)
            results = json.loads(target.read_text())
            self.assertIs(True, results["interrupted"])
            self.assertEqual({"pass"}, {result["verdict"] for result in results["results"]})
            self.assertGreater(len(results["results"]), 0)
            self.assertEqual(len(results["results"]), results["summary"]["pass"])
            counts = json.loads(coverage.read_text())["cases"]
            self.assertEqual(len({result["case"] for result in results["results"]}),
                             sum(sum(outcomes.values()) for outcomes in counts.values()))
            return waited

        self.assert_within(5, attempt)

    def test_interrupt(self):
        self.interrupt(signal.SIGINT)

    def test_interrupt_with_jobs(self):
        self.interrupt(signal.SIGINT, "--jobs", "2")  # with more, some runs are over before the signal

    def test_terminate(self):
        self.interrupt(signal.SIGTERM)

    def test_interrupt_in_process(self):
        """What is built in is not left in a long case, but the run must end after it."""
        size = int((1 << 22) / program.PATIENCE)  # one case alone must end within the limit, instrumented as well
        case = split(expect=False)
        case["desc"]["InputTensor"] = tensor("UINT8", [size], fill={"pattern": "iota"})
        case["desc"]["OutputTensors"] = [tensor("UINT8", [size])]
        file = self.write("a.json", document("DML_SPLIT", *(case | {"id": f"n{number}"} for number in range(200))))

        def attempt():
            waited, out, _ = self.interrupted(
                signal.SIGINT, lambda process: wait_for(lambda: catches(process, signal.SIGINT)), file, "--json", "-")
            self.assertIs(True, json.loads(out)["interrupted"])
            return waited

        self.assert_within(5, attempt)

    def test_no_child_is_left(self):
        self.interrupt(signal.SIGINT, "--jobs", "3")
        left = subprocess.run(["sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"], check=False,
                              stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")
        self.assertNotIn(str(self.folder), left)


class Terminal(CliTest):
    def test_colours(self):
        self.assertRegex(self.on_terminal("run", self.write("a.json", WRONG)), "\x1b\\[[0-9;]*m.*mismatch")

    def test_no_color(self):
        shown = self.on_terminal("run", self.write("a.json", WRONG), env={"NO_COLOR": "1"})
        self.assertIn("mismatch", shown)
        self.assertNotRegex(shown, "\x1b\\[[0-9;]*m")

    def test_empty_no_color_is_none(self):
        self.assertRegex(self.on_terminal("run", self.write("a.json", WRONG), env={"NO_COLOR": ""}), "\x1b\\[")

    def test_dumb_terminal(self):
        self.assertNotIn("\x1b", self.on_terminal("run", self.write("a.json", WRONG), env={"TERM": "dumb"}))

    def test_a_picture_has_lines_where_the_terminal_can_show_them(self):
        file = self.write("a.json", WRONG)
        for locale, has_lines in (("C.UTF-8", True), ("C", False)):
            with self.subTest(locale=locale):
                shown = self.on_terminal("run", file, "--verbose", env={"LC_ALL": locale, "NO_COLOR": "1"})
                self.assertIn("expected", shown)
                self.assertEqual(has_lines, "\u2502" in shown)

    def test_progress_and_its_end(self):
        shown = self.on_terminal("run", program.spec_cases, "--isolate", "--shard", "1/4")
        self.assertRegex(shown, r"\d+ of \d+")
        self.assertRegex(shown.splitlines()[-1], "passed, 0 failed")

    def test_no_progress_when_quiet(self):
        self.assertNotRegex(self.on_terminal("run", program.spec_cases, "--isolate", "--quiet", "--shard", "1/8"),
                            r"\d+ of \d+")
