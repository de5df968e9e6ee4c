#include "harness/diagnosis/vocabulary.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "harness/diagnosis/trait_values.h"

namespace opconform::diagnosis {
namespace {

constexpr unsigned kNumber = kSayIs | kSayAtLeast | kSayAtMost;
constexpr unsigned kSize = kSaySmall | kSayAtLeast;
constexpr unsigned kSigned = kSayAtLeast | kSayNegative;

// Of two that separate alike, the plainer shall be taken: what a case is about costs little, what
// only a kernel's author would ask for costs most. A rest is told by how often 2 divides a number.
constexpr TopicWords kTopics[] = {
    {Topic::kOperator, "%", kSayIs | kSayOneOf, 1},
    {Topic::kFamily, "%", kSayIs, 2},
    {Topic::kStanding, "%", kSayIs, 2},
    {Topic::kRule, "breaks %", kSayIs, 3},
    {Topic::kRuleCount, "broken rules #", kSize, 6},
    {Topic::kFailure, "fails for %", kSayIs, 3},
    {Topic::kLevel, "feature level #", kNumber, 8},
    {Topic::kOpset, "opset #", kNumber, 8},
    {Topic::kAlias, "named by its alias", kSayIs, 8},
    {Topic::kDataType, "%", kSayIs | kSayOneOf, 6},
    {Topic::kIndexType, "% indices", kSayIs | kSayOneOf, 6},
    {Topic::kKindAndWidth, "%", kSayIs, 7},
    {Topic::kKind, "%", kSayIs, 7},
    {Topic::kWidth, "elements of # bytes", kNumber, 6},
    {Topic::kPattern, "some element is %", kSayIs, 8},
    {Topic::kExpectedPattern, "some expected element is %", kSayIs, 8},
    {Topic::kMagnitude, "some integer of # bits", kSayAtLeast, 10},
    {Topic::kIndexShape, "%", kSayIs, 6},
    {Topic::kIndex, "some index #", kSigned, 9},
    {Topic::kFirstOutside, "indices before the first one out of range #", kSayAtLeast, 14},
    {Topic::kLowBits, "an index in range by its low % bits alone", kSayIs, 9},
    {Topic::kCount, "$ #", kNumber, 6},
    {Topic::kRank, "rank #", kNumber, 8},
    {Topic::kAxis, "axis #", kSayIs | kSayAtLeast, 7},
    {Topic::kBehindAxis, "dimensions behind the axis #", kNumber, 8},
    {Topic::kAxisForm, "axis %", kSayIs, 6},
    {Topic::kAxisPlace, "axis %", kSayIs, 9},
    {Topic::kAxisSize, "size along the axis #", kSize, 10},
    {Topic::kBlock, "elements behind the axis #", kSize, 12},
    {Topic::kWindowStride, "some $[i] #", kSigned, 6},
    {Topic::kSeenStride, "some $[i] #, window > 1", kSigned, 7},
    {Topic::kWideStride, "some $[i] #, output > 1", kSigned, 8},
    {Topic::kStep, "some |$[i]| #, output > 1", kSayAtLeast, 8},
    {Topic::kOuterStep, "some |$[i]| # in an outer dimension, output > 1", kSayAtLeast, 11},
    {Topic::kOffset, "some $[i] #", kSayAtLeast, 8},
    {Topic::kWindow, "some $[i] #", kSize, 9},
    {Topic::kWindowEnd, "some window ends at #", kSayAtLeast, 10},
    {Topic::kWindowShape, "some window %", kSayIs, 9},
    {Topic::kReversedWindow, "some window of a stride < 0 %", kSayIs, 10},
    {Topic::kForwardSteps, "some window of a stride > 1 %", kSayIs, 10},
    {Topic::kSeenSteps, "some window of a |stride| > 1 and output > 1 %", kSayIs, 12},
    {Topic::kParts, "$ %", kSayIs, 7},
    {Topic::kPartStart, "some of $ starts at # along the axis", kSayAtLeast, 9},
    {Topic::kPartStartRest, "some of $ starts at no multiple of % along the axis", kSayAtMost, 16},
    {Topic::kTensorRank, "rank of $ #", kNumber, 9},
    {Topic::kLayout, "$ %", kSayIs, 7},
    {Topic::kShape, "$ %", kSayIs, 8},
    {Topic::kPair, "$ %", kSayIs, 9},
    {Topic::kInnermostStride, "innermost stride of $ #", kSize, 9},
    {Topic::kStride, "some stride of $ #", kSayAtLeast, 11},
    {Topic::kOneStride, "stride # in a dimension of size 1 of $", kSayAtLeast, 11},
    {Topic::kRowStrideRest, "row stride of $ no multiple of %", kSayAtMost, 16},
    {Topic::kElements, "elements of $ #", kSize, 10},
    {Topic::kReach, "rank of $ without leading ones #", kSayAtLeast, 11},
    {Topic::kExtent, "$ reaches over # elements", kSayAtLeast, 12},
    {Topic::kNeededBytes, "$ needs # bytes", kSayAtLeast, 12},
    {Topic::kLastSize, "last size of $ #", kSize, 10},
    {Topic::kFirstSize, "first size of $ #", kSize, 11},
    {Topic::kMiddleSize, "some middle size of $ #", kSayAtLeast, 12},
    {Topic::kSize, "some size of $ #", kSize, 10},
    {Topic::kSecondSize, "two sizes of $ #", kSayAtLeast, 12},
    {Topic::kLastTwoSizes, "last two sizes of $ #", kSayAtLeast, 12},
    {Topic::kRowBytes, "bytes of a row of $ #", kSayAtLeast, 12},
    {Topic::kLastSizeRest, "last size of $ no multiple of %", kSayAtMost, 16},
    {Topic::kFirstSizeRest, "first size of $ no multiple of %", kSayAtMost, 16},
    {Topic::kElementsRest, "elements of $ no multiple of %", kSayAtMost, 16},
    {Topic::kBytesRest, "bytes of $ no multiple of %", kSayAtMost, 16},
    {Topic::kBufferRest, "buffer of $ of no multiple of % bytes", kSayAtMost, 16},
};
static_assert(std::size(kTopics) == kTopicCount);

bool is_rest(Topic topic) {
  switch (topic) {
    case Topic::kPartStartRest:
    case Topic::kRowStrideRest:
    case Topic::kLastSizeRest:
    case Topic::kFirstSizeRest:
    case Topic::kElementsRest:
    case Topic::kBytesRest:
    case Topic::kBufferRest:
      return true;
    default:
      return false;
  }
}

/// "1,204,224"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > first + 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string value_text(Topic topic, std::int64_t value) {
  if (is_rest(topic)) return grouped(std::int64_t{1} << std::min<std::int64_t>(value + 1, 62));
  std::string name = name_of_value(topic, value);
  return name.empty() ? grouped(value) : name;
}

std::string values_text(const Condition& condition) {
  std::string text;
  for (const std::int64_t value : condition.values)
    text += (text.empty() ? "" : " or ") + value_text(condition.topic, value);
  return text;
}

/// "> 64" for 65 and more: what lies behind a round number begins there.
bool is_behind_round(std::int64_t value) {
  return value == 1 || value == 2 ||
         (value > 4 && std::has_single_bit(static_cast<std::uint64_t>(value) - 1));
}

std::string relation_text(const Condition& condition) {
  const std::int64_t value = condition.values.front();
  const bool is_number = name_of_value(condition.topic, value).empty();
  switch (condition.relation) {
    case Relation::kIs:
      return (is_number ? "= " : "") + values_text(condition);
    case Relation::kAtLeast:
      return is_number && is_behind_round(value) ? "> " + grouped(value - 1)
                                                 : ">= " + values_text(condition);
    case Relation::kAtMost:
      return value == -1 ? "< 0" : "<= " + values_text(condition);
  }
  return {};
}

}  // namespace

const TopicWords& words_of(Topic topic) { return kTopics[static_cast<std::size_t>(topic)]; }

bool Condition::fits(std::int64_t value) const {
  switch (relation) {
    case Relation::kIs:
      return std::find(values.begin(), values.end(), value) != values.end();
    case Relation::kAtLeast:
      return value >= values.front();
    case Relation::kAtMost:
      return value <= values.front();
  }
  return false;
}

std::string Condition::text() const {
  std::string text;
  for (const char c : words_of(topic).pattern) {
    switch (c) {
      case '$':
        text += name_of(subject);
        break;
      case '#':
        text += relation_text(*this);
        break;
      case '%':
        text += values_text(*this);
        break;
      default:
        text += c;
    }
  }
  return text;
}

}  // namespace opconform::diagnosis
