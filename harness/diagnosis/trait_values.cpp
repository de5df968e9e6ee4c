#include "harness/diagnosis/trait_values.h"

#include <array>
#include <span>
#include <string_view>

#include "harness/coverage/bit_patterns.h"
#include "spec/operator.h"

namespace opconform::diagnosis {
namespace {

using Names = std::span<const std::string_view>;

// Each in the order of its enumeration.
constexpr std::string_view kFamilies[] = {"DirectML",
                                          "ONNX",
                                          "an operator with indices",
                                          "an operator with an axis",
                                          "an operator with windows",
                                          "an operator with an array of tensors"};
constexpr std::string_view kStandings[] = {"valid",
                                           "to be rejected",
                                           "a result due",
                                           "elements expected",
                                           "any result permitted",
                                           "an error due",
                                           "an error permitted"};
constexpr std::string_view kKinds[] = {"floats", "signed integers", "unsigned integers",
                                       "bools",  "complex numbers", "strings"};
constexpr std::string_view kIndexShapes[] = {
    "no element named twice",    "two indices that name one element",
    "all indices negative",      "negative and other indices",
    "first and last index",      "an index just out of range",
    "an index far out of range", "some index negative",
    "some index out of range",   "an element that negative indices alone name",
    "some index = -size",        "some index = size",
    "some index < -size",        "some index = -1",
    "unequal rows of indices"};
constexpr std::string_view kAxisForms[] = {"left out", "not negative", "negative"};
constexpr std::string_view kAxisPlaces[] = {"not in the middle",
                                            "longer than the first dimension",
                                            "shorter than the first dimension",
                                            "of another size than the first dimension",
                                            "equal to the rank",
                                            "in range by its low 8 bits alone"};
constexpr std::string_view kWindowShapes[] = {
    "unequal to the first window",      "behind an offset > 0",
    "to the end of the tensor",         "not from the start, but to the end of the tensor",
    "that ends before the tensor",      "of more elements than the output takes",
    "no multiple of its stride",        "with a last element that the output does not reach",
    "smaller than output size * stride"};
constexpr std::string_view kPartsShapes[] = {"of unequal sizes along the axis",
                                             "of unequal sizes beside the axis",
                                             "of unequal layouts",
                                             "with another stride along the axis than the whole",
                                             "with two equal descriptors",
                                             "of too few elements along the axis",
                                             "of too many elements along the axis"};
constexpr std::string_view kLayouts[] = {"without strides",
                                         "with the packed strides given",
                                         "permuted",
                                         "padded",
                                         "with a stride of its own in a dimension of size 1",
                                         "broadcast (stride 0)",
                                         "overlapping"};
constexpr std::string_view kShapes[] = {"of rank 0",
                                        "empty",
                                        "with a dimension of size 1",
                                        "packed",
                                        "with strides given",
                                        "not packed",
                                        "packed in another order of dimensions",
                                        "with an innermost stride other than 1",
                                        "with rows further apart than they are long",
                                        "with padded rows",
                                        "with interleaved dimensions",
                                        "with elements that share a place",
                                        "overlapping in as many places as elements",
                                        "with fewer places than elements",
                                        "in a buffer larger than it needs",
                                        "in a buffer too small for its strides alone",
                                        "in a buffer too small for the rounding alone",
                                        "in a buffer without the gap behind the last row"};
// The other's name stands at the "&".
constexpr std::string_view kPairs[] = {
    "of the type of &",
    "of another type than &",
    "of another rank than &",
    "smaller in some dimension than &",
    "larger in some dimension than &",
    "shorter along the axis than &",
    "longer along the axis than &",
    "of the sizes of & beside the axis",
    "smaller beside the axis than &",
    "larger beside the axis than &",
    "with the strides of &",
    "with other strides than &",
};

std::string type_name(std::int64_t value) {
  constexpr std::int64_t kCount{kDataTypeCount};
  return std::string(name(static_cast<DataType>(value % kCount),
                          value < kCount ? Dialect::kDirectml : Dialect::kOnnx));
}

std::string pattern_name(std::size_t value) {
  const std::size_t kind = value / 256;
  const Names names = coverage::bit_pattern_names(static_cast<DataTypeKind>(kind));
  const std::size_t pattern = value % 256;
  return std::string(pattern < names.size() ? names[pattern] : "one with a NUL byte") + " (" +
         std::string(kKinds[kind]) + ")";
}

std::string pair_name(std::size_t value) {
  std::string text(kPairs[value / 256]);
  std::string other(value % 256 < 128 ? "" : "the first of ");
  other += name_of(static_cast<Subject>(value % 128));
  return text.replace(text.find('&'), 1, other);
}

Names names_of(Topic topic) {
  switch (topic) {
    case Topic::kFamily:
      return kFamilies;
    case Topic::kStanding:
      return kStandings;
    case Topic::kKind:
      return kKinds;
    case Topic::kIndexShape:
      return kIndexShapes;
    case Topic::kAxisForm:
      return kAxisForms;
    case Topic::kAxisPlace:
      return kAxisPlaces;
    case Topic::kWindowShape:
    case Topic::kReversedWindow:
    case Topic::kForwardSteps:
    case Topic::kSeenSteps:
      return kWindowShapes;
    case Topic::kParts:
      return kPartsShapes;
    case Topic::kLayout:
      return kLayouts;
    case Topic::kShape:
      return kShapes;
    default:
      return {};
  }
}

}  // namespace

std::string name_of_value(Topic topic, std::int64_t value) {
  const auto place = static_cast<std::size_t>(value);
  if (const Names names = names_of(topic); !names.empty()) return std::string(names[place]);
  switch (topic) {
    case Topic::kOperator:
      return std::string(all_operators()[place].name);
    case Topic::kRule:
    case Topic::kFailure:
      return std::string(all_rules()[place].name);
    case Topic::kLevel:
      return Version(static_cast<FeatureLevel>(value)).text();
    case Topic::kOpset:
    case Topic::kWidth:
    case Topic::kRank:
    case Topic::kTensorRank:
      return std::to_string(value);
    case Topic::kDataType:
    case Topic::kIndexType:
      return type_name(value);
    case Topic::kKindAndWidth:
      return std::to_string(place % 256) + "-byte " + std::string(kKinds[place / 256]);
    case Topic::kPattern:
    case Topic::kExpectedPattern:
      return pattern_name(place);
    case Topic::kPair:
      return pair_name(place);
    default:
      return {};
  }
}

}  // namespace opconform::diagnosis
