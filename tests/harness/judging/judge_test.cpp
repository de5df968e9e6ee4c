// The judgements themselves: what is compared with what, how much of it, and what is said.

#include "harness/judging/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace opconform::judging {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = cases::Expectation::Kind;

cases::Expectation rejected(std::vector<std::string> rules) {
  cases::Expectation expected;
  expected.kind = Kind::kRejected;
  expected.rules = std::move(rules);
  return expected;
}
cases::Expectation error(const std::string& rule) {
  cases::Expectation expected = rejected({rule});
  expected.kind = Kind::kError;
  return expected;
}
std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}
cases::Expectation outputs(std::vector<std::vector<std::byte>> elements) {
  cases::Expectation expected;
  expected.kind = Kind::kOutputs;
  for (std::vector<std::byte>& one : elements)
    expected.outputs.push_back({false, std::move(one), {}});
  return expected;
}
cases::Expectation any_of(std::vector<cases::Expectation> alternatives) {
  cases::Expectation expected;
  expected.kind = Kind::kAnyOf;
  expected.any_of = std::move(alternatives);
  return expected;
}

/// Tensors of bytes, and what stood in them before and after.
class Observed {
 public:
  void add(TensorDesc desc, std::vector<std::byte> before, std::vector<std::byte> after) {
    buffers_.push_back({std::move(desc), std::move(before), std::move(after)});
  }
  /// A packed row.
  void add(std::vector<std::byte> before, std::vector<std::byte> after) {
    TensorDesc row = packed_tensor(DataType::kUint8, {after.size()});
    add(std::move(row), std::move(before), std::move(after));
  }
  [[nodiscard]] std::vector<ObservedOutput> outputs() const {
    std::vector<ObservedOutput> result;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      result.push_back({{.field = {"Outputs"}, .path = {"Outputs", i}, .desc = buffers_[i].desc},
                        buffers_[i].before,
                        buffers_[i].after});
    return result;
  }
  [[nodiscard]] std::vector<ObservedInput> inputs() const {
    std::vector<ObservedInput> result;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      result.push_back({{.field = {"Inputs"}, .path = {"Inputs", i}, .desc = buffers_[i].desc},
                        buffers_[i].before,
                        buffers_[i].after});
    return result;
  }

 private:
  struct Buffer {
    TensorDesc desc;
    std::vector<std::byte> before;
    std::vector<std::byte> after;
  };
  std::vector<Buffer> buffers_;
};

TEST(JudgeRejection, WhatIsNotRunIsNoJudgement) {
  using Reason = backends::Rejection::Kind;
  for (const auto& [kind, verdict] : {std::pair(Reason::kNotOffered, Verdict::kUnsupported),
                                      std::pair(Reason::kRanElsewhere, Verdict::kRanElsewhere)}) {
    const Judgement result = judge_rejection(rejected({"a"}), {kind, {"b"}, "on the CPU"}, true);
    EXPECT_EQ(result.verdict, verdict);
    EXPECT_EQ(result.rule, "");
    EXPECT_EQ(result.message, "on the CPU");
    EXPECT_FALSE(was_judged(result.verdict));
  }
}

TEST(JudgeRejection, IsOneCheckAndOfSeveralOneSuffices) {
  const backends::Rejection for_a{backends::Rejection::Kind::kRejected, {"a"}, ""};
  EXPECT_EQ(judge_rejection(rejected({"a"}), for_a, true).verdict, Verdict::kPass);
  EXPECT_EQ(judge_rejection(rejected({"a"}), for_a, true).checks, 1U);
  EXPECT_EQ(judge_rejection(rejected({"b"}), for_a, true).verdict, Verdict::kOtherRule);
  EXPECT_THAT(judge_rejection(rejected({"b"}), for_a, true).message,
              testing::EndsWith("; no rule is called \"a\""));
  EXPECT_THAT(
      judge_rejection(rejected({"b"}),
                      {backends::Rejection::Kind::kRejected, {"slice1.copy-start"}, ""}, true)
          .message,
      testing::EndsWith("broken is b: name all that are broken"));
  for (const auto& expected :
       {any_of({rejected({"a"}), rejected({"b"})}), any_of({rejected({"b"}), rejected({"a"})}),
        any_of({outputs({}), rejected({"a"}), error("b")})})
    EXPECT_EQ(judge_rejection(expected, for_a, true).verdict, Verdict::kPass);
  const backends::Rejection for_nothing{backends::Rejection::Kind::kRejected, {}, ""};
  const auto expected = any_of({rejected({"a"}), rejected({"b"})});
  EXPECT_TRUE(judge_rejection(expected, for_nothing, false).unnamed_rule);
  EXPECT_EQ(judge_rejection(expected, for_nothing, true).verdict, Verdict::kOtherRule);
  EXPECT_EQ(judge_rejection(outputs({}), for_nothing, false).verdict, Verdict::kWrongRejection);
}

