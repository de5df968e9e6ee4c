#include "harness/diagnosis/tensor_memory.h"

#include <algorithm>

#include "harness/base/layout.h"
#include "harness/diagnosis/window.h"

namespace opconform::diagnosis {
namespace {

/// Elements of a tensor that are looked at to learn where they stand.
constexpr std::uint64_t kMostElementsLookedAt = std::uint64_t{1} << 24;

std::string cell_text(const Dims& element) {
  std::string text;
  for (const std::uint64_t coordinate : element)
    text += (text.empty() ? " " : ",") + std::to_string(coordinate);
  return "element" + text;
}

}  // namespace

std::uint64_t offset_of(const Dims& element, const TensorDesc& tensor) {
  const Dims strides = effective_strides(tensor);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < element.size(); ++i) offset += element[i] * strides[i];
  return offset;
}

bool is_packed(const TensorDesc& tensor) {
  const Dims packed = packed_strides(tensor.sizes);
  if (!tensor.strides) return true;
  for (std::size_t i = 0; i < packed.size() && i < tensor.strides->size(); ++i)
    if (tensor.sizes[i] > 1 && (*tensor.strides)[i] != packed[i]) return false;
  return true;
}

TensorMemory::TensorMemory(const TensorDesc& tensor, std::uint64_t buffer_size_bytes)
    : element_size_bytes_(tensor.element_size_bytes()),
      size_((buffer_size_bytes + element_size_bytes_ - 1) / element_size_bytes_) {
  const TensorDesc distinct = base::without_repetition(tensor);
  const std::optional<std::uint64_t> count = element_count(distinct.sizes);
  if (!count || *count > kMostElementsLookedAt || size_ > kMostElementsLookedAt) return;
  is_known_ = true;
  distinct_sizes_ = distinct.sizes;
  number_at_.assign(size_, kNone);
  base::for_each_element(distinct, [&](std::uint64_t number, std::uint64_t offset) {
    if (offset < size_ && number_at_[offset] == kNone)
      number_at_[offset] = static_cast<std::uint32_t>(number);
  });
}

std::optional<Dims> TensorMemory::element_at(std::uint64_t offset) const {
  if (offset >= number_at_.size() || number_at_[offset] == kNone) return std::nullopt;
  return coordinates_of(number_at_[offset], distinct_sizes_);
}

MemoryStrip TensorMemory::strip(std::vector<std::int64_t> wrong, std::int64_t focus) const {
  constexpr std::int64_t kGuardCells = 2;
  constexpr std::int64_t kMostCells = 64;
  std::sort(wrong.begin(), wrong.end());
  wrong.erase(std::unique(wrong.begin(), wrong.end()), wrong.end());
  const auto size = static_cast<std::int64_t>(size_);
  std::int64_t first = -kGuardCells;
  std::int64_t end = size + kGuardCells;
  if (!wrong.empty()) {
    focus = wrong.front();
    first = std::min(first, focus - 1);
    end = std::max(end, wrong.back() + 2);
  }
  if (end - first > kMostCells) {
    first = std::clamp(focus - kMostCells / 4, first, end - kMostCells);
    end = first + kMostCells;
  }
  MemoryStrip strip;
  strip.first = first;
  strip.bytes_per_cell = element_size_bytes_;
  for (std::int64_t at = first; at < end; ++at) {
    if (std::binary_search(wrong.begin(), wrong.end(), at))
      strip.wrong.push_back(strip.cells.size());
    const bool is_outside = at < 0 || at >= size;
    const auto element = is_outside ? std::nullopt : element_at(static_cast<std::uint64_t>(at));
    strip.cells.emplace_back(is_outside ? std::string(MemoryStrip::kGuard)
                             : element  ? cell_text(*element)
                                        : std::string(MemoryStrip::kGap));
  }
  return strip;
}

}  // namespace opconform::diagnosis
