// What conforms: the `expect` of a case, or what the reference says where a case leaves it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opconform::cases {

/// One output, element by element in row-major order.
struct ExpectedOutput {
  /// Where more than one value is permitted, or any.
  struct OpenElement {
    std::uint64_t element;  ///< its number
    bool any = false;
    std::vector<std::byte> values;  ///< one after the other, besides the one in `elements`
  };
  bool unspecified = false;                ///< any value in every element; then nothing else is set
  std::vector<std::byte> elements;         ///< one permitted value each (zeros where any is)
  std::vector<OpenElement> open_elements;  ///< in ascending order of `element`
};

struct Expectation {
  enum class Kind : std::uint8_t {
    kReference,  ///< what the reference gives
    kOutputs,    ///< the execution succeeds with `outputs`
    kRejected,   ///< the descriptor is refused for exactly `rules`
    kError,      ///< the execution fails for `rules[0]` and leaves the outputs untouched
    kAnyOf,      ///< one of `any_of`, as a whole
  };
  Kind kind = Kind::kReference;
  std::vector<ExpectedOutput> outputs;  ///< one a tensor, in the order of the fields
  std::vector<std::string> rules;       ///< sorted
  std::vector<Expectation> any_of;
};

}  // namespace opconform::cases
