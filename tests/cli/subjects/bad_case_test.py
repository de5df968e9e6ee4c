"""One faulty case in a file: what breaks, where, and what the message must show."""
from bad_input import BadInputTest, add_tests, executable_huge, in_input
from documents import GOOD, copy, document, gather, slice1, split, tensor, with_change
from program import literal

INPUT = ("desc", "InputTensor")
OUTPUTS = ("expect", "outputs", "OutputTensors")


def broadcast(elements):
    case = slice1()
    case["desc"]["InputTensor"] = tensor("INT32", [2, 3], Strides=[0, 1], data=elements)
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
