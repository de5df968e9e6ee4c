// One case: an operator with its fields, the contents of its inputs, and what conforms.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/cases/element.h"
#include "harness/cases/expectation.h"
#include "spec/operator.h"

namespace opconform::cases {

/// What an input holds, as the case says it.
struct Contents {
  enum class Kind : std::uint8_t {
    kNone,      ///< left out: enough for a descriptor that must be rejected
    kLogical,   ///< `bytes` are the elements in row-major order
    kPhysical,  ///< `bytes` are the start of the buffer
    // The patterns count places in the buffer, so that repeated elements agree by themselves. In
    // packed tensors that is the row-major number. Indices stay below the size that they count in.
    kIota,    ///< the element at offset i holds seed + i, as far as the type counts exactly
    kRandom,  ///< the element at offset i holds bits made of seed and i alone
  };
  Kind kind = Kind::kNone;
  std::vector<std::byte> bytes{};
  std::uint64_t seed = 0;
  /// Of a pattern, in elements: the element at offset i is that at i % period. 0: it never repeats.
  std::uint64_t period = 0;
  /// Of a pattern: the offsets at which the elements of `bytes` stand instead, in ascending order.
  std::vector<std::uint64_t> except{};
};

/// The labels that a file may give its cases: what takes too much time or memory for every run. Who
/// runs a folder leaves such cases out unless he asks for their label.
inline constexpr std::array<std::string_view, 2> kCaseLabels{"large", "huge"};
[[nodiscard]] constexpr bool is_case_label(std::string_view label) {
  return std::find(kCaseLabels.begin(), kCaseLabels.end(), label) != kCaseLabels.end();
}

struct Case {
  std::string id;
  std::string says;
  /// Of a generated case: which value of each factor it stands for, in the order of the factors.
  std::vector<std::pair<std::string, std::string>> factors;
  std::vector<std::string> rules;
  std::vector<std::string> errata;
  std::string twin;
  std::string label;  ///< its file's: one of kCaseLabels, or empty
  std::string document;
  std::string section;
  std::string file;           ///< where the case stands, for messages and repro lines
  std::string place;          ///< JSON pointer of the case in that file
  std::size_t line = 1;       ///< its line there, as far as is known
  std::string operator_name;  ///< as written: the name or an alias

  Operator op;
  Version version = FeatureLevel::k6_4;
  std::vector<Contents> inputs;  ///< one an input tensor, in the order of the fields
  Expectation expect;
  std::shared_ptr<StringPool>
      strings;  ///< what string elements of inputs and expectation point into

  /// Is it an example of a document, rather than a case that somebody made of its rules?
  [[nodiscard]] bool is_documented() const { return !document.empty(); }
};

// A vector of 10,000 that grows would copy 2.7 KB of each otherwise.
static_assert(std::is_nothrow_move_constructible_v<Case>);

/// The tensors of an operator by what is done with them, in the order of the fields. Refers into
/// the operator.
struct TensorList {
  explicit TensorList(const Operator& op);
  std::vector<NamedTensor> inputs;
  std::vector<NamedTensor> outputs;
};

}  // namespace opconform::cases
