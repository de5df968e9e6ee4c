// The rules and errata in the code against the ledger, typed here a second time.
#include <gmock/gmock.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spec/operator.h"

namespace opconform {
namespace {

using testing::UnorderedElementsAreArray;
using enum RuleKind;

using NameAndKind = std::pair<std::string_view, RuleKind>;

const std::vector<NameAndKind> kLedger = {
    {"tensor.offset", kSemantics},
    {"tensor.packed-strides", kSemantics},
    {"tensor.implicit-strides", kSemantics},
    {"tensor.any-layout", kSemantics},
    {"tensor.broadcast", kSemantics},
    {"tensor.padding", kSemantics},
    {"tensor.gaps-dont-care", kFreedom},
    {"tensor.outside-intact", kMemory},
    {"tensor.size-one-stride", kSemantics},
    {"tensor.leading-ones", kSemantics},
    {"tensor.buffer-size", kConstraint},
    {"tensor.buffer-granularity", kConstraint},
    {"tensor.stride-count", kConstraint},
    {"tensor.sizes-positive", kConstraint},
    {"tensor.size-overflow", kConstraint},
    {"tensor.output-no-overlap", kConstraint},
    {"tensor.element-limit", kConstraint},
    {"tensor.input-intact", kMemory},
    {"tensor.bits-preserved", kSemantics},
    {"scatter.copy-input", kSemantics},
    {"scatter.write-update", kSemantics},
    {"scatter.overlap-any-winner", kFreedom},
    {"scatter.negative-index", kSemantics},
    {"scatter.index-range", kFreedom},
    {"scatter.same-rank", kConstraint},
    {"scatter.same-data-type", kConstraint},
    {"scatter.indices-sizes", kConstraint},
    {"scatter.updates-sizes", kConstraint},
    {"scatter.output-sizes", kConstraint},
    {"scatter.axis-range", kConstraint},
    {"scatter.alias", kSemantics},
    {"scatter.support", kSupport},
    {"split.partition", kSemantics},
    {"split.single-is-copy", kSemantics},
    {"split.output-count", kConstraint},
    {"split.sizes-sum", kConstraint},
    {"split.other-sizes", kConstraint},
    {"split.axis-range", kConstraint},
    {"split.same-rank", kConstraint},
    {"split.same-data-type", kConstraint},
    {"split.support", kSupport},
    {"slice1.copy", kSemantics},
    {"slice1.copy-start", kSemantics},
    {"slice1.partial", kSemantics},
    {"slice1.window-not-empty", kConstraint},
    {"slice1.window-in-bounds", kConstraint},
    {"slice1.stride-not-zero", kConstraint},
    {"slice1.output-sizes", kConstraint},
    {"slice1.dimension-count", kConstraint},
    {"slice1.same-data-type", kConstraint},
    {"slice1.support", kSupport},
    {"gather.semantics", kSemantics},
    {"gather.output-shape", kConstraint},
    {"gather.scalar-indices", kSemantics},
    {"gather.axis-default", kSemantics},
    {"gather.axis-range", kConstraint},
    {"gather.axis-negative", kSemantics},
    {"gather.data-rank", kConstraint},
    {"gather.index-range", kConstraint},
    {"gather.negative-index-v1", kFreedom},
    {"gather.negative-index", kSemantics},
    {"gather.same-data-type", kConstraint},
    {"gather.support", kSupport},
};

/// Marked in the ledger as not spelled out by a seed.
const std::vector<std::string_view> kImplied = {
    "tensor.gaps-dont-care", "tensor.outside-intact",     "tensor.size-one-stride",
    "tensor.stride-count",   "tensor.buffer-granularity", "tensor.sizes-positive",
    "tensor.size-overflow",  "tensor.output-no-overlap",  "tensor.element-limit",
    "tensor.input-intact",   "tensor.bits-preserved",     "scatter.index-range",
};

const std::vector<std::string_view> kErrataWithCases = {
    "scatter.example-2-sizes", "scatter.example-1-overlap", "scatter.introduced",
    "scatter.example-ranks",   "scatter.last-write",        "scatter.off-axis-sizes",
    "slice1.max-copied-sign",  "slice1.example-2-axis",     "slice1.dimension-count-before-3_0",
    "slice1.stride-type",      "slice1.window-end",         "strides.column-major-width",
    "strides.padding-size",    "strides.packed-definition", "strides.nhwc-one-channel",
    "gather.axis-v1",          "gather.bounds-v1",
};
const std::vector<std::string_view> kEditorialErrata = {
    "scatter.inverse-name", "slice1.full-stop",     "strides.letter-I",
    "strides.planes",       "strides.layout-usual", "gather.formula-bracket",
};

/// The lists here speak of the five seed documents. An operator from elsewhere lists its own in its
/// own test.
bool is_of_the_seeds(std::string_view name) {
  const std::set<std::string_view> subjects{"tensor", "strides", "scatter",
                                            "split",  "slice1",  "gather"};
  return subjects.count(name.substr(0, name.find('.'))) != 0;
}

TEST(Ledger, HasEachRuleWithItsKind) {
  std::vector<NameAndKind> found;
  for (const RuleText& rule : all_rules())
    if (is_of_the_seeds(rule.name)) found.emplace_back(rule.name, rule.kind);
  EXPECT_THAT(found, UnorderedElementsAreArray(kLedger));
}

TEST(Ledger, NamesEachRuleOnce) {
  std::set<std::string_view> names;
  for (const RuleText& rule : all_rules()) EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
}

TEST(Ledger, EachRuleHasASourceAndAStatement) {
  for (const RuleText& rule : all_rules()) {
    EXPECT_FALSE(rule.source.empty()) << rule.name;
    EXPECT_FALSE(rule.statement.empty()) << rule.name;
  }
}

TEST(Ledger, RulesThatNoSeedSpellsOutSaySo) {
  std::vector<std::string_view> found;
  for (const RuleText& rule : all_rules())
    if (is_of_the_seeds(rule.name) && rule.source.substr(0, 7) == "implied")
      found.push_back(rule.name);
  EXPECT_THAT(found, UnorderedElementsAreArray(kImplied));
}

TEST(Ledger, SaysWhatItTakesToShowARule) {
  using enum ShownBy;
  const std::vector<std::pair<std::string_view, ShownBy>> expected{
      {"tensor.implicit-strides", kPackedLayout},      {"tensor.any-layout", kPermutedLayout},
      {"tensor.broadcast", kBroadcastLayout},          {"tensor.padding", kPaddedLayout},
      {"tensor.gaps-dont-care", kOutputGaps},          {"tensor.outside-intact", kAnyExecution},
      {"tensor.size-one-stride", kSizeOneStride},      {"tensor.leading-ones", kLeadingOnes},
      {"tensor.stride-count", kGivenStrides},          {"tensor.size-overflow", kAnyExecution},
      {"tensor.input-intact", kAnyExecution},          {"tensor.bits-preserved", kFragileBits},
      {"scatter.overlap-any-winner", kDuplicateIndex}, {"scatter.negative-index", kNegativeIndex},
      {"scatter.index-range", kIndexOutside},          {"scatter.alias", kAlias},
      {"gather.negative-index-v1", kNegativeIndex},    {"gather.negative-index", kNegativeIndex},
  };
  std::vector<std::pair<std::string_view, ShownBy>> found;
  for (const RuleText& rule : all_rules())
    if (is_of_the_seeds(rule.name) && rule.shown_by != kExecution)
      found.emplace_back(rule.name, rule.shown_by);
  EXPECT_THAT(found, UnorderedElementsAreArray(expected));
}

template <class Subject>
void expect_checks_where_descriptors_break_rules(std::span<const Rule<Subject>> rules) {
  for (const Rule<Subject>& rule : rules) {
    // An index is found out of range at execution, not in the descriptor.
    const bool breaks_in_descriptor =
        (rule.text.kind == kConstraint || rule.text.kind == kSupport) &&
        rule.text.name != "gather.index-range";
    EXPECT_EQ(rule.check != nullptr, breaks_in_descriptor) << rule.text.name;
  }
}

TEST(Ledger, ConstraintsAndSupportHaveChecksAndOthersNone) {
  for_each_operator([]<class Op>(std::type_identity<Op>) {
    expect_checks_where_descriptors_break_rules(Op::rules());
  });
}

TEST(Ledger, FindsEachRuleByItsName) {
  for (const auto& [name, kind] : kLedger) {
    const RuleText* rule = find_rule(name);
    ASSERT_NE(rule, nullptr) << name;
    EXPECT_EQ(rule->name, name);
    EXPECT_EQ(rule->kind, kind);
  }
}

TEST(Ledger, FindsNoRuleOfAnotherName) {
  for (const std::string_view name :
       {"", "tensor", "tensor.", "tensor.offse", "Tensor.offset", "scatter.inverse-name"})
    EXPECT_EQ(find_rule(name), nullptr) << name;
}

TEST(Errata, AreThoseOfTheLedger) {
  std::vector<std::string_view> found;
  std::vector<std::string_view> editorial;
  for (const Erratum& erratum : all_errata())
    if (is_of_the_seeds(erratum.name))
      (erratum.editorial ? editorial : found).push_back(erratum.name);
  EXPECT_THAT(found, UnorderedElementsAreArray(kErrataWithCases));
  EXPECT_THAT(editorial, UnorderedElementsAreArray(kEditorialErrata));
}

TEST(Errata, EachGivesWhatIsPrintedTheReadingAndTheEvidence) {
  for (const Erratum& erratum : all_errata()) {
    EXPECT_FALSE(erratum.printed.empty()) << erratum.name;
    EXPECT_FALSE(erratum.reading.empty()) << erratum.name;
    EXPECT_FALSE(erratum.evidence.empty()) << erratum.name;
  }
}

TEST(Errata, AreFoundByName) {
  for (const std::string_view name : kErrataWithCases) {
    const Erratum* erratum = find_erratum(name);
    ASSERT_NE(erratum, nullptr) << name;
    EXPECT_EQ(erratum->name, name);
  }
  EXPECT_EQ(find_erratum(""), nullptr);
  EXPECT_EQ(find_erratum("scatter.support"), nullptr);
}

TEST(Operators, AreThoseOfTheSeeds) {
  std::vector<std::string_view> names;
  for (const OperatorText& op : all_operators()) names.push_back(op.name);
  EXPECT_THAT(names,
              testing::IsSupersetOf({"DML_SCATTER", "DML_SPLIT", "DML_SLICE1", "ONNX_GATHER"}));
}

TEST(Operators, AreMadeByTheirName) {
  for (const OperatorText& text : all_operators()) {
    const std::optional<Operator> op = make_operator(text.name);
    ASSERT_TRUE(op.has_value()) << text.name;
    EXPECT_EQ(describe(*op).name, text.name);
  }
}

TEST(Operators, TheAliasOfScatterIsScatter) {
  const std::optional<Operator> op = make_operator("DML_SCATTER_ELEMENTS");
  ASSERT_TRUE(op.has_value());
  EXPECT_EQ(*op, Operator(Scatter{}));
  EXPECT_EQ(describe(*op).name, "DML_SCATTER");
  EXPECT_EQ(describe(*op).alias, "DML_SCATTER_ELEMENTS");
}

TEST(Operators, AnUnknownNameMakesNothing) {
  for (const std::string_view name :
       {"", " ", "DML", "DML_NOTHING", "dml_scatter", "SCATTER", "DML_SCATTER ", "Gather"})
    EXPECT_EQ(make_operator(name), std::nullopt) << name;
}

TEST(Operators, SpeakTheDialectOfTheirName) {
  for (const OperatorText& op : all_operators())
    EXPECT_EQ(op.dialect, op.name.starts_with("ONNX_") ? Dialect::kOnnx : Dialect::kDirectml);
}

}  // namespace
}  // namespace opconform
