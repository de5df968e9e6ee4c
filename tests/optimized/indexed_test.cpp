// How indices are read, and indexed moves of every kind: each against a naive loop, between guard
// pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "optimized/indexed_move.h"
#include "optimized/machine.h"
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

class IndexedMoves : public test::EachIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, IndexedMoves, test::isas(), test::isa_name);

/// The place that an index of any type means; -1 where it lies outside.
template <class Index>
std::int64_t place_of(Index index, const IndexedAxis& axis) {
  const auto size = static_cast<std::int64_t>(axis.size);
  if (std::is_unsigned_v<Index> && static_cast<std::uint64_t>(index) > std::uint64_t{1} << 62)
    return -1;
  auto place = static_cast<std::int64_t>(index);
  if (place < 0 && axis.negative_counts_from_end && place >= -size) place += size;
  return place < 0 || place >= size ? -1 : place;
}

/// Near the ends of the axis and of the type, and between.
template <class Index>
Index some_index(std::uint64_t size, Random& random) {
  using Limits = std::numeric_limits<Index>;
  const auto near = static_cast<Index>(choose(random, 0, 2));
  const auto as_index = static_cast<Index>(size);
  switch (choose(random, 0, 7)) {
    case 0:
      return static_cast<Index>(Limits::max() - near);
    case 1:
      return static_cast<Index>(Limits::min() + near);
    case 2:
      return static_cast<Index>(Index{0} - as_index - 1 + near);
    case 3:
      return static_cast<Index>(as_index - 1 + near);
    case 4:
      return static_cast<Index>(Index{0} - near);
    default:
      return static_cast<Index>(choose(random, 0, static_cast<std::ptrdiff_t>(size) - 1));
  }
}

template <class Index>
void check_resolve(DataType type, Isa isa, Random& random) {
  const std::uint64_t sizes[] = {1, 7, 1000, std::uint64_t{1} << 30, (std::uint64_t{1} << 31) - 5};
  const IndexedAxis axis{.size = sizes[choose(random, 0, 4)],
                         .stride_bytes = choose(random, 0, 1) == 0 ? 4 : 1000003,
                         .negative_counts_from_end = choose(random, 0, 1) == 0};
  const std::ptrdiff_t width = sizeof(Index);
  const std::ptrdiff_t stride = choose(random, 0, 3) == 0 ? 2 * width : width;
  const std::ptrdiff_t count = choose(random, 1, 13);
  const GuardedMemory indices(static_cast<std::size_t>((count - 1) * stride + width),
                              choose(random, 0, 1) == 0 ? GuardSide::kBefore : GuardSide::kBehind);
  const IndexLine taken{
      .first = indices.begin(), .count = count, .stride_bytes = stride, .step_bytes = 8};
  std::vector<std::ptrdiff_t> expected;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto index = some_index<Index>(axis.size, random);
    std::memcpy(indices.begin() + i * stride, &index, sizeof index);
    const std::int64_t place = place_of(index, axis);
    expected.push_back(place < 0 ? -1 : place * axis.stride_bytes + i * 8);
  }
  std::vector<std::ptrdiff_t> offsets(expected.size() + 1, 77);
  find_index_kernels(type, axis, isa).resolve(taken, axis, offsets.data());
  EXPECT_EQ(offsets.back(), 77);
  offsets.pop_back();
  for (std::ptrdiff_t& offset : offsets) offset = std::max(offset, std::ptrdiff_t{-1});
  EXPECT_EQ(offsets, expected) << "axis of " << axis.size << ", " << count << " indices";
}

template <class Index>
void check_find_outside(DataType type, Isa isa, Random& random) {
  const IndexedAxis axis{.size = choose(random, 0, 1) == 0 ? 10 : std::uint64_t{1} << 30,
                         .stride_bytes = 4,
                         .negative_counts_from_end = choose(random, 0, 1) == 0};
  const std::ptrdiff_t count = choose(random, 0, 40);
  const std::ptrdiff_t outside = choose(random, 0, count);
  const GuardSide side = choose(random, 0, 1) == 0 ? GuardSide::kBefore : GuardSide::kBehind;
  const GuardedMemory indices(static_cast<std::size_t>(count) * sizeof(Index), side);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    Index index;
    do {
      index = some_index<Index>(axis.size, random);
    } while (i <= outside && (place_of(index, axis) < 0) != (i == outside));
    std::memcpy(indices.begin() + i * std::ptrdiff_t{sizeof(Index)}, &index, sizeof index);
  }
  EXPECT_EQ(find_index_kernels(type, axis, isa).find_outside(indices.begin(), count, axis), outside)
      << "axis of " << axis.size << ", " << count << " indices";
}

