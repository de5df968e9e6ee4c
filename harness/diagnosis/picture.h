// A failure as a picture: what the tensors hold, what was due, what was found, and where it came
// from. Data for those who draw: a page, a terminal. Every text in it is fit to be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "harness/cases/case.h"
#include "harness/judging/verdict.h"

namespace opconform::diagnosis {

inline constexpr std::string_view kAnyElement = "any";  ///< expected: whatever stands there
inline constexpr std::string_view kUntouchedElement = "untouched";  ///< expected: what stood there
inline constexpr std::string_view kNeverWritten = "unwritten";      ///< found: what stood there

/// An element of a tensor of the picture.
struct Place {
  std::string tensor;
  Dims element;
  [[nodiscard]] std::string text() const;  ///< "InputTensor[0,1]"
  friend bool operator==(const Place&, const Place&) = default;
};

/// An element that is wrong: where the value came from that stands there, and where the one is that
/// is due.
struct WrongElement {
  std::size_t at;  ///< its number in the part that is shown
  std::optional<Place> origin;
  std::uint64_t other_origins = 0;  ///< further elements that hold the value; it may come from any
  /// Where it came from if that is no element that holds it, to be put behind the value: " came
  /// from a gap of InputTensor, element 7 of its buffer".
  std::string origin_text;
  std::optional<Place> due;
  // By which index they come from there, where one says it.
  std::optional<Place> origin_index;
  std::optional<Place> due_index;
  friend bool operator==(const WrongElement&, const WrongElement&) = default;
};

/// A tensor's buffer and what lies around it, or a part of that.
struct MemoryStrip {
  static constexpr std::string_view kGuard = "guard";  ///< outside of the buffer
  static constexpr std::string_view kGap = "gap";      ///< between elements

  std::int64_t first = 0;  ///< the first cell, counted from the start of the buffer
  std::size_t bytes_per_cell = 0;
  std::vector<std::string> cells;  ///< kGuard, kGap or "element 0,1", the first that is there
  std::vector<std::size_t> wrong;  ///< numbers in `cells`
  friend bool operator==(const MemoryStrip&, const MemoryStrip&) = default;
};

struct TensorPicture {
  enum class Role : std::uint8_t { kInput, kIndices, kOutput };

  std::string name;
  Role role = Role::kInput;
  std::string data_type;
  Dims sizes;
  Dims strides;  ///< in force, in elements
  bool is_packed = true;
  // The part that is shown: its first element and its sizes.
  Dims from;
  Dims shown;
  // Of that part, in row-major order; empty where they are not known.
  std::vector<std::string> elements;  ///< of an output: what was found
  std::vector<std::string> expected;  ///< of an output alone
  std::vector<WrongElement> wrong;    ///< of the part
  std::uint64_t wrong_count = 0;      ///< of the whole tensor
  std::optional<MemoryStrip> memory;
  friend bool operator==(const TensorPicture&, const TensorPicture&) = default;
};

struct Picture {
  std::vector<TensorPicture> tensors;  ///< inputs, then outputs, in the order of the fields
  std::vector<std::string> notes;      ///< what the tensors do not show, a sentence each
  friend bool operator==(const Picture&, const Picture&) = default;
};

/// Of a failure. Where the result has no evidence and no picture of it, that of the case alone;
/// where a descriptor was rejected or had to be, of the descriptor.
[[nodiscard]] Picture picture_of(const cases::Case& tested, const judging::CaseResult& result);
/// What goes in, and what is due. Large cases without elements; those that must be rejected as
/// well, and the notes say which fields break which rules.
[[nodiscard]] Picture picture_of(const cases::Case& tested);

/// "picture" of reports/results.schema.json.
[[nodiscard]] base::Json picture_to_json(const Picture& picture);

}  // namespace opconform::diagnosis
