// Generated cases through reference and optimized: the whole memory must come out the same.

#include "harness/running/differential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "tests/effort.h"
#include "tests/harness/choices.h"
#include "tests/harness/fake_backend.h"
#include "tests/harness/running/differential_cases.h"

namespace opconform::running {
namespace {

constexpr std::uint64_t kCases = test::draws(200'000);

TEST(Differential, OptimizedAgreesWithTheReference) {
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  Differential differential(*optimized);
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const generation::Generated generated = generated_case(i);
    if (differential.agrees_on_valid(generated)) continue;
    const cases::Case found =
        generation::case_of(generated, differential.pristine(), "generated/" + std::to_string(i));
    const judging::CaseResult result = judging::check_case(found, *optimized, {});
    EXPECT_EQ(result.verdict, judging::Verdict::kPass)
        << result.message << "\n"
        << cases::pretty(cases::cases_to_json({&found, 1}, ""));
  }
}

TEST(Differential, OptimizedRejectsExactlyTheBrokenRule) {
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  Differential differential(*optimized);
  for (std::uint64_t i = 0; i < kCases / 4; ++i) {
    generation::Generated generated = generated_case(i);
    generation::RandomDraws draws(i);
    const std::vector<std::string_view> rules = generation::breakable_rules(generated.op.index());
    const std::string_view rule = rules[draws.below(rules.size())];
    if (generation::break_rule(rule, draws, generated)) {
      ASSERT_TRUE(differential.rejects(generated, rule)) << i << " " << rule;
    }
  }
}

TEST(Differential, OneOfEightPlansIsExecutedTwice) {
  test::FakeBackend counting;
  std::size_t executions = 0;
  counting.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    ++executions;
    return counting.honest(op, version, bindings);
  };
  Differential differential(counting);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const generation::Generated generated = generated_case(i);
    executions = 0;
    EXPECT_TRUE(differential.agrees_on_valid(generated)) << i;
    EXPECT_EQ(executions, generated.contents.seed % 8 == 0 ? 2U : 1U) << i;
  }
}

TEST(Differential, EachFaultGetsItsVerdict) {
  const generation::Generated generated = split_case();
  test::FakeBackend faulty;
  std::function<void(const Bindings&)> spoil;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    spoil(bindings);
    return failure;
  };
  spoil = [](const Bindings& bindings) { bindings.outputs[0][0] ^= std::byte{1}; };
  judging::CaseResult result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kMismatch);
  EXPECT_EQ(result.backend, "fake");
  EXPECT_NE(result.message.find("OutputTensors[0]["), std::string::npos) << result.message;

  spoil = [](const Bindings& bindings) {
    const_cast<std::byte&>(bindings.inputs[0][0]) ^= std::byte{1};
  };
  result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kMemoryFault);
  EXPECT_EQ(result.rule, "tensor.input-intact");
  EXPECT_NE(result.message.find("byte 0 of InputTensor "), std::string::npos) << result.message;

  faulty.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"gather.index-range", "I would rather not"};
  };
  result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kWrongError);
  EXPECT_EQ(result.rule, "gather.index-range");

  faulty.execute = [](const Operator&, Version,
                      const Bindings&) -> std::optional<backends::Failure> {
    throw std::runtime_error("on fire");
  };
  result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kCrash);
  EXPECT_NE(result.message.find("on fire"), std::string::npos);

  faulty.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"split.support"}, ""};
  };
  result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kWrongRejection);
  EXPECT_EQ(result.backend, "fake");
  EXPECT_EQ(result.rule, "split.support");
  faulty.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "not today"};
  };
  EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kUnsupported);
}

TEST(Differential, ErrorsAgreeByTheirRule) {
  const generation::Generated generated = failing_gather_case();
  test::FakeBackend faulty;
  faulty.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"scatter.index-range", ""};
  };
  judging::CaseResult result = judged(faulty, generated);
  EXPECT_EQ(result.verdict, judging::Verdict::kOtherRule);
  faulty.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kMissedError);
  faulty.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"gather.index-range", ""};
  };
  Differential differential(faulty);
  EXPECT_TRUE(differential.agrees_on_valid(generated));
  // None is as good where names are not promised.
  faulty.execute = [](const Operator&, Version, const Bindings&) { return backends::Failure{}; };
  EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kOtherRule);
  faulty.names_rules_exactly = false;
  EXPECT_TRUE(Differential(faulty).agrees_on_valid(generated));
  faulty.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"scatter.index-range", ""};
  };
  EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kOtherRule);
}

TEST(Differential, APassTellsWhatWasChosen) {
  test::FakeBackend counts_back;
  counts_back.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    return counts_back.honest(op, std::max(version, OnnxGather::kNegativeIndicesSince), bindings);
  };
  for (std::uint64_t i = 0;; ++i) {
    const generation::Generated generated = generated_case(i);
    const auto* gather = std::get_if<OnnxGather>(&generated.op);
    if (gather == nullptr || has_empty_dimension(gather->output)) continue;
    Differential differential(counts_back);
    if (differential.agrees_on_valid(generated)) continue;
    judging::CaseResult result = differential.judge_valid(generated);
    EXPECT_EQ(result.verdict, judging::Verdict::kPass) << result.message;
    EXPECT_EQ(result.choices, std::vector{test::kNegativeCountsBack});

    test::FakeBackend honest;
    Differential reference(honest);
    EXPECT_TRUE(reference.agrees_on_valid(generated));
    EXPECT_EQ(reference.judge_valid(generated).choices, std::vector{test::kNegativeFails});

    counts_back.execute = [right = counts_back.execute](const Operator& op, Version version,
                                                        const Bindings& bindings) {
      std::optional<backends::Failure> failure = right(op, version, bindings);
      bindings.outputs[0][0] ^= std::byte{1};
      return failure;
    };
    result = judged(counts_back, generated);
    EXPECT_EQ(result.verdict, judging::Verdict::kMismatch);
    EXPECT_TRUE(result.choices.empty());
    return;
  }
}

