// Cases that walk powers of two from both sides: one less, the power, one more, and an odd number
// between it and the next, of elements, bytes, rows, indices, parts, offsets and steps. Up to 2^15
// they are for every run, up to 2^20 `large`, and up to 2^32 `huge`: such a case executes little,
// and what is far off is memory that is reserved and not touched.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/strength/large_cases.h"

namespace opconform::strength {

/// The most elements that a case of such a number copies; above, it looks at few of so many.
inline constexpr std::uint64_t kMostWalkedOver = (std::uint64_t{1} << 18) + (1U << 17);
/// The most rows and indices, each of which takes longer than an element of a row.
inline constexpr std::uint64_t kMostRows = (std::uint64_t{1} << 17) + (1U << 16);
inline constexpr std::uint64_t kMostLarge = (std::uint64_t{1} << 20) + (1U << 19);
inline constexpr std::uint64_t kNoMost = ~std::uint64_t{0};

/// One quantity of one operator.
struct BoundaryWalk {
  std::string_view quantity;                         ///< as coverage::Boundaries names it
  std::string_view rules;                            ///< each but the first after a space
  std::string_view says;                             ///< {n} is the number
  Operator (*make)(std::uint64_t n, DataType type);  ///< valid for what the walk takes
  bool is_of_bytes = false;                          ///< of elements of a byte each
  int least_exponent = 5;
  std::uint64_t most = kNoMost;
  std::uint64_t (*first_index)(std::uint64_t n) = nullptr;  ///< from there on indices count
  /// Of small ones, too, no pattern writes down what conforms: they are `large`.
  bool is_unwritable = false;
};

/// The generated files of all operators. They depend on nothing: each call makes the same.
[[nodiscard]] std::vector<LargeFile> boundary_files();

/// Two rows of `width` bytes that end `bytes` behind the first's begin.
[[nodiscard]] TensorDesc two_rows_apart(std::uint64_t bytes, std::uint64_t width);

#define OPCONFORM_OPERATOR(file, Type, prefix) \
  std::vector<BoundaryWalk> boundary_walks(std::type_identity<Type> op);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::strength
