#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "harness/base/index.h"
#include "harness/base/layout.h"
#include "harness/coverage/bit_patterns.h"
#include "harness/coverage/index_classifier.h"
#include "harness/coverage/roles.h"
#include "harness/diagnosis/trait_reading.h"

namespace opconform::diagnosis {
namespace {

/// Up to so many elements, integers and indices are read one by one.
constexpr std::uint64_t kMostRead = std::uint64_t{1} << 16;

void read_strings(Topic topic, const TensorDesc& tensor, std::span<const std::byte> buffer,
                  TraitWriter& traits) {
  const std::size_t behind_names = coverage::bit_pattern_names(DataTypeKind::kString).size();
  base::for_each_address(tensor, [&](std::uint64_t offset) {
    StringElement element;
    std::memcpy(&element, buffer.data() + offset * sizeof element, sizeof element);
    if (element.size_bytes != 0 && std::memchr(element.bytes, 0, element.size_bytes) != nullptr)
      traits.add(topic, kind_value(DataTypeKind::kString, behind_names));
  });
}

/// The bits that an integer takes beside its sign.
int magnitude_bits(DataType type, const std::byte* element) {
  const std::size_t width = element_size_bytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, width);
  const std::uint64_t sign = std::uint64_t{1} << (width * 8 - 1);
  const bool is_negative = kind(type) == DataTypeKind::kSigned && (bits & sign) != 0;
  return static_cast<int>(std::bit_width(is_negative ? (sign - 1) & ~bits : bits));
}

void read_values(const TensorDesc& tensor, std::span<const std::byte> buffer, TraitWriter& traits) {
  read_patterns(Topic::kPattern, tensor, buffer, traits);
  const DataTypeKind of = kind(tensor.data_type);
  const bool are_integers = of == DataTypeKind::kSigned || of == DataTypeKind::kUnsigned;
  if (!are_integers || extent_elements(tensor).value_or(kMostRead) >= kMostRead) return;
  int most = 0;
  base::for_each_address(tensor, [&](std::uint64_t offset) {
    most = std::max(most, magnitude_bits(tensor.data_type,
                                         buffer.data() + offset * tensor.element_size_bytes()));
  });
  traits.add(Topic::kMagnitude, most);
}

class IndexReader {
 public:
  IndexReader(const TensorDesc& tensor, std::uint64_t size,
              std::optional<std::size_t> line_dimension, TraitWriter& traits)
      : tensor_(tensor), size_(size), line_dimension_(line_dimension), traits_(traits) {}

  void read(const std::vector<base::Index>& indices) {
    if (indices.empty()) return;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t largest = std::numeric_limits<std::int64_t>::min();
    for (const base::Index& index : indices) {
      const bool fits = index.is_negative || index.bits >> 63U == 0;
      const std::int64_t value =
          fits ? static_cast<std::int64_t>(index.bits) : std::numeric_limits<std::int64_t>::max();
      least = std::min(least, value);
      largest = std::max(largest, value);
      read_one(index);
    }
    traits_.add(Topic::kIndex, least);
    traits_.add(Topic::kIndex, largest);
    if (least < 0) read_negative(indices);
    const auto outside =
        std::find_if(indices.begin(), indices.end(),
                     [&](const base::Index& index) { return !base::resolve(index, size_); });
    if (outside != indices.end()) {
      add(IndexShape::kOutside);
      traits_.add(Topic::kFirstOutside, outside - indices.begin());
    }
    read_rows(indices);
  }

 private:
  void add(IndexShape shape) { traits_.add(Topic::kIndexShape, shape); }

