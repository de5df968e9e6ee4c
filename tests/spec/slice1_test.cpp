#include "spec/operators/slice1.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/spec/matchers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::SizeIs;

constexpr std::int32_t kIntMin = std::numeric_limits<std::int32_t>::min();
constexpr std::uint32_t kUintMax = std::numeric_limits<std::uint32_t>::max();

/// One dimension, from level 3_0 on.
Slice1 slice1_of_row(std::uint64_t input_size, std::uint32_t offset, std::uint32_t size,
                     std::int32_t stride, std::uint64_t output_size) {
  return {.input = strided_tensor(DataType::kFloat32, {input_size}, {0}),
          .output = packed_tensor(DataType::kFloat32, {output_size}),
          .window_offsets = {offset},
          .window_sizes = {size},
          .window_strides = {stride}};
}

TEST(Slice1Rules, TheSampleIsValidFrom2_1) {
  for (const FeatureLevel level : kFeatureLevels) {
    if (level < FeatureLevel::k2_1) continue;
    EXPECT_THAT(validate(valid_slice1(), level), IsValid());
  }
}

TEST(Slice1Rules, SupportBelow2_1NamesTheOperator) {
  for (const FeatureLevel level : {FeatureLevel::k1_0, FeatureLevel::k2_0}) {
    EXPECT_THAT(validate(valid_slice1(), level), BreaksOnly("slice1.support"));
    EXPECT_THAT(validate(valid_slice1(), level),
                Reports("operator", {"DML_SLICE1", "2_1", Version(level).text()}));
  }
}

TEST(Slice1Rules, WindowNotEmpty) {
  Slice1 op = valid_slice1();
  op.window_sizes[3] = 0;
  EXPECT_THAT(validate(op), BreaksOnly("slice1.window-not-empty"));
  EXPECT_THAT(validate(op),
              Reports("InputWindowSizes[3]", {"InputWindowSizes[3] is 0", "at least 1"}));
}

TEST(Slice1Rules, WindowInBounds) {
  Slice1 op = valid_slice1();
  op.window_sizes[3] = 4;  // 1 + 4 > 4
  EXPECT_THAT(validate(op), BreaksOnly("slice1.window-in-bounds"));
  EXPECT_THAT(validate(op),
              Reports("InputWindowOffsets[3]", {"InputWindowOffsets[3] + InputWindowSizes[3] is 5",
                                                "InputTensor.Sizes[3] is 4"}));
}

// Erratum slice1.window-end: the end is inclusive.
TEST(Slice1Rules, WindowInBoundsMayEndWithTheInput) {
  EXPECT_THAT(validate(slice1_of_row(9, 4, 5, 1, 5)), IsValid());
  EXPECT_THAT(validate(slice1_of_row(9, 8, 1, 1, 1)), IsValid());
  EXPECT_THAT(validate(slice1_of_row(9, 9, 1, 1, 1)), BreaksOnly("slice1.window-in-bounds"));
}

TEST(Slice1Rules, WindowInBoundsDoesNotWrapAtThirtyTwoBits) {
  const Slice1 op = slice1_of_row(9, kUintMax, 2, 1, 1);
  EXPECT_THAT(validate(op), BreaksOnly("slice1.window-in-bounds"));
  EXPECT_THAT(validate(op), Reports("InputWindowOffsets[0]", {"is 4294967297", "is 9"}));
  EXPECT_THAT(validate(slice1_of_row(9, kUintMax, kUintMax, 1, 1)),
              BreaksOnly("slice1.window-in-bounds"));
}

TEST(Slice1Rules, WindowInBoundsReachesTheLargestInput) {
  EXPECT_THAT(validate(slice1_of_row(kUintMax, 0, kUintMax, kIntMin, 2)), IsValid());
  EXPECT_THAT(validate(slice1_of_row(kUintMax, kUintMax - 1, 1, 1, 1)), IsValid());
}

TEST(Slice1Rules, StrideNotZero) {
  Slice1 op = valid_slice1();
  op.window_strides[2] = 0;
  EXPECT_THAT(validate(op), BreaksOnly("slice1.stride-not-zero"));
  EXPECT_THAT(validate(op), Reports("InputWindowStrides[2]", {"InputWindowStrides[2] is 0"}));
}

