// What check_case() puts around an execution: room, contents, what stands in outputs beforehand. Of
// large cases: large_buffers_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "harness/base/bad_input.h"
#include "harness/base/random.h"
#include "harness/judging/check.h"
#include "harness/judging/evidence.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::optional<backends::Failure> do_nothing(const Operator&, Version, const Bindings&) {
  return std::nullopt;
}

/// A copy of bytes, expected as it says.
cases::Case byte_case(const std::string& expected) {
  return test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "byte",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [1], "data": [0]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [1]}]},
    "expect": {"outputs": {"OutputTensors": [[)" +
                       expected + "]]}}}]}");
}
std::string one_of(int first, int last, int step, const std::string& before) {
  std::string values = before;
  for (int value = first; value <= last; value += step)
    values += (values.empty() ? "" : ", ") + std::to_string(value);
  return R"({"one_of": [)" + values + "]}";
}

/// With the case's own inputs: others are expected to give something else.
Verdict verdict_of_one_execution(const cases::Case& tested, backends::Backend& backend,
                                 std::uint64_t seed = 0) {
  return check_case(tested, backend, {.seed = seed, .most_executed_again_bytes = 0}).verdict;
}

/// The verdicts on a backend that writes nothing, over many seeds.
std::set<Verdict> verdicts_unwritten(const cases::Case& tested) {
  test::FakeBackend idle;
  idle.execute = do_nothing;
  std::set<Verdict> verdicts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    verdicts.insert(verdict_of_one_execution(tested, idle, seed));
  return verdicts;
}
const std::set<Verdict> kAlwaysMismatch{Verdict::kMismatch};

TEST(CheckMemory, AnUnwrittenByteNeverPassesByChance) {
  EXPECT_EQ(verdicts_unwritten(byte_case("0")), kAlwaysMismatch);
  // 255, which is ~0, and its neighbours are permitted.
  EXPECT_EQ(verdicts_unwritten(byte_case(one_of(0, 3, 1, "0, 7, 255"))), kAlwaysMismatch);
  EXPECT_EQ(verdicts_unwritten(byte_case(one_of(0, 3, 1, "0, 255"))), kAlwaysMismatch);
  // All odd values and 0: every second step finds one that is permitted.
  EXPECT_EQ(verdicts_unwritten(byte_case(one_of(1, 255, 2, "0"))), kAlwaysMismatch);
  // All but the one that the last step finds.
  EXPECT_EQ(verdicts_unwritten(byte_case(one_of(0, 253, 1, "0, 255"))), kAlwaysMismatch);
}

TEST(CheckMemory, WhatIsPermittedOfOneElementIsNotOfItsNeighbour) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "second",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [5, 0]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [2]}]},
    "expect": {"outputs": {"OutputTensors": [[5, {"one_of": [0, 255]}]]}}}]})");
  test::FakeBackend half;
  half.execute = [](const Operator&, Version, const Bindings& bindings) {
    bindings.outputs[0][0] = std::byte{5};
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(verdict_of_one_execution(tested, half), Verdict::kMismatch);
}

TEST(CheckMemory, WhereEveryByteIsPermittedNoneIsLookedFor) {
  EXPECT_EQ(verdicts_unwritten(byte_case(one_of(0, 255, 1, ""))), std::set{Verdict::kPass});
}

TEST(CheckMemory, TheEvidenceHasInputsAfterwardsOnlyWhereOneWasChanged) {
  test::FakeBackend faulty;
  const auto evidence_of = [&](const std::function<void(const Bindings&)>& spoil) {
    faulty.execute = test::then(faulty, spoil);
    return check_case(byte_case("0"), faulty, {}).evidence;
  };
  const auto wrong =
      evidence_of([](const Bindings& bound) { bound.outputs[0][0] ^= std::byte{1}; });
  ASSERT_NE(wrong, nullptr);
  EXPECT_THAT(wrong->inputs_after, IsEmpty());
  const auto changed = evidence_of(
      [](const Bindings& bound) { const_cast<std::byte&>(bound.inputs[0][0]) = std::byte{7}; });
  ASSERT_NE(changed, nullptr);
  ASSERT_EQ(changed->inputs_after.size(), 1U);
  EXPECT_EQ(changed->inputs_after[0][0], std::byte{7});
}

