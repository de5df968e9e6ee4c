#include "bench/cell.h"

namespace opconform::bench {

void add_splits(std::vector<Cell>& cells) {
  using enum DataType;
  constexpr std::string_view kLast = "Split of the last axis";
  constexpr std::string_view kRuns = "crops, long runs, row copies";
  const auto add = [&](DataType type, const Dims& sizes, std::size_t parts, std::string_view where,
                       Marks marks) {
    cells.push_back({"split " + std::to_string(parts) + "/" + std::string(short_name(type)) +
                         std::string(where),
                     kLast, split(type, sizes, static_cast<std::uint32_t>(sizes.size() - 1), parts),
                     marks});
  };
  add(kUint8, {8, 512, 512, 3}, 3, "", {2.7, 1.7});
  add(kFloat32, {8, 512, 512, 3}, 3, "", {1.5, 1.7});
  add(kFloat32, {1U << 18, 8}, 8, "", {3, 1.7});
  add(kFloat32, {1U << 20, 2}, 2, "", {1.1, 1.7});
  add(kUint8, {1, 420, 420, 3}, 3, "/L2", {2.7, 1.7});
  add(kFloat32, {1, 210, 210, 3}, 3, "/L2", {1.5, 1.7});
  add(kFloat32, {1U << 14, 8}, 8, "/L2", {3, 1.7});
  add(kFloat32, {1U << 16, 2}, 2, "/L2", {1.1, 1.7});
  add(kUint8, {1U << 20, 4}, 4, "", {});
  add(kFloat16, {8, 512, 512, 3}, 3, "", {});
  add(kFloat64, {1U << 20, 2}, 2, "", {});
  add(kUint8, {1U << 20, 16}, 16, "", {});

  cells.push_back(
      {"split 2/f32/channels", kRuns, split(kFloat32, {8, 64, 112, 112}, 1, 2), {1.2, 1.5}});
  cells.push_back(
      {"split 2/f32/channels/L2", kRuns, split(kFloat32, {1, 64, 48, 42}, 1, 2), {1.2, 1.5}});
  cells.push_back(
      {"split 3/f16/heads", kRuns, split(kFloat16, {4096, 3 * 1024}, 1, 3), {1.2, 1.5}});
}

}  // namespace opconform::bench
