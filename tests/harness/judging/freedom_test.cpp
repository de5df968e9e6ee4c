// What implementations make of what the documents leave open, shown to the reading that tells it:
// each planted one must be told as what it is, and nothing where nothing can be told.

#include "harness/judging/freedom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "harness/campaigns/campaign.h"
#include "harness/judging/check.h"
#include "harness/running/result_json.h"
#include "planted/registry.h"
#include "tests/harness/choices.h"
#include "tests/harness/fake_backend.h"

namespace opconform::harness {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Chosen = std::vector<Choice>;

/// Into {50, 51, 52, 53, 54}, without gaps.
Case scatter_case(const std::string& indices, const std::string& updates,
                  const std::string& index_type = "INT32") {
  const auto count = std::to_string(1 + std::count(indices.begin(), indices.end(), ','));
  return case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "scatter",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT32", "Sizes": [5], "data": [50, 51, 52, 53, 54]},
      "IndicesTensor": {"DataType": ")" +
                 index_type + R"(", "Sizes": [)" + count + R"(], "data": [)" + indices + R"(]},
      "UpdatesTensor": {"DataType": "UINT32", "Sizes": [)" +
                 count + R"(], "data": [)" + updates + R"(]},
      "OutputTensor": {"DataType": "UINT32", "Sizes": [5]}}}]})");
}

/// Passes on that planted implementation.
Chosen choices_of(const Case& tested, std::string_view planted) {
  const auto backend = faulty::make_faulty("faulty:" + std::string(planted));
  const CaseResult result = check_case(tested, *backend, {});
  EXPECT_EQ(result.verdict, Verdict::kPass) << planted << ": " << result.message;
  return result.choices;
}

/// Passes with these elements as its output.
Chosen choices_of(const Case& tested, const std::vector<std::uint32_t>& output) {
  FakeBackend backend;
  backend.execute =
      with_own_inputs(backend, [&](const Operator&, Version, const Bindings& bindings) {
        std::memcpy(bindings.outputs[0].data(), output.data(), output.size() * sizeof output[0]);
        return std::optional<Failure>();
      });
  const CaseResult result = check_case(tested, backend, {});
  EXPECT_EQ(result.verdict, Verdict::kPass) << result.message;
  return result.choices;
}

TEST(Freedom, EachRuleOfItsKindHasChoices) {
  std::set<std::string_view> rules;
  std::set<std::pair<std::string_view, std::string_view>> texts;
  for (std::size_t i = 0; i < all_choices().size(); ++i) {
    rules.insert(all_choices()[i].rule);
    EXPECT_TRUE(texts.emplace(all_choices()[i].rule, all_choices()[i].name).second)
        << all_choices()[i].name;
    EXPECT_EQ(parse_choice(all_choices()[i].rule, all_choices()[i].name), static_cast<Choice>(i));
  }
  for (const RuleText& rule : all_rules())
    EXPECT_EQ(rules.count(rule.name), rule.kind == RuleKind::kFreedom ? 1U : 0U) << rule.name;
  EXPECT_EQ(parse_choice("scatter.index-range", "first write"), std::nullopt);
  EXPECT_EQ(parse_choice("scatter.overlap-any-winner", ""), std::nullopt);
}

TEST(Freedom, ChoicesHaveTheirNames) {
  const auto expect = [](Choice choice, std::string_view rule, std::string_view name) {
    EXPECT_EQ(text(choice).rule, rule);
    EXPECT_EQ(text(choice).name, name);
  };
  expect(kFirstWrite, "scatter.overlap-any-winner", "first write");
  expect(kWriteByElement, "scatter.overlap-any-winner", "differs from element to element");
  expect(kIndexFails, "scatter.index-range", "fails");
  expect(kAnotherResult, "scatter.index-range", "another result");
  expect(kNegativeFails, "gather.negative-index-v1", "fails");
  expect(kNegativeCountsBack, "gather.negative-index-v1", "counted from the end");
  expect(kGapsIntact, "tensor.gaps-dont-care", "left intact");
  expect(kGapsOverwritten, "tensor.gaps-dont-care", "overwritten");
}

