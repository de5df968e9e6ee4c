// Large gathers: of long rows, and by many indices.

#include <array>

#include "harness/strength/boundary_cases.h"
#include "harness/strength/large_cases.h"

namespace opconform::strength {
namespace {

OnnxGather gathered(DataType type, const Dims& data, std::int64_t axis, DataType index_type,
                    const Dims& indices) {
  OnnxGather op;
  op.data = packed_tensor(type, data);
  op.indices = packed_tensor(index_type, indices);
  op.axis = axis;
  Dims output;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i != static_cast<std::size_t>(axis))
      output.push_back(data[i]);
    else
      for (const std::uint64_t size : indices) output.push_back(size);
  }
  op.output = packed_tensor(type, output);
  return op;
}

void add_gathered_rows(LargeFiles& files) {
  files.begin_file("large-rows", "the end of a row behind its last whole block is lost",
                   "gather.semantics");
  for (const Extent& row : row_extents()) {
    const std::uint64_t height = row_count(row);
    files.add(gathered(row.data_type, {height, row.elements()}, 0, kInt64, {height - 1}), row.id(),
              std::to_string(height - 1) + " rows of " + row.text() + " are gathered in any order",
              random_indices());
    files.add(gathered(row.data_type, {3, 5, row.elements()}, 1, kInt32, {3, 1}),
              row.id() + "-inside",
              "three of five rows of " + row.text() + " are gathered in each of three blocks",
              counted_indices(3));
  }
}

void add_index_counts(LargeFiles& files) {
  files.begin_file("large-counts", "indices behind a chunk, or the last few of many, are lost",
                   "gather.semantics");
  constexpr std::array kTypes{DataType::kUint8, DataType::kUint16, DataType::kUint32,
                              DataType::kUint64, DataType::kComplex128};
  std::size_t number = 0;
  for (const std::uint64_t count : kIndexCounts)
    for (const DataType index_type : {kInt32, kInt64}) {
      const DataType type = kTypes[number++ % kTypes.size()];
      files.add(gathered(type, {1009}, 0, index_type, {count}),
                count_id(count) + "-of-" + type_id(type) + "-by-" + type_id(index_type),
                count_text(count) + " single elements of " + type_id(type) + " are gathered by " +
                    type_id(index_type),
                random_indices());
    }
  for (const std::uint64_t count : {1025U, 2049U, 65537U})
    for (const DataType type : {DataType::kUint8, DataType::kComplex128})
      files.add(gathered(type, {3, 257, 5}, 1, kInt64, {count}),
                count_id(count) + "-of-" + type_id(type) + "-inside",
                count_text(count) + " rows of 5 elements of " + type_id(type) +
                    " are gathered in each of three blocks",
                random_indices());
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 22) + 1;
  files.add(gathered(DataType::kUint8, {251}, 0, kInt32, {kMost}), count_id(kMost),
            count_text(kMost) + " bytes are gathered", random_indices());
}

void add_far_rows(LargeFiles& files) {
  files.begin_file("large-starts", "an index is kept in 16, 20 or 24 bits, or as float",
                   "gather.semantics gather.negative-index");
  for (const std::uint64_t bound : kFarBounds)
    for (const DataType index_type : {kInt32, kInt64}) {
      const std::uint64_t size = bound + 1009;
      OnnxGather op = gathered(DataType::kUint8, {size}, 0, index_type, {1013});
      const std::string name = count_id(bound) + "-by-" + type_id(index_type);
      files.add(op, name,
                "indices of " + type_id(index_type) + " count from 5 below " + count_text(bound) +
                    " to the last element and on from the first",
                counted_indices(bound - 5));
      files.add(op, name + "-random",
                "elements on both sides of " + count_text(bound) + " are gathered by " +
                    type_id(index_type),
                random_indices());
    }
  const auto size = static_cast<std::int64_t>(kFarBounds[2]) + 7;
  const std::array<IndexAt, 4> from_end{{{0, -1}, {1, -size}, {1023, -size + 1}, {1024, -7}}};
  files.add(
      gathered(DataType::kUint8, {static_cast<std::uint64_t>(size)}, 0, kInt64, {1025}),
      "from-the-end",
      "negative indices count from the end of " + count_text(1U << 24) + " elements and seven",
      with_exceptions(random_indices(), kInt64, from_end));
}

