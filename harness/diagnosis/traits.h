// What is true of a case, in small: each trait is one value of one topic. What failures have in
// common is looked for among them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::diagnosis {

/// What a trait is about, in the order in which a description names it. vocabulary.cpp has the
/// words.
enum class Topic : std::uint8_t {
  kOperator,
  kFamily,
  kStanding,
  kRule,
  kRuleCount,
  kFailure,
  kLevel,
  kOpset,
  kAlias,
  // Elements.
  kDataType,
  kIndexType,
  kKindAndWidth,
  kKind,
  kWidth,
  kPattern,
  kExpectedPattern,
  kMagnitude,
  // Indices.
  kIndexShape,
  kIndex,
  kFirstOutside,
  kLowBits,
  // Numbers of the descriptor.
  kCount,
  kRank,
  kAxis,
  kBehindAxis,
  kAxisForm,
  kAxisPlace,
  kAxisSize,
  kBlock,
  kWindowStride,
  kSeenStride,
  kWideStride,
  kStep,
  kOuterStep,
  kOffset,
  kWindow,
  kWindowEnd,
  kWindowShape,
  kReversedWindow,
  kForwardSteps,
  kSeenSteps,
  kParts,
  kPartStart,
  kPartStartRest,
  // Tensors.
  kTensorRank,
  kLayout,
  kShape,
  kPair,
  kInnermostStride,
  kStride,
  kOneStride,
  kRowStrideRest,
  kElements,
  kReach,
  kExtent,
  kNeededBytes,
  kLastSize,
  kFirstSize,
  kMiddleSize,
  kSize,
  kSecondSize,
  kLastTwoSizes,
  kRowBytes,
  kLastSizeRest,
  kFirstSizeRest,
  kElementsRest,
  kBytesRest,
  kBufferRest,
};
inline constexpr std::size_t kTopicCount = static_cast<std::size_t>(Topic::kBufferRest) + 1;

/// Whose trait it is: tensors by what is done with them, or a field.
using Subject = std::uint8_t;
inline constexpr Subject kNobody = 0;
inline constexpr Subject kTensors = 1;
inline constexpr Subject kInputs = 2;  ///< of values
inline constexpr Subject kOutputs = 3;
inline constexpr Subject kIndexTensor = 4;
inline constexpr Subject kFirstInput = 5;
[[nodiscard]] Subject subject_of(std::string_view field);
[[nodiscard]] std::size_t subject_count();
/// "OutputTensor", "an output"
[[nodiscard]] std::string_view name_of(Subject subject);

struct Trait {
  Topic topic;
  Subject subject;
  std::int64_t value;  ///< a number that does not fit counts as the largest
  friend auto operator<=>(const Trait&, const Trait&) = default;
};

/// Sorted, each once. There may be several of one topic and subject: of each dimension its own.
using Traits = std::vector<Trait>;

/// Reads descriptor, contents and expectation, as far as they are there: a descriptor that must be
/// rejected has only the first.
[[nodiscard]] Traits traits_of(const cases::Case& one);

}  // namespace opconform::diagnosis
