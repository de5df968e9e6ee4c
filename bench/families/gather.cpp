#include "bench/operators/gather.h"

#include <algorithm>

#include "bench/families.h"

namespace opconform::bench {

void add_families(std::type_identity<OnnxGather> /*op*/, std::vector<Family>& families) {
  families.push_back({"gather rows",
                      {{"columns", 2, 2048}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return gather(type, {2 * n, p[0]}, 0, {n});
                      }});
  families.push_back({"gather on a middle axis",
                      {{"size", 4, 256}, {"columns", 2, 256}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return gather(type, {n, p[0], p[1]}, 1, {p[0] / 2});
                      }});
  families.push_back({"gather, last axis",
                      {{"columns", 32, 2048}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return gather(type, {n, p[0]}, 1, {p[0] / 4});
                      }});
  families.push_back({"gather few of a row",
                      {{"columns", 3, 16}, {"indices", 1, 4}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return gather(type, {n, p[0]}, 1, {std::min(p[0], p[1])});
                      }});
  families.push_back(
      {"gather elements", {}, [](DataType type, std::uint64_t n, Numbers) -> Operator {
         return gather(type, {n}, 0, {n});
       }});
}

}  // namespace opconform::bench
