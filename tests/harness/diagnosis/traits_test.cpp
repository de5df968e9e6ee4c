// What is read off a case, in words.

#include "harness/diagnosis/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/diagnosis/common_denominator.h"
#include "harness/diagnosis/trait_values.h"
#include "harness/diagnosis/vocabulary.h"
#include "harness/generation/case_memory.h"
#include "harness/generation/draws.h"
#include "harness/generation/generator.h"
#include "spec/validate.h"
#include "tests/harness/fake_backend.h"

namespace opconform::test {
namespace {

using diagnosis::Condition;
using diagnosis::Relation;
using diagnosis::Topic;
using diagnosis::Trait;
using diagnosis::Traits;
using diagnosis::traits_of;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

/// Each trait as a sentence says it.
std::vector<std::string> words_of(const cases::Case& one) {
  std::vector<std::string> words;
  for (const Trait& trait : traits_of(one))
    words.push_back(Condition{trait.topic, trait.subject, Relation::kIs, {trait.value}}.text());
  return words;
}

cases::Case reversed_slice() {
  return case_of(
      R"({"operator": "DML_SLICE1", "cases": [{"id": "reversed", "rules": ["slice1.copy-start"],
    "desc": {"InputTensor": {"DataType": "FLOAT32", "Sizes": [2, 6], "data": ["-0.0", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]},
             "OutputTensor": {"DataType": "FLOAT32", "Sizes": [2, 2]},
             "InputWindowOffsets": [0, 1], "InputWindowSizes": [2, 5], "InputWindowStrides": [1, -3]}}]})");
}

TEST(Vocabulary, StandsInTheOrderOfItsTopics) {
  for (std::size_t i = 0; i < diagnosis::kTopicCount; ++i) {
    const auto topic = static_cast<Topic>(i);
    EXPECT_EQ(diagnosis::words_of(topic).topic, topic) << i;
    EXPECT_NE(diagnosis::words_of(topic).sayings, 0U) << i;
  }
  EXPECT_LT(diagnosis::subject_count(), 128U);  // pair_value() has a bit above
}

/// The last name of each list: the lists are as long as the enumerations.
TEST(Vocabulary, NamesEveryValue) {
  const auto name = [](Topic topic, auto value) {
    return diagnosis::name_of_value(topic, static_cast<std::int64_t>(value));
  };
  EXPECT_EQ(name(Topic::kFamily, diagnosis::Family::kOfParts),
            "an operator with an array of tensors");
  EXPECT_EQ(name(Topic::kStanding, diagnosis::Standing::kErrorPermitted), "an error permitted");
  EXPECT_EQ(name(Topic::kIndexShape, diagnosis::IndexShape::kUnequalRows),
            "unequal rows of indices");
  EXPECT_EQ(name(Topic::kAxisPlace, diagnosis::AxisPlace::kInRangeIn8Bits),
            "in range by its low 8 bits alone");
  EXPECT_EQ(name(Topic::kWindowShape, diagnosis::WindowShape::kOutputTakesRest),
            "smaller than output size * stride");
  EXPECT_EQ(name(Topic::kParts, diagnosis::PartsShape::kMore),
            "of too many elements along the axis");
  EXPECT_EQ(name(Topic::kShape, diagnosis::Shape::kLastGapMissing),
            "in a buffer without the gap behind the last row");
  EXPECT_EQ(name(Topic::kPair, diagnosis::pair_value(diagnosis::Pair::kOtherStrides,
                                                     diagnosis::subject_of("InputTensors"), true)),
            "with other strides than the first of InputTensors");
  EXPECT_EQ(name(Topic::kLayout, generation::LayoutClass::kOverlapping), "overlapping");
  EXPECT_EQ(name(Topic::kIndexShape, generation::IndexClass::kFarOutside),
            "an index far out of range");
  EXPECT_EQ(name(Topic::kKind, DataTypeKind::kString), "strings");
}

