// Around which powers of two the committed cases have sizes, and the campaign's first cases.
#include "harness/coverage/boundaries.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "harness/base/json_document.h"
#include "harness/base/text_file.h"
#include "harness/campaigns/case_source.h"
#include "harness/cases/case_writer.h"
#include "harness/strength/boundary_cases.h"
#include "spec/validate.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

using coverage::Boundaries;
using coverage::Side;

constexpr std::size_t kOperators = std::variant_size_v<Operator>;
using ByOperator = std::array<Boundaries, kOperators>;

/// Of the valid cases with that label.
ByOperator committed_boundaries(std::string_view label) {
  ByOperator all;
  for (const auto* cases : {&committed().cases, &committed().left_out})
    for (const cases::Case& one : *cases)
      if (one.label == label && is_valid(one.op, one.version)) all[one.op.index()].observe(one.op);
  return all;
}

ByOperator campaign_boundaries(std::uint64_t count) {
  ByOperator all;
  const campaigns::CaseSource source(campaigns::SourceOptions{});
  campaigns::SourcedCase one;
  for (std::uint64_t number = 0; number < count; ++number) {
    source.make(number, one);
    if (one.kind == campaigns::CaseKind::kValid)
      all[one.generated.op.index()].observe(one.generated.op);
  }
  return all;
}

void print(std::string_view title, const ByOperator& all) {
  for (std::size_t i = 0; i < kOperators; ++i)
    std::cout << title << ", " << all_operators()[i].name << '\n' << boundaries_text(all[i]);
}

/// The last exponent that the committed cases walk without a gap, up to 2^20.
int walked_to(std::string_view quantity) {
  if (quantity == "inputs" || quantity == "outputs") return 9;
  if (quantity == "rows" || quantity == "indices" || quantity == "updates") return 17;
  return quantity == "elements" || quantity == "starts" ? 18 : 20;
}

/// What the committed cases walk without a gap, from both sides. Indices and updates are as many.
TEST(Boundaries, TheCommittedCasesWalkThemFromBothSides) {
  ByOperator all = committed_boundaries("");
  const ByOperator large = committed_boundaries("large");
  const ByOperator huge = committed_boundaries("huge");
  for (std::size_t i = 0; i < kOperators; ++i) {
    all[i].merge(large[i]);
    for (const auto& [quantity, sides] : all[i].quantities()) {
      if (quantity == "axis" || quantity == "windows") continue;  // elements or rows, too
      for (int exponent = 5; exponent <= walked_to(quantity); ++exponent)
        for (const Side side : {Side::kBelow, Side::kAt, Side::kAbove, Side::kOdd})
          EXPECT_TRUE(all[i].has(quantity, exponent, side))
              << all_operators()[i].name << ": no committed case has 2^" << exponent << ' '
              << coverage::kSideNames[static_cast<std::size_t>(side)] << ' ' << quantity;
    }
    const bool is_directml = all_operators()[i].dialect == Dialect::kDirectml;
    for (const int exponent : {31, 32})
      for (const Side side : {Side::kBelow, Side::kAt, Side::kAbove})
        EXPECT_TRUE(huge[i].has(is_directml ? "bytes" : "elements", exponent, side))
            << all_operators()[i].name << " 2^" << exponent;
  }
}

TEST(Boundaries, NumbersStandWhereTheySayTheyDo) {
  for (int exponent = coverage::kLeastBoundary; exponent <= coverage::kMostBoundary; ++exponent) {
    const std::uint64_t power = std::uint64_t{1} << exponent;
    EXPECT_EQ(coverage::boundary_number(exponent, Side::kBelow), power - 1);
    EXPECT_EQ(coverage::boundary_number(exponent, Side::kAt), power);
    EXPECT_EQ(coverage::boundary_number(exponent, Side::kAbove), power + 1);
    const std::uint64_t odd = coverage::boundary_number(exponent, Side::kOdd);
    EXPECT_EQ(odd % 2, 1U);
    EXPECT_GT(odd, power + 1);
    EXPECT_LT(odd, 2 * power - 1);
  }
}

/// Made again, each file is what is committed, byte by byte.
TEST(Boundaries, CasesAreWhatTheProgramMakes) {
  std::size_t looked_at = 0;
  for (const strength::LargeFile& file : strength::boundary_files()) {
    const std::filesystem::path path = std::filesystem::path(OPCONFORM_SPEC_CASES_DIR) / file.path;
    const std::string text = base::read_text_file(path);
    const std::string again = cases::generated_text(
        file.cases,
        {.by = "opconform corpus grow",
         .corpus = base::parse_json(text, file.path)["generated"]["corpus"].get<std::string>(),
         .hunts = file.hunts},
        "../../case.schema.json");
    EXPECT_TRUE(text == again) << file.path << " is not what opconform corpus grow makes";
    ++looked_at;
  }
  EXPECT_EQ(looked_at, 3 * kOperators);
}

/// For a reader: OPCONFORM_PRINT_BOUNDARIES=1 prints all.
TEST(Boundaries, ArePrinted) {
  if (std::getenv("OPCONFORM_PRINT_BOUNDARIES") == nullptr) GTEST_SKIP();
  for (const std::string_view label : {"", "large", "huge"})
    print(label.empty() ? "default" : label, committed_boundaries(label));
  print("300,000 cases of the campaign", campaign_boundaries(300'000));
}

}  // namespace
}  // namespace opconform::test
