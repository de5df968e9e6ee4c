// A tensor's memory as a line of text.
#pragma once

#include <set>
#include <string>

#include "harness/diagnosis/picture.h"
#include "reports/picture_text.h"
#include "reports/text_block.h"

namespace opconform::reports {

/// What kinds of cells were drawn, for a legend.
struct CellKinds {
  bool has_guards = false;
  bool has_gaps = false;
  std::string element{};  ///< the first that was drawn, and what it means: "01 element [0, 1]"
};

/// "# # >00< 01 . . [10] 11 . . # #": as many cells as have room around what is wrong. `origin` and
/// `due` are cells to be marked; the number of cells where there is none.
[[nodiscard]] Line memory_line(const diagnosis::TensorPicture& tensor, std::size_t origin,
                               std::size_t due, const Style& style, std::size_t width,
                               CellKinds& kinds);

}  // namespace opconform::reports