void add_outside(LargeFiles& files) {
  files.begin_file("large-outside", "an index out of range behind a chunk of indices is not seen",
                   "gather.index-range");
  constexpr std::int64_t kSize = 1009;
  constexpr std::int64_t kWord = std::int64_t{1} << 32;
  constexpr std::array<std::pair<const char*, std::int64_t>, 4> kOutside{
      {{"size", kSize},
       {"before", -kSize - 1},
       {"low-half-right", kWord + 5},
       {"negative-low-half-right", 5 - kWord}}};
  for (const std::uint64_t count : kIndexCounts)
    for (const auto& [name, index] : kOutside) {
      const std::array<IndexAt, 1> last{{{count - 1, index}}};
      files.add(gathered(DataType::kUint16, {kSize}, 0, kInt64, {count}),
                count_id(count) + "-" + name,
                "the last of " + count_text(count) + " indices is " + std::to_string(index),
                with_exceptions(random_indices(), kInt64, last));
    }
}

// Of the walks over boundaries.

constexpr std::uint64_t gathered_from_below(std::uint64_t n) { return n - 3; }
constexpr std::uint64_t gathered_from_second(std::uint64_t /*n*/) { return 1; }

constexpr std::uint64_t gathered_bytes_from(std::uint64_t n) {
  return n > kMostWalkedOver ? n - 3 : 1;
}

Operator gathered_elements(std::uint64_t n, DataType type) {
  const bool is_narrow = n % 2 == 1 && n < std::uint64_t{1} << 31;
  return gathered(type, {n}, 0, is_narrow ? kInt32 : kInt64, {37});
}
Operator gathered_bytes(std::uint64_t n, DataType type) {
  if (n > kMostWalkedOver) return gathered(type, {n}, 0, kInt64, {37});
  return gathered(type, {3, n}, 0, kInt64, {1});
}
Operator gathered_rows(std::uint64_t n, DataType type) {
  return gathered(type, {n, 3}, 0, kInt64, {7});
}
Operator gathered_indices(std::uint64_t n, DataType type) {
  return gathered(type, {1009}, 0, n % 2 == 0 ? kInt32 : kInt64, {n});
}

}  // namespace

void add_large_cases(std::type_identity<OnnxGather> /*op*/, LargeFiles& files) {
  files.begin_file("large-tensors",
                   "the last block, strip or thread's part of a large tensor is lost",
                   "gather.semantics");
  for (const Extent& extent : tensor_extents())
    files.add(gathered(extent.data_type, {2, extent.elements()}, 0, kInt64, {1}), extent.id(),
              "one row of " + extent.text() + " is gathered", counted_indices(1));
  add_gathered_rows(files);
  add_index_counts(files);
  add_far_rows(files);
  add_outside(files);
}

std::vector<BoundaryWalk> boundary_walks(std::type_identity<OnnxGather> /*op*/) {
  constexpr std::string_view kRule = "gather.semantics";
  constexpr std::string_view kLastRows = "the last of {n} rows are gathered, and on from the first";
  return {
      {"elements", kRule, "the last of {n} elements are gathered, and on from the first",
       gathered_elements, false, 5, kNoMost, gathered_from_below},
      {"bytes", kRule, "a row of {n} bytes is gathered, or the last bytes of it", gathered_bytes,
       true, 4, kMostLarge, gathered_bytes_from},
      {"rows", kRule, kLastRows, gathered_rows, false, 5, kMostLarge, gathered_from_below},
      {"rows", kRule, kLastRows, gathered_rows, false, 21, kNoMost, gathered_from_below},
      {"indices", kRule, "elements are gathered by {n} indices", gathered_indices, false, 5,
       kMostRows, gathered_from_second},
  };
}

}  // namespace opconform::strength
