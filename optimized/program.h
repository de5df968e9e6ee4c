// What operators are lowered to: affine copies and at most one indexed move, still without kernels.
#pragma once

#include <optional>
#include <vector>

#include "optimized/indexed_move.h"
#include "spec/operator.h"

namespace opconform::optimized {

/// The places of a copy's buffers in Bindings, and where it begins in each.
struct CopyStep {
  std::size_t input = 0;
  std::size_t output = 0;
  std::ptrdiff_t source_offset_bytes = 0;
  std::ptrdiff_t target_offset_bytes = 0;
  std::size_t copy = 0;  ///< its place in Program::copies
};
/// An indexed move to the first output, and the places of its buffers in Bindings::inputs.
struct IndexedStep {
  std::size_t indices;
  std::size_t source;
  IndexedMove move;
  std::size_t axis;  ///< its place in the loops
};

/// The copies in any order, then the indexed move. If there are both, there is one copy, to the
/// first output, whose loops are those of the move.
struct Program {
  std::vector<AffineCopy> copies;  ///< several steps may share one
  std::vector<CopyStep> steps;
  std::optional<IndexedStep> indexed;
  std::uint64_t output_elements = 0;  ///< of all outputs; lower() leaves it

  void clear() {
    copies.clear();
    steps.clear();
    indexed.reset();
    output_elements = 0;
  }
};

/// Fills an empty program. Precondition: validate(op, version) finds nothing.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  void lower(const Type& op, Version version, Program& program);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::optimized
