// Scatters in the order that their shape asks for, against a naive loop, between guard pages.
#include "optimized/scatter_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "optimized/machine.h"
#include "tests/optimized/each_isa.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::choose;
using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;
using test::Random;

// Scatters with the loops of a Scatter over {sizes}, packed but for these elements: `padding`
// behind each innermost line of the output, the rest of `step` behind each element of it, gaps
// between the steps of the outermost loop of the input, of the updates and of the indices, and the
// rest of `input_step` behind each element of the input.
struct ScatterShape {
  std::vector<std::ptrdiff_t> sizes;
  std::size_t axis;
  std::ptrdiff_t updates;  // along the axis
  std::ptrdiff_t padding = 0;
  std::ptrdiff_t step = 1;
  std::ptrdiff_t update_gap = 0;
  std::ptrdiff_t index_gap = 0;
  std::ptrdiff_t input_gap = 0;
  std::ptrdiff_t input_step = 1;
};

class Scattering {
 public:
  Scattering(const ScatterShape& shape, std::ptrdiff_t width, Isa isa)
      : shape_(shape), width_(width), updated_(shape.sizes), isa_(isa) {
    updated_[shape.axis] = shape.updates;
    copy_.width_bytes = move_.width_bytes = static_cast<std::size_t>(width);
    std::ptrdiff_t data = width * shape.input_step, updates = width, indices = 4;
    std::ptrdiff_t output = width * shape.step;
    Loops copies, moves;
    for (std::size_t i = shape.sizes.size(); i-- > 0;) {
      copies.push_back({shape.sizes[i], data, output, 0});
      moves.push_back({updated_[i], updates, i == shape.axis ? 0 : output, indices});
      if (i == shape.axis) move_.axis_stride_bytes = output;
      data *= shape.sizes[i];
      updates *= updated_[i];
      indices *= updated_[i];
      if (i == 1) {
        data += shape.input_gap * width;
        updates += shape.update_gap * width;
        indices += shape.index_gap * 4;
      }
      output *= shape.sizes[i] + (i + 1 == shape.sizes.size() ? shape.padding : 0);
    }
    copy_.loops =
        Loops(std::make_reverse_iterator(copies.end()), std::make_reverse_iterator(copies.begin()));
    move_.loops =
        Loops(std::make_reverse_iterator(moves.end()), std::make_reverse_iterator(moves.begin()));
    move_.gathers = false;
    move_.index_type = DataType::kInt32;
    move_.axis_size = static_cast<std::uint64_t>(shape.sizes[shape.axis]);
    input_bytes_ = data;
    update_bytes_ = updates;
    index_bytes_ = indices;
    output_bytes_ = output - shape.padding * width;
  }

  /// By the numbers of the first machine, or of that one.
  [[nodiscard]] ScatterPlan plan(std::size_t machine = 0) const {
    return {copy_, move_, shape_.axis, isa_, true, known_machines()[machine]};
  }

  void check(Random& random) const {
    const auto size = [](std::ptrdiff_t bytes) { return static_cast<std::size_t>(bytes); };
    const GuardedMemory input(size(input_bytes_), GuardSide::kBehind);
    const GuardedMemory updates(size(update_bytes_), GuardSide::kBehind);
    const GuardedMemory indices(size(index_bytes_), GuardSide::kBehind);
    const GuardedMemory output(size(output_bytes_), GuardSide::kBehind);
    fill_randomly(input.bytes(), random);
    fill_randomly(updates.bytes(), random);
    fill_randomly(output.bytes(), random);
    const std::vector<std::byte> before(output.bytes().begin(), output.bytes().end());
    std::vector<std::byte> expected = before;
    for_each_position(copy_.loops, [&](const Position& at) {
      std::memcpy(expected.data() + at.target, input.begin() + at.source, size(width_));
    });
    // Different places along each line of the axis, and some that lie outside.
    const std::ptrdiff_t axis = shape_.sizes[shape_.axis];
    Loops lines = move_.loops;
    const Loop along = lines[shape_.axis];
    lines[shape_.axis].count = 1;
    for_each_position(lines, [&](const Position& line) {
      const std::ptrdiff_t first = choose(random, 0, axis - 1);
      for (std::ptrdiff_t i = 0; i < along.count; ++i) {
        const std::ptrdiff_t place = (first + i * 7) % axis;
        auto index = static_cast<std::int32_t>(place);
        if (choose(random, 0, 1) == 0) index -= static_cast<std::int32_t>(axis);
        const bool outside = choose(random, 0, 9) == 0;
        if (outside)
          index += static_cast<std::int32_t>(choose(random, 0, 1) == 0 ? -2 : 2) *
                   static_cast<std::int32_t>(axis);
        std::memcpy(indices.begin() + line.index + i * along.index_stride, &index, sizeof index);
        if (!outside)
          std::memcpy(expected.data() + line.target + place * move_.axis_stride_bytes,
                      updates.begin() + line.source + i * along.source_stride, size(width_));
      }
    });
    for (const unsigned threads : {1U, 3U}) {
      std::copy(before.begin(), before.end(), output.begin());
      plan().execute(input.begin(), indices.begin(), updates.begin(), output.begin(), threads);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), output.begin())) << threads;
    }
  }

 private:
  ScatterShape shape_;
  std::ptrdiff_t width_;
  std::vector<std::ptrdiff_t> updated_;
  Isa isa_;
  AffineCopy copy_;
  IndexedMove move_{.width_bytes = 0, .loops = {}, .checked_indices = std::nullopt};
  std::ptrdiff_t input_bytes_, update_bytes_, index_bytes_, output_bytes_;
};

