"""Files of results whose command ended early, or that can be written once only."""
import json
import os
import signal
import subprocess
import time

import program
from documents import GOOD, copy, document
from program import opconform, start, wait_for
from results import ResultsTest, demand_schema


class UnfinishedTest(ResultsTest):
    def test_a_killed_run_leaves_what_it_had(self):
        cases = self.write("cases.json", document("DML_SPLIT", *(copy("INT64", [1, 2], name=f"a/{number}")
                                                                for number in range(100))))
        file = self.folder / "r.json"
        file.write_text("of an earlier run")
        process = start("run", cases, "--backend", "faulty:slow", "--json", file, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
        try:
            def known():
                text = file.read_text(encoding="utf-8")
                return process.poll() is not None or (text.startswith("{") and json.loads(text)["results"])

            wait_for(known)
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
        document_left = json.loads(file.read_text(encoding="utf-8"))
        self.assertTrue(document_left["interrupted"])
        self.assertTrue(0 < len(document_left["results"]) < 100, document_left["summary"])
        report = self.report_of(file)
        self.assertTrue(report["inputs"][0]["interrupted"])
        self.assertIn("**Interrupted**", opconform("report", file).out)

    def test_a_kill_before_the_first_result_leaves_nothing_of_an_earlier_run(self):
        for command in (("run", program.spec_cases), ("selftest", program.spec_cases), ("grid",),
                        ("fuzz", "--cases", "100000000")):
            with self.subTest(command):
                file = self.folder / f"{command[0]}.json"
                for _ in range(10):  # on a busy machine, one may end before it is killed
                    file.write_text("of an earlier run")
                    process = start(*command, "--json", file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    try:
                        wait_for(lambda: process.poll() is not None or not file.read_text().startswith("of"), pause=0.002)
                    finally:
                        process.kill()
                    if process.wait() == -signal.SIGKILL:
                        break
                left = json.loads(file.read_text(encoding="utf-8"))
                demand_schema(left)
                self.assertTrue(left["interrupted"])
                self.assertTrue(self.report_of(file)["inputs"][0]["interrupted"])

    def test_an_interrupted_selftest_says_nothing_of_what_it_did_not_try(self):
        file = self.folder / "s.json"
        # All cases: none of the bugs that were tried survives them.
        process = start("selftest", program.corpus, "--no-fuzz", "--json", file, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            wait_for(file.exists)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=program.NEVER_SECONDS)
        finally:
            process.kill()
        self.assertEqual(3, process.returncode, err)
        self.assertIn(b"were tried", err)
        self.assertNotIn(b"survived", out)
        self.assertLess(len(json.loads(file.read_text(encoding="utf-8"))["suspects"]), 100)

    def test_what_is_no_plain_file_is_written_once(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process = start("run", self.write("a.json", GOOD), "--json", pipe, stdout=subprocess.DEVNULL)
        text = pipe.read_text(encoding="utf-8")
        self.assertEqual(0, process.wait())
        self.assertNotIn("interrupted", json.loads(text))
