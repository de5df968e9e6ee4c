// What a case is classified as, bin by bin; and what the model forbids.

#include "harness/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

#include "harness/coverage/bit_patterns.h"
#include "harness/coverage/index_classifier.h"
#include "harness/running/differential.h"
#include "spec/validate.h"
#include "tests/effort.h"
#include "tests/harness/coverage/observed_generated.h"
#include "tests/optimized/allocation_count.h"
#include "tests/spec/samples.h"

namespace opconform::coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

template <std::size_t N>
Names names_in(ClassSet set, const std::array<std::string_view, N>& names) {
  Names found;
  for (std::size_t i = 0; i < N; ++i)
    if ((set & bit_of(i)) != 0) found.emplace_back(names[i]);
  return found;
}

template <class Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(Element));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// --- Classes ----------------------------------------------------------------

Names layouts(const Dims& sizes, const Dims& strides) {
  return names_in(layout_classes(strided_tensor(DataType::kFloat32, sizes, strides)),
                  generation::kLayoutNames);
}

TEST(CoverageClasses, Layouts) {
  EXPECT_THAT(
      names_in(layout_classes(packed_tensor(DataType::kInt8, {2, 3})), generation::kLayoutNames),
      ElementsAre("packed"));
  EXPECT_THAT(layouts({2, 3}, {3, 1}), ElementsAre("explicit"));
  EXPECT_THAT(layouts({2, 3}, {1, 2}), ElementsAre("permuted"));
  EXPECT_THAT(layouts({2, 3}, {5, 1}), ElementsAre("padded"));
  EXPECT_THAT(layouts({2, 3}, {6, 2}), ElementsAre("padded"));
  EXPECT_THAT(layouts({2, 3}, {1, 3}), ElementsAre("permuted", "padded"));
  EXPECT_THAT(layouts({1, 3}, {77, 1}), ElementsAre("absurd"));
  EXPECT_THAT(layouts({1, 2, 3}, {77, 1, 2}), ElementsAre("permuted", "absurd"));
  EXPECT_THAT(layouts({2, 3}, {0, 1}), ElementsAre("broadcast"));
  EXPECT_THAT(layouts({2, 3}, {0, 2}), ElementsAre("padded", "broadcast"));
  EXPECT_THAT(layouts({2, 3}, {1, 1}), ElementsAre("overlapping"));
  EXPECT_THAT(layouts({2, 3, 2}, {2, 0, 1}), ElementsAre("broadcast"));
  EXPECT_THAT(layouts({2, 3, 2}, {1, 0, 1}), ElementsAre("broadcast", "overlapping"));
  // Neither clearly apart nor more elements than places: 0 3 6 and 0 2 4 6 share 6.
  EXPECT_THAT(layouts({3, 4}, {3, 2}), ElementsAre("overlapping"));
  EXPECT_THAT(layouts({2, 2}, {3, 2}), ElementsAre("padded"));
  // 2^32 elements in one place.
  EXPECT_THAT(layouts({65536, 65535}, {0, 0}), ElementsAre("broadcast"));
}

TEST(CoverageClasses, Sizes) {
  const std::vector<std::pair<std::uint64_t, std::string_view>> expected{
      {0, "0"},      {1, "1"},      {2, "2-4"},    {4, "2-4"},    {5, "5-15"},  {15, "5-15"},
      {16, "16-33"}, {33, "16-33"}, {34, "34-96"}, {96, "34-96"}, {97, "more"}, {1U << 31, "more"}};
  for (const auto& [size, name] : expected)
    EXPECT_EQ(kCoveredSizeNames[size_class(size)], name) << size;
}

