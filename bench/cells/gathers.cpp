#include "bench/cell.h"

namespace opconform::bench {

void add_gathers(std::vector<Cell>& cells) {
  using enum DataType;
  constexpr std::string_view kRows = "Gather of rows";
  constexpr std::string_view kLast = "Gather along the last axis";
  constexpr std::string_view kElements = "Gather of single elements";

  cells.push_back(
      {"rows/f16/8 KiB", kRows, gather(kFloat16, {32000, 4096}, 0, {2048}), {1.2, 1.8}});
  cells.push_back({"rows/f32/256 B", kRows, gather(kFloat32, {32000, 64}, 0, {2048}), {1, 1.8}});
  cells.push_back({"rows/f32/64 B", kRows, gather(kFloat32, {32000, 16}, 0, {8192}), {1, 1.8}});
  cells.push_back({"rows/f32/128 B/int32",
                   kRows,
                   gather(kFloat32, {32000, 32}, 0, {64, 64}, kInt32),
                   {1, 1.8}});
  cells.push_back({"rows/f32/12 B", kRows, gather(kFloat32, {1U << 20, 3}, 0, {1U << 18}), {}});
  cells.push_back({"rows/f32/middle axis", kRows, gather(kFloat32, {64, 512, 128}, 1, {256}), {}});

  const auto add = [&](DataType type, Marks marks) {
    const std::string name = "last axis/" + std::string(short_name(type));
    cells.push_back({name, kLast, gather(type, {4096, 1024}, 1, {256}), marks});
    cells.push_back(
        {name + "/L2", kLast, gather(type, {1024 / element_size_bytes(type), 1024}, 1, {256}), {}});
  };
  add(kUint8, {2.2, 3.5});
  add(kFloat16, {1.8, 3.5});
  add(kFloat32, {1.6, 2.5});
  add(kFloat64, {1.6, 2.5});
  cells.push_back(
      {"last axis/f32/int32", kLast, gather(kFloat32, {4096, 1024}, 1, {256}, kInt32), {}});

  // From DRAM and from a table in the second cache, where latency is what counts.
  cells.push_back({"elements/f32/1M from L2",
                   kElements,
                   gather(kFloat32, {1U << 18}, 0, {1U << 20}),
                   {1.35, 0}});
  cells.push_back({"elements/f32/4M from DRAM",
                   kElements,
                   gather(kFloat32, {1U << 26}, 0, {1U << 22}),
                   {0.9, 0}});
  cells.push_back(
      {"elements/u8/1M from L2", kElements, gather(kUint8, {1U << 20}, 0, {1U << 20}), {}});
  cells.push_back({"elements/f64/1M from L2",
                   kElements,
                   gather(kFloat64, {1U << 17}, 0, {1U << 20}, kInt32),
                   {}});
  cells.push_back(
      {"elements/complex128/64K", kElements, gather(kComplex128, {1U << 16}, 0, {1U << 16}), {}});
}

}  // namespace opconform::bench
