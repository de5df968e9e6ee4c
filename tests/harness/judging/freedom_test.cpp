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

namespace opconform::judging {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Chosen = std::vector<Choice>;

/// Into {50, 51, 52, 53, 54}, without gaps.
cases::Case scatter_case(const std::string& indices, const std::string& updates,
                         const std::string& index_type = "INT32") {
  const auto count = std::to_string(1 + std::count(indices.begin(), indices.end(), ','));
  return test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "scatter",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT32", "Sizes": [5], "data": [50, 51, 52, 53, 54]},
      "IndicesTensor": {"DataType": ")" +
                       index_type + R"(", "Sizes": [)" + count + R"(], "data": [)" + indices +
                       R"(]},
      "UpdatesTensor": {"DataType": "UINT32", "Sizes": [)" +
                       count + R"(], "data": [)" + updates + R"(]},
      "OutputTensor": {"DataType": "UINT32", "Sizes": [5]}}}]})");
}

/// Passes on that planted implementation.
Chosen choices_of(const cases::Case& tested, std::string_view planted) {
  const auto backend = planted::make_faulty("faulty:" + std::string(planted));
  const CaseResult result = check_case(tested, *backend, {});
  EXPECT_EQ(result.verdict, Verdict::kPass) << planted << ": " << result.message;
  return result.choices;
}

/// Passes with these elements as its output.
Chosen choices_of(const cases::Case& tested, const std::vector<std::uint32_t>& output) {
  test::FakeBackend backend;
  backend.execute =
      test::with_own_inputs(backend, [&](const Operator&, Version, const Bindings& bindings) {
        std::memcpy(bindings.outputs[0].data(), output.data(), output.size() * sizeof output[0]);
        return std::optional<backends::Failure>();
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
  expect(test::kFirstWrite, "scatter.overlap-any-winner", "first write");
  expect(test::kWriteByElement, "scatter.overlap-any-winner", "differs from element to element");
  expect(test::kIndexFails, "scatter.index-range", "fails");
  expect(test::kAnotherResult, "scatter.index-range", "another result");
  expect(test::kNegativeFails, "gather.negative-index-v1", "fails");
  expect(test::kNegativeCountsBack, "gather.negative-index-v1", "counted from the end");
  expect(test::kGapsIntact, "tensor.gaps-dont-care", "left intact");
  expect(test::kGapsOverwritten, "tensor.gaps-dont-care", "overwritten");
}

// Elements 1 and 2 are written twice.
const cases::Case& two_overlaps() {
  static const cases::Case tested = scatter_case("1, 2, 4, 1, 2", "10, 11, 12, 13, 14");
  return tested;
}

TEST(FreedomOfOverlap, PlantedWinners) {
  EXPECT_THAT(choices_of(two_overlaps(), "plain"), ElementsAre(test::kLastWrite));
  EXPECT_THAT(choices_of(two_overlaps(), "first-update-wins"), ElementsAre(test::kFirstWrite));
  EXPECT_THAT(choices_of(two_overlaps(), "any-update-wins"), ElementsAre(test::kWriteByElement));
  EXPECT_THAT(choices_of(two_overlaps(), "smallest-update-wins"), ElementsAre(test::kFirstWrite));
  EXPECT_THAT(choices_of(scatter_case("1, 2, 1, 2", "10, 13, 11, 12"), "smallest-update-wins"),
              ElementsAre(test::kWriteByElement));
}

TEST(FreedomOfOverlap, WritesBetweenTheFirstAndTheLast) {
  const cases::Case three = scatter_case("1, 2, 1, 2, 1, 2", "10, 11, 12, 13, 14, 15");
  EXPECT_THAT(choices_of(three, {50, 10, 11, 53, 54}), ElementsAre(test::kFirstWrite));
  EXPECT_THAT(choices_of(three, {50, 12, 13, 53, 54}), ElementsAre(test::kAnotherWrite));
  EXPECT_THAT(choices_of(three, {50, 14, 15, 53, 54}), ElementsAre(test::kLastWrite));
  EXPECT_THAT(choices_of(three, {50, 12, 15, 53, 54}), ElementsAre(test::kWriteByElement));
  EXPECT_THAT(choices_of(three, {50, 10, 13, 53, 54}), ElementsAre(test::kWriteByElement));
  EXPECT_THAT(choices_of(three, {50, 10, 15, 53, 54}), ElementsAre(test::kWriteByElement));
}

TEST(FreedomOfOverlap, NothingIsToldOfEqualWrites) {
  EXPECT_THAT(choices_of(scatter_case("3, 1, 0", "10, 11, 12"), "plain"), IsEmpty());
  EXPECT_THAT(choices_of(scatter_case("1, 3, 1", "10, 11, 10"), "plain"), IsEmpty());
  const cases::Case between = scatter_case("1, 1, 1", "10, 11, 10");
  EXPECT_THAT(choices_of(between, {50, 10, 52, 53, 54}), IsEmpty());
  EXPECT_THAT(choices_of(between, {50, 11, 52, 53, 54}), ElementsAre(test::kAnotherWrite));
  // Element 1 tells nothing, element 2 does.
  const cases::Case one_of_two = scatter_case("1, 2, 1, 2", "10, 11, 10, 12");
  EXPECT_THAT(choices_of(one_of_two, {50, 10, 11, 53, 54}), ElementsAre(test::kFirstWrite));
  EXPECT_THAT(choices_of(one_of_two, {50, 10, 12, 53, 54}), ElementsAre(test::kLastWrite));
  // A case may permit anything; where no write stands, none won.
  cases::Case anything = scatter_case("1, 1", "10, 11");
  anything.expect.kind = cases::Expectation::Kind::kOutputs;
  anything.expect.outputs = {{true, {}, {}}};
  EXPECT_THAT(choices_of(anything, {1, 2, 3, 4, 5}), IsEmpty());
}

TEST(FreedomOfIndexRange, PlantedTreatments) {
  // Modulo the size 1 and 2; clamped 4.
  const cases::Case tested = scatter_case("0, 6, 7", "10, 11, 12", "UINT32");
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(test::kUpdateDropped));
  EXPECT_THAT(choices_of(tested, "scatter-clamps"), ElementsAre(test::kIndexClamped));
  EXPECT_THAT(choices_of(tested, "scatter-wraps"), ElementsAre(test::kIndexWrapped));
  EXPECT_THAT(choices_of(tested, "scatter-outside-gives-noise"), ElementsAre(test::kAnotherResult));
  // Which of several writes wins is open here too.
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 53, 11}), ElementsAre(test::kIndexClamped));
  // The right writes, but an element that none names differs from the input's.
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 9, 54}), ElementsAre(test::kAnotherResult));
  EXPECT_THAT(choices_of(tested, {10, 51, 52, 9, 12}), ElementsAre(test::kAnotherResult));
}

