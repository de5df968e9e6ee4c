// Stretches of elements that a case file writes as one object: {"run": [element, count]} and
// {"ramp": [first, step, count]}. docs/case-format.md says exactly what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/json_document.h"
#include "spec/data_type.h"
#include "spec/inline_vector.h"

namespace opconform::cases {

/// Elements that the patterns of one file may give. A file of the largest size holds twice as many
/// that are written out; without the limit one line could ask for all memory.
inline constexpr std::uint64_t kMostPatternElements = std::uint64_t{1} << 22;

/// Could this be a pattern, rather than an element? Elements of an expectation may be objects too.
bool is_pattern(const base::Json& value);

/// A run, or a ramp whose values the type holds.
struct Pattern {
  /// One number of each element, in two's complement, as is each value; a complex one has two.
  struct Part {
    std::uint64_t first;
    std::uint64_t step;
  };
  std::uint64_t count = 0;
  const base::Json* repeated = nullptr;  ///< what a run repeats, in the document; null for a ramp
  InlineVector<Part, 2> parts;           ///< of a ramp
};

/// Throws BadInput for what is no pattern of the type. Allocates nothing, whatever the count.
Pattern read_pattern(const base::Json& value, DataType type, const base::Pointer& at,
                     const std::string& file);

/// Appends the elements of a ramp.
void append_ramp(const Pattern& ramp, DataType type, std::vector<std::byte>& bytes);

/// The elements of a list, row-major, with patterns wherever they are shorter.
base::Json with_patterns(const std::vector<base::Json>& elements, DataType type);

}  // namespace opconform::cases