TEST(Vocabulary, SaysRangesAsPeopleDo) {
  const auto text = [](Relation relation, std::int64_t value) {
    return Condition{Topic::kElements, diagnosis::kOutputs, relation, {value}}.text();
  };
  EXPECT_EQ(text(Relation::kAtLeast, 1), "elements of an output > 0");
  EXPECT_EQ(text(Relation::kAtLeast, 65), "elements of an output > 64");
  EXPECT_EQ(text(Relation::kAtLeast, 66), "elements of an output >= 66");
  EXPECT_EQ(text(Relation::kAtLeast, 1'204'224), "elements of an output >= 1,204,224");
  EXPECT_EQ(text(Relation::kIs, 0), "elements of an output = 0");
  const diagnosis::Subject strides = diagnosis::subject_of("InputWindowStrides");
  EXPECT_EQ((Condition{Topic::kWindowStride, strides, Relation::kAtMost, {-1}}.text()),
            "some InputWindowStrides[i] < 0");
  EXPECT_EQ((Condition{Topic::kWindowStride, strides, Relation::kAtMost, {-40'000}}.text()),
            "some InputWindowStrides[i] <= -40,000");
  EXPECT_EQ((Condition{Topic::kLastSizeRest, diagnosis::kOutputs, Relation::kAtMost, {3}}.text()),
            "last size of an output no multiple of 16");
  EXPECT_EQ((Condition{Topic::kLevel, diagnosis::kNobody, Relation::kAtLeast, {0x3100}}.text()),
            "feature level >= 3_1");
}

TEST(Traits, OfLayouts) {
  EXPECT_THAT(words_of(padded_copy()),
              IsSupersetOf({"DML_SPLIT", "DirectML", "valid", "elements expected", "UINT16",
                            "elements of 2 bytes", "rank 2", "axis = 0", "OutputCount = 1",
                            "InputTensor padded", "InputTensor not packed",
                            "InputTensor with padded rows", "an output with padded rows",
                            "OutputTensors with other strides than InputTensor"}));
  EXPECT_THAT(words_of(padded_copy()),
              Not(Contains(testing::AnyOf("InputTensor packed", "an input broadcast (stride 0)"))));
}

TEST(Traits, OfWindows) {
  EXPECT_THAT(words_of(reversed_slice()),
              IsSupersetOf({"some InputWindowStrides[i] = -3", "some InputWindowOffsets[i] = 1",
                            "some window of a stride < 0 to the end of the tensor",
                            "some window of a stride < 0 with a last element that the output does "
                            "not reach",
                            "some element is -0 (floats)"}));
}

TEST(Traits, OfIndices) {
  EXPECT_THAT(words_of(overlapping_scatter()),
              IsSupersetOf({"INT32 indices", "two indices that name one element", "some index = 3",
                            "elements of the indices = 3"}));
  EXPECT_THAT(words_of(failing_gather()),
              IsSupersetOf({"int32 indices", "an error due", "fails for gather.index-range",
                            "some index out of range", "some index = size", "axis left out",
                            "indices before the first one out of range = 1"}));
}

TEST(Traits, OfWhatMustBeRejected) {
  const std::vector<std::string> words = words_of(rejected_slice());
  EXPECT_THAT(words, IsSupersetOf({"to be rejected", "breaks slice1.stride-not-zero",
                                   "broken rules = 1", "some InputWindowStrides[i] = 0"}));
  EXPECT_THAT(words, Not(Contains(testing::AnyOf("valid", "a result due"))));
}

/// The documents say what is due, not the case: its contents cannot be read.
TEST(Traits, OfACaseThatExpectsAResultOfABrokenDescriptor) {
  cases::Case wrong = padded_copy();
  std::get<Split>(wrong.op).input.strides = Dims{1'000'000, 1};
  EXPECT_THAT(words_of(wrong), IsSupersetOf({"to be rejected", "breaks tensor.buffer-size"}));
}

TEST(Traits, OfACaseThatLeavesTheResultToTheReference) {
  cases::Case open = failing_gather();
  open.expect = {};
  EXPECT_THAT(words_of(open), Contains("an error due"));
}

TEST(Traits, AreSortedAndReadOfAnyDescriptor) {
  generation::Generated generated;
  std::size_t broken = 0;
  for (std::size_t op = 0; op < all_operators().size(); ++op)
    for (const std::string_view rule : generation::breakable_rules(op))
      for (std::uint64_t i = 0; i < 20; ++i) {
        generation::RandomDraws draws(base::random_bits(23, i));
        generation::generate(op, {}, draws, generated);
        generation::CaseMemory memory;
        memory.make(generated);
        cases::Case one = generation::case_of(generated, memory, "generated");
        const Traits valid = traits_of(one);
        EXPECT_TRUE(std::is_sorted(valid.begin(), valid.end()));
        EXPECT_EQ(std::adjacent_find(valid.begin(), valid.end()), valid.end());
        if (!generation::break_rule(rule, draws, generated)) continue;
        one.op = generated.op;
        one.version = generated.version;
        EXPECT_THAT(words_of(one), Contains("breaks " + std::string(rule)));
        ++broken;
      }
  EXPECT_GT(broken, 500U);
}

TEST(Signature, IsOfThatWhichIsOutOfTheOrdinary) {
  EXPECT_EQ(diagnosis::signature_of(traits_of(padded_copy())),
            "elements of 2 bytes, InputTensor not packed, OutputTensors not packed");
  EXPECT_EQ(diagnosis::signature_of(traits_of(reversed_slice())),
            "elements of 4 bytes, some InputWindowStrides[i] < 0");
  EXPECT_EQ(diagnosis::signature_of(traits_of(overlapping_scatter())), "elements of 4 bytes");
}

}  // namespace
}  // namespace opconform::test
