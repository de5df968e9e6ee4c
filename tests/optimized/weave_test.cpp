// Rows that are woven from several inputs, against a naive join, element by element: an
// inaccessible page beside every buffer, both instruction sets, several threads.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/program.h"
#include "optimized/weave.h"
#include "tests/effort.h"
#include "tests/optimized/each_isa.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::choose;
using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;
using test::Random;

constexpr Version kNewest = FeatureLevel::k6_4;

std::uint64_t draw(Random& random, std::ptrdiff_t least, std::ptrdiff_t most) {
  return static_cast<std::uint64_t>(choose(random, least, most));
}

DmlJoin join_of(DataType type, std::uint64_t rows, const std::vector<std::uint64_t>& columns) {
  DmlJoin op{.inputs = {}, .output = {}, .axis = 1};
  std::uint64_t row = 0;
  for (const std::uint64_t count : columns) {
    op.inputs.push_back(packed_tensor(type, {rows, count}));
    row += count;
  }
  op.output = packed_tensor(type, {rows, row});
  return op;
}

Program lowered(const DmlJoin& op) {
  Program program;
  lower(op, kNewest, program);
  return program;
}
std::optional<WeavePlan> weave_of(const DmlJoin& op) {
  return WeavePlan::of(lowered(op), Isa::kAvx2);
}

/// The buffers of a join, filled at random, just as long as its tensors reach.
class JoinedMemory {
 public:
  JoinedMemory(const DmlJoin& op, GuardSide side, Random& random)
      : op_(op), output_(size_of(op.output), side) {
    for (const TensorDesc& input : op.inputs) inputs_.emplace_back(size_of(input), side);
    for (const GuardedMemory& input : inputs_) fill_randomly(input.bytes(), random);
    fill_randomly(output_.bytes(), random);
    before_.assign(output_.bytes().begin(), output_.bytes().end());
  }
  void execute(const Plan& plan, unsigned threads) const {
    std::vector<std::span<const std::byte>> inputs;
    for (const GuardedMemory& input : inputs_) inputs.emplace_back(input.bytes());
    const std::span<std::byte> outputs[] = {output_.bytes()};
    std::copy(before_.begin(), before_.end(), output_.begin());
    ASSERT_FALSE(plan.execute({inputs, outputs}, threads));
  }
  /// Of matrices that are joined by columns.
  [[nodiscard]] bool holds_the_join() const {
    std::vector<std::byte> expected = before_;
    const std::size_t width = op_.output.element_size_bytes();
    const Dims to = effective_strides(op_.output);
    std::uint64_t before = 0;
    for (std::size_t k = 0; k < op_.inputs.size(); ++k) {
      const Dims from = effective_strides(op_.inputs[k]);
      for (std::uint64_t row = 0; row < op_.inputs[k].sizes[0]; ++row)
        for (std::uint64_t column = 0; column < op_.inputs[k].sizes[1]; ++column)
          std::memcpy(expected.data() + (row * to[0] + (before + column) * to[1]) * width,
                      inputs_[k].begin() + (row * from[0] + column * from[1]) * width, width);
      before += op_.inputs[k].sizes[1];
    }
    return std::memcmp(expected.data(), output_.begin(), expected.size()) == 0;
  }

 private:
  static std::size_t size_of(const TensorDesc& tensor) {
    return extent_elements(tensor).value() * tensor.element_size_bytes();
  }
  const DmlJoin& op_;
  std::vector<GuardedMemory> inputs_;
  GuardedMemory output_;
  std::vector<std::byte> before_;
};

void expect_joined(const DmlJoin& op, Random& random, unsigned threads = 1) {
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2}) {
    if (!machine_has(isa)) continue;
    const Plan plan = prepare(op, kNewest, isa);
    for (const GuardSide side : {GuardSide::kBefore, GuardSide::kBehind}) {
      const JoinedMemory memory(op, side, random);
      ASSERT_NO_FATAL_FAILURE(memory.execute(plan, threads));
      ASSERT_TRUE(memory.holds_the_join()) << name(isa);
    }
  }
}

TEST(Weave, IsForShortRunsSideBySide) {
  using enum DataType;
  EXPECT_TRUE(weave_of(join_of(kUint8, 100, {1, 1, 1})));
  EXPECT_TRUE(weave_of(join_of(kUint8, 100, {1, 2})));
  EXPECT_TRUE(weave_of(join_of(kFloat32, 100, {1, 1, 1, 1, 1, 1, 1, 1})));
  EXPECT_TRUE(weave_of(join_of(kFloat64, 100, {1, 1})));
  EXPECT_TRUE(weave_of(join_of(kUint8, 100, {3, 13})));
  EXPECT_TRUE(weave_of(join_of(kFloat32, 100, std::vector<std::uint64_t>(12, 1))));
  EXPECT_TRUE(weave_of(join_of(kUint8, 100, std::vector<std::uint64_t>(16, 1))));
}

