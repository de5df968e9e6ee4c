// Around which powers of two the committed cases have sizes, and the campaign's first cases.
#include "harness/coverage/boundaries.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>

#include "harness/campaigns/case_source.h"
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

/// Of the committed cases, and of the campaign's first, which no test holds to anything.
void print_all() {
  for (const std::string_view label : {"", "large", "huge"})
    print(label.empty() ? "default" : label, committed_boundaries(label));
  print("300,000 cases of the campaign", campaign_boundaries(300'000));
}

/// What the committed cases walk without a gap, from both sides. Indices and updates are as many.
/// OPCONFORM_PRINT_BOUNDARIES=1 prints what they walk.
TEST(Boundaries, TheCommittedCasesWalkThemFromBothSides) {
  if (std::getenv("OPCONFORM_PRINT_BOUNDARIES") != nullptr) print_all();
  ByOperator all = committed_boundaries("");
  const ByOperator large = committed_boundaries("large");
  const ByOperator huge = committed_boundaries("huge");
  for (std::size_t i = 0; i < kOperators; ++i) {
    all[i].merge(large[i]);
    for (const auto& [quantity, sides] : all[i].quantities()) {
      if (quantity == "axis" || quantity == "windows") continue;  // elements or rows, too
      for (int exponent = coverage::kLeastBoundary; exponent <= walked_to(quantity); ++exponent)
        for (const Side side : {Side::kBelow, Side::kAt, Side::kAbove, Side::kOdd})
          EXPECT_TRUE(all[i].has(quantity, exponent, side))
              << all_operators()[i].name << ": no committed case has 2^" << exponent << ' '
              << coverage::kSideNames[static_cast<std::size_t>(side)] << ' ' << quantity;
    }
    const bool is_directml = all_operators()[i].dialect == Dialect::kDirectml;
    for (int exponent = 21; exponent <= coverage::kMostBoundary; ++exponent)
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

}  // namespace
}  // namespace opconform::test
