// Bits of combinations, against sets of combinations written down one by one.

#include "harness/generation/combinations.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/generation/generator.h"

namespace opconform::generation {
namespace {

using Combination = std::vector<std::pair<std::size_t, std::size_t>>;  // factor, value

/// Four factors; some values exclude each other, and one pair only through a third factor.
FactorModel small_model() {
  FactorModel model;
  model.add("a", {"0", "1", "2"});
  model.add("b", {"0", "1"});
  model.add("c", {"0", "1", "2", "3"});
  model.add("d", {"0", "1"});
  model.forbid(2, 3, "no-c3");
  model.forbid(0, 0, 1, 0, "no-a0-b0");
  // a=1 needs b=0 (from d's side): with d=1 neither value of b is left.
  model.forbid(0, 1, 1, 1, "no-a1-b1");
  model.forbid(1, 0, 3, 1, "no-b0-d1");
  return model;
}

std::vector<Assignment> all_complete(const FactorModel& model) {
  std::vector<Assignment> all{Assignment()};
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
    std::vector<Assignment> next;
    for (const Assignment& one : all)
      for (std::size_t value = 0; value < model.factors()[factor].values.size(); ++value) {
        next.push_back(one);
        next.back().set(factor, value);
      }
    all = std::move(next);
  }
  std::erase_if(all, [&](const Assignment& one) { return !model.is_feasible(one); });
  return all;
}

void add_combinations(const FactorModel& model, std::size_t strength, const Assignment& assignment,
                      std::set<Combination>& all) {
  for (std::uint32_t mask = 0; mask < std::uint32_t{1} << model.factors().size(); ++mask) {
    Combination combination;
    for (std::size_t i = 0; i < model.factors().size(); ++i)
      if ((mask >> i & 1) != 0) combination.emplace_back(i, assignment[i]);
    if (combination.size() == strength) all.insert(combination);
  }
}

class Strength : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Strength, CountsWhatASetOfCombinationsCounts) {
  const FactorModel model = small_model();
  const CombinationSpace space(model, GetParam());
  const std::vector<Assignment> complete = all_complete(model);
  std::set<Combination> feasible;
  for (const Assignment& one : complete) add_combinations(model, GetParam(), one, feasible);

  std::vector<std::uint64_t> words(space.word_count());
  std::set<Combination> covered;
  for (std::size_t i = 0; i < complete.size(); i += 5) {
    space.mark(complete[i], words);
    add_combinations(model, GetParam(), complete[i], covered);
    const CombinationCount count = space.count(words);
    EXPECT_EQ(count.feasible, feasible.size());
    EXPECT_EQ(count.covered, covered.size());
    std::uint64_t infeasible = 0;
    for (const auto& [rule, number] : count.infeasible) {
      EXPECT_TRUE(rule.starts_with("no-")) << rule;
      infeasible += number;
    }
    EXPECT_EQ(infeasible + count.feasible, space.bit_count());
  }

  std::set<Combination> missing;
  space.for_each_missing(words, [&](const Assignment& combination) {
    EXPECT_TRUE(model.is_feasible(combination));
    Combination one;
    for (std::size_t i = 0; i < model.factors().size(); ++i)
      if (combination.has(i)) one.emplace_back(i, combination[i]);
    EXPECT_FALSE(covered.contains(one));
    EXPECT_TRUE(missing.insert(one).second);
  });
  EXPECT_EQ(missing.size() + covered.size(), feasible.size());
}

TEST_P(Strength, SmallerStrengthsFollow) {
  const FactorModel model = small_model();
  const CombinationSpace space(model, GetParam());
  const std::vector<Assignment> complete = all_complete(model);
  for (std::size_t smaller = 1; smaller < GetParam(); ++smaller) {
    const CombinationSpace below(model, smaller);
    std::vector<std::uint64_t> words(space.word_count());
    std::vector<std::uint64_t> expected(below.word_count());
    for (std::size_t i = 0; i < complete.size(); i += 7) {
      space.mark(complete[i], words);
      below.mark(complete[i], expected);
    }
    std::vector<std::uint64_t> projected(below.word_count());
    space.project(words, below, projected);
    EXPECT_EQ(projected, expected) << smaller;
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, Strength, ::testing::Values(1, 2, 3, 4));

TEST(Combinations, StrengthsThatDoNotExist) {
  const FactorModel model = small_model();
  EXPECT_THROW(CombinationSpace(model, 0), std::out_of_range);
  EXPECT_THROW(CombinationSpace(model, 5), std::out_of_range);
  EXPECT_THROW(CombinationSpace(factor_model(0), 7), std::out_of_range);
}

TEST(Combinations, OfEachOperatorEveryInfeasiblePairNamesARule) {
  for (std::size_t op = 0; op < std::variant_size_v<Operator>; ++op) {
    const CombinationSpace space(factor_model(op), 2);
    const CombinationCount count = space.count(std::vector<std::uint64_t>(space.word_count()));
    EXPECT_EQ(count.covered, 0U);
    for (const auto& [rule, number] : count.infeasible) EXPECT_NE(find_rule(rule), nullptr) << rule;
  }
}

}  // namespace
}  // namespace opconform::generation
