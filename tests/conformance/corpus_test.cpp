// The generated part of the committed cases: what it covers, and that its cases are what they say.

#include "harness/strength/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/generation/generator.h"
#include "harness/generation/sentences.h"
#include "harness/judging/check.h"
#include "harness/strength/boundary_cases.h"
#include "harness/strength/large_cases.h"
#include "harness/strength/large_combinations.h"
#include "spec/validate.h"
#include "tests/conformance/case_meaning.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

constexpr std::size_t kOperators = std::variant_size_v<Operator>;

TEST(Corpus, FactorsAreReadAsTheyAreWritten) {
  for (std::size_t i = 0; i < kOperators; ++i) {
    const generation::FactorModel model = strength::committed_factors(i);
    generation::RandomDraws draws(i);
    for (int draw = 0; draw < 200; ++draw) {
      generation::Assignment assignment;
      model.complete(assignment, draws);
      const strength::NamedFactors named = strength::named_factors(model, assignment);
      EXPECT_EQ(strength::assignment_of(model, named), assignment);
      strength::NamedFactors more = named;
      more.emplace_back("and", "more");
      EXPECT_EQ(strength::assignment_of(model, more), std::nullopt);
      strength::NamedFactors fewer = named;
      fewer.pop_back();
      EXPECT_EQ(strength::assignment_of(model, fewer), std::nullopt);
      strength::NamedFactors other = named;
      other.front().second = "no such value";
      EXPECT_EQ(strength::assignment_of(model, other), std::nullopt);
    }
    EXPECT_EQ(strength::assignment_of(model, {}), std::nullopt);
  }
}

/// "id hash" a line: what each case of 1.2.0 meant to the reader of that version.
std::map<std::string, std::string> promised_meanings() {
  std::ifstream file(OPCONFORM_CONFORMANCE_DIR "/corpus-1.2.0.meaning");
  std::map<std::string, std::string> meanings;
  for (std::string id, hash; file >> id >> hash;) meanings[id] = hash;
  return meanings;
}

TEST(Corpus, CasesMeanWhatTheyMeantIn1_2_0) {
  std::map<std::string, std::string> promised = promised_meanings();
  ASSERT_EQ(promised.size(), 8737U);
  for (const cases::Case& one : committed().cases) {
    const auto found = promised.find(one.id);
    if (found == promised.end()) continue;  // of a later version
    EXPECT_EQ(CaseMeaning(one).hash(), found->second) << one.id << " means something else";
    promised.erase(found);
  }
  EXPECT_TRUE(promised.empty()) << promised.begin()->first << " is gone";
}

TEST(Corpus, WhatACaseMeansIsAllOfIt) {
  const cases::Case& before = *std::find_if(
      committed().cases.begin(), committed().cases.end(),
      [](const cases::Case& one) { return one.id == "documents/directml-slice1/example-2"; });
  const std::string hash = CaseMeaning(before).hash();
  cases::Case changed = before;
  changed.says = "something else";
  EXPECT_EQ(CaseMeaning(changed).hash(), hash);
  changed.inputs[0].bytes[0] ^= std::byte{1};
  EXPECT_NE(CaseMeaning(changed).hash(), hash);
  changed = before;
  changed.expect.outputs[0].elements.back() ^= std::byte{1};
  EXPECT_NE(CaseMeaning(changed).hash(), hash);
  changed = before;
  changed.rules.pop_back();
  EXPECT_NE(CaseMeaning(changed).hash(), hash);
}

TEST(Corpus, GeneratedSentencesTellOfBehaviour) {
  std::size_t looked_at = 0;
  for (const cases::Case& one : committed().cases) {
    if (one.factors.empty()) continue;
    ++looked_at;
    EXPECT_EQ(one.says, generation::sentence_of(one)) << one.id;
    EXPECT_THAT(one.says, ::testing::ContainsRegex("goes|is cut|is made|count|name|outside"))
        << one.id;
  }
  EXPECT_GT(looked_at, 6000U);
}

