#include "bench/traffic.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bench/cell.h"
#include "bench/operators/gather.h"
#include "bench/operators/scatter.h"
#include "bench/operators/slice1.h"
#include "bench/operators/split.h"

namespace opconform::bench {
namespace {

using enum DataType;

Traffic traffic_of(const Operator& op) { return traffic(op, Buffers(op, 1)); }

TEST(Traffic, APackedCopyTouchesItsBytes) {
  const Traffic traffic = traffic_of(layout_copy(kFloat32, {1024}, {}, {}));
  EXPECT_EQ(traffic.read_bytes, 4096);
  EXPECT_EQ(traffic.written_bytes, 4096);
}

TEST(Traffic, ALineCountsWhole) {
  const Traffic traffic = traffic_of(layout_copy(kUint8, {65}, {}, {}));
  EXPECT_EQ(traffic.read_bytes, 128);
  EXPECT_EQ(traffic.written_bytes, 128);
}

TEST(Traffic, StridesUpToALineLeaveNoLineOut) {
  EXPECT_EQ(traffic_of(slice(kUint8, {6400}, {2})).read_bytes, 6400);
  EXPECT_EQ(traffic_of(slice(kUint8, {6400}, {-64})).read_bytes, 6400);
  EXPECT_EQ(traffic_of(slice(kUint8, {6400}, {128})).read_bytes, 3200);
}

TEST(Traffic, ATransposedOutputIsCountedOnce) {
  EXPECT_EQ(traffic_of(layout_copy(kUint8, {64, 64}, {}, {1, 64})).written_bytes, 4096);
}

TEST(Traffic, ABroadcastInputIsReadOnce) {
  const Traffic traffic = traffic_of(layout_copy(kFloat32, {100, 16}, {0, 1}, {}));
  EXPECT_EQ(traffic.read_bytes, 64);
  EXPECT_EQ(traffic.written_bytes, 6400);
}

TEST(Traffic, ACropReadsItsWindowAlone) {
  EXPECT_EQ(traffic_of(slice(kUint8, {10, 640}, {1, 1}, {2, 64}, {3, 128})).read_bytes, 3 * 128);
}

TEST(Traffic, OutputsOfASplitAreCountedEach) {
  const Traffic traffic = traffic_of(split(kUint8, {32, 4}, 1, 4));
  EXPECT_EQ(traffic.read_bytes, 128);
  EXPECT_EQ(traffic.written_bytes, 4 * 64);
}

TEST(Traffic, AGatherReadsNamedRowsAndItsIndices) {
  // 5 different rows of a line each, 5 indices of 8 bytes: Buffers names no row twice.
  const Traffic traffic = traffic_of(gather(kUint8, {100, 64}, 0, {5}));
  EXPECT_EQ(traffic.read_bytes, 5 * 64 + 64);
  EXPECT_EQ(traffic.written_bytes, 5 * 64);
}

TEST(Traffic, AScatterReadsAllThatItTakes) {
  const Traffic traffic = traffic_of(scatter(kFloat32, {1024}, 0, {16}));
  EXPECT_EQ(traffic.read_bytes, 4096 + 128 + 64);
  EXPECT_EQ(traffic.written_bytes, 4096);
}

TEST(Buffers, ScatteredIndicesNameNoElementTwice) {
  const Operator op = scatter(kUint8, {20, 3}, 0, {20, 3});
  const Buffers buffers(op, 7);
  bool met[20][3] = {};
  for (std::size_t k = 0; k < 60; ++k) {
    std::int64_t index = 0;
    std::memcpy(&index, buffers.input(1) + k * sizeof index, sizeof index);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, 20);
    bool& here = met[index][k % 3];
    EXPECT_FALSE(here) << "column " << k % 3 << ", row " << index;
    here = true;
  }
}

TEST(Buffers, SayWhetherOutputsAreAsExpectedGapsIncluded) {
  Buffers buffers(layout_copy(kUint8, {2, 3}, {}, {5, 1}), 1);
  buffers.keep_outputs_as_expected();
  EXPECT_TRUE(buffers.outputs_are_as_expected());
  buffers.output(0)[3] ^= std::byte{1};
  EXPECT_FALSE(buffers.outputs_are_as_expected());
}

}  // namespace
}  // namespace opconform::bench
