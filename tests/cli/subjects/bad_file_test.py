"""Files and paths that are none of cases."""
import os
import random
import subprocess
import unittest

import program
from bad_input import BadInputTest, add_tests
from documents import GOOD, document, split
from program import CONTROL, cases_text, opconform, start

SMALL = '{"operator":"DML_SPLIT","cases":[{"id":"small","says":"ä\\n","desc":{"InputTensor":{"DataType":"INT8",' \
        '"Sizes":[2],"data":[1,-2]},"OutputTensors":[{"DataType":"INT8","Sizes":[2]}],"Axis":0}}]}'
MEGA = 1 << (16 if program.is_sanitized() else 20)  # sanitizers take ten times as long

FILES = {
    "empty": (b"",),
    "blank": (b" \n\t ",),
    "only_nul": (b"\0" * 100,),
    "binary_garbage": (random.Random(1).randbytes(100_000),),
    "elf": (b"\x7fELF\x02\x01\x01" + bytes(1000),),
    "null": (b"null", "", "null"),
    "number": (b"7", "", "7"),
    "string": (b'"DML_SPLIT"', "", "DML_SPLIT"),
    "array": (b"[]", "", "array"),
    "empty_object": (b"{}", "", "operator"),
    "two_documents": (SMALL.encode() + SMALL.encode(),),
    "trailing_comma": (SMALL[:-1].encode() + b",}",),
    "trailing_garbage": (SMALL.encode() + b" x",),
    "trailing_nul": (SMALL.encode() + b"\0",),
    "trailing_nul_and_garbage": (SMALL.encode() + b"\0garbage",),
    "nul_between": (SMALL.replace(":", ":\0", 1).encode(),),
    "nul_in_a_string": (SMALL.replace("small", "sm\0all").encode(),),
    "byte_order_mark": (b"\xef\xbb\xbf" + SMALL.encode(),),
    "utf16": (SMALL.encode("utf-16"),),
    "latin1": (SMALL.encode("latin-1"),),
    "overlong_utf8": (SMALL.encode().replace("ä".encode(), b"\xc0\xaf"),),
    "utf8_surrogate": (SMALL.encode().replace("ä".encode(), b"\xed\xa0\x80"),),
    "utf8_truncated": (SMALL.encode().replace("ä".encode(), b"\xc3"),),
    "lone_surrogate_escape": (SMALL.replace("ä", "\\ud800").encode(),),
    "bad_escape": (SMALL.replace("ä", "\\x41").encode(),),
    "raw_control_character": (SMALL.replace("ä", "\x01").encode(),),
    "comment": (b"// cases\n" + SMALL.encode(),),
    "nan_literal": (SMALL.replace("-2", "NaN").encode(),),
    "leading_zero": (SMALL.replace("-2", "02").encode(),),
    "single_quotes": (SMALL.replace('"', "'").encode(),),
    "open_brackets_of_10_mb": (b"[" * (10 * MEGA),),
    "brackets_of_10_mb": (b"[" * (5 * MEGA) + b"]" * (5 * MEGA),),
    "objects_of_10_mb": (b'{"a":' * (2 * MEGA),),
    "empty_arrays_of_10_mb": (b"[" + b"[]," * (3 * MEGA) + b"[]]",),
    "unfinished_arrays_of_10_mb": (b"[[]," + b"[]," * (3 * MEGA),),
    "numbers_of_10_mb": (b"[" + b"-0," * (3 * MEGA) + b"-0]",),
    "string_of_10_mb": (b'"' + b"x" * (10 * MEGA) + b'"',),
    "unfinished_string_of_10_mb": (b'{"operator": "' + b"x" * (10 * MEGA),),
    "number_of_10_mb": (b"1" * (10 * MEGA),),
    "number_of_10_mb_and_a_letter": (b"1" * (10 * MEGA) + b"x",),
    "blanks_of_10_mb": (b" " * (10 * MEGA) + b"x",),
    "key_of_10_mb": (b'{"' + b"k" * (10 * MEGA) + b'": 1}',),
    "many_keys": (("{" + ",".join(f'"k{i}":1' for i in range(200_000)) + "}").encode(),),
    "larger_than_the_limit": (b" " * (65 << 20),),
    "empty_arrays_of_60_mb": (b"[" + b"[]," * (20 * MEGA) + b"[]]",),
    "deep_in_a_case": (SMALL.replace('"ä\\n"', "[" * 1000 + "]" * 1000).encode(), "/cases/0/says"),
    "operator_missing": ({"cases": [split()]}, "", "operator"),
    "operator_unknown": (document("DML_NOTHING", split()), "/operator", "DML_NOTHING"),
    "operator_null": (document(None, split()), "/operator", "null"),
    "cases_missing": ({"operator": "DML_SPLIT"}, "", "cases"),
    "cases_empty": (document("DML_SPLIT"), "/cases", ""),
    "cases_object": ({"operator": "DML_SPLIT", "cases": {}}, "/cases", ""),
    "unknown_key": (document("DML_SPLIT", split(), note="x"), "/note", "note"),
    "schema_is_a_number": ({"$schema": 1, **document("DML_SPLIT", split())}, "/$schema", "1"),
    "source_unknown_key": (document("DML_SPLIT", split(), source={"page": 1}), "/source/page", "page"),
    "duplicate_operator": (SMALL.replace("{", '{"operator":"DML_SPLIT",', 1).encode(), "/operator", "operator"),
    "duplicate_id": (SMALL.replace('"id"', '"id":"other","id"').encode(), "/cases/0/id", "id"),
    "duplicate_axis": (SMALL.replace('"Axis"', '"Axis":0,"Axis"').encode(), "/cases/0/desc/Axis", "Axis"),
    "duplicate_sizes": (SMALL.replace('"Sizes"', '"Sizes":[2],"Sizes"', 1).encode(), "/cases/0/desc/InputTensor/Sizes",
                        "Sizes"),
    "duplicate_by_escape": (SMALL.replace('"Axis"', '"Axis":0,"\\u0041xis"').encode(), "/cases/0/desc/Axis", "Axis"),
}


