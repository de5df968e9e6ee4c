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
    bugs += std::size_t{planted.kind == planted::Kind::kBug};
  }
  EXPECT_GE(bugs, 60U);
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
      EXPECT_TRUE(differential.refuses(made.generated, made.rule)) << "case " << number;
    } else if (!differential.agrees_on_valid(made.generated)) {
      const judging::CaseResult result = differential.judge_valid(made.generated);
      EXPECT_EQ(result.verdict, judging::Verdict::kPass)
          << "case " << number << ": " << result.message;
    }
  }
}

}  // namespace
}  // namespace opconform::test
