// The families of operators with a list of parts along an axis.
#pragma once

#include <array>

#include "bench/families.h"

namespace opconform::bench {

/// `kEqual` makes the operator of a whole of these sizes, an axis and so many equal parts; `kParts`
/// is its list of them. The names are of: the last axis, runs, many parts, unequal ones.
template <class Op, Op (*kEqual)(DataType, const Dims&, std::uint32_t, std::size_t),
          std::vector<TensorDesc> Op::*kParts>
void add_part_families(const std::array<std::string_view, 4>& names,
                       std::vector<Family>& families) {
  const auto of_runs = [](DataType type, std::uint64_t n, Numbers p) -> Operator {
    return kEqual(type, {n, p[0], p[1]}, 1, p[0]);
  };
  families.push_back({names[0],
                      {{"parts", 2, 16}, {"width", 1, 4}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return kEqual(type, {n, p[0] * p[1]}, 1, p[0]);
                      }});
  families.push_back({names[1], {{"parts", 2, 8}, {"run", 16, 1024}}, of_runs});
  families.push_back({names[2], {{"parts", 16, 64}, {"run", 4, 512}}, of_runs});
  families.push_back(
      {names[3], {{"rest", 8, 128}}, [](DataType type, std::uint64_t n, Numbers p) -> Operator {
         Op op = kEqual(type, {n, 5 + p[0]}, 1, 1);
         op.*kParts = {packed_tensor(type, {n, 4}), packed_tensor(type, {n, 1}),
                       packed_tensor(type, {n, p[0]})};
         return op;
       }});
}

}  // namespace opconform::bench