TEST(Slice1Rules, OutputSizes) {
  Slice1 op = valid_slice1();
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 3, 2});
  EXPECT_THAT(validate(op), BreaksOnly("slice1.output-sizes"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.Sizes[2]",
                                    {"OutputTensor.Sizes[2] is 3", "InputWindowSizes[2] = 4",
                                     "InputWindowStrides[2] = -2", "at most 2"}));
}

TEST(Slice1Rules, OutputSizesMayBeFewer) {
  Slice1 op = valid_slice1();
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 1, 1});
  EXPECT_THAT(validate(op), IsValid());
}

/// Steps of a stride that stay in a window, plus the first element: counted, not divided.
std::uint64_t count_reachable(std::uint64_t window, std::uint64_t magnitude) {
  std::uint64_t count = 0;
  for (std::uint64_t at = 0; at < window; at += magnitude) ++count;
  return count;
}

// Erratum slice1.max-copied-sign: the magnitude of the stride counts.
TEST(Slice1Rules, OutputSizesAreAtMostWhatTheWindowGives) {
  for (std::uint32_t window = 1; window <= 9; ++window) {
    for (std::int32_t magnitude = 1; magnitude <= 10; ++magnitude) {
      const std::uint64_t most = count_reachable(window, static_cast<std::uint64_t>(magnitude));
      for (const std::int32_t stride : {magnitude, -magnitude}) {
        EXPECT_THAT(validate(slice1_of_row(12, 3, window, stride, most)), IsValid());
        EXPECT_THAT(validate(slice1_of_row(12, 3, window, stride, most + 1)),
                    BreaksOnly("slice1.output-sizes"));
      }
    }
  }
}

TEST(Slice1Rules, OutputSizesWithTheSmallestInt) {
  EXPECT_THAT(validate(slice1_of_row(9, 0, 9, kIntMin, 1)), IsValid());
  const Slice1 op = slice1_of_row(9, 0, 9, kIntMin, 2);
  EXPECT_THAT(validate(op), BreaksOnly("slice1.output-sizes"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.Sizes[0]", {"-2147483648", "at most 1"}));
  EXPECT_THAT(validate(slice1_of_row(kUintMax, 0, 2147483649U, kIntMin, 2)), IsValid());
  EXPECT_THAT(validate(slice1_of_row(kUintMax, 0, 2147483648U, kIntMin, 2)),
              BreaksOnly("slice1.output-sizes"));
}

TEST(Slice1Rules, DimensionCountOfTheTensors) {
  Slice1 op = valid_slice1();
  op.input = packed_tensor(DataType::kFloat32, {1, 1, 1, 4, 4});
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
  EXPECT_THAT(validate(op), Reports("InputTensor.Sizes",
                                    {"InputTensor.Sizes has length 5", "DimensionCount", "is 4"}));
  op = valid_slice1();
  op.output = packed_tensor(DataType::kFloat32, {1, 2, 2});
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.Sizes", {"length 3", "is 4"}));
}

TEST(Slice1Rules, DimensionCountOfTheArrays) {
  Slice1 op = valid_slice1();
  op.window_sizes.push_back(1);
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
  EXPECT_THAT(validate(op), Reports("InputWindowSizes", {"InputWindowSizes has length 5", "is 4"}));
  op = valid_slice1();
  op.window_sizes.pop_back();
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
  op = valid_slice1();
  op.window_strides.clear();
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
  EXPECT_THAT(validate(op), Reports("InputWindowStrides", {"length 0", "is 4"}));
  op = valid_slice1();
  op.window_offsets.pop_back();
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
}

TEST(Slice1Rules, SameDataType) {
  Slice1 op = valid_slice1();
  op.output.data_type = DataType::kInt32;
  EXPECT_THAT(validate(op), BreaksOnly("slice1.same-data-type"));
  EXPECT_THAT(validate(op), Reports("OutputTensor.DataType", {"OutputTensor.DataType is INT32",
                                                              "InputTensor.DataType is FLOAT32"}));
}

// "Where ranks differ, only the rank rule speaks and no sizes are compared."
TEST(Slice1Leaning, WhereRanksDifferOnlyTheRankRuleSpeaks) {
  Slice1 op = valid_slice1();
  op.input = packed_tensor(DataType::kFloat32, {1, 1, 1});
  op.output = packed_tensor(DataType::kFloat32, {9, 9, 9, 9});
  EXPECT_THAT(validate(op), BreaksOnly("slice1.dimension-count"));
}

TEST(Slice1Leaning, WhereRanksDifferRulesOfOneArrayStillSpeak) {
  Slice1 op = valid_slice1();
  op.input = packed_tensor(DataType::kFloat32, {1, 4, 4});
  op.window_strides[0] = 0;
  op.window_sizes[1] = 0;
  EXPECT_THAT(validate(op), BreaksExactly({"slice1.dimension-count", "slice1.stride-not-zero",
                                           "slice1.window-not-empty"}));
}

// "Where a stride is 0 [...], the output size of that dimension is not judged."
TEST(Slice1Leaning, AStrideOf0SilencesTheOutputSizeOfItsDimensionOnly) {
  Slice1 op = valid_slice1();
  op.window_strides[2] = 0;
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 100, 2});
  EXPECT_THAT(validate(op), BreaksOnly("slice1.stride-not-zero"));
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 2, 100});
  EXPECT_THAT(validate(op), BreaksExactly({"slice1.stride-not-zero", "slice1.output-sizes"}));
}

