#include "reports/text_block.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace opconform::reports {
namespace {

constexpr std::size_t kBetween = 3;

/// The bytes of the first character.
std::size_t length_of_first(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<std::uint8_t>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

bool is_empty(const Line& line) { return line.text().find_first_not_of(' ') == std::string::npos; }

/// One row of blocks.
void add_row(std::span<const Block> blocks, std::vector<Line>& lines) {
  std::size_t title = 0;
  std::size_t body = 0;
  for (const Block& block : blocks) {
    title = std::max(title, block.title.size());
    body = std::max(body, block.body.size());
  }
  const std::size_t first_of_row = lines.size();
  for (std::size_t i = 0; i < title + body; ++i) {
    Line line;
    std::size_t begins = 0;
    for (const Block& block : blocks) {
      const std::vector<Line>& part = i < title ? block.title : block.body;
      const std::size_t at = i < title ? i : i - title;
      if (at < part.size() && !is_empty(part[at])) {
        line.pad(begins);
        line.add(part[at]);
      }
      begins += block.width() + kBetween;
    }
    if (i < title && is_empty(line) && lines.size() == first_of_row) continue;
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    // Three bytes begin at U+0800: among them all that is two columns wide, and lines of tables,
    // which are not.
    const bool is_line = text.starts_with("\u2502");
    width += length >= 3 && !is_line ? 2 : 1;
    text.remove_prefix(length);
  }
  return width;
}

std::size_t Block::width() const {
  std::size_t width = 0;
  for (const std::vector<Line>* lines : {&title, &body})
    for (const Line& line : *lines) width = std::max(width, line.width());
  return width;
}

std::vector<Line> arranged(const std::vector<Block>& blocks, std::size_t width) {
  std::vector<Line> lines;
  std::size_t first = 0;  // of the row
  std::size_t taken = 0;  // by the row
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::size_t needed = blocks[i].width();
    if (blocks[i].keeps_next && i + 1 < blocks.size()) {
      const std::size_t both = needed + kBetween + blocks[i + 1].width();
      if (both <= width) needed = both;
    }
    if (i > first && taken + kBetween + needed > width) {
      add_row(std::span(blocks).subspan(first, i - first), lines);
      first = i;
      taken = 0;
    }
    taken += (i > first ? kBetween : 0) + blocks[i].width();
  }
  add_row(std::span(blocks).subspan(first), lines);
  return lines;
}

std::vector<Line> wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::string before(lines.empty() ? 0 : indent, ' ');
    std::size_t end = 0;
    std::size_t taken = before.size();
    std::size_t blank = 0;
    while (end < text.size()) {
      const std::size_t length = length_of_first(text.substr(end));
      taken += display_width(text.substr(end, length));
      if (taken > width) break;
      if (text[end] == ' ') blank = end;
      end += length;
    }
    if (end < text.size() && text[end] != ' ' && blank > 0) end = blank;
    lines.emplace_back(before + std::string(text.substr(0, std::max<std::size_t>(end, 1))));
    text.remove_prefix(std::max<std::size_t>(end, 1));
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return lines;
}

}  // namespace opconform::reports
