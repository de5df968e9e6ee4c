#include "spec/rule.h"

#include <gmock/gmock.h>

#include <locale>
#include <sstream>

namespace opconform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(FieldPath, NamesTheField) { EXPECT_EQ(FieldPath{"InputTensor"}.text(), "InputTensor"); }

TEST(FieldPath, NamesThePlaceInAnArray) {
  const FieldPath path{"OutputTensors", 2};
  EXPECT_EQ(path.text(), "OutputTensors[2]");
  std::ostringstream text;
  text << path;
  EXPECT_EQ(text.str(), "OutputTensors[2]");
}

TEST(RuleKind, HasTheNameOfTheLedger) {
  EXPECT_EQ(name(RuleKind::kSemantics), "semantics");
  EXPECT_EQ(name(RuleKind::kConstraint), "constraint");
  EXPECT_EQ(name(RuleKind::kSupport), "support");
  EXPECT_EQ(name(RuleKind::kFreedom), "freedom");
  EXPECT_EQ(name(RuleKind::kMemory), "memory");
}

TEST(Violations, AreEmptyAtFirst) {
  const Violations violations;
  EXPECT_TRUE(violations.empty());
  EXPECT_THAT(violations.rules(), IsEmpty());
}

TEST(Violations, GoToTheRuleThatIsJudged) {
  Violations violations;
  violations.judge("some.rule");
  violations.add("Axis", "Axis is ", 4, ", but the rank is ", std::uint64_t{3});
  ASSERT_THAT(violations.list(), SizeIs(1));
  EXPECT_EQ(violations.list()[0].rule, "some.rule");
  EXPECT_EQ(violations.list()[0].field, "Axis");
  EXPECT_EQ(violations.list()[0].message, "Axis is 4, but the rank is 3");
  EXPECT_TRUE(violations.breaks("some.rule"));
  EXPECT_FALSE(violations.breaks("some"));
}

TEST(Violations, AreWrittenAlikeInEveryLocale) {
  struct Grouped : std::numpunct<char> {
    [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global({std::locale::classic(), new Grouped});
  Violations violations;
  violations.add(printed("Sizes[", 1000, "]"), "it is ", 1048576);
  std::locale::global(before);
  EXPECT_EQ(violations.list()[0].field, "Sizes[1000]");
  EXPECT_EQ(violations.list()[0].message, "it is 1048576");
}

TEST(Violations, AllFindingsAreKeptAndEachRuleIsNamedOnce) {
  Violations violations;
  violations.judge("b.rule");
  violations.add("x", "first");
  violations.add("y", "second");
  violations.judge("a.rule");
  violations.add("z", "third");
  EXPECT_THAT(violations.list(), SizeIs(3));
  EXPECT_THAT(violations.rules(), ElementsAre("a.rule", "b.rule"));
  violations.add_undecided("y", "last");
  EXPECT_EQ(violations.first_text(), "b.rule: first");
}

TEST(Violations, UndecidedIsNeitherValidNorBroken) {
  Violations violations;
  violations.judge("some.rule");
  violations.add_undecided("OutputTensor.Strides", "too long after ", 7, " steps");
  EXPECT_FALSE(violations.empty());
  EXPECT_FALSE(violations.breaks("some.rule"));
  EXPECT_THAT(violations.list(), IsEmpty());
  ASSERT_THAT(violations.undecided(), SizeIs(1));
  EXPECT_EQ(violations.undecided()[0].message, "too long after 7 steps");
  EXPECT_EQ(violations.first_text(), "some.rule: too long after 7 steps");
}

}  // namespace
}  // namespace opconform
