// What is measured: one operator, by name, with the marks it is held to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/operator.h"

namespace opconform::bench {

/// What the time should be, measured against peers and memory; 0 where nothing is asked.
struct Marks {
  double gain = 0;        ///< time of the best peer / our time, at least
  double over_limit = 0;  ///< our time / time of the limit, at most
};

struct Cell {
  std::string name;
  std::string_view family;
  Operator op;
  Marks marks;
};

[[nodiscard]] inline Version version_of(const Operator& op) {
  return Version::standard(describe(op).dialect);
}

// Cells by family. Each appends its own.
void add_slices(std::vector<Cell>& cells);
void add_splits(std::vector<Cell>& cells);
void add_layouts(std::vector<Cell>& cells);
void add_gathers(std::vector<Cell>& cells);
void add_scatters(std::vector<Cell>& cells);
void add_overheads(std::vector<Cell>& cells);

[[nodiscard]] std::vector<Cell> all_cells();
/// A few small ones of each family, to show that everything works.
[[nodiscard]] std::vector<Cell> short_cells();

// Descriptors, for the lists of cells. The offset and size of a window are 0 and the whole
// dimension where the arguments are left out.

[[nodiscard]] Slice1 slice(DataType type, const Dims& sizes,
                           const std::vector<std::int32_t>& window_strides,
                           const std::vector<std::uint32_t>& window_offsets = {},
                           const std::vector<std::uint32_t>& window_sizes = {});
/// The same elements from one layout to another, as a Slice1 of the whole. Empty strides mean
/// packed.
[[nodiscard]] Slice1 layout_copy(DataType type, const Dims& sizes, const Dims& source_strides,
                                 const Dims& target_strides);
/// Equal parts.
[[nodiscard]] Split split(DataType type, const Dims& sizes, std::uint32_t axis, std::size_t parts);
[[nodiscard]] OnnxGather gather(DataType type, const Dims& sizes, std::int64_t axis,
                                const Dims& index_sizes, DataType index_type = DataType::kInt64);
[[nodiscard]] Scatter scatter(DataType type, const Dims& sizes, std::uint32_t axis,
                              const Dims& index_sizes, DataType index_type = DataType::kInt64);

/// "u8", "f32": short names of types, for names of cells.
[[nodiscard]] std::string_view short_name(DataType type);

}  // namespace opconform::bench
