// What is known of an implementation built in is found in it again behind the plug-in interface.

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "harness/backends/backend.h"
#include "harness/cases/case_reader.h"
#include "harness/judging/check.h"
#include "planted/registry.h"

namespace opconform::plugins {
namespace {

std::string plugin_with(const std::string& backend) {
  return "plugin:" OPCONFORM_SUITE_PLUGIN ",backend=" + backend;
}

/// The cases that the label smoke lists.
std::vector<cases::Case> smoke_cases() {
  const std::filesystem::path folder = OPCONFORM_SOURCE_DIR "/spec_cases";
  std::ifstream list(folder / "smoke.label");
  std::set<std::filesystem::path> files;
  std::set<std::string> ids;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line.front() == '#') continue;
    files.insert(folder / line.substr(0, line.find(' ')));
    ids.insert(line.substr(line.find(' ') + 1));
  }
  std::vector<cases::Case> cases =
      cases::load_cases({files.begin(), files.end()}, [] { return true; }).cases;
  std::erase_if(cases, [&](const cases::Case& one) { return !ids.contains(one.id); });
  return cases;
}

/// All that is said of a case but who is said it of.
std::string verdict_text(const judging::CaseResult& result) {
  std::string text = std::string(judging::name(result.verdict)) + " " + result.rule + " " +
                     result.message + (result.weak ? " weak" : "");
  for (const judging::Choice choice : result.choices)
    text += " " + std::string(judging::text(choice).name);
  return text;
}

TEST(Plugin, PlantedBugsGetTheVerdictsThatTheyGetBuiltIn) {
  const std::vector<cases::Case> cases = smoke_cases();
  ASSERT_THAT(cases, testing::SizeIs(testing::Gt(100U)));
  int compared = 0;
  for (const planted::Planted& planted : planted::all_planted()) {
    if (planted.kind == planted::Kind::kBehaviour) continue;  // they end this process
    const std::string name = "faulty:" + std::string(planted.row->name);
    const auto built_in = planted::make_faulty(*planted.row);
    const auto plugged_in = backends::make_backend(plugin_with(name));
    judging::CheckOptions options;
    options.guard = base::Guard::kCanary;
    for (const cases::Case& one : cases) {
      EXPECT_EQ(verdict_text(judging::check_case(one, *built_in, options)),
                verdict_text(judging::check_case(one, *plugged_in, options)))
          << name << ": " << one.id;
      ++compared;
    }
  }
  EXPECT_GT(compared, 225 * 100);
}

TEST(Plugin, SaysWhatItIs) {
  const auto backends = backends::make_backends(plugin_with("optimized"));
  ASSERT_THAT(backends, testing::SizeIs(1));
  EXPECT_EQ(backends[0]->implementation(), "suite 1");
  EXPECT_TRUE(backends[0]->needs_isolation());
  EXPECT_FALSE(backends[0]->names_rules());
}

}  // namespace
}  // namespace opconform::plugins
