// Blocks of lines beside each other, for a terminal of some width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opconform::reports {

/// Columns that a terminal needs for the text; at least as many as it does.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// A line that may hold colours, which take no room.
class Line {
 public:
  Line() = default;
  explicit Line(std::string_view plain) { add(plain); }
  void add(std::string_view plain) { add(plain, display_width(plain)); }
  void add(std::string_view painted, std::size_t width) {
    text_ += painted;
    width_ += width;
  }
  void add(const Line& other) { add(other.text_, other.width_); }
  /// Adds blanks until it is that wide.
  void pad(std::size_t width) { add(std::string(width - std::min(width, width_), ' ')); }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  std::string text_;
  std::size_t width_ = 0;
};

/// What stands above a grid, and the grid.
struct Block {
  std::vector<Line> title;
  std::vector<Line> body;
  bool keeps_next = false;  ///< the next block stands beside it if both can have a row
  [[nodiscard]] std::size_t width() const;
};

/// The blocks beside each other where there is room, else below each other. Bodies that are beside
/// each other begin on the same line.
[[nodiscard]] std::vector<Line> arranged(const std::vector<Block>& blocks, std::size_t width);

/// The part of a row of things that is shown.
struct Stretch {
  std::size_t first;
  std::size_t end;
};
/// As many as have room around the one at `focus`: `take(i)` says whether one more has.
template <class Take>
[[nodiscard]] Stretch stretch_around(std::size_t focus, std::size_t count, Take&& take) {
  Stretch stretch{focus, focus};
  while (true) {
    const bool has_more = stretch.end < count && take(stretch.end);
    if (has_more) ++stretch.end;
    const bool has_less = stretch.first > 0 && take(stretch.first - 1);
    if (has_less) --stretch.first;
    if (!has_more && !has_less) return stretch;
  }
}

/// Breaks the text between words; further lines begin with `indent` blanks. What is longer than a
/// line is broken anywhere.
[[nodiscard]] std::vector<Line> wrapped(std::string_view text, std::size_t width,
                                        std::size_t indent);

}  // namespace opconform::reports
