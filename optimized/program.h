// What operators are lowered to: affine copies and at most one indexed move, still without kernels.
#pragma once

#include <optional>
#include <vector>

#include "optimized/affine_copy.h"
#include "optimized/indexed_move.h"
#include "spec/operator.h"

namespace opconform::optimized {

/// A copy, and the places of its buffers in Bindings.
struct CopyStep {
  std::size_t input;
  std::size_t output;
  AffineCopy copy;
};
/// An indexed move, and the places of its buffers in Bindings::inputs. It writes to the first
/// output.
struct IndexedStep {
  std::size_t indices;
  std::size_t source;
  IndexedMove move;
  std::size_t axis;  ///< its place in the loops
};

/// The copies in any order, then the indexed move. If there are both, there is one copy, to the
/// first output, whose loops are those of the move.
struct Program {
  std::vector<CopyStep> copies;
  std::optional<IndexedStep> indexed;
};

/// Precondition: validate(op, version) finds nothing.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  [[nodiscard]] Program lower(const Type& op, Version version);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::optimized
