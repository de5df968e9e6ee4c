// Elements taken along an axis.
#include "bench/operators/gather.h"

#include <string>

#include "bench/operators.h"

namespace opconform::bench {

OnnxGather gather(DataType type, const Dims& sizes, std::int64_t axis, const Dims& index_sizes,
                  DataType index_type) {
  OnnxGather op;
  op.data = {.data_type = type, .sizes = sizes, .strides = {}};
  op.indices = {.data_type = index_type, .sizes = index_sizes, .strides = {}};
  op.axis = axis;
  const auto place = static_cast<std::size_t>(axis);
  Dims output_sizes(sizes.begin(), sizes.begin() + place);
  for (const std::uint64_t size : index_sizes) output_sizes.push_back(size);
  for (std::size_t i = place + 1; i < sizes.size(); ++i) output_sizes.push_back(sizes[i]);
  op.output = {.data_type = type, .sizes = output_sizes, .strides = {}};
  return op;
}

Work work_of(const OnnxGather& op) {
  return Take{{&op.data, 0}, {&op.indices, 1}, {&op.output, 0}, op.axis_from_front()};
}

/// Those of the indices behind those of the data.
std::size_t dimensions(const OnnxGather& op) { return op.data.rank() + op.indices.rank(); }
void grow(const Growth& growth, OnnxGather& op) {
  const std::size_t rank = op.data.rank();
  const std::size_t axis = op.axis_from_front();
  std::uint64_t& size = growth.dimension < rank ? op.data.sizes[growth.dimension]
                                                : op.indices.sizes[growth.dimension - rank];
  size = growth.of(size);
  op.output.sizes.assign(op.data.sizes.begin(), op.data.sizes.begin() + axis);
  for (const std::uint64_t index_size : op.indices.sizes) op.output.sizes.push_back(index_size);
  for (std::size_t i = axis + 1; i < rank; ++i) op.output.sizes.push_back(op.data.sizes[i]);
}
void lay_out(Layouts& /*layouts*/, OnnxGather& /*op*/) {}
bool has_distinct_indices(const OnnxGather& /*op*/, const Layouts& /*layouts*/) { return true; }

namespace {

using enum DataType;

void add_gathers(std::vector<Cell>& cells) {
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

}  // namespace

void add_cells(std::type_identity<OnnxGather> /*op*/, std::vector<Cell>& cells) {
  add_gathers(cells);
}

void add_short_cells(std::type_identity<OnnxGather> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"gather rows", "short", gather(kFloat16, {100, 33}, 0, {7, 3}), {}});
  cells.push_back({"gather elements", "short", gather(kFloat64, {20, 100}, 1, {17}, kInt32), {}});
  cells.push_back({"strings", "short", gather(kString, {50}, 0, {20}), {}});
}

void add_overheads(std::type_identity<OnnxGather> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"gather/16 B", kOverhead, gather(kFloat32, {16}, 0, {4}), {}});
  cells.push_back({"gather/4 KiB", kOverhead, gather(kFloat32, {64, 16}, 0, {64}), {}});
}

}  // namespace opconform::bench
