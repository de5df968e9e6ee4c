"""Bad input ends with exit code 2 and one message that names file, place and value; never with a verdict, and
never at the cost of what is good beside it."""
import os
import random
import subprocess
import unittest

from documents import GOOD, copy, document, gather, scatter, slice1, split, tensor, with_change
import program
from program import CONTROL, CliTest, cases_text, is_sanitized, literal, opconform, start

LONGEST_MESSAGE = 1000


class BadInputTest(CliTest):
    def assert_one_message(self, outcome, file, place="", value="", backends=2):
        """Exit code 2, one line of stderr, and the good case beside it judged."""
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        message = outcome.messages[0]
        self.assertTrue(message.startswith("opconform: "), message)
        self.assertIn(str(file), message)
        self.assertIn(place, message)
        self.assertIn(value, message)
        self.assertLess(len(message), LONGEST_MESSAGE + len(str(file)))
        self.assertIsNone(CONTROL.search(outcome.err), repr(outcome.err))
        verdicts = outcome.verdicts()
        self.assertEqual("pass", verdicts.pop("good"))
        verdicts.pop("neighbour", None)
        self.assertEqual({}, verdicts)

    def check(self, content, place="", value="", name="faulty.json", arguments=()):
        faulty = self.write(name, content)
        good = self.write("good.json", GOOD)
        outcome = self.run_cases(faulty, good, *arguments)
        self.assert_one_message(outcome, faulty, place, value)
        return outcome


# --- One faulty case in a file: what breaks, where, and what the message must show. ---------------------------

INPUT = ("desc", "InputTensor")
OUTPUTS = ("expect", "outputs", "OutputTensors")


def in_input(**fields):
    case = split()
    del case["desc"]["InputTensor"]["data"]
    case["desc"]["InputTensor"].update(fields)
    return case


def broadcast(elements):
    case = slice1()
    case["desc"]["InputTensor"] = tensor("INT32", [2, 3], Strides=[0, 1], data=elements)
    return case


def executable_huge():
    case = copy("UINT8", [1], [1])
    case["desc"]["InputTensor"]["TotalTensorSizeInBytes"] = 1 << 60
    return case


