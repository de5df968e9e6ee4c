// Every kernel of the table against a naive loop, between guard pages, for all widths and both
// instruction sets.
#include "optimized/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "optimized/isa.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;
using Random = std::minstd_rand;

std::vector<Isa> isas() {
  std::vector<Isa> result{Isa::kScalar};
  if (machine_has(Isa::kAvx2)) result.push_back(Isa::kAvx2);
  return result;
}

std::ptrdiff_t choose(Random& random, std::ptrdiff_t least, std::ptrdiff_t most) {
  return std::uniform_int_distribution<std::ptrdiff_t>(least, most)(random);
}

/// The bytes that an operand spans: from `first` (at most 0) to `end`, counted from where it
/// starts.
struct Span {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t end = 0;
  void add(std::ptrdiff_t offset, std::ptrdiff_t size) {
    first = std::min(first, offset);
    end = std::max(end, offset + size);
  }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - first); }
};

/// Counts that hit empty, partial and several vectors, and now and then a strip or block.
std::ptrdiff_t some_count(Random& random) {
  switch (choose(random, 0, 9)) {
    case 0:
      return 1;
    case 1:
      return choose(random, 100, 700);
    case 2:
      return choose(random, 4000, 9000);
    default:
      return choose(random, 2, 70);
  }
}

/// A plane that keeps what its shape promises.
Plane some_plane(PlaneShape shape, std::ptrdiff_t width, Random& random) {
  Plane plane;
  Loop& inner = plane.inner;
  Loop& outer = plane.outer;
  inner.count = some_count(random);
  outer.count = inner.count > 1000 ? choose(random, 1, 3) : choose(random, 1, 40);
  inner.target_stride = width;
  outer.target_stride = (inner.count + choose(random, 0, 1) * choose(random, 0, 40)) * width;
  outer.source_stride = choose(random, 0, 3) == 0 ? 0 : choose(random, -3, 100) * width;
  switch (shape) {
    case PlaneShape::kRuns:
      inner.source_stride = width;
      break;
    case PlaneShape::kReversed:
      inner.source_stride = -width;
      break;
    case PlaneShape::kFill:
      inner.source_stride = 0;
      break;
    case PlaneShape::kPick:
      inner.source_stride = choose(random, 2, 10) * (choose(random, 0, 1) == 0 ? width : -width);
      if (choose(random, 0, 1) == 0) outer.source_stride = width;
      break;
    case PlaneShape::kInterleave:
      inner.count = choose(random, 1, 6);
      outer.count = some_count(random);
      inner.source_stride =
          choose(random, -5, 5) * outer.count * width + choose(random, 0, 3) * width;
      outer.source_stride = width;
      outer.target_stride = inner.count * width;
      break;
    case PlaneShape::kTranspose:
      inner.count = choose(random, 1, 150);
      outer.count = choose(random, 1, 90);
      inner.source_stride = (choose(random, 0, 1) == 0 ? 1 : -1) * choose(random, 1, 100) * width;
      outer.source_stride = width;
      outer.target_stride = (inner.count + choose(random, 0, 5)) * width;
      break;
    case PlaneShape::kStrided:
      inner.source_stride = choose(random, -5, 5) * width;
      inner.target_stride = choose(random, 1, 4) * width;
      outer.target_stride = (inner.count * inner.target_stride) + choose(random, 0, 3) * width;
      break;
  }
  plane.streams = choose(random, 0, 2) == 0;
  return plane;
}

void check_plane(PlaneKernel kernel, const Plane& plane, std::ptrdiff_t width, GuardSide side,
                 std::size_t shift, Random& random) {
  Span source_span;
  Span target_span;
  for (std::ptrdiff_t o : {std::ptrdiff_t{0}, plane.outer.count - 1})
    for (std::ptrdiff_t i : {std::ptrdiff_t{0}, plane.inner.count - 1}) {
      source_span.add(o * plane.outer.source_stride + i * plane.inner.source_stride, width);
      target_span.add(o * plane.outer.target_stride + i * plane.inner.target_stride, width);
    }
  const GuardedMemory source(source_span.size() + shift, side);
  const GuardedMemory target(target_span.size() + shift, side);
  fill_randomly(source.bytes(), random);
  fill_randomly(target.bytes(), random);
  // The shift keeps the guard page close, but moves the elements off their alignment.
  const std::size_t start = side == GuardSide::kBefore ? shift : 0;
  std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
  const std::byte* from = source.begin() + start - source_span.first;
  for (std::ptrdiff_t o = 0; o < plane.outer.count; ++o)
    for (std::ptrdiff_t i = 0; i < plane.inner.count; ++i)
      std::memcpy(
          expected.data() + start + o * plane.outer.target_stride + i * plane.inner.target_stride,
          from + o * plane.outer.source_stride + i * plane.inner.source_stride,
          static_cast<std::size_t>(width));
  kernel(target.begin() + start, from, plane);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.begin()))
      << "width " << width << ", outer {" << plane.outer.count << ", " << plane.outer.source_stride
      << ", " << plane.outer.target_stride << "}, inner {" << plane.inner.count << ", "
      << plane.inner.source_stride << ", " << plane.inner.target_stride << "}, streams "
      << plane.streams << ", shift " << shift;
}

