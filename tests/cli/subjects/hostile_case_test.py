"""Small files that ask for much."""
import unittest

from bad_input import BadInputTest, executable_huge, in_input
from documents import GOOD, copy, document, gather, scatter, slice1, split, tensor, with_change
from program import is_sanitized, opconform


class HostileCase(BadInputTest):
    def test_a_rejected_tensor_may_be_huge(self):
        case = split(expect=False)
        case["desc"]["InputTensor"] = tensor("INT32", [1 << 29, 2, 1 << 28], data=[], TotalTensorSizeInBytes=1 << 60)
        del case["desc"]["InputTensor"]["data"]
        case["expect"] = {"rejected": ["split.same-rank", "tensor.element-limit"]}
        outcome = self.run_cases(self.write("huge.json", document("DML_SPLIT", case)))
        self.assert_exit(0, outcome)
        self.assertEqual({"tested": "pass"}, outcome.verdicts())

    def test_an_onnx_tensor_beyond_64_bits_is_rejected(self):
        case = gather()
        case["desc"]["data"] = {"type": "float", "shape": [1 << 40, 1 << 40]}
        case["desc"]["output"] = {"type": "float", "shape": [2, 1 << 40]}
        case["expect"] = {"rejected": ["tensor.size-overflow"]}
        outcome = self.run_cases(self.write("huge.json", document("ONNX_GATHER", case)))
        self.assertEqual({"tested": "pass"}, outcome.verdicts())

    def test_validation_needs_no_memory(self):
        case = with_change(copy("UINT8", [1]), ("desc", "InputTensor", "TotalTensorSizeInBytes"), 1 << 60)
        outcome = opconform("validate", self.write("huge.json", document("DML_SPLIT", case)))
        self.assert_exit(0, outcome)

    def test_tensors_together_over_the_memory_limit(self):
        case = in_input(Sizes=[1000], fill={"pattern": "iota"})
        case["desc"]["OutputTensors"] = [tensor("INT32", [1000])]
        del case["expect"]
        self.check(document("DML_SPLIT", case), "tested", "limit", arguments=("--memory-limit", "7999"))

    def test_tensors_together_at_the_memory_limit(self):
        case = in_input(Sizes=[1000], fill={"pattern": "iota"})
        case["desc"]["OutputTensors"] = [tensor("INT32", [1000])]
        del case["expect"]
        outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", case)), "--memory-limit", "8000")
        self.assert_exit(0, outcome)

    def test_memory_limit_beyond_the_machine_is_no_verdict(self):
        outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", executable_huge())),
                                 "--memory-limit", str((1 << 64) - 1))
        self.assertIn(outcome.code, (2, 3), outcome)
        self.assertEqual({}, outcome.verdicts())

    def test_memory_limit_beyond_the_machine_isolated(self):
        outcome = self.run_cases(self.write("good.json", GOOD), "--isolate", "--memory-limit", str(1 << 62))
        self.assert_exit(0, outcome)

    @unittest.skipIf(is_sanitized(), "no limit on memory")
    def test_memory_that_is_not_there_is_no_verdict(self):
        # Within --memory-limit, but more than the machine gives: that is no failure of the backend.
        case = copy("UINT8", [1], [1])
        case["desc"]["InputTensor"]["TotalTensorSizeInBytes"] = (1 << 30) - 1024
        outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", case)), self.write("good.json", GOOD))
        self.assertIn(outcome.code, (2, 3), outcome)
        self.assertEqual({"good": "pass"}, outcome.verdicts())

    def test_overlapping_input_of_4_billion_elements(self):
        case = slice1()
        case["desc"]["InputTensor"] = tensor("UINT8", [65535, 65536], Strides=[1, 1], fill={"pattern": "iota"})
        case["desc"]["OutputTensor"]["DataType"] = "UINT8"
        del case["expect"]
        outcome = self.run_cases(self.write("a.json", document("DML_SLICE1", case)), self.write("good.json", GOOD))
        self.assertEqual("pass", outcome.verdicts()["good"])

    def test_broadcast_input_of_4_billion_elements(self):
        case = slice1()
        case["desc"]["InputTensor"] = tensor("UINT8", [65535, 65536], Strides=[0, 0], data=None)
        case["desc"]["InputTensor"]["buffer"] = [7]
        del case["desc"]["InputTensor"]["data"]
        case["desc"]["OutputTensor"]["DataType"] = "UINT8"
        case["expect"] = {"outputs": {"OutputTensor": [7, 7]}}
        outcome = self.run_cases(self.write("a.json", document("DML_SLICE1", case)))
        self.assert_exit(0, outcome)

    def test_unspecified_output_of_16_million_elements(self):
        # An index out of range leaves the whole output open; that must not cost many times the tensor.
        count = 1 << 24
        case = scatter()
        case["desc"]["InputTensor"] = tensor("UINT8", [count], fill={"pattern": "iota"})
        case["desc"]["OutputTensor"] = tensor("UINT8", [count])
        case["desc"]["UpdatesTensor"]["DataType"] = "UINT8"
        case["desc"]["IndicesTensor"]["data"] = [count, 1]
        del case["expect"]
        path = self.write("a.json", document("DML_SCATTER", case))
        outcome = self.run_cases(path, "--backend", "reference", timeout=60)
        self.assertEqual({"tested": "pass"}, outcome.verdicts())

    def test_overlap_that_is_hard_to_decide(self):
        case = slice1()
        strides = [3 ** i * 2 ** (16 - i) for i in range(8)]
        case["desc"] = {
            "InputTensor": tensor("UINT8", [20] * 8, Strides=[0] * 8, fill={"pattern": "iota"}),
            "OutputTensor": tensor("UINT8", [12] * 8, Strides=strides),
            "InputWindowOffsets": [0] * 8, "InputWindowSizes": [20] * 8, "InputWindowStrides": [1] * 8,
        }
        del case["expect"]
        outcome = self.run_cases(self.write("a.json", document("DML_SLICE1", case)), self.write("good.json", GOOD))
        self.assertEqual("pass", outcome.verdicts()["good"])

    def test_split_into_20000_outputs(self):
        count = 20_000
        case = in_input(Sizes=[count], fill={"pattern": "iota"})
        case["desc"]["OutputTensors"] = [tensor("INT32", [1])] * count
        del case["expect"]
        outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", case)))
        self.assert_exit(0, outcome)

    def test_any_of_nested_many_times(self):
        expect = {"any_of": [{"rejected": ["split.support"]}, {"error": "gather.index-range"}] * 2000}
        outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", split(expect=False) | {"expect": expect})))
        self.assert_exit(1, outcome)
