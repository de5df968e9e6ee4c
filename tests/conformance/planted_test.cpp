// The registry, and that what its bugs are planted in is right by itself.

#include "planted/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/campaigns/case_source.h"
#include "harness/running/differential.h"

namespace opconform::test {
namespace {

TEST(FaultyBackends, RowsAreComplete) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  std::size_t bugs = 0;
  for (const planted::Planted& planted : planted::all_planted()) {
    const planted::Row& row = *planted.row;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(sentences.insert(row.says).second) << row.says;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-"),
              std::string_view::npos)
        << row.name;
    EXPECT_FALSE(row.says.empty()) << row.name;
    EXPECT_NE(row.operators, 0U) << row.name;
    EXPECT_TRUE(row.label.empty() || cases::is_case_label(row.label)) << row.name;
    bugs += std::size_t{planted.kind == planted::Kind::kBug};
  }
  EXPECT_GE(bugs, 60U);
}

TEST(FaultyBackends, BugsAloneNameRulesThatTheyBreak) {
  for (const planted::Planted& planted : planted::all_planted()) {
    const planted::Row& row = *planted.row;
    const std::vector<std::string_view> rules = planted::rules_of(row);
    EXPECT_EQ(rules.empty(), planted.kind != planted::Kind::kBug) << row.name;
    EXPECT_EQ(std::set(rules.begin(), rules.end()).size(), rules.size()) << row.name;
    for (const std::string_view rule : rules)
      EXPECT_NE(find_rule(rule), nullptr) << row.name << ": " << rule;
  }
}

TEST(FaultyBackends, BugsNameRulesOfEachOfTheirOperatorsAndOfNoOther) {
  const std::vector<OperatorText> operators = all_operators();
  for (const planted::Planted& planted : planted::all_planted()) {
    if (planted.kind != planted::Kind::kBug) continue;
    const planted::Row& row = *planted.row;
    std::set<std::string_view> prefixes;
    for (const std::string_view rule : planted::rules_of(row))
      prefixes.insert(rule.substr(0, rule.find('.')));
    const bool is_of_tensors = prefixes.erase("tensor") != 0;
    for (std::size_t place = 0; place < operators.size(); ++place) {
      const bool concerns = (row.operators >> place & 1U) != 0;
      const bool has_own = prefixes.erase(operators[place].prefix) != 0;
      EXPECT_TRUE(concerns ? has_own || is_of_tensors : !has_own)
          << row.name << ": " << operators[place].name;
    }
    EXPECT_TRUE(prefixes.empty()) << row.name;
  }
}

TEST(FaultyBackends, AreFoundByName) {
  for (const planted::Planted& planted : planted::all_planted()) {
    const std::string name = "faulty:" + std::string(planted.row->name);
    const std::unique_ptr<backends::Backend> backend = planted::make_faulty(name);
    ASSERT_NE(backend, nullptr) << name;
    EXPECT_EQ(backend->name(), name);
  }
  for (const std::string_view name : {"plain", "faulty:", "faulty:no-such-bug", "reference", ""})
    EXPECT_EQ(planted::make_faulty(name), nullptr) << name;
}

TEST(FaultyBackends, ThePlainImplementationIsRight) {
  const std::unique_ptr<backends::Backend> plain = planted::make_faulty("faulty:plain");
  const campaigns::CaseSource source({});
  running::Differential differential(*plain);
  campaigns::SourcedCase made;
  for (std::uint64_t number = 0; number < 5000; ++number) {
    source.make(number, made);
    if (made.kind == campaigns::CaseKind::kBroken) {
      EXPECT_TRUE(differential.rejects(made.generated, made.rule)) << "case " << number;
    } else if (!differential.agrees_on_valid(made.generated)) {
      const judging::CaseResult result = differential.judge_valid(made.generated);
      EXPECT_EQ(result.verdict, judging::Verdict::kPass)
          << "case " << number << ": " << result.message;
    }
  }
}

}  // namespace
}  // namespace opconform::test
