// What stands where in a tensor's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/diagnosis/picture.h"

namespace opconform::diagnosis {

/// Where an element stands, in elements from the start of the buffer.
[[nodiscard]] std::uint64_t offset_of(const Dims& element, const TensorDesc& tensor);
[[nodiscard]] bool is_packed(const TensorDesc& tensor);

/// Of a valid tensor: which element stands at each place of its buffer.
class TensorMemory {
 public:
  TensorMemory(const TensorDesc& tensor, std::uint64_t buffer_size_bytes);

  /// In elements; the last of them may be cut short.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The first element that stands at that offset in elements; nothing in a gap.
  [[nodiscard]] std::optional<Dims> element_at(std::uint64_t offset) const;
  /// False where it has too many elements to look at: then nothing is known of its places.
  [[nodiscard]] bool is_known() const { return is_known_; }

  /// `wrong` are places in elements, also outside of the buffer; `focus` is shown where no place is
  /// wrong.
  [[nodiscard]] MemoryStrip strip(std::vector<std::int64_t> wrong, std::int64_t focus) const;

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  std::size_t element_size_bytes_;
  std::uint64_t size_;
  Dims distinct_sizes_;
  std::vector<std::uint32_t> number_at_;  // in distinct_sizes_
  bool is_known_ = false;
};

}  // namespace opconform::diagnosis
