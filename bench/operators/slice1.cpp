// Windows and layouts.
#include "bench/operators/slice1.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "bench/operators.h"

namespace opconform::bench {

Slice1 slice(DataType type, const Dims& sizes, const std::vector<std::int32_t>& window_strides,
             const std::vector<std::uint32_t>& window_offsets,
             const std::vector<std::uint32_t>& window_sizes) {
  Slice1 op;
  op.input = packed_tensor(type, sizes);
  Dims output_sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    op.window_offsets.push_back(window_offsets.empty() ? 0 : window_offsets[i]);
    op.window_sizes.push_back(window_sizes.empty() ? static_cast<std::uint32_t>(sizes[i])
                                                   : window_sizes[i]);
    op.window_strides.push_back(window_strides[i]);
    output_sizes.push_back(1 + (op.window_sizes[i] - 1) /
                                   static_cast<std::uint32_t>(std::abs(window_strides[i])));
  }
  op.output = packed_tensor(type, output_sizes);
  return op;
}

Slice1 layout_copy(DataType type, const Dims& sizes, const Dims& source_strides,
                   const Dims& target_strides) {
  Slice1 op = slice(type, sizes, std::vector<std::int32_t>(sizes.size(), 1));
  if (!source_strides.empty()) op.input = strided_tensor(type, sizes, source_strides);
  if (!target_strides.empty()) op.output = strided_tensor(type, sizes, target_strides);
  return op;
}

Work work_of(const Slice1& op) {
  View source = whole(op.input, 0);
  source.sizes = op.output.sizes;
  for (std::size_t i = 0; i < op.input.rank(); ++i) {
    const std::int64_t step = op.window_strides[i];
    const std::int64_t first =
        std::int64_t{op.window_offsets[i]} + (step < 0 ? std::int64_t{op.window_sizes[i]} - 1 : 0);
    source.offset += first * source.strides[i];
    // Where a dimension has one element its stride leads nowhere, and may be absurd.
    source.strides[i] = source.sizes[i] == 1 ? 0 : source.strides[i] * step;
  }
  return std::vector<Move>{{source, whole(op.output, 0), op.input.data_type}};
}

std::size_t dimensions(const Slice1& op) { return op.input.rank(); }
void grow(const Growth& growth, Slice1& op) {
  const std::size_t i = growth.dimension;
  const auto magnitude = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
  const auto reachable = [&] { return 1 + (op.window_sizes[i] - 1) / magnitude; };
  const bool was_all = op.output.sizes[i] == reachable();
  op.input.sizes[i] = growth.of(op.input.sizes[i]);
  op.window_offsets[i] *= static_cast<std::uint32_t>(growth.factor);
  op.window_sizes[i] = static_cast<std::uint32_t>(growth.of(op.window_sizes[i]));
  op.output.sizes[i] =
      was_all ? reachable() : std::min(reachable(), op.output.sizes[i] * growth.factor);
}
void lay_out(Layouts& layouts, Slice1& op) {
  layouts.apply("input layout", op.input);
  layouts.apply("output layout", op.output);
}
bool has_distinct_indices(const Slice1& /*op*/, const Layouts& /*layouts*/) { return true; }

