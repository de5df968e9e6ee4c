// Stretches of elements that a case file writes as one object: {"run": [element, count]},
// {"ramp": [first, step, count]} and {"bits": "3c00 4000"}. docs/case-format.md says exactly what
// they mean.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "spec/data_type.h"
#include "spec/inline_vector.h"

namespace opconform::cases {

/// Elements that the patterns of one file may give. A file of the largest size holds twice as many
/// that are written out; without the limit one line could ask for all memory.
inline constexpr std::uint64_t kMostPatternElements = std::uint64_t{1} << 22;

/// Of a ramp, which has a step and a count for each.
inline constexpr std::size_t kMostRampDimensions = 8;

inline constexpr std::string_view kRun = "run";
inline constexpr std::string_view kRamp = "ramp";
inline constexpr std::string_view kBits = "bits";

/// Could this be a pattern, rather than an element? Elements of an expectation may be objects too.
bool is_pattern(const base::Json& value);

/// A run, a ramp whose values the type holds, or a text of bits.
struct Pattern {
  /// One number of each element, in two's complement, as is each value; a complex one has two.
  struct Part {
    std::uint64_t first = 0;
    std::array<std::uint64_t, kMostRampDimensions> steps{};
    bool is_bits = false;  ///< the numbers are the bits of the elements
  };
  std::uint64_t count = 0;               ///< of all elements
  const base::Json* repeated = nullptr;  ///< what a run repeats, in the document
  const std::string* bits = nullptr;     ///< the digits of a text of bits, in the document
  InlineVector<std::uint64_t, kMostRampDimensions> counts;  ///< of a ramp, the outermost first
  InlineVector<Part, 2> parts;                              ///< of a ramp
};

/// Throws BadInput for what is no pattern of the type. Allocates nothing, whatever the count.
Pattern read_pattern(const base::Json& value, DataType type, const base::Pointer& at,
                     const std::string& file);

/// Appends the elements of a ramp or of a text of bits.
void append_pattern(const Pattern& pattern, DataType type, std::vector<std::byte>& bytes);

/// Which patterns a list is written with.
enum class Patterns : std::uint8_t {
  kShortest,  ///< all of them
  kPlain,     ///< for people: runs, and ramps of numbers in one dimension
};
/// The elements of a list, row-major, with patterns wherever they are shorter.
base::Json with_patterns(const std::vector<base::Json>& elements, DataType type,
                         Patterns patterns = Patterns::kShortest);

}  // namespace opconform::cases
