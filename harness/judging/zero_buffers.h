// Buffers for an execution of which no result is wanted.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::judging {

/// Buffers of zeros for all tensors of an operator, or empty ones for all where they would be more
/// than such an execution is worth: 1 MiB each. Whoever reads or writes a little outside of one
/// finds memory that is nobody's: that is judged where results are. The operator need not be valid.
class ZeroBuffers {
 public:
  explicit ZeroBuffers(const Operator& op);
  [[nodiscard]] bool are_made() const { return are_made_; }
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }

 private:
  bool are_made_ = false;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace opconform::judging