// "Where [...] a window [is] empty, the output size of that dimension is not judged."
TEST(Slice1Leaning, AnEmptyWindowSilencesTheOutputSizeOfItsDimensionOnly) {
  Slice1 op = valid_slice1();
  op.window_sizes[2] = 0;
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 100, 2});
  for (const std::int32_t stride : {-2, 1, kIntMin}) {
    op.window_strides[2] = stride;
    EXPECT_THAT(validate(op), BreaksOnly("slice1.window-not-empty"));
  }
  op.output = packed_tensor(DataType::kFloat32, {1, 1, 2, 100});
  EXPECT_THAT(validate(op), BreaksExactly({"slice1.window-not-empty", "slice1.output-sizes"}));
}

TEST(Slice1Leaning, AnEmptyWindowMayStillLieOutside) {
  EXPECT_THAT(validate(slice1_of_row(9, 9, 0, 1, 1)), BreaksOnly("slice1.window-not-empty"));
  EXPECT_THAT(validate(slice1_of_row(9, 10, 0, 1, 1)),
              BreaksExactly({"slice1.window-not-empty", "slice1.window-in-bounds"}));
}

// "Where a size is 0, tensor.sizes-positive speaks and other rules about that size are silent."
TEST(Slice1Leaning, ASizeOf0IsComparedWithNoWindow) {
  for (std::size_t i = 0; i < 4; ++i) {
    Slice1 op = valid_slice1();
    op.input.sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
    op = valid_slice1();
    op.output.sizes[i] = 0;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  }
}

// "Support is judged tensor by tensor, also where ranks differ."
TEST(Slice1Leaning, SupportIsJudgedWhereRanksDiffer) {
  Slice1 op = valid_slice1();
  op.output = packed_tensor(DataType::kFloat32, {1, 2, 2});
  const Violations found = validate(op, FeatureLevel::k2_1);
  EXPECT_THAT(found, BreaksExactly({"slice1.dimension-count", "slice1.support"}));
  EXPECT_THAT(found.list(), SizeIs(2));
}

// Data of rank 0 has no dimension to judge.
TEST(Slice1Leaning, Rank0BreaksSupportOnly) {
  const Slice1 op{.input = packed_tensor(DataType::kFloat32, {}),
                  .output = packed_tensor(DataType::kFloat32, {}),
                  .window_offsets = {},
                  .window_sizes = {},
                  .window_strides = {}};
  EXPECT_THAT(validate(op), BreaksOnly("slice1.support"));
}

// "A descriptor that breaks two independent rules breaks both, and both are named."
TEST(Slice1Leaning, IndependentRulesAreBothNamed) {
  Slice1 op = valid_slice1();
  op.window_sizes[3] = 4;                                     // 1 + 4 > 4
  op.output = packed_tensor(DataType::kInt32, {1, 1, 3, 2});  // another type, 3 > 2
  EXPECT_THAT(validate(op), BreaksExactly({"slice1.window-in-bounds", "slice1.output-sizes",
                                           "slice1.same-data-type"}));
  EXPECT_THAT(validate(op, FeatureLevel::k1_0),
              BreaksExactly({"slice1.window-in-bounds", "slice1.output-sizes",
                             "slice1.same-data-type", "slice1.support"}));
}

}  // namespace
}  // namespace opconform
