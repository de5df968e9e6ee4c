// What the committed cases owe the ledger: every rule shown, every constraint and support rule
// broken alone beside a valid twin, every erratum that is not a slip of language shown, no weak
// case without a reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <set>

#include "harness/running/runner.h"
#include "spec/validate.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

using Kind = cases::Expectation::Kind;

bool mentions(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool is_rejection(const cases::Case& one) { return one.expect.kind == Kind::kRejected; }
bool is_error(const cases::Case& one) { return one.expect.kind == Kind::kError; }

TEST(CommittedCases, AreReadable) { EXPECT_THAT(committed().bad_input, ::testing::IsEmpty()); }

TEST(CommittedCases, AreManyAndSaySomething) {
  EXPECT_GE(committed().cases.size(), 600U);
  for (const cases::Case& one : committed().cases) {
    EXPECT_FALSE(one.says.empty()) << one.id;
    EXPECT_FALSE(one.rules.empty()) << one.id;
    EXPECT_NE(one.expect.kind, Kind::kReference)
        << one.id << " leaves the judgement to the reference";
  }
}

TEST(CommittedCases, ShowEveryRule) {
  for (const RuleText& rule : all_rules()) {
    const auto shows = [&](const cases::Case& one) {
      return mentions(one.rules, rule.name) && !is_rejection(one);
    };
    EXPECT_TRUE(std::any_of(committed().cases.begin(), committed().cases.end(), shows))
        << rule.name;
  }
}

TEST(CommittedCases, BreakEachConstraintAloneBesideAValidTwin) {
  std::map<std::string, const cases::Case*> by_id;
  for (const cases::Case& one : committed().cases) by_id[one.id] = &one;
  for (const RuleText& rule : all_rules()) {
    if (rule.kind != RuleKind::kConstraint && rule.kind != RuleKind::kSupport) continue;
    const auto breaks_alone = [&](const cases::Case& one) {
      const std::vector<std::string> alone{std::string(rule.name)};
      const auto twin = by_id.find(one.twin);
      return (is_rejection(one) || is_error(one)) && one.expect.rules == alone &&
             twin != by_id.end() && twin->second->op.index() == one.op.index() &&
             !is_rejection(*twin->second) && !is_error(*twin->second);
    };
    EXPECT_TRUE(std::any_of(committed().cases.begin(), committed().cases.end(), breaks_alone))
        << rule.name;
  }
}

TEST(CommittedCases, HaveTwinsThatExistAndAreValid) {
  std::map<std::string, const cases::Case*> by_id;
  for (const cases::Case& one : committed().cases) by_id[one.id] = &one;
  for (const cases::Case& one : committed().cases) {
    if (one.twin.empty()) continue;
    const auto twin = by_id.find(one.twin);
    ASSERT_NE(twin, by_id.end()) << one.id << " names the twin " << one.twin;
    EXPECT_TRUE(validate(twin->second->op, twin->second->version).empty()) << one.twin;
    EXPECT_EQ(twin->second->file, one.file) << one.id << " and its twin should be read together";
  }
}

TEST(CommittedCases, ShowEveryErratum) {
  for (const Erratum& erratum : all_errata()) {
    if (erratum.editorial) continue;
    const auto shows = [&](const cases::Case& one) {
      return mentions(one.errata, erratum.name) && !is_rejection(one);
    };
    EXPECT_TRUE(std::any_of(committed().cases.begin(), committed().cases.end(), shows))
        << erratum.name;
  }
  // Where the printed text yields a descriptor that is rejected, a second case shows that too.
  for (const std::string_view name :
       {"scatter.example-2-sizes", "scatter.example-ranks", "scatter.off-axis-sizes",
        "slice1.max-copied-sign", "slice1.dimension-count-before-3_0", "strides.padding-size",
        "strides.packed-definition"}) {
    const auto rejects = [&](const cases::Case& one) {
      return mentions(one.errata, name) && is_rejection(one);
    };
    EXPECT_TRUE(std::any_of(committed().cases.begin(), committed().cases.end(), rejects)) << name;
  }
}

TEST(CommittedCases, RejectionsAreWhatTheValidatorSays) {
  for (const cases::Case& one : committed().cases) {
    const Violations violations = validate(one.op, one.version);
    const auto rules = violations.rules();
    const std::vector<std::string> found(rules.begin(), rules.end());
    EXPECT_EQ(found, is_rejection(one) ? one.expect.rules : std::vector<std::string>{}) << one.id;
  }
}

TEST(CommittedCases, NameEveryFeatureLevelTypeAndIndexType) {
  std::set<std::string> versions;
  std::map<std::size_t, std::set<DataType>> accepted_types;
  for (const cases::Case& one : committed().cases) {
    versions.insert(one.version.text());
    if (is_rejection(one)) continue;
    for_each_tensor(one.op, [&](const NamedTensor& tensor) {
      accepted_types[one.op.index()].insert(tensor.desc.data_type);
    });
  }
  for (const FeatureLevel level : kFeatureLevels)
    EXPECT_TRUE(versions.count(Version(level).text())) << Version(level).text();
  for (const OperatorText& op : all_operators()) {
    const std::size_t index = make_operator(op.name)->index();
    for (const DataType type : all_data_types()) {
      if (!op.support.back().tensors.front().data_types.contains(type)) continue;
      EXPECT_TRUE(accepted_types[index].count(type)) << op.name << " " << name(type, op.dialect);
    }
  }
}

TEST(CommittedCases, AreWeakOnlyWithAReason) {
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(backends::make_backend("reference"));
  const std::atomic<bool> stop = false;
  const running::RunOutcome outcome =
      running::run(running::select(committed().cases, {}), backends, {}, nullptr, stop);
  const auto has_one_place = [](const cases::Case& one) {
    const std::vector<NamedTensor> inputs = cases::TensorList(one.op).inputs;
    return std::all_of(inputs.begin(), inputs.end(), [](const NamedTensor& input) {
      return input.field.content == Content::kIndices || extent_elements(input.desc) == 1;
    });
  };
  std::map<std::string, const cases::Case*> by_id;
  for (const cases::Case& one : committed().cases) by_id[one.id] = &one;
  for (const judging::CaseResult& result : outcome.results)
    EXPECT_TRUE(!result.weak || has_one_place(*by_id.at(result.case_id))) << result.case_id;
}

}  // namespace
}  // namespace opconform::test
