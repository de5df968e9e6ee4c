// The search for what failures have in common: on traits made by hand, then on planted bugs.

#include "harness/diagnosis/common_denominator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "harness/cases/case_reader.h"
#include "harness/diagnosis/trait_values.h"
#include "harness/judging/check.h"
#include "planted/registry.h"

namespace opconform::test {
namespace {

using diagnosis::describe_common;
using diagnosis::Description;
using diagnosis::kNobody;
using diagnosis::Topic;
using diagnosis::Trait;
using diagnosis::Traits;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

template <class Value>
Trait trait(Topic topic, Value value, std::string_view field = "") {
  return {topic, field.empty() ? kNobody : diagnosis::subject_of(field),
          static_cast<std::int64_t>(value)};
}
Trait slice1() { return trait(Topic::kOperator, Operator(Slice1()).index()); }
Trait split() { return trait(Topic::kOperator, Operator(Split()).index()); }
Trait scatter() { return trait(Topic::kOperator, Operator(Scatter()).index()); }
Trait join() { return trait(Topic::kOperator, Operator(DmlJoin()).index()); }
Trait stride(std::int64_t value) {
  return trait(Topic::kWindowStride, value, "InputWindowStrides");
}
Trait elements(std::int64_t value) { return trait(Topic::kElements, value, "OutputTensor"); }

Traits case_with(std::vector<Trait> traits) {
  std::sort(traits.begin(), traits.end());
  return traits;
}

Description describe(const std::vector<Traits>& failing, const std::vector<Traits>& passing) {
  std::vector<const Traits*> failures;
  std::vector<const Traits*> passes;
  for (const Traits& one : failing) failures.push_back(&one);
  for (const Traits& one : passing) passes.push_back(&one);
  return describe_common(failures, passes);
}

TEST(CommonDenominator, IsWhatTellsFailuresFromPasses) {
  const Description found = describe(
      {case_with({slice1(), stride(1), stride(-2)}), case_with({slice1(), stride(-1)})},
      {case_with({slice1(), stride(1)}), case_with({slice1(), stride(3)}), case_with({split()})});
  EXPECT_THAT(found.conditions, ElementsAre("DML_SLICE1", "some InputWindowStrides[i] < 0"));
  EXPECT_EQ(found.text(), "DML_SLICE1, some InputWindowStrides[i] < 0");
  EXPECT_EQ(found.failing, 2U);
  EXPECT_EQ(found.failing_all, 2U);
  EXPECT_EQ(found.passing, 0U);
  EXPECT_EQ(found.passing_all, 3U);
}

TEST(CommonDenominator, TakesThresholdsFromTheFailures) {
  const Description found =
      describe({case_with({slice1(), elements(70)}), case_with({slice1(), elements(65)})},
               {case_with({slice1(), elements(64)}), case_with({slice1(), elements(3)})});
  EXPECT_EQ(found.text(), "DML_SLICE1, elements of OutputTensor > 64");
  EXPECT_EQ(found.passing, 0U);
}

TEST(CommonDenominator, JoinsConditions) {
  const Trait is_wide = trait(Topic::kWidth, 8);
  const Trait is_narrow = trait(Topic::kWidth, 4);
  const Description found = describe(
      {case_with({slice1(), is_wide, stride(-1)}), case_with({slice1(), is_wide, stride(-4)})},
      {case_with({slice1(), is_narrow, stride(-1)}), case_with({slice1(), is_wide, stride(1)})});
  EXPECT_EQ(found.text(), "DML_SLICE1, elements of 8 bytes, some InputWindowStrides[i] < 0");
  EXPECT_EQ(found.passing, 0U);
}

/// Nobody has to be told twice.
TEST(CommonDenominator, LeavesOutWhatExcludesNothingMore) {
  const Trait is_float = trait(Topic::kKind, DataTypeKind::kFloat);
  const Description found =
      describe({case_with({split(), is_float, elements(9)})}, {case_with({split(), elements(2)})});
  EXPECT_THAT(found.conditions, ElementsAre("DML_SPLIT", "floats"));
}

TEST(CommonDenominator, OfTwoThatSeparateAlikeIsThePlainer) {
  // A field before a role, a width before an extent.
  Trait of_role = elements(9);
  of_role.subject = diagnosis::kOutputs;
  EXPECT_EQ(describe({case_with({split(), of_role, elements(9)})}, {case_with({split()})}).text(),
            "DML_SPLIT, elements of OutputTensor > 8");
  const Trait extent = trait(Topic::kExtent, 12, "OutputTensor");
  EXPECT_EQ(
      describe({case_with({split(), extent, trait(Topic::kWidth, 2)})}, {case_with({split()})})
          .text(),
      "DML_SPLIT, elements of 2 bytes");
}

TEST(CommonDenominator, NamesAFewOperators) {
  const Description found =
      describe({case_with({scatter(), elements(1)}), case_with({split(), elements(2)})},
               {case_with({slice1(), elements(1)}), case_with({join(), elements(2)})});
  EXPECT_THAT(found.conditions, ElementsAre("DML_SCATTER or DML_SPLIT"));
  EXPECT_EQ(found.passing, 0U);
}

TEST(CommonDenominator, OfOneFailureIsShort) {
  const Description found =
      describe({case_with({slice1(), stride(-2), elements(17), trait(Topic::kWidth, 8)})},
               {case_with({slice1(), stride(1), elements(5), trait(Topic::kWidth, 8)})});
  EXPECT_EQ(found.text(), "DML_SLICE1, some InputWindowStrides[i] <= -2");
}

TEST(CommonDenominator, NeedsNoPasses) {
  const Description found = describe({case_with({slice1(), stride(-2)})}, {});
  EXPECT_EQ(found.text(), "DML_SLICE1");
  EXPECT_EQ(found.failing, 1U);
  EXPECT_EQ(found.passing_all, 0U);
}

TEST(CommonDenominator, OfNothingIsNothing) {
  const Description found = describe({}, {case_with({slice1()})});
  EXPECT_THAT(found.conditions, IsEmpty());
  EXPECT_EQ(found.failing_all, 0U);
  EXPECT_EQ(describe({}, {}).text(), "all cases");
  EXPECT_EQ(describe({case_with({slice1()}), case_with({split()})}, {}).text(), "all cases");
}

/// What no condition tells apart is told by the counts.
TEST(CommonDenominator, ClaimsNothingWhereCasesAreAlike) {
  const Traits alike = case_with({slice1(), stride(-1)});
  const Description found = describe({alike, alike}, {alike, alike, alike});
  EXPECT_EQ(found.text(), "DML_SLICE1");
  EXPECT_EQ(found.failing, 2U);
  EXPECT_EQ(found.passing, 3U);
}

TEST(CommonDenominator, MayLeaveOutAFewFailures) {
  std::vector<Traits> failing(30, case_with({slice1(), stride(-1)}));
  failing.push_back(case_with({slice1(), stride(1)}));
  const Description found =
      describe(failing, std::vector<Traits>(50, case_with({slice1(), stride(1)})));
  EXPECT_EQ(found.text(), "DML_SLICE1, some InputWindowStrides[i] < 0");
  EXPECT_EQ(found.failing, 30U);
  EXPECT_EQ(found.failing_all, 31U);
  EXPECT_EQ(found.passing, 0U);
}

/// Of many, it may not: better to hold for all failures and for some passes.
TEST(CommonDenominator, LeavesOutNoThirdOfTheFailures) {
  const Traits floats = case_with({slice1(), trait(Topic::kKind, DataTypeKind::kFloat)});
  const Traits bools = case_with({slice1(), trait(Topic::kKind, DataTypeKind::kBool)});
  std::vector<Traits> failing(20, floats);
  failing.insert(failing.end(), 10, bools);
  const Description found = describe(failing, std::vector<Traits>(20, bools));
  EXPECT_EQ(found.text(), "DML_SLICE1");
  EXPECT_EQ(found.failing, 30U);
  EXPECT_EQ(found.passing, 20U);
}

/// Two bugs in one group: what is said is what they share.
TEST(CommonDenominator, OfUnlikeHalvesIsWhatTheyShare) {
  std::vector<Traits> failing(10, case_with({slice1(), trait(Topic::kWidth, 8), stride(-1)}));
  failing.insert(failing.end(), 10, case_with({slice1(), trait(Topic::kWidth, 8), elements(9)}));
  const Description found = describe(
      failing, std::vector<Traits>(20, case_with({slice1(), trait(Topic::kWidth, 4), stride(-1)})));
  EXPECT_EQ(found.text(), "DML_SLICE1, elements of 8 bytes");
  EXPECT_EQ(found.failing, 20U);
}

TEST(CommonDenominator, HasFourConditionsBesideTheOperator) {
  std::vector<Trait> all{slice1()};
  const std::vector<Topic> topics{Topic::kWidth, Topic::kRank,       Topic::kAxis,
                                  Topic::kKind,  Topic::kBehindAxis, Topic::kAxisForm};
  for (const Topic topic : topics) all.push_back(trait(topic, 1));
  std::vector<Traits> passing;  // each lacks one
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::vector<Trait> most = all;
    most.erase(most.begin() + static_cast<std::ptrdiff_t>(i));
    passing.push_back(case_with(most));
  }
  const Description found = describe({case_with(all)}, passing);
  EXPECT_THAT(found.conditions, SizeIs(5));
  EXPECT_EQ(found.passing, 2U);
}

TEST(CommonDenominator, DoesNotDependOnTheOrderOfCases) {
  std::mt19937 random(1);
  const auto number = [&](int most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  std::vector<Traits> failing;
  std::vector<Traits> passing;
  for (int i = 0; i < 300; ++i) {
    Traits one = case_with({slice1(), stride(number(4) - 2), elements(number(9)),
                            trait(Topic::kWidth, number(3)), trait(Topic::kRank, number(5)),
                            trait(Topic::kAxis, number(5))});
    (number(3) == 0 ? failing : passing).push_back(std::move(one));
  }
  const Description first = describe(failing, passing);
  EXPECT_FALSE(first.conditions.empty());
  for (int i = 0; i < 5; ++i) {
    std::shuffle(failing.begin(), failing.end(), random);
    std::shuffle(passing.begin(), passing.end(), random);
    const Description again = describe(failing, passing);
    EXPECT_EQ(again.conditions, first.conditions);
    EXPECT_EQ(again.failing, first.failing);
    EXPECT_EQ(again.passing, first.passing);
  }
}

// --- Planted bugs -----------------------------------------------------------

class DenominatorsOfPlantedBugs : public testing::Test {
 protected:
  DenominatorsOfPlantedBugs() {
    const std::string folder = OPCONFORM_SPEC_CASES_DIR;
    loaded_ = cases::load_cases({folder + "/slice1", folder + "/split"});
    for (const cases::Case& one : loaded_.cases) traits_.push_back(diagnosis::traits_of(one));
  }

  /// Of all the cases that the bug fails. Cases of operators that it does not concern pass.
  Description describe_bug(std::string_view name) {
    const auto& all = planted::all_planted();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const planted::Planted& one) { return one.row->name == name; });
    const auto backend = planted::make_faulty(*found->row);
    std::vector<const Traits*> failing;
    std::vector<const Traits*> passing;
    for (std::size_t i = 0; i < traits_.size(); ++i) {
      const cases::Case& one = loaded_.cases[i];
      const bool fails = (found->row->operators >> one.op.index() & 1U) != 0 &&
                         judging::is_nonconformance(judging::check_case(one, *backend, {}).verdict);
      (fails ? failing : passing).push_back(&traits_[i]);
    }
    return describe_common(failing, passing);
  }

  cases::LoadedCases loaded_;
  std::vector<Traits> traits_;
};

TEST_F(DenominatorsOfPlantedBugs, AreWhatTheBugsSay) {
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"reversed-start-off-by-one", "DML_SLICE1, valid, some InputWindowStrides[i] < 0"},
      {"partial-window-from-its-end",
       "DML_SLICE1, valid, some window of more elements than the output takes"},
      {"slice1-rank-5-refused-at-2_1", "DML_SLICE1, valid, feature level 2_1, rank 5"},
      {"outputs-beyond-eight-unwritten", "DML_SPLIT, valid, OutputCount > 8"},
      {"split-of-less-than-all",
       "DML_SPLIT, breaks split.sizes-sum, OutputTensors of too few elements along the axis"},
      {"64-bit-halves-swapped", "valid, elements of 8 bytes"},
  };
  for (const auto& [bug, text] : expected) {
    const Description found = describe_bug(bug);
    EXPECT_EQ(found.text(), text) << bug;
    EXPECT_GT(found.failing, 0U) << bug;
    EXPECT_EQ(found.failing, found.failing_all) << bug;
    EXPECT_LE(found.passing * 20, found.failing) << bug;
  }
}

}  // namespace
}  // namespace opconform::test
