#include "harness/coverage/rules.h"

namespace opconform::coverage {
namespace {

bool has_leading_ones(const Operator& op, Version version) {
  if (version.dialect() != Dialect::kDirectml) return false;
  bool found = false;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const Dims& sizes = tensor.desc.sizes;
    const bool is_padded_up = (sizes.size() == 4 || sizes.size() == 5) && sizes[0] == 1;
    found = found || (is_padded_up && element_count(sizes).value_or(0) > 1);
  });
  return found;
}

}  // namespace

bool holds(const Operator& op, Version version, const CaseTraits& traits, ShownBy what) {
  switch (what) {
    case ShownBy::kExecution:
    case ShownBy::kAnyExecution:
      return true;
    case ShownBy::kPackedLayout:
      return traits.has_layout(generation::LayoutClass::kPacked);
    case ShownBy::kPermutedLayout:
      return traits.has_layout(generation::LayoutClass::kPermuted);
    case ShownBy::kBroadcastLayout:
      return traits.has_layout(generation::LayoutClass::kBroadcast);
    case ShownBy::kPaddedLayout:
      return traits.has_layout(generation::LayoutClass::kPadded);
    case ShownBy::kSizeOneStride:
      return traits.has_layout(generation::LayoutClass::kAbsurd);
    case ShownBy::kGivenStrides:
      return (traits.layouts & ~bit_of(generation::LayoutClass::kPacked)) != 0;
    case ShownBy::kOutputGaps:
      return (traits.output_layouts & bit_of(generation::LayoutClass::kPadded)) != 0 ||
             traits.has_slack;
    case ShownBy::kLeadingOnes:
      return has_leading_ones(op, version);
    case ShownBy::kFragileBits:
      return traits.has_fragile_bits;
    case ShownBy::kDuplicateIndex:
      return traits.has_index(generation::IndexClass::kDuplicate);
    case ShownBy::kNegativeIndex:
      return traits.has_negative_index();
    case ShownBy::kIndexOutside:
      return traits.has_index_outside();
    case ShownBy::kAlias:
      return traits.by_alias;
  }
  return false;
}

}  // namespace opconform::coverage