// Elements 1 and 2 are written twice.
const Case& two_overlaps() {
  static const Case tested = scatter_case("1, 2, 4, 1, 2", "10, 11, 12, 13, 14");
  return tested;
}

TEST(FreedomOfOverlap, PlantedWinners) {
  EXPECT_THAT(choices_of(two_overlaps(), "plain"), ElementsAre(kLastWrite));
  EXPECT_THAT(choices_of(two_overlaps(), "first-update-wins"), ElementsAre(kFirstWrite));
  EXPECT_THAT(choices_of(two_overlaps(), "any-update-wins"), ElementsAre(kWriteByElement));
  EXPECT_THAT(choices_of(two_overlaps(), "smallest-update-wins"), ElementsAre(kFirstWrite));
  EXPECT_THAT(choices_of(scatter_case("1, 2, 1, 2", "10, 13, 11, 12"), "smallest-update-wins"),
              ElementsAre(kWriteByElement));
}

TEST(FreedomOfOverlap, WritesBetweenTheFirstAndTheLast) {
  const Case three = scatter_case("1, 2, 1, 2, 1, 2", "10, 11, 12, 13, 14, 15");
  EXPECT_THAT(choices_of(three, {50, 10, 11, 53, 54}), ElementsAre(kFirstWrite));
  EXPECT_THAT(choices_of(three, {50, 12, 13, 53, 54}), ElementsAre(kAnotherWrite));
  EXPECT_THAT(choices_of(three, {50, 14, 15, 53, 54}), ElementsAre(kLastWrite));
  EXPECT_THAT(choices_of(three, {50, 12, 15, 53, 54}), ElementsAre(kWriteByElement));
  EXPECT_THAT(choices_of(three, {50, 10, 13, 53, 54}), ElementsAre(kWriteByElement));
  EXPECT_THAT(choices_of(three, {50, 10, 15, 53, 54}), ElementsAre(kWriteByElement));
}

TEST(FreedomOfOverlap, NothingIsToldOfEqualWrites) {
  EXPECT_THAT(choices_of(scatter_case("3, 1, 0", "10, 11, 12"), "plain"), IsEmpty());
  EXPECT_THAT(choices_of(scatter_case("1, 3, 1", "10, 11, 10"), "plain"), IsEmpty());
  const Case between = scatter_case("1, 1, 1", "10, 11, 10");
  EXPECT_THAT(choices_of(between, {50, 10, 52, 53, 54}), IsEmpty());
  EXPECT_THAT(choices_of(between, {50, 11, 52, 53, 54}), ElementsAre(kAnotherWrite));
  // Element 1 tells nothing, element 2 does.
  const Case one_of_two = scatter_case("1, 2, 1, 2", "10, 11, 10, 12");
  EXPECT_THAT(choices_of(one_of_two, {50, 10, 11, 53, 54}), ElementsAre(kFirstWrite));
  EXPECT_THAT(choices_of(one_of_two, {50, 10, 12, 53, 54}), ElementsAre(kLastWrite));
  // A case may permit anything; where no write stands, none won.
  Case anything = scatter_case("1, 1", "10, 11");
  anything.expect.kind = Expectation::Kind::kOutputs;
  anything.expect.outputs = {{true, {}, {}}};
  EXPECT_THAT(choices_of(anything, {1, 2, 3, 4, 5}), IsEmpty());
}

TEST(FreedomOfIndexRange, PlantedTreatments) {
  // Modulo the size 1 and 2; clamped 4.
  const Case tested = scatter_case("0, 6, 7", "10, 11, 12", "UINT32");
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(kUpdateDropped));
  EXPECT_THAT(choices_of(tested, "scatter-clamps"), ElementsAre(kIndexClamped));
  EXPECT_THAT(choices_of(tested, "scatter-wraps"), ElementsAre(kIndexWrapped));
  EXPECT_THAT(choices_of(tested, "scatter-outside-gives-noise"), ElementsAre(kAnotherResult));
  // Which of several writes wins is open here too.
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 53, 11}), ElementsAre(kIndexClamped));
  // The right writes, but an element that none names differs from the input's.
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 9, 54}), ElementsAre(kAnotherResult));
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 9, 12}), ElementsAre(kAnotherResult));
}

