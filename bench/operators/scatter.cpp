// Elements put along an axis.
#include "bench/operators/scatter.h"

#include "bench/operators.h"

namespace opconform::bench {

Scatter scatter(DataType type, const Dims& sizes, std::uint32_t axis, const Dims& index_sizes,
                DataType index_type) {
  Scatter op;
  op.input = op.output = packed_tensor(type, sizes);
  op.indices = packed_tensor(index_type, index_sizes);
  op.updates = packed_tensor(type, index_sizes);
  op.axis = axis;
  return op;
}

Work work_of(const Scatter& op) {
  return Put{{&op.input, 0}, {&op.indices, 1}, {&op.updates, 2}, {&op.output, 0}, op.axis};
}

std::size_t dimensions(const Scatter& op) { return op.input.rank(); }
void grow(const Growth& growth, Scatter& op) {
  const std::size_t i = growth.dimension;
  for (TensorDesc* tensor : {&op.input, &op.output, &op.indices, &op.updates})
    tensor->sizes[i] = growth.of(tensor->sizes[i]);
}
void lay_out(Layouts& layouts, Scatter& op) {
  layouts.apply("input layout", op.input);
  layouts.apply("indices layout", op.indices);
  layouts.apply("updates layout", op.updates);
  layouts.apply("output layout", op.output);
}
bool has_distinct_indices(const Scatter& op, const Layouts& layouts) {
  using generation::LayoutClass;
  // Those that share addresses name the same elements.
  const LayoutClass layout = layouts.of("indices layout");
  return layout != LayoutClass::kBroadcast && layout != LayoutClass::kOverlapping &&
         op.indices.sizes[op.axis] <= op.input.sizes[op.axis];
}

namespace {

using enum DataType;

void add_scatters(std::vector<Cell>& cells) {
  constexpr std::string_view kLast = "Scatter along the last axis";
  constexpr std::string_view kFirst = "Scatter along axis 0";
  constexpr std::string_view kFew = "Scatter of few updates";

  cells.push_back(
      {"scatter last/f32", kLast, scatter(kFloat32, {4096, 1024}, 1, {4096, 256}), {1, 3.3}});
  cells.push_back({"scatter last/f32/L2", kLast, scatter(kFloat32, {64, 1024}, 1, {64, 256}), {}});
  cells.push_back({"scatter last/f16", kLast, scatter(kFloat16, {4096, 1024}, 1, {4096, 256}), {}});
  cells.push_back({"scatter last/f32/int32",
                   kLast,
                   scatter(kFloat32, {4096, 1024}, 1, {4096, 256}, kInt32),
                   {}});
  cells.push_back({"scatter axis 0/f32",
                   kFirst,
                   scatter(kFloat32, {4096, 1024}, 0, {1024, 1024}),
                   {1.25, 4.5}});
  cells.push_back(
      {"scatter axis 0/f32/L2", kFirst, scatter(kFloat32, {256, 256}, 0, {64, 256}), {}});
  cells.push_back(
      {"scatter axis 0/u8", kFirst, scatter(kUint8, {4096, 1024}, 0, {1024, 1024}), {}});
  cells.push_back(
      {"scatter axis 0/f64", kFirst, scatter(kFloat64, {2048, 1024}, 0, {512, 1024}), {}});
  cells.push_back(
      {"scatter middle/f32", kFirst, scatter(kFloat32, {32, 128, 512}, 1, {32, 64, 512}), {}});
  cells.push_back({"scatter few/f32", kFew, scatter(kFloat32, {1U << 26}, 0, {1024}), {1, 1.1}});
  cells.push_back({"scatter few/u8", kFew, scatter(kUint8, {1U << 26}, 0, {1024}), {1, 1.1}});
}

}  // namespace

void add_cells(std::type_identity<Scatter> /*op*/, std::vector<Cell>& cells) {
  add_scatters(cells);
}

void add_short_cells(std::type_identity<Scatter> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"scatter", "short", scatter(kFloat32, {64, 32}, 0, {16, 32}), {}});
}

void add_overheads(std::type_identity<Scatter> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"scatter/16 B", kOverhead, scatter(kFloat32, {4}, 0, {2}), {}});
  cells.push_back({"scatter/4 KiB", kOverhead, scatter(kFloat32, {32, 32}, 1, {32, 8}), {}});
}

}  // namespace opconform::bench
