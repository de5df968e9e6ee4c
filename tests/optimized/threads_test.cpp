// Several threads give the bytes that one gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/parallel.h"

namespace opconform::optimized {
namespace {

TEST(ForParts, CoverAllStepsOnce) {
  for (const std::ptrdiff_t count : {1, 2, 7, 100, 1001})
    for (const std::ptrdiff_t least : {1, 3, 40, 5000})
      for (const unsigned threads : {0U, 1U, 2U, 3U, 16U}) {
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        std::atomic<unsigned> parts = 0;
        for_parts(count, least, threads, [&](std::ptrdiff_t first, std::ptrdiff_t steps) {
          ++parts;
          EXPECT_GE(steps, std::min(least, count));
          for (std::ptrdiff_t i = first; i < first + steps; ++i)
            ++visits[static_cast<std::size_t>(i)];
        });
        EXPECT_LE(parts, std::max(threads, 1U));
        EXPECT_TRUE(
            std::all_of(visits.begin(), visits.end(), [](const auto& n) { return n == 1; }));
      }
}

/// Wrong on purpose, and run by nobody but .ci/run: ThreadSanitizer must report it.
TEST(ForParts, DISABLED_RaceForOneByte) {
  constexpr int kMostWaits = 1'000'000;
  std::atomic<int> here = 0;
  char byte = 0;
  for_parts(2, 1, 2, [&](std::ptrdiff_t first, std::ptrdiff_t) {
    // Two threads, where there are two. Relaxed: to meet must not put one before the other.
    here.fetch_add(1, std::memory_order_relaxed);
    for (int i = 0; i < kMostWaits && here.load(std::memory_order_relaxed) < 2; ++i)
      std::this_thread::yield();
    byte = static_cast<char>(first);
  });
  EXPECT_LT(byte, 2);
}

/// Buffers for an operator, inputs filled at random; indices lie inside of `axis_size`.
class Setting {
 public:
  Setting(const Operator& op, std::uint64_t axis_size) {
    std::minstd_rand random(1);
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      std::vector<std::byte> bytes(extent_elements(tensor.desc).value() *
                                   tensor.desc.element_size_bytes());
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() >> 7);
      if (tensor.desc.data_type == DataType::kInt64)
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
          const std::uint64_t index = random() % axis_size;
          std::memcpy(&bytes[at], &index, sizeof index);
        }
      (tensor.field.access == Access::kInput ? inputs_ : outputs_).push_back(std::move(bytes));
    });
  }
  std::vector<std::vector<std::byte>> execute(const Plan& plan, unsigned threads) {
    std::vector<std::vector<std::byte>> outputs = outputs_;
    std::vector<std::span<const std::byte>> ins(inputs_.begin(), inputs_.end());
    std::vector<std::span<std::byte>> outs(outputs.begin(), outputs.end());
    EXPECT_FALSE(plan.execute({ins, outs}, threads));
    return outputs;
  }

 private:
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<std::vector<std::byte>> outputs_;
};

void expect_same_for_all_threads(const Operator& op, Version version, std::uint64_t axis_size = 1) {
  Setting setting(op, axis_size);
  const auto expected = setting.execute(prepare(op, version, Isa::kScalar), 1);
  const Plan plan = prepare(op, version);
  for (const unsigned threads : {0U, 1U, 2U, 3U, 8U})
    EXPECT_TRUE(setting.execute(plan, threads) == expected) << threads << " threads";
}

Slice1 slice_of(const TensorDesc& input, const std::vector<std::int32_t>& strides) {
  Slice1 op;
  op.input = input;
  Dims sizes;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::uint64_t size = input.sizes[i];
    op.window_offsets.push_back(0);
    op.window_sizes.push_back(static_cast<std::uint32_t>(size));
    op.window_strides.push_back(strides[i]);
    sizes.push_back((size - 1) / static_cast<std::uint64_t>(std::abs(strides[i])) + 1);
  }
  op.output = packed_tensor(input.data_type, sizes);
  return op;
}

