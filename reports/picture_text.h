// The picture of a failure on a terminal or in a pipe.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "harness/diagnosis/picture.h"
#include "reports/terminal.h"

namespace opconform::reports {

/// What a picture is drawn on.
struct Paper {
  std::size_t width = 100;  ///< in columns; at least 40
  bool has_lines = false;   ///< can show characters that are lines
};
/// As wide as COLUMNS says, else the terminal. Lines are drawn on terminals of a UTF-8 locale: what
/// reads a pipe or a file is not known, and the same bytes everywhere can be compared.
[[nodiscard]] Paper paper_of(std::FILE* stream, const Style& style);

/// Grids of what went in, what is due and what was found, beside each other where they have room;
/// a line for each of the first wrong elements; memory. Signs mark what is wrong, colours only
/// repeat them. Each line begins with two blanks and is at most as long as the paper is wide.
[[nodiscard]] std::string picture_text(const diagnosis::Picture& picture, const Style& style,
                                       const Paper& paper);

}  // namespace opconform::reports