# name: (operator, case, path of the change, new value, place in the message, text in the message)
FAULTS = {
    "case_is_no_object": ("DML_SPLIT", [], (), [], "/cases/0", "array"),
    "case_is_null": ("DML_SPLIT", None, (), None, "/cases/0", "null"),
    "id_missing": ("DML_SPLIT", split(), ("id",), ..., "/cases/0", "id"),
    "id_empty": ("DML_SPLIT", split(), ("id",), "", "/cases/0/id", ""),
    "id_with_blank": ("DML_SPLIT", split(), ("id",), "a b", "/cases/0/id", "a b"),
    "id_with_star": ("DML_SPLIT", split(), ("id",), "a*", "/cases/0/id", "a*"),
    "id_with_umlaut": ("DML_SPLIT", split(), ("id",), "ä", "/cases/0/id", "ä"),
    "id_with_line_feed": ("DML_SPLIT", split(), ("id",), "a\nb", "/cases/0/id", "a\\nb"),
    "id_with_nul": ("DML_SPLIT", split(), ("id",), "a\0b", "/cases/0/id", "a\\u0000b"),
    "id_is_a_number": ("DML_SPLIT", split(), ("id",), 7, "/cases/0/id", "7"),
    "says_is_a_number": ("DML_SPLIT", split(), ("says",), 7, "/cases/0/says", "7"),
    "rules_is_a_string": ("DML_SPLIT", split(), ("rules",), "split.partition", "/cases/0/rules", "split.partition"),
    "rule_unknown": ("DML_SPLIT", split(), ("rules",), ["split.nothing"], "/cases/0/rules", "split.nothing"),
    "rule_is_null": ("DML_SPLIT", split(), ("rules",), [None], "/cases/0/rules", "null"),
    "erratum_unknown": ("DML_SPLIT", split(), ("errata",), ["no.such"], "/cases/0/errata", "no.such"),
    "twin_is_a_number": ("DML_SPLIT", split(), ("twin",), 7, "/cases/0/twin", "7"),
    "source_unknown_key": ("DML_SPLIT", split(), ("source",), {"page": 3}, "/cases/0/source/page", "page"),
    "source_is_a_string": ("DML_SPLIT", split(), ("source",), "page", "/cases/0/source", "page"),
    "level_unknown": ("DML_SPLIT", split(), ("feature_level",), "6_5", "/cases/0/feature_level", "6_5"),
    "level_is_a_number": ("DML_SPLIT", split(), ("feature_level",), 6, "/cases/0/feature_level", "6"),
    "level_for_onnx": ("ONNX_GATHER", gather(), ("feature_level",), "6_4", "/cases/0/feature_level", "feature_level"),
    "opset_for_directml": ("DML_SPLIT", split(), ("opset",), 13, "/cases/0/opset", "opset"),
    "opset_0": ("ONNX_GATHER", gather(), ("opset",), 0, "/cases/0/opset", "0"),
    "opset_negative": ("ONNX_GATHER", gather(), ("opset",), -1, "/cases/0/opset", "-1"),
    "opset_is_text": ("ONNX_GATHER", gather(), ("opset",), "13", "/cases/0/opset", "13"),
    "opset_2_to_the_64": ("ONNX_GATHER", gather(), ("opset",), literal("18446744073709551616"), "/cases/0/opset",
                          "18446744073709551616"),
    "case_unknown_key": ("DML_SPLIT", split(), ("expects",), {}, "/cases/0/expects", "expects"),
    "desc_missing": ("DML_SPLIT", split(), ("desc",), ..., "/cases/0", "desc"),
    "desc_unknown_key": ("DML_SPLIT", split(), ("desc", "axis"), 0, "/cases/0/desc/axis", "axis"),
    "desc_key_of_another_operator": ("DML_SPLIT", split(), ("desc", "OutputTensor"), {}, "/cases/0/desc/OutputTensor",
                                     "OutputTensor"),
    "desc_field_missing": ("DML_SPLIT", split(), ("desc", "Axis"), ..., "/cases/0/desc", "Axis"),
    "outputs_is_an_object": ("DML_SPLIT", split(), ("desc", "OutputTensors"), {}, "/cases/0/desc/OutputTensors",
                             "object"),
    "axis_negative": ("DML_SPLIT", split(), ("desc", "Axis"), -1, "/cases/0/desc/Axis", "-1"),
    "axis_2_to_the_32": ("DML_SPLIT", split(), ("desc", "Axis"), 1 << 32, "/cases/0/desc/Axis", "4294967296"),
    "axis_decimal": ("DML_SPLIT", split(), ("desc", "Axis"), literal("0.0"), "/cases/0/desc/Axis", "0.0"),
    "axis_exponent": ("DML_SPLIT", split(), ("desc", "Axis"), literal("0e0"), "/cases/0/desc/Axis", "0e0"),
    "axis_text": ("DML_SPLIT", split(), ("desc", "Axis"), "0", "/cases/0/desc/Axis", "\"0\""),
    "axis_bool": ("DML_SPLIT", split(), ("desc", "Axis"), False, "/cases/0/desc/Axis", "false"),
    "axis_null": ("DML_SPLIT", split(), ("desc", "Axis"), None, "/cases/0/desc/Axis", "null"),
    "gather_axis_2_to_the_63": ("ONNX_GATHER", gather(), ("desc", "axis"), 1 << 63, "/cases/0/desc/axis",
                                "9223372036854775808"),
    "gather_axis_below_int64": ("ONNX_GATHER", gather(), ("desc", "axis"), -(1 << 63) - 1, "/cases/0/desc/axis",
                                "-9223372036854775809"),
    "output_count_wrong": ("DML_SPLIT", split(), ("desc", "OutputCount"), 3, "/cases/0/desc/Output", "3"),
    "output_count_negative": ("DML_SPLIT", split(), ("desc", "OutputCount"), -2, "/cases/0/desc/OutputCount", "-2"),
    "dimension_count_wrong": ("DML_SLICE1", slice1(), ("desc", "DimensionCount"), 3, "/cases/0/desc/", "3"),
    "dimension_count_2_to_the_32": ("DML_SLICE1", slice1(), ("desc", "DimensionCount"), 1 << 32,
                                    "/cases/0/desc/DimensionCount", "4294967296"),
    "offsets_of_other_length": ("DML_SLICE1", slice1(), ("desc", "InputWindowOffsets"), [0], "/cases/0/desc/InputWindow",
                                "1"),
    "sizes_of_other_length": ("DML_SLICE1", slice1(), ("desc", "InputWindowSizes"), [1, 1, 1],
                              "/cases/0/desc/InputWindow", "3"),
    "strides_of_other_length": ("DML_SLICE1", slice1(), ("desc", "InputWindowStrides"), [], "/cases/0/desc/InputWindow",
                                "0"),
    "offsets_of_a_thousand": ("DML_SLICE1", slice1(), ("desc", "InputWindowOffsets"), [0] * 1000,
                              "/cases/0/desc/InputWindow", "1000"),
    "window_offset_negative": ("DML_SLICE1", slice1(), ("desc", "InputWindowOffsets"), [0, -1],
                               "/cases/0/desc/InputWindowOffsets/1", "-1"),
    "window_stride_2_to_the_31": ("DML_SLICE1", slice1(), ("desc", "InputWindowStrides"), [1 << 31, 1],
                                  "/cases/0/desc/InputWindowStrides/0", "2147483648"),
    "window_stride_below_int": ("DML_SLICE1", slice1(), ("desc", "InputWindowStrides"), [1, -(1 << 31) - 1],
                                "/cases/0/desc/InputWindowStrides/1", "-2147483649"),
    "tensor_is_an_array": ("DML_SPLIT", split(), INPUT, [], "/cases/0/desc/InputTensor", "array"),
    "tensor_unknown_key": ("DML_SPLIT", split(), (*INPUT, "sizes"), [4], "/cases/0/desc/InputTensor/sizes", "sizes"),
    "tensor_key_of_onnx": ("DML_SPLIT", split(), (*INPUT, "shape"), [4], "/cases/0/desc/InputTensor/shape", "shape"),
    "onnx_tensor_with_strides": ("ONNX_GATHER", gather(), ("desc", "data", "Strides"), None,
                                 "/cases/0/desc/data/Strides", "Strides"),
    "data_type_missing": ("DML_SPLIT", split(), (*INPUT, "DataType"), ..., "/cases/0/desc/InputTensor", "DataType"),
    "data_type_unknown": ("DML_SPLIT", split(), (*INPUT, "DataType"), "FLOAT8", "/cases/0/desc/InputTensor/DataType",
                          "FLOAT8"),
    "data_type_of_onnx": ("DML_SPLIT", split(), (*INPUT, "DataType"), "int32", "/cases/0/desc/InputTensor/DataType",
                          "int32"),
    "data_type_of_directml": ("ONNX_GATHER", gather(), ("desc", "data", "type"), "INT32", "/cases/0/desc/data/type",
                              "INT32"),
    "data_type_is_a_number": ("DML_SPLIT", split(), (*INPUT, "DataType"), 1, "/cases/0/desc/InputTensor/DataType", "1"),
    "size_negative": ("DML_SPLIT", split(), (*INPUT, "Sizes"), [-4], "/cases/0/desc/InputTensor/Sizes/0", "-4"),
    "size_2_to_the_32": ("DML_SPLIT", split(), (*INPUT, "Sizes"), [1 << 32], "/cases/0/desc/InputTensor/Sizes/0",
                         "4294967296"),
    "size_decimal": ("DML_SPLIT", split(), (*INPUT, "Sizes"), [literal("4.0")], "/cases/0/desc/InputTensor/Sizes/0",
                     "4.0"),
    "shape_2_to_the_63": ("ONNX_GATHER", gather(), ("desc", "data", "shape"), [1 << 63],
                          "/cases/0/desc/data/shape/0", "9223372036854775808"),
    "shape_2_to_the_64": ("ONNX_GATHER", gather(), ("desc", "data", "shape"), [literal("18446744073709551616")],
                          "/cases/0/desc/data/shape/0", "18446744073709551616"),
    "shape_negative": ("ONNX_GATHER", gather(), ("desc", "data", "shape"), [-1], "/cases/0/desc/data/shape/0", "-1"),
    "sizes_of_rank_1000": ("DML_SPLIT", split(), (*INPUT, "Sizes"), [1] * 1000, "/cases/0/desc/InputTensor/Sizes",
                           "1000"),
    "sizes_null": ("DML_SPLIT", split(), (*INPUT, "Sizes"), None, "/cases/0/desc/InputTensor/Sizes", "null"),
    "stride_negative": ("DML_SPLIT", split(), (*INPUT, "Strides"), [-1], "/cases/0/desc/InputTensor/Strides/0", "-1"),
    "stride_2_to_the_32": ("DML_SPLIT", split(), (*INPUT, "Strides"), [1 << 32], "/cases/0/desc/InputTensor/Strides/0",
                           "4294967296"),
    "total_2_to_the_64": ("DML_SPLIT", split(), (*INPUT, "TotalTensorSizeInBytes"), literal("18446744073709551616"),
                          "/cases/0/desc/InputTensor/TotalTensorSizeInBytes", "18446744073709551616"),
    "total_negative": ("DML_SPLIT", split(), (*INPUT, "TotalTensorSizeInBytes"), -16,
                       "/cases/0/desc/InputTensor/TotalTensorSizeInBytes", "-16"),
    "output_with_data": ("DML_SPLIT", split(), ("desc", "OutputTensors", 0, "data"), [0],
                         "/cases/0/desc/OutputTensors/0/data", "data"),
    "output_with_buffer": ("DML_SPLIT", split(), ("desc", "OutputTensors", 1, "buffer"), [0],
                           "/cases/0/desc/OutputTensors/1/buffer", "buffer"),
    "output_with_fill": ("DML_SPLIT", split(), ("desc", "OutputTensors", 1, "fill"), {"pattern": "iota"},
                         "/cases/0/desc/OutputTensors/1/fill", "fill"),
    # Contents.
    "contents_missing": ("DML_SPLIT", split(), (*INPUT, "data"), ..., "tested", "InputTensor"),
    "data_null": ("DML_SPLIT", split(), (*INPUT, "data"), None, "/cases/0/desc/InputTensor/data", "null"),
    "data_and_buffer": ("DML_SPLIT", split(), (*INPUT, "buffer"), [1, 2, 3, 4], "/cases/0/desc/InputTensor", "buffer"),
    "data_and_fill": ("DML_SPLIT", split(), (*INPUT, "fill"), {"pattern": "iota"}, "/cases/0/desc/InputTensor", "fill"),
    "data_too_short": ("DML_SPLIT", split(), (*INPUT, "data"), [1, 2, 3], "/cases/0/desc/InputTensor/data", "3"),
    "data_too_long": ("DML_SPLIT", split(), (*INPUT, "data"), [1, 2, 3, 4, 5], "/cases/0/desc/InputTensor/data", "5"),
    "data_empty": ("DML_SPLIT", split(), (*INPUT, "data"), [], "/cases/0/desc/InputTensor/data", "0"),
    "data_bare_element": ("DML_SPLIT", split(), (*INPUT, "data"), 4, "/cases/0/desc/InputTensor/data", "4"),
    "data_object": ("DML_SPLIT", split(), (*INPUT, "data"), {}, "/cases/0/desc/InputTensor/data", "object"),
    "data_too_deep": ("DML_SPLIT", split(), (*INPUT, "data"), [[1], [2], [3], [4]], "/cases/0/desc/InputTensor/data/0",
                      "array"),
    "data_nested_too_short": ("DML_SLICE1", slice1(), (*INPUT, "data"), [[1, 2, 3]], "/cases/0/desc/InputTensor/data",
                              "1"),
    "data_nested_ragged": ("DML_SLICE1", slice1(), (*INPUT, "data"), [[1, 2, 3, 4], [5, 6]],
                           "/cases/0/desc/InputTensor/data/0", "4"),
    "data_nested_transposed": ("DML_SLICE1", slice1(), (*INPUT, "data"), [[1, 2], [3, 4], [5, 6]],
                               "/cases/0/desc/InputTensor/data", "3"),
    "data_flat_too_short": ("DML_SLICE1", slice1(), (*INPUT, "data"), [1, 2, 3, 4, 5],
                            "/cases/0/desc/InputTensor/data", "5"),
    "data_half_flat": ("DML_SLICE1", slice1(), (*INPUT, "data"), [[1, 2, 3], 4, 5, 6], "/cases/0/desc/InputTensor/data",
                       "4"),
    "data_half_nested": ("DML_SLICE1", slice1(), (*INPUT, "data"), [1, 2, 3, 4, 5, [6]],
                         "/cases/0/desc/InputTensor/data/5", "array"),
    "data_freedom_in_an_input": ("DML_SPLIT", split(), (*INPUT, "data"), [{"any": True}, 1, 2, 3],
                                 "/cases/0/desc/InputTensor/data/0", "object"),
    "broadcast_disagrees": ("DML_SLICE1", broadcast([[1, 2, 3], [1, 2, 4]]), (), ..., "/cases/0/desc/InputTensor/data",
                            "5"),
    "buffer_too_short": ("DML_SPLIT", in_input(buffer=[1, 2, 3]), (), ..., "/cases/0/desc/InputTensor/buffer", "3"),
    "buffer_too_long": ("DML_SPLIT", in_input(buffer=[1, 2, 3, 4, 5], TotalTensorSizeInBytes=16), (), ...,
                        "/cases/0/desc/InputTensor/buffer", "16"),
    "buffer_nested": ("DML_SPLIT", in_input(buffer=[[1, 2], [3, 4]]), (), ..., "/cases/0/desc/InputTensor/buffer/0",
                      "array"),
    "buffer_null": ("DML_SPLIT", in_input(buffer=None), (), ..., "/cases/0/desc/InputTensor/buffer", "null"),
    "fill_unknown_pattern": ("DML_SPLIT", in_input(fill={"pattern": "zeros"}), (), ...,
                             "/cases/0/desc/InputTensor/fill/pattern", "zeros"),
    "fill_without_pattern": ("DML_SPLIT", in_input(fill={"seed": 1}), (), ..., "/cases/0/desc/InputTensor/fill",
                             "pattern"),
    "fill_unknown_key": ("DML_SPLIT", in_input(fill={"pattern": "iota", "step": 2}), (), ...,
                         "/cases/0/desc/InputTensor/fill/step", "step"),
    "fill_seed_2_to_the_64": ("DML_SPLIT", in_input(fill={"pattern": "random", "seed": literal("18446744073709551616")}),
                              (), ..., "/cases/0/desc/InputTensor/fill/seed", "18446744073709551616"),
    "fill_seed_negative": ("DML_SPLIT", in_input(fill={"pattern": "random", "seed": -1}), (), ...,
                           "/cases/0/desc/InputTensor/fill/seed", "-1"),
    # Expectations.
    "expect_empty": ("DML_SPLIT", split(), ("expect",), {}, "/cases/0/expect", "outputs"),
    "expect_null": ("DML_SPLIT", split(), ("expect",), None, "/cases/0/expect", "null"),
    "expect_array": ("DML_SPLIT", split(), ("expect",), [], "/cases/0/expect", "array"),
    "expect_unknown_key": ("DML_SPLIT", split(), ("expect", "output"), [], "/cases/0/expect/output", "output"),
    "expect_two_kinds": ("DML_SPLIT", split(), ("expect", "rejected"), ["split.support"], "/cases/0/expect/rejected",
                         "rejected"),
    "expect_lacks_an_output": ("DML_SPLIT", split(), OUTPUTS, [[10]], "/cases/0/expect/outputs/OutputTensors", "2"),
    "expect_output_too_many": ("DML_SPLIT", split(), OUTPUTS, [[10], [11, 12, 13], [14]],
                               "/cases/0/expect/outputs/OutputTensors", "2"),
    "expect_without_output": ("DML_SPLIT", split(), ("expect", "outputs"), {}, "/cases/0/expect/outputs",
                              "OutputTensors"),
    "expect_unknown_output": ("DML_SPLIT", split(), ("expect", "outputs", "OutputTensor"), [1],
                              "/cases/0/expect/outputs/OutputTensor", "OutputTensor"),
    "expect_wrong_count": ("DML_SPLIT", split(), (*OUTPUTS, 1), [11, 12], "/cases/0/expect/outputs/OutputTensors/1", "2"),
    "expect_wrong_element": ("DML_SPLIT", split(), (*OUTPUTS, 1, 2), "x", "/cases/0/expect/outputs/OutputTensors/1/2",
                             "x"),
    "one_of_empty": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"one_of": []},
                     "/cases/0/expect/outputs/OutputTensors/0/0/one_of", ""),
    "one_of_number": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"one_of": 10},
                      "/cases/0/expect/outputs/OutputTensors/0/0/one_of", ""),
    "one_of_wrong_element": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"one_of": [10, literal("1.5")]},
                             "/cases/0/expect/outputs/OutputTensors/0/0/one_of/1", "1.5"),
    "one_of_nested": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"one_of": [{"any": True}]},
                      "/cases/0/expect/outputs/OutputTensors/0/0/one_of/0", "object"),
    "any_false": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"any": False},
                  "/cases/0/expect/outputs/OutputTensors/0/0/any", "false"),
    "freedom_empty": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {}, "/cases/0/expect/outputs/OutputTensors/0/0", "one_of"),
    "freedom_twice": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"any": True, "one_of": [1]},
                      "/cases/0/expect/outputs/OutputTensors/0/0", "one_of"),
    "freedom_unknown_key": ("DML_SPLIT", split(), (*OUTPUTS, 0, 0), {"some": [1]},
                            "/cases/0/expect/outputs/OutputTensors/0/0", ""),
    "any_of_empty": ("DML_SPLIT", split(), ("expect",), {"any_of": []}, "/cases/0/expect/any_of", ""),
    "any_of_object": ("DML_SPLIT", split(), ("expect",), {"any_of": {}}, "/cases/0/expect/any_of", ""),
    "any_of_faulty_inside": ("DML_SPLIT", split(), ("expect",), {"any_of": [{"rejected": ["x"]}]},
                             "/cases/0/expect/any_of/0/rejected", "x"),
    "rejected_empty": ("DML_SPLIT", split(), ("expect",), {"rejected": []}, "/cases/0/expect/rejected", ""),
    "rejected_string": ("DML_SPLIT", split(), ("expect",), {"rejected": "split.support"}, "/cases/0/expect/rejected",
                        "split.support"),
    "rejected_unknown": ("DML_SPLIT", split(), ("expect",), {"rejected": ["split.nothing"]}, "/cases/0/expect/rejected",
                         "split.nothing"),
    "error_unknown": ("DML_SPLIT", split(), ("expect",), {"error": "split.nothing"}, "/cases/0/expect/error",
                      "split.nothing"),
    "error_array": ("DML_SPLIT", split(), ("expect",), {"error": ["gather.index-range"]}, "/cases/0/expect/error",
                    "array"),
    # Too large to be executed.
    "huge_by_its_total": ("DML_SPLIT", executable_huge(), (), ..., "tested", str(1 << 60)),
    "huge_by_its_sizes": ("DML_SPLIT", with_change(in_input(Sizes=[1 << 30, 2], fill={"pattern": "iota"}), ("expect",), ...),
                          ("desc", "OutputTensors"), [tensor("INT32", [1 << 30, 2])], "tested", str(1 << 33)),
    "huge_onnx_count": ("ONNX_GATHER", {
        "id": "tested", "desc": {"data": {"type": "float", "shape": [1 << 60]},
                                 "indices": {"type": "int64", "shape": [1], "data": [0]},
                                 "output": {"type": "float", "shape": [1]}}}, (), ..., "tested", "data"),
    # Texts that must not fill the screen.
    "long_unknown_key": ("DML_SPLIT", split(), ("k" * 100000,), 1, "/cases/0/kkkk", "kkkk"),
    "long_id": ("DML_SPLIT", split(), ("id",), "*" * 100000, "/cases/0/id", "****"),
    "long_rule": ("DML_SPLIT", split(), ("rules",), ["r" * 100000], "/cases/0/rules", "rrrr"),
    "long_level": ("DML_SPLIT", split(), ("feature_level",), "9" * 100000, "/cases/0/feature_level", "9999"),
    "long_element": ("DML_SPLIT", split(), (*INPUT, "data", 0), "0x" + "0" * 100000, "/cases/0/desc/InputTensor/data/0",
                     "0x0000"),
    "long_number": ("DML_SPLIT", split(), (*INPUT, "data", 0), literal("1" * 4000), "/cases/0/desc/InputTensor/data/0",
                    "1111"),
    "long_pattern": ("DML_SPLIT", in_input(fill={"pattern": "p" * 100000}), (), ...,
                     "/cases/0/desc/InputTensor/fill/pattern", "pppp"),
    "control_characters_in_a_key": ("DML_SPLIT", split(), ("\x1b[31m\x7f\u009b",), 1, "/cases/0/", ""),
    "control_characters_in_a_value": ("DML_SPLIT", split(), (*INPUT, "DataType"), "\x1b[31m\x7f\u009b",
                                      "/cases/0/desc/InputTensor/DataType", ""),
    "control_characters_in_a_rule": ("DML_SPLIT", split(), ("rules",), ["\x1b[31m\x7f\u009b"], "/cases/0/rules", ""),
}

