#include "fuzz/effort.h"

namespace opconform::fuzz {
namespace {

/// Of the work that overlap() may take.
constexpr std::uint64_t kOverlapLimit = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostElements = 4096;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 16;

bool is_decided_quickly(const TensorDesc& tensor) {
  // Where it has no layout, nobody asks.
  if (has_empty_dimension(tensor) || !stride_count_matches(tensor) || !extent_elements(tensor))
    return true;
  return overlap(tensor, kOverlapLimit) != Overlap::kUndecided;
}

}  // namespace

bool is_quick_to_judge(const Operator& op) {
  bool quick = true;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput) quick = quick && is_decided_quickly(tensor.desc);
  });
  return quick;
}

bool is_small(const Operator& op, Version version) {
  bool small = true;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    small = small &&
            element_count(tensor.desc.sizes).value_or(kMostElements + 1) <= kMostElements &&
            buffer_size_bytes(tensor.desc, version.dialect()) <= kMostBytes;
  });
  return small;
}

}  // namespace opconform::fuzz
