#include "harness/strength/large_cases.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "harness/strength/corpus.h"
#include "harness/strength/large_combinations.h"

namespace opconform::strength {
namespace {

constexpr auto k8 = DataType::kUint8;
constexpr auto k16 = DataType::kUint16;
constexpr auto k32 = DataType::kUint32;
constexpr auto k64 = DataType::kUint64;

// The reference moves element by element: the more bytes, the wider they are.
constexpr Extent kTensorExtents[] = {
    {64 * kKibibyte, -1, k8},   {64 * kKibibyte, 0, k16},   {64 * kKibibyte, 1, k8},
    {64 * kKibibyte, 3, k64},   {512 * kKibibyte, -1, k16}, {512 * kKibibyte, 0, k32},
    {512 * kKibibyte, 1, k8},   {512 * kKibibyte, 7, k64},  {kMebibyte, -1, k32},
    {kMebibyte, 0, k8},         {kMebibyte, 1, k16},        {kMebibyte, 17, k8},
    {8 * kMebibyte, -1, k64},   {8 * kMebibyte, 0, k64},    {8 * kMebibyte, 1, k32},
    {32 * kMebibyte, -1, k64},  {32 * kMebibyte, 1, k64},   {64 * kMebibyte, 1, k64},
    {128 * kMebibyte, -3, k64}, {kMebibyte, 3, k8},
};
constexpr Extent kRowExtents[] = {
    {kKibibyte, 1, k8},       {kKibibyte, -1, k16},       {4 * kKibibyte, 3, k32},
    {16 * kKibibyte, 1, k16}, {16 * kKibibyte, -1, k64},  {64 * kKibibyte, 1, k8},
    {64 * kKibibyte, 5, k32}, {256 * kKibibyte, -1, k16}, {256 * kKibibyte, 1, k64},
    {kMebibyte, 1, k8},       {kMebibyte, -1, k32},       {kMebibyte, 7, k64},
};

std::string bytes_text(std::uint64_t bytes, char between) {
  const bool is_mebi = bytes % kMebibyte == 0;
  return std::to_string(bytes / (is_mebi ? kMebibyte : kKibibyte)) + between +
         (is_mebi ? (between == '-' ? "mib" : "MiB") : (between == '-' ? "kib" : "KiB"));
}

/// How far a number is from a power of two of at least 2^16, where it is close to one.
struct NearPower {
  int exponent;
  std::int64_t more;
};
std::optional<NearPower> near_power(std::uint64_t count) {
  constexpr std::int64_t kClose = 64;
  const std::uint64_t power = std::bit_floor(count + kClose);
  const auto more = static_cast<std::int64_t>(count - power);
  if (power < 1U << 16 || more > kClose) return std::nullopt;
  return NearPower{std::countr_zero(power), more};
}

}  // namespace

std::uint64_t Extent::elements() const {
  return bytes / element_size_bytes(data_type) +
         static_cast<std::uint64_t>(std::int64_t{more_elements});
}

std::string Extent::id() const {
  std::string text = bytes_text(bytes, '-');
  if (more_elements != 0)
    text += (more_elements < 0 ? "-less-" : "-and-") + std::to_string(std::abs(more_elements));
  return text + "-" + type_id(data_type);
}

std::string Extent::text() const {
  std::string text = bytes_text(bytes, ' ');
  if (more_elements != 0)
    text += (more_elements < 0 ? " less " : " and ") + std::to_string(std::abs(more_elements)) +
            (std::abs(more_elements) == 1 ? " element" : " elements");
  return text + " of " + type_id(data_type);
}

std::span<const Extent> tensor_extents() { return kTensorExtents; }
std::span<const Extent> row_extents() { return kRowExtents; }
std::uint64_t row_count(const Extent& row) {
  return std::max<std::uint64_t>(kMebibyte / row.bytes, 2) + 1;
}

std::vector<std::uint64_t> far_starts() {
  std::vector<std::uint64_t> starts;
  for (const std::uint64_t bound : kFarBounds) {
    if (bound < kFarBounds[2]) starts.insert(starts.end(), {bound - 1, bound});
    starts.push_back(bound + 1);
  }
  return starts;
}

std::string Table::id() const {
  return std::to_string(height) + "-by-" + std::to_string(width) + "-" + type_id(data_type);
}
std::string Table::text() const {
  return "a table of " + std::to_string(height) + " x " + std::to_string(width) + " elements of " +
         type_id(data_type);
}

std::string Stack::id() const {
  return std::to_string(planes) + "-by-" + std::to_string(lines) + "-by-" + std::to_string(runs) +
         "-by-" + std::to_string(run) + "-" + type_id(data_type);
}
std::string Stack::text() const {
  const std::string elements =
      run == 1 ? " elements of " : " runs of " + std::to_string(run) + " elements of ";
  return std::to_string(planes) + " planes of " + std::to_string(lines) + " lines of " +
         std::to_string(runs) + elements + type_id(data_type);
}

std::string count_id(std::uint64_t count) {
  const std::optional<NearPower> near = near_power(count);
  if (!near) return std::to_string(count);
  std::string text = "2-to-" + std::to_string(near->exponent);
  if (near->more != 0)
    text += (near->more < 0 ? "-less-" : "-and-") + std::to_string(std::abs(near->more));
  return text;
}

std::string count_text(std::uint64_t count) {
  const std::optional<NearPower> near = near_power(count);
  if (!near) return std::to_string(count);
  std::string text = "2^" + std::to_string(near->exponent);
  if (near->more != 0)
    text += (near->more < 0 ? " - " : " + ") + std::to_string(std::abs(near->more));
  return text;
}

std::string type_id(DataType type) { return std::string(name(type, Dialect::kOnnx)); }

cases::Contents counted_indices(std::uint64_t first) {
  return {.kind = cases::Contents::Kind::kIota, .seed = first};
}
cases::Contents random_indices() { return {.kind = cases::Contents::Kind::kRandom, .seed = 1}; }

cases::Contents with_exceptions(cases::Contents indices, DataType type,
                                std::span<const IndexAt> exceptions) {
  for (const auto& [offset, index] : exceptions) {
    indices.except.push_back(offset);
    const std::size_t at = indices.bytes.size();
    indices.bytes.resize(at + element_size_bytes(type));
    // The low bytes, which come first.
    std::memcpy(indices.bytes.data() + at, &index, element_size_bytes(type));
  }
  return indices;
}

TensorDesc padded_rows(DataType type, const Dims& sizes, std::uint64_t gap) {
  Dims wider = sizes;
  wider.back() += gap;
  return strided_tensor(type, sizes, packed_strides(wider));
}
TensorDesc column_major(const Table& table) {
  return strided_tensor(table.data_type, {table.height, table.width}, {1, table.height});
}
TensorDesc runs_outermost(const Stack& stack) {
  const std::uint64_t line = stack.lines * stack.run;
  return strided_tensor(stack.data_type, stack.sizes(), {line, stack.run, stack.planes * line, 1});
}
TensorDesc interleaved_runs(std::uint64_t rows) {
  // In runs: of the 255 places of a row 17 lie one before the other, and 15 of them 17 apart.
  constexpr std::uint64_t kRun = 31;
  constexpr std::uint64_t kRuns = std::uint64_t{17} * 15;
  return strided_tensor(DataType::kUint8, {rows, 17, 15, kRun},
                        {kRuns * kRun, (kRuns - 1) * kRun, (kRuns - 17) * kRun, 1});
}

void LargeFiles::begin_file(const std::string& name, std::string hunts, std::string_view rules) {
  name_ = name;
  rules_.clear();
  for (std::size_t end = 0; !rules.empty(); rules.remove_prefix(std::min(end + 1, rules.size()))) {
    end = std::min(rules.find(' '), rules.size());
    rules_.emplace_back(rules.substr(0, end));
  }
  files_.push_back(
      {prefix_ + "/" + std::string(kGeneratedFolder) + "/" + name + ".json", std::move(hunts)});
}

void LargeFiles::add(Operator op, const std::string& id, std::string says,
                     const std::optional<cases::Contents>& indices) {
  cases::Case one;
  one.id = prefix_ + "/" + name_ + "/" + id;
  one.says = std::move(says);
  one.rules = rules_;
  one.label = kLargeLabel;
  one.operator_name = describe(op).name;
  one.version = Version::standard(describe(op).dialect);
  one.op = std::move(op);
  std::uint64_t seed = 0;
  for (const NamedTensor& tensor : cases::TensorList(one.op).inputs) {
    const bool has_indices = tensor.field.content == Content::kIndices;
    one.inputs.push_back(
        has_indices ? indices.value()
                    : cases::Contents{.kind = cases::Contents::Kind::kRandom, .seed = ++seed});
  }
  files_.back().cases.push_back(std::move(one));
}

std::vector<LargeFile> large_files() {
  std::vector<LargeFile> all;
  for_each_operator([&]<class Op>(std::type_identity<Op> op) {
    LargeFiles files{std::string(kRulePrefix<Op>)};
    add_large_cases(op, files);
    std::vector<LargeFile> own = files.take();
    std::move(own.begin(), own.end(), std::back_inserter(all));
  });
  for (std::size_t i = 0; i < all_operators().size(); ++i) all.push_back(large_combinations(i));
  return all;
}

}  // namespace opconform::strength
