#include "bench/cell.h"

namespace opconform::bench {
namespace {

using enum DataType;

constexpr std::string_view kReverse = "Slice1, reverse last axis";
constexpr std::string_view kStride = "Slice1, stride 2 on the last axis";
constexpr std::string_view kTwoAxes = "Slice1, stride -2 on two axes";
constexpr std::string_view kCrop = "crops, long runs, row copies";

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
    cells.push_back({"crop/" + std::string(short_name(type)), kCrop,
                     slice(type, kImages, {1, 1, 1, 1}, {0, 0, 180, 320}, {8, 3, 720, 1280}),
                     marks});
  cells.push_back({"crop/u8/L2", kCrop,
                   slice(kUint8, {3, 320, 640}, {1, 1, 1}, {0, 60, 101}, {3, 200, 480}), marks});
  cells.push_back({"crop/f32/narrow", kCrop,
                   slice(kFloat32, {4096, 64, 64}, {1, 1, 1}, {0, 8, 16}, {4096, 48, 31}), marks});
  cells.push_back({"rows/every other/f32", kCrop, slice(kFloat32, {8192, 2048}, {2, 1}), marks});
  cells.push_back({"rows/padded 1000 to 1024/f32", kCrop,
                   layout_copy(kFloat32, {8192, 1000}, {}, {1024, 1}), marks});
  cells.push_back({"copy/f32/64 MiB", kCrop, layout_copy(kFloat32, {1U << 24}, {}, {}), marks});
  cells.push_back({"copy/f32/L2", kCrop, layout_copy(kFloat32, {1U << 17}, {}, {}), marks});
}

}  // namespace

void add_slices(std::vector<Cell>& cells) {
  add_reverses(cells);
  add_strides(cells);
  add_crops(cells);
}

}  // namespace opconform::bench
