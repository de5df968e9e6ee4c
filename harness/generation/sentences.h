// What a generated case says: its factors as one sentence about behaviour. Each operator puts its
// own into words, in operators/OPERATOR.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::generation {

/// "a stride of -1 goes backward from the last element of a window inside dimension 2 of 3 …", from
/// the factors of the case and what it expects.
[[nodiscard]] std::string sentence_of(const cases::Case& one);

/// Words for the values of a factor; a value without a row stands for itself.
using Words = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// The factors of a case by name.
class ChosenFactors {
 public:
  explicit ChosenFactors(const cases::Case& one) : factors_(one.factors) {}
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Empty where the case has no such factor.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;
  [[nodiscard]] std::string in_words(std::string_view name, const Words& words) const;
  /// "5-15" as "5 to 15".
  [[nodiscard]] std::string range(std::string_view name) const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& factors_;
};

/// "no element", "1 element", "2 elements"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// Is an element of the output written more than once, by values that differ?
[[nodiscard]] bool has_rivals(const cases::Case& one);
/// What indices do along an axis, which `axis` names; `outcome` is that of one out of range. For
/// the factors "index type" and "index class".
[[nodiscard]] std::string indices_clause(const ChosenFactors& factors, const cases::Case& one,
                                         const std::string& axis, std::string_view outcome);
/// "2 uneven parts along axis 1 of 3, beside dimensions of size 1". For the factors "axis", "rank",
/// "partition" and "size beside axis".
[[nodiscard]] std::string parts_clause(std::size_t count, const ChosenFactors& factors);

// For each operator, in operators/OPERATOR.cpp: what the case does, without layouts and values.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  std::string behaviour(const Type& op, const ChosenFactors& factors, const cases::Case& one);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::generation
