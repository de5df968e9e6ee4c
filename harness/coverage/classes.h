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

/// Bytes from the first element of a tensor to the end of its last: a vector, a page, the tiers of
/// the generators, and what 32 bits can count.
inline constexpr std::array<std::uint64_t, 7> kMostBytesOfReach{32,
                                                                generation::kMostBytesOfTier[0],
                                                                generation::kMostBytesOfTier[1],
                                                                generation::kMostBytesOfTier[2],
                                                                generation::kMostBytesOfTier[3],
                                                                generation::kMostBytesOfTier[4],
                                                                std::uint64_t{1} << 32};
inline constexpr std::array<std::string_view, kMostBytesOfReach.size() + 2> kReachNames{
    "0",         "to 32 B",    "to 4 KiB", "to 32 KiB", "to 1 MiB",
    "to 32 MiB", "to 128 MiB", "to 4 GiB", "more"};
[[nodiscard]] std::size_t reach_class(std::uint64_t size_bytes);

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
