// Windows over large tensors.

#include "harness/strength/boundary_cases.h"
#include "harness/strength/large_cases.h"

namespace opconform::strength {
namespace {

/// One dimension of a window.
struct Window {
  std::uint64_t offset;
  std::uint64_t size;
  std::int32_t stride;
};

std::uint64_t copied(const Window& window) {
  const auto step = static_cast<std::uint64_t>(std::abs(std::int64_t{window.stride}));
  return (window.size + step - 1) / step;
}

/// The windows of an input, into a packed output.
Slice1 windows_of(TensorDesc input, std::initializer_list<Window> windows) {
  Slice1 op;
  Dims sizes;
  for (const Window& window : windows) {
    op.window_offsets.push_back(static_cast<std::uint32_t>(window.offset));
    op.window_sizes.push_back(static_cast<std::uint32_t>(window.size));
    op.window_strides.push_back(window.stride);
    sizes.push_back(copied(window));
  }
  op.output = packed_tensor(input.data_type, sizes);
  op.input = std::move(input);
  return op;
}

void add_window_rows(LargeFiles& files) {
  files.begin_file("large-rows", "the end of a row behind its last whole block is lost",
                   "slice1.copy slice1.copy-start");
  for (const Extent& row : row_extents()) {
    const std::uint64_t width = row.elements();
    const std::uint64_t height = row_count(row);
    const Window rows{1, height, 1};
    files.add(
        windows_of(packed_tensor(row.data_type, {height + 2, width + 2}), {rows, {1, width, 1}}),
        row.id(), "each of " + std::to_string(height) + " rows of " + row.text() + " is moved");
    Slice1 mirrored =
        windows_of(packed_tensor(row.data_type, {height + 2, width + 2}), {rows, {1, width, -1}});
    mirrored.output = padded_rows(row.data_type, mirrored.output.sizes, 3);
    files.add(mirrored, row.id() + "-mirrored",
              "each of " + std::to_string(height) + " rows of " + row.text() +
                  " is reversed, into rows with gaps behind them");
  }
}

void add_transposed_windows(LargeFiles& files) {
  files.begin_file("large-transposes", "what is left over of tiles in both directions is lost",
                   "slice1.copy slice1.copy-start");
  for (const Table& table : kOddTables) {
    const std::string text = table.text() + " that is stored by columns is written by rows";
    const TensorDesc input = column_major(table);
    files.add(windows_of(input, {{0, table.height, 1}, {0, table.width, 1}}), table.id(), text);
    files.add(windows_of(input, {{1, table.height - 1, 1}, {0, table.width, -1}}),
              table.id() + "-mirrored", text + ", the last column first");
  }
}

void add_permuted_windows(LargeFiles& files) {
  files.begin_file("large-permutes",
                   "blocks of short runs take more room than was set aside for them",
                   "slice1.copy slice1.copy-start");
  for (const Stack& stack : kOddStacks)
    for (const std::int32_t stride : {1, -1}) {
      // A line more than is moved: the runs lie apart in the input, too.
      Slice1 op = windows_of(
          packed_tensor(stack.data_type, {stack.planes, stack.lines + 1, stack.runs, stack.run}),
          {{0, stack.planes, stride}, {0, stack.lines, 1}, {0, stack.runs, 1}, {0, stack.run, 1}});
      op.output = runs_outermost(stack);
      files.add(op, stack.id() + (stride < 0 ? "-mirrored" : ""),
                stack.text() + " are stored column by column" +
                    (stride < 0 ? ", the last plane first" : ""));
    }
  for (const std::int32_t stride : {1, -1}) {
    const TensorDesc output = interleaved_runs(kInterleavedRows);
    Slice1 op =
        windows_of(packed_tensor(output.data_type, output.sizes), {{0, output.sizes[0], stride},
                                                                   {0, output.sizes[1], 1},
                                                                   {0, output.sizes[2], 1},
                                                                   {0, output.sizes[3], 1}});
    op.output = output;
    files.add(op, stride < 0 ? "interleaved-mirrored" : "interleaved",
              std::string("rows of runs that lie between those of other rows are written") +
                  (stride < 0 ? ", the last row first" : ""));
  }
}

void add_steps(LargeFiles& files) {
  files.begin_file("large-steps", "a step of many elements, or the last step of many, is cut",
                   "slice1.copy slice1.copy-start");
  constexpr std::uint64_t kSize = (std::uint64_t{1} << 21) + 3;
  std::size_t number = 0;
  for (const std::int32_t step : {2, 3, 255, 257, 1023, 32769, 65535, 65537, (1 << 20) + 1})
    for (const int sign : {1, -1}) {
      const DataType type = kUnsignedTypes[number++ % std::size(kUnsignedTypes)];
      const Window window{1, kSize - 1, sign * step};
      files.add(windows_of(packed_tensor(type, {kSize}), {window}),
                (sign < 0 ? "back-by-" : "by-") + std::to_string(step),
                count_text(copied(window)) + " elements lie " + std::to_string(step) +
                    " apart, from the " + (sign < 0 ? "last backward" : "second on"));
    }
}

void add_starts(LargeFiles& files) {
  files.begin_file("large-starts",
                   "where a window starts is kept in 16, 20 or 24 bits, or as float",
                   "slice1.copy-start slice1.copy");
  for (const std::uint64_t start : far_starts()) {
    const TensorDesc input = packed_tensor(DataType::kUint8, {start + 1003});
    files.add(windows_of(input, {{start, 1001, 1}}), "at-" + count_id(start),
              "a window starts at " + count_text(start));
    files.add(windows_of(input, {{start, 1001, -2}}), "behind-" + count_id(start),
              "a window that starts at " + count_text(start) + " is followed backward by twos");
  }
  for (const std::uint64_t bound : {kFarBounds[0], kFarBounds[1]})
    files.add(windows_of(packed_tensor(DataType::kUint16, {bound + 5, 3}),
                         {{bound - 2, 7, 1}, {1, 2, 1}}),
              "row-" + count_id(bound - 2), "a window starts at row " + count_text(bound - 2));
}

void add_row_counts(LargeFiles& files) {
  files.begin_file("large-counts", "dimensions of many elements are counted in too few bits",
                   "slice1.copy slice1.copy-start");
  for (const std::uint64_t count : kLongDimensions) {
    files.add(windows_of(packed_tensor(DataType::kUint8, {count, 4}), {{0, count, 1}, {1, 3, -1}}),
              "rows-" + count_id(count), count_text(count) + " rows of 3 bytes are reversed");
    files.add(windows_of(packed_tensor(DataType::kUint16, {3, count, 3}),
                         {{1, 2, 1}, {0, count, -1}, {0, 2, 1}}),
              "middle-" + count_id(count),
              "a dimension of " + count_text(count) + " elements between two others is reversed");
  }
}

// Of the walks over boundaries.

Operator window_of_elements(std::uint64_t n, DataType type) {
  if (n > kMostWalkedOver) return windows_of(packed_tensor(type, {n}), {{n - 9, 9, -2}});
  return windows_of(packed_tensor(type, {n + 1}), {{1, n, n % 2 == 0 ? 1 : -1}});
}
Operator window_of_bytes(std::uint64_t n, DataType type) {
  if (n <= kMostWalkedOver) return windows_of(packed_tensor(type, {n}), {{0, n, 1}});
  return windows_of(two_rows_apart(n, 6), {{0, 2, -1}, {1, 5, 2}});
}
Operator window_of_rows(std::uint64_t n, DataType type) {
  if (n > kMostRows) return windows_of(packed_tensor(type, {n, 1}), {{n - 5, 5, -1}, {0, 1, 1}});
  return windows_of(packed_tensor(type, {n, 3}), {{0, n, 1}, {1, 2, -1}});
}
Operator window_of_offsets(std::uint64_t n, DataType type) {
  return windows_of(packed_tensor(type, {n + 9}), {{n, 7, n % 2 == 0 ? 2 : -2}});
}
Operator window_of_steps(std::uint64_t n, DataType type) {
  // Three elements, where a window has room for them.
  const std::uint64_t size = n < std::uint64_t{1} << 30 ? 2 * n + 1 : n + 1;
  const auto step = static_cast<std::int64_t>(n);
  return windows_of(packed_tensor(type, {size + 2}),
                    {{1, size, static_cast<std::int32_t>(n % 2 == 0 ? -step : step)}});
}

}  // namespace

void add_large_cases(std::type_identity<Slice1> /*op*/, LargeFiles& files) {
  files.begin_file("large-tensors",
                   "the last block, strip or thread's part of a large tensor is lost",
                   "slice1.copy slice1.copy-start");
  for (const Extent& extent : tensor_extents())
    files.add(windows_of(packed_tensor(extent.data_type, {extent.elements() + 1}),
                         {{1, extent.elements(), 1}}),
              extent.id(), extent.text() + " are copied from the second element on");
  constexpr Extent kLargest{256 * kMebibyte, 1, DataType::kUint64};
  files.add(windows_of(packed_tensor(kLargest.data_type, {kLargest.elements()}),
                       {{0, kLargest.elements(), -1}}),
            kLargest.id() + "-mirrored", kLargest.text() + " are reversed");
  add_window_rows(files);
  add_transposed_windows(files);
  add_permuted_windows(files);
  add_steps(files);
  add_starts(files);
  add_row_counts(files);
}

std::vector<BoundaryWalk> boundary_walks(std::type_identity<Slice1> /*op*/) {
  constexpr std::string_view kCopied = "slice1.copy slice1.copy-start";
  constexpr std::string_view kOfRows = "a window is taken of a table of {n} rows";
  constexpr std::uint64_t kMostStep = std::uint64_t{1} << 31;  // of 32 bits with a sign, backward
  return {
      {"elements", kCopied, "a window reaches to the end of {n} elements", window_of_elements},
      {"bytes", "slice1.copy tensor.offset", "a window is taken of {n} bytes", window_of_bytes,
       true},
      {"rows", kCopied, kOfRows, window_of_rows, false, 5, kMostLarge},
      {"rows", kCopied, kOfRows, window_of_rows, false, 21},
      {"offsets", "slice1.copy-start slice1.copy", "a window starts at {n}", window_of_offsets,
       true, 4},
      {"steps", kCopied, "the elements of a window lie {n} apart", window_of_steps, false, 4,
       kMostStep},
  };
}

}  // namespace opconform::strength
