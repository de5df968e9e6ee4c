#include "bench/cell.h"

namespace opconform::bench {

void add_scatters(std::vector<Cell>& cells) {
  using enum DataType;
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

}  // namespace opconform::bench
