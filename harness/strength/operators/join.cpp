// Joins of large tensors.

#include "harness/strength/large_cases.h"

namespace opconform::strength {
namespace {

/// Packed inputs of those sizes along the axis.
DmlJoin joined(TensorDesc output, std::uint32_t axis, std::span<const std::uint64_t> sizes) {
  DmlJoin op;
  op.axis = axis;
  for (const std::uint64_t size : sizes) {
    Dims part = output.sizes;
    part[axis] = size;
    op.inputs.push_back(packed_tensor(output.data_type, part));
  }
  op.output = std::move(output);
  return op;
}
DmlJoin joined(TensorDesc output, std::uint32_t axis, std::initializer_list<std::uint64_t> sizes) {
  return joined(std::move(output), axis, std::span(sizes.begin(), sizes.size()));
}

void add_joined_rows(LargeFiles& files) {
  files.begin_file("large-rows", "the end of a row behind its last whole block is lost",
                   "join.concatenation");
  for (const Extent& row : row_extents()) {
    const std::uint64_t width = row.elements();
    const std::uint64_t height = row_count(row);
    const std::string rows = "to each of " + std::to_string(height) + " rows of one element, ";
    DmlJoin op = joined(packed_tensor(row.data_type, {height, width + 3}), 1, {1, width, 2});
    files.add(op, row.id(), rows + row.text() + " and two are joined");
    op.output = padded_rows(row.data_type, op.output.sizes, 5);
    op.inputs[1] = padded_rows(row.data_type, op.inputs[1].sizes, 1);
    files.add(op, row.id() + "-padded",
              rows + row.text() + " and two are joined, with gaps behind both");
  }
}

void add_joined_tables(LargeFiles& files) {
  files.begin_file("large-transposes", "what is left over of tiles in both directions is lost",
                   "join.concatenation");
  for (const Table& table : kOddTables)
    for (const std::uint32_t axis : {0U, 1U}) {
      const std::uint64_t size = axis == 0 ? table.height : table.width;
      files.add(joined(column_major(table), axis, {size / 2, size - size / 2}),
                table.id() + "-axis-" + std::to_string(axis),
                "two tables that are stored by rows are joined along axis " + std::to_string(axis) +
                    " to " + table.text() + " that is stored by columns");
    }
}

void add_joined_counts(LargeFiles& files) {
  files.begin_file("large-counts", "inputs behind a limit of bindings or of a counter are lost",
                   "join.concatenation");
  for (std::size_t number = 0; number < std::size(kPartCounts); ++number) {
    const std::uint64_t count = kPartCounts[number];
    const std::uint32_t axis = number % 2;
    std::vector<std::uint64_t> sizes(count, 1);
    for (std::size_t i = 0; i < count; i += 2) sizes[i] = 2;
    const std::uint64_t size = count + (count + 1) / 2;
    const Dims table = axis == 0 ? Dims{size, 67} : Dims{65, size};
    files.add(joined(packed_tensor(DataType::kUint16, table), axis, sizes),
              std::to_string(count) + "-inputs-axis-" + std::to_string(axis),
              std::to_string(count) + " inputs of two and one in turn are joined along axis " +
                  std::to_string(axis));
  }
}

void add_joined_starts(LargeFiles& files) {
  files.begin_file("large-starts", "where an input goes is kept in 16, 20 or 24 bits, or as float",
                   "join.concatenation");
  for (const std::uint64_t start : far_starts())
    files.add(joined(packed_tensor(DataType::kUint8, {start + 70}), 0, {start, 69, 1}),
              "at-" + count_id(start), "the second input goes to " + count_text(start));
  for (const std::uint64_t bound : {kFarBounds[0], kFarBounds[1]})
    files.add(joined(packed_tensor(DataType::kUint16, {bound + 5, 3}), 0, {bound - 1, 4, 2}),
              "row-" + count_id(bound - 1),
              "the second input goes to row " + count_text(bound - 1));
}

void add_joined_lengths(LargeFiles& files) {
  files.begin_file("large-dimensions", "dimensions of many elements are counted in too few bits",
                   "join.concatenation");
  for (const std::uint64_t count : kLongDimensions) {
    files.add(joined(packed_tensor(DataType::kUint8, {count, 4}), 1, {1, 3}),
              "rows-" + count_id(count), count_text(count) + " rows are joined to rows of 4 bytes");
    files.add(joined(packed_tensor(DataType::kUint16, {2, count, 3}), 1, {count - 5, 5}),
              "middle-" + count_id(count),
              "a dimension of " + count_text(count) + " elements between two others is joined");
  }
}

}  // namespace

void add_large_cases(std::type_identity<DmlJoin> /*op*/, LargeFiles& files) {
  files.begin_file("large-tensors",
                   "the last block, strip or thread's part of a large tensor is lost",
                   "join.concatenation");
  for (const Extent& extent : tensor_extents())
    files.add(joined(packed_tensor(extent.data_type, {extent.elements() + 4}), 0,
                     {1, extent.elements(), 3}),
              extent.id(), "one element, " + extent.text() + " and three are joined");
  add_joined_rows(files);
  add_joined_tables(files);
  add_joined_counts(files);
  add_joined_starts(files);
  add_joined_lengths(files);
}

}  // namespace opconform::strength