TEST(CoverageClasses, Reaches) {
  const std::vector<std::pair<std::uint64_t, std::string_view>> expected{
      {0, "0"},
      {1, "to 32 B"},
      {32, "to 32 B"},
      {33, "to 4 KiB"},
      {4096, "to 4 KiB"},
      {4097, "to 32 KiB"},
      {1U << 20, "to 1 MiB"},
      {(1U << 20) + 1, "to 32 MiB"},
      {1U << 27, "to 128 MiB"},
      {std::uint64_t{1} << 32, "to 4 GiB"},
      {(std::uint64_t{1} << 32) + 1, "more"}};
  for (const auto& [size_bytes, name] : expected)
    EXPECT_EQ(kReachNames[reach_class(size_bytes)], name) << size_bytes;
}

Names patterns(const TensorDesc& tensor, const std::vector<std::byte>& buffer) {
  const ClassSet found = bit_patterns(tensor, layout_classes(tensor), buffer);
  Names result;
  const auto names = bit_pattern_names(kind(tensor.data_type));
  for (std::size_t i = 0; i < names.size(); ++i)
    if ((found & bit_of(i)) != 0) result.emplace_back(names[i]);
  return result;
}
template <class Bits>
Names patterns_of(DataType type, Bits bits) {
  return patterns(packed_tensor(type, {1}), bytes_of<Bits>({bits}));
}

TEST(CoverageClasses, BitsOfFloats) {
  const auto of_float32 = [](std::uint32_t bits) { return patterns_of(DataType::kFloat32, bits); };
  EXPECT_THAT(of_float32(0x00000000), IsEmpty());
  EXPECT_THAT(of_float32(0x3F800000), IsEmpty());
  EXPECT_THAT(of_float32(0x80000000), ElementsAre("-0"));
  EXPECT_THAT(of_float32(0x00000001), ElementsAre("denormal"));
  EXPECT_THAT(of_float32(0x807FFFFF), ElementsAre("denormal"));
  EXPECT_THAT(of_float32(0x00800000), IsEmpty());
  EXPECT_THAT(of_float32(0xFF800000), ElementsAre("infinity"));
  EXPECT_THAT(of_float32(0x7FC00000), ElementsAre("quiet NaN"));
  EXPECT_THAT(of_float32(0xFFC00000), ElementsAre("quiet NaN"));
  EXPECT_THAT(of_float32(0x7FC00001), ElementsAre("NaN payload"));
  EXPECT_THAT(of_float32(0x7F800001), ElementsAre("signalling NaN"));
  EXPECT_THAT(patterns_of<std::uint16_t>(DataType::kFloat16, 0x7C01),
              ElementsAre("signalling NaN"));
  EXPECT_THAT(patterns_of<std::uint16_t>(DataType::kBfloat16, 0x7F80), ElementsAre("infinity"));
  EXPECT_THAT(patterns_of<std::uint64_t>(DataType::kFloat64, 0x7FF8000000000001),
              ElementsAre("NaN payload"));
  // Both parts of a complex number.
  EXPECT_THAT(patterns(packed_tensor(DataType::kComplex64, {1}),
                       bytes_of<std::uint32_t>({0x80000000, 0x7F800000})),
              ElementsAre("-0", "infinity"));
}

TEST(CoverageClasses, BitsOfOtherTypes) {
  EXPECT_THAT(patterns_of<std::uint8_t>(DataType::kInt8, 0x80), ElementsAre("minimum"));
  EXPECT_THAT(patterns_of<std::uint8_t>(DataType::kInt8, 0x7F), ElementsAre("maximum"));
  EXPECT_THAT(patterns_of<std::uint16_t>(DataType::kInt16, 0xFFFF), ElementsAre("-1"));
  EXPECT_THAT(patterns_of<std::uint32_t>(DataType::kUint32, 0), ElementsAre("0"));
  EXPECT_THAT(patterns_of<std::uint64_t>(DataType::kUint64, ~std::uint64_t{0}),
              ElementsAre("maximum", "highest bit"));
  EXPECT_THAT(patterns(packed_tensor(DataType::kBool, {3}), bytes_of<std::uint8_t>({0, 1, 2})),
              ElementsAre("0", "1", "odd"));
  EXPECT_THAT(patterns(packed_tensor(DataType::kString, {2}),
                       bytes_of<StringElement>({{"", 0}, {"0123456789abcdef", 16}})),
              ElementsAre("empty", "16 bytes or more"));
}