TEST(JudgeAcceptance, IsPermittedWhereOneAlternativeIsNoRejection) {
  EXPECT_FALSE(permits_acceptance(rejected({"a"})));
  EXPECT_FALSE(permits_acceptance(any_of({rejected({"a"}), rejected({"b"})})));
  EXPECT_TRUE(permits_acceptance(any_of({outputs({}), rejected({"a"})})));
  EXPECT_TRUE(permits_acceptance(any_of({rejected({"a"}), error("b")})));
  EXPECT_EQ(judge_acceptance(rejected({"a"})).verdict, Verdict::kMissedRejection);
  EXPECT_EQ(judge_acceptance(rejected({"a"})).rule, "a");
}

TEST(JudgeFailure, OfSeveralErrorsOneSuffices) {
  const auto verdict = [](const cases::Expectation& expected, const std::string& rule,
                          bool names_rules = true) {
    return judge_failure(expected, {rule, ""}, names_rules, {}).verdict;
  };
  EXPECT_EQ(verdict(any_of({error("a"), error("b")}), "a"), Verdict::kPass);
  EXPECT_EQ(verdict(any_of({error("a"), error("b")}), "b"), Verdict::kPass);
  EXPECT_EQ(verdict(any_of({error("a"), error("b")}), "c"), Verdict::kOtherRule);
  EXPECT_EQ(verdict(outputs({}), "a"), Verdict::kWrongError);
  // A name is not due of everyone, but where there is one it must be right.
  EXPECT_EQ(verdict(error("a"), "", true), Verdict::kOtherRule);
  EXPECT_EQ(verdict(error("a"), "", false), Verdict::kPass);
  EXPECT_EQ(verdict(error("a"), "b", false), Verdict::kOtherRule);
  EXPECT_TRUE(judge_failure(error("a"), {"", ""}, false, {}).unnamed_rule);
  EXPECT_FALSE(judge_failure(error("a"), {"a", ""}, false, {}).unnamed_rule);
}

TEST(JudgeFailure, LooksAtEveryByteOfEveryOutput) {
  Observed intact;
  intact.add(bytes({1, 2}), bytes({1, 2}));
  intact.add(bytes({3, 4, 5}), bytes({3, 4, 5}));
  Judgement result = judge_failure(error("a"), {"a", ""}, true, intact.outputs());
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.checks, 6U);  // the rule and five bytes
  Observed written;
  written.add(bytes({1, 2}), bytes({1, 2}));
  written.add(bytes({3, 4, 5}), bytes({3, 4, 6}));
  result = judge_failure(error("a"), {"a", ""}, true, written.outputs());
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.rule, "a");
  EXPECT_THAT(result.message, HasSubstr("wrote byte 2 of Outputs[1]"));
}

TEST(JudgeInputs, LooksAtEveryByteOfEveryInput) {
  Observed intact;
  intact.add(bytes({1, 2}), bytes({1, 2}));
  intact.add(bytes({3, 4, 5}), bytes({3, 4, 5}));
  EXPECT_EQ(judge_inputs(intact.inputs()).verdict, Verdict::kPass);
  EXPECT_EQ(judge_inputs(intact.inputs()).checks, 5U);
  Observed written;
  written.add(bytes({1, 2}), bytes({1, 2}));
  written.add(bytes({3, 4, 5}), bytes({3, 4, 6}));
  EXPECT_THAT(judge_inputs(written.inputs()).message, HasSubstr("byte 2 of Inputs[1] was changed"));
}