TEST(FreedomOfIndexRange, NegativeIndices) {
  for (const char* type : {"INT32", "INT64"}) {
    const Case tested = scatter_case("-4, -6, -1, -12", "10, 11, 12, 13", type);
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 53, 12}), ElementsAre(kUpdateDropped)) << type;
    EXPECT_THAT(choices_of(tested, {11, 10, 52, 53, 12}), ElementsAre(kIndexClamped)) << type;
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 13, 11}), ElementsAre(kIndexWrapped)) << type;
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 53, 11}), ElementsAre(kAnotherResult)) << type;
    EXPECT_THAT(choices_of(tested, "scatter-clamps"), ElementsAre(kIndexClamped)) << type;
    EXPECT_THAT(choices_of(tested, "scatter-wraps"), ElementsAre(kIndexWrapped)) << type;
  }
  const Case multiple = scatter_case("-10, 1", "10, 11");
  EXPECT_THAT(choices_of(multiple, {50, 11, 52, 53, 54}), ElementsAre(kUpdateDropped));
  EXPECT_THAT(choices_of(multiple, {10, 11, 52, 53, 54}), IsEmpty()) << "clamped or modulo 5";
}

TEST(FreedomOfIndexRange, UnsignedIndicesAreLarge) {
  for (const auto& [type, index] : {std::pair("UINT32", "4294967294"),               // modulo 5: 4
                                    std::pair("UINT64", "18446744073709551613")}) {  // 3
    const Case tested = scatter_case(index, "10", type);
    EXPECT_THAT(choices_of(tested, {10, 51, 52, 53, 54}), ElementsAre(kAnotherResult)) << type;
    EXPECT_THAT(choices_of(tested, {50, 51, 52, 53, 54}), ElementsAre(kUpdateDropped)) << type;
  }
  EXPECT_THAT(choices_of(scatter_case("18446744073709551613", "10", "UINT64"), "scatter-wraps"),
              ElementsAre(kIndexWrapped));
  EXPECT_THAT(choices_of(scatter_case("18446744073709551613", "10", "UINT64"), "scatter-clamps"),
              ElementsAre(kIndexClamped));
}

TEST(FreedomOfIndexRange, NothingIsToldWhereTreatmentsAgree) {
  const Case same_end = scatter_case("9, 0", "10, 11");  // clamped and modulo the size: 4
  EXPECT_THAT(choices_of(same_end, "scatter-clamps"), IsEmpty());
  EXPECT_THAT(choices_of(same_end, "scatter-wraps"), IsEmpty());
  EXPECT_THAT(choices_of(same_end, "plain"), ElementsAre(kUpdateDropped));
  EXPECT_THAT(choices_of(scatter_case("6, 0", "51, 11"), {11, 51, 52, 53, 54}), IsEmpty())
      << "the update is what stands there";
}

TEST(FreedomOfIndexRange, AFailureThatACasePermits) {
  const Case tested = case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "either",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [1, 2]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [3]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2]}},
    "expect": {"any_of": [{"error": "scatter.index-range"}, {"outputs": {"OutputTensor": [{"any": true}, {"any": true}]}}]}}]})");
  FakeBackend fails;
  fails.execute = with_own_inputs(fails, [](const Operator&, Version, const Bindings&) {
    return Failure{"scatter.index-range", ""};
  });
  const CaseResult result = check_case(tested, fails, {});
  EXPECT_EQ(result.verdict, Verdict::kPass) << result.message;
  EXPECT_THAT(result.choices, ElementsAre(kIndexFails)) << "that the gaps are intact is no choice";
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(kUpdateDropped, kGapsIntact));
  EXPECT_THAT(choices_of(tested, "gaps-overwritten"),
              ElementsAre(kUpdateDropped, kGapsOverwritten));
}

Case gather_case(const std::string& opset, const std::string& indices) {
  return case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "gather", "opset": )" + opset +
                 R"(,
    "desc": {"data": {"type": "int8", "shape": [2, 3], "data": [[1, 2, 3], [4, 5, 6]]}, "axis": 1,
             "indices": {"type": "int64", "shape": [2], "data": [)" +
                 indices + R"(]},
             "output": {"type": "int8", "shape": [2, 2]}}}]})");
}

