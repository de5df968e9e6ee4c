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
#include "spec/tensor.h"

namespace opconform::generation {

/// "a stride of -1 goes backward through 12 elements from 3 of dimension 2 of INT8 [4,5,29]; 4 are
/// taken": what the operator does, and to which sizes. Layouts, values and spare bytes stay in the
/// factors.
[[nodiscard]] std::string sentence_of(const cases::Case& one);
/// "that InputTensor has rank 9 is rejected at 5_0 (UINT8)"
[[nodiscard]] std::string sentence_of_broken(const cases::Case& one);

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

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& factors_;
};

/// "[4,5,29]", "INT8 [4,5,29]"
[[nodiscard]] std::string sizes_text(const TensorDesc& tensor);
[[nodiscard]] std::string typed_sizes(const TensorDesc& tensor);

/// Is an element of the output written more than once, by values that differ?
[[nodiscard]] bool has_rivals(const cases::Case& one);
/// What indices do along an axis, which `axis` names; `outcome` is that of one out of range. For
/// the factors "index type" and "index class".
[[nodiscard]] std::string indices_clause(const ChosenFactors& factors, const cases::Case& one,
                                         const TensorDesc& indices, const std::string& axis,
                                         std::string_view outcome);
/// "2 uneven parts", "3, 2 and 4": those that a tensor consists of along the axis. For the factor
/// "partition".
[[nodiscard]] std::string parts_clause(const std::vector<TensorDesc>& parts, std::size_t axis,
                                       const ChosenFactors& factors);

// For each operator, in operators/OPERATOR.cpp: the sentence.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  std::string behaviour(const Type& op, const ChosenFactors& factors, const cases::Case& one);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::generation
