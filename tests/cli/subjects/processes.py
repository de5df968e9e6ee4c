"""Tests of code that starts processes: none of them may be left when the program has ended."""
import subprocess
import uuid
from pathlib import Path

import program
from program import CliTest, start, wait_for


class MisbehaviourTest(CliTest):
    def setUp(self):
        super().setUp()
        self.mark = str(uuid.uuid4())
        self.environment = {"OPCONFORM_TEST_MARK": self.mark}

    def marked(self):
        """All processes that descend from the program, wherever they went."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state != "Z" and self.mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def assert_nothing_is_left(self):
        self.assertTrue(wait_for(lambda: not self.marked()), self.marked())

    def begin(self, *arguments, **more):
        process = start(*arguments, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, **more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end(self, process, number):
        """Sends the signal to a program that would go on for a day; its exit code and what it said."""
        self.assertIsNone(process.poll(), "over already")
        process.send_signal(number)
        out, err = process.communicate(timeout=program.NEVER_SECONDS)
        self.assert_nothing_is_left()
        return process.returncode, out.decode(), err.decode()
