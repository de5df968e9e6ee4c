// The constraints on each tensor, shown on tensors of all operators.
#include <gmock/gmock.h>

#include <limits>

#include "tests/spec/matchers.h"
#include "tests/spec/powers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

/// A window of one element on an input of rank 2, which may then be as large as a test wants.
Slice1 slice1_of(const TensorDesc& input) {
  return {.input = input,
          .output = packed_tensor(input.data_type, {1, 1}),
          .window_offsets = {0, 0},
          .window_sizes = {1, 1},
          .window_strides = {1, 1}};
}

/// Gathers one element of a row, which may then be as large as a test wants.
OnnxGather gather_of(const TensorDesc& data) {
  return {.data = data,
          .indices = packed_tensor(DataType::kInt64, {}),
          .output = packed_tensor(data.data_type, {data.sizes[1]}),
          .axis = 0};
}

TEST(TensorRules, BufferSizeIsTheExtentInBytes) {
  Slice1 op = slice1_of(strided_tensor(DataType::kFloat32, {2, 3}, {5, 1}));
  op.input.total_tensor_size_bytes = 32;  // 8 elements
  EXPECT_THAT(validate(op), IsValid());
  op.input.total_tensor_size_bytes = 28;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.buffer-size"));
  EXPECT_THAT(validate(op), Reports("InputTensor.TotalTensorSizeInBytes",
                                    {"InputTensor.TotalTensorSizeInBytes is 28", "32 bytes"}));
}

TEST(TensorRules, BufferSizeMayBeMore) {
  Slice1 op = slice1_of(strided_tensor(DataType::kFloat32, {2, 3}, {5, 1}));
  op.input.total_tensor_size_bytes = 40;  // the picture of the document
  EXPECT_THAT(validate(op), IsValid());
}

TEST(TensorRules, BufferSizeOfABroadcastTensorIsThatOfItsStorage) {
  Slice1 op = slice1_of(strided_tensor(DataType::kFloat32, {2, 3}, {0, 1}));
  op.input.total_tensor_size_bytes = 12;
  EXPECT_THAT(validate(op), IsValid());
  op.input.total_tensor_size_bytes = 8;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.buffer-size"));
}

TEST(TensorRules, BufferSizeIsJudgedInSixtyFourBits) {
  Slice1 op = slice1_of(strided_tensor(DataType::kInt8, {3, 1}, {kTwoTo31, 1}));
  EXPECT_THAT(validate(op), IsValid());
  op.input.total_tensor_size_bytes = 4;  // what 32 bits make of 2^32 + 4
  EXPECT_THAT(validate(op), BreaksOnly("tensor.buffer-size"));
  EXPECT_THAT(validate(op), Reports("InputTensor.TotalTensorSizeInBytes", {"is 4,", "4294967300"}));
}

TEST(TensorRules, BufferGranularityIsFour) {
  for (const std::uint64_t more : {1U, 2U, 3U}) {
    Split op = valid_split();
    op.outputs[1].total_tensor_size_bytes += more;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.buffer-granularity"));
    EXPECT_THAT(validate(op),
                Reports("OutputTensors[1].TotalTensorSizeInBytes",
                        {"OutputTensors[1].TotalTensorSizeInBytes is " + std::to_string(8 + more),
                         "multiple of 4"}));
  }
}

TEST(TensorRules, BufferOfTheBareElementsIsTooSmallAndNoMultipleOfFour) {
  Slice1 op = slice1_of(packed_tensor(DataType::kFloat16, {3, 3}));
  op.input.total_tensor_size_bytes = 18;  // 20 when rounded up
  EXPECT_THAT(validate(op), BreaksExactly({"tensor.buffer-size", "tensor.buffer-granularity"}));
}

TEST(TensorRules, StrideCount) {
  for (const Dims& strides : {Dims{}, Dims{4}, Dims{24, 12, 4, 1, 1}}) {
    Scatter op = valid_scatter();
    op.updates.strides = strides;
    EXPECT_THAT(validate(op), BreaksOnly("tensor.stride-count"));
    EXPECT_THAT(
        validate(op),
        Reports("UpdatesTensor.Strides",
                {"UpdatesTensor.Strides has " + std::to_string(strides.size()), "Sizes has 4"}));
  }
}

TEST(TensorRules, SizesPositive) {
  Slice1 op = valid_slice1();
  op.input.sizes[2] = 0;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  EXPECT_THAT(validate(op),
              Reports("InputTensor.Sizes[2]", {"InputTensor.Sizes[2] is 0", "at least 1"}));
}