TEST(FreedomOfIndexRange, NegativeIndices) {
  for (const char* type : {"INT32", "INT64"}) {
    const cases::Case tested = scatter_case("-4, -6, -1, -12", "10, 11, 12, 13", type);
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 53, 12}), ElementsAre(test::kUpdateDropped))
        << type;
    EXPECT_THAT(choices_of(tested, {11, 10, 52, 53, 12}), ElementsAre(test::kIndexClamped)) << type;
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 13, 11}), ElementsAre(test::kIndexWrapped)) << type;
    EXPECT_THAT(choices_of(tested, {50, 10, 52, 53, 11}), ElementsAre(test::kAnotherResult))
        << type;
    EXPECT_THAT(choices_of(tested, "scatter-clamps"), ElementsAre(test::kIndexClamped)) << type;
    EXPECT_THAT(choices_of(tested, "scatter-wraps"), ElementsAre(test::kIndexWrapped)) << type;
  }
  const cases::Case multiple = scatter_case("-10, 1", "10, 11");
  EXPECT_THAT(choices_of(multiple, {50, 11, 52, 53, 54}), ElementsAre(test::kUpdateDropped));
  EXPECT_THAT(choices_of(multiple, {10, 11, 52, 53, 54}), IsEmpty()) << "clamped or modulo 5";
}

TEST(FreedomOfIndexRange, UnsignedIndicesAreLarge) {
  for (const auto& [type, index] : {std::pair("UINT32", "4294967294"),               // modulo 5: 4
                                    std::pair("UINT64", "18446744073709551613")}) {  // 3
    const cases::Case tested = scatter_case(index, "10", type);
    EXPECT_THAT(choices_of(tested, {10, 51, 52, 53, 54}), ElementsAre(test::kAnotherResult))
        << type;
    EXPECT_THAT(choices_of(tested, {50, 51, 52, 53, 54}), ElementsAre(test::kUpdateDropped))
        << type;
  }
  EXPECT_THAT(choices_of(scatter_case("18446744073709551613", "10", "UINT64"), "scatter-wraps"),
              ElementsAre(test::kIndexWrapped));
  EXPECT_THAT(choices_of(scatter_case("18446744073709551613", "10", "UINT64"), "scatter-clamps"),
              ElementsAre(test::kIndexClamped));
}

