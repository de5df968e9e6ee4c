// What operators have in common that cut one tensor along an axis into parts, or make one of parts.
#pragma once

#include <array>
#include <string_view>

#include "harness/generation/operators/common.h"

namespace opconform::generation {

/// How many parts, each class from the fewest to the most.
inline constexpr std::array<std::string_view, 6> kPartCountNames{"1",   "2",   "3",
                                                                 "4-5", "6-8", "9-20"};

enum Partition : std::size_t { kOnes, kEqual, kUneven };
inline constexpr std::array<std::string_view, 3> kPartitionNames{"ones", "equal", "uneven"};

/// The places of the factors' values, each in its list of names.
struct PartFactors {
  std::size_t count;
  std::size_t partition;
  std::size_t size_beside;  ///< in kSizeClassNames: the longest dimension beside the axis
};

struct Parts {
  Dims sizes;  ///< of the whole
  std::vector<std::uint64_t> along_axis;
};

Parts choose_parts(const PartFactors& factors, std::size_t rank, std::size_t axis, SizeTier tier,
                   std::size_t element_size_bytes, Draws& draws);

}  // namespace opconform::generation
