// Every kernel of indexed moves against a naive loop, between guard pages: a test for each row of
// kernels.def, each width and each instruction set.
#include "optimized/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

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

/// A kernel of indexed moves, for one width and one instruction set: of each row of kernels.def,
/// but of scattered elements, for which indexed_test.cpp has tests.
struct IndexedKernelRow {
  std::string_view name;
  IndexedShape shape;
  std::size_t width_bytes;
  Isa isa;
};

std::vector<IndexedKernelRow> all_indexed_kernels() {
  std::vector<IndexedKernelRow> rows;
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2})
    for (const std::size_t width : kWidths) {
#define OPCONFORM_INDEXED_KERNEL(shape, scalar_function, avx2_function) \
  if (IndexedShape::shape != IndexedShape::kScatterElements)            \
    rows.push_back({#shape, IndexedShape::shape, width, isa});
#include "optimized/kernels/kernels.def"
    }
  return rows;
}

/// "GatherRows_8_avx2"
std::string row_name(const testing::TestParamInfo<IndexedKernelRow>& tested) {
  const IndexedKernelRow& row = tested.param;
  return std::string(row.name.substr(1)) + "_" + std::to_string(row.width_bytes) + "_" +
         std::string(name(row.isa));
}

/// Skipped where the machine lacks the instruction set: its kernels cannot run there.
class EachIndexedKernel : public testing::TestWithParam<IndexedKernelRow> {
 protected:
  void SetUp() override {
    if (!machine_has(GetParam().isa))
      GTEST_SKIP() << "this machine has no " << name(GetParam().isa);
  }
};
INSTANTIATE_TEST_SUITE_P(Rows, EachIndexedKernel, testing::ValuesIn(all_indexed_kernels()),
                         row_name);

std::ptrdiff_t some_row_bytes(IndexedShape shape, std::ptrdiff_t width, Random& random) {
  const auto long_or = [&](std::ptrdiff_t least, std::ptrdiff_t most) {
    return choose(random, 0, 9) == 0 ? choose(random, 1000, 1100) : choose(random, least, most);
  };
  switch (shape) {
    case IndexedShape::kGatherElements:
      return width;
    case IndexedShape::kGatherShortRows:
      return choose(random, width, 2 * width - 1);
    case IndexedShape::kGatherRows:
      return long_or(32, 300);
    case IndexedShape::kScatterRows:
      return long_or(1, 100);
    case IndexedShape::kScatterElements:
      break;
  }
  return 0;
}

/// Rows of random size, number and places. Between those of a scatter may be gaps, none have a
/// place twice, and some are left out. A third are few rows of many steps.
class RandomRows {
 public:
  RandomRows(IndexedShape shape, std::ptrdiff_t width, Random& random)
      : gathers_(shape != IndexedShape::kScatterRows),
        row_bytes_(some_row_bytes(shape, width, random)),
        is_few_(choose(random, 0, 2) == 0),
        places_(choose(random, 1, is_few_ ? 20 : 200)),
        count_(choose(random, 1, gathers_ ? is_few_ ? 20 : 150 : places_)),
        repeats_(choose(random, 1, is_few_ ? 200 : 4)),
        step_bytes_(row_bytes_ * (gathers_ ? 1 : choose(random, 1, 2))),
        fetch_steps_(choose(random, 0, repeats_ - 1)) {
    for (std::ptrdiff_t i = 0; i < places_; ++i) offsets_.push_back(i * row_bytes_);
    std::shuffle(offsets_.begin(), offsets_.end(), random);
    while (std::ssize(offsets_) < count_)
      offsets_.push_back(choose(random, 0, places_ - 1) * row_bytes_);
    if (gathers_) return;
    for (std::ptrdiff_t& offset : offsets_)
      if (choose(random, 0, 9) == 0) offset = -choose(random, 1, 1000);
  }

  [[nodiscard]] std::size_t source_bytes() const {
    return static_cast<std::size_t>(repeats_ * repeat().source_stride);
  }
  [[nodiscard]] std::size_t target_bytes() const {
    return static_cast<std::size_t>(repeats_ * repeat().target_stride);
  }

  [[nodiscard]] IndexedRows rows() const {
    return {.offsets = offsets_.data(),
            .count = count_,
            .step_bytes = step_bytes_,
            .row_bytes = row_bytes_,
            .repeat = repeat(),
            .fetch_steps = fetch_steps_,
            .fetch_offset = indexed_bytes(),
            .fetch_bytes = indexed_bytes()};
  }

  void move_naively(const std::byte* source, std::byte* target) const {
    for (std::ptrdiff_t step = 0; step < repeats_; ++step)
      for (std::ptrdiff_t i = 0; i < count_; ++i) {
        const std::ptrdiff_t offset = offsets_[static_cast<std::size_t>(i)];
        const std::ptrdiff_t other = i * step_bytes_;
        if (offset < 0) continue;
        std::memcpy(target + step * repeat().target_stride + (gathers_ ? other : offset),
                    source + step * repeat().source_stride + (gathers_ ? offset : other),
                    static_cast<std::size_t>(row_bytes_));
      }
  }

  friend std::ostream& operator<<(std::ostream& out, const RandomRows& rows) {
    return out << rows.count_ << " rows of " << rows.row_bytes_ << " bytes, " << rows.places_
               << " places, " << rows.repeats_ << " repeats";
  }

 private:
  [[nodiscard]] std::ptrdiff_t indexed_bytes() const { return places_ * row_bytes_; }
  [[nodiscard]] Loop repeat() const {
    const std::ptrdiff_t other_bytes = count_ * step_bytes_;
    return {.count = repeats_,
            .source_stride = gathers_ ? indexed_bytes() : other_bytes,
            .target_stride = gathers_ ? other_bytes : indexed_bytes()};
  }

  bool gathers_;
  std::ptrdiff_t row_bytes_;
  bool is_few_;            // and many repeats
  std::ptrdiff_t places_;  // on the indexed side
  std::ptrdiff_t count_;
  std::ptrdiff_t repeats_;
  std::ptrdiff_t step_bytes_;
  std::ptrdiff_t fetch_steps_;
  std::vector<std::ptrdiff_t> offsets_;
};

TEST_P(EachIndexedKernel, MatchesANaiveLoopBetweenGuards) {
  const auto& [name, shape, width_bytes, isa] = GetParam();
  Random random(2);
  for (int round = 0; round < test::draws(100); ++round) {
    const RandomRows drawn(shape, static_cast<std::ptrdiff_t>(width_bytes), random);
    const GuardSide side = round % 2 == 0 ? GuardSide::kBehind : GuardSide::kBefore;
    const GuardedMemory source(drawn.source_bytes(), side);
    const GuardedMemory target(drawn.target_bytes(), side);
    fill_randomly(source.bytes(), random);
    fill_randomly(target.bytes(), random);
    std::vector<std::byte> expected(target.bytes().begin(), target.bytes().end());
    drawn.move_naively(source.begin(), expected.data());
    find_kernel(shape, width_bytes, isa)(target.begin(), source.begin(), drawn.rows());
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.begin())) << drawn;
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

/// find_kernel() gives what stands in the tables.
template <class Table, class Shape>
void expect_found(const Table& scalar, const Table& avx2, Shape shape) {
  const auto row = static_cast<std::size_t>(shape);
  for (std::size_t column = 0; column < kWidths.size(); ++column) {
    EXPECT_EQ(find_kernel(shape, kWidths[column], Isa::kScalar), scalar[row][column]);
    if (avx2[row][column] == nullptr) continue;  // a machine of another kind
    EXPECT_EQ(find_kernel(shape, kWidths[column], Isa::kAvx2), avx2[row][column]);
  }
}

TEST(Kernels, AreThoseOfTheInstructionSet) {
  expect_found(kScalarPlaneKernels, kAvx2PlaneKernels, PlaneShape::kRuns);
  expect_found(kScalarIndexedKernels, kAvx2IndexedKernels, IndexedShape::kGatherRows);
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
  for (std::size_t row = 0; row < kPlaneShapeCount; ++row) {
    const auto shape = static_cast<PlaneShape>(row);
    const bool is_for_avx2 = shape == PlaneShape::kShuffle || shape == PlaneShape::kSquares;
    for (const PlaneKernel kernel : kScalarPlaneKernels[row])
      EXPECT_EQ(kernel == nullptr, is_for_avx2);
  }
  for (std::size_t row = 0; row < kIndexedShapeCount; ++row) {
    const bool is_by_indices = static_cast<IndexedShape>(row) == IndexedShape::kScatterElements;
    for (const IndexedKernel kernel : kScalarIndexedKernels[row])
      EXPECT_EQ(kernel == nullptr, is_by_indices);
  }
  for (const IndexKernels& kernels : kScalarIndexKernels)
    for (const ScatterOnce scatter : kernels.scatter_once) EXPECT_NE(scatter, nullptr);
}

}  // namespace
}  // namespace opconform::optimized
