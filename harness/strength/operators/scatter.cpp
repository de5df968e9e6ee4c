// Large scatters: of long rows, and by many updates.

#include <array>

#include "harness/strength/boundary_cases.h"
#include "harness/strength/large_cases.h"

namespace opconform::strength {
namespace {

Scatter scattered(DataType type, const Dims& sizes, std::uint32_t axis, DataType index_type,
                  std::uint64_t updates) {
  Scatter op;
  op.axis = axis;
  op.input = packed_tensor(type, sizes);
  op.output = op.input;
  Dims updated = sizes;
  updated[axis] = updates;
  op.indices = packed_tensor(index_type, updated);
  op.updates = packed_tensor(type, updated);
  return op;
}

void add_updated_rows(LargeFiles& files) {
  files.begin_file("large-rows", "the end of a row behind its last whole block is lost",
                   "scatter.write-update scatter.copy-input");
  for (const Extent& row : row_extents()) {
    const std::uint64_t height = row_count(row);
    Scatter op = scattered(row.data_type, {height, row.elements()}, 0, kInt32, 1);
    files.add(op, row.id(),
              "one row of " + row.text() + " is scattered over " + std::to_string(height) + " rows",
              counted_indices(1));
    if (row.bytes == kMebibyte) continue;  // as many indices take long
    op = scattered(row.data_type, {3, row.elements()}, 1, kInt64, row.elements());
    op.output = padded_rows(row.data_type, op.output.sizes, 5);
    files.add(op, row.id() + "-along",
              "all of three rows of " + row.text() +
                  " is updated, from the fourth element on, "
                  "with gaps behind the rows",
              counted_indices(3));
  }
}

void add_updated_tables(LargeFiles& files) {
  files.begin_file("large-transposes", "what is left over of tiles in both directions is lost",
                   "scatter.copy-input scatter.write-update");
  for (const Table& table : kOddTables) {
    Scatter op = scattered(table.data_type, {table.height, table.width}, 0, kInt32, 1);
    op.input = column_major(table);
    files.add(op, table.id(),
              table.text() +
                  " that is stored by columns is written by rows, of which one element "
                  "a column is updated",
              random_indices());
  }
}

void add_updated_stacks(LargeFiles& files) {
  files.begin_file("large-permutes",
                   "blocks of short runs take more room than was set aside for them",
                   "scatter.copy-input scatter.write-update");
  for (const Stack& stack : kOddStacks) {
    Scatter op = scattered(stack.data_type, stack.sizes(), 1, kInt32, 1);
    op.output = runs_outermost(stack);
    files.add(op, stack.id(),
              stack.text() + " are stored column by column, and one line of each plane is updated",
              random_indices());
  }
  const TensorDesc output = interleaved_runs(kInterleavedRows);
  Scatter op = scattered(output.data_type, output.sizes, 0, kInt32, 1);
  op.output = output;
  files.add(
      op, "interleaved",
      "rows of runs that lie between those of other rows are written, and one of each updated",
      random_indices());
}

void add_update_counts(LargeFiles& files) {
  files.begin_file("large-counts", "updates behind a chunk, or the last few of many, are lost",
                   "scatter.write-update");
  std::size_t number = 0;
  for (const std::uint64_t count : kIndexCounts) {
    const DataType index_type = number % 2 == 0 ? kInt32 : kInt64;
    const DataType type = kUnsignedTypes[number++ % std::size(kUnsignedTypes)];
    // Where the last updates go nothing else goes.
    files.add(scattered(type, {count + 3}, 0, index_type, count),
              count_id(count) + "-of-" + type_id(type) + "-by-" + type_id(index_type),
              count_text(count) + " elements of " + type_id(type) + " are updated by " +
                  type_id(index_type),
              counted_indices(3));
  }
  for (const std::uint64_t count : {1025U, 2049U, 65537U})
    files.add(scattered(DataType::kUint16, {3, count, 7}, 1, kInt32, count),
              count_id(count) + "-inside",
              count_text(count) + " rows of 7 elements are updated in each of three blocks",
              counted_indices(0));  // 7 and the count have no divisor: no two name one element
  // Here no line, and no column, has an index twice either.
  Scatter op = scattered(DataType::kUint32, {3, 301, 1031}, 2, kInt32, 131);
  op.output = strided_tensor(DataType::kUint32, op.output.sizes, packed_strides({3, 302, 1031}));
  files.add(op, "131-of-1031-in-lines",
            "an eighth of each line of three planes of more than 1 MiB is updated, with gaps "
            "between the planes",
            counted_indices(0));
  const Table table{2049, 512, DataType::kUint32};
  op = scattered(table.data_type, {table.height, table.width}, 0, kInt32, 513);
  op.input = column_major(table);
  files.add(op, "513-of-2049-in-columns",
            "a quarter of each column of " + table.text() +
                " that is stored by columns and written by rows is updated",
            counted_indices(0));
}

void add_far_updates(LargeFiles& files) {
  files.begin_file("large-starts", "an index is kept in 16, 20 or 24 bits, or as float",
                   "scatter.write-update scatter.negative-index");
  for (const std::uint64_t bound : kFarBounds)
    for (const DataType index_type : {kInt32, kInt64, DataType::kUint32, DataType::kUint64}) {
      if (bound == kFarBounds[2] && index_type != kInt32) continue;  // such tensors take long
      files.add(scattered(DataType::kUint8, {bound + 1009}, 0, index_type, 1013),
                count_id(bound) + "-by-" + type_id(index_type),
                "updates go to the elements from 5 below " + count_text(bound) +
                    " to the last and on from the first, by " + type_id(index_type),
                counted_indices(bound - 5));
    }
  const auto size = static_cast<std::int64_t>(kFarBounds[1]) + 1009;
  const std::array<IndexAt, 4> from_end{{{0, -1}, {1, -size}, {1023, -size + 1}, {1024, -7}}};
  files.add(scattered(DataType::kUint8, {static_cast<std::uint64_t>(size)}, 0, kInt64, 1025),
            "from-the-end", "negative indices count from the end of many elements",
            with_exceptions(counted_indices(kFarBounds[0]), kInt64, from_end));
}

// Of the walks over boundaries.

constexpr std::uint64_t scattered_from_below(std::uint64_t n) { return n - 2; }
constexpr std::uint64_t scattered_from_fourth(std::uint64_t /*n*/) { return 3; }
constexpr std::uint64_t scattered_from_second(std::uint64_t /*n*/) { return 1; }

Operator scattered_elements(std::uint64_t n, DataType type) {
  return scattered(type, {n}, 0, n % 2 == 0 ? kInt64 : kInt32, 3);
}
Operator scattered_bytes(std::uint64_t n, DataType type) {
  if (n <= kMostWalkedOver) return scattered(type, {n}, 0, kInt64, 3);
  Scatter op = scattered(type, {2, 5}, 0, kInt32, 1);
  (n % 2 == 0 ? op.input : op.output) = two_rows_apart(n, 5);
  return op;
}
Operator scattered_rows(std::uint64_t n, DataType type) {
  return scattered(type, {n, 3}, 1, kInt32, 1);
}
Operator scattered_indices(std::uint64_t n, DataType type) {
  return scattered(type, {n + 3}, 0, n % 2 == 0 ? kInt32 : kInt64, n);
}

}  // namespace

void add_large_cases(std::type_identity<Scatter> /*op*/, LargeFiles& files) {
  files.begin_file("large-tensors",
                   "the last block, strip or thread's part of a large tensor is lost",
                   "scatter.copy-input scatter.write-update");
  for (const Extent& extent : tensor_extents())
    files.add(scattered(extent.data_type, {extent.elements()}, 0, kInt64, 3), extent.id(),
              extent.text() + " are copied, of which the last two and the first are updated",
              counted_indices(extent.elements() - 2));
  add_updated_rows(files);
  add_updated_tables(files);
  add_updated_stacks(files);
  add_update_counts(files);
  add_far_updates(files);
}

std::vector<BoundaryWalk> boundary_walks(std::type_identity<Scatter> /*op*/) {
  constexpr std::string_view kMost = "scatter.copy-input scatter.write-update";
  constexpr std::string_view kUpdated = "scatter.write-update scatter.copy-input";
  return {
      {"elements", kMost,
       "{n} elements are copied, of which the last two and the first are updated",
       scattered_elements, false, 5, kMostWalkedOver, scattered_from_below},
      {"bytes", kMost, "{n} bytes are copied, of which few are updated", scattered_bytes, true, 5,
       kNoMost, scattered_from_second},
      {"rows", kMost, "one element of each of {n} rows is updated", scattered_rows, false, 5,
       kMostRows, scattered_from_second, true},
      {"indices", kUpdated, "{n} updates go to the elements from the fourth on", scattered_indices,
       false, 5, kMostRows, scattered_from_fourth},
  };
}

}  // namespace opconform::strength
