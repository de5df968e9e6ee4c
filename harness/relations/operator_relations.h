// What each operator says of the relations, in operators/OPERATOR.cpp: laws of its own, and how it
// goes along where dimensions change.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "harness/generation/operators/common.h"
#include "harness/relations/trial.h"

namespace opconform::relations {

struct Relation {
  std::size_t place;  ///< in all_relations(); the meaning of seeds hangs on it
  RelationText text;
  RelationVerdict (*check)(Trial&);
};

/// How inputs and outputs of a case move where its dimensions do. Without inputs, it does not
/// apply.
struct Permutation {
  std::vector<Dims> inputs;
  Dims outputs;
};

// For each operator:
//   relations      those that begin with a case of it; none of them may have another's place
//   lead_with_one  one dimension of size 1 more, and everything that counts dimensions along with
//                  it; false where the operator has no such twin
//   permute        its dimensions in another order, and everything that counts them along with it
//   open_elements  the elements of the output that the document leaves open for these inputs, by
//                  row-major number; empty where none are
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define OPCONFORM_OPERATOR(file, Type, prefix)                   \
  std::span<const Relation> relations(std::type_identity<Type>); \
  bool lead_with_one(generation::Draws& draws, Type& op);        \
  Permutation permute(generation::Draws& draws, Type& op);       \
  std::vector<bool> open_elements(const Type& op, std::span<const Values> inputs);
// NOLINTEND(bugprone-macro-parentheses)
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

// Of operators whose tensors all have the same dimensions, by the roles of their fields.

void insert_one(std::size_t at, generation::Draws& draws, TensorDesc& tensor);
/// The dimensions of the tensor in another order: its elements stay in their places, or are packed
/// anew.
void permute_tensor(const Dims& order, bool keep_places, TensorDesc& tensor);

template <class Op>
void lead_all_with_one(generation::Draws& draws, Op& op) {
  for (const MutableTensor& tensor : mutable_tensors(op)) insert_one(0, draws, *tensor.desc);
  Op::visit_fields(op, [&](const auto& field, auto&... value) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, ScalarField>) {
      if (field.role == ScalarRole::kAxis) (++value, ...);
    } else if constexpr (std::is_same_v<Field, ArrayField>) {
      const auto insert = [&]<class Integer>(InlineVector<Integer, kMaxRank>& numbers) {
        const Integer one = number_of_one(field.role);
        // A stride leads nowhere.
        const bool turns = std::is_signed_v<Integer> && field.role == ArrayRole::kStride;
        numbers.insert(0, turns && draws.one_in(2) ? static_cast<Integer>(-one) : one);
      };
      (insert(value), ...);
    }
  });
}

template <class Op>
Permutation permute_all(generation::Draws& draws, Op& op) {
  const std::vector<MutableTensor> tensors = mutable_tensors(op);
  const Dims order = generation::shuffled_dimensions(tensors.front().desc->rank(), draws);
  Op::visit_fields(op, [&](const auto& field, auto&... value) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, ScalarField>) {
      if (field.role == ScalarRole::kAxis)
        ((value = static_cast<std::remove_cvref_t<decltype(value)>>(inverse(order)[value])), ...);
    } else if constexpr (std::is_same_v<Field, ArrayField>) {
      const auto reorder = [&](auto& numbers) {
        const auto before = numbers;
        for (std::size_t i = 0; i < order.size(); ++i) numbers[i] = before[order[i]];
      };
      (reorder(value), ...);
    }
  });
  Permutation permutation;
  for (const MutableTensor& tensor : tensors) {
    // Repeated places of an input stay repeated only where they stay.
    permute_tensor(order, draws.one_in(2), *tensor.desc);
    if (tensor.field.access == Access::kInput) permutation.inputs.push_back(order);
  }
  permutation.outputs = order;
  return permutation;
}

}  // namespace opconform::relations
