// The generated part of the committed cases: what it covers, and that its cases are what they say.

#include "harness/strength/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/generation/generator.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::harness {
namespace {

constexpr std::size_t kOperators = std::variant_size_v<Operator>;

TEST(Corpus, FactorsAreReadAsTheyAreWritten) {
  for (std::size_t i = 0; i < kOperators; ++i) {
    const FactorModel model = committed_factors(i);
    RandomChoices choices(i);
    for (int draw = 0; draw < 200; ++draw) {
      Assignment assignment;
      model.complete(assignment, choices);
      const std::string text = factors_text(model, assignment);
      EXPECT_EQ(parse_factors(model, text), assignment) << text;
      EXPECT_EQ(parse_factors(model, text + "; and more"), std::nullopt);
      EXPECT_EQ(parse_factors(model, text.substr(0, text.size() / 2)), std::nullopt);
    }
    EXPECT_EQ(parse_factors(model, "a stride of -1 reverses the row"), std::nullopt);
    EXPECT_EQ(parse_factors(model, ""), std::nullopt);
  }
}

TEST(Corpus, LacksNoTripleOfFactorsAndNoBrokenRule) {
  EXPECT_THAT(missing_cases(committed().cases, {}, 1), ::testing::IsEmpty());
  for (std::size_t i = 0; i < kOperators; ++i) {
    const CorpusCount count = count_corpus(i, committed().cases);
    EXPECT_EQ(count.pairs.covered, count.pairs.feasible);
    EXPECT_EQ(count.triples.covered, count.triples.feasible);
    EXPECT_GT(count.triples.feasible, 50'000U);
  }
}

TEST(Corpus, IsLarge) {
  const std::size_t least_executed[] = {600, 300, 500, 500};  // Scatter, Split, Slice1, Gather
  std::size_t strided = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < kOperators; ++i) {
    const CorpusCount count = count_corpus(i, committed().cases);
    EXPECT_GE(count.executed, least_executed[i]);
    strided += count.strided;
    refused += count.refused;
  }
  EXPECT_GE(strided, 500U);
  EXPECT_GE(refused, 600U);
}

std::string value_of(const FactorModel& model, const Assignment& assignment,
                     std::string_view factor) {
  for (std::size_t i = 0; i < model.factors().size(); ++i)
    if (model.factors()[i].name == factor) return model.factors()[i].values[assignment[i]];
  return {};
}

TEST(Corpus, CasesAreWhatTheySay) {
  std::size_t looked_at = 0;
  for (const Case& one : committed().cases) {
    const FactorModel model = committed_factors(one.op.index());
    const auto assignment = parse_factors(model, one.says);
    if (!assignment) continue;
    ++looked_at;
    const Dialect dialect = one.version.dialect();
    const TensorDesc& first = TensorList(one.op).inputs.front().desc;
    const bool is_onnx = dialect == Dialect::kOnnx;
    EXPECT_EQ(value_of(model, *assignment, is_onnx ? "opset" : "feature level"),
              one.version.text());
    EXPECT_EQ(value_of(model, *assignment, "data type"), name(first.data_type, dialect)) << one.id;
    EXPECT_EQ(value_of(model, *assignment, is_onnx ? "rank of data" : "rank"),
              std::to_string(first.rank()))
        << one.id;
    const std::string layout = value_of(model, *assignment, "input layout");
    EXPECT_TRUE(is_onnx || (layout == "packed") == !first.strides) << one.id;
  }
  EXPECT_GT(looked_at, 6000U);
}

TEST(Corpus, GrowsCasesThatSayWhatConforms) {
  std::vector<Case> present;
  std::set<std::string> taken;
  for (const Case& one : committed().cases) {
    taken.insert(one.id);
    if (!one.id.starts_with("split/combinations-int8/") && !one.id.starts_with("gather/broken/"))
      present.push_back(one);
  }
  const auto files = missing_cases(present, taken, 99);
  EXPECT_GT(files.at("gather/broken.json").size(), 10U);
  std::size_t split = 0;
  for (const auto& [file, cases] : files)
    for (const Case& one : cases) {
      EXPECT_FALSE(one.says.empty()) << one.id;
      EXPECT_FALSE(one.rules.empty()) << one.id;
      EXPECT_NE(one.expect.kind, Expectation::Kind::kReference) << one.id;
      EXPECT_EQ(taken.count(one.id), 0U) << one.id;
      EXPECT_TRUE(one.id.starts_with(file.substr(0, file.find('.')) + "/")) << one.id;
      split += one.id.starts_with("split/combinations-") ? 1U : 0U;
    }
  EXPECT_GT(split, 50U);
  EXPECT_LT(split, 300U);
}

}  // namespace
}  // namespace opconform::harness