TEST(CheckMemory, EveryElementOfEveryOutputIsMarked) {
  const cases::Case two = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "two",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [5], "data": [1, 2, 3, 4, 5]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [2]},
                               {"DataType": "UINT8", "Sizes": [3]}]},
    "expect": {"outputs": {"OutputTensors": [[1, {"any": true}],
                                             [{"any": true}, {"any": true}, 5]]}}}]})");
  EXPECT_EQ(verdicts_unwritten(two), kAlwaysMismatch);
  for (const std::size_t written : {0U, 1U}) {
    test::FakeBackend half;
    half.execute = [=](const Operator&, Version, const Bindings& bindings) {
      bindings.outputs[written].front() = std::byte{1};
      bindings.outputs[written].back() = std::byte{5};
      return std::optional<backends::Failure>();
    };
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      EXPECT_EQ(verdict_of_one_execution(two, half, seed), Verdict::kMismatch);
  }
}

TEST(CheckMemory, EachByteOfAnUnwrittenElementDiffersFromWhatIsExpected) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "wide",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT32", "Sizes": [2], "data": [16909060, 84281096]},
             "OutputTensors": [{"DataType": "UINT32", "Sizes": [2]}]},
    "expect": {"outputs": {"OutputTensors": [[16909060, 84281096]]}}}]})");
  test::FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings& bindings) {
    constexpr std::uint32_t kExpected[] = {0x01020304, 0x05060708};
    std::byte expected[sizeof kExpected];
    std::memcpy(expected, kExpected, sizeof expected);
    for (std::size_t i = 0; i < sizeof expected; ++i)
      EXPECT_EQ(bindings.outputs[0][i], ~expected[i]) << i;
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(tested, idle, {}).verdict, Verdict::kMismatch);
}

TEST(CheckMemory, NoAlternativeStandsThereBeforehand) {
  const std::string desc = R"({"operator": "ONNX_GATHER", "cases": [{"id": "v1", "opset": 1,
    "desc": {"data": {"type": "uint8", "shape": [3], "data": [1, 2, 3]},
             "indices": {"type": "int32", "shape": [], "data": -1},
             "output": {"type": "uint8", "shape": []}},
    "expect": {"any_of": [)";
  for (const std::string alternatives :
       {R"({"error": "gather.index-range"}, {"outputs": {"output": 3}})",
        R"({"outputs": {"output": 3}}, {"error": "gather.index-range"})"}) {
    test::FakeBackend idle;
    idle.execute = do_nothing;
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      EXPECT_NE(verdict_of_one_execution(test::case_of(desc + alternatives + "]}}]}"), idle, seed),
                Verdict::kPass);
  }
}

TEST(CheckMemory, NoElementOfALaterRowStandsThereBeforehand) {
  const cases::Case rows = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "rows",
    "desc": {"Axis": 0,
             "InputTensor": {"DataType": "UINT32", "Sizes": [2, 2],
                             "data": [[0, 0], [4294967295, 4294967295]]},
             "OutputTensors": [{"DataType": "UINT32", "Sizes": [2, 2], "Strides": [3, 1]}]},
    "expect": {"outputs": {"OutputTensors": [[[0, 0], [4294967295, 4294967295]]]}}}]})");
  test::FakeBackend first_row;
  first_row.execute = [](const Operator&, Version, const Bindings& bound) {
    std::memset(bound.outputs[0].data(), 0, 8);
    return std::optional<backends::Failure>();
  };
  EXPECT_NE(verdict_of_one_execution(rows, first_row, 0), Verdict::kPass);
}

TEST(CheckMemory, AnUnwrittenStringSaysSo) {
  const cases::Case strings =
      test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "strings",
    "desc": {"data": {"type": "string", "shape": [2], "data": ["a", "b"]},
             "indices": {"type": "int64", "shape": [2], "data": [1, 0]},
             "output": {"type": "string", "shape": [2]}},
    "expect": {"outputs": {"output": ["b", {"any": true}]}}}]})");
  test::FakeBackend idle;
  idle.execute = do_nothing;
  EXPECT_THAT(check_case(strings, idle, {}).message, HasSubstr("found \"(never written)\""));
}