TEST(JudgeFailure, WhereNothingIsPromisedAnErrorConforms) {
  cases::Expectation one = outputs({bytes({})});
  one.outputs[0].unspecified = true;
  EXPECT_EQ(judge_failure(one, {"", ""}, true, {}).verdict, Verdict::kPass);
  EXPECT_EQ(judge_failure(one, {"any.rule", ""}, true, {}).verdict, Verdict::kPass);
  EXPECT_EQ(judge_failure(any_of({error("a"), one}), {"b", ""}, true, {}).verdict, Verdict::kPass);
  one.outputs.push_back({false, bytes({1}), {}});  // here something is
  EXPECT_EQ(judge_failure(one, {"", ""}, true, {}).verdict, Verdict::kWrongError);
}

TEST(JudgeOutputs, CountsWhatItCompares) {
  Observed two;
  two.add(bytes({9, 9}), bytes({1, 2}));
  two.add(bytes({9, 9, 9}), bytes({3, 4, 5}));
  Judgement result =
      judge_outputs(outputs({bytes({1, 2}), bytes({3, 4, 5})}), {}, two.outputs(), false);
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.checks, 5U);
  result = judge_outputs(outputs({bytes({1, 2}), bytes({3, 4, 5})}), {}, two.outputs(), true);
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.checks, 10U);  // and each byte, whether it is a gap
  cases::Expectation unspecified = outputs({bytes({1, 2}), {}});
  unspecified.outputs[1].unspecified = true;
  EXPECT_EQ(judge_outputs(unspecified, {}, two.outputs(), false).checks, 2U);
  cases::Expectation partly = outputs({bytes({0, 2}), bytes({3, 0, 5})});
  partly.outputs[0].open_elements = {{0, true, {}}};
  partly.outputs[1].open_elements = {{1, false, bytes({8, 4})}};
  result = judge_outputs(partly, {}, two.outputs(), false);
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.checks, 4U);
}

TEST(JudgeOutputs, EveryWrongElementOfTheFirstWrongOutputCounts) {
  Observed two;
  two.add(bytes({9, 9}), bytes({1, 2}));
  two.add(bytes({9, 9, 9}), bytes({3, 4, 5}));
  Judgement result =
      judge_outputs(outputs({bytes({1, 2}), bytes({3, 7, 5})}), {}, two.outputs(), false);
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.checks, 5U);
  EXPECT_THAT(result.message, HasSubstr("Outputs[1][1]: expected 7, found 4"));
  EXPECT_THAT(result.message, Not(HasSubstr("wrong")));
  result = judge_outputs(outputs({bytes({8, 8}), bytes({3, 7, 5})}), {}, two.outputs(), false);
  EXPECT_EQ(result.checks, 2U);
  EXPECT_THAT(result.message, HasSubstr("Outputs[0][0]: expected 8"));
  EXPECT_THAT(result.message, HasSubstr("2 elements are wrong"));
}

TEST(JudgeOutputs, EachPermittedValueIsNamedOnce) {
  Observed one;
  one.add(bytes({9}), bytes({3}));
  cases::Expectation expected = outputs({bytes({4})});
  expected.outputs[0].open_elements = {{0, false, bytes({5, 4, 5, 6})}};
  EXPECT_THAT(judge_outputs(expected, {}, one.outputs(), false).message,
              HasSubstr("expected 4 or 5 or 6, found 3"));
}