TEST(FreedomOfNegativeIndices, FailsOrCountsBack) {
  EXPECT_THAT(choices_of(gather_case("1", "0, -3"), "plain"), ElementsAre(kNegativeFails));
  EXPECT_THAT(choices_of(gather_case("1", "-1, 1"), "gather-1-counts-back"),
              ElementsAre(kNegativeCountsBack));
}

TEST(FreedomOfNegativeIndices, NothingIsToldWhereThereIsNoChoice) {
  for (const char* planted : {"plain", "gather-1-counts-back"}) {
    EXPECT_THAT(choices_of(gather_case("1", "0, 2"), planted), IsEmpty()) << planted;
    EXPECT_THAT(choices_of(gather_case("11", "0, -3"), planted), IsEmpty()) << planted;
    EXPECT_THAT(choices_of(gather_case("1", "-1, -4"), planted), IsEmpty())
        << "an error either way";
    EXPECT_THAT(choices_of(gather_case("1", "-1, 3"), planted), IsEmpty()) << "an error either way";
  }
}

TEST(FreedomOfGaps, LeftIntactOrOverwritten) {
  EXPECT_THAT(choices_of(padded_copy(), "plain"), ElementsAre(kGapsIntact));
  EXPECT_THAT(choices_of(padded_copy(), "gaps-overwritten"), ElementsAre(kGapsOverwritten));
  EXPECT_THAT(choices_of(overlapping_scatter(), "gaps-overwritten"), ElementsAre(kLastWrite))
      << "has no gaps";
}

TEST(FreedomOfGaps, OneOfSeveralOutputsIsEnough) {
  const Case tested = case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "three",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [9], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [3]}, {"DataType": "UINT8", "Sizes": [2]},
                               {"DataType": "UINT8", "Sizes": [4]}]}}]})");
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(kGapsIntact));
  for (const std::size_t output : {0U, 1U}) {
    FakeBackend rounds;
    rounds.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
      bindings.outputs[output][3] ^= std::byte{1};
      return rounds.honest(op, version, bindings);
    };
    EXPECT_THAT(check_case(tested, rounds, {}).choices, ElementsAre(kGapsOverwritten)) << output;
  }
}

/// Does `first` to the outputs of the first execution, and `second` to those of the second.
CaseResult check_twice(const Case& tested, std::function<void(const Bindings&)> first,
                       std::function<void(const Bindings&)> second,
                       const CheckOptions& options = {}) {
  FakeBackend backend;
  int executions = 0;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<Failure> failure = backend.honest(op, version, bindings);
    const auto& spoil = ++executions == 1 ? first : second;
    if (spoil) spoil(bindings);
    return failure;
  };
  return check_case(tested, backend, options);
}

void overwrite_gap(const Bindings& bindings) { bindings.outputs[0][6] ^= std::byte{1}; }

TEST(FreedomInACase, IsToldOfTheFirstExecution) {
  EXPECT_THAT(check_twice(padded_copy(), overwrite_gap, {}).choices, ElementsAre(kGapsOverwritten));
  EXPECT_THAT(check_twice(padded_copy(), {}, overwrite_gap).choices, ElementsAre(kGapsIntact));
}

TEST(FreedomInACase, IsToldOfPassesOnly) {
  const auto spoil_element = [](const Bindings& bindings) {
    bindings.outputs[0][0] ^= std::byte{1};
  };
  const auto crash = [](const Bindings&) { throw std::bad_alloc(); };
  for (const CaseResult& result :
       {check_twice(padded_copy(), spoil_element, {}),
        check_twice(padded_copy(), {}, spoil_element), check_twice(padded_copy(), crash, {}),
        check_twice(padded_copy(), {}, crash),
        check_twice(padded_copy(), overwrite_gap, {}, {.strict_gaps = true})}) {
    EXPECT_NE(result.verdict, Verdict::kPass);
    EXPECT_THAT(result.choices, IsEmpty());
  }
  EXPECT_THAT(choices_of(refused_slice(), "plain"), IsEmpty());
}

