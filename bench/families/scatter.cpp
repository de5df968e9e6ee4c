#include "bench/operators/scatter.h"

#include <algorithm>

#include "bench/families.h"

namespace opconform::bench {

void add_families(std::type_identity<Scatter> /*op*/, std::vector<Family>& families) {
  families.push_back({"scatter, last axis",
                      {{"columns", 16, 2048}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return scatter(type, {n, p[0]}, 1, {n, p[0] / 4});
                      }});
  families.push_back({"scatter, axis 0",
                      {{"columns", 4, 1024}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return scatter(type, {4 * n, p[0]}, 0, {n, p[0]});
                      }});
  families.push_back({"scatter into NHWC",
                      {{"channels", 4, 64}, {"pixels", 16, 1024}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        Scatter op = scatter(type, {n, p[0], p[1]}, 1, {n, p[0] / 4, p[1]});
                        op.output = strided_tensor(type, op.input.sizes, {p[0] * p[1], 1, p[0]});
                        return op;
                      }});
  families.push_back({"scatter few", {}, [](DataType type, std::uint64_t n, Numbers) -> Operator {
                        return scatter(type, {16 * n}, 0, {std::min<std::uint64_t>(n, 1024)});
                      }});
}

}  // namespace opconform::bench
