#include "bench/operators/split.h"

#include "bench/families.h"

namespace opconform::bench {

void add_families(std::type_identity<Split> /*op*/, std::vector<Family>& families) {
  families.push_back({"split, last axis",
                      {{"parts", 2, 16}, {"width", 1, 4}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return split(type, {n, p[0] * p[1]}, 1, p[0]);
                      }});
  families.push_back({"split, runs",
                      {{"parts", 2, 8}, {"run", 16, 1024}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return split(type, {n, p[0], p[1]}, 1, p[0]);
                      }});
  families.push_back({"split, many parts",
                      {{"parts", 16, 64}, {"run", 4, 512}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return split(type, {n, p[0], p[1]}, 1, p[0]);
                      }});
  families.push_back({"split, 4 and 1 and the rest",
                      {{"rest", 8, 128}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        Split op = split(type, {n, 5 + p[0]}, 1, 1);
                        op.outputs = {packed_tensor(type, {n, 4}), packed_tensor(type, {n, 1}),
                                      packed_tensor(type, {n, p[0]})};
                        return op;
                      }});
}

}  // namespace opconform::bench
