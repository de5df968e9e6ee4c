// The memory that a generated case is executed in, and the same case as one that can be judged,
// shrunk and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/generation/generator.h"
#include "spec/execution.h"
#include "spec/fields.h"

namespace opconform::generation {

/// The memory of one case in one block: all buffers in the order of the fields, guard zones between
/// them, and larger ones around the block. Kept from case to case, so that a case costs no
/// allocation.
class CaseMemory {
 public:
  /// Lays out the buffers. Every byte of the block depends on the seed alone.
  void make_noise(const Generated& generated);
  /// The same, and the contents of the inputs.
  void make(const Generated& generated);
  /// The buffer of an input, for whoever has contents of his own.
  [[nodiscard]] std::span<std::byte> input(std::size_t i) {
    return {start_ + (inputs_[i].data() - start_), inputs_[i].size()};
  }
  /// The same bytes at the same places.
  void copy_from(const CaseMemory& other);
  /// Writes canaries around the block, and looks whether they are still there.
  void surround();
  [[nodiscard]] bool is_surrounded() const { return first_change_around() == nullptr; }
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }
  [[nodiscard]] std::uint64_t buffer_bytes() const;
  [[nodiscard]] std::span<const std::byte> all() const { return {start_, size_bytes_}; }
  /// The first byte outside all buffers in which `other`, which is surrounded, differs from this,
  /// said in relation to the nearest buffer; empty where there is none.
  [[nodiscard]] std::string difference_outside(const CaseMemory& other) const;

 private:
  struct Place {
    const TensorDesc* tensor;
    TensorField field;
    std::size_t offset_bytes;
    std::size_t size_bytes;
  };
  void lay_out(const Generated& generated);
  void take_block(std::size_t size_bytes);
  void bind();
  [[nodiscard]] const std::byte* first_change_around() const;  // null where there is none
  // `at` in bytes from the start of the block.
  static std::string outside_text(const Place& nearest, std::ptrdiff_t at);

  std::vector<std::byte> block_;
  std::byte* start_ = nullptr;  // aligned
  std::size_t size_bytes_ = 0;
  std::vector<Place> places_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

/// The same case as a Case, for judging, shrinking and writing. Its inputs hold the bytes of the
/// buffers; what conforms is left to the reference.
cases::Case case_of(const Generated& generated, const CaseMemory& memory, std::string id);
/// The same without contents: enough for a descriptor that must be rejected.
cases::Case case_of(const Generated& generated, std::string id);

}  // namespace opconform::generation
