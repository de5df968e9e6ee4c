"""Cases from and for other formats: ONNX node tests, NumPy arrays, DxDispatch models, and what comes back."""
import json
import shutil
import struct
from pathlib import Path

import numpy

import program
from program import CliTest, opconform

NODE_TESTS = Path("/usr/share/libonnx-testdata/data")  # of Debian's libonnx-testdata


def splits():
    return Path(program.corpus) / "split" / "semantics.json"


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def protobuf(*fields):
    """A message: each field's number, and its bytes or a number."""
    return b"".join(varint(number << 3) + varint(value) if isinstance(value, int)
                    else varint(number << 3 | 2) + varint(len(value)) + value for number, value in fields)


def floats(*values):
    return protobuf((1, len(values)), (2, 1), (9, struct.pack(f"<{len(values)}f", *values)))


def integers(name, *values):
    return protobuf((1, len(values)), (2, 7), (8, name), (9, struct.pack(f"<{len(values)}q", *values)))


class InterchangeTest(CliTest):
    def assert_exit(self, code, outcome):
        self.assertEqual(code, outcome.code, outcome)

    def export(self, form, *words, to="exported"):
        folder = self.folder / to
        outcome = opconform("export", form, *words, "--to", folder, env={"OPCONFORM_SPEC_CASES": program.corpus}, timeout=60)
        self.assert_exit(0, outcome)
        self.assertEqual("", outcome.err)
        return folder, outcome.out

    def recorded(self, folder, *words):
        return opconform("run", *words, "--backend", f"recorded:{folder}", "--json", "-", "-q", env={"OPCONFORM_SPEC_CASES": program.corpus},
                         timeout=60)  # fmt: skip

    @staticmethod
    def take_expected_for_results(folder):
        for case in folder.iterdir():
            if case.is_dir():
                shutil.copytree(case / "expected", case / "results")


