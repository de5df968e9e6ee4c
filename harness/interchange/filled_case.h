// A case with everything that it leaves to be computed, for those who have neither the reference
// nor the patterns of case files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {

/// Buffers in the order of the fields.
struct FilledCase {
  std::vector<std::vector<std::byte>> inputs;  ///< none where the descriptor is to be rejected
  /// Before an execution: no element of them is right, so one that is never written shows.
  std::vector<std::vector<std::byte>> outputs_before;
  cases::Expectation expected;  ///< never kReference

  [[nodiscard]] bool is_rejected() const {
    return expected.kind == cases::Expectation::Kind::kRejected;
  }
};

/// Throws BadInput where the case cannot be run, CannotSay where nobody decides whether its
/// descriptor is valid.
[[nodiscard]] FilledCase fill(const cases::Case& one);

/// The inputs alone, of a case that is to be executed.
[[nodiscard]] std::vector<std::vector<std::byte>> filled_inputs(const cases::Case& one);

/// The elements of a tensor in row-major order. Throws CannotSay where a broadcast makes so many
/// that no file should hold them.
[[nodiscard]] std::vector<std::byte> packed_elements(const TensorDesc& tensor,
                                                     std::span<const std::byte> buffer);

/// Its elements, where the documents permit a single result. Throws CannotSay where they do not.
[[nodiscard]] Filled filled_elements(const cases::Case& one, const FilledCase& filled);

/// One way in which it may end: as a file that results have, too.
struct DueEnding {
  std::string rejected;  ///< the rules for which the descriptor is rejected; empty where it is not
  std::string failed;    ///< the rule for which the execution fails
  std::vector<std::vector<std::byte>> outputs;  ///< buffers; none where it is rejected or fails
};
[[nodiscard]] DueEnding due_ending(const cases::Case& one, const FilledCase& filled);

}  // namespace opconform::interchange