TEST(Corpus, SentencesOfBrokenDescriptorsTellOfARejection) {
  std::size_t looked_at = 0;
  for (const cases::Case& one : committed().cases) {
    if (std::filesystem::path(one.file).filename() != "broken.json") continue;
    ++looked_at;
    EXPECT_EQ(one.says, generation::sentence_of_broken(one)) << one.id;
    EXPECT_THAT(one.says, ::testing::MatchesRegex("that .* is rejected at .*")) << one.id;
  }
  EXPECT_GT(looked_at, 700U);
}

/// Written again, each file that the program made is what is committed, byte by byte.
TEST(Corpus, GrownFilesAreWrittenAsTheyStand) {
  std::map<std::string, std::vector<cases::Case>> files;
  for (const cases::Case& one : committed().cases) files[one.file].push_back(one);
  std::size_t looked_at = 0;
  for (const auto& [file, cases] : files) {
    const std::string text = base::read_text_file(file);
    const base::Json document = base::parse_json(text, file);
    const auto generated = document.find("generated");
    if (generated == document.end() || (*generated)["by"] != "opconform corpus grow") continue;
    ++looked_at;
    const cases::GeneratedHeader header{.by = (*generated)["by"],
                                        .seeds = cases::seeds_of(document, file),
                                        .corpus = (*generated)["corpus"],
                                        .hunts = (*generated)["hunts"]};
    EXPECT_TRUE(text == cases::generated_text(cases, header, "../../case.schema.json")) << file;
  }
  EXPECT_GT(looked_at, 60U);
}

