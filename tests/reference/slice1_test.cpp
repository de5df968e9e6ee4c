#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tests/reference/buffers.h"

namespace opconform::reference {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

/// The input of the document's examples.
const Bytes kSixteen = bytes_of(numbered<float>(16, 1));

Slice1 slice1_of_document(std::int32_t stride_2) {
  return {.input = packed_tensor(kFloat, {1, 1, 4, 4}),
          .output = packed_tensor(kFloat, {1, 1, 2, 2}),
          .window_offsets = {0, 0, 0, 1},
          .window_sizes = {1, 1, 4, 3},
          .window_strides = {1, 1, stride_2, 2}};
}

Slice1 slice1_of_row(std::uint64_t input_size, std::uint32_t offset, std::uint32_t size,
                     std::int32_t stride, std::uint64_t output_size) {
  return {.input = packed_tensor(DataType::kInt32, {input_size}),
          .output = packed_tensor(DataType::kInt32, {output_size}),
          .window_offsets = {offset},
          .window_sizes = {size},
          .window_strides = {stride}};
}

TEST(Slice1Reference, Example1) {
  EXPECT_THAT(run_well(slice1_of_document(2), {kSixteen}).values<float>(),
              ElementsAre(2, 4, 10, 12));
}

TEST(Slice1Reference, Example2) {
  EXPECT_THAT(run_well(slice1_of_document(-2), {kSixteen}).values<float>(),
              ElementsAre(14, 16, 6, 8));
}

TEST(Slice1Reference, AFullWindowIsACopy) {
  const Slice1 op{.input = packed_tensor(kFloat, {4, 4}),
                  .output = packed_tensor(kFloat, {4, 4}),
                  .window_offsets = {0, 0},
                  .window_sizes = {4, 4},
                  .window_strides = {1, 1}};
  EXPECT_THAT(run_well(op, {kSixteen}).values<float>(), ElementsAreArray(numbered<float>(16, 1)));
}

TEST(Slice1Reference, ReversedTwiceIsTheInput) {
  const Slice1 op{.input = packed_tensor(kFloat, {2, 8}),
                  .output = packed_tensor(kFloat, {2, 8}),
                  .window_offsets = {0, 0},
                  .window_sizes = {2, 8},
                  .window_strides = {-1, -1}};
  const std::vector<float> once = run_well(op, {kSixteen}).values<float>();
  EXPECT_EQ(once.front(), 16);
  EXPECT_THAT(run_well(op, {bytes_of(once)}).values<float>(),
              ElementsAreArray(numbered<float>(16, 1)));
}

/// A walk through the window, from its start or its end, until it is left.
std::vector<std::int32_t> walk(std::int64_t offset, std::int64_t size, std::int64_t stride) {
  std::vector<std::int32_t> visited;
  std::int64_t at = stride > 0 ? offset : offset + size - 1;
  for (; offset <= at && at < offset + size; at += stride)
    visited.push_back(static_cast<std::int32_t>(at));
  return visited;
}

TEST(Slice1Reference, EveryWindowOfARowIsAWalk) {
  constexpr std::uint32_t kSize = 6;
  const Bytes row = bytes_of(numbered<std::int32_t>(kSize));
  for (std::uint32_t offset = 0; offset < kSize; ++offset) {
    for (std::uint32_t size = 1; offset + size <= kSize; ++size) {
      for (const std::int32_t stride : {-7, -4, -3, -2, -1, 1, 2, 3, 4, 7}) {
        const std::vector<std::int32_t> visited = walk(offset, size, stride);
        const Slice1 op = slice1_of_row(kSize, offset, size, stride, visited.size());
        EXPECT_THAT(run_well(op, {row}).values<std::int32_t>(), ElementsAreArray(visited));
      }
    }
  }
}

TEST(Slice1Reference, APartialOutputHoldsTheFirstOfTheWalk) {
  const Bytes row = bytes_of(numbered<std::int32_t>(9));
  EXPECT_THAT(run_well(slice1_of_row(9, 1, 7, 2, 2), {row}).values<std::int32_t>(),
              ElementsAre(1, 3));
  EXPECT_THAT(run_well(slice1_of_row(9, 1, 7, -2, 2), {row}).values<std::int32_t>(),
              ElementsAre(7, 5));
}

TEST(Slice1Reference, TheLargestAndSmallestStridesTakeOneElement) {
  const Bytes row = bytes_of(numbered<std::int32_t>(9));
  constexpr std::int32_t kIntMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kIntMax = std::numeric_limits<std::int32_t>::max();
  EXPECT_THAT(run_well(slice1_of_row(9, 1, 7, kIntMax, 1), {row}).values<std::int32_t>(),
              ElementsAre(1));
  EXPECT_THAT(run_well(slice1_of_row(9, 1, 7, kIntMin, 1), {row}).values<std::int32_t>(),
              ElementsAre(7));
}

TEST(Slice1Reference, TheSmallestStrideSteps) {
  // 2^31 + 1 logical elements in one physical row: all rows are the same one.
  const Slice1 op{.input = strided_tensor(kFloat, {2147483649, 1}, {0, 1}),
                  .output = packed_tensor(kFloat, {2, 1}),
                  .window_offsets = {0, 0},
                  .window_sizes = {2147483649, 1},
                  .window_strides = {std::numeric_limits<std::int32_t>::min(), 1}};
  EXPECT_THAT(run_well(op, {bytes_of({5.0F})}).values<float>(), ElementsAre(5, 5));
}

// The steps pass 32 bits: what a sanitizer sees where the values cannot show it.
TEST(Slice1Reference, ALargeStrideSteps) {
  for (const std::int32_t stride : {1 << 30, -(1 << 30)}) {
    const Slice1 op{.input = strided_tensor(kFloat, {3221225473, 1}, {0, 1}),
                    .output = packed_tensor(kFloat, {4, 1}),
                    .window_offsets = {0, 0},
                    .window_sizes = {3221225473, 1},
                    .window_strides = {stride, 1}};
    EXPECT_THAT(run_well(op, {bytes_of({5.0F})}).values<float>(), ElementsAre(5, 5, 5, 5));
  }
}

TEST(Slice1Reference, ABroadcastInputRepeats) {
  Slice1 op = slice1_of_document(-2);
  op.input = strided_tensor(kFloat, {1, 1, 4, 4}, {0, 0, 0, 1});
  EXPECT_THAT(run_well(op, {bytes_of({1.0F, 2.0F, 3.0F, 4.0F})}).values<float>(),
              ElementsAre(2, 4, 2, 4));
}

TEST(Slice1Reference, AColumnMajorInputIsReadByItsStrides) {
  const Slice1 op{.input = strided_tensor(DataType::kInt8, {2, 3}, {1, 2}),
                  .output = packed_tensor(DataType::kInt8, {2, 3}),
                  .window_offsets = {0, 0},
                  .window_sizes = {2, 3},
                  .window_strides = {1, 1}};
  const std::vector<char> found =
      run_well(op, {bytes_of({'A', 'D', 'B', 'E', 'C', 'F', '.', '.'})}).values<char>();
  EXPECT_EQ(std::string(found.data(), 6), "ABCDEF");
}

TEST(Slice1Reference, GapsOfAnInputAreNotRead) {
  const Slice1 op{.input = strided_tensor(DataType::kInt8, {2, 3}, {5, 1}),
                  .output = packed_tensor(DataType::kInt8, {2, 3}),
                  .window_offsets = {0, 0},
                  .window_sizes = {2, 3},
                  .window_strides = {1, -1}};
  const std::vector<char> found =
      run_well(op, {bytes_of({'A', 'B', 'C', 'x', 'x', 'D', 'E', 'F'})}).values<char>();
  EXPECT_EQ(std::string(found.data(), 6), "CBAFED");
}

TEST(Slice1Reference, GapsOfAnOutputStayAsTheyWere) {
  Slice1 op = slice1_of_document(2);
  op.output = strided_tensor(kFloat, {1, 1, 2, 2}, {9, 9, 5, 2});
  op.output.total_tensor_size_bytes += 8;
  const float gap = untouched<float>();
  EXPECT_THAT(run_well(op, {kSixteen}).values<float>(),
              ElementsAre(2, gap, 4, gap, gap, 10, gap, 12, gap, gap));
}

TEST(Slice1Reference, TheRoundingOfAnOutputStaysAsItWas) {
  const Slice1 op{.input = packed_tensor(DataType::kUint8, {5}),
                  .output = packed_tensor(DataType::kUint8, {3}),
                  .window_offsets = {1},
                  .window_sizes = {3},
                  .window_strides = {1}};
  EXPECT_THAT(run_well(op, {bytes_of(numbered<std::uint8_t>(5))}).values<std::uint8_t>(),
              ElementsAre(1, 2, 3, untouched<std::uint8_t>()));
}

TEST(Slice1Reference, LeadingOnesChangeNothing) {
  const Bytes row = bytes_of(numbered<std::int32_t>(6));
  const std::vector<std::int32_t> low =
      run_well(slice1_of_row(6, 1, 5, -2, 3), {row}).values<std::int32_t>();
  const Slice1 op{.input = packed_tensor(DataType::kInt32, {1, 1, 1, 6}),
                  .output = packed_tensor(DataType::kInt32, {1, 1, 1, 3}),
                  .window_offsets = {0, 0, 0, 1},
                  .window_sizes = {1, 1, 1, 5},
                  .window_strides = {1, 1, 1, -2}};
  EXPECT_EQ(run_well(op, {row}, FeatureLevel::k2_1).values<std::int32_t>(), low);
}

TEST(Slice1Reference, BitPatternsArriveAsTheyLeft) {
  const std::vector<std::uint64_t> bits{0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x8000000000000000,
                                        0x0000000000000001};
  const Slice1 op{.input = packed_tensor(DataType::kFloat64, {4}),
                  .output = packed_tensor(DataType::kFloat64, {4}),
                  .window_offsets = {0},
                  .window_sizes = {4},
                  .window_strides = {-1}};
  EXPECT_THAT(run_well(op, {bytes_of(bits)}).values<std::uint64_t>(),
              ElementsAre(bits[3], bits[2], bits[1], bits[0]));
}

TEST(Slice1Reference, EightDimensions) {
  Slice1 op{.input = packed_tensor(DataType::kInt32, Dims(8, 2)),
            .output = packed_tensor(DataType::kInt32, Dims(8, 2)),
            .window_offsets = UintArray(8),
            .window_sizes = UintArray(8, 2),
            .window_strides = IntArray(8, -1)};
  std::vector<std::int32_t> reversed = numbered<std::int32_t>(256);
  const Bytes input = bytes_of(reversed);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_THAT(run_well(op, {input}).values<std::int32_t>(), ElementsAreArray(reversed));
}

TEST(Slice1Reference, LeavesNoFreedom) {
  const AlsoPermitted also = also_permitted_of(slice1_of_document(-2), {kSixteen});
  EXPECT_FALSE(also.outputs_unspecified);
  EXPECT_THAT(also.alternatives, IsEmpty());
  EXPECT_FALSE(also.also_as.has_value());
}

TEST(Slice1Reference, IsReachedThroughTheListOfAllOperators) {
  const Operator op = slice1_of_document(2);
  std::array<float, 4> output{};
  const std::array inputs{std::span<const std::byte>(kSixteen)};
  const std::array outputs{std::span<std::byte>(std::as_writable_bytes(std::span(output)))};
  EXPECT_FALSE(execute(op, FeatureLevel::k6_4, Bindings{inputs, outputs}).has_value());
  EXPECT_THAT(output, ElementsAre(2, 4, 10, 12));
  EXPECT_THAT(also_permitted(op, FeatureLevel::k6_4, inputs).alternatives, IsEmpty());
}

}  // namespace
}  // namespace opconform::reference
