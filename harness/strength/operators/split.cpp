// Splits of large tensors.

#include "harness/strength/large_cases.h"

namespace opconform::strength {
namespace {

/// Packed parts of those sizes along the axis.
Split parts_of(TensorDesc input, std::uint32_t axis, std::span<const std::uint64_t> sizes) {
  Split op;
  op.axis = axis;
  for (const std::uint64_t size : sizes) {
    Dims part = input.sizes;
    part[axis] = size;
    op.outputs.push_back(packed_tensor(input.data_type, part));
  }
  op.input = std::move(input);
  return op;
}
Split parts_of(TensorDesc input, std::uint32_t axis, std::initializer_list<std::uint64_t> sizes) {
  return parts_of(std::move(input), axis, std::span(sizes.begin(), sizes.size()));
}

void add_split_rows(LargeFiles& files) {
  files.begin_file("large-rows", "the end of a row behind its last whole block is lost",
                   "split.partition");
  for (const Extent& row : row_extents()) {
    const std::uint64_t width = row.elements();
    const std::uint64_t height = row_count(row);
    const std::string rows = std::to_string(height) + " rows";
    Split op = parts_of(packed_tensor(row.data_type, {height, width + 3}), 1, {1, width, 2});
    files.add(op, row.id(), rows + " are split into one element, " + row.text() + " and two");
    op.input = padded_rows(row.data_type, op.input.sizes, 5);
    op.outputs[1] = padded_rows(row.data_type, op.outputs[1].sizes, 1);
    files.add(op, row.id() + "-padded",
              rows + " with gaps behind them are split into one element, " + row.text() +
                  " and two, with gaps as well");
  }
}

void add_split_tables(LargeFiles& files) {
  files.begin_file("large-transposes", "what is left over of tiles in both directions is lost",
                   "split.partition");
  for (const Table& table : kOddTables)
    for (const std::uint32_t axis : {0U, 1U}) {
      const std::uint64_t size = axis == 0 ? table.height : table.width;
      files.add(parts_of(column_major(table), axis, {size / 2, size - size / 2}),
                table.id() + "-axis-" + std::to_string(axis),
                table.text() + " that is stored by columns is split along axis " +
                    std::to_string(axis) + " into two that are stored by rows");
    }
}

void add_split_counts(LargeFiles& files) {
  files.begin_file("large-counts", "outputs behind a limit of bindings or of a counter are lost",
                   "split.partition");
  for (std::size_t number = 0; number < std::size(kPartCounts); ++number) {
    const std::uint64_t count = kPartCounts[number];
    const std::uint32_t axis = number % 2;
    std::vector<std::uint64_t> sizes(count, 1);
    for (std::size_t i = 0; i < count; i += 2) sizes[i] = 2;
    const std::uint64_t size = count + (count + 1) / 2;
    const Dims table = axis == 0 ? Dims{size, 67} : Dims{65, size};
    files.add(parts_of(packed_tensor(DataType::kUint16, table), axis, sizes),
              std::to_string(count) + "-outputs-axis-" + std::to_string(axis),
              "a table is split along axis " + std::to_string(axis) + " into " +
                  std::to_string(count) + " outputs of two and one in turn");
  }
}

void add_split_starts(LargeFiles& files) {
  files.begin_file("large-starts",
                   "where an output starts is kept in 16, 20 or 24 bits, or as float",
                   "split.partition");
  for (const std::uint64_t start : far_starts())
    files.add(parts_of(packed_tensor(DataType::kUint8, {start + 70}), 0, {start, 69, 1}),
              "at-" + count_id(start), "the second output starts at " + count_text(start));
  for (const std::uint64_t bound : {kFarBounds[0], kFarBounds[1]})
    files.add(parts_of(packed_tensor(DataType::kUint16, {bound + 5, 3}), 0, {bound - 1, 4, 2}),
              "row-" + count_id(bound - 1),
              "the second output starts at row " + count_text(bound - 1));
}

void add_split_lengths(LargeFiles& files) {
  files.begin_file("large-dimensions", "dimensions of many elements are counted in too few bits",
                   "split.partition");
  for (const std::uint64_t count : kLongDimensions) {
    files.add(parts_of(packed_tensor(DataType::kUint8, {count, 4}), 1, {1, 3}),
              "rows-" + count_id(count), count_text(count) + " rows of 4 bytes are split");
    files.add(parts_of(packed_tensor(DataType::kUint16, {2, count, 3}), 1, {count - 5, 5}),
              "middle-" + count_id(count),
              "a dimension of " + count_text(count) + " elements between two others is split");
  }
}

}  // namespace

void add_large_cases(std::type_identity<Split> /*op*/, LargeFiles& files) {
  files.begin_file("large-tensors",
                   "the last block, strip or thread's part of a large tensor is lost",
                   "split.partition");
  for (const Extent& extent : tensor_extents())
    files.add(parts_of(packed_tensor(extent.data_type, {extent.elements() + 4}), 0,
                       {1, extent.elements(), 3}),
              extent.id(), "one element, " + extent.text() + " and three become outputs");
  add_split_rows(files);
  add_split_tables(files);
  add_split_counts(files);
  add_split_starts(files);
  add_split_lengths(files);
}

}  // namespace opconform::strength
