// Columns of one input that go to an output each, transposed together, against a naive split: an
// inaccessible page beside every buffer, both instruction sets, several threads.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/machine.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;

/// Of rows that begin `pitch` elements apart.
Split split_of(DataType type, std::uint64_t rows, std::uint64_t columns, std::uint64_t pitch,
               std::uint64_t each = 1) {
  Split op{
      .input = strided_tensor(type, {rows, columns * each}, {pitch, 1}), .outputs = {}, .axis = 1};
  op.outputs.assign(columns, packed_tensor(type, {rows, each}));
  return op;
}

void expect_split(const Split& op, Isa isa, unsigned threads = 1) {
  const std::size_t width = op.input.element_size_bytes();
  const std::uint64_t rows = op.input.sizes[0];
  const std::uint64_t pitch = (*op.input.strides)[0];
  const std::uint64_t each = op.outputs.front().sizes[1];
  const Plan plan = prepare(op, FeatureLevel::k6_4, isa);
  std::minstd_rand random(1);
  for (const GuardSide side : {GuardSide::kBefore, GuardSide::kBehind}) {
    const GuardedMemory input(extent_elements(op.input).value() * width, side);
    fill_randomly(input.bytes(), random);
    std::vector<GuardedMemory> outputs;
    std::vector<std::span<std::byte>> to;
    for (std::size_t k = 0; k < op.outputs.size(); ++k) {
      to.push_back(outputs.emplace_back(rows * each * width, side).bytes());
      fill_randomly(to.back(), random);
    }
    const std::span<const std::byte> from[] = {input.bytes()};
    ASSERT_FALSE(plan.execute({from, to}, threads));
    for (std::size_t k = 0; k < to.size(); ++k)
      for (std::uint64_t row = 0; row < rows; ++row)
        if (std::memcmp(to[k].data() + row * each * width,
                        input.begin() + (row * pitch + k * each) * width, each * width) != 0)
          FAIL() << "column " << k << ", row " << row << ", " << name(isa);
  }
}

TEST(Columns, EveryWidthAndNumber) {
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2})
    for (const DataType type :
         {DataType::kUint8, DataType::kInt16, DataType::kFloat32, DataType::kFloat64})
      for (const std::uint64_t columns : {2U, 4U, 7U, 8U, 9U, 16U, 17U, 33U, 64U, 65U, 513U})
        for (const std::uint64_t rows : {1U, 2U, 15U, 16U, 31U, 32U, 33U, 100U, 1025U}) {
          if (!machine_has(isa)) continue;
          SCOPED_TRACE(testing::Message() << columns << " columns, " << rows << " rows");
          ASSERT_NO_FATAL_FAILURE(expect_split(split_of(type, rows, columns, columns), isa));
        }
}

TEST(Columns, OfSeveralElementsAndWithGapsBetweenRows) {
  for (const std::uint64_t each : {1U, 2U, 3U, 4U, 8U, 16U})
    for (const std::uint64_t gap : {0U, 1U, 63U}) {
      SCOPED_TRACE(testing::Message() << each << " elements, gaps of " << gap);
      const Split op = split_of(DataType::kUint8, 555, 20, 20 * each + gap, each);
      ASSERT_NO_FATAL_FAILURE(expect_split(op, isa_in_use()));
    }
}

// Between elements of a row, and rows that are one.
TEST(Columns, OfOtherLayouts) {
  Split spread = split_of(DataType::kUint8, 200, 20, 20);
  spread.input = strided_tensor(DataType::kUint8, {200, 20}, {40, 2});
  Split repeated = spread;
  repeated.input = strided_tensor(DataType::kUint8, {200, 20}, {0, 1});
  Split shifted = spread;
  shifted.input = strided_tensor(DataType::kUint8, {200, 20}, {1, 1});
  for (const Split& op : {spread, repeated, shifted}) {
    std::vector<std::byte> input(op.input.total_tensor_size_bytes);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i * 7 % 251);
    std::vector<std::vector<std::byte>> outputs(20, std::vector<std::byte>(200));
    const std::span<const std::byte> from[] = {input};
    const std::vector<std::span<std::byte>> to(outputs.begin(), outputs.end());
    ASSERT_FALSE(prepare(op, FeatureLevel::k6_4).execute({from, to}));
    const Dims& strides = *op.input.strides;
    for (std::size_t k = 0; k < outputs.size(); ++k)
      for (std::size_t row = 0; row < 200; ++row)
        ASSERT_EQ(outputs[k][row], input[row * strides[0] + k * strides[1]]);
  }
}

TEST(Columns, SeveralThreadsAndOutputsBeyondTheCache) {
  for (const unsigned threads : {1U, 3U}) {
    const auto expect = [&](const Split& op) { expect_split(op, isa_in_use(), threads); };
    ASSERT_NO_FATAL_FAILURE(expect(split_of(DataType::kUint8, 300'001, 16, 16)));
    ASSERT_NO_FATAL_FAILURE(expect(split_of(DataType::kFloat32, 20'011, 64, 64)));
    ASSERT_NO_FATAL_FAILURE(expect(split_of(DataType::kUint8, 80'021, 65, 65)));
  }
}

}  // namespace
}  // namespace opconform::optimized
