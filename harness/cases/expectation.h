// What conforms: the `expect` of a case, or what the reference says where a case leaves it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opconform::cases {

/// What may stand in place of an expected value, because the implementation promises no more.
struct Leeway {
  bool any_nan = false;       ///< any NaN for a NaN
  bool quiet_nan = false;     ///< for a signalling NaN, the same made quiet
  bool either_zero = false;   ///< a zero of the other sign
  bool one_for_true = false;  ///< 1 for a bool byte other than 0
  friend bool operator==(const Leeway&, const Leeway&) = default;
};

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
  Leeway leeway{};                         ///< of every permitted value
};

struct Expectation {
  enum class Kind : std::uint8_t {
    kReference,  ///< what the reference gives
    kOutputs,    ///< the execution succeeds with `outputs`
    kRejected,   ///< the descriptor is rejected for exactly `rules`
    kError,      ///< the execution fails for `rules[0]` and leaves the outputs untouched
    kAnyOf,      ///< one of `any_of`, as a whole
  };
  Kind kind = Kind::kReference;
  std::vector<ExpectedOutput> outputs;  ///< one a tensor, in the order of the fields
  std::vector<std::string> rules;       ///< sorted
  bool outputs_are_open = false;        ///< of an error: outputs may hold anything after it
  bool is_promised = false;             ///< by the implementation, instead of a document
  std::vector<Expectation> any_of;
};

}  // namespace opconform::cases