struct ScatterOrder {
  std::string_view name;
  ScatterShape shape;
  bool is_blocked;
  bool is_staged;
};

const ScatterOrder kScatterOrders[] = {
    {"Small", {{30, 40}, 1, 10}, false, false},
    {"FewUpdates", {{1000, 1001}, 1, 20}, false, false},
    {"BlocksOfRows", {{1001, 503}, 1, 100}, true, false},
    {"OneUpdateARow", {{1001, 503}, 1, 1}, false, false},
    {"BlocksOfTheSecondDimension", {{7, 3, 211, 300}, 2, 50}, true, false},
    {"ColumnsWithinBlocks", {{3, 1030, 512}, 1, 1030}, true, true},
    {"ColumnsOfALongAxis", {{701, 1024}, 0, 701}, true, true},
    {"ColumnsOfTwoDimensions", {{701, 8, 128}, 0, 701}, true, true},
    {"ColumnsOfOneOfTwoDimensions", {{701, 4, 256}, 0, 701, 128}, true, true},
    {"ColumnsWithGapsBehindRows", {{701, 1000}, 0, 701, 24}, true, true},
    {"LinesThatDoNotCrowd", {{701, 1000}, 0, 701}, false, false},
    {"NotEnoughUpdatesALine", {{701, 1024}, 0, 100}, false, false},
    {"LinesShorterThanTheCaches", {{300000, 2}, 0, 300000}, false, false},
    {"OneDimension", {{600000}, 0, 300000}, false, false},
    {"AnAxisOfOnePlace", {{1, 600000}, 0, 1}, true, false},
    {"OneLine", {{1, 600000}, 1, 300000}, false, false},
    {"GapsBetweenOutputs", {{701, 1024}, 0, 701, 0, 2}, false, false},
    {"GapsBetweenInputs", {{701, 1024}, 0, 701, 0, 1, 0, 0, 0, 2}, true, true},
    // Dimensions of which the copy is one loop, and the updates or their indices are two; and the
    // other way round.
    {"UpdatesInTwoLoops", {{70, 3, 21, 300}, 2, 5, 0, 1, 9, 0}, true, false},
    {"IndicesInTwoLoops", {{70, 3, 21, 300}, 2, 5, 0, 1, 0, 9}, true, false},
    {"InputInTwoLoops", {{70, 3, 21, 300}, 2, 5, 0, 1, 0, 0, 9}, true, false},
};

class ScatterOrders : public testing::TestWithParam<std::tuple<Isa, ScatterOrder>> {
 protected:
  void SetUp() override {
    if (!machine_has(isa())) GTEST_SKIP() << "this machine has no " << name(isa());
  }
  [[nodiscard]] static Isa isa() { return std::get<Isa>(GetParam()); }
  [[nodiscard]] static const ScatterOrder& order() { return std::get<ScatterOrder>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Isas, ScatterOrders,
                         testing::Combine(test::isas(), testing::ValuesIn(kScatterOrders)),
                         [](const testing::TestParamInfo<ScatterOrders::ParamType>& tested) {
                           return std::string(std::get<ScatterOrder>(tested.param).name) + "_" +
                                  std::string(name(std::get<Isa>(tested.param)));
                         });

TEST_P(ScatterOrders, MatchANaiveLoop) {
  Random random(6);
  for (const std::ptrdiff_t width : {1, 2, 4, 8}) {
    SCOPED_TRACE(width);
    Scattering(order().shape, width, isa()).check(random);
  }
}

TEST_P(ScatterOrders, AreChosenByShape) {
  const ScatterPlan plan = Scattering(order().shape, 4, isa()).plan();
  EXPECT_EQ(plan.is_blocked(), order().is_blocked);
  EXPECT_EQ(plan.is_staged(), order().is_staged);
  for (const std::size_t amd : {1U, 2U})
    EXPECT_FALSE(Scattering(order().shape, 4, isa()).plan(amd).is_staged());
}

class ScatterPlans : public test::EachIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, ScatterPlans, test::isas(), test::isa_name);

TEST_P(ScatterPlans, FewUpdatesIntoALargeTensorAreStreamed) {
  Random random(7);
  Scattering({{8500000}, 0, 3}, 4, GetParam()).check(random);
}

}  // namespace
}  // namespace opconform::optimized
