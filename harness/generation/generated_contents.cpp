#include "harness/generation/generated_contents.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "harness/base/layout.h"
#include "harness/base/random.h"

namespace opconform::generation {
namespace {

/// Strings that views of generated cases lead to: of many lengths, some equal in part, one empty.
const StringElement& any_string(std::uint64_t number) {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < 512; ++i)
      result.push_back(std::string(i % 40, 'a') + std::to_string(i));
    result[0].clear();
    return result;
  }();
  static const std::vector<StringElement> views = [] {
    std::vector<StringElement> result;
    result.reserve(texts.size());
    for (const std::string& text : texts) result.push_back({text.data(), text.size()});
    return result;
  }();
  return views[number % views.size()];
}

constexpr std::array<std::uint8_t, 8> kSpecial8{0x00, 0x01, 0x02, 0x7F, 0x80, 0x81, 0xFE, 0xFF};
// Halves and bfloat16s: zeros, denormals, infinities, quiet and signalling NaNs.
constexpr std::array<std::uint16_t, 12> kSpecial16{0x0000, 0x8000, 0x0001, 0x83FF, 0x7BFF, 0x7C00,
                                                   0xFC00, 0x7E00, 0x7C01, 0xFFFF, 0x7F80, 0x7F81};
constexpr std::array<std::uint32_t, 12> kSpecial32{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                                   0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
                                                   0x7F800001, 0xFFFFFFFF, 0x7FFFFFFF, 0x00FF00FF};
constexpr std::array<std::uint64_t, 12> kSpecial64{
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF,
    0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001,
    0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x0020000000000001, 0x00000000FFFFFFFF};

/// Writes f(i) at each place of the buffer.
template <class Element, class F>
void write_each(std::span<std::byte> buffer, F&& f) {
  const std::size_t count = buffer.size() / sizeof(Element);
  for (std::size_t i = 0; i < count; ++i) {
    const Element element = f(i);
    std::memcpy(buffer.data() + i * sizeof element, &element, sizeof element);
  }
}

template <class Element, std::size_t N>
void write_numbers(const ContentPlan& plan, const std::array<Element, N>& special,
                   std::span<std::byte> buffer) {
  switch (plan.fill) {
    case FillKind::kDistinct:
      return write_each<Element>(
          buffer, [&](std::size_t i) { return static_cast<Element>(plan.seed + i); });
    case FillKind::kRandom:
      return;  // noise already
    case FillKind::kSpecial:
      return write_each<Element>(
          buffer, [&](std::size_t i) { return special[base::random_bits(plan.seed, i) % N]; });
    case FillKind::kFewValues:
      return write_each<Element>(buffer, [&](std::size_t i) {
        return static_cast<Element>(base::random_bits(plan.seed, i) % 2 + 1);
      });
  }
}

/// The index at place `k` of line `line`; `any` are bits to choose by.
struct IndexSource {
  IndexClass index_class;
  std::int64_t size;
  bool is_signed;
  std::uint64_t seed;

  [[nodiscard]] std::int64_t at(std::uint32_t line, std::uint32_t k) const {
    switch (index_class) {
      case IndexClass::kDistinct:
        // Lines run forwards and backwards in turn.
        return line % 2 == 0 ? walked(line, k) : size - 1 - walked(line, k);
      case IndexClass::kDuplicate:
        return k < 2 ? walked(line, 0) : any(line, k);
      case IndexClass::kNegative:
        return walked(line, k) - size;
      case IndexClass::kMixedSign:
        // Neighbours name one element in both ways.
        return walked(line, k / 2) - (k % 2 == 0 ? 0 : size);
      case IndexClass::kEdges: {
        const std::array<std::int64_t, 4> edges{0, size - 1, -1, -size};
        return edges[bits(line, k) % (is_signed ? 4 : 2)];
      }
      case IndexClass::kJustOutside:
      case IndexClass::kFarOutside:
        return any(line, k);
    }
    return 0;
  }