class OnnxTest(InterchangeTest):
    def test_node_tests_of_onnx_pass(self):
        to = self.folder / "imported"
        outcome = opconform("import", "onnx", NODE_TESTS, "--to", to)
        self.assert_exit(0, outcome)
        self.assertIn("35 cases written to", outcome.out)
        # What the operators here have no words for.
        left_out = {line.split(": ")[1] for line in outcome.out.splitlines() if line.startswith("left out: ")}
        self.assertEqual({"test_scatter_elements_with_duplicate_indices", "test_scatter_elements_with_negative_indices",
                          "test_slice_start_out_of_bounds", "test_split_zero_size_splits"}, left_out)
        run = opconform("run", to, "-q")
        self.assert_exit(0, run)
        self.assertIn("70 passed, 0 failed", run.out)

    def test_import_of_an_export_loses_nothing(self):
        first, said = self.export("onnx", "--label", "smoke", program.corpus, to="first")
        self.assertRegex(said, r"left out: a descriptor that is to be rejected")
        again = self.folder / "again"
        self.assert_exit(0, opconform("import", "onnx", first, "--to", again))
        second, _ = self.export("onnx", again, to="second")
        files = sorted(file.relative_to(first) for file in first.rglob("*") if file.is_file())
        self.assertGreater(len(files), 300)
        self.assertEqual(files, sorted(file.relative_to(second) for file in second.rglob("*") if file.is_file()))
        for file in files:
            self.assertEqual((first / file).read_bytes(), (second / file).read_bytes(), file)

    def test_without_the_case_the_model_is_read(self):
        folder, _ = self.export("onnx", splits())
        for case in folder.rglob("case.json"):
            case.unlink()
        to = self.folder / "imported"
        outcome = opconform("import", "onnx", folder, "--to", to)
        self.assert_exit(0, outcome)
        self.assert_exit(0, opconform("run", to, "-q"))

    def one_exported(self):
        folder, _ = self.export("onnx", "--filter", "documents/onnx-gather/v13/axis-0")
        return next(folder.iterdir())

    def assert_rejected(self, folder, *words):
        outcome = opconform("import", "onnx", folder, "--to", self.folder / "to")
        self.assert_exit(2, outcome)
        for word in words:
            self.assertIn(word, outcome.err)

    def test_what_is_no_node_test_is_named(self):
        case = self.one_exported()
        data = case / "test_data_set_0" / "input_0.pb"
        whole = data.read_bytes()
        data.write_bytes(whole[:-3])
        self.assert_rejected(case, str(data), "is no tensor of ONNX")
        data.unlink()
        self.assert_rejected(case, str(data), "No such file")
        data.write_bytes(b"\x08\x02\x10\x01\x4a\x04\0\0\0\0")  # two floats, of which one is there
        self.assert_rejected(case, str(data), "has 4 bytes of elements, but its dimensions need 8")
        data.write_bytes(b"\x08" + b"\xff" * 9 + b"\x01\x10\x01")
        self.assert_rejected(case, str(data), "-1 is no size of a dimension")
        data.write_bytes(b"\x08\x80\x80\x80\x80\x80\x80\x01\x10\x01")
        self.assert_rejected(case, str(data), "elements are too many")
        data.write_bytes(whole)
        (case / "model.onnx").write_bytes(b"no model")
        self.assert_rejected(case, str(case / "model.onnx"), "is no model of ONNX")

    def left_out(self, node, initializers, data, *outputs):
        """What `import` says of a node test that nobody exported: an opset of 13, an input, and outputs."""
        folder = self.folder / "node_test"
        (folder / "test_data_set_0").mkdir(parents=True, exist_ok=True)
        graph = protobuf((1, node), *((5, tensor) for tensor in initializers))
        (folder / "model.onnx").write_bytes(protobuf((7, graph), (8, protobuf((2, 13)))))
        for name, tensor in zip(["input_0", *(f"output_{i}" for i in range(len(outputs)))], [data, *outputs]):
            (folder / "test_data_set_0" / f"{name}.pb").write_bytes(tensor)
        outcome = opconform("import", "onnx", folder, "--to", self.folder / "to")
        self.assertIn("0 cases", outcome.out)
        return outcome.out

    def test_a_node_without_outputs_is_left_out(self):
        node = protobuf((1, b"x"), (4, b"Concat"))
        self.assertIn("Concat without its output number 0", self.left_out(node, [], floats(1)))

    def test_a_slice_of_other_sizes_than_its_output_is_left_out(self):
        def said(start, end, step, *outputs):
            node = protobuf(*((1, name) for name in (b"data", b"starts", b"ends", b"axes", b"steps")), (2, b"y"), (4, b"Slice"))
            lists = [integers(name, number) for name, number in
                     ((b"starts", start), (b"ends", end), (b"axes", 0), (b"steps", step))]
            return self.left_out(node, lists, floats(1, 2, 3, 4), floats(*outputs))
        for start, end, step, *outputs in ((0, 3, 1, 1, 2), (3, -5, -2, 4, 2, 1), (0, 4, 3, 1)):
            self.assertIn("an output whose size starts, ends and steps do not give", said(start, end, step, *outputs))

    def test_a_scatter_with_indices_that_are_no_integers_is_left_out(self):
        node = protobuf(*((1, name) for name in (b"data", b"indices", b"updates")), (2, b"y"), (4, b"ScatterElements"))
        for indices in (protobuf((1, 1), (2, 10), (8, b"indices"), (9, b"\0\0")), floats(1) + protobuf((8, b"indices"))):
            updates = floats(1) + protobuf((8, b"updates"))
            self.assertIn("indices that are no integers of 4 or 8 bytes",
                          self.left_out(node, [indices, updates], floats(1, 2), floats(1, 2)))

    def test_a_changed_export_is_no_longer_the_case(self):
        case = self.one_exported()
        data = case / "test_data_set_0" / "output_0.pb"
        changed = bytearray(data.read_bytes())
        changed[-1] ^= 1
        data.write_bytes(changed)
        self.assert_rejected(case, "no longer say what case.json says")
        (case / "case.json").unlink()
        self.assert_exit(0, opconform("import", "onnx", case, "--to", self.folder / "to"))
        self.assert_exit(1, opconform("run", self.folder / "to", "--backend", "reference", "-q"))

    def test_a_folder_without_models_is_bad_input(self):
        self.assert_rejected(self.folder, "holds no model.onnx")
        self.assert_rejected(self.folder / "absent", "is no folder")


