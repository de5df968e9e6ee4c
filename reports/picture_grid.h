// The elements of a tensor of a picture as grids, one a slice.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/diagnosis/picture.h"
#include "reports/picture_text.h"
#include "reports/text_block.h"

namespace opconform::reports {

/// What a sign says of an element.
enum class Mark : std::uint8_t { kNone, kWrong, kDue };
/// ">text<", "[text]" or the text itself between blanks.
[[nodiscard]] std::string marked(std::string_view text, Mark mark);

/// By their numbers in the part of the tensor that is shown.
using Marks = std::map<std::size_t, Mark>;

class Grid {
 public:
  /// Holds on to all but the paper. `needed` are the elements whose slices are shown; where it is
  /// empty, the first are.
  Grid(const diagnosis::TensorPicture& tensor, const std::set<std::size_t>& needed,
       const Style& style, const Paper& paper);

  /// A grid for each slice that is shown, with a label where there is more than one, and with
  /// coordinates where a part is shown.
  [[nodiscard]] std::vector<Line> lines(std::vector<std::string> values, const Marks& marks) const;

 private:
  struct Slice {
    Dims first;  ///< its first element, counted in the part
    Stretch rows;
  };
  struct Columns;

  void choose_slices(const std::set<std::size_t>& needed);
  [[nodiscard]] std::size_t row_count() const;
  [[nodiscard]] std::size_t number_of(const Dims& element) const;
  [[nodiscard]] Dims element_of(std::size_t number) const;
  [[nodiscard]] Slice slice_of(const Dims& first, const std::set<std::size_t>& needed) const;
  [[nodiscard]] std::string label_of(const Dims& first) const;
  [[nodiscard]] Columns columns_of(const std::vector<std::string>& values,
                                   const Marks& marks) const;
  void choose_columns(Columns& columns) const;
  [[nodiscard]] std::string header_of(std::size_t at, const Columns& columns) const;
  void add_slice(const Slice& slice, const std::vector<std::string>& values, const Marks& marks,
                 const Columns& columns, std::vector<Line>& lines) const;

  const diagnosis::TensorPicture& tensor_;
  const Style& style_;
  const Paper paper_;
  // Dimensions of the part; its rank where there is none.
  std::size_t row_;
  std::size_t column_;
  std::size_t focus_ = 0;  // a column
  bool has_all_rows_ = true;
  std::vector<Slice> slices_;
  std::size_t left_out_ = 0;  // slices
};

}  // namespace opconform::reports