TEST(CoverageClasses, BitsOfElementsAloneWhateverTheLayout) {
  const std::uint32_t one = 0x3F800000;
  const std::uint32_t minus_zero = 0x80000000;
  const auto of = [&](const Dims& strides, const std::vector<std::uint32_t>& buffer) {
    return patterns(strided_tensor(DataType::kFloat32, {2, 2}, strides), bytes_of(buffer));
  };
  EXPECT_THAT(of({3, 1}, {one, one, minus_zero, one, one}), IsEmpty());  // a gap
  EXPECT_THAT(of({3, 1}, {one, one, one, one, minus_zero}), ElementsAre("-0"));
  EXPECT_THAT(of({1, 2}, {one, one, one, minus_zero}), ElementsAre("-0"));
  EXPECT_THAT(of({0, 2}, {one, minus_zero, one}), IsEmpty());
  EXPECT_THAT(of({1, 1}, {one, one, minus_zero}), ElementsAre("-0"));
}

template <class Index>
Names indices(DataType type, const Dims& sizes, std::optional<std::size_t> line, std::uint64_t size,
              const std::vector<Index>& values) {
  IndexClassifier classifier;
  return names_in(classifier.classify(packed_tensor(type, sizes), line, size, bytes_of(values)),
                  generation::kIndexClassNames);
}

TEST(CoverageClasses, Indices) {
  const auto of = [](const std::vector<std::int32_t>& values) {
    return indices(DataType::kInt32, {values.size()}, 0, 5, values);
  };
  EXPECT_THAT(of({1, 2, 3}), ElementsAre("distinct"));
  EXPECT_THAT(of({1, 2, 1}), ElementsAre("duplicate"));
  EXPECT_THAT(of({1, 2, -4}), ElementsAre("duplicate", "mixed-sign"));
  EXPECT_THAT(of({-2, -3}), ElementsAre("distinct", "negative"));
  EXPECT_THAT(of({0, 4}), ElementsAre("distinct", "edges"));
  EXPECT_THAT(of({-1, -5}), ElementsAre("distinct", "negative", "edges"));
  EXPECT_THAT(of({1, 5}), ElementsAre("just-outside"));
  EXPECT_THAT(of({1, -6}), ElementsAre("just-outside"));
  EXPECT_THAT(of({1, 6}), ElementsAre("far-outside"));
  EXPECT_THAT(of({-7, 5}), ElementsAre("just-outside", "far-outside"));
  EXPECT_THAT(of({std::numeric_limits<std::int32_t>::min()}), ElementsAre("far-outside"));
  EXPECT_THAT(of({}), IsEmpty());
  EXPECT_THAT(indices<std::uint32_t>(DataType::kUint32, {2}, 0, 5, {0xFFFFFFFF, 0}),
              ElementsAre("far-outside"));
  EXPECT_THAT(indices<std::uint64_t>(DataType::kUint64, {1}, 0, 5, {5}),
              ElementsAre("just-outside"));
  EXPECT_THAT(indices<std::int64_t>(DataType::kInt64, {}, std::nullopt, 5, {(1LL << 32) + 1}),
              ElementsAre("far-outside"));
}

TEST(CoverageClasses, DuplicatesShareALine) {
  const auto of = [](std::optional<std::size_t> line, const std::vector<std::int64_t>& values) {
    return indices(DataType::kInt64, {2, 2}, line, 9, values);
  };
  EXPECT_THAT(of(0, {3, 3, 4, 4}), ElementsAre("distinct"));
  EXPECT_THAT(of(1, {3, 3, 4, 5}), ElementsAre("duplicate"));
  EXPECT_THAT(of(0, {3, 5, 3, 6}), ElementsAre("duplicate"));
  EXPECT_THAT(of(std::nullopt, {3, 4, 5, 3}), ElementsAre("duplicate"));
}

