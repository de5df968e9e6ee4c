// Every kernel of indexed moves against a naive loop, between guard pages, for all widths and both
// instruction sets.
#include "optimized/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "optimized/isa.h"
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

std::vector<Isa> isas() {
  std::vector<Isa> result{Isa::kScalar};
  if (machine_has(Isa::kAvx2)) result.push_back(Isa::kAvx2);
  return result;
}

std::ptrdiff_t some_row_bytes(IndexedShape shape, std::ptrdiff_t width, Random& random) {
  switch (shape) {
    case IndexedShape::kGatherElements:
    case IndexedShape::kScatterElements:
      return width;
    case IndexedShape::kGatherShortRows:
      return choose(random, width, 2 * width - 1);
    case IndexedShape::kGatherRows:
      return choose(random, 0, 9) == 0 ? choose(random, 1000, 1100) : choose(random, 32, 300);
    default:
      return choose(random, 0, 9) == 0 ? choose(random, 1000, 1100) : choose(random, 1, 100);
  }
}

void check_indexed(IndexedShape shape, std::size_t width, Isa isa, GuardSide side, Random& random) {
  const bool gathers =
      shape != IndexedShape::kScatterRows && shape != IndexedShape::kScatterElements;
  const std::ptrdiff_t row_bytes =
      some_row_bytes(shape, static_cast<std::ptrdiff_t>(width), random);
  const std::ptrdiff_t places = choose(random, 1, 200);
  const std::ptrdiff_t lines = gathers ? 1 : choose(random, 1, std::min(places, std::ptrdiff_t{4}));
  const std::ptrdiff_t count = choose(random, 1, gathers ? 150 : places / lines);
  const std::ptrdiff_t rows_in_all = lines * count;
  const std::ptrdiff_t repeats = choose(random, 1, 4);
  // A scatter's updates may have gaps.
  const std::ptrdiff_t step_bytes = row_bytes * (gathers ? 1 : choose(random, 1, 2));
  const std::ptrdiff_t line_bytes = count * step_bytes + (gathers ? 0 : choose(random, 0, 9));
  std::vector<std::ptrdiff_t> offsets;
  for (std::ptrdiff_t i = 0; i < places; ++i) offsets.push_back(i * row_bytes);
  std::shuffle(offsets.begin(), offsets.end(), random);
  while (std::ssize(offsets) < rows_in_all)
    offsets.push_back(choose(random, 0, places - 1) * row_bytes);
  if (!gathers)
    for (std::ptrdiff_t& offset : offsets)
      if (choose(random, 0, 9) == 0) offset = -choose(random, 1, 1000);

  const std::ptrdiff_t indexed_bytes = places * row_bytes;
  const std::ptrdiff_t other_bytes = lines * line_bytes;
  IndexedRows rows{
      .offsets = offsets.data(),
      .count = count,
      .step_bytes = step_bytes,
      .lines = lines,
      .line_bytes = line_bytes,
      .row_bytes = row_bytes,
      .repeat = {.count = repeats, .source_stride = indexed_bytes, .target_stride = other_bytes},
      .fetch_steps = choose(random, 0, repeats - 1),
      .fetch_offset = indexed_bytes,
      .fetch_bytes = indexed_bytes};
  if (!gathers) std::swap(rows.repeat.source_stride, rows.repeat.target_stride);
  const GuardedMemory source(static_cast<std::size_t>(repeats * rows.repeat.source_stride), side);
  const GuardedMemory target(static_cast<std::size_t>(repeats * rows.repeat.target_stride), side);
  fill_randomly(source.bytes(), random);
  fill_randomly(target.bytes(), random);
  std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
  for (std::ptrdiff_t step = 0; step < repeats; ++step)
    for (std::ptrdiff_t i = 0; i < rows_in_all; ++i) {
      const std::ptrdiff_t offset = offsets[static_cast<std::size_t>(i)];
      const std::ptrdiff_t other = i / count * line_bytes + i % count * step_bytes;
      if (offset < 0) continue;
      std::memcpy(expected.data() + step * rows.repeat.target_stride + (gathers ? other : offset),
                  source.begin() + step * rows.repeat.source_stride + (gathers ? offset : other),
                  static_cast<std::size_t>(row_bytes));
    }
  find_kernel(shape, width, isa)(target.begin(), source.begin(), rows);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.begin()))
      << "row_bytes " << row_bytes << ", lines " << lines << ", count " << count << ", places "
      << places;
}