NEIGHBOURS = {
    "DML_SPLIT": split("neighbour"),
    "DML_SLICE1": slice1("neighbour"),
    "ONNX_GATHER": gather("neighbour"),
}


class FaultyCase(BadInputTest):
    """One fault; a good case in the same file and one in another are judged all the same."""

    def check_case(self, operator, case, path, new, place, value):
        changed = with_change(case, path, new) if path else case
        outcome = self.check(document(operator, changed, NEIGHBOURS[operator]), place, value)
        self.assertEqual("pass", outcome.verdicts().get("neighbour"))


def add_tests(to, prefix, table, method):
    for name, row in table.items():
        setattr(to, f"test_{prefix}{name}", lambda self, row=row: getattr(self, method)(*row))


add_tests(FaultyCase, "", FAULTS, "check_case")

# --- Elements that are none of their type. ------------------------------------------------------------------

INTEGERS = {"INT8": 8, "INT16": 16, "INT32": 32, "INT64": 64, "UINT8": 8, "UINT16": 16, "UINT32": 32, "UINT64": 64}

BAD_ELEMENTS = {
    "FLOAT16": ["65520", "-65520", "1e5", "true", "null", '"1"', '"nan"', '"+Infinity"', '"0x3c0"',
                '"0x03c00"', '"0x3c0g"', '"0x-c00"', '"0X3C00"', '"-0"', '""', "[]", "{}"],
    "FLOAT32": ["3.4028235677973367e38", "-1e39", '"0x7fc0000"', '"0x+fc00000"', '"0x 7fc000"', "false"],
    "FLOAT64": ["true", '"0x7ff0"'],
    **{name: [str(-(1 << bits - 1) - 1 if name[0] == "I" else -1),
              str(1 << (bits - 1 if name[0] == "I" else bits)),
              "3.0", "3e0", "0.0", "true", "null", '"3"', '"NaN"', '"0x"', '"0x123"', "99999999999999999999999"]
       for name, bits in INTEGERS.items()},
    "bfloat16": ["3.39617752923047e38", "1e39", '"0x7fc"', "true"],
    "bool": ["0", "1", "2", '"true"', '"0x2"', '"0x002"', "null", "1.0"],
    "complex64": ["1", "[1]", "[1,2,3]", "[1,null]", "[1,[2]]", "[1e39,0]", '"NaN"', '"0x3f80000000000000"', "[]"],
    "complex128": ["1", "[1]", "[true,0]", '["0x3f800000",0]'],
    "string": ["1", "null", "true", "[]", '["a"]', "{}"],
}