class RecordedTest(InterchangeTest):
    def test_what_is_expected_passes(self):
        for form in ("npy", "dxdispatch"):
            folder, said = self.export(form, "--label", "smoke", program.corpus, to=form)
            count = int(said.split()[0])
            self.take_expected_for_results(folder)
            outcome = self.recorded(folder, "--label", "smoke", program.corpus)
            self.assert_exit(0, outcome)
            verdicts = [one["verdict"] for one in outcome.json["results"]]
            self.assertEqual((count, len(verdicts) - count), (verdicts.count("pass"), verdicts.count("unsupported")))

    def test_every_other_ending_fails(self):
        cases = splits()
        folder, _ = self.export("dxdispatch", cases)
        self.take_expected_for_results(folder)
        one, other, third, *_ = sorted(case for case in folder.iterdir() if (case / "results").is_dir())
        output = next((one / "results").glob("*.bin"))
        changed = bytearray(output.read_bytes())
        changed[0] ^= 1
        output.write_bytes(changed)
        shutil.rmtree(other / "results")
        (other / "results").mkdir()
        (other / "results" / "refused.txt").write_text("no\n", encoding="utf-8")
        shutil.copytree(third / "before", third / "results", dirs_exist_ok=True)
        outcome = self.recorded(folder, cases)
        self.assert_exit(1, outcome)
        ids = [json.loads((case / "case.json").read_text())["cases"][0]["id"] for case in (one, other, third)]
        found = {result["case"]: result for result in outcome.json["results"]}
        self.assertEqual(["mismatch", "wrong-rejection", "mismatch"], [found[one]["verdict"] for one in ids])
        self.assertIn("never written", found[ids[2]]["message"])
        self.assertEqual({"pass"}, {result["verdict"] for one, result in found.items() if one not in ids})

    def test_arrays_are_what_numpy_reads(self):
        folder, _ = self.export("npy", "--filter", "slice1/layouts/*", "--filter", "gather/shapes/*")
        read = 0
        for case in folder.iterdir():
            desc = json.loads((case / "case.json").read_text())["cases"][0]["desc"]
            for field, tensor in desc.items():
                for file in case.glob(f"*/{field}.npy"):
                    array = numpy.load(file)
                    self.assertEqual(tuple(tensor.get("Sizes", tensor.get("shape"))), array.shape)
                    # And what NumPy writes is read.
                    numpy.save(file, array)
                    read += 1
        self.assertGreater(read, 100)
        self.take_expected_for_results(folder)
        outcome = self.recorded(folder, "--filter", "slice1/layouts/*", "--filter", "gather/shapes/*")
        self.assert_exit(0, outcome)
        self.assertEqual({"pass"}, {one["verdict"] for one in outcome.json["results"]} - {"unsupported"})

    def test_arrays_of_another_form_are_named(self):
        folder, _ = self.export("npy", splits())
        self.take_expected_for_results(folder)
        file = next(folder.glob("*/results/*.npy"))
        array = numpy.load(file)
        for wrong in (array.astype("complex128"), array.reshape(-1, 1, 1, 1, 1)):
            numpy.save(file, wrong)
            outcome = self.recorded(folder, splits())
            self.assert_exit(1, outcome)
            crash = [one for one in outcome.json["results"] if one["verdict"] == "crash"]
            self.assertEqual(1, len(crash))
            self.assertIn("must have the header", crash[0]["message"])

    def test_a_folder_that_is_no_export_is_bad_input(self):
        folder, _ = self.export("npy", splits())
        for backend, word in ((folder, "has no results yet"), (Path(program.corpus) / "split", "holds no case"), ("/absent", "is no folder")):
            outcome = opconform("run", "--backend", f"recorded:{backend}", timeout=60)
            self.assert_exit(2, outcome)
            self.assertIn(word, outcome.err)

    def test_a_folder_with_something_in_it_is_not_written_to(self):
        self.write("here", "")
        outcome = opconform("export", "npy", "--to", self.folder, timeout=60)
        self.assert_exit(2, outcome)
        self.assertIn("must be empty", outcome.err)

    def test_dxdispatch_models_name_all_fields(self):
        folder, _ = self.export("dxdispatch", "--filter", "slice1/layouts/*", "--filter", "split/semantics/*")
        self.assertIn("dxdispatch.exe", (folder / "run.ps1").read_text(encoding="utf-8"))
        for file in folder.glob("*/model.json"):
            model = json.loads(file.read_text(encoding="utf-8"))
            tested = model["dispatchables"]["tested"]
            counts = {"DML_OPERATOR_SLICE1": "DimensionCount", "DML_OPERATOR_SPLIT": "OutputCount"}
            desc = tested["desc"]
            counted = desc.get("InputWindowSizes") or desc.get("OutputTensors")
            self.assertEqual(len(counted), desc[counts[tested["type"]]])
            self.assertIn("TotalTensorSizeInBytes", desc["InputTensor"])
            for resource in model["resources"].values():
                source = resource["initialValues"].get("sourcePath")
                self.assertTrue(source is None or (file.parent / source).is_file())
