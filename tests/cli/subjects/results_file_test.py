"""Files of results in which a value is missing or is of another kind: each is read, or named with file and place."""
import json
import re

import program
from program import CliTest, opconform
from results import changed, general, places

OTHER_KINDS = (True, -1, 1.5, 2**64 - 1, "x", [], {}, [None], {"x": None})
LIBRARY_WORDS = re.compile(r"json\.exception|\bstd::|terminate|bad_alloc|vector::|basic_string|out_of_range")


class ResultsFileTest(CliTest):
    def made_by(self, *arguments):
        outcome = opconform(*arguments, "--json", "-", timeout=60)
        self.assertIn(outcome.code, (0, 1), outcome)
        return outcome.json

    def report(self):
        """In all its forms."""
        return ("report", *(word for form in ("html", "markdown", "junit", "sarif", "json")
                            for word in (f"--{form}", self.folder / form)))  # fmt: skip

    def check(self, document, *commands):
        """Each command ends well, whatever is missing from the document or is of another kind."""
        seen = set()
        for place in places(document):
            if general(place) in seen:
                continue
            seen.add(general(place))
            # Nothing, null, and in turn two of the other kinds.
            turn = len(seen)
            others = [OTHER_KINDS[(turn + 3 * i) % len(OTHER_KINDS)] for i in range(2)]
            for value in ((), (None,), *((one,) for one in others)):
                file = self.write("fuzzed.json", json.dumps(changed(document, place, *value)))
                for command in commands:
                    outcome = opconform(*command, file)
                    words = f"{command}, /{'/'.join(map(str, place))} is {value or 'missing'}: {outcome}"
                    self.assertIn(outcome.code, (0, 1, 2), words)
                    self.assertNotRegex(outcome.err, LIBRARY_WORDS, words)
                    if outcome.code == 2:
                        self.assertRegex(outcome.err, r"fuzzed\.json", words)
        return len(seen)

    def test_planted_bugs(self):
        selftest = self.made_by("selftest", "--only", "stride-sign-ignored")
        self.assertGreater(self.check(selftest, self.report()), 20)
        # Nobody may take a case that was never counted for one that was caught at once.
        for stage in ("documents", "suite", "fuzz"):
            place = ("suspects", 0, stage, "caught_after")
            file = self.write("selftest.json", json.dumps(changed(selftest, place)))
            outcome = opconform("report", file)
            self.assertEqual(2, outcome.code)
            self.assertIn(f'selftest.json: /suspects/0/{stage}: lacks "caught_after"', outcome.err)
        # Nor one that named cases caught for one that nothing caught, or the reverse.
        for value, by in ((None, ["a", "b"]), (0, ["a"]), (1, [])):
            suite = {"cases": 3, "caught_after": value, "caught_by": by}
            file = self.write("selftest.json", json.dumps(changed(selftest, ("suspects", 0, "suite"), suite)))
            outcome = opconform("report", file)
            self.assertEqual(2, outcome.code)
            self.assertIn(f'selftest.json: /suspects/0/suite/caught_after: is {json.dumps(value)}, but "caught_by" has the length {len(by)}', outcome.err)

    def test_a_file_without_its_version(self):
        """Another version may mean something else by the same words."""
        grid = self.made_by("grid", "--backend", "faulty:offers-nothing")
        for version, words in (((), 'grid.json: lacks "version"'), ((2,), "grid.json: /version: is not 1, the only one")):
            outcome = opconform("report", self.write("grid.json", json.dumps(changed(grid, ("version",), *version))))
            self.assertEqual(2, outcome.code)
            self.assertIn(words, outcome.err)

    def test_results(self):
        results = self.made_by("run", f"{program.spec_cases}/documents/directml-slice1.json", "--backend", "faulty:stride-sign-ignored",
                               "--backend", "reference")  # fmt: skip
        self.assertGreater(self.check(results, self.report(), ("compare",), ("compare", "--side-by-side")), 40)

    def test_campaigns(self):
        campaign = self.made_by("fuzz", "--cases", 3000, "--backend", "faulty:stride-sign-ignored", "--quiet",
                                "--out", self.folder / "fuzz")  # fmt: skip
        self.assertGreater(self.check(campaign, self.report()), 40)

    def test_the_support_grid(self):
        self.assertGreater(self.check(self.made_by("grid", "--backend", "faulty:offers-nothing"), self.report()), 10)

    def test_coverage(self):
        file = self.folder / "covered.json"
        opconform("run", f"{program.spec_cases}/documents/directml-slice1.json", "--quiet", "--coverage", file)
        covered = json.loads(file.read_text(encoding="utf-8"))
        self.assertGreater(self.check(covered, self.report(), ("coverage",)), 10)

    def test_figures_of_tools(self):
        share = {"reached": 1, "reachable": 3, "percent": 33.3}
        shares = {"lines": share, "branches": share, "regions": share}
        gap = {"file": "a", "line": 3, "what": "b", "reason": "c"}
        files = [
            {"kind": "code", "version": 1, "sources_sha256": "0" * 64, "gaps": [gap],
             "modules": [{"module": "spec", **shares, "files": [{"file": "a", **shares}]}]},
            {"kind": "mutation", "version": 1, "sources_sha256": "0" * 64, "modules": {"spec": {"killed": 7, "survived": 1}}},
            {"kind": "speed", "version": 1, "cells": [{"cell": "a", "ns": 3.5, "over_limit": 1.2, "times": {"own": {"ns": 3.5}}}]},
        ]  # fmt: skip
        for document in files:
            with self.subTest(document["kind"]):
                self.assertGreater(self.check(document, self.report()), 5)
                # Before the work, and not after hours of it.
                file = self.write("fuzzed.json", json.dumps(document))
                rejected = opconform("certify", "--with", file, "--out", self.folder / "page.html", "--sign", self.folder / "no key")
                hash_ = rejected.err.split("other sources: ")[1][:64] if "other sources" in rejected.err else ""
                ours = document | ({"sources_sha256": hash_} if hash_ else {})
                key = {"code": "gaps", "mutation": "modules", "speed": "cells"}[document["kind"]]
                file = self.write("fuzzed.json", json.dumps(ours | {key: 7}))
                outcome = opconform("certify", "--with", file, "--out", self.folder / "page.html")
                self.assertEqual(2, outcome.code)
                self.assertIn(f"fuzzed.json: /{key}: must be", outcome.err)
                self.assertNotIn("==>", outcome.err)
