// Every implementation that is wrong on purpose, or right in an unusual way, by name. A new one is
// a row in one of the files beside this.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/guard.h"
#include "planted/plain.h"

namespace opconform::faulty {

enum class Kind : std::uint8_t {
  kBug,        ///< must be caught
  kPermitted,  ///< does what a document leaves open: must not be accused
  kBehaviour,  ///< crashes, hangs, floods: what the command line makes of it
};

/// Operators as bits, by their places in all_operators().
template <class Op, class... Ops>
consteval unsigned operator_bit(std::type_identity<std::variant<Ops...>>) {
  unsigned bit = 1;
  unsigned found = 0;
  ((found |= std::is_same_v<Op, Ops> ? bit : 0, bit <<= 1), ...);
  return found;
}
inline constexpr unsigned kScatter = operator_bit<Scatter>(std::type_identity<Operator>());
inline constexpr unsigned kSplit = operator_bit<Split>(std::type_identity<Operator>());
inline constexpr unsigned kSlice1 = operator_bit<Slice1>(std::type_identity<Operator>());
inline constexpr unsigned kGather = operator_bit<OnnxGather>(std::type_identity<Operator>());
inline constexpr unsigned kDirectml = kScatter | kSplit | kSlice1;
inline constexpr unsigned kIndexed = kScatter | kGather;
inline constexpr unsigned kAll = kDirectml | kGather;

struct Row {
  std::string_view name;  ///< "index-low-half", behind "faulty:"
  std::string_view says;  ///< what is wrong, and where that was seen
  unsigned operators;     ///< whose results it can change
  void (*plant)(Seams& seams);
  harness::Guard guard = harness::Guard::kCanary;  ///< what it takes to see it
};
using Rows = std::span<const Row>;

// A file each.
Rows index_bugs();
Rows axis_bugs();
Rows layout_bugs();
Rows window_bugs();
Rows size_bugs();
Rows update_bugs();
Rows element_bugs();
Rows memory_bugs();
Rows lifetime_bugs();
Rows refusal_bugs();
Rows tensor_refusal_bugs();
Rows permitted();
Rows behaviours();

struct Planted {
  Kind kind;
  const Row* row;
};
/// All of them: bugs by theme, permitted, behaviours. Throws std::logic_error where two share a
/// name.
const std::vector<Planted>& all_planted();

/// The backend "faulty:NAME"; null where there is none of that name.
std::unique_ptr<harness::Backend> make_faulty(std::string_view name);
std::unique_ptr<harness::Backend> make_faulty(const Row& row);

}  // namespace opconform::faulty
