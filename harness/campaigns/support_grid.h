// The support tables cell by cell: every version, data type, index type and rank of every operator.
// What a table lists must run as the reference does; what it does not list must be rejected for
// exactly that reason.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/generation/generator.h"
#include "harness/running/options.h"

namespace opconform::campaigns {

inline constexpr std::size_t kMostGridRank = 9;  ///< one more than any table lists

enum class CellClass : std::uint8_t {
  kInside,     ///< listed: must run
  kNeighbour,  ///< not listed, and one step from a cell that is: the next version or rank, or any
               ///< other type
  kFarther,    ///< not listed
  kUnbounded,  ///< not listed, yet valid: ONNX names no largest rank
};

struct GridCell {
  std::size_t operator_index;
  Version version;
  PlainShape shape;
  CellClass cell_class;
  /// That must reject it, sorted; empty inside.
  std::vector<std::string_view> rules;
};
/// "OPERATOR at 3_0: FLOAT32, indices INT32, rank 4"
[[nodiscard]] std::string text(const GridCell& cell);

/// Every cell of the operator with that place in all_operators(): the 15 feature levels or the
/// opsets with a row, all types of the dialect, for indices as well, and ranks 0 to
/// kMostGridRank, of indices too where they have a rank of their own.
[[nodiscard]] std::vector<GridCell> grid_cells(std::size_t operator_index);

/// Cells by what came of them. Those of the first five are right.
struct GridCount {
  std::size_t inside = 0;
  std::size_t neighbours = 0;
  std::size_t farther = 0;
  std::size_t unbounded = 0;
  std::size_t unsupported = 0;  ///< the backend says that it does not offer this
  std::size_t wrong = 0;

  [[nodiscard]] std::size_t cells() const {
    return inside + neighbours + farther + unbounded + unsupported + wrong;
  }
  GridCount& operator+=(const GridCount& other);
  friend bool operator==(const GridCount&, const GridCount&) = default;
};

struct GridRow {
  std::size_t operator_index;
  Version version;
  GridCount count;
};
struct WrongCell {
  GridCell cell;
  std::string message;  ///< what was due, and what was found
};
struct GridResult {
  std::vector<GridRow> rows;  ///< by operator and version, each once
  std::vector<WrongCell> wrong;
};

struct GridOptions {
  std::uint64_t seed = 1;
  std::optional<Version> at_most{};  ///< DirectML cells of higher feature levels are left out
  running::RunOptions run{};         ///< jobs; timeout: of one cell
};

/// Runs the grid of one operator on the backend, in worker processes. Every cell inside is one
/// generated case, made from the seed and the cell's number; whole memory is compared with what the
/// reference does. A cell that ends its process is wrong. Must be called while this process has one
/// thread. Soon after `stop` becomes true it comes back with what it has.
[[nodiscard]] GridResult run_grid(std::size_t operator_index, backends::Backend& backend,
                                  const GridOptions& options, const std::atomic<bool>& stop);

}  // namespace opconform::campaigns
