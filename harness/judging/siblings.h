// Descriptors that differ from another in one field alone: what a cache of plans takes for it where
// its key leaves that field out.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "spec/operator.h"
#include "spec/version.h"

namespace opconform::judging {

struct Sibling {
  Operator op;
  Version version;
};

/// In how many ways siblings of this operator differ: its version, the type of its values, the type
/// of its indices, all sizes, the strides of each tensor field, and each number and array of
/// numbers one up and one down.
[[nodiscard]] std::size_t sibling_count(const Operator& op);

/// The way in which only the version differs: the one sibling of many descriptors that break a
/// rule.
inline constexpr std::size_t kVersionWay = 0;

/// The sibling that differs in way `way`, below sibling_count(). Nothing where no change of that
/// field alone gives a valid descriptor. The descriptor itself need not be valid.
[[nodiscard]] std::optional<Sibling> sibling(const Operator& op, Version version, std::size_t way);

/// All that there are, in the order of the ways from `first` on, and around: the last is that of
/// the way before `first`, where there is one.
[[nodiscard]] std::vector<Sibling> siblings(const Operator& op, Version version, std::size_t first);

}  // namespace opconform::judging
