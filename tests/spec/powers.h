#pragma once

#include <cstdint>

namespace opconform {

inline constexpr std::uint64_t kTwoTo31 = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kTwoTo32 = std::uint64_t{1} << 32;

}  // namespace opconform
