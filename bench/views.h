// Slice1 and Split as copies between strided views: what libraries with strides can be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Nothing for operators with indices.
[[nodiscard]] std::optional<std::vector<Move>> moves(const Operator& op);

/// The same elements counted forwards, and the dimensions that were turned for it.
struct Forwards {
  View view;
  std::vector<std::int64_t> turned;
};
[[nodiscard]] Forwards forwards(View view);

}  // namespace opconform::bench
