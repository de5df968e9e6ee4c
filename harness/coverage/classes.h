// What a case really is, read off its strides and bytes: the classes that coverage counts. A
// generator says what it meant; this says what came of it. All answers are sets, one bit a class,
// because a layout can be permuted and padded at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/generation/operators/common.h"
#include "spec/tensor.h"

namespace opconform::harness {

using ClassSet = std::uint32_t;
template <class Class>
constexpr ClassSet bit_of(Class value) {
  return ClassSet{1} << static_cast<unsigned>(value);
}

/// Of the LayoutClass that each bit stands for. Packed and explicit exclude the others.
[[nodiscard]] ClassSet layout_classes(const TensorDesc& tensor);

/// kSizeClassNames between what only ONNX has and what the generators leave out.
inline constexpr std::array<std::string_view, kSizeClassNames.size() + 2> kCoveredSizeNames{
    "0",
    kSizeClassNames[0],
    kSizeClassNames[1],
    kSizeClassNames[2],
    kSizeClassNames[3],
    kSizeClassNames[4],
    "more"};
[[nodiscard]] std::size_t size_class(std::uint64_t size);

/// The bit patterns that a conversion on the way would lose, and the ends of the ranges.
[[nodiscard]] std::span<const std::string_view> bit_pattern_names(DataTypeKind kind);
/// Which of them the elements hold, gaps apart. `layout` is layout_classes(tensor).
[[nodiscard]] ClassSet bit_patterns(const TensorDesc& tensor, ClassSet layout,
                                    std::span<const std::byte> buffer);
/// Would a conversion of values change some of these patterns?
[[nodiscard]] bool are_fragile(DataTypeKind kind, ClassSet patterns);

/// Bits of IndexClass. Index tensors are read whole, so it keeps the memory that this takes.
class IndexClassifier {
 public:
  /// `size` is what the indices count in; two indices are duplicates where they name one element
  /// and differ only in the coordinate `line_dimension`, or anywhere where there is no such
  /// dimension. Where an index is out of range, nothing else is said of the tensor.
  [[nodiscard]] ClassSet classify(const TensorDesc& tensor,
                                  std::optional<std::size_t> line_dimension, std::uint64_t size,
                                  std::span<const std::byte> buffer);

 private:
  template <class Index>
  ClassSet classify_as(const TensorDesc& tensor, std::optional<std::size_t> line_dimension,
                       std::uint64_t size, std::span<const std::byte> buffer);
  std::vector<std::uint64_t> named_;  // a bit for each element of each line
};

/// Of one window stride: sign and magnitude, and how it stands to the window.
inline constexpr std::array<std::string_view, 15> kStrideClassNames{"0",
                                                                    "positive 1",
                                                                    "positive 2",
                                                                    "positive 3-8",
                                                                    "positive 9 or more",
                                                                    "INT_MAX",
                                                                    "positive, window-1",
                                                                    "positive, beyond window",
                                                                    "negative 1",
                                                                    "negative 2",
                                                                    "negative 3-8",
                                                                    "negative 9 or more",
                                                                    "INT_MIN",
                                                                    "negative, window-1",
                                                                    "negative, beyond window"};
/// For windows of more than one element: in others no stride can be seen.
[[nodiscard]] ClassSet stride_classes(std::int32_t stride, std::uint64_t window_size);

}  // namespace opconform::harness