namespace {

using enum DataType;

constexpr std::string_view kReverse = "Slice1, reverse last axis";
constexpr std::string_view kStride = "Slice1, stride 2 on the last axis";
constexpr std::string_view kTwoAxes = "Slice1, stride -2 on two axes";

const Dims kImages{8, 3, 1080, 1920};
/// Of one byte an element about 1 MiB, input and output together.
Dims image_in_l2(DataType type) { return {1, 3, 168, 1024 / element_size_bytes(type)}; }

void add_reverses(std::vector<Cell>& cells) {
  const auto add = [&](DataType type, Marks large, Marks in_l2) {
    const std::string prefix = "reverse/" + std::string(short_name(type));
    cells.push_back({prefix, kReverse, slice(type, kImages, {1, 1, 1, -1}), large});
    cells.push_back(
        {prefix + "/L2", kReverse, slice(type, image_in_l2(type), {1, 1, 1, -1}), in_l2});
  };
  add(kUint8, {4, 1.4}, {8, 1.2});
  add(kFloat16, {}, {});
  add(kFloat32, {1.6, 1.5}, {1.6, 1.5});
  add(kFloat64, {}, {});
  cells.push_back({"reverse/u8/rank 1", kReverse, slice(kUint8, {1U << 24}, {-1}), {4, 1.4}});
  cells.push_back({"reverse/f32/rows", kReverse, slice(kFloat32, {4096, 4096}, {-1, 1}), {}});
}

void add_strides(std::vector<Cell>& cells) {
  const auto add = [&](DataType type, Marks large, Marks in_l2) {
    const std::string prefix = "stride 2/" + std::string(short_name(type));
    cells.push_back({prefix, kStride, slice(type, kImages, {1, 1, 1, 2}), large});
    cells.push_back({prefix + "/L2", kStride, slice(type, image_in_l2(type), {1, 1, 1, 2}), in_l2});
  };
  add(kUint8, {1.8, 1.5}, {7, 1.0});
  add(kFloat16, {1.3, 1.5}, {});
  add(kFloat32, {1.15, 1.5}, {1.6, 1.0});
  add(kFloat64, {}, {});
  cells.push_back({"stride 3/u8", kStride, slice(kUint8, kImages, {1, 1, 1, 3}), {}});
  cells.push_back({"stride 4/u8", kStride, slice(kUint8, kImages, {1, 1, 1, 4}), {}});
  cells.push_back({"stride -2/f32", kStride, slice(kFloat32, kImages, {1, 1, 1, -2}), {}});
  cells.push_back(
      {"stride 2/u8/-2 -2", kTwoAxes, slice(kUint8, kImages, {1, 1, -2, -2}), {1.8, 3.0}});
  cells.push_back(
      {"stride 2/f32/-2 -2", kTwoAxes, slice(kFloat32, kImages, {1, 1, -2, -2}), {1.3, 1.9}});
  cells.push_back({"stride 2/f16/-2 -2", kTwoAxes, slice(kFloat16, kImages, {1, 1, -2, -2}), {}});
  cells.push_back(
      {"stride 2/u8/-2 -2/L2", kTwoAxes, slice(kUint8, image_in_l2(kUint8), {1, 1, -2, -2}), {}});
}

void add_crops(std::vector<Cell>& cells) {
  const Marks marks{1.2, 1.5};
  for (const DataType type : {kUint8, kFloat32})
    cells.push_back({"crop/" + std::string(short_name(type)), kRowCopies,
                     slice(type, kImages, {1, 1, 1, 1}, {0, 0, 180, 320}, {8, 3, 720, 1280}),
                     marks});
  cells.push_back({"crop/u8/L2", kRowCopies,
                   slice(kUint8, {3, 320, 640}, {1, 1, 1}, {0, 60, 101}, {3, 200, 480}), marks});
  cells.push_back({"crop/f32/narrow", kRowCopies,
                   slice(kFloat32, {4096, 64, 64}, {1, 1, 1}, {0, 8, 16}, {4096, 48, 31}), marks});
  cells.push_back(
      {"rows/every other/f32", kRowCopies, slice(kFloat32, {8192, 2048}, {2, 1}), marks});
  cells.push_back({"rows/padded 1000 to 1024/f32", kRowCopies,
                   layout_copy(kFloat32, {8192, 1000}, {}, {1024, 1}), marks});
  cells.push_back(
      {"copy/f32/64 MiB", kRowCopies, layout_copy(kFloat32, {1U << 24}, {}, {}), marks});
  cells.push_back({"copy/f32/L2", kRowCopies, layout_copy(kFloat32, {1U << 17}, {}, {}), marks});
}

constexpr std::string_view kFewChannels = "layouts, 3 channels";
constexpr std::string_view kManyChannels = "layouts, 64 channels";
constexpr std::string_view kTranspose = "2-D transpose";
constexpr std::string_view kBroadcast = "broadcast input";
constexpr std::string_view kPadded = "rows padded 5 to 3";

/// Strides of a tensor with sizes N, C, H, W that lies in memory as N, H, W, C.
Dims channels_last(const Dims& sizes) {
  return {sizes[1] * sizes[2] * sizes[3], 1, sizes[3] * sizes[1], sizes[1]};
}

void add_channels(std::vector<Cell>& cells) {
  const auto add = [&](DataType type, const Dims& sizes, std::string_view where, Marks to,
                       Marks back) {
    const std::string_view family = sizes[1] == 64 ? kManyChannels : kFewChannels;
    const std::string suffix = "/" + std::string(short_name(type)) + "/" +
                               std::to_string(sizes[1]) + " channels" + std::string(where);
    cells.push_back(
        {"to NHWC" + suffix, family, layout_copy(type, sizes, {}, channels_last(sizes)), to});
    cells.push_back(
        {"to NCHW" + suffix, family, layout_copy(type, sizes, channels_last(sizes), {}), back});
  };
  add(kUint8, {8, 3, 512, 512}, "", {1.7, 2.3}, {1.7, 1.6});
  add(kFloat32, {8, 3, 512, 512}, "", {1, 1.6}, {1, 1.6});
  add(kUint8, {1, 3, 418, 418}, "/L2", {1.7, 2.3}, {1.7, 1.6});
  add(kFloat32, {1, 3, 209, 209}, "/L2", {1, 1.6}, {1, 1.6});
  add(kFloat16, {8, 3, 512, 512}, "", {}, {});
  add(kUint8, {8, 4, 512, 512}, "", {}, {});
  add(kFloat32, {8, 64, 56, 56}, "", {1, 2.0}, {1, 2.0});
  add(kFloat16, {8, 64, 56, 56}, "", {1, 2.0}, {1, 2.0});
  add(kUint8, {8, 64, 56, 56}, "", {1, 2.0}, {1, 2.0});
  add(kFloat32, {1, 64, 45, 45}, "/L2", {1, 2.0}, {1, 2.0});
}

void add_transposes(std::vector<Cell>& cells) {
  const auto add = [&](DataType type, std::uint64_t rows, std::uint64_t columns, Marks marks) {
    cells.push_back({"transpose/" + std::string(short_name(type)) + "/" + std::to_string(rows) +
                         "x" + std::to_string(columns),
                     kTranspose, layout_copy(type, {rows, columns}, {}, {1, rows}), marks});
  };
  // The marks speak of 16 MiB and more.
  for (const std::uint64_t size : {64U, 512U, 1024U, 2048U, 4096U}) {
    const auto from_16_mib = [&](DataType type, Marks marks) {
      return size * size * element_size_bytes(type) >= (16U << 20) ? marks : Marks{};
    };
    add(kFloat32, size, size, from_16_mib(kFloat32, {1.7, 3.0}));
    add(kUint8, size, size, from_16_mib(kUint8, {3, 3.4}));
    if (size >= 1024) add(kFloat64, size, size, from_16_mib(kFloat64, {2.2, 2.6}));
  }
  add(kFloat16, 2048, 2048, {});
  add(kFloat32, 1999, 2111, {1.7, 3.0});
  add(kUint8, 1000, 3, {});
  cells.push_back({"permute/f32/heads",
                   kTranspose,
                   layout_copy(kFloat32, {8, 16, 512, 64}, {512 * 1024, 64, 1024, 1}, {}),
                   {}});
  cells.push_back({"permute/f16/rank 5 reversed",
                   kTranspose,
                   layout_copy(kFloat16, {16, 24, 10, 33, 20}, {1, 16, 384, 3840, 126720}, {}),
                   {}});
}

void add_others(std::vector<Cell>& cells) {
  const Marks parity{1, 1.45};
  for (const DataType type : {kUint8, kFloat32}) {
    const std::string suffix = "/" + std::string(short_name(type));
    cells.push_back({"broadcast/row" + suffix, kBroadcast,
                     layout_copy(type, {4096, 4096}, {0, 1}, {}), parity});
    cells.push_back({"broadcast/column" + suffix, kBroadcast,
                     layout_copy(type, {4096, 4096}, {1, 0}, {}), parity});
    cells.push_back({"broadcast/scalar" + suffix + "/L2", kBroadcast,
                     layout_copy(type, {128, 1024}, {0, 0}, {}), parity});
    cells.push_back({"rows of 5 to 3" + suffix,
                     kPadded,
                     layout_copy(type, {1U << 21, 3}, {5, 1}, {}),
                     {1.6, 2.4}});
    cells.push_back({"rows of 5 to 3" + suffix + "/L2",
                     kPadded,
                     layout_copy(type, {(1U << 17) / element_size_bytes(type), 3}, {5, 1}, {}),
                     {1.6, 2.4}});
  }
  cells.push_back(
      {"rows of 3 to 5/f32", kPadded, layout_copy(kFloat32, {1U << 21, 3}, {}, {5, 1}), {}});
}

}  // namespace