TEST_P(IndexedMoves, IndicesOfEachTypeAreResolvedAndChecked) {
  Random random(3);
  for (int round = 0; round < test::draws(500) && !HasFailure(); ++round) {
    check_resolve<std::int32_t>(DataType::kInt32, GetParam(), random);
    check_resolve<std::int64_t>(DataType::kInt64, GetParam(), random);
    check_resolve<std::uint32_t>(DataType::kUint32, GetParam(), random);
    check_resolve<std::uint64_t>(DataType::kUint64, GetParam(), random);
    check_find_outside<std::int32_t>(DataType::kInt32, GetParam(), random);
    check_find_outside<std::int64_t>(DataType::kInt64, GetParam(), random);
    check_find_outside<std::uint32_t>(DataType::kUint32, GetParam(), random);
    check_find_outside<std::uint64_t>(DataType::kUint64, GetParam(), random);
  }
}

TEST_P(IndexedMoves, NoIndexLiesInsideOfAnAxisWithoutPlaces) {
  const IndexedAxis axis{.size = 0, .stride_bytes = 4, .negative_counts_from_end = true};
  const std::array<std::byte, 128> zeros{};
  for (const DataType type : {DataType::kInt32, DataType::kInt64})
    for (const std::ptrdiff_t count : {1, 3, 16})
      EXPECT_EQ(find_index_kernels(type, axis, GetParam()).find_outside(zeros.data(), count, axis),
                0);
}

ExecutionError no_error(const Dims& /*sizes*/, std::uint64_t /*element*/, std::int64_t /*index*/,
                        std::uint64_t /*axis_size*/, bool /*negative_counts_from_end*/) {
  return {};
}

/// data[outer, axis, row] by packed indices.
template <class Index>
void check_gather(std::ptrdiff_t outer, std::ptrdiff_t axis, std::ptrdiff_t row_bytes,
                  std::ptrdiff_t count, Isa isa, Random& random) {
  const std::ptrdiff_t width = is_width(static_cast<std::size_t>(row_bytes)) ? row_bytes : 1;
  const IndexedMove move{
      .width_bytes = static_cast<std::size_t>(width),
      .loops = {{.count = outer,
                 .source_stride = axis * row_bytes,
                 .target_stride = count * row_bytes},
                {.count = count, .target_stride = row_bytes, .index_stride = sizeof(Index)},
                {.count = row_bytes / width, .source_stride = width, .target_stride = width}},
      .gathers = true,
      .index_type = sizeof(Index) == 8 ? DataType::kInt64 : DataType::kInt32,
      .axis_size = static_cast<std::uint64_t>(axis),
      .axis_stride_bytes = row_bytes,
      .checked_indices = CheckedIndices{{static_cast<std::uint64_t>(count)}, no_error}};
  const GuardSide side = choose(random, 0, 1) == 0 ? GuardSide::kBefore : GuardSide::kBehind;
  const GuardedMemory source(static_cast<std::size_t>(outer * axis * row_bytes), side);
  const GuardedMemory target(static_cast<std::size_t>(outer * count * row_bytes), side);
  const GuardedMemory indices(static_cast<std::size_t>(count) * sizeof(Index), side);
  fill_randomly(source.bytes(), random);
  std::vector<Index> values;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    values.push_back(static_cast<Index>(choose(random, -axis, axis - 1)));
  std::memcpy(indices.begin(), values.data(), indices.bytes().size());
  const IndexedPlan plan(move, isa);
  ASSERT_FALSE(plan.check(indices.begin()));
  plan.execute(indices.begin(), source.begin(), target.begin(), choose(random, 1, 2) == 1 ? 1 : 3);
  for (std::ptrdiff_t o = 0; o < outer; ++o)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t value = values[static_cast<std::size_t>(i)];
      const std::ptrdiff_t place = value < 0 ? value + axis : value;
      ASSERT_EQ(std::memcmp(target.begin() + (o * count + i) * row_bytes,
                            source.begin() + (o * axis + place) * row_bytes,
                            static_cast<std::size_t>(row_bytes)),
                0)
          << outer << " x " << axis << " x " << row_bytes << ", row " << o << ", index " << i;
    }
}

