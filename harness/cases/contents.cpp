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

  /// Elements side by side, from that offset on.
  void write(std::uint64_t offset, std::uint64_t count, std::byte* elements) {
    const std::uint64_t once = contents_.period == 0 ? count : std::min(count, contents_.period);
    write_once(offset, once, elements);
    for (std::uint64_t done = once; done < count;) {  // whole periods, until the last
      const std::uint64_t copied = std::min(done, count - done);
      std::memcpy(elements + done * size_bytes_, elements, copied * size_bytes_);
      done += copied;
    }
  }

 private:
  /// At most a period.
  void write_once(std::uint64_t offset, std::uint64_t count, std::byte* elements) {
    if (any_bits_ || is_whole_) {
      switch (size_bytes_) {
        case 1:
          return write_bits<1>(offset, count, elements);
        case 2:
          return write_bits<2>(offset, count, elements);
        case 4:
          return write_bits<4>(offset, count, elements);
        case 8:
          return write_bits<8>(offset, count, elements);
        default:
          return write_bits<16>(offset, count, elements);
      }
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      bytes_.clear();
      append_element(whole_number(bits_at(offset + i) % limit_, type_), type_, strings_, bytes_);
      std::copy(bytes_.begin(), bytes_.end(), elements + i * size_bytes_);
    }
  }

  template <std::size_t kSize>
  void write_bits(std::uint64_t offset, std::uint64_t count, std::byte* elements) {
    for (std::uint64_t i = 0; i < count; ++i, elements += kSize) {
      std::uint64_t words[2] = {bits_at(offset + i), 0};
      if (!any_bits_) words[0] %= limit_;  // fits: no sign, and not more bits
      if (any_bits_ && kSize > sizeof *words)
        words[1] = base::random_bits(~contents_.seed, place_of(offset + i));
      std::memcpy(elements, words, kSize);
    }
  }

  [[nodiscard]] std::uint64_t place_of(std::uint64_t offset) const {
    return contents_.period == 0 ? offset : offset % contents_.period;
  }

  [[nodiscard]] std::uint64_t bits_at(std::uint64_t offset) const {
    const std::uint64_t place = place_of(offset);
    return is_random_ ? base::random_bits(contents_.seed, place) : place + contents_.seed;
  }

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
  base::for_each_address_run(tensor, [&](std::uint64_t offset, std::uint64_t count) {
    pattern.write(offset, count, buffer.data() + offset * size_bytes);
  });
  for (std::size_t i = 0; i < contents.except.size(); ++i)
    std::memcpy(buffer.data() + contents.except[i] * size_bytes,
                contents.bytes.data() + i * size_bytes, size_bytes);
}

}  // namespace opconform::cases