void add_cells(std::type_identity<Slice1> /*op*/, std::vector<Cell>& cells) {
  add_reverses(cells);
  add_strides(cells);
  add_crops(cells);
  add_channels(cells);
  add_transposes(cells);
  add_others(cells);
}

void add_short_cells(std::type_identity<Slice1> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"reverse", "short", slice(kUint8, {3, 5, 257}, {1, 1, -1}), {}});
  cells.push_back({"stride 2", "short", slice(kFloat32, {31, 63}, {-2, 2}), {}});
  cells.push_back({"transpose", "short", layout_copy(kFloat32, {37, 65}, {}, {1, 37}), {}});
  cells.push_back({"broadcast", "short", layout_copy(kUint8, {64, 100}, {0, 1}, {}), {}});
}

void add_overheads(std::type_identity<Slice1> /*op*/, std::vector<Cell>& cells) {
  cells.push_back({"copy/16 B", kOverhead, layout_copy(kFloat32, {4}, {}, {}), {}});
  cells.push_back({"copy/4 KiB", kOverhead, layout_copy(kFloat32, {1024}, {}, {}), {}});
  cells.push_back({"copy/16 KiB", kOverhead, layout_copy(kFloat32, {4096}, {}, {}), {}});
  cells.push_back({"crop/16 B", kOverhead, slice(kFloat32, {2, 4}, {1, 2}), {}});
  cells.push_back({"transpose/4 KiB", kOverhead, layout_copy(kFloat32, {32, 32}, {}, {1, 32}), {}});
}

}  // namespace opconform::bench
