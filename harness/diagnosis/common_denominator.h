// What failing cases have in common that passing ones have not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/diagnosis/traits.h"

namespace opconform::diagnosis {

/// A few conditions, and the cases that all of them hold for.
struct Description {
  std::vector<std::string> conditions;  ///< what they are about first, then in the order of topics
  std::size_t failing = 0;              ///< of failing_all
  std::size_t failing_all = 0;
  std::size_t passing = 0;  ///< of passing_all
  std::size_t passing_all = 0;

  /// "valid, OutputCount > 8"; "all cases" where there is no condition.
  [[nodiscard]] std::string text() const;
};

/// Finds the shortest and plainest conditions that hold for the failing cases, for all of them or
/// nearly all, and for as few of the passing as any do. Where the failing cases are alike in
/// nothing that tells them from the others, the counts say so. The order of cases changes nothing.
[[nodiscard]] Description describe_common(std::span<const Traits* const> failing,
                                          std::span<const Traits* const> passing);

/// What could explain the failure of a case of which nothing else is known: the width of its
/// elements, tensors that are not packed, negative strides. In the same words.
[[nodiscard]] std::string signature_of(const Traits& traits);

}  // namespace opconform::diagnosis