  void read_one(const base::Index& index) {
    const std::uint64_t back = ~index.bits + 1;
    if (!index.is_negative && index.bits == size_) add(IndexShape::kSize);
    if (index.is_negative && back == size_) add(IndexShape::kMinusSize);
    if (index.is_negative && back > size_) add(IndexShape::kBelowMinusSize);
    if (index.is_negative && back == 1) add(IndexShape::kMinusOne);
    if (base::resolve(index, size_)) return;
    for (const unsigned bits : {16U, 32U})
      if (is_inside_in(bits, index.bits)) traits_.add(Topic::kLowBits, bits);
  }
  /// Are so many low bits an index in range, with a sign or without?
  [[nodiscard]] bool is_inside_in(unsigned bits, std::uint64_t value) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t low = value & mask;
    const bool has_sign = low >> (bits - 1) != 0;
    return low < size_ || (has_sign && base::resolve({low | ~mask, true}, size_));
  }

  void read_negative(const std::vector<base::Index>& indices) {
    add(IndexShape::kSomeNegative);
    std::uint64_t length = 1;
    std::uint64_t behind = 1;
    if (line_dimension_) {
      length = tensor_.sizes[*line_dimension_];
      for (std::size_t i = *line_dimension_ + 1; i < tensor_.rank(); ++i)
        behind *= tensor_.sizes[i];
    }
    // By line, which is what two indices must share to name one element, and by place in it.
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> are_negative;
    for (std::uint64_t i = 0; i < indices.size(); ++i) {
      const base::Coordinate place = base::resolve(indices[i], size_);
      if (!place) continue;
      const std::uint64_t line = i / (behind * length) * behind + i % behind;
      bool& is = are_negative.try_emplace({line, *place}, true).first->second;
      is = is && indices[i].is_negative;
    }
    if (std::any_of(are_negative.begin(), are_negative.end(),
                    [](const auto& one) { return one.second; }))
      add(IndexShape::kOnlyNegative);
  }

  void read_rows(const std::vector<base::Index>& indices) {
    if (tensor_.rank() < 2) return;
    const std::uint64_t row = tensor_.sizes[tensor_.rank() - 1];
    for (std::uint64_t i = row; i < indices.size(); ++i)
      if (indices[i].bits != indices[i - row].bits) return add(IndexShape::kUnequalRows);
  }

  const TensorDesc& tensor_;
  std::uint64_t size_;
  std::optional<std::size_t> line_dimension_;
  TraitWriter& traits_;
};

void read_indices(const Operator& op, const TensorDesc& tensor, std::span<const std::byte> buffer,
                  TraitWriter& traits) {
  const std::optional<std::uint64_t> size = indexed_size(op);
  if (!size) return;
  const std::optional<std::size_t> line_dimension = coverage::line_dimension(op);
  coverage::IndexClassifier classifier;
  coverage::ClassSet classes = classifier.classify(tensor, line_dimension, *size, buffer);
  for (std::size_t i = 0; classes != 0; ++i, classes >>= 1)
    if ((classes & 1U) != 0) traits.add(Topic::kIndexShape, i);
  if (element_count(tensor.sizes).value_or(kMostRead) < kMostRead)
    IndexReader(tensor, *size, line_dimension, traits).read(base::read_indices(tensor, buffer));
}

}  // namespace

void read_patterns(Topic topic, const TensorDesc& tensor, std::span<const std::byte> buffer,
                   TraitWriter& traits) {
  const DataTypeKind of = kind(tensor.data_type);
  coverage::ClassSet patterns =
      coverage::bit_patterns(tensor, coverage::layout_classes(tensor), buffer);
  for (std::size_t i = 0; patterns != 0; ++i, patterns >>= 1)
    if ((patterns & 1U) != 0) traits.add(topic, kind_value(of, i));
  if (of == DataTypeKind::kString) read_strings(topic, tensor, buffer, traits);
}

void read_contents(const cases::Case& one, const cases::TensorList& tensors,
                   std::span<const std::span<const std::byte>> inputs, TraitWriter& traits) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    if (has_empty_dimension(tensor.desc)) continue;
    if (tensor.field.content == Content::kIndices)
      read_indices(one.op, tensor.desc, inputs[i], traits);
    else
      read_values(tensor.desc, inputs[i], traits);
  }
}

}  // namespace opconform::diagnosis