TEST_P(IndexedMoves, GathersOfEachRowMatchANaiveLoop) {
  Random random(4);
  for (const std::ptrdiff_t row : {1, 2, 3, 4, 5, 8, 12, 16, 20, 31, 33, 64, 100, 4096})
    for (const std::ptrdiff_t count : {1, 3, 4, 5, 63, 130, 2500})
      for (const std::ptrdiff_t outer : {1, 2, 5}) {
        check_gather<std::int32_t>(outer, choose(random, 1, 70), row, count, GetParam(), random);
        check_gather<std::int64_t>(outer, choose(random, 1, 70), row, count, GetParam(), random);
        if (HasFatalFailure()) return;
      }
}

TEST_P(IndexedMoves, LargeGathersMatchANaiveLoop) {
  Random random(5);
  check_gather<std::int64_t>(5, 200000, 4, 5000, GetParam(), random);   // rows of more than a block
  check_gather<std::int32_t>(40, 3000, 2, 3000, GetParam(), random);    // several rows a block
  check_gather<std::int64_t>(1, 100, 8192, 8300, GetParam(), random);   // streamed
  check_gather<std::int64_t>(1040, 2, 8192, 8, GetParam(), random);     // in many steps
  check_gather<std::int64_t>(1, 100, 96, 700'000, GetParam(), random);  // as long, rows too short
}

/// The target has places along an axis, inside or around, for each line and i; or for each of one
/// of the two, and the other goes along the axis. Elements and indices lie in any order, with gaps,
/// and now and then one index serves a whole line.
template <class Index>
void check_scatter(DataType type, std::ptrdiff_t width, Isa isa, Random& random) {
  const std::ptrdiff_t axis = choose(random, 1, 20);
  const std::ptrdiff_t lines = choose(random, 1, 9);
  const std::ptrdiff_t count = choose(random, 1, 40);
  const auto index_bytes = static_cast<std::ptrdiff_t>(sizeof(Index));
  const auto strides = [&](std::ptrdiff_t unit) {
    const std::ptrdiff_t gap = choose(random, 1, 2);
    return choose(random, 0, 1) == 0 ? std::pair{count * gap * unit, gap * unit}
                                     : std::pair{gap * unit, lines * gap * unit};
  };
  const auto [source_line, source_step] = strides(width);
  auto [index_line, index_step] = strides(index_bytes);
  if (choose(random, 0, 4) == 0) index_step = 0;
  const bool is_around = choose(random, 0, 1) == 0;
  auto [target_line, target_step] = strides(is_around ? width : axis * width);
  const std::ptrdiff_t axis_stride = is_around ? 2 * lines * count * width : width;
  if (const auto along = choose(random, 0, 2); along > 0)
    (along == 1 ? target_line : target_step) = 0;
  const IndexedMove move{.width_bytes = static_cast<std::size_t>(width),
                         .loops = {{lines, source_line, target_line, index_line},
                                   {count, source_step, target_step, index_step}},
                         .gathers = false,
                         .index_type = type,
                         .axis_size = static_cast<std::uint64_t>(axis),
                         .axis_stride_bytes = axis_stride,
                         .negative_counts_from_end = choose(random, 0, 1) == 0,
                         .checked_indices = std::nullopt};
  const auto memory = [&](std::ptrdiff_t line, std::ptrdiff_t step, std::ptrdiff_t last) {
    GuardedMemory result(static_cast<std::size_t>((lines - 1) * line + (count - 1) * step + last),
                         choose(random, 0, 1) == 0 ? GuardSide::kBefore : GuardSide::kBehind);
    fill_randomly(result.bytes(), random);
    return result;
  };
  const GuardedMemory source = memory(source_line, source_step, width);
  const GuardedMemory target = memory(target_line, target_step, (axis - 1) * axis_stride + width);
  const GuardedMemory indices = memory(index_line, index_step, index_bytes);
  std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
  for (std::ptrdiff_t line = 0; line < lines; ++line)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const auto index = some_index<Index>(move.axis_size, random);
      std::memcpy(indices.begin() + line * index_line + i * index_step, &index, sizeof index);
    }
  // In the order of the loops: of the elements of one place the last one stays.
  for (std::ptrdiff_t line = 0; line < lines; ++line)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      Index index;
      std::memcpy(&index, indices.begin() + line * index_line + i * index_step, sizeof index);
      const std::int64_t place =
          place_of(index, {move.axis_size, axis_stride, move.negative_counts_from_end});
      if (place >= 0)
        std::memcpy(expected.data() + line * target_line + i * target_step + place * axis_stride,
                    source.begin() + line * source_line + i * source_step,
                    static_cast<std::size_t>(width));
    }
  IndexedPlan(move, isa).execute(indices.begin(), source.begin(), target.begin());
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.begin()))
      << lines << " lines of " << count << ", axis of " << axis << ", width " << width;
}