TEST(TensorRules, EachSizeOf0IsReported) {
  Slice1 op = valid_slice1();
  op.input.sizes = {0, 1, 0, 4};
  EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  EXPECT_THAT(validate(op).list(), testing::SizeIs(2));
}

TEST(TensorRules, AnOnnxTensorMayBeEmptyOrAScalar) {
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kFloat32, {0, 3}))), IsValid());
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kFloat32, {3, 0}))), IsValid());
  OnnxGather op = gather_of(packed_tensor(DataType::kFloat32, {3, 1}));
  op.data.sizes = {3};
  op.output.sizes = {};
  EXPECT_THAT(validate(op), IsValid());
}

TEST(TensorRules, SizeOverflowOfStrides) {
  // (2^32 - 2) * (2^32 - 1) elements fit in 64 bits, 4 times as many bytes do not.
  const TensorDesc input = strided_tensor(DataType::kFloat32, {kTwoTo32 - 1, 1}, {kTwoTo32 - 1, 1});
  EXPECT_THAT(validate(slice1_of(input)), BreaksOnly("tensor.size-overflow"));
  EXPECT_THAT(validate(slice1_of(input)),
              Reports("InputTensor", {"InputTensor needs more than 18446744073709551615 bytes"}));
  const TensorDesc bytes = strided_tensor(DataType::kInt8, {kTwoTo32 - 1, 1}, {kTwoTo32 - 1, 1});
  EXPECT_THAT(validate(slice1_of(bytes)), IsValid());
}

// It is packed, so that strides of 0 save nothing.
TEST(TensorRules, SizeOverflowOfAnOnnxTensorWithStrides) {
  TensorDesc data = packed_tensor(DataType::kFloat32, {kTwoTo31, kTwoTo31});
  data.strides = Dims{0, 0};
  EXPECT_THAT(validate(gather_of(data)), BreaksOnly("tensor.size-overflow"));
}

TEST(TensorRules, SizeOverflowOfAnOnnxTensor) {
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kFloat32, {kTwoTo31, kTwoTo31}))),
              BreaksOnly("tensor.size-overflow"));
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kBool, {kTwoTo31, kTwoTo31}))), IsValid());
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kComplex128, {kTwoTo31, 1 << 29}))),
              BreaksOnly("tensor.size-overflow"));
  // 2^64 - 1 elements, the most there can be.
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kBool, {kTwoTo32 + 1, kTwoTo32 - 1}))),
              IsValid());
}

TEST(TensorRules, SizeOverflowOfAnOnnxTensorEndsWithASizeOf0) {
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kFloat32, {0, kTwoTo32}))), IsValid());
}

TEST(TensorRules, ElementLimit) {
  const auto broadcast = [](std::uint64_t a, std::uint64_t b) {
    return slice1_of(strided_tensor(DataType::kFloat32, {a, b}, {0, 0}));
  };
  EXPECT_THAT(validate(broadcast(65537, 65535)), IsValid());  // 2^32 - 1
  EXPECT_THAT(validate(broadcast(65536, 65536)), BreaksOnly("tensor.element-limit"));
  EXPECT_THAT(validate(broadcast(65536, 65536)),
              Reports("InputTensor.Sizes", {"hold 4294967296", "at most 4294967295"}));
  EXPECT_THAT(validate(broadcast(kTwoTo32, kTwoTo32)), BreaksOnly("tensor.element-limit"));
}

TEST(TensorRules, ElementLimitIsNoneOfOnnx) {
  EXPECT_THAT(validate(gather_of(packed_tensor(DataType::kBool, {65536, 65537}))), IsValid());
}

TEST(TensorRules, BufferSizesAreNoneOfOnnx) {
  OnnxGather op = valid_gather();
  op.data.total_tensor_size_bytes = 1;
  op.output.total_tensor_size_bytes = 0;
  EXPECT_THAT(validate(op), IsValid());
}

TEST(TensorRules, OutputNoOverlap) {
  for (const Dims& strides : {Dims{4, 4, 0, 1}, Dims{4, 4, 1, 1}, Dims{4, 4, 5, 0}}) {
    Slice1 op = valid_slice1();
    op.output = strided_tensor(DataType::kFloat32, {1, 1, 2, 2}, strides);
    EXPECT_THAT(validate(op), BreaksOnly("tensor.output-no-overlap"));
    EXPECT_THAT(validate(op), Reports("OutputTensor.Strides", {"OutputTensor.Strides"}));
  }
}