TEST(JudgeOutputs, OfAlternativesOneSufficesAsAWhole) {
  Observed one;
  one.add(bytes({9}), bytes({3}));
  const auto judge = [&](std::vector<cases::Expectation> alternatives) {
    return judge_outputs(any_of(std::move(alternatives)), {}, one.outputs(), false).verdict;
  };
  EXPECT_EQ(judge({outputs({bytes({3})}), outputs({bytes({4})})}), Verdict::kPass);
  EXPECT_EQ(judge({outputs({bytes({4})}), outputs({bytes({3})})}), Verdict::kPass);
  EXPECT_EQ(judge({outputs({bytes({3})}), error("a")}), Verdict::kPass);
  EXPECT_EQ(judge({error("a"), outputs({bytes({3})})}), Verdict::kPass);
  // A wrong value says more than an alternative that was not taken.
  EXPECT_EQ(judge({outputs({bytes({4})}), error("a")}), Verdict::kMismatch);
  EXPECT_EQ(judge({error("a"), outputs({bytes({4})})}), Verdict::kMismatch);
  EXPECT_EQ(judge({outputs({bytes({4})}), outputs({bytes({5})})}), Verdict::kMismatch);
  EXPECT_EQ(judge({error("a"), rejected({"b"})}), Verdict::kMissedRejection);
  EXPECT_EQ(judge({rejected({"b"}), error("a")}), Verdict::kMissedError);
}

TEST(JudgeOutputs, StrictGapsAreTheBytesOfNoElement) {
  // Rows of two 2-byte elements, and a gap of 2 bytes between them.
  const TensorDesc padded = strided_tensor(DataType::kUint16, {2, 2}, {3, 1});
  const std::vector<std::byte> before(12);
  const cases::Expectation expected = outputs({bytes({1, 1, 1, 1, 1, 1, 1, 1})});
  for (std::size_t changed = 0; changed <= before.size(); ++changed) {
    std::vector<std::byte> after = bytes({1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0});
    const bool is_gap = changed == 4 || changed == 5 || changed == 10 || changed == 11;
    if (is_gap) after[changed] = std::byte{7};
    Observed observed;
    observed.add(padded, before, after);
    const Judgement result = judge_outputs(expected, {}, observed.outputs(), true);
    EXPECT_EQ(result.verdict, is_gap ? Verdict::kMemoryFault : Verdict::kPass) << changed;
    if (is_gap) {
      EXPECT_THAT(result.message, HasSubstr("byte " + std::to_string(changed) + " of Outputs[0]"));
    }
    EXPECT_EQ(judge_outputs(expected, {}, observed.outputs(), false).verdict, Verdict::kPass);
    // A wrong element is said before a gap.
    EXPECT_EQ(
        judge_outputs(outputs({bytes({2, 1, 1, 1, 1, 1, 1, 1})}), {}, observed.outputs(), true)
            .verdict,
        Verdict::kMismatch);
  }
}

TEST(JudgeOutputs, GapsOfEveryOutputAreStrict) {
  Observed two;
  two.add(bytes({9}), bytes({1}));
  two.add(strided_tensor(DataType::kUint8, {2}, {2}), bytes({0, 0, 0}), bytes({1, 5, 1}));
  EXPECT_EQ(judge_outputs(outputs({bytes({1}), bytes({1, 1})}), {}, two.outputs(), true).verdict,
            Verdict::kMemoryFault);
}

TEST(Verdict, AllButPassesExpectedFailuresAndWhatIsNotOfferedAreNonconformance) {
  for (const Verdict verdict : kVerdicts)
    EXPECT_EQ(is_nonconformance(verdict),
              verdict != Verdict::kPass && verdict != Verdict::kExpectedFailure &&
                  verdict != Verdict::kUnsupported && verdict != Verdict::kRanElsewhere)
        << name(verdict);
}

TEST(Take, TheFirstThatIsNoPassStands) {
  CaseResult result;
  result.verdict = Verdict::kPass;
  take({Verdict::kPass, "", "", true, 1}, result);
  EXPECT_TRUE(result.unnamed_rule);
  take({Verdict::kMismatch, "a", "m"}, result);
  take({Verdict::kMemoryFault, "b", "n"}, result);
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.rule, "a");
  EXPECT_EQ(result.message, "m");
}

}  // namespace
}  // namespace opconform::judging
