#include "harness/coverage/classes.h"

#include <algorithm>
#include <limits>

#include "harness/base/layout.h"

namespace opconform::coverage {
namespace {

/// Elements up to which layouts that are neither clearly disjoint nor clearly overlapping are
/// decided.
constexpr std::uint64_t kOverlapLimit = std::uint64_t{1} << 16;

/// Dimensions of more than one element that no stride of 0 repeats, the smallest stride first.
struct Span {
  std::uint64_t stride;
  std::uint64_t size;
};
using Spans = InlineVector<Span, kMaxRank>;

Spans spans_of(const TensorDesc& tensor) {
  Spans spans;
  for (std::size_t i = tensor.rank(); i-- > 0;)
    if (tensor.sizes[i] > 1 && (*tensor.strides)[i] != 0)
      spans.push_back({(*tensor.strides)[i], tensor.sizes[i]});
  return spans;
}

bool has_overlap(const TensorDesc& tensor, std::uint64_t distinct, std::uint64_t extent) {
  if (distinct > extent) return true;
  return overlap(base::without_repetition(tensor), kOverlapLimit) == Overlap::kSome;
}

}  // namespace

ClassSet layout_classes(const TensorDesc& tensor) {
  if (!tensor.strides) return bit_of(generation::LayoutClass::kPacked);
  ClassSet found = 0;
  bool is_packed = true;
  std::uint64_t packed = 1;
  for (std::size_t i = tensor.rank(); i-- > 0; packed *= tensor.sizes[i]) {
    const std::uint64_t stride = (*tensor.strides)[i];
    if (stride == packed) continue;
    if (tensor.sizes[i] == 1) {
      found |= bit_of(generation::LayoutClass::kAbsurd);
      continue;
    }
    is_packed = false;
    if (stride == 0) found |= bit_of(generation::LayoutClass::kBroadcast);
  }
  if (is_packed) return found == 0 ? bit_of(generation::LayoutClass::kExplicit) : found;

  Spans spans = spans_of(tensor);
  const auto by_stride = [](const Span& a, const Span& b) { return a.stride < b.stride; };
  if (!std::is_sorted(spans.begin(), spans.end(), by_stride)) {
    found |= bit_of(generation::LayoutClass::kPermuted);
    std::sort(spans.begin(), spans.end(), by_stride);
  }
  std::uint64_t reach = 0;
  std::uint64_t distinct = 1;
  bool is_disjoint = true;
  for (const Span& span : spans) {
    is_disjoint = is_disjoint && span.stride > reach;
    reach += (span.size - 1) * span.stride;
    // The product may leave 64 bits only where elements overlap.
    if (distinct <= std::numeric_limits<std::uint32_t>::max()) distinct *= span.size;
  }
  if (!is_disjoint && has_overlap(tensor, distinct, reach + 1))
    found |= bit_of(generation::LayoutClass::kOverlapping);
  else if (distinct < reach + 1)
    found |= bit_of(generation::LayoutClass::kPadded);
  return found;
}

std::size_t size_class(std::uint64_t size) {
  if (size == 0) return 0;
  std::size_t place = 1;
  for (const auto& [least, most] : generation::kSizeClasses) {
    if (size <= most) return place;
    ++place;
  }
  return place;
}

std::size_t reach_class(std::uint64_t size_bytes) {
  if (size_bytes == 0) return 0;
  const auto* const bound =
      std::lower_bound(kMostBytesOfReach.begin(), kMostBytesOfReach.end(), size_bytes);
  return static_cast<std::size_t>(bound - kMostBytesOfReach.begin()) + 1;
}

ClassSet stride_classes(std::int32_t stride, std::uint64_t window_size) {
  if (stride == 0) return bit_of(0U);
  if (window_size < 2) return 0;
  const bool is_negative = stride < 0;
  const unsigned first = is_negative ? 8 : 1;
  const auto magnitude =
      static_cast<std::uint64_t>(is_negative ? -std::int64_t{stride} : std::int64_t{stride});
  const bool is_extreme = stride == std::numeric_limits<std::int32_t>::max() ||
                          stride == std::numeric_limits<std::int32_t>::min();
  const unsigned size = is_extreme       ? 4
                        : magnitude > 8  ? 3
                        : magnitude > 2  ? 2
                        : magnitude == 2 ? 1
                                         : 0;
  ClassSet found = bit_of(first + size);
  if (magnitude == window_size - 1) found |= bit_of(first + 5);
  if (magnitude >= window_size) found |= bit_of(first + 6);
  return found;
}

}  // namespace opconform::coverage
