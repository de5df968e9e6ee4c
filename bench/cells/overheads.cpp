#include "bench/cell.h"

namespace opconform::bench {

/// So little to move that the call itself is what takes the time.
void add_overheads(std::vector<Cell>& cells) {
  using enum DataType;
  constexpr std::string_view kOverhead = "overhead of one call";
  cells.push_back({"copy/16 B", kOverhead, layout_copy(kFloat32, {4}, {}, {}), {}});
  cells.push_back({"copy/4 KiB", kOverhead, layout_copy(kFloat32, {1024}, {}, {}), {}});
  cells.push_back({"copy/16 KiB", kOverhead, layout_copy(kFloat32, {4096}, {}, {}), {}});
  cells.push_back({"crop/16 B", kOverhead, slice(kFloat32, {2, 4}, {1, 2}), {}});
  cells.push_back({"transpose/4 KiB", kOverhead, layout_copy(kFloat32, {32, 32}, {}, {1, 32}), {}});
  cells.push_back({"split 2/16 B", kOverhead, split(kFloat32, {2, 2}, 1, 2), {}});
  cells.push_back({"gather/16 B", kOverhead, gather(kFloat32, {16}, 0, {4}), {}});
  cells.push_back({"gather/4 KiB", kOverhead, gather(kFloat32, {64, 16}, 0, {64}), {}});
  cells.push_back({"scatter/16 B", kOverhead, scatter(kFloat32, {4}, 0, {2}), {}});
  cells.push_back({"scatter/4 KiB", kOverhead, scatter(kFloat32, {32, 32}, 1, {32, 8}), {}});
}

}  // namespace opconform::bench