TEST(CoverageClasses, WindowStrides) {
  const auto of = [](std::int32_t stride, std::uint64_t window) {
    return names_in(stride_classes(stride, window), kStrideClassNames);
  };
  EXPECT_THAT(of(1, 9), ElementsAre("positive 1"));
  EXPECT_THAT(of(-2, 9), ElementsAre("negative 2"));
  EXPECT_THAT(of(8, 9), ElementsAre("positive 3-8", "positive, window-1"));
  EXPECT_THAT(of(-9, 9), ElementsAre("negative 9 or more", "negative, beyond window"));
  EXPECT_THAT(of(std::numeric_limits<std::int32_t>::max(), 9),
              ElementsAre("INT_MAX", "positive, beyond window"));
  EXPECT_THAT(of(std::numeric_limits<std::int32_t>::min(), 9),
              ElementsAre("INT_MIN", "negative, beyond window"));
  EXPECT_THAT(of(-std::numeric_limits<std::int32_t>::max(), 2),
              ElementsAre("negative 9 or more", "negative, beyond window"));
  EXPECT_THAT(of(-3, 1), IsEmpty());
  EXPECT_THAT(of(0, 1), ElementsAre("0"));
}

// --- The model --------------------------------------------------------------

TEST(CoverageModelTest, NamesAreUniqueAndCountersDense) {
  std::set<std::string> groups;
  std::size_t next = kOriginNames.size() * kDueNames.size();
  for (const CoverageGroup& group : coverage_model().groups()) {
    EXPECT_TRUE(groups.insert(group.name).second) << group.name;
    EXPECT_FALSE(group.bins.empty()) << group.name;
    std::set<std::string> bins;
    for (std::size_t i = 0; i < group.bins.size(); ++i) {
      EXPECT_TRUE(bins.insert(group.bins[i].name).second)
          << group.name << ": " << group.bins[i].name;
      EXPECT_EQ(group.counter(i), next);
      next += group.counters_per_bin;
    }
  }
  EXPECT_EQ(next, coverage_model().counter_count());
}

TEST(CoverageModelTest, EachImpossibleBinNamesARule) {
  std::size_t count = 0;
  for (const CoverageGroup& group : coverage_model().groups())
    for (const CoverageBin& bin : group.bins) {
      if (bin.forbidden_by.empty()) continue;
      ++count;
      EXPECT_NE(find_rule(bin.forbidden_by), nullptr) << group.name << ": " << bin.name;
    }
  EXPECT_GT(count, 1000U);
}

TEST(CoverageModelTest, EveryRuleHasItsBins) {
  for (const RuleText& rule : all_rules()) {
    const std::string owner(rule.name.substr(0, rule.name.find('.')));
    const CoverageGroup* group =
        coverage_model().find("rules/" + owner + "/" + std::string(name(rule.kind)));
    ASSERT_NE(group, nullptr) << rule.name;
    Names bins;
    for (const CoverageBin& bin : group->bins) bins.push_back(bin.name);
    EXPECT_THAT(bins, ::testing::Contains(std::string(rule.name) + " shown"));
    const bool can_be_broken =
        rule.kind == RuleKind::kConstraint || rule.kind == RuleKind::kSupport;
    EXPECT_EQ(std::count(bins.begin(), bins.end(), std::string(rule.name) + " broken"),
              can_be_broken ? 1 : 0);
  }
}

// --- Observations -----------------------------------------------------------

std::uint64_t cases_in(const Coverage& coverage, const std::string& group_name,
                       const std::string& bin, Origin origin = Origin::kFuzzed) {
  const CoverageGroup* group = coverage_model().find(group_name);
  if (group == nullptr) throw std::logic_error(group_name);
  for (std::size_t i = 0; i < group->bins.size(); ++i)
    if (group->bins[i].name == bin)
      return coverage.counters()[group->counter(i) +
                                 (group->is_by_origin() ? static_cast<std::size_t>(origin) : 0)];
  throw std::logic_error(group_name + ": " + bin);
}
/// Names of all bins of the group that were reached.
Names reached(const Coverage& coverage, const std::string& group_name) {
  Names names;
  const CoverageGroup* group = coverage_model().find(group_name);
  for (std::size_t i = 0; i < group->bins.size(); ++i)
    for (std::size_t k = 0; k < group->counters_per_bin; ++k)
      if (coverage.counters()[group->counter(i) + k] > 0) names.push_back(group->bins[i].name);
  return names;
}

