// All operators as one type. The list is spec/operators.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#define OPCONFORM_OPERATOR_HEADERS
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR_HEADERS

namespace opconform {

namespace detail {
template <class None, class... Ops>
using OperatorVariant = std::variant<Ops...>;
}  // namespace detail

/// Any of the operators, with its fields.
using Operator = detail::OperatorVariant<void
#define OPCONFORM_OPERATOR(file, Type, prefix) , Type
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR
                                         >;

/// Calls `f(std::type_identity<Op>)` for each operator.
template <class F>
constexpr void for_each_operator(F&& f) {
#define OPCONFORM_OPERATOR(file, Type, prefix) f(std::type_identity<Type>{});
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR
}

/// What the names of the operator's rules begin with, before the dot.
template <class Op>
inline constexpr std::string_view kRulePrefix{};
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  template <>                                  \
  inline constexpr std::string_view kRulePrefix<Type> = prefix;
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

/// An operator with default fields, by its name or its alias; nothing if
/// unknown.
[[nodiscard]] std::optional<Operator> make_operator(std::string_view name);

/// What is said of an operator, without its type.
struct OperatorText {
  std::string_view name;
  std::string_view prefix;  ///< of the names of its rules, without the dot
  std::string_view alias;   ///< empty where it has none
  Dialect dialect;
  SupportTable support;
};
[[nodiscard]] OperatorText describe(const Operator& op);
[[nodiscard]] std::vector<OperatorText> all_operators();

/// The versions that an operator is judged by: every feature level, or the opsets with a row in its
/// table. Any other version is judged by the last of these that is not above it.
[[nodiscard]] std::vector<Version> versions_of(const OperatorText& op);

/// Every rule of the ledger: the tensors' first, then operator by operator.
[[nodiscard]] const std::vector<RuleText>& all_rules();
/// Null where no rule has that name.
[[nodiscard]] const RuleText* find_rule(std::string_view name);
[[nodiscard]] const std::vector<Erratum>& all_errata();
[[nodiscard]] const Erratum* find_erratum(std::string_view name);

/// A packed descriptor of a few elements, of the operator with that place in all_operators(). Its
/// types and ranks need not be supported; otherwise it is valid.
[[nodiscard]] Operator plain_operator(std::size_t operator_index, const PlainShape& shape);

/// A descriptor of the same operator, types and ranks with a single element in each tensor, and one
/// tensor in each array of them: valid wherever the other is.
[[nodiscard]] Operator with_single_elements(Operator op);

/// Does the operator's table list the type and the rank of every tensor? Reads the table alone: no
/// rule's check is asked.
[[nodiscard]] bool is_listed(const Operator& op, Version version);

/// Do the documents say what a negative index of a signed type means to the operator?
[[nodiscard]] bool defines_negative_indices(const Operator& op, Version version);

/// Can this valid operator expose an implementation that breaks rule number `place` of its own?
[[nodiscard]] bool shows_rule(const Operator& op, Version version, std::size_t place);

/// Calls `f(NamedTensor)` for each tensor of the operator, in the order of the fields.
template <class F>
void for_each_tensor(const Operator& op, F&& f) {
  std::visit([&](const auto& o) { for_each_tensor(o, f); }, op);
}

/// The elements of all its tensors together; of a tensor with too many to count, none.
[[nodiscard]] std::uint64_t total_elements(const Operator& op);

/// All tensors of the operator, to be changed, in the order of the fields.
[[nodiscard]] std::vector<MutableTensor> mutable_tensors(Operator& op);

/// The size of the dimension that the operator's indices count in; nothing where it has no indices,
/// or where the descriptor is not valid enough to say.
[[nodiscard]] std::optional<std::uint64_t> indexed_size(const Operator& op);

}  // namespace opconform