TEST(CheckMemory, StringsCanBeReadWhateverIsExpected) {
  const cases::Case strings =
      test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "strings",
    "desc": {"data": {"type": "string", "shape": [1], "data": ["a"]},
             "indices": {"type": "int64", "shape": [1], "data": [7]},
             "output": {"type": "string", "shape": [1]}}}]})");
  std::string found;
  test::FakeBackend looks;
  looks.execute = [&](const Operator&, Version, const Bindings& bindings) {
    StringElement element{};
    std::memcpy(&element, bindings.outputs[0].data(), sizeof element);
    found.assign(element.bytes, element.size_bytes);
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(strings, looks, {}).verdict, Verdict::kMissedError);
  EXPECT_EQ(found, "(never written)");
}

/// Not zeros, so that zeros written there show; and others for each seed.
TEST(CheckMemory, GapsHoldNoise) {
  std::set<std::vector<std::byte>> gaps;
  std::set<std::byte> ends;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::FakeBackend looks;
    looks.execute = [&](const Operator&, Version, const Bindings& bindings) {
      const std::span<std::byte> output = bindings.outputs[0];
      gaps.emplace(output.begin() + 6, output.begin() + 8);  // between the rows of padded_copy()
      ends.insert(output.back());                            // behind them
      return std::optional<backends::Failure>();
    };
    check_case(test::padded_copy(), looks, {.seed = seed});
  }
  EXPECT_GT(gaps.size(), 15U);
  EXPECT_GT(ends.size(), 10U);
}

TEST(CheckMemory, OutputsOfWhichNothingIsExpectedHoldNoise) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "any",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [1, 2]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [3]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2]}}}]})");
  std::set<std::byte> first;
  test::FakeBackend looks;
  looks.execute = [&](const Operator&, Version, const Bindings& bindings) {
    first.insert(bindings.outputs[0][0]);
    return std::optional<backends::Failure>();
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) check_case(tested, looks, {.seed = seed});
  EXPECT_GT(first.size(), 10U);
}

TEST(CheckMemory, ACopiedNeighbourhoodIsNoIntactOne) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "copy",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [8], "fill": {"pattern": "iota"}},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [8]}]}}]})");
  test::FakeBackend too_much;
  too_much.execute = [](const Operator&, Version, const Bindings& bindings) {
    std::memcpy(bindings.outputs[0].data() - 8, bindings.inputs[0].data() - 8, 24);
    return std::optional<backends::Failure>();
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(check_case(tested, too_much, {.seed = seed}).verdict, Verdict::kMemoryFault);
}

cases::Case scatter_case() {
  return test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "scatter",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [4], "data": [1, 2, 3, 4]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [9]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [4]}}}]})");
}

TEST(CheckMemory, EveryInputIsWatchedWithWhatIsAroundIt) {
  const std::vector<std::string> names{"InputTensor", "IndicesTensor", "UpdatesTensor"};
  for (std::size_t input = 0; input < names.size(); ++input)
    for (const std::ptrdiff_t at : {0, -1}) {
      test::FakeBackend backend;
      backend.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
        std::optional<backends::Failure> failure = backend.honest(op, version, bindings);
        const_cast<std::byte&>(bindings.inputs[input].data()[at]) ^= std::byte{1};
        return failure;
      };
      const CaseResult result = check_case(scatter_case(), backend, {});
      EXPECT_EQ(result.verdict, Verdict::kMemoryFault);
      EXPECT_EQ(result.rule, at == 0 ? "tensor.input-intact" : "tensor.outside-intact");
      EXPECT_THAT(result.message, HasSubstr(names[input]));
    }
}

TEST(CheckMemory, OfSeveralFaultsTheFirstBufferIsNamed) {
  test::FakeBackend backend;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = backend.honest(op, version, bindings);
    for (const std::span<const std::byte> input : bindings.inputs)
      const_cast<std::byte&>(input.data()[-1]) ^= std::byte{1};
    return failure;
  };
  EXPECT_THAT(check_case(scatter_case(), backend, {}).message,
              HasSubstr("wrote outside InputTensor: byte -1,"));
}

TEST(CheckMemory, TheEvidenceHoldsTheBytesOutsideOfEachBuffer) {
  test::FakeBackend backend;
  backend.execute = test::then(backend, [](const Bindings& bindings) {
    const_cast<std::byte&>(bindings.inputs[1].data()[-1]) ^= std::byte{1};
    bindings.outputs[0].data()[-2] ^= std::byte{1};
    bindings.outputs[0].data()[4] ^= std::byte{1};
  });
  EXPECT_THAT(check_case(scatter_case(), backend, {}).evidence->outside,
              ElementsAre(IsEmpty(), ElementsAre(-1), IsEmpty(), ElementsAre(-2, 4)));
}