void observe(Coverage& coverage, const Operator& op, Due due = Due::kAccepted,
             std::vector<std::string_view> rules = {},
             const std::vector<std::vector<std::byte>>& inputs = {},
             Version version = FeatureLevel::k6_4) {
  const std::vector<std::span<const std::byte>> views(inputs.begin(), inputs.end());
  coverage.observe({.op = op,
                    .version = version,
                    .origin = Origin::kFuzzed,
                    .due = due,
                    .rules = rules,
                    .inputs = views});
}

TEST(CoverageObserved, SliceByItsFields) {
  Coverage coverage;
  observe(coverage, valid_slice1());
  EXPECT_THAT(reached(coverage, "support/slice1/inside"), ElementsAre("6_4 FLOAT32 rank 4"));
  EXPECT_THAT(reached(coverage, "layout/slice1/InputTensor"), ElementsAre("packed"));
  EXPECT_THAT(reached(coverage, "stride/slice1/InputWindowStrides"),
              ElementsAre("positive 2", "positive, window-1", "negative 2"));
  EXPECT_THAT(reached(coverage, "stride/slice1/InputWindowStrides/dimension"),
              ElementsAre("rank 4 positive in dimension 3", "rank 4 negative in dimension 2"));
  EXPECT_THAT(reached(coverage, "size/slice1/OutputTensor"), ElementsAre("2-4"));
  EXPECT_THAT(reached(coverage, "bytes/slice1/OutputTensor"), ElementsAre("to 32 B"));
  EXPECT_EQ(cases_in(coverage, "rules/slice1/semantics", "slice1.copy-start shown"), 1U);
  EXPECT_EQ(cases_in(coverage, "rules/slice1/semantics", "slice1.partial shown"), 0U);
  EXPECT_EQ(cases_in(coverage, "rules/slice1/constraint", "slice1.output-sizes shown"), 1U);
  EXPECT_THAT(reached(coverage, "bits/slice1"), IsEmpty());  // contents unknown

  // Few elements, far apart.
  Slice1 sparse = valid_slice1();
  const std::uint32_t far = std::uint32_t{1} << 30;
  sparse.output.strides = Dims{far, far, 2 * far - 1, 1};
  Coverage of_sparse;
  observe(of_sparse, sparse);
  EXPECT_THAT(reached(of_sparse, "bytes/slice1/OutputTensor"), ElementsAre("more"));

  Slice1 partial = valid_slice1();
  partial.output.sizes[2] = 1;
  observe(coverage, partial);
  EXPECT_EQ(cases_in(coverage, "rules/slice1/semantics", "slice1.partial shown"), 1U);
}

TEST(CoverageObserved, SplitCountsItsArrayOnce) {
  Coverage coverage;
  observe(coverage, valid_split());
  EXPECT_EQ(cases_in(coverage, "layout/split/OutputTensors", "packed"), 1U);
  EXPECT_EQ(cases_in(coverage, "size/split/axis", "5-15"), 1U);
  EXPECT_THAT(reached(coverage, "count/split/OutputTensors"), ElementsAre("2-4"));
  EXPECT_THAT(reached(coverage, "axis/split/position"), ElementsAre("rank 4 axis 2"));
  EXPECT_EQ(cases_in(coverage, "rules/split/semantics", "split.single-is-copy shown"), 0U);
}

