// The vocabulary of an operator's field list. Each operator has one function, visit_fields(op,
// visit), which names its fields in the order of its document. JSON in and out, validation of
// tensors, bindings, marshalling for plug-ins, generation and shrinking are visitors of that list.
//
// A visitor is callable as
//   visit(TensorField, TensorDesc&)
//   visit(TensorField, std::vector<TensorDesc>&)       an array of tensors
//   visit(CountField)                                  a count that the arrays already tell
//   visit(ScalarField, std::uint32_t&)                 UINT
//   visit(ScalarField, std::optional<std::int64_t>&)   an attribute that may be left out
//   visit(ArrayField, UintArray& or IntArray&)         one number a dimension
//
// A field's role says what it is to the operator, so that no visitor needs to know which operator
// it looks at.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/inline_vector.h"
#include "spec/rule.h"
#include "spec/tensor.h"

namespace opconform {

enum class Access : std::uint8_t { kInput, kOutput };

/// What the elements of a tensor are to the operator.
enum class Content : std::uint8_t { kValues, kIndices };

struct TensorField {
  std::string_view name;
  Access access = Access::kInput;
  Content content = Content::kValues;
};

/// What a number is to the operator.
enum class ScalarRole : std::uint8_t {
  kAxis,               ///< a dimension of the first tensor; where negative, counted from the back
  kLeadingDimensions,  ///< how many dimensions of a tensor it speaks of
  kOther,
};
struct ScalarField {
  std::string_view name;
  ScalarRole role = ScalarRole::kOther;
};

/// What the number of one dimension is to the operator.
enum class ArrayRole : std::uint8_t {
  kOffset,  ///< the first element
  kWindow,  ///< how many elements, from the offset on
  kStride,  ///< how far it is from one to the next; never 0
};
/// The number of a dimension of size 1.
[[nodiscard]] constexpr std::uint8_t number_of_one(ArrayRole role) {
  return role == ArrayRole::kOffset ? 0 : 1;
}
struct ArrayField {
  std::string_view name;
  ArrayRole role;
};

/// A field that repeats the length of other fields.
struct CountField {
  std::string_view name;
  std::array<std::string_view, 3> arrays;  ///< the rest are empty
};

using UintArray = InlineVector<std::uint32_t, kMaxRank>;
using IntArray = InlineVector<std::int32_t, kMaxRank>;

/// A tensor of an operator, with the place it has there.
struct NamedTensor {
  TensorField field;
  FieldPath path;  ///< with its index, where it is one of an array
  const TensorDesc& desc;
};

/// Calls `f(field, path, tensor)` for each tensor of the operator, in the order of the fields. The
/// tensors are as const as the operator is.
template <class Op, class F>
void visit_tensors(Op& op, F&& f) {
  Op::visit_fields(op, [&](const auto& field, auto&... value) {
    if constexpr (std::is_same_v<decltype(field), const TensorField&>) {
      const auto visit = [&](auto& tensor) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(tensor)>, TensorDesc>) {
          f(field, FieldPath{field.name}, tensor);
        } else {
          for (std::size_t i = 0; i < tensor.size(); ++i)
            f(field, FieldPath{field.name, i}, tensor[i]);
        }
      };
      (visit(value), ...);
    }
  });
}

/// Calls `f(NamedTensor)` for each tensor of the operator, in the order of the fields.
template <class Op, class F>
void for_each_tensor(const Op& op, F&& f) {
  visit_tensors(op, [&](const TensorField& field, const FieldPath& path, const TensorDesc& tensor) {
    f(NamedTensor{field, path, tensor});
  });
}

/// Calls `judge(NamedTensor)` for the tensors, of which it adds to `violations`. Of those in a row
/// that are `alike(TensorDesc, TensorDesc)`, the first speaks for all, as long as nothing is
/// broken: most parts are.
template <class Op, class Alike, class Judge>
void judge_tensors(const Op& op, const Violations& violations, Alike&& alike, Judge&& judge) {
  const TensorDesc* before = nullptr;  // of the same array
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.path.index == FieldPath::kNoIndex || tensor.path.index == 0) before = nullptr;
    if (before != nullptr && alike(*before, tensor.desc) && violations.empty()) return;
    judge(tensor);
    before = &tensor.desc;
  });
}

/// A tensor of an operator that may be changed.
struct MutableTensor {
  TensorField field;
  TensorDesc* desc;
};

/// All tensors of the operator, in the order of the fields.
template <class Op>
std::vector<MutableTensor> mutable_tensors(Op& op) {
  std::vector<MutableTensor> tensors;
  visit_tensors(op, [&](const TensorField& field, const FieldPath& /*path*/, TensorDesc& tensor) {
    tensors.push_back({field, &tensor});
  });
  return tensors;
}

}  // namespace opconform