TEST(FreedomOfIndexRange, NothingIsToldWhereTreatmentsAgree) {
  const cases::Case same_end = scatter_case("9, 0", "10, 11");  // clamped and modulo the size: 4
  EXPECT_THAT(choices_of(same_end, "scatter-clamps"), IsEmpty());
  EXPECT_THAT(choices_of(same_end, "scatter-wraps"), IsEmpty());
  EXPECT_THAT(choices_of(same_end, "plain"), ElementsAre(test::kUpdateDropped));
  EXPECT_THAT(choices_of(scatter_case("6, 0", "51, 11"), {11, 51, 52, 53, 54}), IsEmpty())
      << "the update is what stands there";
}

TEST(FreedomOfIndexRange, AFailureThatACasePermits) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "either",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [1, 2]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [3]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2]}},
    "expect": {"any_of": [{"error": "scatter.index-range"}, {"outputs": {"OutputTensor": [{"any": true}, {"any": true}]}}]}}]})");
  test::FakeBackend fails;
  fails.execute = test::with_own_inputs(fails, [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"scatter.index-range", ""};
  });
  const CaseResult result = check_case(tested, fails, {});
  EXPECT_EQ(result.verdict, Verdict::kPass) << result.message;
  EXPECT_THAT(result.choices, ElementsAre(test::kIndexFails))
      << "that the gaps are intact is no choice";
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(test::kUpdateDropped, test::kGapsIntact));
  EXPECT_THAT(choices_of(tested, "gaps-overwritten"),
              ElementsAre(test::kUpdateDropped, test::kGapsOverwritten));
}

cases::Case gather_case(const std::string& opset, const std::string& indices) {
  return test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "gather", "opset": )" +
                       opset +
                       R"(,
    "desc": {"data": {"type": "int8", "shape": [2, 3], "data": [[1, 2, 3], [4, 5, 6]]}, "axis": 1,
             "indices": {"type": "int64", "shape": [2], "data": [)" +
                       indices + R"(]},
             "output": {"type": "int8", "shape": [2, 2]}}}]})");
}

TEST(FreedomOfNegativeIndices, FailsOrCountsBack) {
  EXPECT_THAT(choices_of(gather_case("1", "0, -3"), "plain"), ElementsAre(test::kNegativeFails));
  EXPECT_THAT(choices_of(gather_case("1", "-1, 1"), "gather-1-counts-back"),
              ElementsAre(test::kNegativeCountsBack));
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
  EXPECT_THAT(choices_of(test::padded_copy(), "plain"), ElementsAre(test::kGapsIntact));
  EXPECT_THAT(choices_of(test::padded_copy(), "gaps-overwritten"),
              ElementsAre(test::kGapsOverwritten));
  EXPECT_THAT(choices_of(test::overlapping_scatter(), "gaps-overwritten"),
              ElementsAre(test::kLastWrite))
      << "has no gaps";
}

TEST(FreedomOfGaps, OneOfSeveralOutputsIsEnough) {
  const cases::Case tested = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "three",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [9], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [3]}, {"DataType": "UINT8", "Sizes": [2]},
                               {"DataType": "UINT8", "Sizes": [4]}]}}]})");
  EXPECT_THAT(choices_of(tested, "plain"), ElementsAre(test::kGapsIntact));
  for (const std::size_t output : {0U, 1U}) {
    test::FakeBackend rounds;
    rounds.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
      bindings.outputs[output][3] ^= std::byte{1};
      return rounds.honest(op, version, bindings);
    };
    EXPECT_THAT(check_case(tested, rounds, {}).choices, ElementsAre(test::kGapsOverwritten))
        << output;
  }
}

/// Does `first` to the outputs of the first execution, and `second` to those of the second.
CaseResult check_twice(const cases::Case& tested, std::function<void(const Bindings&)> first,
                       std::function<void(const Bindings&)> second,
                       const CheckOptions& options = {}) {
  test::FakeBackend backend;
  int executions = 0;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = backend.honest(op, version, bindings);
    const auto& spoil = ++executions == 1 ? first : second;
    if (spoil) spoil(bindings);
    return failure;
  };
  return check_case(tested, backend, options);
}

void overwrite_gap(const Bindings& bindings) { bindings.outputs[0][6] ^= std::byte{1}; }

TEST(FreedomInACase, IsToldOfTheFirstExecution) {
  EXPECT_THAT(check_twice(test::padded_copy(), overwrite_gap, {}).choices,
              ElementsAre(test::kGapsOverwritten));
  EXPECT_THAT(check_twice(test::padded_copy(), {}, overwrite_gap).choices,
              ElementsAre(test::kGapsIntact));
}

