// The work of operators in the words of libraries: copies between strided views, elements taken or
// put along an axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "spec/operator.h"

namespace opconform::bench {

/// A part of one buffer. All numbers in elements.
struct View {
  std::size_t buffer;   ///< place among the inputs, or among the outputs
  std::int64_t offset;  ///< of the first element
  Dims sizes;
  InlineVector<std::int64_t, kMaxRank> strides;  ///< negative where elements run backwards
};

struct Move {
  View source;
  View target;
  DataType data_type;
};

/// All elements of a tensor.
[[nodiscard]] View whole(const TensorDesc& tensor, std::size_t buffer = 0);

/// A tensor of an operator, and its place among the buffers of the inputs, or of the outputs.
struct Operand {
  const TensorDesc* tensor;
  std::size_t buffer;
};
/// The dimensions of the indices take the place of the data's axis.
struct Take {
  Operand data;
  Operand indices;
  Operand output;
  std::size_t axis;
};
/// The input, and each update at its coordinate but for the axis, where the index says which.
struct Put {
  Operand input;
  Operand indices;
  Operand updates;
  Operand output;
  std::size_t axis;
};
/// The first where no library has a word for it. Refers into the operator.
using Work = std::variant<std::monostate, std::vector<Move>, Take, Put>;
[[nodiscard]] Work work_of(const Operator& op);

/// Nothing where the work is no copying.
[[nodiscard]] std::optional<std::vector<Move>> moves(const Operator& op);

/// The same elements counted forwards, and the dimensions that were turned for it.
struct Forwards {
  View view;
  std::vector<std::int64_t> turned;
};
[[nodiscard]] Forwards forwards(View view);

}  // namespace opconform::bench
