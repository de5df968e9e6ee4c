// What a case holds of that by which rules are shown (ShownBy).
#pragma once

#include "harness/coverage/classes.h"
#include "spec/operator.h"

namespace opconform::coverage {

/// What is known of a case that was not rejected, over all its tensors.
struct CaseTraits {
  ClassSet layouts = 0;         ///< of any tensor
  ClassSet output_layouts = 0;  ///< of any output
  bool has_slack = false;       ///< an output's buffer is larger than what its elements reach
  ClassSet indices = 0;
  bool has_fragile_bits = false;  ///< are_fragile() of some input
  bool by_alias = false;          ///< the case names the operator by its alias

  [[nodiscard]] bool has_index(generation::IndexClass index_class) const {
    return (indices & bit_of(index_class)) != 0;
  }
  [[nodiscard]] bool has_layout(generation::LayoutClass layout) const {
    return (layouts & bit_of(layout)) != 0;
  }
  [[nodiscard]] bool has_index_outside() const {
    return has_index(generation::IndexClass::kJustOutside) ||
           has_index(generation::IndexClass::kFarOutside);
  }
  [[nodiscard]] bool has_negative_index() const {
    return has_index(generation::IndexClass::kNegative) ||
           has_index(generation::IndexClass::kMixedSign);
  }
};

/// Does a case that was not rejected hold that?
[[nodiscard]] bool holds(const Operator& op, Version version, const CaseTraits& traits,
                         ShownBy what);

}  // namespace opconform::coverage
