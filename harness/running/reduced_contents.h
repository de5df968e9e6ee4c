// What the inputs of a case hold while it is reduced: bytes where they are few, else patterns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/cases/case.h"

namespace opconform::running {

/// Inputs of more than this become patterns, which cost less and can be read.
inline constexpr std::size_t kMostWrittenBytes = std::size_t{1} << 12;

/// What large inputs become that are no patterns yet, the best first.
enum class LargeInputs : std::uint8_t {
  kPatterns,
  kWithBadIndices,  ///< patterns, but some of the indices that no pattern has: those out of range
  kWithIndices,     ///< patterns, but the case's indices
  kAsTheyAre,
};
inline constexpr std::array kAllLargeInputs{LargeInputs::kPatterns, LargeInputs::kWithBadIndices,
                                            LargeInputs::kWithIndices, LargeInputs::kAsTheyAre};

/// The valid case with inputs of that kind, and the reference as judge; nothing where an earlier
/// kind says the same, or the values that stay are too many to be copied at each step.
[[nodiscard]] std::optional<cases::Case> with_inputs(LargeInputs kind, const cases::Case& failing);
/// The case with the descriptor alone, which breaks a rule.
[[nodiscard]] cases::Case without_inputs(const cases::Case& failing);
/// Have the large inputs more values than could stay?
[[nodiscard]] bool has_too_many_values(const cases::Case& one);

[[nodiscard]] bool is_pattern(const cases::Contents& contents);
/// An input's contents as the bytes of its buffer, no further than its layout reaches.
[[nodiscard]] cases::Contents physical_contents(const cases::Case& one, std::size_t input);
/// A tensor's contents for a descriptor that holds the leading part of it: the same coordinates, or
/// those with 0 in the dimension that was removed.
[[nodiscard]] cases::Contents leading_part(const TensorDesc& old, const cases::Contents& contents,
                                           const TensorDesc& tensor, std::size_t removed);
/// Keeps the leading bytes of each element.
void narrow(std::size_t old_size_bytes, std::size_t size_bytes, cases::Contents& contents);
/// Do the inputs of a valid case become much memory that those of the other are not, because they
/// are sparse or broadcast?
[[nodiscard]] bool takes_more_memory(const cases::Case& one, const cases::Case& other);
/// For this process alone.
[[nodiscard]] std::uint64_t hash_of(const cases::Contents& contents);

}  // namespace opconform::running