/// Rows of 15 elements of two bytes have windows from all inputs in each block; 16 share them. The
/// copies of large rows wait for memory, so that more shuffles pay.
TEST(Weave, IsForWhatIsSlowerRunByRun) {
  using enum DataType;
  const auto ones = [](std::size_t count) { return std::vector<std::uint64_t>(count, 1); };
  EXPECT_FALSE(weave_of(join_of(kFloat16, 100, ones(15))));
  EXPECT_TRUE(weave_of(join_of(kFloat16, 100, ones(16))));
  EXPECT_FALSE(weave_of(join_of(kFloat16, 100, {3, 20})));
  EXPECT_FALSE(weave_of(join_of(kFloat16, 69'900, ones(15))));
  EXPECT_TRUE(weave_of(join_of(kFloat16, 70'000, ones(15))));
}

TEST(Weave, IsForNothingElse) {
  using enum DataType;
  EXPECT_FALSE(weave_of(join_of(kUint8, 100, {3}))) << "one input";
  EXPECT_FALSE(weave_of(join_of(kFloat32, 100, {4, 4}))) << "runs of 16 bytes";
  EXPECT_FALSE(weave_of(join_of(kFloat32, 7, {1, 1}))) << "fewer rows than two tiles have";
  EXPECT_FALSE(weave_of(join_of(kUint8, 100, std::vector<std::uint64_t>(33, 1)))) << "33 inputs";
  DmlJoin padded = join_of(kUint8, 100, {1, 1});
  padded.output = strided_tensor(kUint8, {100, 2}, {3, 1});
  EXPECT_FALSE(weave_of(padded)) << "gaps between rows";
  DmlJoin repeated = join_of(kUint8, 100, {1, 1});
  repeated.inputs[0] = strided_tensor(kUint8, {100, 1}, {0, 1});
  EXPECT_FALSE(weave_of(repeated)) << "one element for all rows";
  EXPECT_FALSE(WeavePlan::of(lowered(join_of(kUint8, 100, {1, 1})), Isa::kScalar));
}

TEST(Weave, EveryTypeAndNumberOfInputs) {
  Random random(1);
  for (const DataType type :
       {DataType::kUint8, DataType::kInt16, DataType::kFloat32, DataType::kFloat64})
    for (std::size_t count = 2; count <= 13; ++count)
      for (const std::uint64_t rows : {1U, 31U, 32U, 33U, 64U, 1000U}) {
        SCOPED_TRACE(testing::Message() << count << " inputs, " << rows << " rows");
        ASSERT_NO_FATAL_FAILURE(
            expect_joined(join_of(type, rows, std::vector<std::uint64_t>(count, 1)), random));
      }
}

TEST(Weave, UnevenInputsOfAnyLayout) {
  Random random(2);
  const DataType types[] = {DataType::kUint8, DataType::kInt16, DataType::kFloat32,
                            DataType::kFloat64};
  for (int round = 0; round < test::draws(600); ++round) {
    SCOPED_TRACE(round);
    std::vector<std::uint64_t> columns(draw(random, 2, 12));
    for (std::uint64_t& count : columns) count = draw(random, 1, 6);
    const std::uint64_t rows = draw(random, 1, 300);
    const DataType type = types[draw(random, 0, 3)];
    DmlJoin op = join_of(type, rows, columns);
    for (TensorDesc& input : op.inputs) {
      if (draw(random, 0, 2) == 0)  // gaps between rows
        input = strided_tensor(type, input.sizes, {input.sizes[1] + draw(random, 0, 40), 1});
      else if (draw(random, 0, 3) == 0)  // by columns
        input = strided_tensor(type, input.sizes, {1, rows + draw(random, 0, 5)});
    }
    ASSERT_NO_FATAL_FAILURE(expect_joined(op, random));
  }
}

TEST(Weave, SeveralThreadsAndOutputsBeyondTheCache) {
  Random random(3);
  for (const std::uint64_t rows : {400'000U, 11'200'003U}) {
    const DmlJoin op = join_of(DataType::kUint8, rows, {1, 1, 1});
    const JoinedMemory memory(op, GuardSide::kBehind, random);
    const Plan plan = prepare(op, kNewest);
    for (const unsigned threads : {1U, 3U}) {
      ASSERT_NO_FATAL_FAILURE(memory.execute(plan, threads));
      ASSERT_TRUE(memory.holds_the_join()) << threads << " threads";
    }
  }
}

TEST(Weave, TwoInputsMayBeTheSameMemory) {
  const DmlJoin op = join_of(DataType::kUint8, 100, {1, 1});
  std::vector<std::byte> column(100);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<std::byte>(i);
  std::vector<std::byte> output(200);
  const std::span<const std::byte> inputs[] = {column, column};
  const std::span<std::byte> outputs[] = {output};
  ASSERT_FALSE(prepare(op, kNewest).execute({inputs, outputs}));
  for (std::size_t i = 0; i < output.size(); ++i) ASSERT_EQ(output[i], column[i / 2]);
}

}  // namespace
}  // namespace opconform::optimized