TEST(Differential, WhatThePreviousCaseCameToIsForgotten) {
  const generation::Generated generated = split_case();
  test::FakeBackend moody;
  Differential differential(moody);
  moody.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"split.support"}, ""};
  };
  EXPECT_FALSE(differential.agrees_on_valid(generated));
  moody.reject = nullptr;
  EXPECT_TRUE(differential.agrees_on_valid(generated));
  EXPECT_EQ(differential.judge_valid(generated).verdict, judging::Verdict::kPass);
  moody.reject = [](const Operator&, Version) -> std::optional<backends::Rejection> {
    throw std::runtime_error("on fire");
  };
  EXPECT_FALSE(differential.agrees_on_valid(generated));
  moody.reject = nullptr;
  EXPECT_TRUE(differential.agrees_on_valid(generated));
  EXPECT_EQ(differential.judge_valid(generated).verdict, judging::Verdict::kPass);
  moody.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"gather.index-range", ""};
  };
  EXPECT_FALSE(differential.agrees_on_valid(generated));
  moody.execute = nullptr;
  EXPECT_TRUE(differential.agrees_on_valid(generated));
  EXPECT_EQ(differential.judge_valid(generated).verdict, judging::Verdict::kPass);
}

TEST(Differential, RejectionsOfABrokenRuleAreJudgedByIt) {
  generation::Generated generated = split_case();
  generation::RandomDraws draws(1);
  ASSERT_TRUE(generation::break_rule("split.axis-range", draws, generated));
  test::FakeBackend backend;
  Differential differential(backend);
  const auto verdict = [&](bool rejects) {
    EXPECT_EQ(differential.rejects(generated, "split.axis-range"), rejects);
    const judging::CaseResult result = differential.judge_broken("split.axis-range");
    EXPECT_EQ(result.backend, "fake");
    return result.verdict;
  };
  EXPECT_EQ(verdict(true), judging::Verdict::kPass);
  const auto reject_for = [&](std::vector<std::string> rules,
                              backends::Rejection::Kind kind =
                                  backends::Rejection::Kind::kRejected) {
    backend.reject = [=](const Operator&, Version) { return backends::Rejection{kind, rules, ""}; };
  };
  reject_for({"split.same-rank"});
  EXPECT_EQ(verdict(false), judging::Verdict::kOtherRule);
  reject_for({"split.axis-range", "split.same-rank"});
  EXPECT_EQ(verdict(false), judging::Verdict::kOtherRule);
  reject_for({});
  EXPECT_EQ(verdict(false), judging::Verdict::kOtherRule);
  backend.names_rules_exactly = false;
  EXPECT_EQ(verdict(true), judging::Verdict::kPass);
  reject_for({"split.same-rank"});
  EXPECT_EQ(verdict(false), judging::Verdict::kOtherRule);
  reject_for({}, backends::Rejection::Kind::kNotOffered);
  EXPECT_EQ(verdict(false), judging::Verdict::kUnsupported);
  backend.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  EXPECT_EQ(verdict(false), judging::Verdict::kMissedRejection);
  backend.reject = [](const Operator&, Version) -> std::optional<backends::Rejection> {
    throw std::runtime_error("on fire");
  };
  EXPECT_EQ(verdict(false), judging::Verdict::kCrash);
  reject_for({"split.axis-range"});
  EXPECT_EQ(verdict(true), judging::Verdict::kPass);
}

TEST(Differential, SomeBrokenDescriptorsComeBehindThoseOfAnotherVersion) {
  struct WithOthers : test::FakeBackend {
    [[nodiscard]] const backends::Promise& promise() const override {
      return backends::document_promise();
    }
  };
  generation::Generated generated = split_case();
  WithOthers backend;
  std::vector<Version> versions;
  backend.reject = [&](const Operator& op, Version version) {
    EXPECT_EQ(op, generated.op);
    versions.push_back(version);
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"split.axis-range"}, ""};
  };
  Differential differential(backend);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    versions.clear();
    generated.contents.seed = seed;
    EXPECT_TRUE(differential.rejects(generated, "split.axis-range"));
    ASSERT_EQ(versions.size(), seed == 1 ? 2U : 1U) << seed;
    EXPECT_EQ(versions.back(), generated.version);
    EXPECT_EQ(versions.front() == generated.version, seed != 1);
  }
}

TEST(Differential, GeneratedCasesCanBeWrittenAndReadAgain) {
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  Differential differential(*reference);
  for (std::uint64_t i = 0; i < test::draws(2'000); ++i) {
    const generation::Generated generated = generated_case(i);
    ASSERT_TRUE(differential.agrees_on_valid(generated)) << i;
    const cases::Case written =
        generation::case_of(generated, differential.pristine(), "generated");
    cases::LoadedCases loaded;
    cases::read_cases(
        base::parse_json(cases::pretty(cases::cases_to_json({&written, 1}, "")), "written"),
        "written", loaded);
    ASSERT_TRUE(loaded.bad_input.empty()) << loaded.bad_input.front();
    EXPECT_EQ(loaded.cases.at(0).op, written.op);
    const judging::CaseResult result = judging::check_case(loaded.cases.at(0), *reference, {});
    EXPECT_EQ(result.verdict, judging::Verdict::kPass) << result.message;
  }
}

}  // namespace
}  // namespace opconform::running