TEST(CheckMemory, TheEvidenceSaysWhetherTheExecutionFailed) {
  test::FakeBackend backend;
  backend.execute =
      test::then(backend, [](const Bindings& bindings) { bindings.outputs[0][0] ^= std::byte{1}; });
  EXPECT_FALSE(check_case(scatter_case(), backend, {}).evidence->has_failed);
  EXPECT_NE(check_case(scatter_case(), backend, {}).evidence->strings, nullptr)
      << "what found strings point to";
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"scatter.index-range", ""};
  };
  EXPECT_TRUE(check_case(scatter_case(), backend, {}).evidence->has_failed);
}

/// What a backend sees of the inputs of a case.
std::vector<std::vector<std::byte>> inputs_of(const cases::Case& tested) {
  std::vector<std::vector<std::byte>> seen;
  test::FakeBackend looks;
  looks.execute = [&](const Operator&, Version, const Bindings& bindings) {
    for (const std::span<const std::byte> input : bindings.inputs)
      seen.emplace_back(input.begin(), input.end());
    return std::optional<backends::Failure>();
  };
  check_case(tested, looks, {});
  return seen;
}

TEST(CheckMemory, PatternsOfIndicesStayInRangeAndThoseOfValuesDoNot) {
  const auto seen =
      inputs_of(test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "random",
    "desc": {"data": {"type": "int32", "shape": [4], "fill": {"pattern": "random", "seed": 1}},
             "indices": {"type": "int32", "shape": [64], "fill": {"pattern": "random", "seed": 2}},
             "output": {"type": "int32", "shape": [64]}}}]})"));
  std::int32_t data[4];
  std::memcpy(data, seen.at(0).data(), sizeof data);
  EXPECT_TRUE(std::any_of(std::begin(data), std::end(data),
                          [](std::int32_t value) { return value < -4 || value >= 4; }));
  std::int32_t indices[64];
  std::memcpy(indices, seen.at(1).data(), sizeof indices);
  for (const std::int32_t index : indices) {
    EXPECT_GE(index, -4);
    EXPECT_LT(index, 4);
  }
}

TEST(CheckMemory, AnEmptyTensorNeedsNoContents) {
  cases::Case empty = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "empty",
    "desc": {"data": {"type": "int8", "shape": [0], "data": []},
             "indices": {"type": "int32", "shape": [0], "data": []},
             "output": {"type": "int8", "shape": [0]}}}]})");
  empty.inputs[0].kind = cases::Contents::Kind::kNone;
  test::FakeBackend backend;
  EXPECT_EQ(check_case(empty, backend, {}).verdict, Verdict::kPass);
}

TEST(CheckMemory, TheLimitIsOfAllBuffersTogether) {
  test::FakeBackend backend;
  // Buffers of DirectML are multiples of 4 bytes.
  EXPECT_EQ(check_case(scatter_case(), backend, {.memory_limit_bytes = 16}).verdict,
            Verdict::kPass);
  for (const std::uint64_t limit : {15U, 12U, 8U, 4U, 3U, 0U})
    EXPECT_THROW(check_case(scatter_case(), backend, {.memory_limit_bytes = limit}), base::BadInput)
        << limit;
}

std::string complaint(const cases::Case& tested, const CheckOptions& options) {
  test::FakeBackend backend;
  try {
    check_case(tested, backend, options);
  } catch (const base::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(CheckMemory, NoLimitPassesTwoGibibytes) {
  const cases::Case huge = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "huge",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [4294967292], "fill": {"pattern": "iota"}},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [4294967292]}]}}]})");
  EXPECT_THAT(complaint(huge, {.memory_limit_bytes = std::numeric_limits<std::uint64_t>::max()}),
              HasSubstr("limit of 2147483648 bytes"));
}

TEST(CheckMemory, RepeatedIndicesCountAsOftenAsTheyAreRead) {
  const cases::Case repeated =
      test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "repeated",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [4], "data": [1, 2, 3, 4]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1000], "Strides": [0], "buffer": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1000], "Strides": [0], "buffer": [9]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [4]}}}]})");
  EXPECT_EQ(complaint(repeated, {.memory_limit_bytes = 4012}), "");
  EXPECT_THAT(complaint(repeated, {.memory_limit_bytes = 4003}), HasSubstr("needs 4000 bytes"));
}

}  // namespace
}  // namespace opconform::judging