TEST_P(IndexedMoves, ScattersOfElementsMatchANaiveLoop) {
  Random random(9);
  for (int round = 0; round < test::draws(200); ++round)
    for (const std::size_t width : kWidths) {
      const auto width_bytes = static_cast<std::ptrdiff_t>(width);
      check_scatter<std::int32_t>(DataType::kInt32, width_bytes, GetParam(), random);
      check_scatter<std::int64_t>(DataType::kInt64, width_bytes, GetParam(), random);
      check_scatter<std::uint32_t>(DataType::kUint32, width_bytes, GetParam(), random);
      check_scatter<std::uint64_t>(DataType::kUint64, width_bytes, GetParam(), random);
      if (HasFatalFailure()) return;
    }
}

// As large as gathers that are streamed, by indices that serve a whole row each.
TEST_P(IndexedMoves, LargeScattersOfRows) {
  constexpr std::ptrdiff_t kRows = 16'400, kRowBytes = 4096;
  const IndexedMove move{
      .width_bytes = 8,
      .loops = {{.count = kRows, .source_stride = kRowBytes, .index_stride = 4},
                {.count = kRowBytes / 8, .source_stride = 8, .target_stride = 8}},
      .gathers = false,
      .index_type = DataType::kInt32,
      .axis_size = kRows,
      .axis_stride_bytes = kRowBytes,
      .checked_indices = std::nullopt};
  std::vector<std::int32_t> indices(kRows);
  std::iota(indices.rbegin(), indices.rend(), 0);
  std::vector<std::byte> updates(kRows * kRowBytes), output(updates.size());
  Random random(8);
  fill_randomly(updates, random);
  IndexedPlan(move, GetParam())
      .execute(std::as_bytes(std::span(indices)).data(), updates.data(), output.data());
  for (std::ptrdiff_t row = 0; row < kRows; ++row)
    ASSERT_EQ(std::memcmp(output.data() + (kRows - 1 - row) * kRowBytes,
                          updates.data() + row * kRowBytes, kRowBytes),
              0)
        << row;
}

// Whatever it is offered: of the updates of one place the last one wins.
TEST_P(IndexedMoves, AScatterUsesOneThread) {
  constexpr std::int32_t kUpdates = 1'000'000;
  const IndexedMove move{
      .width_bytes = 4,
      .loops = {{.count = kUpdates, .source_stride = 4, .target_stride = 0, .index_stride = 4}},
      .gathers = false,
      .index_type = DataType::kInt32,
      .axis_size = 3,
      .axis_stride_bytes = 4,
      .checked_indices = std::nullopt};
  std::vector<std::int32_t> updates(kUpdates);
  std::iota(updates.begin(), updates.end(), 0);
  std::vector<std::int32_t> indices;
  for (const std::int32_t update : updates) indices.push_back(update % 3);
  std::vector<std::int32_t> output(3);
  IndexedPlan(move, GetParam())
      .execute(std::as_bytes(std::span(indices)).data(), std::as_bytes(std::span(updates)).data(),
               std::as_writable_bytes(std::span(output)).data(), 4);
  EXPECT_EQ(output, (std::vector<std::int32_t>{kUpdates - 1, kUpdates - 3, kUpdates - 2}));
}

}  // namespace
}  // namespace opconform::optimized
