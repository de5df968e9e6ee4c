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
        size_bytes_(tensor.element_size_bytes()),
        is_random_(contents.kind == Contents::Kind::kRandom),
        any_bits_(is_random_ && !index_limit && type_ != DataType::kString &&
                  type_ != DataType::kBool),
        is_whole_(kind(type_) == DataTypeKind::kSigned || kind(type_) == DataTypeKind::kUnsigned),
        limit_(exact_count(type_)),
        strings_(strings) {
    if (index_limit) limit_ = std::max<std::uint64_t>(std::min(limit_, *index_limit), 1);
  }

  void write(std::uint64_t offset, std::byte* element) {
    if (contents_.period != 0) offset %= contents_.period;
    const std::uint64_t bits =
        is_random_ ? base::random_bits(contents_.seed, offset) : offset + contents_.seed;
    if (any_bits_) {
      std::uint64_t words[2] = {bits, 0};
      if (size_bytes_ > sizeof bits) words[1] = base::random_bits(~contents_.seed, offset);
      std::memcpy(element, words, size_bytes_);
      return;
    }
    if (is_whole_) {
      const std::uint64_t number = bits % limit_;  // fits: no sign, and not more bits
      std::memcpy(element, &number, size_bytes_);
      return;
    }
    bytes_.clear();
    append_element(whole_number(bits % limit_, type_), type_, strings_, bytes_);
    std::copy(bytes_.begin(), bytes_.end(), element);
  }

 private:
  const Contents& contents_;
  DataType type_;
  std::size_t size_bytes_;
  bool is_random_;
  bool any_bits_;  ///< each bit is random
  bool is_whole_;
  std::uint64_t limit_;  ///< of whole numbers
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
    base::for_each_run(tensor, [&](std::uint64_t number, std::uint64_t offset,
                                   std::uint64_t count) {  // as many as the file holds
      std::memcpy(buffer.data() + offset * size_bytes, contents.bytes.data() + number * size_bytes,
                  count * size_bytes);
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
