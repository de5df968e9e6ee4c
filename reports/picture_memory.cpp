#include "reports/picture_memory.h"

#include <algorithm>

#include "reports/picture_grid.h"

namespace opconform::reports {
namespace {

using diagnosis::MemoryStrip;
using diagnosis::TensorPicture;

constexpr std::string_view kElement = "element";

/// Coordinates of a cell's element in dimensions of more than one: "01", or "0,10" where one has
/// more than a digit.
std::string element_name(std::string_view cell, const Dims& sizes) {
  const bool has_digits =
      std::all_of(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size <= 10; });
  std::string name;
  std::size_t at = std::min(cell.size(), kElement.size() + 1);
  for (const std::uint64_t size : sizes) {
    const std::size_t end = std::min(cell.find(',', at), cell.size());
    if (size > 1) {
      if (!name.empty() && !has_digits) name += ',';
      name += cell.substr(at, end - at);
    }
    at = std::min(end + 1, cell.size());
  }
  return name.empty() ? "0" : name;
}

struct Cell {
  std::string text;
  Mark mark;
};

}  // namespace

Line memory_line(const TensorPicture& tensor, std::size_t origin, std::size_t due,
                 const Style& style, std::size_t width, CellKinds& kinds) {
  const MemoryStrip& strip = *tensor.memory;
  std::vector<Cell> cells;
  std::size_t focus = 0;
  bool has_focus = false;
  for (std::size_t i = 0; i < strip.cells.size(); ++i) {
    const std::string& cell = strip.cells[i];
    const bool is_wrong = std::binary_search(strip.wrong.begin(), strip.wrong.end(), i);
    const Mark mark = is_wrong || i == origin ? Mark::kWrong : i == due ? Mark::kDue : Mark::kNone;
    if (mark != Mark::kNone && !has_focus) {
      focus = i;
      has_focus = true;
    }
    cells.push_back({cell == MemoryStrip::kGuard ? "#"
                     : cell == MemoryStrip::kGap ? "."
                                                 : element_name(cell, tensor.sizes),
                     mark});
  }
  // As many as fit around the first mark; two dots stand for others.
  std::size_t taken = 4;
  const Stretch stretch = stretch_around(focus, cells.size(), [&](std::size_t i) {
    taken += display_width(cells[i].text) + 2;
    return taken <= width;
  });
  Line line;
  if (stretch.first > 0) line.add("..");
  for (std::size_t i = stretch.first; i < stretch.end; ++i) {
    const Cell& cell = cells[i];
    const std::string text = marked(cell.text, cell.mark);
    line.add(cell.mark == Mark::kWrong ? style.bad(text)
             : cell.mark == Mark::kDue ? style.good(text)
                                       : text,
             display_width(text));
    const std::string& name = strip.cells[i];
    kinds.has_guards = kinds.has_guards || name == MemoryStrip::kGuard;
    kinds.has_gaps = kinds.has_gaps || name == MemoryStrip::kGap;
    if (kinds.element.empty() && name.starts_with(kElement))
      kinds.element =
          cell.text + " element [" + name.substr(std::min(name.size(), kElement.size() + 1)) + "]";
  }
  if (stretch.end < cells.size()) line.add("..");
  return line;
}

}  // namespace opconform::reports
