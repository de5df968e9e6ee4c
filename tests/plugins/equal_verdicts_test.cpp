// What is known of an implementation built in is found in it again behind the plug-in interface,
// and behind a pipe.

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "harness/backends/backend.h"
#include "harness/backends/spoiled.h"
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
    options.threads = {1};  // what several do is not always the same
    EXPECT_EQ(built_in->at_once(), plugged_in->at_once()) << name;
    for (const cases::Case& one : cases) {
      EXPECT_EQ(verdict_text(judging::check_case(one, *built_in, options)),
                verdict_text(judging::check_case(one, *plugged_in, options)))
          << name << ": " << one.id;
      ++compared;
    }
  }
  EXPECT_GT(compared, 225 * 100);
}

// What a pipe cannot show (docs/protocol.md).
const std::set<std::string_view> kUnseenBehindAPipe{
    // In memory of the program's own: a pass, or a crash of the program.
    "reads-behind-input", "reads-before-input", "reads-before-input-of-15-bytes",
    "reads-31-bytes-behind-input", "tail-written-back", "head-written-back",
    "input-changed-and-restored", "writes-65-bytes-behind", "writes-byte-behind",
    "writes-byte-before", "writes-behind", "works-in-the-input", "changes-input-behind-64-kib",
    "negative-indices-resolved-in-place",
    // By where the host's buffers lie.
    "only-aligned-bases", "outputs-of-first-execution", "inputs-of-first-execution",
    // By what the host does to a descriptor that is in use: the program has its own.
    "descriptor-not-copied", "last-prepared-in-force",
    // By other plans, of which a program has none beside the one at hand.
    "plan-cache-without-offset", "plan-cache-without-window", "plan-cache-without-stride",
    "predecessor-where-offset-differs", "plan-cache-without-axis",
    "plan-cache-without-input-strides", "plan-cache-without-output-strides",
    "plan-cache-without-type", "plan-cache-without-index-type", "plan-cache-without-level",
    "plan-memory-of-released", "state-of-last-executed", "ring-of-eight-plans",
    "ring-of-sixteen-plans", "ring-of-thirty-two-plans", "plan-table-grown", "hole-in-plan-table",
    "equal-descriptor-rejected"};
const std::set<std::string_view> kSeenOtherwiseBehindAPipe{
    // Crash, not missed-rejection: what should have been rejected is executed, with zeros.
    "rank-0-accepted", "gather-of-a-scalar", "scatter-axis-equal-to-rank",
    "join-axis-equal-to-rank"};

using Judged = std::pair<judging::Verdict, std::string>;  // with the rule

Judged judged(const cases::Case& one, backends::Backend& backend) {
  try {
    const judging::CaseResult result = judging::check_case(one, backend, {.threads = {1}});
    return {result.verdict, result.rule};
  } catch (const backends::Lost&) {
    return {judging::Verdict::kCrash, ""};
  }
}

TEST(Program, PlantedBugsGetTheVerdictsThatTheyGetBuiltInAsFarAsAPipeShowsThem) {
  const std::vector<cases::Case> cases = smoke_cases();
  std::set<std::string_view> tried;
  for (const planted::Planted& planted : planted::all_planted()) {
    if (planted.kind == planted::Kind::kBehaviour) continue;  // misbehaving.py has its own
    const std::string_view bug = planted.row->name;
    tried.insert(bug);
    const auto built_in = planted::make_faulty(*planted.row);
    const auto piped =
        backends::make_backend("process:'" OPCONFORM_ANSWERING "' faulty:" + std::string(bug));
    bool differs = false;
    for (const cases::Case& one : cases) {
      const Judged was = judged(one, *built_in);
      const Judged is = judged(one, *piped);
      if (was == is) continue;
      differs = true;
      EXPECT_TRUE(kUnseenBehindAPipe.contains(bug) ||
                  (kSeenOtherwiseBehindAPipe.contains(bug) && judging::is_nonconformance(is.first)))
          << bug << ": " << one.id << ": " << judging::name(was.first) << " of " << was.second
          << " is " << judging::name(is.first) << " of " << is.second;
    }
    EXPECT_EQ(differs, kUnseenBehindAPipe.contains(bug) || kSeenOtherwiseBehindAPipe.contains(bug))
        << bug;
  }
  EXPECT_THAT(tried, testing::SizeIs(testing::Gt(200U)));
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
