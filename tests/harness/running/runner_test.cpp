// The runner, with implementations that crash, hang and lie.

#include "harness/running/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "harness/base/bad_input.h"
#include "harness/running/expected_failures.h"
#include "harness/running/result_json.h"
#include "tests/harness/fake_backend.h"

namespace opconform::running {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::atomic<bool> kNeverStop = false;

RunOutcome run_isolated_on(test::FakeBackend::Execute execute, RunOptions options = {},
                           bool is_reference_beside = true) {
  auto backend = std::make_unique<test::FakeBackend>();
  backend->execute = std::move(execute);
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(std::move(backend));
  if (is_reference_beside) backends.push_back(backends::make_backend("reference"));
  const cases::Case first = test::padded_copy();
  const cases::Case second = test::overlapping_scatter();
  const std::vector<const cases::Case*> cases{&first, &second};
  options.isolate = true;
  return run(cases, backends, options, nullptr, kNeverStop);
}

/// The fake's two results have `verdict`, and the reference's pass beside them.
void expect_verdict(const RunOutcome& outcome, judging::Verdict verdict) {
  ASSERT_THAT(outcome.results, SizeIs(4));
  EXPECT_EQ(outcome.results[0].verdict, verdict) << outcome.results[0].message;
  EXPECT_EQ(outcome.results[1].verdict, judging::Verdict::kPass);
  EXPECT_EQ(outcome.results[2].verdict, verdict) << outcome.results[2].message;
  EXPECT_EQ(outcome.results[3].verdict, judging::Verdict::kPass);
}

TEST(Isolation, CrashIsTheVerdictOfItsCaseAndTheRunGoesOn) {
  const RunOutcome outcome = run_isolated_on([](const Operator&, Version, const Bindings&) {
    ::raise(SIGKILL);
    return std::optional<backends::Failure>();
  });
  expect_verdict(outcome, judging::Verdict::kCrash);
  EXPECT_THAT(outcome.results[0].message, HasSubstr("signal 9"));
}

TEST(Isolation, ExitInsideTheCodeUnderTestIsACrash) {
  const auto exits = [](int code) {
    return [code](const Operator&, Version, const Bindings&) -> std::optional<backends::Failure> {
      ::_exit(code);
    };
  };
  expect_verdict(run_isolated_on(exits(0)), judging::Verdict::kCrash);
  expect_verdict(run_isolated_on(exits(7)), judging::Verdict::kCrash);
}

TEST(Isolation, HangIsATimeout) {
  RunOptions options;
  options.timeout = std::chrono::milliseconds(100);
  options.jobs = 2;
  const RunOutcome outcome = run_isolated_on(
      [](const Operator&, Version, const Bindings&) -> std::optional<backends::Failure> {
        for (;;) ::pause();
      },
      options, /*is_reference_beside=*/false);  // on a busy machine, it may need longer as well
  ASSERT_THAT(outcome.results, SizeIs(2));
  for (const judging::CaseResult& result : outcome.results)
    EXPECT_EQ(result.verdict, judging::Verdict::kTimeout) << result.message;
}

TEST(Isolation, ExceptionIsACrash) {
  expect_verdict(run_isolated_on([](const Operator&, Version,
                                    const Bindings&) -> std::optional<backends::Failure> {
                   throw std::bad_alloc();
                 }),
                 judging::Verdict::kCrash);
}

TEST(Isolation, ACrashAfterOthersSaysThatItDependsOnThem) {
  // Four executions are more than a case has.
  const auto backend = [executed = 0](const Operator& op, Version version,
                                      const Bindings& bindings) mutable {
    if (++executed > 3) ::raise(SIGKILL);
    static const test::FakeBackend honest;
    return honest.honest(op, version, bindings);
  };
  const RunOutcome outcome = run_isolated_on(backend, {}, /*is_reference_beside=*/false);
  ASSERT_THAT(outcome.results, SizeIs(2));
  EXPECT_EQ(outcome.results[0].verdict, judging::Verdict::kPass) << outcome.results[0].message;
  EXPECT_EQ(outcome.results[1].verdict, judging::Verdict::kFlaky);
  EXPECT_THAT(outcome.results[1].message,
              HasSubstr("signal 9 (Killed); depends on what ran before it in the same process, 1 "
                        "other case: alone, the verdict is pass"));
}

TEST(Runner, WhatIsNotOursRunsInWorkersUnlessItMustNot) {
  const cases::Case tested = test::padded_copy();
  const std::vector<const cases::Case*> cases{&tested};
  for (const bool in_process : {false, true}) {
    const pid_t own = ::getpid();
    auto backend = std::make_unique<test::FakeBackend>();
    backend->wants_isolation = true;
    backend->execute = [own](const Operator&, Version, const Bindings&) {
      return std::optional(backends::Failure{"", ::getpid() == own ? "here" : "elsewhere"});
    };
    std::vector<std::unique_ptr<backends::Backend>> backends;
    backends.push_back(std::move(backend));
    RunOptions options;
    options.in_process = in_process;
    const RunOutcome outcome = run(cases, backends, options, nullptr, kNeverStop);
    ASSERT_THAT(outcome.results, SizeIs(1));
    EXPECT_THAT(outcome.results[0].message, HasSubstr(in_process ? "here" : "elsewhere"));
    EXPECT_FALSE(outcome.hangs);
  }
}

TEST(Runner, ACaseThatHangsInThisProcessIsLeft) {
  // The thread stays until the process ends, and so must what it uses.
  static std::atomic<bool> stop = false;
  static const auto& tested = *new cases::Case(test::padded_copy());
  static const auto& cases = *new std::vector<const cases::Case*>{&tested, &tested};
  static auto& backends = *new std::vector<std::unique_ptr<backends::Backend>>;
  auto backend = std::make_unique<test::FakeBackend>();
  backend->wants_isolation = true;
  backend->execute = [fake = backend.get(), executed = 0](const Operator& op, Version version,
                                                          const Bindings& bindings) mutable {
    if (++executed > 3) stop = true;
    while (stop) ::usleep(1000);
    return fake->honest(op, version, bindings);
  };
  backends.push_back(std::move(backend));
  RunOptions options;
  options.in_process = true;
  const RunOutcome outcome = run(cases, backends, options, nullptr, stop);
  EXPECT_TRUE(outcome.hangs);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_THAT(outcome.results, SizeIs(1));
}

TEST(Runner, OrderDoesNotDependOnJobs) {
  std::vector<cases::Case> cases;
  for (int i = 0; i < 40; ++i) {
    cases.push_back(test::padded_copy());
    cases.back().id += "-" + std::to_string(i);
  }
  const std::vector<const cases::Case*> selected = select(cases, {});
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(backends::make_backend("reference"));
  backends.push_back(backends::make_backend("optimized"));
  std::string first;
  for (const unsigned jobs : {1U, 2U, 7U}) {
    RunOptions options;
    options.jobs = jobs;
    std::size_t calls = 0;
    RunOutcome outcome = run(
        selected, backends, options, [&](const judging::CaseResult&) { ++calls; }, kNeverStop);
    EXPECT_EQ(calls, 80U);
    for (judging::CaseResult& result : outcome.results) {
      EXPECT_GT(result.seconds, 0);
      result.seconds = 0;
    }
    const std::string json = run_to_json(outcome, {}, {}, {}, 1).dump();
    if (first.empty()) first = json;
    EXPECT_EQ(json, first);
  }
}

TEST(Runner, StopKeepsWhatIsThere) {
  const cases::Case tested = test::padded_copy();
  const std::vector<const cases::Case*> cases(10, &tested);
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(backends::make_backend("reference"));
  for (const bool isolate : {false, true}) {
    std::atomic<bool> stop = false;
    std::size_t seen = 0;
    RunOptions options;
    options.isolate = isolate;
    const RunOutcome outcome = run(
        cases, backends, options, [&](const judging::CaseResult&) { stop = ++seen == 3; }, stop);
    EXPECT_TRUE(outcome.interrupted);
    EXPECT_THAT(outcome.results, SizeIs(3));
    EXPECT_EQ(run_to_json(outcome, {}, {}, {}, 1).at("interrupted"), true);
  }
}

TEST(Runner, BadCaseDoesNotHideGoodOnes) {
  const cases::Case good = test::padded_copy();
  cases::Case bad = test::padded_copy();
  bad.id = "bad";
  bad.inputs[0].kind = cases::Contents::Kind::kNone;
  const std::vector<const cases::Case*> cases{&bad, &good};
  std::vector<std::unique_ptr<backends::Backend>> backends;
  backends.push_back(backends::make_backend("reference"));
  backends.push_back(backends::make_backend("optimized"));
  for (const bool isolate : {false, true}) {
    RunOptions options;
    options.isolate = isolate;
    const RunOutcome outcome = run(cases, backends, options, nullptr, kNeverStop);
    EXPECT_THAT(outcome.bad_input, ElementsAre(HasSubstr("bad")));
    EXPECT_THAT(outcome.results, SizeIs(2));
  }
}

TEST(Selection, FiltersShardsAndLevels) {
  std::vector<cases::Case> cases;
  for (int i = 0; i < 10; ++i) {
    cases.push_back(test::padded_copy());
    cases.back().id = (i % 2 == 0 ? "even/" : "odd/") + std::to_string(i);
    cases.back().version = i < 5 ? Version(FeatureLevel::k3_0) : Version(FeatureLevel::k4_1);
  }
  EXPECT_THAT(select(cases, {.filters = {"even/*"}}), SizeIs(5));
  EXPECT_THAT(select(cases, {.filters = {"even/*", "*/3"}}), SizeIs(6));
  EXPECT_THAT(select(cases, {.filters = {"none"}}), IsEmpty());
  EXPECT_THAT(select(cases, {.at_most = FeatureLevel::k4_0}), SizeIs(5));
  std::size_t all = 0;
  for (std::size_t shard = 0; shard < 3; ++shard)
    all += select(cases, {.shard = shard, .shard_count = 3}).size();
  EXPECT_EQ(all, 10U);
}

class ExpectedFailuresTest : public ::testing::Test {
 protected:
  ExpectedFailures list_of(const std::string& text) {
    std::ofstream(path_) << text;
    return ExpectedFailures::read(path_);
  }
  ~ExpectedFailuresTest() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("opconform-expected-" + std::to_string(::getpid()));
};

judging::CaseResult result_of(std::string id, judging::Verdict verdict) {
  judging::CaseResult result;
  result.case_id = std::move(id);
  result.verdict = verdict;
  result.message = "why";
  return result;
}

TEST_F(ExpectedFailuresTest, TurnsKnownFailuresIntoXfail) {
  ExpectedFailures list = list_of("# known\n\n  a/* \t overlaps are dropped  \r\n");
  std::vector<judging::CaseResult> results{result_of("a/1", judging::Verdict::kMismatch),
                                           result_of("a/2", judging::Verdict::kPass),
                                           result_of("b/1", judging::Verdict::kCrash)};
  list.apply(results);
  EXPECT_EQ(results[0].verdict, judging::Verdict::kExpectedFailure);
  EXPECT_EQ(results[0].message, "overlaps are dropped [mismatch: why]");
  EXPECT_EQ(results[1].verdict, judging::Verdict::kPass);
  EXPECT_EQ(results[2].verdict, judging::Verdict::kCrash);
  EXPECT_THAT(list.stale({}, {}), IsEmpty());
}

TEST_F(ExpectedFailuresTest, GoesRedWhenStale) {
  std::vector<cases::Case> loaded{test::padded_copy()};
  loaded[0].id = "a/1";
  ExpectedFailures list = list_of("a/1 passes now\na/9 was renamed\n");
  std::vector<judging::CaseResult> results{result_of("a/1", judging::Verdict::kPass)};
  list.apply(results);
  EXPECT_THAT(list.stale(loaded, {}),
              ElementsAre(HasSubstr(":1: \"a/1\""), HasSubstr(":2: \"a/9\"")));

  ExpectedFailures not_selected = list_of("a/1 not run this time\n");
  std::vector<judging::CaseResult> none;
  not_selected.apply(none);
  EXPECT_THAT(not_selected.stale(loaded, {}), IsEmpty());
}

TEST_F(ExpectedFailuresTest, NamesWhatCampaignsFind) {
  ExpectedFailures list = list_of("fuzz/A-* one\nfuzz/B-crash two\n* three\nfuzz/A-x four\n");
  EXPECT_EQ(list.reason_of("fuzz/A-x"), "one");
  EXPECT_EQ(list.reason_of("fuzz/C-x"), std::nullopt);
  const std::vector<std::string> untested{"fuzz/B-"};
  EXPECT_THAT(list.stale_of_campaign({}), ElementsAre(HasSubstr(":2: \"fuzz/B-crash\"")));
  EXPECT_THAT(list.stale_of_campaign(untested), IsEmpty());
  EXPECT_THAT(list.stale({}, {}), ElementsAre(HasSubstr(":3: \"*\"")));
}

TEST_F(ExpectedFailuresTest, WantsAReason) {
  EXPECT_THROW(list_of("a/1\n"), base::BadInput);
  EXPECT_THROW(ExpectedFailures::read("/nonexistent"), base::BadInput);
}

TEST(ResultJson, CarriesAllOfAResultButTheEvidence) {
  judging::CaseResult result = result_of("a/1", judging::Verdict::kPass);
  result.backend = "fake";
  result.rule = "split.partition";
  result.repro = "again";
  result.weak = true;
  result.unnamed_rule = true;
  result.failed_execution = 3;
  result.seconds = 0.25;
  result.choices = {judging::Choice{1}};
  result.explained_by = {"one", "two"};
  result.picture = "drawn";
  const auto back = outcome_from_json(outcome_to_json({result, ""}).dump());
  ASSERT_TRUE(back && back->result);
  EXPECT_EQ(outcome_to_json(*back), outcome_to_json({result, ""}));
  EXPECT_THAT(back->result->explained_by, ElementsAre("one", "two"));
  EXPECT_EQ(back->result->choices, result.choices);
  EXPECT_TRUE(back->result->weak && back->result->unnamed_rule);
  EXPECT_EQ(back->result->failed_execution, 3U);
  EXPECT_EQ(back->result->seconds, 0.25);
  EXPECT_EQ(back->result->picture, "drawn");
  for (const char* own : {"explained_by", "failed_execution", "picture"})
    EXPECT_FALSE(result_to_json(result).contains(own)) << own << " is for nobody else";
}

TEST(ResultJson, TextOfAChildIsNotTrusted) {
  for (const char* text :
       {"", "[]", "{}", "{\"verdict\": 3}", "{\"verdict\": \"great\"}", "{\"verdict\": \"pass\""})
    EXPECT_FALSE(outcome_from_json(text)) << text;
  const judging::CaseResult result = result_of("a/1", judging::Verdict::kOtherRule);
  const auto back = outcome_from_json(outcome_to_json({result, ""}).dump());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->result->case_id, "a/1");
  EXPECT_EQ(back->result->verdict, judging::Verdict::kOtherRule);
}

}  // namespace
}  // namespace opconform::running
