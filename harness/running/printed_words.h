// What a worker prints: which of it belongs to which number, and what it said last.
#pragma once

#include <cstdint>
#include <string>

namespace opconform::running {

/// To be called in the worker, behind what is printed while the number is at hand.
void mark_printed_words(std::uint64_t number);

/// The end of what a worker printed, as its parent hears it.
class PrintedWords {
 public:
  /// Takes what there is, without waiting for more.
  void hear(int file);
  void clear() { text_.clear(); }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Takes what stands before the number's mark; nothing where that did not arrive.
  std::string take(std::uint64_t number);

 private:
  std::string text_;
};

/// The last line, or the one in which a sanitizer sums up its report.
std::string last_line(std::string words);
/// The same, which is cut off with what follows it.
std::string take_last_line(std::string& words);

}  // namespace opconform::running