// All layouts, ranks, axes and types of index that generators know.
TEST(FreedomOfGeneratedCases, PlantedOnesAreToldAsWhatTheyAre) {
  constexpr std::uint64_t kCases = 600;
  constexpr std::size_t kAtLeast = 30;
  struct Planted {
    std::string_view name;
    Choice choice;
  };
  CaseSource source(SourceOptions{.seed = 1, .operators = {0}, .at_most = {}});
  for (const Planted& planted :
       {Planted{"plain", kLastWrite}, Planted{"plain", kUpdateDropped},
        Planted{"plain", kGapsIntact}, Planted{"first-update-wins", kFirstWrite},
        Planted{"scatter-clamps", kIndexClamped}, Planted{"scatter-wraps", kIndexWrapped},
        Planted{"scatter-outside-gives-noise", kAnotherResult},
        Planted{"gaps-overwritten", kGapsOverwritten}}) {
    const auto backend = faulty::make_faulty("faulty:" + std::string(planted.name));
    std::size_t told = 0;
    for (std::uint64_t number = 0; number < kCases; ++number) {
      if (source.kind(number) != CaseKind::kValid) continue;
      const CaseResult result = check_case(campaign_case(source, number), *backend, {});
      for (const Choice choice : result.choices) {
        if (text(choice).rule != text(planted.choice).rule) continue;
        EXPECT_EQ(choice, planted.choice)
            << planted.name << ", case " << number << ": " << text(choice).name;
        ++told;
      }
    }
    EXPECT_GE(told, kAtLeast) << planted.name << ": " << text(planted.choice).name;
  }
}

CaseResult result_with(std::string backend, Chosen choices) {
  CaseResult result;
  result.case_id = "a";
  result.backend = std::move(backend);
  result.verdict = Verdict::kPass;
  result.choices = std::move(choices);
  return result;
}

TEST(FreedomInResults, GoesThroughJsonAndBack) {
  for (const Chosen& choices :
       {Chosen{}, Chosen{kFirstWrite, kGapsOverwritten}, Chosen{kNegativeCountsBack}}) {
    const Json json = outcome_to_json({result_with("mine", choices), ""});
    EXPECT_EQ(json.contains("choices"), !choices.empty());
    const auto back = outcome_from_json(json.dump());
    ASSERT_TRUE(back && back->result);
    EXPECT_EQ(back->result->choices, choices);
  }
  EXPECT_EQ(result_to_json(result_with("mine", {kFirstWrite})).at("choices"),
            Json({{"scatter.overlap-any-winner", "first write"}}));
}

TEST(FreedomInResults, WhatAChildSaysIsNotTrusted) {
  for (const char* choices :
       {"3", "[]", "null", R"({"scatter.overlap-any-winner": 3})",
        R"({"scatter.overlap-any-winner": "none"})", R"({"no.rule": "first write"})"}) {
    const auto back =
        outcome_from_json(std::string(R"({"verdict": "pass", "choices": )") + choices + "}");
    ASSERT_TRUE(back && back->result) << choices;
    EXPECT_THAT(back->result->choices, IsEmpty()) << choices;
  }
}

TEST(FreedomInResults, TheSummaryCountsCases) {
  RunOutcome outcome;
  EXPECT_TRUE(run_to_json(outcome, {}, {}, 1).at("choices").empty());
  outcome.results = {result_with("b", {kLastWrite, kGapsIntact}), result_with("b", {kGapsIntact}),
                     result_with("a", {kGapsIntact}), result_with("a", {})};
  EXPECT_EQ(run_to_json(outcome, {}, {}, 1).at("choices"), Json::parse(R"([
    {"backend": "a", "rule": "tensor.gaps-dont-care", "choice": "left intact", "cases": 1},
    {"backend": "b", "rule": "scatter.overlap-any-winner", "choice": "last write", "cases": 1},
    {"backend": "b", "rule": "tensor.gaps-dont-care", "choice": "left intact", "cases": 2}])"));
}

}  // namespace
}  // namespace opconform::harness
