// All of the "valid" are valid, all of the "broken" break exactly that rule; same seed, same cases.

#include "harness/generation/generator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "spec/validate.h"
#include "tests/effort.h"

namespace opconform::generation {
namespace {

constexpr std::uint64_t kDraws = test::draws(1'000'000);  // of each kind, over all operators

std::string text_of(const Violations& violations) {
  std::string text;
  for (const Violation& violation : violations.list())
    text += std::string(violation.rule) + ": " + violation.message + "\n";
  return text;
}

class EachOperator : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EachOperator, AMillionValidCasesAreValidAndSmall) {
  Generated generated;
  std::uint64_t output_elements = 0;
  std::uint64_t ranks = 0;
  std::uint64_t large = 0;
  std::uint64_t with_two_long_dimensions = 0;
  for (std::uint64_t i = 0; i < kDraws / 4; ++i) {
    RandomDraws draws(base::random_bits(1, i));
    generate(GetParam(), {}, draws, generated);
    const Violations violations = validate(generated.op, generated.version);
    ASSERT_TRUE(violations.empty()) << "draw " << i << "\n" << text_of(violations);
    for_each_tensor(generated.op, [&](const NamedTensor& tensor) {
      const std::uint64_t count = *element_count(tensor.desc.sizes);
      ASSERT_LE(count, 2 * kMostElementsOfLarge);
      if (count > 2 * kMostGeneratedElements) ++large;
      const Dims& sizes = tensor.desc.sizes;
      const auto is_long = [](std::uint64_t size) { return size > 32; };
      if (std::count_if(sizes.begin(), sizes.end(), is_long) > 1) ++with_two_long_dimensions;
      if (tensor.field.access != Access::kOutput) return;
      output_elements += count;
      ranks += tensor.path.index == 0 || tensor.path.index == FieldPath::kNoIndex
                   ? tensor.desc.rank()
                   : 0;
    });
  }
  RecordProperty("mean_output_elements", static_cast<int>(output_elements / (kDraws / 4)));
  EXPECT_GE(ranks, 3 * (kDraws / 4));
  EXPECT_LE(large, kDraws / 4 / 8) << "small ones are many";
  EXPECT_GE(large, kDraws / 4 / 1000);
  EXPECT_GE(with_two_long_dimensions, kDraws / 4 / 5000);
}

/// In every tier above the smallest: valid, not larger than the tier, and up to its bound often.
TEST_P(EachOperator, LargeCasesAreValidAndOfTheirTier) {
  Generated generated;
  for (const SizeTier tier :
       {SizeTier::kFirstCache, SizeTier::kSecondCache, SizeTier::kThirdCache, SizeTier::kMemory}) {
    const std::uint64_t most = kMostBytesOfTier[static_cast<std::size_t>(tier)];
    std::uint64_t upper_half = 0;
    std::uint64_t odd = 0;
    constexpr std::uint64_t kCases = 400;
    for (std::uint64_t i = 0; i < kCases; ++i) {
      RandomDraws draws(base::random_bits(3, i));
      Assignment wanted;
      factor_model(GetParam()).prefer_large(wanted, draws);
      generate(GetParam(), wanted, draws, generated, tier);
      const Violations violations = validate(generated.op, generated.version);
      ASSERT_TRUE(violations.empty()) << "draw " << i << "\n" << text_of(violations);
      std::uint64_t largest = 0;
      for_each_tensor(generated.op, [&](const NamedTensor& tensor) {
        const std::uint64_t count = *element_count(tensor.desc.sizes);
        largest = std::max(largest, count * tensor.desc.element_size_bytes());
        odd += count > 1 && count % 2 != 0 ? 1 : 0;
      });
      // Indices may go a little beyond the dimension that they count in.
      ASSERT_LE(largest, most + most / 8) << "draw " << i;
      if (largest > most / 2) ++upper_half;
    }
    EXPECT_GE(upper_half, kCases / 8);
    EXPECT_GE(odd, kCases / 8);
  }
}

TEST_P(EachOperator, AMillionBrokenCasesBreakExactlyTheirRule) {
  const std::vector<std::string_view> rules = breakable_rules(GetParam());
  std::map<std::string_view, std::uint64_t> broken;
  Generated generated;
  for (std::uint64_t i = 0; i < kDraws / 4; ++i) {
    RandomDraws draws(base::random_bits(2, i));
    const std::string_view rule = rules[i % rules.size()];
    generate(GetParam(), {}, draws, generated);
    if (!break_rule(rule, draws, generated)) continue;
    ++broken[rule];
    const Violations violations = validate(generated.op, generated.version);
    ASSERT_EQ(violations.rules(), std::vector<std::string_view>{rule}) << "draw " << i << "\n"
                                                                       << text_of(violations);
  }
  for (const std::string_view rule : rules)
    EXPECT_GT(broken[rule], kDraws / 4 / rules.size() / 50) << rule;
}

TEST_P(EachOperator, EveryConstraintAndSupportRuleCanBeBroken) {
  const std::vector<std::string_view> rules = breakable_rules(GetParam());
  const std::set<std::string_view> known(rules.begin(), rules.end());
  const OperatorText op = all_operators()[GetParam()];
  // gather.index-range is broken by an execution: the index classes do that.
  const std::set<std::string_view> not_of_descriptors{"gather.index-range"};
  std::size_t place = 0;
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    if (place++ != GetParam()) return;
    for (const Rule<Op>& rule : Op::rules()) {
      if (rule.text.kind != RuleKind::kConstraint && rule.text.kind != RuleKind::kSupport) continue;
      EXPECT_TRUE(known.count(rule.text.name) || not_of_descriptors.count(rule.text.name))
          << rule.text.name;
    }
  });
  for (const RuleText& rule : all_rules())
    if (rule.name.starts_with("tensor.") && rule.kind == RuleKind::kConstraint &&
        op.dialect == Dialect::kDirectml) {
      EXPECT_TRUE(known.count(rule.name)) << rule.name;
    }
}

