// Every implementation that is wrong on purpose, or right in an unusual way, by name. A new one is
// a row in one of the files beside this, or in operators/.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "planted/plain.h"

namespace opconform::planted {

enum class Kind : std::uint8_t {
  kBug,        ///< must be caught
  kPermitted,  ///< does what a document leaves open: must not be accused
  kBehaviour,  ///< crashes, hangs, floods: what the command line makes of it
};

/// Operators as bits, by their places in all_operators().
template <class Op, class... Ops>
consteval unsigned operator_bit(std::type_identity<std::variant<Ops...>> /*variant*/) {
  unsigned bit = 1;
  unsigned found = 0;
  ((found |= std::is_same_v<Op, Ops> ? bit : 0, bit <<= 1), ...);
  return found;
}
template <class... Ops>
inline constexpr unsigned kOnly = (operator_bit<Ops>(std::type_identity<Operator>()) | ...);

template <class Holds>
consteval unsigned operators_where(Holds holds) {
  unsigned bits = 0;
  unsigned bit = 1;
  for_each_operator([&](auto op) {
    bits |= holds(op) ? bit : 0;
    bit <<= 1;
  });
  return bits;
}
inline constexpr unsigned kAll =
    operators_where([]<class Op>(std::type_identity<Op>) { return true; });
inline constexpr unsigned kDirectml = operators_where(
    []<class Op>(std::type_identity<Op>) { return Op::kDialect == Dialect::kDirectml; });
inline constexpr unsigned kIndexed = operators_where([]<class Op>(std::type_identity<Op>) {
  return requires(Op op) { op.indexed_size(); };
});
inline constexpr unsigned kWithAxis = operators_where([]<class Op>(std::type_identity<Op>) {
  return requires(Op op) { op.axis; };
});

// What stands for rules that depend on the operator, in a row of several.
/// Of most bugs that lose or misplace elements: the rules that say where its elements go.
inline constexpr std::string_view kMovement = "(movement)";
/// Those of them about the axis: which part an element of the axis is of, or which index names it.
inline constexpr std::string_view kAlongAxis = "(along-axis)";
/// That a negative index counts from the end.
inline constexpr std::string_view kNegativeIndex = "(negative-index)";
/// That an index out of range is an error. Some operators leave it open.
inline constexpr std::string_view kIndexRange = "(index-range)";
/// Which types and ranks each version offers.
inline constexpr std::string_view kSupport = "(support)";
/// Of a bug for which no single rule is to blame: any constraint, support included.
inline constexpr std::string_view kAnyConstraint = "(constraints)";

/// What an operator makes of them, names with spaces between: empty where it has no such rule.
struct OwnRules {
  std::string_view movement;
  std::string_view along_axis{};
  std::string_view negative_index{};
  std::string_view index_range{};
};

struct Row {
  std::string_view name;  ///< "index-low-half", behind "faulty:"
  std::string_view says;  ///< what is wrong, and where that was seen
  unsigned operators;     ///< whose results it can change
  /// The rules of the ledger that it breaks, or what stands for them, each but the first after a
  /// space: one for each of the operators, or one of the tensors for all. More of one operator, the
  /// best first, where it breaks each of them as plainly. None where it is no bug.
  std::string_view rules;
  void (*plant)(Seams& seams);
  std::string_view label{};  ///< of the cases that show it, where no others do
};
using Rows = std::span<const Row>;
// A file each; what only one operator can have stands in its own.
Rows index_bugs();
Rows axis_bugs();
Rows layout_bugs();
Rows size_bugs();
Rows chunk_bugs();
Rows large_size_bugs();
Rows huge_size_bugs();
Rows element_bugs();
Rows bit_bugs();
Rows memory_bugs();
Rows lifetime_bugs();
Rows cache_bugs();
Rows thread_bugs();
Rows rejection_bugs();
Rows tensor_rejection_bugs();
Rows permitted();
Rows behaviours();
// For each operator, in operators/OPERATOR.cpp: the bugs that only it can have, and its own rules.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  Rows bugs_of(std::type_identity<Type> op);   \
  OwnRules own_rules(std::type_identity<Type> op);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

/// The names of the rules that the bug breaks, in the order of the row.
std::vector<std::string_view> rules_of(const Row& row);

struct Planted {
  Kind kind;
  const Row* row;
};
/// All of them: bugs by theme, permitted, behaviours. Throws std::logic_error where two share a
/// name.
const std::vector<Planted>& all_planted();

/// The backend "faulty:NAME", or "faulty:NAME+NAME" with several bugs, of which a later one may
/// replace what an earlier one changed; null where there is none of a name.
std::unique_ptr<backends::Backend> make_faulty(std::string_view name);
std::unique_ptr<backends::Backend> make_faulty(const Row& row);

}  // namespace opconform::planted