TEST(Corpus, LacksNoTripleOfFactorsAndNoBrokenRule) {
  EXPECT_THAT(strength::missing_cases(committed().cases, {}, 1), ::testing::IsEmpty());
  for (std::size_t i = 0; i < kOperators; ++i) {
    const strength::CorpusCount count = strength::count_corpus(i, committed().cases);
    EXPECT_EQ(count.pairs.covered, count.pairs.feasible);
    EXPECT_EQ(count.triples.covered, count.triples.feasible);
    EXPECT_GT(count.triples.feasible, 50'000U);
  }
}

TEST(Corpus, IsLarge) {
  // Scatter, Split, Slice1, Gather; later operators have 300 at least.
  const std::array<std::size_t, 4> least_executed{600, 300, 500, 500};
  std::size_t strided = 0;
  std::size_t rejected = 0;
  for (std::size_t i = 0; i < kOperators; ++i) {
    const strength::CorpusCount count = strength::count_corpus(i, committed().cases);
    EXPECT_GE(count.executed, i < least_executed.size() ? least_executed[i] : 300U);
    strided += count.strided;
    rejected += count.rejected;
  }
  EXPECT_GE(strided, 500U);
  EXPECT_GE(rejected, 600U);
}

std::string value_of(const generation::FactorModel& model, const generation::Assignment& assignment,
                     std::string_view factor) {
  for (std::size_t i = 0; i < model.factors().size(); ++i)
    if (model.factors()[i].name == factor) return model.factors()[i].values[assignment[i]];
  return {};
}

TEST(Corpus, CasesAreWhatTheySay) {
  std::size_t looked_at = 0;
  for (const cases::Case& one : committed().cases) {
    const generation::FactorModel model = strength::committed_factors(one.op.index());
    if (one.factors.empty()) continue;
    const auto assignment = strength::assignment_of(model, one.factors);
    ASSERT_TRUE(assignment) << one.id;
    ++looked_at;
    const Dialect dialect = one.version.dialect();
    const TensorDesc& first = cases::TensorList(one.op).inputs.front().desc;
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
  std::vector<cases::Case> present;
  std::set<std::string> taken;
  for (const cases::Case& one : committed().cases) {
    taken.insert(one.id);
    if (!one.id.starts_with("split/combinations-int8/") && !one.id.starts_with("gather/broken/"))
      present.push_back(one);
  }
  const auto files = strength::missing_cases(present, taken, 99);
  EXPECT_GT(files.at("gather/generated/broken.json").size(), 10U);
  std::size_t split = 0;
  for (const auto& [file, cases] : files)
    for (const cases::Case& one : cases) {
      EXPECT_FALSE(one.says.empty()) << one.id;
      EXPECT_FALSE(one.rules.empty()) << one.id;
      EXPECT_NE(one.expect.kind, cases::Expectation::Kind::kReference) << one.id;
      EXPECT_EQ(taken.count(one.id), 0U) << one.id;
      const std::filesystem::path path(file);
      EXPECT_EQ(path.parent_path().filename(), strength::kGeneratedFolder);
      EXPECT_TRUE(one.id.starts_with(path.begin()->string() + "/" + path.stem().string() + "/"))
          << one.id;
      split += one.id.starts_with("split/combinations-") ? 1U : 0U;
    }
  EXPECT_GT(split, 50U);
  EXPECT_LT(split, 300U);
}

/// Made again, each file is what is committed, byte by byte.
TEST(Corpus, LargeCasesAndBoundariesAreWhatTheProgramMakes) {
  std::set<std::string> folders;
  std::vector<strength::LargeFile> files = strength::boundary_files();
  EXPECT_EQ(files.size(), 3 * kOperators);
  for (strength::LargeFile& file : strength::large_files()) {
    folders.insert(file.path.substr(0, file.path.find('/')));
    files.push_back(std::move(file));
  }
  for (const strength::LargeFile& file : files) {
    const std::filesystem::path path = std::filesystem::path(OPCONFORM_SPEC_CASES_DIR) / file.path;
    const std::string text = base::read_text_file(path);
    const std::string again = cases::generated_text(
        file.cases,
        {.by = "opconform corpus grow",
         .corpus = base::parse_json(text, file.path)["generated"]["corpus"].get<std::string>(),
         .hunts = file.hunts},
        "../../case.schema.json");
    EXPECT_TRUE(text == again) << file.path << " is not what opconform corpus grow makes";
  }
  EXPECT_EQ(folders.size(), kOperators);
}

/// Each value of each factor that a large case can have, with tensors of each of the two tiers.
TEST(Corpus, EachValueOccursAtEachTier) {
  for (std::size_t i = 0; i < kOperators; ++i) {
    std::set<std::array<std::string, 3>> seen;  // tier, factor, value
    const strength::LargeFile file = strength::large_combinations(i);
    for (const cases::Case& one : file.cases)
      for (const auto& [factor, value] : one.factors)
        seen.insert({one.factors.back().second, factor, value});
    const generation::FactorModel model = strength::large_factors(i);
    std::size_t expected = 0;
    for (const generation::SizeTier tier : strength::kCombinedTiers) {
      const std::string tier_name(generation::kSizeTierNames[static_cast<std::size_t>(tier)]);
      for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
        const generation::Factor& of = model.factors()[factor];
        if (of.name == "base alignment") continue;  // the run's affair
        for (std::size_t value = 0; value < of.values.size(); ++value) {
          generation::Assignment single;
          single.set(factor, value);
          if (!model.is_feasible(single)) continue;
          ++expected;
          EXPECT_TRUE(seen.contains({tier_name, std::string(of.name), of.values[value]}))
              << file.path << ": " << of.name << " " << of.values[value] << " at " << tier_name;
        }
      }
    }
    EXPECT_GT(expected, 100U) << file.path;
  }
}

TEST(Corpus, LargeCasesAreValidAndFitIntoMemory) {
  std::set<std::string> ids;
  for (const strength::LargeFile& file : strength::large_files())
    for (const cases::Case& one : file.cases) {
      EXPECT_TRUE(ids.insert(one.id).second) << one.id;
      EXPECT_TRUE(validate(one.op, one.version).empty()) << one.id;
      EXPECT_EQ(one.label, strength::kLargeLabel);
      EXPECT_EQ(one.expect.kind, cases::Expectation::Kind::kReference) << one.id;
      std::uint64_t size_bytes = 0;
      for_each_tensor(one.op, [&](const NamedTensor& tensor) {
        size_bytes += buffer_size_bytes(tensor.desc, one.version.dialect());
      });
      EXPECT_LE(size_bytes, judging::kDefaultMemoryLimitBytes) << one.id;
    }
}

}  // namespace
}  // namespace opconform::test
