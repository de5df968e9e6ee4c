#include "reports/picture_grid.h"

#include <algorithm>
#include <utility>

#include "harness/base/text.h"
#include "harness/diagnosis/window.h"
#include "reports/columns.h"

namespace opconform::reports {
namespace {

constexpr std::size_t kMostSlices = 3;
// Of a part: so that two stand beside each other.
constexpr std::size_t kMostRows = 6;
constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kMostOfOneRow = 12;

/// The last dimension before `end` that has more than one element in the part.
std::size_t last_dimension(const Dims& shown, std::size_t end) {
  for (std::size_t i = end; i-- > 0;)
    if (shown[i] > 1) return i;
  return shown.size();
}

}  // namespace

std::string marked(std::string_view text, Mark mark) {
  const char* const signs = mark == Mark::kWrong ? "><" : mark == Mark::kDue ? "[]" : "  ";
  return signs[0] + std::string(text) + signs[1];
}

/// Which columns of the part have room, and how wide each is.
struct Grid::Columns {
  Stretch stretch{};
  std::vector<std::size_t> widths{};  // of all
  bool has_marks = false;
  bool has_header = false;
  std::size_t label_width = 0;  // of the coordinates in front of rows
};

Grid::Grid(const diagnosis::TensorPicture& tensor, const std::set<std::size_t>& needed,
           const Style& style, const Paper& paper)
    : tensor_(tensor), style_(style), paper_(paper) {
  const std::size_t rank = tensor.shown.size();
  column_ = last_dimension(tensor.shown, rank);
  row_ = column_ < rank ? last_dimension(tensor.shown, column_) : rank;
  choose_slices(needed);
}

void Grid::choose_slices(const std::set<std::size_t>& needed) {
  std::set<std::size_t> wanted;
  std::set<std::size_t> all;
  const std::size_t count = element_count(tensor_.shown).value_or(0);
  for (std::size_t number = 0; number < count; ++number) {
    Dims slice = element_of(number);
    if (row_ < slice.size()) slice[row_] = 0;
    if (column_ < slice.size()) slice[column_] = 0;
    all.insert(number_of(slice));
    if (needed.contains(number)) wanted.insert(number_of(slice));
  }
  for (const std::size_t first : wanted.empty() ? all : wanted)
    if (slices_.size() < kMostSlices) slices_.push_back(slice_of(element_of(first), needed));
  left_out_ = all.size() - slices_.size();
  has_all_rows_ = row_ == tensor_.shown.size() || tensor_.shown[row_] == tensor_.sizes[row_];
  for (const Slice& slice : slices_)
    has_all_rows_ = has_all_rows_ && slice.rows.end - slice.rows.first == row_count();
  if (!needed.empty() && column_ < tensor_.shown.size())
    focus_ = element_of(*needed.begin())[column_];
}

std::size_t Grid::row_count() const {
  return row_ < tensor_.shown.size() ? tensor_.shown[row_] : 1;
}

/// With as many rows as have room around the first that is needed.
Grid::Slice Grid::slice_of(const Dims& first, const std::set<std::size_t>& needed) const {
  const std::size_t rows = row_count();
  std::size_t focus = 0;
  for (const std::size_t number : needed) {
    Dims element = element_of(number);
    if (column_ < element.size()) element[column_] = 0;
    const std::size_t row = row_ < element.size() ? std::exchange(element[row_], 0) : 0;
    if (element != first) continue;
    focus = row;
    break;
  }
  std::size_t left = kMostRows;
  return {first, stretch_around(focus, rows, [&](std::size_t) { return left > 0 && left-- > 0; })};
}

std::size_t Grid::number_of(const Dims& element) const {
  return diagnosis::Window{Dims(element.size()), tensor_.shown}.number_of(element);
}
Dims Grid::element_of(std::size_t number) const {
  return diagnosis::coordinates_of(number, tensor_.shown);
}

/// "[0,*,*]"; nothing where the tensor is no more than rows and columns.
std::string Grid::label_of(const Dims& first) const {
  std::string text;
  bool has_others = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool is_axis = i == row_ || i == column_;
    has_others = has_others || (!is_axis && tensor_.sizes[i] > 1);
    text += (text.empty() ? "" : ",") +
            (is_axis ? std::string("*") : std::to_string(tensor_.from[i] + first[i]));
  }
  return has_others ? "[" + text + "]" : "";
}