TEST(Threads, CopiesOfAllShapes) {
  const auto level = FeatureLevel::k6_4;
  expect_same_for_all_threads(slice_of(packed_tensor(DataType::kUint8, {3, 700, 1001}), {1, 1, -1}),
                              level);
  expect_same_for_all_threads(
      slice_of(packed_tensor(DataType::kFloat32, {3, 1001, 701}), {1, -2, 1}), level);
  expect_same_for_all_threads(slice_of(packed_tensor(DataType::kFloat16, {1, 1'500'003}), {1, 3}),
                              level);
  // Planes to pixels, and a transpose.
  expect_same_for_all_threads(
      slice_of(strided_tensor(DataType::kUint8, {2, 501, 503, 3}, {756'009, 503, 1, 252'003}),
               {1, 1, 1, 1}),
      level);
  expect_same_for_all_threads(
      slice_of(strided_tensor(DataType::kFloat32, {1, 999, 1001}, {999'999, 1, 999}), {1, 1, 1}),
      level);
}

TEST(Threads, SplitsStripByStripAndOneByOne) {
  for (const std::uint64_t pixels : {500'001U, 700'001U}) {  // of the second, blocks are fetched
    Split channels;
    channels.input = packed_tensor(DataType::kFloat32, {pixels, 3});
    channels.axis = 1;
    channels.outputs.assign(3, packed_tensor(DataType::kFloat32, {pixels, 1}));
    expect_same_for_all_threads(channels, FeatureLevel::k6_4);
  }
  Split columns;  // which are transposed together
  columns.input = packed_tensor(DataType::kFloat16, {100'003, 9});
  columns.axis = 1;
  columns.outputs.assign(9, packed_tensor(DataType::kFloat16, {100'003, 1}));
  expect_same_for_all_threads(columns, FeatureLevel::k6_4);
  Split rows;
  rows.input = packed_tensor(DataType::kFloat32, {1000, 1000});
  rows.outputs = {packed_tensor(DataType::kFloat32, {1, 1000}),
                  packed_tensor(DataType::kFloat32, {999, 1000})};
  expect_same_for_all_threads(rows, FeatureLevel::k6_4);
  // The first of them is fetched ahead, and the last is not.
  rows.input = strided_tensor(DataType::kFloat32, {1000, 1000}, {1, 1000});
  std::reverse(rows.outputs.begin(), rows.outputs.end());
  expect_same_for_all_threads(rows, FeatureLevel::k6_4);
}

// Each thread does its share of every part, whatever the loops are that have as many steps.
TEST(Threads, PartsOfLongRuns) {
  Split runs;
  runs.input = packed_tensor(DataType::kFloat32, {401, 2100});
  runs.axis = 1;
  runs.outputs.assign(7, packed_tensor(DataType::kFloat32, {401, 300}));
  expect_same_for_all_threads(runs, FeatureLevel::k6_4);
  // Rows of the first output and columns of the last.
  Split rows;
  rows.input = strided_tensor(DataType::kFloat32, {707, 700}, {701, 1});
  rows.outputs = {packed_tensor(DataType::kFloat32, {700, 700}),
                  packed_tensor(DataType::kFloat32, {7, 700})};
  expect_same_for_all_threads(rows, FeatureLevel::k6_4);
}

TEST(Threads, JoinsOfInputsThatDiffer) {
  for (const std::uint32_t width : {40U, 900U}) {
    DmlJoin op;
    op.axis = 1;
    for (const std::uint32_t columns : {4U, 1U, width})
      op.inputs.push_back(packed_tensor(DataType::kFloat16, {9001, columns}));
    op.output = packed_tensor(DataType::kFloat16, {9001, 5 + width});
    expect_same_for_all_threads(op, FeatureLevel::k6_4);
  }
}

TEST(Threads, Gathers) {
  const auto gather = [](const Dims& data, const Dims& indices, const Dims& output,
                         std::int64_t axis) {
    OnnxGather op;
    op.data = packed_tensor(DataType::kFloat32, data);
    op.indices = packed_tensor(DataType::kInt64, indices);
    op.output = packed_tensor(DataType::kFloat32, output);
    op.axis = axis;
    return op;
  };
  const Version version = Version::opset(13);
  expect_same_for_all_threads(gather({10, 3}, {5}, {5, 3}, 0), version, 10);
  expect_same_for_all_threads(gather({1000, 300}, {5000}, {5000, 300}, 0), version, 1000);
  expect_same_for_all_threads(gather({1000, 300}, {701}, {1000, 701}, 1), version, 300);
  expect_same_for_all_threads(gather({5000}, {1'000'001}, {1'000'001}, 0), version, 5000);
  expect_same_for_all_threads(gather({1, 900, 7}, {100'003}, {1, 100'003, 7}, 1), version, 900);
}

// Of updates to one element any may win, so that there is one update for each line along the axis.
TEST(Threads, ScattersWithoutRepeatedIndices) {
  Scatter op;
  op.input = op.output = packed_tensor(DataType::kFloat32, {1500, 700});
  op.indices = packed_tensor(DataType::kInt64, {1, 700});
  op.updates = packed_tensor(DataType::kFloat32, {1, 700});
  op.axis = 0;
  expect_same_for_all_threads(op, FeatureLevel::k6_4, 1500);
  op.indices = packed_tensor(DataType::kInt64, {1500, 1});
  op.updates = packed_tensor(DataType::kFloat32, {1500, 1});
  op.axis = 1;
  expect_same_for_all_threads(op, FeatureLevel::k6_4, 700);
}

// Parts that met in an element would leave the update of either.
TEST(Threads, ScattersOfRepeatedIndicesLeaveWhatOneThreadLeaves) {
  struct Shape {
    Dims sizes;
    Dims updated;
    Dims index_strides;
    std::uint32_t axis;
  };
  const Shape shapes[] = {{{2000, 300}, {2000, 300}, {300, 1}, 0},  // columns of rows
                          {{1500, 700}, {1500, 40}, {40, 1}, 1},    // lines of few updates
                          {{8, 300, 300}, {8, 15, 300}, {0, 1, 15}, 1},
                          {{30, 2000, 100}, {30, 100, 100}, {0, 1, 0}, 1}};  // rows, by one index
  for (const auto& [sizes, updated, index_strides, axis] : shapes) {
    Scatter op;
    op.input = op.output = packed_tensor(DataType::kFloat32, sizes);
    op.indices = strided_tensor(DataType::kInt64, updated, index_strides);
    op.updates = packed_tensor(DataType::kFloat32, updated);
    op.axis = axis;
    Setting setting(op, sizes[axis]);
    const Plan plan = prepare(op, FeatureLevel::k6_4);
    const auto expected = setting.execute(plan, 1);
    for (const unsigned threads : {2U, 3U, 8U})
      EXPECT_TRUE(setting.execute(plan, threads) == expected)
          << threads << " threads, axis of " << sizes[axis];
  }
}

// The copy is a transpose of more than 2 MiB, with a few updates after it.
TEST(Scatter, FewUpdatesFindATransposedCopyInPlace) {
  Scatter op;
  op.input = packed_tensor(DataType::kFloat16, {130'001, 10});
  op.output = strided_tensor(DataType::kFloat16, {130'001, 10}, {1, 130'001});
  op.indices = packed_tensor(DataType::kInt64, {1, 10});
  op.updates = packed_tensor(DataType::kFloat16, {1, 10});
  op.axis = 0;
  Setting setting(op, 130'001);
  const auto expected = setting.execute(prepare(op, FeatureLevel::k6_4, Isa::kScalar), 1);
  EXPECT_TRUE(setting.execute(prepare(op, FeatureLevel::k6_4), 1) == expected);
}

}  // namespace
}  // namespace opconform::optimized
