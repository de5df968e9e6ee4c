"""`opconform certify`, and the verification of what it writes."""
import copy
import hashlib
import json
import shutil
import subprocess
import unittest
from pathlib import Path

import program
from program import CliTest, opconform
from results import SCHEMA, changed as changed_at, data_of, general, places


def copy_labelled(label, folder):
    """The committed cases of a label as a corpus of their own. Returns its files."""
    lines = (Path(program.corpus) / f"{label}.label").read_text(encoding="utf-8").splitlines()
    wanted = {}
    for line in lines:
        if line and not line.startswith("#"):
            file, case = line.split(" ", 1)
            wanted.setdefault(file, set()).add(case)
    for file, cases in wanted.items():
        whole = json.loads((Path(program.corpus) / file).read_text(encoding="utf-8"))
        whole["cases"] = [case for case in whole["cases"] if case["id"] in cases]
        if "generated" in whole:  # it counts the cases, and names their factors
            whole["generated"]["cases"] = len(whole["cases"])
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(json.dumps(whole))
    return [folder / file for file in wanted]


def another(value):
    """A value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return value + "x" if isinstance(value, str) else 0


def without_digest(text):
    """The page as a version before digests would have written it."""
    digest = data_of(text)["certificate"]["sha256"]
    return text.replace(f',"sha256":"{digest}"', "")


class CertifyTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cases = self.folder / "cases"
        self.cases.mkdir()
        self.files = copy_labelled("smoke", self.cases)
        (self.cases / "CHANGELOG.md").write_text("# Cases\n\n## 1.0.0\n\nThe first.\n")
        self.environment = {"OPCONFORM_SPEC_CASES": str(self.cases)}
        self.assert_exit(0, self.call("corpus", "update", "--version", "1.0.0"))
        self.page = self.folder / "certificate.html"

    def call(self, *arguments):
        return opconform(*arguments, env=self.environment, timeout=120)

    def of_few_cases(self):
        """A certificate of `optimized` by a promise and 100 generated cases, signed where that can be. Made for the first
        that asks; each finds its files in the folder."""
        file = self.folder / "few.json"
        if not CertifyTest.few:
            arguments = ["certify", "--cases", 100, "--profile", "onnx", "--out", self.page, "--json", file, "--jobs", 2]
            if shutil.which("ssh-keygen"):
                self.make_key("key")
                arguments += ["--sign", self.folder / "key"]
            outcome = self.call(*arguments)
            files = [*self.folder.glob("few.json*"), *self.folder.glob(f"{self.page.name}*"), *self.folder.glob("key*")]
            CertifyTest.few = outcome, {one.name: one.read_bytes() for one in files}
        outcome, files = CertifyTest.few
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
        return outcome, json.loads(file.read_text(encoding="utf-8"))

    def make_key(self, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)

    few = None

    def earlier_figures(self):
        """Options that take in code coverage and a mutation score of the program's own sources."""
        rejected = self.write("old.json", json.dumps({"kind": "mutation", "modules": {}, "sources_sha256": "0" * 64}))
        hash_ = self.call("certify", "--with", rejected, "--out", self.page).err.split("other sources: ")[1][:64]
        share = {"reached": 1, "reachable": 3, "percent": 33.3}
        shares = {"lines": share, "branches": share, "regions": share}
        files = ({"kind": "code", "version": 1, "modules": [{"module": "spec", **shares, "files": []}], "gaps": []},
                 {"kind": "mutation", "version": 1, "modules": {"spec": {"killed": 7, "survived": 1}}})  # fmt: skip
        return [word for one in files
                for word in ("--with", self.write(one["kind"] + ".json", json.dumps(one | {"sources_sha256": hash_})))]

    def test_a_certificate_and_its_verification(self):
        outcome = self.call("certify", "--cases", 60000, "--out", self.page, "--jobs", 2, *self.earlier_figures())
        self.assert_exit(0, outcome)
        self.assertRegex(outcome.out, r"code spec +33.3 % of lines, 33.3 % of branches")
        self.assertRegex(outcome.out, r"mutants spec +7 killed, 1 survived")
        report = data_of(self.page.read_text(encoding="utf-8"))
        SCHEMA.validate(report)
        certificate = report["certificate"]
        self.assertEqual("conforms", certificate["verdict"])
        self.assertEqual("1.0.0", certificate["corpus"]["version"])
        self.assertEqual(60000, certificate["figures"]["campaign"]["cases"])
        self.assertEqual(0, certificate["figures"]["cases"]["failed"])
        self.assertEqual({"spec": {"lines": 33.3, "branches": 33.3}}, certificate["figures"]["code"])
        self.assertNotIn(str(self.folder), json.dumps([one["command"] for one in certificate["steps"][1:2]]).replace(str(self.cases), ""))

        outcome = self.call("certify", "--verify", self.page)
        self.assert_exit(0, outcome)
        self.assertIn("all agree", outcome.out)
        seed = outcome.out.split("sample seed ")[1].split(":")[0]
        self.assertEqual(outcome.out, self.call("certify", "--verify", self.page, "--sample-seed", seed).out)

        self.check_digest(report)
        text = without_digest(self.page.read_text(encoding="utf-8"))
        bad = self.folder / "bad.html"
        first = "".join(report["results"]["texts"][place] for place in report["results"]["rows"][0][0])
        # A figure that nothing is run for must at least be that of the same page.
        covered = f'"rules":{{"reached":{certificate["figures"]["rules"]["reached"]},'
        self.assertIn(covered, text)
        bad.write_text(text.replace('"not_passed":[]', '"not_passed":[{"case":"%s","verdict":"mismatch"}]' % first)
                       .replace('"inside":', '"inside":1').replace(covered, '"rules":{"reached":1,'))
        outcome = self.call("certify", "--verify", bad)
        self.assert_exit(1, outcome)
        for words in ("case", "support grid, inside", "figures of rules"):
            self.assertIn(f"differs: {words}", outcome.out)

        self.check_changed(report)
        self.check_page(text)

        # The manifest is as certified, a case is not.
        kept = self.files[0].read_text()
        self.files[0].write_text(kept.replace('"says": "', '"says": "not ', 1))
        self.assertNotEqual(kept, self.files[0].read_text())
        outcome = self.call("certify", "--verify", self.page)
        self.assert_exit(2, outcome)
        self.assertIn("not as its manifest has it", outcome.err)
        self.files[0].write_text(kept)

        self.files[0].write_text(self.files[0].read_text() + " ")
        self.assert_exit(0, self.call("corpus", "update", "--version", "1.0.0"))
        outcome = self.call("certify", "--verify", self.page)
        self.assert_exit(2, outcome)
        self.assertIn("another corpus", outcome.err)

    def test_a_promise_is_certified_as_such(self):
        outcome, report = self.of_few_cases()
        self.assert_exit(1, outcome)  # of so few cases it says incomplete
        self.assertRegex(outcome.out, r"^optimized: incomplete, by its promise onnx\n")
        self.assertEqual("onnx", report["certificate"]["profile"])
        self.assertEqual("Certificate of optimized, by its promise onnx", report["title"])
        outcome = self.call("certify", "--verify", self.page, "--sample", 20)
        self.assertIn("all agree", outcome.out)
        changed = copy.deepcopy(report)
        changed["promises"][0]["differences"] = []
        self.assert_differs(changed, "promise")
        self.assert_exit(2, self.call("certify", "--profile", self.write("mine.json", '{"name": "mine"}')))

    def check_page(self, text):
        """What a browser shows is what was verified."""
        begin, end = text.index("<script type="), text.index("</script>") + len("</script>")
        bad = self.folder / "bad.html"
        for forged in (text.replace("</body>", "<h1>another: conforms</h1></body>"),
                       text[:begin] + "<!-- " + text[begin:end] + " -->" + text[begin:end].replace("optimized", "another") + text[end:]):
            self.assertNotEqual(text, forged)
            bad.write_text(forged)
            outcome = self.call("certify", "--verify", bad, "--sample", 0)
            self.assert_exit(1, outcome)
            self.assertIn("differs: the page around its data", outcome.out)

    def check_digest(self, report):
        """Whatever is changed in the data is noticed, and at once: each fourth place is tried, for all are hashed alike."""
        digest = report["certificate"]["sha256"]
        rest = copy.deepcopy(report)
        del rest["certificate"]["sha256"]
        text = json.dumps(rest, separators=(",", ":"), ensure_ascii=False)
        self.assertEqual(hashlib.sha256(text.encode("utf-8")).hexdigest(), digest)
        seen = set()
        for place in places(report):
            if general(place) in seen or place in (("kind",), ("certificate", "sha256")):
                continue
            seen.add(general(place))
            if len(seen) % 4:
                continue
            value = report
            for step in place:
                value = value[step]
            is_part = isinstance(value, (dict, list))
            forged = changed_at(report, place) if is_part else changed_at(report, place, another(value))
            outcome = self.call("certify", "--verify", self.write("changed.json", json.dumps(forged)))
            if is_part and outcome.code == 2:  # it does not even look like a certificate
                self.assertLessEqual(len(place), 2, place)
                self.assertRegex(outcome.err, r"changed\.json", place)
                continue
            self.assert_exit(1, outcome)
            self.assertRegex(outcome.out, "(?m)^digest     differs: ", place)
            self.assertNotIn("figures compared", outcome.out)
        self.assertGreater(len(seen), 200)
        # Who knows of the digest makes another: only a signature is proof against that.
        forged = copy.deepcopy(rest)
        forged["certificate"]["run"]["processor"] = "another"
        text = json.dumps(forged, separators=(",", ":"), ensure_ascii=False)
        forged["certificate"]["sha256"] = hashlib.sha256(text.encode("utf-8")).hexdigest()
        outcome = self.call("certify", "--verify", self.write("forged.json", json.dumps(forged)), "--sample", 1)
        self.assert_exit(0, outcome)
        self.assertRegex(outcome.out, "(?m)^signature  not checked")

    def test_a_certificate_of_an_older_version(self):
        """It has neither a digest nor the fields of operators."""
        report = self.of_few_cases()[1]
        del report["certificate"]["sha256"]
        for operator in report["spec"]["operators"]:
            del operator["fields"]
        outcome = self.call("certify", "--verify", self.write("old.json", json.dumps(report)), "--sample", 5)
        self.assert_exit(1, outcome)
        self.assertIn("all agree", outcome.out)
        self.assertRegex(outcome.out, "(?m)^digest     none: somebody took it out")
        self.assertRegex(outcome.out, "(?m)^unprotected: ")
        self.check_other_sources(copy.deepcopy(report))
        del report["spec"]["operators"][0]["support"]
        self.assert_differs(report, "rules, support tables")

    def check_other_sources(self, report):
        """Who changes figures may say so, and take the digest out: nothing but a signature makes up for it."""
        report["certificate"]["program"]["sources_sha256"] = "0" * 64
        report["certificate"]["run"]["processor"] = "another"
        file = self.write("other.json", json.dumps(report))
        outcome = self.call("certify", "--verify", file, "--sample", 1)
        self.assert_exit(1, outcome)
        self.assertRegex(outcome.out, "(?m)^digest     none: an older version wrote this, or somebody took it out$")
        self.assertRegex(outcome.out, "(?m)^unprotected: ")
        for words in ("processor", "compiler", "times", "columns", "planted bugs outside of the sample"):
            self.assertIn(words, outcome.out.split("not checked again:")[1])
        if not shutil.which("ssh-keygen"):
            return
        key = self.folder / "key"
        key.chmod(0o600)
        subprocess.run(["ssh-keygen", "-Y", "sign", "-f", key, "-n", "opconform-certificate", file], check=True, stderr=subprocess.DEVNULL)
        signers = self.write("signers", f"ann@example.org {(self.folder / 'key.pub').read_text()}")
        outcome = self.call("certify", "--verify", file, "--sample", 1, "--allowed-signers", signers)
        self.assert_exit(0, outcome)
        self.assertNotIn("unprotected", outcome.out)

    @unittest.skipUnless(shutil.which("ssh-keygen"), "OpenSSH is not installed")
    def test_signatures(self):
        outcome, _ = self.of_few_cases()
        file = self.folder / "few.json"
        self.assert_exit(1, outcome)  # of so few cases it says incomplete
        self.assertRegex(outcome.out, r"(?m)^signature: .*/few\.json\.sig$")
        self.make_key("other")
        key = self.folder / "key"
        key.chmod(0o600)
        signers = self.write("signers", f"other@example.org {(self.folder / 'other.pub').read_text()}"
                                        f"ann@example.org {(self.folder / 'key.pub').read_text()}")  # fmt: skip
        others = self.write("others", f"other@example.org {(self.folder / 'other.pub').read_text()}")

        def verify(name, allowed):
            return self.call("certify", "--verify", name, "--sample", 1, "--allowed-signers", allowed)

        for name in (self.page, file):
            outcome = verify(name, signers)
            self.assert_exit(0, outcome)
            self.assertRegex(outcome.out, "(?m)^signature  by ann@example.org$")
        outcome = verify(file, others)
        self.assert_exit(1, outcome)
        self.assertRegex(outcome.out, f"(?m)^signature  differs: by nobody in {others}")
        self.assertNotIn("figures compared", outcome.out)
        # Of the same data, and yet another file.
        file.write_text(file.read_text(encoding="utf-8") + " ", encoding="utf-8")
        outcome = verify(file, signers)
        self.assert_exit(1, outcome)
        self.assertRegex(outcome.out, "(?m)^signature  differs: .*incorrect signature")
        self.assertRegex(outcome.out, "(?m)^digest     of this data")
        Path(f"{file}.sig").unlink()
        outcome = verify(file, signers)
        self.assert_exit(2, outcome)
        self.assertIn("few.json.sig", outcome.err)
        # A signature of the same bytes for another purpose is none of a certificate.
        subprocess.run(["ssh-keygen", "-Y", "sign", "-f", key, "-n", "file", file], check=True, stderr=subprocess.DEVNULL)
        self.assert_exit(1, verify(file, signers))

    def test_what_cannot_sign_or_be_signed(self):
        for arguments, words in ((("--sign", self.folder / "absent"), "absent"),
                                 (("--sign", self.write("no-key", "no key")), "no-key: is no key to sign with"),
                                 (("--sign", self.folder / "absent", "--json", "-"), "standard output"),
                                 (("--sign", self.page), "certificate.html"),
                                 (("--sign", self.folder / "absent", "--json", f"{self.page}.sig"), "certificate.html.sig"),
                                 (("--allowed-signers", self.folder / "absent"), "--verify"),
                                 (("--verify", self.page, "--sign", self.folder / "absent"), "--sign")):  # fmt: skip
            with self.subTest(words):
                outcome = self.call("certify", "--out", self.page, *arguments) if "--verify" not in arguments else self.call("certify", *arguments)
                self.assert_exit(2, outcome)
                self.assertIn(words, outcome.err)
                self.assertNotIn("==>", outcome.err)
        tools = self.folder / "no-tools"
        tools.mkdir()
        outcome = opconform("certify", "--out", self.page, "--sign", self.write("some-key", "x"), env=self.environment | {"PATH": str(tools)})
        self.assert_exit(3, outcome)
        self.assertIn("ssh-keygen, which signatures need, is not installed", outcome.err)

    def check_changed(self, report):
        """Whatever is changed beside its grounds is noticed: the verdict above all."""
        changed = copy.deepcopy(report)
        changed["results"]["summary"][0]["verdicts"] = {"pass": len(report["results"]["rows"]) - 1, "mismatch": 1}
        changed["grids"][0]["backend"] = "reference"
        changed["selftest"]["suspects"].pop()
        changed["spec"]["rules"][0]["statement"] = "anything goes"
        changed["certificate"]["generated_cases"] = 10**9
        self.assert_differs(changed, "figures of cases", "verdict", "cases that did not pass, by verdict", "support grid",
                            "figures of planted_bugs", "planted bugs", "rules, support tables", "generated cases")  # fmt: skip
        changed = copy.deepcopy(report)
        changed["certificate"]["steps"][2]["exit_code"] = 1
        self.assert_differs(changed, "verdict")
        changed["certificate"]["steps"] = []
        del changed["certificate"]["verdict"]
        self.assert_differs(changed, "parts of the certificate", "number of commands")
        self.check_parts(report)
        self.check_figures(report)

    def check_parts(self, report):
        """No part stands there that nobody looks at."""
        changed = copy.deepcopy(report)
        changed["version"] = 2
        changed["title"] = "Certificate of something else"
        for part in ("grids", "campaigns"):
            changed[part].append(changed[part][0] | {"backend": "somebody's"})
        changed["inputs"] = [one for one in changed["inputs"] if one["kind"] != "mutation"]
        self.assert_differs(changed, "version of", "title", "number of grids", "number of campaigns", "parts")
        changed = copy.deepcopy(report)
        del changed["code"]
        changed["inputs"] = [one for one in changed["inputs"] if one["kind"] != "code"]
        self.assert_differs(changed, "figures: .*code")

    def check_figures(self, report):
        """What is said twice is said alike: sums, percentages, commands."""
        changed = copy.deepcopy(report)
        campaign, grid, results = changed["campaigns"][0], changed["grids"][0], changed["results"]
        campaign["cases"] = 10**6
        campaign["by_operator"]["DML_SPLIT"]["failed"] = 7
        campaign["strength"] = 5
        grid["rows"][0]["wrong"] = 1
        grid["wrong"].append({"cell": "a", "message": "b"})
        results["summary"][0] |= {"cases": 123456, "failed": 3}
        results["rows"].pop()
        results["failures"].append({"case": "a", "backend": "reference", "verdict": "mismatch", "rule": "", "message": "", "repro": "", "line": 1})
        results["nonconforming"].clear()
        changed["coverage"]["total"]["percent"] = 100.0
        changed["coverage"]["groups"][0] |= {"reached": 0, "reachable": 1}
        changed["coverage"]["combinations"][0] |= {"reached": 1, "reachable": 1, "missing": []}
        suspect = changed["selftest"]["suspects"][0]
        suspect["caught"]["suite"] |= {"by": 0}
        suspect["as_it_should"] = False
        certificate = changed["certificate"]
        certificate["corpus"]["version"] = "9.9.9"
        certificate["steps"][1]["command"] += " --filter none"
        certificate["steps"][2]["command"] = certificate["steps"][2]["command"].replace("--seed 1", "--seed 7")
        changed["inputs"][0] |= {"seed": 42, "interrupted": True}
        self.assert_differs(
            changed, "generated cases, beside those of all operators", "generated cases that failed, beside", "combinations of the campaign",
            "support grid, wrong, beside", "support grid, rows", "wrong cells, beside", "cases, beside their verdicts", "cases that failed, beside",
            "cases, beside those listed", "failures of cases with another verdict", "implementation of a failure", "nonconforming",
            "coverage of the documents", "coverage of the documents, percent", "rules/.*, reachable", "rules/.*, percent",
            "rules/.*, beside what is missing", "combinations/.*, reachable", f"{suspect['name']}, suite", f"{suspect['name']}, as it should be",
            "version of the corpus", "command 2", "command 3", "results.json: seed", "results.json: interrupted", "results.json: command",
        )  # fmt: skip

    def assert_differs(self, report, *statements):
        """Beside its digest, or without one: a new one is quickly made."""
        report["certificate"].pop("sha256", None)
        outcome = self.call("certify", "--verify", self.write("changed.json", json.dumps(report)), "--sample", 1)
        self.assert_exit(1, outcome)
        for statement in statements:
            self.assertRegex(outcome.out, f"(?m)^differs: .*{statement}")

    def test_not_enough_was_tried(self):
        outcome, report = self.of_few_cases()
        self.check_incomplete("optimized", "combinations/DML_SCATTER/3", outcome, report)
        outcome = self.call("certify", "--backend", "faulty:offers-nothing", "--cases", 100, "--out", self.page, "--jobs", 2)
        self.check_incomplete("faulty:offers-nothing", "no case passed", outcome, data_of(self.page.read_text(encoding="utf-8")))

    def check_incomplete(self, backend, words, outcome, report):
        self.assert_exit(1, outcome)
        self.assertIn(f"{backend}: incomplete", outcome.out)
        self.assertIn(words, outcome.out)
        SCHEMA.validate(report)
        self.assertTrue(any(words in reason for reason in report["certificate"]["incomplete"]))
        self.assertNotIn("/tmp/opconform-certify", json.dumps(report))

    def test_what_fails_stands_in_the_page_itself(self):
        """The files of the steps are gone: nothing tells to run them."""
        outcome = self.call("certify", "--backend", "faulty:stride-sign-ignored", "--cases", 2000, "--out", self.page, "--jobs", 2)
        self.assert_exit(1, outcome)
        self.assertIn("does not conform", outcome.out)
        report = data_of(self.page.read_text(encoding="utf-8"))
        SCHEMA.validate(report)
        self.assertNotIn("/tmp/opconform-certify", json.dumps(report))
        for finding in report["campaigns"][0]["findings"]:
            for example in finding["examples"]:
                self.assertEqual({"case", "message"}, set(example))
        self.assert_exit(0, self.call("certify", "--verify", self.page, "--sample", 20))

    def test_what_is_no_certificate(self):
        for name, text in (("a.html", "<p>"), ("b.json", "{}"), ("c.html", '<script type="application/json" id="report-data">{'),
                           ("d.json", '{"kind": "report"}'), ("e.json", '{"kind": "report", "certificate": 3}'),
                           ("f.json", '{"kind": "report", "certificate": {"backend": "reference"}}')):
            with self.subTest(name):
                outcome = self.call("certify", "--verify", self.write(name, text))
                self.assert_exit(2, outcome)
                self.assertIn(name, outcome.err)

    def test_what_is_run_here_is_taken_from_nowhere_else(self):
        covered, results = self.folder / "covered.json", self.folder / "results.json"
        self.assert_exit(0, self.call("run", "--json", results, "--coverage", covered, "--quiet"))
        for file in (covered, results):
            outcome = self.call("certify", "--with", file, "--out", self.page)
            self.assert_exit(2, outcome)
            self.assertIn("/kind", outcome.err)
            self.assertFalse(self.page.exists())

    def test_outputs_are_tried_before_the_work(self):
        outcome = self.call("certify", "--out", self.folder / "absent/c.html")
        self.assert_exit(3, outcome)
        self.assertIn("absent/c.html: cannot be written", outcome.err)
        self.assertNotIn("==>", outcome.err)
        self.assert_exit(2, self.call("certify", "--out", self.page, "--json", self.page))
        self.assert_exit(2, self.call("certify", "--verify", self.page, "--json", self.folder / "c.json"))

    def test_figures_of_other_sources_or_of_unknown_ones_are_rejected(self):
        for kind in ("mutation", "code"):
            for hash_, message in (({"sources_sha256": "0" * 64}, "other sources"), ({}, "sources_sha256")):
                with self.subTest(kind=kind, message=message):
                    file = self.write(f"{kind}.json", json.dumps({"kind": kind, "modules": {}} | hash_))
                    outcome = self.call("certify", "--with", file, "--out", self.page)
                    self.assert_exit(2, outcome)
                    self.assertIn(message, outcome.err)
