// Copies whose short runs stand side by side in one target. Each by itself would write a few bytes
// here and there; together they make whole blocks of the target, each in one store.
#pragma once

#include <optional>

#include "optimized/kernels/kernels.h"
#include "optimized/program.h"

namespace opconform::optimized {

/// Rows of the target, each made of one run of every source, in their order.
class WeavePlan {
 public:
  /// Nothing where the copies are not of that kind, where their runs are long enough to be copied
  /// one by one, or where a block would need too many windows.
  [[nodiscard]] static std::optional<WeavePlan> of(const Program& program, Isa isa);

  ExecutionResult operator()(const Bindings& bindings, unsigned threads) const;

 private:
  InlineVector<CopyStep, kMostWovenSources> steps_;  // one a source
  std::ptrdiff_t rows_ = 0;
  std::ptrdiff_t least_part_ = 1;  // rows that the kernel needs, and that are worth a thread
  std::ptrdiff_t block_rows_ = 1;  // that are made at a time
  bool is_streamed_ = false;
  Weave weave_;
};

}  // namespace opconform::optimized
