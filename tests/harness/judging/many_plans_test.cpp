#include "harness/judging/many_plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "planted/registry.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::HasSubstr;

cases::Case window() {
  return test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "a/window", "says": "x",
      "rules": ["slice1.copy"], "feature_level": "3_0", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 9, 9],
                        "fill": {"pattern": "random", "seed": 3}},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 2]},
        "InputWindowOffsets": [0, 0, 3, 3], "InputWindowSizes": [1, 1, 4, 4],
        "InputWindowStrides": [1, 1, 2, 2]}}]})");
}

CaseResult checked(const std::string& backend, unsigned plans) {
  CheckOptions options;
  options.plans = plans;
  options.threads = {1};
  return check_case(window(), *planted::make_faulty("faulty:" + backend), options);
}

TEST(ManyPlans, RingsOverflowWithOnePlanMoreThanTheyHave) {
  EXPECT_EQ(checked("ring-of-eight-plans", 8).verdict, Verdict::kPass);
  const CaseResult nine = checked("ring-of-eight-plans", 9);
  EXPECT_EQ(nine.verdict, Verdict::kMismatch);
  EXPECT_EQ(nine.plans, 9U);
  EXPECT_THAT(nine.message, HasSubstr("with 9 plans at once"));
  EXPECT_EQ(checked("ring-of-sixteen-plans", 16).verdict, Verdict::kPass);
  EXPECT_EQ(checked("ring-of-sixteen-plans", kManyPlans).verdict, Verdict::kMismatch);
  EXPECT_EQ(checked("ring-of-thirty-two-plans", kManyPlans).verdict, Verdict::kMismatch);
}

TEST(ManyPlans, OfTablesThatMoveAreSeen) {
  EXPECT_EQ(checked("plan-table-grown", kManyPlans).verdict, Verdict::kMismatch);
  EXPECT_EQ(checked("hole-in-plan-table", kManyPlans).verdict, Verdict::kMismatch);
}

TEST(ManyPlans, EqualDescriptorsAreAccepted) {
  EXPECT_EQ(checked("equal-descriptor-rejected", kManyPlans).verdict, Verdict::kWrongRejection);
}

TEST(ManyPlans, OneIsNone) { EXPECT_EQ(checked("ring-of-eight-plans", 1).verdict, Verdict::kPass); }

}  // namespace
}  // namespace opconform::judging
