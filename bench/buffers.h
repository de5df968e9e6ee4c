// Memory for one cell: inputs with contents, outputs, and a copy of what the outputs should be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::bench {

inline constexpr std::size_t kPageBytes = 4096;

/// Bytes whose first one lies `offset` behind a page's start.
class Block {
 public:
  explicit Block(std::size_t size, std::size_t offset = 0);
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::span<std::byte> bytes_;
};

class Buffers {
 public:
  /// Inputs are filled: values with bits that no type takes for a NaN or a denormal, which some
  /// peers change; indices at random, within range, not negative, and no two alike along a line as
  /// long as the dimension has room. With `aligned_to_element_only` bases lie anywhere that their
  /// type permits.
  Buffers(const Operator& op, std::uint64_t seed, bool aligned_to_element_only = false);

  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }
  [[nodiscard]] const std::byte* input(std::size_t i) const { return inputs_[i].data(); }
  [[nodiscard]] std::byte* output(std::size_t i) const { return outputs_[i].data(); }

  /// Overwrites the outputs, gaps included.
  void clear_outputs();
  /// The outputs as they are now are what they should be.
  void keep_outputs_as_expected();
  /// Every byte, those of gaps included.
  [[nodiscard]] bool outputs_are_as_expected() const;

 private:
  std::vector<Block> blocks_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
  std::vector<std::vector<std::byte>> expected_;
};

}  // namespace opconform::bench
