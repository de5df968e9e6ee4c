#include "harness/strength/large_parts.h"

namespace opconform::strength {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view sentence, const Words& words) {
  std::string text(sentence);
  for (const auto& [name, word] : words)
    text.replace(text.find("{" + name + "}"), name.size() + 2, word);
  return text;
}

/// Makes cases of wholes and their packed parts.
class PartCases {
 public:
  PartCases(const PartTexts& texts, LargeFiles& files) : texts_(texts), files_(files) {}

  void add_tensors() {
    begin("large-tensors", "the last block, strip or thread's part of a large tensor is lost");
    for (const Extent& extent : tensor_extents())
      add(packed_tensor(extent.data_type, {extent.elements() + 4}), 0, {1, extent.elements(), 3},
          extent.id(), filled(texts_.tensor, {{"extent", extent.text()}}));
  }

  void add_rows() {
    begin("large-rows", "the end of a row behind its last whole block is lost");
    for (const Extent& row : row_extents()) {
      const std::uint64_t width = row.elements();
      const std::uint64_t height = row_count(row);
      const Words words = {{"count", std::to_string(height)}, {"extent", row.text()}};
      const TensorDesc whole = packed_tensor(row.data_type, {height, width + 3});
      std::vector<TensorDesc> parts = packed_parts(whole, 1, {1, width, 2});
      files_.add(texts_.make(whole, parts, 1), row.id(), filled(texts_.rows, words));
      parts[1] = padded_rows(row.data_type, parts[1].sizes, 1);
      files_.add(texts_.make(padded_rows(row.data_type, whole.sizes, 5), parts, 1),
                 row.id() + "-padded", filled(texts_.padded_rows, words));
    }
  }

  void add_tables() {
    begin("large-transposes", "what is left over of tiles in both directions is lost");
    for (const Table& table : kOddTables)
      for (const std::uint32_t axis : {0U, 1U}) {
        const std::uint64_t size = axis == 0 ? table.height : table.width;
        add(column_major(table), axis, {size / 2, size - size / 2},
            table.id() + "-axis-" + std::to_string(axis),
            filled(texts_.table, {{"extent", table.text()}, {"axis", std::to_string(axis)}}));
      }
  }

  void add_stacks() {
    begin("large-permutes", "blocks of short runs take more room than was set aside for them");
    for (const Stack& stack : kOddStacks)
      add(runs_outermost(stack), 1, {stack.lines / 2, stack.lines - stack.lines / 2}, stack.id(),
          filled(texts_.stack, {{"extent", stack.text()}}));
    constexpr std::uint64_t kFirst = kInterleavedRows - 7;
    files_.add(texts_.make(interleaved_runs(kInterleavedRows),
                           {interleaved_runs(kFirst), interleaved_runs(7)}, 0),
               "interleaved", std::string(texts_.interleaved));
  }

  void add_counts() {
    begin("large-counts", texts_.counts_hunt);
    for (std::size_t number = 0; number < std::size(kPartCounts); ++number) {
      const std::uint64_t count = kPartCounts[number];
      const std::uint32_t axis = number % 2;
      std::vector<std::uint64_t> sizes(count, 1);
      for (std::size_t i = 0; i < count; i += 2) sizes[i] = 2;
      const std::uint64_t size = count + (count + 1) / 2;
      const Dims table = axis == 0 ? Dims{size, 67} : Dims{65, size};
      add(packed_tensor(DataType::kUint16, table), axis, sizes,
          std::to_string(count) + "-" + std::string(texts_.parts) + "-axis-" + std::to_string(axis),
          filled(texts_.counts,
                 {{"count", std::to_string(count)}, {"axis", std::to_string(axis)}}));
    }
  }

  void add_starts() {
    begin("large-starts", texts_.starts_hunt);
    for (const std::uint64_t start : far_starts())
      add(packed_tensor(DataType::kUint8, {start + 70}), 0, {start, 69, 1}, "at-" + count_id(start),
          filled(texts_.start, {{"place", count_text(start)}}));
    for (const std::uint64_t bound : {kFarBounds[0], kFarBounds[1]})
      add(packed_tensor(DataType::kUint16, {bound + 5, 3}), 0, {bound - 1, 4, 2},
          "row-" + count_id(bound - 1),
          filled(texts_.start, {{"place", "row " + count_text(bound - 1)}}));
  }

  void add_lengths() {
    begin("large-dimensions", "dimensions of many elements are counted in too few bits");
    for (const std::uint64_t count : kLongDimensions) {
      const Words words = {{"count", count_text(count)}};
      add(packed_tensor(DataType::kUint8, {count, 4}), 1, {1, 3}, "rows-" + count_id(count),
          filled(texts_.columns, words));
      add(packed_tensor(DataType::kUint16, {2, count, 3}), 1, {count - 5, 5},
          "middle-" + count_id(count), filled(texts_.middle, words));
    }
    // More than is kept in caches: some code stores that past them, and makes it elsewhere first.
    constexpr std::uint64_t kFar = (std::uint64_t{7} << 19) + 1;
    add(packed_tensor(DataType::kUint32, {kFar, 4}), 1, {1, 3}, "rows-" + std::to_string(kFar),
        filled(texts_.far_columns, {{"count", std::to_string(kFar)}}));
  }

 private:
  using PartSizes = std::vector<std::uint64_t>;  // along the axis

  void begin(const std::string& name, std::string_view hunts) {
    files_.begin_file(name, std::string(hunts), texts_.rule);
  }
  void add(const TensorDesc& whole, std::uint32_t axis, const PartSizes& sizes,
           const std::string& id, std::string says) {
    files_.add(texts_.make(whole, packed_parts(whole, axis, sizes), axis), id, std::move(says));
  }
  static std::vector<TensorDesc> packed_parts(const TensorDesc& whole, std::uint32_t axis,
                                              const PartSizes& sizes) {
    std::vector<TensorDesc> parts;
    for (const std::uint64_t size : sizes) parts.push_back(part_of(whole, axis, size));
    return parts;
  }

  const PartTexts& texts_;
  LargeFiles& files_;
};

}  // namespace

TensorDesc part_of(const TensorDesc& whole, std::uint32_t axis, std::uint64_t size) {
  Dims sizes = whole.sizes;
  sizes[axis] = size;
  return packed_tensor(whole.data_type, sizes);
}

void add_large_parts(const PartTexts& texts, LargeFiles& files) {
  PartCases cases(texts, files);
  cases.add_tensors();
  cases.add_rows();
  cases.add_tables();
  cases.add_stacks();
  cases.add_counts();
  cases.add_starts();
  cases.add_lengths();
}

}  // namespace opconform::strength
