#include "harness/cases/contents.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/base/random.h"

namespace opconform::cases {
namespace {

/// The literal of a whole number, for the reader of elements: one place says how a value becomes
/// bits.
base::Json whole_number(std::uint64_t number, DataType type) {
  switch (kind(type)) {
    case DataTypeKind::kString:
      return std::to_string(number);
    case DataTypeKind::kBool:
      return number % 2 != 0;
    case DataTypeKind::kComplex:
      return base::Json::array({number, number});
    default:
      return number;
  }
}

/// Whole numbers from 0 up to here are exact in the type.
std::uint64_t exact_count(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return std::uint64_t{1} << 11;
    case DataType::kBfloat16:
      return std::uint64_t{1} << 8;
    case DataType::kFloat32:
    case DataType::kComplex64:
      return std::uint64_t{1} << 24;
    case DataType::kInt8:
      return std::uint64_t{1} << 7;
    case DataType::kUint8:
      return std::uint64_t{1} << 8;
    case DataType::kInt16:
      return std::uint64_t{1} << 15;
    case DataType::kUint16:
      return std::uint64_t{1} << 16;
    case DataType::kInt32:
      return std::uint64_t{1} << 31;
    default:
      return std::uint64_t{1} << 32;
  }
}

class PatternWriter {
 public:
  PatternWriter(const Contents& contents, const TensorDesc& tensor,
                std::optional<std::uint64_t> index_limit, StringPool& strings)
      : contents_(contents),
        type_(tensor.data_type),
        index_limit_(index_limit),
        strings_(strings) {}

  void write(std::uint64_t offset, std::byte* element) {
    if (contents_.period != 0) offset %= contents_.period;
    const bool is_random = contents_.kind == Contents::Kind::kRandom;
    const std::uint64_t bits =
        is_random ? base::random_bits(contents_.seed, offset) : offset + contents_.seed;
    const bool any_bits =
        is_random && !index_limit_ && type_ != DataType::kString && type_ != DataType::kBool;
    if (any_bits) {
      const std::uint64_t words[2] = {bits, base::random_bits(~contents_.seed, offset)};
      std::memcpy(element, words, element_size_bytes(type_));
      return;
    }
    std::uint64_t limit = exact_count(type_);
    if (index_limit_) limit = std::max<std::uint64_t>(std::min(limit, *index_limit_), 1);
    if (kind(type_) == DataTypeKind::kSigned || kind(type_) == DataTypeKind::kUnsigned) {
      const std::uint64_t number = bits % limit;  // fits: no sign, and not more bits
      std::memcpy(element, &number, element_size_bytes(type_));
      return;
    }
    bytes_.clear();
    append_element(whole_number(bits % limit, type_), type_, strings_, bytes_);
    std::copy(bytes_.begin(), bytes_.end(), element);
  }

 private:
  const Contents& contents_;
  DataType type_;
  std::optional<std::uint64_t> index_limit_;
  StringPool& strings_;
  std::vector<std::byte> bytes_;
};

}  // namespace

void write_contents(const Contents& contents, const TensorDesc& tensor,
                    std::optional<std::uint64_t> index_limit, StringPool& strings,
                    std::optional<std::uint64_t> gap_seed, std::span<std::byte> buffer) {
  if (gap_seed) base::fill_with_noise(buffer, *gap_seed);
  if (contents.kind == Contents::Kind::kPhysical) {
    std::copy(contents.bytes.begin(), contents.bytes.end(), buffer.begin());
    return;
  }
  const std::size_t size_bytes = tensor.element_size_bytes();
  if (contents.kind == Contents::Kind::kLogical) {
    base::for_each_element(
        tensor, [&](std::uint64_t number, std::uint64_t offset) {  // as many as the file holds
          std::memcpy(buffer.data() + offset * size_bytes,
                      contents.bytes.data() + number * size_bytes, size_bytes);
        });
    return;
  }
  PatternWriter pattern(contents, tensor, index_limit, strings);
  base::for_each_address(tensor, [&](std::uint64_t offset) {
    pattern.write(offset, buffer.data() + offset * size_bytes);
  });
  for (std::size_t i = 0; i < contents.except.size(); ++i)
    std::memcpy(buffer.data() + contents.except[i] * size_bytes,
                contents.bytes.data() + i * size_bytes, size_bytes);
}

}  // namespace opconform::cases
