#include "tests/harness/fake_backend.h"

#include <gtest/gtest.h>

namespace opconform::test {

std::vector<cases::Case> cases_of(const std::string& json) {
  cases::LoadedCases loaded;
  cases::read_cases(base::parse_json(json, "test.json"), "test.json", loaded);
  for (const std::string& message : loaded.bad_input) ADD_FAILURE() << message;
  return std::move(loaded.cases);
}

cases::Case case_of(const std::string& json) {
  std::vector<cases::Case> cases = cases_of(json);
  EXPECT_EQ(cases.size(), 1U);
  return cases.at(0);
}

cases::Case padded_copy() {
  return case_of(
      R"({"operator": "DML_SPLIT", "cases": [{"id": "padded-copy", "rules": ["split.single-is-copy"],
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT16", "Sizes": [2, 3], "Strides": [5, 1], "buffer": [1, 2, 3, 90, 91, 4, 5, 6, 92, 93]},
      "OutputTensors": [{"DataType": "UINT16", "Sizes": [2, 3], "Strides": [4, 1]}]},
    "expect": {"outputs": {"OutputTensors": [[[1, 2, 3], [4, 5, 6]]]}}}]})");
}

cases::Case overlapping_scatter() {
  return case_of(
      R"({"operator": "DML_SCATTER", "cases": [{"id": "overlap", "rules": ["scatter.overlap-any-winner"],
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT32", "Sizes": [5], "data": [0, 1, 2, 3, 4]},
      "IndicesTensor": {"DataType": "INT32", "Sizes": [3], "data": [3, 1, 3]},
      "UpdatesTensor": {"DataType": "UINT32", "Sizes": [3], "data": [65537, 6, 131074]},
      "OutputTensor": {"DataType": "UINT32", "Sizes": [5]}},
    "expect": {"outputs": {"OutputTensor": [0, 6, 2, {"one_of": [65537, 131074]}, 4]}}}]})");
}

cases::Case failing_gather() {
  return case_of(
      R"({"operator": "ONNX_GATHER", "cases": [{"id": "out-of-range", "rules": ["gather.index-range"],
    "desc": {"data": {"type": "int8", "shape": [3], "data": [1, 2, 3]},
             "indices": {"type": "int32", "shape": [2], "data": [0, 3]},
             "output": {"type": "int8", "shape": [2]}},
    "expect": {"error": "gather.index-range"}}]})");
}

cases::Case rejected_slice() {
  return case_of(
      R"({"operator": "DML_SLICE1", "cases": [{"id": "stride-0", "rules": ["slice1.stride-not-zero"],
    "desc": {"InputTensor": {"DataType": "INT8", "Sizes": [4], "data": [1, 2, 3, 4]},
             "OutputTensor": {"DataType": "INT8", "Sizes": [2]},
             "InputWindowOffsets": [0], "InputWindowSizes": [4], "InputWindowStrides": [0]},
    "expect": {"rejected": ["slice1.stride-not-zero"]}}]})");
}

}  // namespace opconform::test