TEST(FreedomInACase, IsToldOfPassesOnly) {
  const auto spoil_element = [](const Bindings& bindings) {
    bindings.outputs[0][0] ^= std::byte{1};
  };
  const auto crash = [](const Bindings&) { throw std::bad_alloc(); };
  for (const CaseResult& result :
       {check_twice(test::padded_copy(), spoil_element, {}),
        check_twice(test::padded_copy(), {}, spoil_element),
        check_twice(test::padded_copy(), crash, {}), check_twice(test::padded_copy(), {}, crash),
        check_twice(test::padded_copy(), overwrite_gap, {}, {.strict_gaps = true})}) {
    EXPECT_NE(result.verdict, Verdict::kPass);
    EXPECT_THAT(result.choices, IsEmpty());
  }
  EXPECT_THAT(choices_of(test::rejected_slice(), "plain"), IsEmpty());
}

// All layouts, ranks, axes and types of index that generators know.
TEST(FreedomOfGeneratedCases, PlantedOnesAreToldAsWhatTheyAre) {
  constexpr std::uint64_t kCases = 600;
  constexpr std::size_t kAtLeast = 30;
  struct Planted {
    std::string_view name;
    Choice choice;
  };
  campaigns::CaseSource source(
      campaigns::SourceOptions{.seed = 1, .operators = {0}, .at_most = {}});
  for (const Planted& planted :
       {Planted{"plain", test::kLastWrite}, Planted{"plain", test::kUpdateDropped},
        Planted{"plain", test::kGapsIntact}, Planted{"first-update-wins", test::kFirstWrite},
        Planted{"scatter-clamps", test::kIndexClamped},
        Planted{"scatter-wraps", test::kIndexWrapped},
        Planted{"scatter-outside-gives-noise", test::kAnotherResult},
        Planted{"gaps-overwritten", test::kGapsOverwritten}}) {
    const auto backend = planted::make_faulty("faulty:" + std::string(planted.name));
    std::size_t told = 0;
    for (std::uint64_t number = 0; number < kCases; ++number) {
      if (source.kind(number) != campaigns::CaseKind::kValid) continue;
      const CaseResult result = check_case(campaigns::campaign_case(source, number), *backend, {});
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
  for (const Chosen& choices : {Chosen{}, Chosen{test::kFirstWrite, test::kGapsOverwritten},
                                Chosen{test::kNegativeCountsBack}}) {
    const base::Json json = running::outcome_to_json({result_with("mine", choices), ""});
    EXPECT_EQ(json.contains("choices"), !choices.empty());
    const auto back = running::outcome_from_json(json.dump());
    ASSERT_TRUE(back && back->result);
    EXPECT_EQ(back->result->choices, choices);
  }
  EXPECT_EQ(running::result_to_json(result_with("mine", {test::kFirstWrite})).at("choices"),
            base::Json({{"scatter.overlap-any-winner", "first write"}}));
}

TEST(FreedomInResults, WhatAChildSaysIsNotTrusted) {
  for (const char* choices :
       {"3", "[]", "null", R"({"scatter.overlap-any-winner": 3})",
        R"({"scatter.overlap-any-winner": "none"})", R"({"no.rule": "first write"})"}) {
    const auto back = running::outcome_from_json(std::string(R"({"verdict": "pass", "choices": )") +
                                                 choices + "}");
    ASSERT_TRUE(back && back->result) << choices;
    EXPECT_THAT(back->result->choices, IsEmpty()) << choices;
  }
}

TEST(FreedomInResults, TheSummaryCountsCases) {
  running::RunOutcome outcome;
  EXPECT_TRUE(running::run_to_json(outcome, {}, {}, {}, 1).at("choices").empty());
  outcome.results = {result_with("b", {test::kLastWrite, test::kGapsIntact}),
                     result_with("b", {test::kGapsIntact}), result_with("a", {test::kGapsIntact}),
                     result_with("a", {})};
  EXPECT_EQ(running::run_to_json(outcome, {}, {}, {}, 1).at("choices"), base::Json::parse(R"([
    {"backend": "a", "rule": "tensor.gaps-dont-care", "choice": "left intact", "cases": 1},
    {"backend": "b", "rule": "scatter.overlap-any-winner", "choice": "last write", "cases": 1},
    {"backend": "b", "rule": "tensor.gaps-dont-care", "choice": "left intact", "cases": 2}])"));
}

}  // namespace
}  // namespace opconform::judging
