#include "bench/cell.h"

namespace opconform::bench {
namespace {

using enum DataType;

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

void add_layouts(std::vector<Cell>& cells) {
  add_channels(cells);
  add_transposes(cells);
  add_others(cells);
}

}  // namespace opconform::bench