TEST(CoverageObserved, ScatterByItsContents) {
  const std::uint32_t nan = 0x7FC00001;
  const std::vector<std::uint32_t> values(24, nan);
  const std::vector<std::uint32_t> updates(40, 0);
  std::vector<std::uint32_t> places(40, 1);
  Coverage coverage;
  observe(coverage, valid_scatter(), Due::kAccepted, {},
          {bytes_of(values), bytes_of(places), bytes_of(updates)});
  EXPECT_THAT(reached(coverage, "index/scatter"), ElementsAre("UINT32 duplicate"));
  EXPECT_THAT(reached(coverage, "bits/scatter"), ElementsAre("FLOAT32 NaN payload"));
  EXPECT_THAT(reached(coverage, "rules/scatter/freedom"),
              ElementsAre("scatter.overlap-any-winner shown"));
  EXPECT_EQ(cases_in(coverage, "rules/scatter/semantics", "scatter.write-update shown"), 1U);
  EXPECT_EQ(cases_in(coverage, "rules/tensor/semantics", "tensor.bits-preserved shown"), 1U);

  // With an index outside the output is unspecified: no rule about values can be seen.
  places.back() = 3;
  observe(coverage, valid_scatter(), Due::kAccepted, {},
          {bytes_of(values), bytes_of(places), bytes_of(updates)});
  EXPECT_EQ(cases_in(coverage, "index/scatter", "UINT32 just-outside"), 1U);
  EXPECT_EQ(cases_in(coverage, "rules/scatter/freedom", "scatter.index-range shown"), 1U);
  EXPECT_EQ(cases_in(coverage, "rules/scatter/semantics", "scatter.write-update shown"), 1U);
  EXPECT_EQ(cases_in(coverage, "rules/tensor/memory", "tensor.outside-intact shown"), 2U);
}

TEST(CoverageObserved, GatherFailures) {
  const std::vector<std::byte> values(60 * 4);
  std::vector<std::int64_t> places(12, -1);
  Coverage coverage;
  const auto fail = [&](Version version) {
    observe(coverage, valid_gather(), Due::kFailed, {"gather.index-range"},
            {values, bytes_of(places)}, version);
  };
  // Version 1 may fail for what lies within the range.
  fail(Version::opset(1));
  EXPECT_THAT(reached(coverage, "rules/gather/freedom"),
              ElementsAre("gather.negative-index-v1 shown"));
  EXPECT_THAT(reached(coverage, "rules/gather/constraint"), IsEmpty());
  EXPECT_THAT(reached(coverage, "rules/gather/semantics"), IsEmpty());
  places[3] = 4;
  fail(Version::opset(12));
  EXPECT_THAT(reached(coverage, "rules/gather/constraint"),
              ElementsAre("gather.index-range broken"));
  EXPECT_THAT(reached(coverage, "support/gather/inside"),
              ElementsAre("1 float int64 rank 3", "11 float int64 rank 3"));
  EXPECT_THAT(reached(coverage, "axis/gather/form"), ElementsAre("from front"));
  EXPECT_THAT(reached(coverage, "rank/gather/output"), ElementsAre("rank 4"));
}

TEST(CoverageObserved, RanksBeyondTheTable) {
  Coverage coverage;
  OnnxGather op = valid_gather();
  op.indices.sizes = Dims(20, 1);
  op.output.sizes = Dims(22, 1);
  op.output.sizes[0] = 3;
  op.output.sizes[21] = 5;
  ASSERT_TRUE(validate(op, Version::opset(13)).empty());
  observe(coverage, op, Due::kAccepted, {}, {}, Version::opset(13));
  for (const std::string_view group : {"rank/gather/indices", "rank/gather/output"})
    EXPECT_THAT(reached(coverage, std::string(group)), IsEmpty());
  EXPECT_THAT(reached(coverage, "support/gather/inside"), ElementsAre("13 float int64 rank 3"));
  op.data.sizes = Dims(9, 1);
  op.axis = 8;
  op.indices.sizes = {};
  op.output.sizes = Dims(8, 1);
  observe(coverage, op, Due::kAccepted, {}, {}, Version::opset(13));
  EXPECT_EQ(reached(coverage, "support/gather/inside").size(), 1U);
  EXPECT_EQ(reached(coverage, "axis/gather/position").size(), 1U);
}