class FaultyFile(BadInputTest):
    def check_file(self, content, place="", value=""):
        self.check(content, place, value)

    def test_syntax_error_names_line_or_byte(self):
        outcome = self.check(SMALL.replace(":", ";", 1).encode())
        self.assertRegex(outcome.err, r"line \d+|byte \d+")

    def test_every_prefix_of_a_valid_file(self):
        text = SMALL.encode()
        files = [self.write(f"prefix-{length:04}.json", text[:length]) for length in range(len(text))]
        whole = self.write("whole.json", text)
        outcome = self.run_cases(*files, whole)
        self.assert_exit(2, outcome)
        self.assertEqual({"small": "pass"}, outcome.verdicts())
        self.assertEqual(len(files), len(outcome.messages), outcome)
        for file, message in zip(files, outcome.messages):
            self.assertIn(str(file), message)

    def test_every_byte_taken_away_or_changed_ends_well(self):
        text = SMALL.encode()
        for number in range(len(text)):
            self.write(f"{number:04}-without.json", text[:number] + text[number + 1:])
            for byte in b'\0"[]{}9-\xff':
                self.write(f"{number:04}-{byte:02x}.json", text[:number] + bytes([byte]) + text[number + 1:])
        outcome = self.run_cases(self.folder, timeout=20)
        self.assertIn(outcome.code, (1, 2), outcome)
        self.assertIsNone(CONTROL.search(outcome.err))
        self.assertNotIn("crash", outcome.verdicts().get("small", ""))

    def test_many_faults_are_not_a_million_lines(self):
        file = self.write("faulty.json", '{"operator":"DML_SPLIT","cases":[' + "[]," * (1 * MEGA) + "[]]}")
        outcome = self.run_cases(file, self.write("good.json", GOOD))
        self.assert_exit(2, outcome)
        self.assertEqual({"good": "pass"}, outcome.verdicts())
        self.assertLess(len(outcome.messages), 10_000)


add_tests(FaultyFile, "", FILES, "check_file")


class DuplicateIds(BadInputTest):
    def test_in_one_file(self):
        file = self.write("twice.json", document("DML_SPLIT", split("good"), split("good")))
        outcome = self.run_cases(file)
        self.assert_one_message(outcome, file, "/cases/1/id", "good")

    def test_in_two_files(self):
        first = self.write("a.json", GOOD)
        second = self.write("b.json", GOOD)
        outcome = self.run_cases(first, second)
        self.assert_one_message(outcome, second, "/cases/0/id", "good")
        self.assertIn(str(first), outcome.err)


# --- Paths. ----------------------------------------------------------------------------------------------------

