#include "harness/generation/covering_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/generation/combinations.h"

namespace opconform::generation {
namespace {

FactorModel constrained_model() {
  FactorModel model;
  model.add("a", {"0", "1", "2"});
  model.add("b", {"0", "1"});
  model.add("c", {"0", "1", "2", "3"});
  model.add("d", {"0", "1"});
  model.forbid(0, 2, 1, 1, "rule-of-two");
  model.forbid(2, 3, "never");
  return model;
}

CombinationCount count_triples(const FactorModel& model, std::span<const Assignment> held) {
  const CombinationSpace space(model, 3);
  std::vector<std::uint64_t> words(space.word_count());
  for (const Assignment& assignment : held) space.mark(assignment, words);
  return space.count(words);
}

TEST(CoveringArray, HoldsEveryFeasibleTripleAndNothingElse) {
  const FactorModel model = constrained_model();
  const std::vector<Assignment> array = cover_triples(model, {}, 1);
  for (const Assignment& assignment : array) EXPECT_TRUE(model.is_feasible(assignment));
  const CombinationCount count = count_triples(model, array);
  EXPECT_EQ(count.covered, count.feasible);
  // By hand: a x b leaves 5 of 6; with the 3 values of c, 15; a, c, d: 18; a, b, d: 10; b, c,
  // d: 12.
  EXPECT_EQ(count.feasible, 15U + 18U + 10U + 12U);
  // No fewer than the largest three factors need, and not the 30 assignments that there are.
  EXPECT_GE(array.size(), 18U);
  EXPECT_LE(array.size(), 24U);
}

TEST(CoveringArray, AddsOnlyWhatIsMissing) {
  const FactorModel model = constrained_model();
  std::vector<Assignment> array = cover_triples(model, {}, 1);
  EXPECT_THAT(cover_triples(model, array, 2), ::testing::IsEmpty());
  array.pop_back();
  const std::vector<Assignment> added = cover_triples(model, array, 3);
  ASSERT_THAT(added, ::testing::Not(::testing::IsEmpty()));
  EXPECT_LE(added.size(), 4U);  // a triple at least that only the last one held, four at most
  array.insert(array.end(), added.begin(), added.end());
  const CombinationCount count = count_triples(model, array);
  EXPECT_EQ(count.covered, count.feasible);
}

TEST(CoveringArray, IsAFunctionOfItsArguments) {
  const FactorModel model = constrained_model();
  EXPECT_EQ(cover_triples(model, {}, 7), cover_triples(model, {}, 7));
}

}  // namespace
}  // namespace opconform::generation