TEST(CoverageObserved, Rejections) {
  Coverage coverage;
  Scatter op = valid_scatter();
  op.indices.data_type = DataType::kInt32;
  const auto reject = [&](Version version) {
    observe(coverage, op, Due::kRejected, validate(op, version).rules(), {}, version);
  };
  reject(FeatureLevel::k2_1);
  EXPECT_THAT(reached(coverage, "support/scatter/outside"), ElementsAre("2_1 IndicesTensor INT32"));
  EXPECT_THAT(reached(coverage, "rules/scatter/support"), ElementsAre("scatter.support broken"));
  EXPECT_THAT(reached(coverage, "support/scatter/inside"), IsEmpty());
  // Two rules: neither might have been noticed alone.
  op.axis = 4;
  reject(FeatureLevel::k2_1);
  EXPECT_EQ(cases_in(coverage, "rules/scatter/support", "scatter.support broken"), 1U);
  EXPECT_EQ(cases_in(coverage, "support/scatter/outside", "2_1 IndicesTensor INT32"), 2U);

  Slice1 slice = valid_slice1();
  observe(coverage, slice, Due::kRejected, {"slice1.support"}, {}, FeatureLevel::k2_0);
  EXPECT_THAT(reached(coverage, "support/slice1/outside"), ElementsAre("2_0 any"));
  for (Dims* sizes : {&slice.input.sizes, &slice.output.sizes}) sizes->erase(0);
  observe(coverage, slice, Due::kRejected, {"slice1.support"}, {}, FeatureLevel::k2_1);
  EXPECT_EQ(cases_in(coverage, "support/slice1/outside", "2_1 rank 3"), 1U);
}

constexpr std::uint64_t kCases = test::draws(100'000);

TEST(CoverageObserved, GeneratedCasesReachNothingImpossible) {
  Coverage coverage;
  generation::Generated generated;
  generation::CaseMemory memory;
  for (std::uint64_t i = 0; i < kCases; ++i) observe_generated(i, generated, memory, coverage);
  for (const CoverageGroup& group : coverage_model().groups())
    for (std::size_t i = 0; i < group.bins.size(); ++i)
      for (std::size_t k = 0; k < group.counters_per_bin; ++k) {
        const std::uint64_t count = coverage.counters()[group.counter(i) + k];
        EXPECT_LE(count, kCases);
        if (count > 0) {
          EXPECT_EQ(group.bins[i].forbidden_by, "") << group.name << ": " << group.bins[i].name;
        }
      }
}

TEST(CoverageObserved, WithoutAllocationOnceWarm) {
  std::vector<generation::Generated> cases(64);
  std::vector<generation::CaseMemory> memories(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    generation::RandomDraws draws(base::random_bits(12, i));
    generation::generate(i % std::variant_size_v<Operator>, {}, draws, cases[i]);
    memories[i].make(cases[i]);
  }
  Coverage coverage;
  const auto observe_all = [&] {
    for (std::size_t i = 0; i < cases.size(); ++i)
      coverage.observe({.op = cases[i].op,
                        .version = cases[i].version,
                        .origin = Origin::kFuzzed,
                        .due = Due::kAccepted,
                        .inputs = memories[i].bindings().inputs});
  };
  observe_all();
  const std::size_t before = test::allocation_count();
  observe_all();
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(CoverageObserved, CountersOfTheCaller) {
  std::vector<std::uint64_t> counters(Coverage::counter_count());
  Coverage coverage(counters);
  observe(coverage, valid_split());
  EXPECT_EQ(counters[CoverageModel::case_counter(Origin::kFuzzed, Due::kAccepted)], 1U);
  counters.pop_back();
  EXPECT_THROW(Coverage{counters}, std::invalid_argument);
}

}  // namespace
}  // namespace opconform::coverage