class FaultyPath(BadInputTest):
    def check_path(self, path, value=""):
        outcome = self.run_cases(path, self.write("good/good.json", GOOD))
        self.assert_one_message(outcome, path, "", value)

    def test_nonexistent(self):
        self.check_path(self.folder / "none.json", "No such file or directory")

    def test_file_as_directory(self):
        self.check_path(self.write("file.json", GOOD) / "inside.json", "Not a directory")

    def test_empty_directory(self):
        (self.folder / "empty").mkdir()
        self.check_path(self.folder / "empty", "case file")

    def test_directory_without_case_files(self):
        self.write("notes/readme.txt", "x")
        self.check_path(self.folder / "notes", "case file")

    def test_symlink_loop(self):
        (self.folder / "loop.json").symlink_to("loop.json")
        self.check_path(self.folder / "loop.json", "symbolic links")

    def test_dangling_symlink(self):
        (self.folder / "dangling.json").symlink_to("nowhere.json")
        self.check_path(self.folder / "dangling.json", "No such file or directory")

    def test_dangling_symlink_in_a_directory(self):
        (self.folder / "links").mkdir()
        (self.folder / "links/dangling.json").symlink_to("nowhere.json")
        outcome = self.run_cases(self.folder / "links", self.write("good.json", GOOD))
        self.assert_one_message(outcome, self.folder / "links/dangling.json")

    def test_directory_that_links_to_itself(self):
        self.write("around/good.json", GOOD)
        (self.folder / "around/self").symlink_to(".")
        outcome = self.run_cases(self.folder / "around")
        self.assert_exit(0, outcome)

    def test_directory_named_like_a_file(self):
        self.write("cases/group.json/good.json", GOOD)
        outcome = self.run_cases(self.folder / "cases")
        self.assert_exit(0, outcome)

    def test_name_too_long(self):
        self.check_path(self.folder / ("x" * 300 + ".json"), "name too long")

    def test_empty_path(self):
        outcome = self.run_cases("", self.write("good.json", GOOD))
        self.assert_one_message(outcome, "")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_file(self):
        file = self.write("secret.json", GOOD)
        file.chmod(0)
        self.check_path(file, "Permission denied")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_directory(self):
        self.write("secret/good.json", GOOD)
        (self.folder / "secret").chmod(0)
        self.addCleanup((self.folder / "secret").chmod, 0o700)
        self.check_path(self.folder / "secret", "Permission denied")

    def test_dev_null(self):
        self.check_path("/dev/null")

    def test_dev_zero(self):
        self.check_path("/dev/zero")

    def test_proc_self_mem(self):
        self.check_path("/proc/self/mem", "read")

    def test_file_in_a_pipe(self):
        outcome = self.run_cases("/dev/stdin", input=cases_text(GOOD).encode())
        self.assert_exit(0, outcome)
        self.assertEqual({"good": "pass"}, outcome.verdicts())

    def test_faulty_file_in_a_pipe(self):
        outcome = self.run_cases("/dev/stdin", self.write("good.json", GOOD), input=b"[")
        self.assert_one_message(outcome, "/dev/stdin")

    def test_process_substitution(self):
        fifo = self.folder / "fifo.json"
        os.mkfifo(fifo)
        with start("run", fifo, "--json", "-", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            fifo.write_text(cases_text(GOOD))
            program.limit_processor(process, program.TIMEOUT_SECONDS * program.PATIENCE)
            process.communicate(timeout=program.NEVER_SECONDS)
        self.assertEqual(0, process.returncode)

    def test_fifo_that_nobody_writes_in_a_directory(self):
        good = self.write("mixed/good.json", GOOD)
        os.mkfifo(good.with_name("fifo.json"))
        outcome = self.run_cases(self.folder / "mixed")
        self.assertEqual({"good": "pass"}, outcome.verdicts())

    def test_control_characters_in_a_file_name(self):
        name = "\x1b[31m\x07\n\x7f.json"
        file = self.write(name, "[")
        outcome = opconform("run", file, self.write("good.json", GOOD))
        self.assert_exit(2, outcome)
        self.assertIsNone(CONTROL.search(outcome.err + outcome.out), outcome)
        self.assertEqual(1, len(outcome.messages), outcome)

    def test_file_name_that_is_no_utf8(self):
        file = os.fsencode(self.folder) + b"/\xff\xfe.json"
        with open(file, "wb") as stream:
            stream.write(b"[")
        outcome = self.run_cases(os.fsdecode(file), self.write("good.json", GOOD))
        self.assert_exit(2, outcome)
        for text in (outcome.out, outcome.err):
            self.assertNotRegex(text, "[\ud800-\udfff]", "broken UTF-8 reaches the output")

    def test_file_name_that_looks_like_an_option(self):
        self.write("-x.json", GOOD)
        outcome = opconform("run", "--json", "-", "--", "-x.json", cwd=self.folder)
        self.assert_exit(0, outcome)

    def test_directory_named_like_a_command(self):
        self.write("list/good.json", GOOD)
        outcome = opconform("run", "list", "--json", "-", cwd=self.folder)
        self.assert_exit(0, outcome)
        self.assertEqual({"good": "pass"}, outcome.verdicts())


class EveryCommandRejects(BadInputTest):
    """list, show and validate read the same files and say the same."""

    def test_commands(self):
        faulty = self.write("faulty.json", "[")
        good = self.write("good.json", GOOD)
        for arguments in (["list"], ["list", "--json"], ["show", "good"], ["validate"], ["validate", "--json"]):
            with self.subTest(arguments=arguments):
                outcome = opconform(*arguments, faulty, good)
                self.assert_exit(2, outcome)
                self.assertEqual(1, len(outcome.messages), outcome)
                self.assertIn(str(faulty), outcome.err)
                self.assertIn("good", outcome.out)
