// The outputs of a failed execution, element by element: what stands where something else is due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/judging/evidence.h"

namespace opconform::diagnosis {

// What each wrong element holds; each is seen without trying any reading.
inline constexpr std::string_view kUnwritten = "unwritten";  ///< what stood there before
inline constexpr std::string_view kGapRead = "gap-read";     ///< bytes between an input's elements
inline constexpr std::string_view kMisplaced = "misplaced";  ///< another element of an input
/// The same, where some tensor is not packed: it may be the layout that is misread.
inline constexpr std::string_view kMisplacedByLayout = "misplaced-by-layout";
/// Bits that no input holds, the same wherever the same are due.
inline constexpr std::string_view kAltered = "altered";

class FailedOutputs {
 public:
  /// Holds on to both.
  FailedOutputs(const cases::Case& tested, const judging::Evidence& evidence);

  /// Do the outputs hold the same elements as `outputs`? Where a document leaves an element open,
  /// any value that it permits serves.
  [[nodiscard]] bool are(const std::vector<judging::TensorBytes>& outputs) const {
    return are(outputs, outputs);
  }
  /// The same where elements that differ in the two may be any.
  [[nodiscard]] bool are(const std::vector<judging::TensorBytes>& outputs,
                         const std::vector<judging::TensorBytes>& or_these) const;

  /// Of the elements of such outputs: where are() holds, it is that of what was found. Nothing
  /// where a document leaves an element open.
  [[nodiscard]] std::optional<std::uint64_t> digest(
      const std::vector<judging::TensorBytes>& outputs) const;

  /// Which of the names above are true, those first that say most.
  [[nodiscard]] std::vector<std::string_view> outcomes() const;

 private:
  /// visit(number, offset in bytes, size in bytes) of each element until it says false; false then.
  template <class Visit>
  [[nodiscard]] bool for_each(std::size_t output, Visit&& visit) const;
  /// visit(output, offset in bytes, element due, element found) of each that must be as expected.
  template <class Visit>
  [[nodiscard]] bool for_each_expected(Visit&& visit) const;
  [[nodiscard]] bool alters_alike() const;
  [[nodiscard]] bool is_open_and_permitted(std::size_t output, std::uint64_t number,
                                           const std::byte* found, std::size_t size_bytes) const;

  const cases::TensorList tensors_;
  const judging::Evidence& evidence_;
  const cases::Expectation* expected_;  ///< null where no outputs are
};

}  // namespace opconform::diagnosis
