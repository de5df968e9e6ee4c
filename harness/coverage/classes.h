// What a case really is, read off its strides and bytes: the classes that coverage counts. A
// generator says what it meant; this says what came of it. All answers are sets, one bit a class,
// because a layout can be permuted and padded at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/generation/classes.h"
#include "spec/tensor.h"

namespace opconform::coverage {

using ClassSet = std::uint32_t;
template <class Class>
constexpr ClassSet bit_of(Class value) {
  return ClassSet{1} << static_cast<unsigned>(value);
}

/// Of the LayoutClass that each bit stands for. Packed and explicit exclude the others.
[[nodiscard]] ClassSet layout_classes(const TensorDesc& tensor);

/// kSizeClassNames between what only ONNX has and what the generators leave out.
inline constexpr std::array<std::string_view, generation::kSizeClassNames.size() + 2>
    kCoveredSizeNames{"0",
                      generation::kSizeClassNames[0],
                      generation::kSizeClassNames[1],
                      generation::kSizeClassNames[2],
                      generation::kSizeClassNames[3],
                      generation::kSizeClassNames[4],
                      "more"};
[[nodiscard]] std::size_t size_class(std::uint64_t size);

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

}  // namespace opconform::coverage