TEST_P(EachOperator, SameSeedSameCase) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Generated first;
    Generated second;
    RandomDraws draws(i);
    RandomDraws same_draws(i);
    generate(GetParam(), {}, draws, first);
    generate(GetParam(), {}, same_draws, second);
    ASSERT_EQ(first.op, second.op);
    ASSERT_EQ(first.version, second.version);
    ASSERT_EQ(first.contents.seed, second.contents.seed);
    ASSERT_EQ(first.assignment, second.assignment);
  }
}

TEST_P(EachOperator, WantedValuesAreKept) {
  const FactorModel& model = factor_model(GetParam());
  Generated generated;
  for (std::size_t a = 0; a < model.factors().size(); ++a) {
    for (std::size_t value = 0; value < model.factors()[a].values.size(); ++value) {
      Assignment wanted;
      wanted.set(a, value);
      if (!model.is_feasible(wanted)) {
        EXPECT_FALSE(model.forbidding_rule(wanted).empty()) << model.factors()[a].name;
        continue;
      }
      RandomDraws draws(a * 100 + value);
      generate(GetParam(), wanted, draws, generated);
      EXPECT_EQ(generated.assignment[a], value);
      EXPECT_TRUE(validate(generated.op, generated.version).empty());
    }
  }
}

TEST_P(EachOperator, AnyBytesOfAFuzzerMakeAValidCase) {
  Generated generated;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    std::array<std::uint8_t, 64> bytes{};
    const std::size_t length = i % (bytes.size() + 1);
    for (std::size_t k = 0; k < length; ++k)
      bytes[k] = static_cast<std::uint8_t>(base::random_bits(i, k));
    ByteDraws draws({bytes.data(), length});
    generate(GetParam(), {}, draws, generated);
    ASSERT_TRUE(validate(generated.op, generated.version).empty()) << i;
  }
}

TEST_P(EachOperator, TheManualListsEveryFactorWithItsValues) {
  std::string table = "### " + std::string(all_operators()[GetParam()].name) +
                      "\n\n| factor | values |\n| --- | --- |\n";
  for (const Factor& factor : factor_model(GetParam()).factors()) {
    table += "| " + std::string(factor.name) + " | ";
    for (std::size_t i = 0; i < factor.values.size(); ++i)
      table += (i == 0 ? "" : ", ") + factor.values[i];
    table += " |\n";
  }
  std::ifstream file(OPCONFORM_SOURCE_DIR "/docs/factors.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(manual.find(table), std::string::npos) << "docs/factors.md must hold:\n" << table;
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& tested) {
  return std::string(all_operators()[tested.param].name);
}
INSTANTIATE_TEST_SUITE_P(Generator, EachOperator,
                         ::testing::Range(std::size_t{0}, std::variant_size_v<Operator>), name_of);

}  // namespace
}  // namespace opconform::generation
