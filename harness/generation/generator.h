// Generators: a description of each operator over a source of draws. What comes out is valid by
// construction, or breaks exactly one named rule.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/generation/classes.h"
#include "harness/generation/draws.h"
#include "harness/generation/factors.h"
#include "spec/operator.h"

namespace opconform::generation {

/// The largest tensor that is generated, in elements: small, because many small cases show more
/// than a few large ones. One in so many cases is larger, with two long dimensions or more: tiles,
/// vectors and groups of threads end in corners there.
inline constexpr std::uint64_t kMostGeneratedElements = 256;
inline constexpr std::uint64_t kMostElementsOfLarge = 4096;
inline constexpr std::uint64_t kOneInIsLarge = 64;

/// How the bytes of the inputs are made, after the descriptor.
struct ContentPlan {
  FillKind fill = FillKind::kDistinct;
  IndexClass index_class = IndexClass::kDistinct;
  std::uint64_t seed = 0;
  std::size_t base_alignment_bytes = 1;  ///< of every buffer, where larger than the element
  SizeTier tier = SizeTier::kSmall;      ///< of the tensors, which is known before them
};

struct Generated {
  Operator op;
  Version version = FeatureLevel::k6_4;
  ContentPlan contents;
  Assignment assignment;  ///< of the operator's factors
};

/// One way to break one rule of a valid descriptor.
template <class Op>
struct Breaker {
  std::string_view rule;
  /// Breaks exactly that rule, or says false where this descriptor does not allow it (and may have
  /// changed it).
  bool (*apply)(Draws& draws, Op& op, Version& version);
};

inline constexpr std::size_t kNoDimension = static_cast<std::size_t>(-1);
inline constexpr std::size_t kNoTensor = static_cast<std::size_t>(-1);

/// A smaller descriptor for shrinking. Its tensors hold the leading part of what they held: the
/// same coordinates, or those with 0 in a dimension that was removed.
struct Proposal {
  Operator op{};
  /// By input, the dimension or kNoDimension; empty where none lost any.
  std::vector<std::size_t> removed{};
  /// The input that is left out, by its place; all others stay.
  std::size_t removed_input = kNoTensor;
  /// Where a size may be smaller, that size; `op` says nothing then.
  std::uint64_t size = 0;
  /// The operator with another size there; nothing where there is none.
  std::function<std::optional<Operator>(std::uint64_t)> resized{};
};

// For each operator:
//   factor_model  its factors
//   realise       a valid descriptor for a complete, feasible assignment
//   breakers      every way to break one of its own rules
//   propose_smaller  fewer dimensions, sizes that may be smaller, fewer outputs, one step each; not
//   all need be valid
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define OPCONFORM_OPERATOR(file, Type, prefix)                                         \
  const FactorModel& factor_model(std::type_identity<Type>);                           \
  void realise(const Assignment& assignment, Draws& draws, Type& op, Version& version, \
               ContentPlan& contents);                                                 \
  std::span<const Breaker<Type>> breakers(std::type_identity<Type>);                   \
  void propose_smaller(const Type& op, std::vector<Proposal>& proposals);
// NOLINTEND(bugprone-macro-parentheses)
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

/// The factors of the operator with that place in all_operators().
[[nodiscard]] const FactorModel& factor_model(std::size_t operator_index);

/// Makes a valid case of one operator. `partial` holds values that are wanted; it must be feasible.
/// In the tiers above the smallest, the last value of a factor that says how many or how long
/// stands for any larger number as well.
void generate(std::size_t operator_index, const Assignment& partial, Draws& draws,
              Generated& generated, SizeTier tier = SizeTier::kSmall);

/// The rules that break() knows for an operator: all its constraints and its support, and those of
/// tensors.
[[nodiscard]] std::vector<std::string_view> breakable_rules(std::size_t operator_index);

/// Breaks exactly one rule of a valid case; empty where this case allows no way to break that rule.
/// The case as it was is the valid twin.
[[nodiscard]] bool break_rule(std::string_view rule, Draws& draws, Generated& generated);

}  // namespace opconform::generation