TEST(Kernels, IndexedMovesMatchANaiveLoop) {
  Random random(2);
  for (const Isa isa : isas())
    for (std::size_t row = 0; row < kIndexedShapeCount; ++row)
      for (const std::size_t width : kWidths) {
        SCOPED_TRACE(testing::Message()
                     << "shape " << row << ", width " << width << ", " << name(isa));
        for (int round = 0; round < test::draws(100); ++round) {
          check_indexed(static_cast<IndexedShape>(row), width, isa,
                        round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
          if (HasFatalFailure()) return;
        }
      }
}

TEST(Kernels, AnAxisThatVectorsCannotHoldIsLeftToScalars) {
  const auto is_vector = [](std::uint64_t size, std::ptrdiff_t stride_bytes) {
    const IndexedAxis axis{size, stride_bytes, true};
    const IndexKernels* found = &find_index_kernels(DataType::kInt64, axis, Isa::kAvx2);
    EXPECT_TRUE(found == &kAvx2IndexKernels[1] || found == &kScalarIndexKernels[1]);
    return found == &kAvx2IndexKernels[1];
  };
  constexpr std::ptrdiff_t kMostStride = std::numeric_limits<std::uint32_t>::max();
  EXPECT_TRUE(is_vector(1, 0));
  EXPECT_TRUE(is_vector(kMostVectorAxis, kMostStride));
  EXPECT_FALSE(is_vector(kMostVectorAxis + 1, 4));
  EXPECT_FALSE(is_vector(4, -1));
  EXPECT_FALSE(is_vector(4, kMostStride + 1));
}

TEST(Kernels, AreThoseOfTheInstructionSet) {
  const auto check = [](const auto& scalar, const auto& avx2, auto shape) {
    const auto row = static_cast<std::size_t>(shape);
    for (std::size_t column = 0; column < kWidths.size(); ++column) {
      EXPECT_EQ(find_kernel(shape, kWidths[column], Isa::kScalar), scalar[row][column]);
      if (avx2[row][column] == nullptr) continue;  // a machine of another kind
      EXPECT_EQ(find_kernel(shape, kWidths[column], Isa::kAvx2), avx2[row][column]);
    }
  };
  check(kScalarPlaneKernels, kAvx2PlaneKernels, PlaneShape::kRuns);
  check(kScalarIndexedKernels, kAvx2IndexedKernels, IndexedShape::kGatherRows);
  const IndexedAxis axis{4, 4, true};
  EXPECT_EQ(&find_index_kernels(DataType::kInt64, axis, Isa::kScalar), &kScalarIndexKernels[1]);
}

TEST(Kernels, WidthsArePowersOfTwoUpTo16) {
  std::vector<std::size_t> widths;
  for (std::size_t size_bytes = 0; size_bytes <= 64; ++size_bytes)
    if (is_width(size_bytes)) widths.push_back(size_bytes);
  EXPECT_EQ(widths, std::vector<std::size_t>(kWidths.begin(), kWidths.end()));
}

TEST(Kernels, TheScalarTablesAreComplete) {
  for (std::size_t shape = 0; shape < kPlaneShapeCount; ++shape)
    for (const PlaneKernel kernel : kScalarPlaneKernels[shape])
      EXPECT_EQ(kernel == nullptr, shape == static_cast<std::size_t>(PlaneShape::kShuffle));
  for (const auto& row : kScalarIndexedKernels)
    for (const IndexedKernel kernel : row) EXPECT_NE(kernel, nullptr);
}

}  // namespace
}  // namespace opconform::optimized