# JSON all right, but beyond a double: no reason to give up the rest of the file.
OVERFLOWING_ELEMENTS = {
    "FLOAT16": ["1e400", "-1e400"],
    "FLOAT32": ["1e400"],
    "FLOAT64": ["1.7976931348623159e308", "1e309", "-1e4000"],
    "INT32": ["1e400"],
    "UINT64": ["1e400"],
    "complex128": ["[0,1e400]"],
    "string": ["1e400"],
}


class FaultyElement(BadInputTest):
    def check_type(self, data_type, elements):
        cases = []
        for number, element in enumerate(elements):
            make = {"name": f"tested-{number}"}
            if data_type.isupper():
                cases.append(copy(data_type, [literal(element)], **make))
            else:
                cases.append(gather(data_type=data_type, data=[literal(element)], indices=[0], **make))
                del cases[-1]["expect"]
        operator = "DML_SPLIT" if data_type.isupper() else "ONNX_GATHER"
        faulty = self.write("faulty.json", document(operator, *cases))
        outcome = self.run_cases(faulty, self.write("good.json", GOOD))
        self.assert_exit(2, outcome)
        self.assertEqual({"good": "pass"}, outcome.verdicts())
        self.assertEqual(len(elements), len(outcome.messages), outcome)
        for number, (element, message) in enumerate(zip(elements, outcome.messages)):
            with self.subTest(element=element):
                self.assertIn(str(faulty), message)
                self.assertIn(f"/cases/{number}/desc/", message)
                if element[0] not in "[{":
                    self.assertIn(element.strip('"'), message)


