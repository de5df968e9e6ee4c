// Cases of the label `large`: sizes around the bounds of vectors, blocks, caches and counters, from
// 64 KiB to 256 MiB. Their files stay small, for contents are patterns, and what conforms is what
// the reference says. What an operator does with the sizes stands in operators/OPERATOR.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::strength {

inline constexpr std::string_view kLargeLabel = "large";

/// A generated file of labelled cases.
struct LargeFile {
  std::string path;  ///< below the folder of the cases
  std::string hunts;
  std::vector<cases::Case> cases{};
};

/// All of them. They depend on nothing: each call makes the same.
[[nodiscard]] std::vector<LargeFile> large_files();

inline constexpr std::uint64_t kKibibyte = std::uint64_t{1} << 10;
inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// So many bytes, and a few elements more or fewer.
struct Extent {
  std::uint64_t bytes;
  int more_elements;
  DataType data_type;

  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] std::string id() const;    ///< "64-kib-less-1-uint8"
  [[nodiscard]] std::string text() const;  ///< "64 KiB less 1 element of uint8"
};
/// Whole tensors, up to 128 MiB.
[[nodiscard]] std::span<const Extent> tensor_extents();
/// Rows of 1 KiB to 1 MiB, with tails.
[[nodiscard]] std::span<const Extent> row_extents();
/// An odd number of such rows that are 1 MiB together, and at least three.
[[nodiscard]] std::uint64_t row_count(const Extent& row);

/// Numbers of things, around which counters and chunks end: 255 to 1,025.
inline constexpr std::uint64_t kPartCounts[] = {255, 256, 257, 1023, 1024, 1025};
/// The same for indices and updates: 1,025 to 2^20 + 1.
inline constexpr std::uint64_t kIndexCounts[] = {
    1025, 2048, 2049, 65535, 65536, 65537, (1U << 20) - 1, 1U << 20, (1U << 20) + 1};
/// Behind these, numbers of 16, 20 and 24 bits and the whole numbers of a float end.
inline constexpr std::uint64_t kFarBounds[] = {1U << 16, 1U << 20, 1U << 24};
/// Starts around them; of 2^24 the one that no float holds alone, because such tensors take long.
[[nodiscard]] std::vector<std::uint64_t> far_starts();
/// Dimensions of 2^16 and 2^20, and 1 more or fewer; of 2^20 one more alone.
inline constexpr std::uint64_t kLongDimensions[] = {65535, 65536, 65537, (1U << 20) + 1};

inline constexpr DataType kUnsignedTypes[] = {DataType::kUint8, DataType::kUint16,
                                              DataType::kUint32, DataType::kUint64};
/// What most indices are.
inline constexpr DataType kInt32 = DataType::kInt32;
inline constexpr DataType kInt64 = DataType::kInt64;
/// Odd in both directions: what is left over of tiles.
struct Table {
  std::uint64_t height;
  std::uint64_t width;
  DataType data_type;

  [[nodiscard]] std::string id() const;    ///< "1023-by-1025-uint8"
  [[nodiscard]] std::string text() const;  ///< "a table of 1023 x 1025 elements of uint8"
};
inline constexpr Table kOddTables[] = {
    {1023, 1025, DataType::kUint8}, {1023, 1025, DataType::kUint32}, {257, 4099, DataType::kUint16},
    {257, 4099, DataType::kUint64}, {4097, 259, DataType::kUint8},   {4097, 259, DataType::kUint32},
    {17, 65539, DataType::kUint16}, {4099, 259, DataType::kUint64}};

/// Lines of short runs, which are stored in one order and written in another.
struct Stack {
  std::uint64_t planes;
  std::uint64_t lines;
  std::uint64_t runs;
  std::uint64_t run;  ///< elements
  DataType data_type;

  [[nodiscard]] Dims sizes() const { return {planes, lines, runs, run}; }
  [[nodiscard]] std::string id() const;  ///< "512-by-15-by-4400-by-1-uint8"
  [[nodiscard]] std::string text()
      const;  ///< "257 planes of 5 lines of 347 runs of 3 elements of uint64"
};
inline constexpr Stack kOddStacks[] = {{512, 15, 4400, 1, DataType::kUint8},
                                       {333, 7, 1201, 1, DataType::kUint32},
                                       {257, 5, 347, 3, DataType::kUint64}};

/// 2^20 as "2-to-20", with what it is more or less: "2-to-20-and-1"; other numbers in digits.
[[nodiscard]] std::string count_id(std::uint64_t count);
/// The same in words: "2^20 + 1".
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "uint8"
[[nodiscard]] std::string type_id(DataType type);

/// Indices that count upward from `first`, and begin at 0 again behind the last element.
[[nodiscard]] cases::Contents counted_indices(std::uint64_t first);
[[nodiscard]] cases::Contents random_indices();
struct IndexAt {
  std::uint64_t offset;  ///< in elements of the buffer
  std::int64_t index;    ///< which the type can hold
};
/// Other indices at some offsets, which ascend.
[[nodiscard]] cases::Contents with_exceptions(cases::Contents indices, DataType type,
                                              std::span<const IndexAt> exceptions);

/// A tensor whose rows have `gap` elements behind them.
[[nodiscard]] TensorDesc padded_rows(DataType type, const Dims& sizes, std::uint64_t gap);
/// A table that is stored column by column.
[[nodiscard]] TensorDesc column_major(const Table& table);
/// A stack that is stored with the runs of a line apart: their dimension is the outermost.
[[nodiscard]] TensorDesc runs_outermost(const Stack& stack);
/// Rows of 17 x 15 runs of 31 bytes, which fill the tensor, though its strides are not nested: the
/// runs of a row lie between those of others.
[[nodiscard]] TensorDesc interleaved_runs(std::uint64_t rows);
inline constexpr std::uint64_t kInterleavedRows = 4400;

/// Collects the files of one operator.
class LargeFiles {
 public:
  explicit LargeFiles(std::string prefix) : prefix_(std::move(prefix)) {}
  /// Whose cases follow. `rules` are those that they are about, each but the first after a space.
  void begin_file(const std::string& name, std::string hunts, std::string_view rules);
  /// Values are random bits; `indices` is what a tensor of indices holds.
  void add(Operator op, const std::string& id, std::string says,
           const std::optional<cases::Contents>& indices = {});
  [[nodiscard]] std::vector<LargeFile> take() { return std::move(files_); }

 private:
  std::string prefix_;
  std::string name_;
  std::vector<std::string> rules_;
  std::vector<LargeFile> files_;
};

#define OPCONFORM_OPERATOR(file, Type, prefix) \
  void add_large_cases(std::type_identity<Type> op, LargeFiles& files);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::strength