 private:
  // 32 bits, because dividing 64 takes several times as long. Generated sizes are small.
  [[nodiscard]] std::uint32_t bits(std::uint32_t line, std::uint32_t k) const {
    return static_cast<std::uint32_t>(base::random_bits(seed, std::uint64_t{line} * 1024 + k));
  }
  [[nodiscard]] std::int64_t any(std::uint32_t line, std::uint32_t k) const {
    return bits(line, k) % static_cast<std::uint32_t>(size);
  }
  /// From some place on, one after the other.
  [[nodiscard]] std::int64_t walked(std::uint32_t line, std::uint32_t k) const {
    const auto modulus = static_cast<std::uint32_t>(size);
    return (static_cast<std::uint32_t>(base::random_bits(seed, line)) % modulus + k) % modulus;
  }
};

/// An index that is out of range, as the bits of its type.
std::uint64_t outside(const IndexSource& source, DataType type) {
  const bool is_wide = element_size_bytes(type) == 8;
  const auto size = static_cast<std::uint64_t>(source.size);
  const std::uint64_t way = base::random_bits(source.seed, ~std::uint64_t{0});
  if (source.index_class == IndexClass::kJustOutside)
    return source.is_signed && way % 2 == 0 ? ~size : size;  // ~size is -size - 1
  const std::uint64_t sign_bit = std::uint64_t{1} << (is_wide ? 63 : 31);
  const std::array<std::uint64_t, 4> far{sign_bit, sign_bit - 1,
                                         is_wide ? (std::uint64_t{1} << 32) + way % size : size,
                                         source.is_signed ? sign_bit + 1 : ~std::uint64_t{0}};
  return far[way % far.size()];
}

}  // namespace

void write_values(const TensorDesc& tensor, const ContentPlan& plan, std::span<std::byte> buffer) {
  if (tensor.data_type == DataType::kString)
    return write_each<StringElement>(buffer, [&](std::size_t i) {
      return any_string(plan.fill == FillKind::kDistinct ? i : base::random_bits(plan.seed, i));
    });
  // Of a complex number each part.
  const std::size_t parts = kind(tensor.data_type) == DataTypeKind::kComplex ? 2 : 1;
  switch (tensor.element_size_bytes() / parts) {
    case 1:
      return write_numbers(plan, kSpecial8, buffer);
    case 2:
      return write_numbers(plan, kSpecial16, buffer);
    case 4:
      return write_numbers(plan, kSpecial32, buffer);
    default:
      return write_numbers(plan, kSpecial64, buffer);
  }
}

void write_indices(const TensorDesc& tensor, std::size_t axis, std::uint64_t size,
                   const ContentPlan& plan, std::span<std::byte> buffer) {
  const std::uint64_t count = element_count(tensor.sizes).value_or(0);
  if (count == 0) return;
  const IndexSource source{plan.index_class, static_cast<std::int64_t>(size),
                           kind(tensor.data_type) == DataTypeKind::kSigned, plan.seed};
  std::uint32_t inner = 1;
  for (std::size_t i = axis + 1; i < tensor.rank(); ++i)
    inner *= static_cast<std::uint32_t>(tensor.sizes[i]);
  const auto extent = static_cast<std::uint32_t>(axis < tensor.rank() ? tensor.sizes[axis] : 1);
  const bool has_outside =
      plan.index_class == IndexClass::kJustOutside || plan.index_class == IndexClass::kFarOutside;
  const std::uint64_t outside_at =
      has_outside ? base::random_bits(plan.seed, count) % count : count;
  const std::size_t width = tensor.element_size_bytes();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    const std::uint32_t before = static_cast<std::uint32_t>(number) / inner;
    const std::uint32_t k = before % extent;
    const std::uint32_t line = before / extent * inner + static_cast<std::uint32_t>(number) % inner;
    const std::uint64_t bits = number == outside_at
                                   ? outside(source, tensor.data_type)
                                   : static_cast<std::uint64_t>(source.at(line, k));
    std::memcpy(buffer.data() + offset * width, &bits, width);  // little endian: the low bytes
  });
}

}  // namespace opconform::generation