TEST(TensorRules, OutputMayHaveGapsAndAnyOrderOfStrides) {
  for (const Dims& strides : {Dims{4, 4, 1, 2}, Dims{0, 9, 5, 1}, Dims{4, 4, 3, 7}}) {
    Slice1 op = valid_slice1();
    op.output = strided_tensor(DataType::kFloat32, {1, 1, 2, 2}, strides);
    EXPECT_THAT(validate(op), IsValid());
  }
}

TEST(TensorRules, EachOutputOfAnArrayIsJudged) {
  Split op = valid_split();
  op.outputs[2] = strided_tensor(DataType::kFloat32, {1, 1, 3, 2}, {6, 6, 1, 1});
  EXPECT_THAT(validate(op), BreaksOnly("tensor.output-no-overlap"));
  EXPECT_THAT(validate(op), Reports("OutputTensors[2].Strides", {"OutputTensors[2].Strides"}));
}

TEST(TensorRules, InputsMayOverlap) {
  Scatter op = valid_scatter();
  op.input = strided_tensor(DataType::kFloat32, {1, 2, 3, 4}, {0, 0, 1, 1});
  op.indices = strided_tensor(DataType::kUint32, {1, 2, 5, 4}, {0, 0, 0, 0});
  op.updates = strided_tensor(DataType::kFloat32, {1, 2, 5, 4}, {0, 0, 0, 0});
  EXPECT_THAT(validate(op), IsValid());
}

// "Where a size is 0, tensor.sizes-positive speaks and other rules about that size are silent."
TEST(TensorLeaning, ASizeOf0SilencesLayoutLimitAndOverlap) {
  Slice1 op = valid_slice1();
  op.output.sizes = {1, 1, 0, 2};
  op.output.strides = Dims{std::numeric_limits<std::uint64_t>::max(), 0, 0, 0};
  op.output.total_tensor_size_bytes = 0;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
  op.input.sizes = {kTwoTo32, kTwoTo32, 0, kTwoTo32};
  op.input.total_tensor_size_bytes = 0;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.sizes-positive"));
}

// "Where the strides are of a wrong count [...], nothing that needs the layout is judged."
TEST(TensorLeaning, AWrongStrideCountSilencesSizeOverlapAndOverflow) {
  Slice1 op = valid_slice1();
  op.output.strides = Dims{0, 0, 0};
  op.output.total_tensor_size_bytes = 0;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.stride-count"));
  op.output.strides = Dims(7, std::numeric_limits<std::uint64_t>::max());
  EXPECT_THAT(validate(op), BreaksOnly("tensor.stride-count"));
}

// "Where [...] a size in bytes overflows, nothing that needs the layout is judged."
TEST(TensorLeaning, AnOverflowSilencesSizeAndOverlap) {
  Slice1 op = valid_slice1();
  op.output.strides = Dims{1, 1, std::numeric_limits<std::uint64_t>::max(), 0};
  op.output.total_tensor_size_bytes = 0;
  EXPECT_THAT(validate(op), BreaksOnly("tensor.size-overflow"));
}

TEST(TensorLeaning, ElementLimitNeedsNoLayout) {
  const Dims sizes{kTwoTo32 - 1, kTwoTo32 - 1};
  EXPECT_THAT(validate(slice1_of(packed_tensor(DataType::kFloat32, sizes))),
              BreaksExactly({"tensor.element-limit", "tensor.size-overflow"}));
  TensorDesc input = packed_tensor(DataType::kFloat32, {65536, 65536});
  input.strides = Dims{1};
  EXPECT_THAT(validate(slice1_of(input)),
              BreaksExactly({"tensor.element-limit", "tensor.stride-count"}));
}

TEST(TensorLeaning, ElementLimitOfACountBeyond64BitsNamesNoWrappedNumber) {
  const TensorDesc input = strided_tensor(DataType::kInt8, {kTwoTo32, kTwoTo32}, {0, 0});
  EXPECT_THAT(validate(slice1_of(input)),
              Reports("InputTensor.Sizes", {"more than 18446744073709551615"}));
}

TEST(TensorLeaning, GranularityNeedsNoLayout) {
  Slice1 op = valid_slice1();
  op.input.strides = Dims{1};
  op.input.total_tensor_size_bytes = 65;
  EXPECT_THAT(validate(op), BreaksExactly({"tensor.stride-count", "tensor.buffer-granularity"}));
}

}  // namespace
}  // namespace opconform