TEST(Kernels, PlanesMatchANaiveLoop) {
  Random random(1);
  for (const Isa isa : isas())
    for (std::size_t row = 0; row < kPlaneShapeCount; ++row)
      for (const std::size_t width : kWidths) {
        const auto shape = static_cast<PlaneShape>(row);
        SCOPED_TRACE(testing::Message() << "shape " << row << ", " << name(isa));
        for (int round = 0; round < 120; ++round) {
          const Plane plane = some_plane(shape, static_cast<std::ptrdiff_t>(width), random);
          const GuardSide side = round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore;
          const std::size_t shift =
              round % 3 == 0 ? static_cast<std::size_t>(choose(random, 1, 31)) : 0;
          check_plane(find_kernel(shape, width, isa), plane, static_cast<std::ptrdiff_t>(width),
                      side, shift, random);
          if (HasFatalFailure()) return;
        }
      }
}

void check_indexed(IndexedShape shape, std::size_t width, Isa isa, GuardSide side, Random& random) {
  const bool gathers = shape == IndexedShape::kGatherRows || shape == IndexedShape::kGatherElements;
  const bool elements =
      shape == IndexedShape::kGatherElements || shape == IndexedShape::kScatterElements;
  const auto row_bytes =
      elements ? static_cast<std::ptrdiff_t>(width)
               : (choose(random, 0, 9) == 0 ? choose(random, 1000, 1100) : choose(random, 1, 100));
  const std::ptrdiff_t places = choose(random, 1, 50);
  const std::ptrdiff_t count = choose(random, 1, gathers ? 60 : places);
  const std::ptrdiff_t repeats = choose(random, 1, 4);
  std::vector<std::ptrdiff_t> offsets;
  for (std::ptrdiff_t i = 0; i < places; ++i) offsets.push_back(i * row_bytes);
  std::shuffle(offsets.begin(), offsets.end(), random);
  while (std::ssize(offsets) < count) offsets.push_back(choose(random, 0, places - 1) * row_bytes);
  if (!gathers && choose(random, 0, 1) == 0) offsets[0] = -1;

  const std::ptrdiff_t indexed_bytes = places * row_bytes;
  const std::ptrdiff_t other_bytes = count * row_bytes;
  IndexedRows rows{
      .offsets = offsets.data(),
      .count = count,
      .step_bytes = row_bytes,
      .row_bytes = row_bytes,
      .repeat = {.count = repeats, .source_stride = indexed_bytes, .target_stride = other_bytes}};
  if (!gathers) std::swap(rows.repeat.source_stride, rows.repeat.target_stride);
  const GuardedMemory source(static_cast<std::size_t>(repeats * rows.repeat.source_stride), side);
  const GuardedMemory target(static_cast<std::size_t>(repeats * rows.repeat.target_stride), side);
  fill_randomly(source.bytes(), random);
  fill_randomly(target.bytes(), random);
  std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
  for (std::ptrdiff_t step = 0; step < repeats; ++step)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t offset = offsets[static_cast<std::size_t>(i)];
      if (offset < 0) continue;
      std::memcpy(
          expected.data() + step * rows.repeat.target_stride + (gathers ? i * row_bytes : offset),
          source.begin() + step * rows.repeat.source_stride + (gathers ? offset : i * row_bytes),
          static_cast<std::size_t>(row_bytes));
    }
  find_kernel(shape, width, isa)(target.begin(), source.begin(), rows);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.begin()))
      << "row_bytes " << row_bytes << ", count " << count << ", places " << places;
}

TEST(Kernels, IndexedMovesMatchANaiveLoop) {
  Random random(2);
  for (const Isa isa : isas())
    for (std::size_t row = 0; row < kIndexedShapeCount; ++row)
      for (const std::size_t width : kWidths) {
        SCOPED_TRACE(testing::Message()
                     << "shape " << row << ", width " << width << ", " << name(isa));
        for (int round = 0; round < 100; ++round) {
          check_indexed(static_cast<IndexedShape>(row), width, isa,
                        round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore, random);
          if (HasFatalFailure()) return;
        }
      }
}

TEST(Kernels, TheScalarTableIsComplete) {
  for (const auto& row : kScalarPlaneKernels)
    for (const PlaneKernel kernel : row) EXPECT_NE(kernel, nullptr);
  for (const auto& row : kScalarIndexedKernels)
    for (const IndexedKernel kernel : row) EXPECT_NE(kernel, nullptr);
}

}  // namespace
}  // namespace opconform::optimized
