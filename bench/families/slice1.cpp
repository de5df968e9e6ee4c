#include "bench/operators/slice1.h"

#include "bench/families.h"

namespace opconform::bench {
namespace {

void add_windows(std::vector<Family>& families) {
  families.push_back({"reverse rows",
                      {{"columns", 3, 4096}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return slice(type, {n, p[0]}, {1, -1});
                      }});
  families.push_back(
      {"reverse all of rank 8",
       {{"size", 2, 9}, {"size", 2, 9}},
       [](DataType type, std::uint64_t n, Numbers p) -> Operator {
         return slice(type, {n, p[0], 2, p[1], 2, 3, 2, p[0]}, {-1, -1, -1, -1, -1, -1, -1, -1});
       }});
  families.push_back({"stride",
                      {{"columns", 16, 4096}, {"stride", 2, 8}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return slice(type, {n, p[0]}, {1, static_cast<std::int32_t>(p[1])});
                      }});
  families.push_back({"stride -2 on two axes",
                      {{"rows", 4, 512}, {"columns", 4, 512}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return slice(type, {n, p[0], p[1]}, {1, -2, -2});
                      }});
  families.push_back({"crop",
                      {{"rows", 4, 256}, {"columns", 4, 1024}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        const auto rows = static_cast<std::uint32_t>(p[0]);
                        const auto columns = static_cast<std::uint32_t>(p[1]);
                        return slice(type, {n, rows, columns}, {1, 1, 1},
                                     {0, rows / 4, columns / 4},
                                     {static_cast<std::uint32_t>(n), rows / 2, columns / 2});
                      }});
  families.push_back({"long rows",
                      {{"columns", 256, 8192}, {"gap", 1, 256}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {p[0] + p[1], 1}, {});
                      }});
}

void add_layouts(std::vector<Family>& families) {
  families.push_back({"planes to pixels",
                      {{"channels", 2, 9}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {p[0], n}, {}, {1, p[0]});
                      }});
  families.push_back({"pixels to planes",
                      {{"channels", 2, 9}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {p[0], n}, {1, p[0]}, {});
                      }});
  families.push_back({"to NHWC",
                      {{"channels", 16, 256}, {"pixels", 16, 4096}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0], p[1]}, {}, {p[0] * p[1], 1, p[0]});
                      }});
  families.push_back({"to NCHW",
                      {{"channels", 16, 256}, {"pixels", 16, 4096}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0], p[1]}, {p[0] * p[1], 1, p[0]}, {});
                      }});
  families.push_back({"transpose",
                      {{"rows", 10, 4096}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {p[0], n}, {}, {1, p[0]});
                      }});
  // Rows and columns that are a power of two of bytes apart meet in few sets of a cache.
  families.push_back({"transpose, crowded",
                      {{"rows, log 2", 5, 12}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        const std::uint64_t rows = std::uint64_t{1} << p[0];
                        return layout_copy(type, {rows, 32 * n}, {}, {1, rows});
                      }});
  families.push_back({"transpose, batches",
                      {{"rows", 3, 48}, {"columns", 3, 48}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0], p[1]}, {}, {p[0] * p[1], 1, p[0]});
                      }});
  families.push_back({"permute heads",
                      {{"heads", 2, 32}, {"words", 2, 512}, {"width", 8, 128}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0], p[1], p[2]},
                                           {p[0] * p[1] * p[2], p[2], p[0] * p[2], 1}, {});
                      }});
  families.push_back(
      {"permute, all reversed",
       {{"size", 2, 40}, {"size", 2, 40}, {"size", 2, 40}},
       [](DataType type, std::uint64_t n, Numbers p) -> Operator {
         return layout_copy(type, {n, p[0], p[1], p[2]}, {1, n, n * p[0], n * p[0] * p[1]}, {});
       }});
}

void add_broadcasts_and_gaps(std::vector<Family>& families) {
  families.push_back({"broadcast rows",
                      {{"columns", 32, 16384}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {0, 1}, {});
                      }});
  families.push_back({"broadcast short rows",
                      {{"columns", 2, 31}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {0, 1}, {});
                      }});
  families.push_back({"broadcast columns",
                      {{"columns", 2, 16384}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {1, 0}, {});
                      }});
  families.push_back({"rows without padding",
                      {{"columns", 2, 64}, {"gap", 1, 8}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {p[0] + p[1], 1}, {});
                      }});
  families.push_back({"rows with padding",
                      {{"columns", 2, 64}, {"gap", 1, 8}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {n, p[0]}, {}, {p[0] + p[1], 1});
                      }});
  families.push_back({"planes to padded pixels",
                      {{"channels", 2, 7}, {"gap", 1, 3}},
                      [](DataType type, std::uint64_t n, Numbers p) -> Operator {
                        return layout_copy(type, {p[0], n}, {}, {1, p[0] + p[1]});
                      }});
  families.push_back(
      {"interleave", {{"stride", 2, 5}}, [](DataType type, std::uint64_t n, Numbers p) -> Operator {
         return layout_copy(type, {n}, {}, {p[0]});
       }});
}

}  // namespace

void add_families(std::type_identity<Slice1> /*op*/, std::vector<Family>& families) {
  add_windows(families);
  add_layouts(families);
  add_broadcasts_and_gaps(families);
}

}  // namespace opconform::bench