add_tests(FaultyElement, "", {name.lower(): (name, rows) for name, rows in BAD_ELEMENTS.items()}, "check_type")
add_tests(FaultyElement, "overflowing_",
          {name.lower(): (name, rows) for name, rows in OVERFLOWING_ELEMENTS.items()}, "check_type")

# --- Files that are no case files. ---------------------------------------------------------------------------

SMALL = '{"operator":"DML_SPLIT","cases":[{"id":"small","says":"ä\\n","desc":{"InputTensor":{"DataType":"INT8",' \
        '"Sizes":[2],"data":[1,-2]},"OutputTensors":[{"DataType":"INT8","Sizes":[2]}],"Axis":0}}]}'
MEGA = 1 << 20

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
    "larger_than_the_limit": (b" " * (65 * MEGA),),
    "empty_arrays_of_60_mb": (b"[" + b"[]," * (20 * MEGA) + b"[]]",),
    "deep_in_a_case": (SMALL.replace('"ä\\n"', "[" * 1000 + "]" * 1000).encode(), "/cases/0/says"),
    "operator_missing": ({"cases": [split()]}, "", "operator"),
    "operator_unknown": (document("DML_JOIN", split()), "/operator", "DML_JOIN"),
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


# --- Small files that ask for much. ------------------------------------------------------------------------------

class HostileCase(BadInputTest):
    def test_a_rejected_tensor_may_be_huge(self):
        case = split(expect=False)
        case["desc"]["InputTensor"] = tensor("INT32", [1 << 29, 2, 1 << 28], data=[], TotalTensorSizeInBytes=1 << 60)
        del case["desc"]["InputTensor"]["data"]
        case["expect"] = {"rejected": ["split.same-rank", "tensor.element-limit"]}
        outcome = self.run_cases(self.write("huge.json", document("DML_SPLIT", case)))
        self.assert_exit(0, outcome)
        self.assertEqual({"tested": "pass"}, outcome.verdicts())

    def test_an_onnx_tensor_beyond_64_bits_is_refused(self):
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


class EveryCommandRefuses(BadInputTest):
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