Grid::Columns Grid::columns_of(const std::vector<std::string>& values, const Marks& marks) const {
  const std::size_t rank = tensor_.shown.size();
  Columns columns;
  columns.has_marks = !marks.empty();
  columns.has_header = column_ < rank && tensor_.shown[column_] != tensor_.sizes[column_];
  if (!has_all_rows_)
    columns.label_width = std::to_string(tensor_.from[row_] + tensor_.shown[row_]).size() + 1;
  columns.widths.assign(column_ < rank ? tensor_.shown[column_] : 1, 0);
  for (std::size_t number = 0; number < values.size(); ++number) {
    std::size_t& width = columns.widths[column_ < rank ? element_of(number)[column_] : 0];
    width = std::max(width, display_width(values[number]) + (columns.has_marks ? 2 : 1));
  }
  choose_columns(columns);
  if (columns.has_header || columns.stretch.end - columns.stretch.first == columns.widths.size())
    return columns;
  columns.has_header = true;
  choose_columns(columns);
  return columns;
}

/// As many columns as have room, at least one.
void Grid::choose_columns(Columns& columns) const {
  if (columns.has_header)
    for (std::size_t at = 0; at < columns.widths.size(); ++at)
      columns.widths[at] = std::max(columns.widths[at], header_of(at, columns).size() + 1);
  // Two for the indentation, two for the bars, one more without marks.
  const std::size_t room = paper_.width - columns.label_width - 5;
  std::size_t taken = 0;
  std::size_t left = !columns.has_header ? columns.widths.size()
                     : row_count() > 1   ? kMostColumns
                                         : kMostOfOneRow;
  columns.stretch = stretch_around(focus_, columns.widths.size(), [&](std::size_t at) {
    taken += columns.widths[at];
    return taken <= room && left > 0 && left-- > 0;
  });
  columns.stretch.end = std::max(columns.stretch.end, columns.stretch.first + 1);
}

std::string Grid::header_of(std::size_t at, const Columns& columns) const {
  return std::to_string(tensor_.from[column_] + at) + (columns.has_marks ? " " : "");
}

void Grid::add_slice(const Slice& slice, const std::vector<std::string>& values, const Marks& marks,
                     const Columns& columns, std::vector<Line>& lines) const {
  const std::string bar = paper_.has_lines ? "\u2502" : "|";
  for (std::size_t row = slice.rows.first; row < slice.rows.end; ++row) {
    Line line;
    if (columns.label_width > 0) {
      const std::string label =
          right(std::to_string(tensor_.from[row_] + row), columns.label_width - 1) + " ";
      line.add(style_.dim(label), label.size());
    }
    line.add(bar);
    for (std::size_t at = columns.stretch.first; at < columns.stretch.end; ++at) {
      Dims element = slice.first;
      if (row_ < element.size()) element[row_] = row;
      if (column_ < element.size()) element[column_] = at;
      const std::size_t number = number_of(element);
      const auto found = marks.find(number);
      const Mark mark = found == marks.end() ? Mark::kNone : found->second;
      const std::string text =
          columns.has_marks ? marked(values[number], mark) : " " + values[number];
      line.add(std::string(columns.widths[at] - display_width(text), ' '));
      line.add(mark == Mark::kWrong ? style_.bad(text)
               : mark == Mark::kDue ? style_.good(text)
                                    : text,
               display_width(text));
    }
    line.add(columns.has_marks ? bar : " " + bar);
    lines.push_back(std::move(line));
  }
}

std::vector<Line> Grid::lines(std::vector<std::string> values, const Marks& marks) const {
  std::vector<Line> lines;
  if (values.empty()) return lines;
  // Of values with as many columns as the paper, only what has room.
  for (std::string& value : values)
    if (display_width(value) > paper_.width / 2) value = base::cut(value, paper_.width / 4);
  const Columns columns = columns_of(values, marks);
  for (const Slice& slice : slices_) {
    const std::string label = label_of(slice.first);
    for (Line& line : wrapped(label, paper_.width - 2, 1)) lines.push_back(std::move(line));
    if (columns.has_header) {
      std::string header(columns.label_width + 1, ' ');
      for (std::size_t at = columns.stretch.first; at < columns.stretch.end; ++at)
        header += right(header_of(at, columns), columns.widths[at]);
      Line line;
      line.add(style_.dim(header), header.size());
      lines.push_back(std::move(line));
    }
    add_slice(slice, values, marks, columns, lines);
  }
  if (left_out_ > 0)
    lines.emplace_back("and " + std::to_string(left_out_) + " more " +
                       (left_out_ == 1 ? "slice" : "slices"));
  return lines;
}

}  // namespace opconform::reports
