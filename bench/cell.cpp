#include "bench/cell.h"

#include "bench/operators.h"

namespace opconform::bench {

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for_each_operator([&](auto op) { add_cells(op, cells); });
  for_each_operator([&](auto op) { add_overheads(op, cells); });
  return cells;
}

std::vector<Cell> short_cells() {
  std::vector<Cell> cells;
  for_each_operator([&](auto op) { add_short_cells(op, cells); });
  for_each_operator([&](auto op) { add_overheads(op, cells); });
  return cells;
}

std::string_view short_name(DataType type) {
  using enum DataType;
  switch (type) {
    case kFloat64:
      return "f64";
    case kFloat32:
      return "f32";
    case kFloat16:
      return "f16";
    case kUint8:
      return "u8";
    case kString:
      return "string";
    default:
      return name(type, Dialect::kOnnx);
  }
}

}  // namespace opconform::bench
