#include "harness/coverage/index_classifier.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "harness/base/layout.h"

namespace opconform::coverage {
namespace {

/// Up to so many, the indices of a tensor are read one by one.
constexpr std::uint64_t kMostIndices = std::uint64_t{1} << 22;

/// What the indices of a tensor are, before it is put into classes.
template <class Index>
class IndexScan {
 public:
  explicit IndexScan(std::uint64_t size) : size_(size) {}

  /// Where the index counts to; nothing where it is out of range.
  std::optional<std::uint64_t> add(Index index) {
    const bool is_negative = std::is_signed_v<Index> && std::cmp_less(index, 0);
    const auto bits = static_cast<std::uint64_t>(index);
    const std::uint64_t place = is_negative ? bits + size_ : bits;
    if (place >= size_) {  // of a negative one that is too far: wrapped
      (is_just_outside(bits, is_negative) ? just_outside_ : far_outside_) = true;
      return std::nullopt;
    }
    (is_negative ? negative_ : from_front_) = true;
    first_ = first_ || place == 0;
    last_ = last_ || place == size_ - 1;
    return place;
  }
  void add_duplicate(bool duplicate) { duplicate_ = duplicate_ || duplicate; }

  [[nodiscard]] ClassSet classes(bool duplicates_known) const {
    if (just_outside_ || far_outside_)
      return (just_outside_ ? bit_of(generation::IndexClass::kJustOutside) : 0) |
             (far_outside_ ? bit_of(generation::IndexClass::kFarOutside) : 0);
    ClassSet found = 0;
    if (duplicates_known)
      found |= bit_of(duplicate_ ? generation::IndexClass::kDuplicate
                                 : generation::IndexClass::kDistinct);
    if (negative_)
      found |= bit_of(from_front_ ? generation::IndexClass::kMixedSign
                                  : generation::IndexClass::kNegative);
    if (first_ && last_ && size_ > 1) found |= bit_of(generation::IndexClass::kEdges);
    return found;
  }

 private:
  [[nodiscard]] bool is_just_outside(std::uint64_t bits, bool is_negative) const {
    return bits == (is_negative ? ~size_ : size_);  // ~size is -size - 1
  }

  std::uint64_t size_;
  bool just_outside_ = false;
  bool far_outside_ = false;
  bool negative_ = false;
  bool from_front_ = false;
  bool first_ = false;
  bool last_ = false;
  bool duplicate_ = false;
};

}  // namespace

template <class Index>
ClassSet IndexClassifier::classify_as(const TensorDesc& tensor,
                                      std::optional<std::size_t> line_dimension, std::uint64_t size,
                                      std::span<const std::byte> buffer) {
  const std::uint64_t count = element_count(tensor.sizes).value_or(0);
  if (count == 0) return 0;
  IndexScan<Index> scan(size);
  const auto index_at = [&](std::uint64_t offset) {
    Index index;
    std::memcpy(&index, buffer.data() + offset * sizeof index, sizeof index);
    return index;
  };
  // A line is what two indices must share to name one element.
  const std::uint64_t length = line_dimension ? tensor.sizes[*line_dimension] : count;
  const std::uint64_t lines = count / length;
  const bool is_small = count <= kMostIndices && size <= kMostIndices / lines;
  if (!is_small) {
    base::for_each_address(tensor, [&](std::uint64_t offset) { (void)scan.add(index_at(offset)); });
    return scan.classes(false);
  }
  std::uint64_t inner = 1;
  if (line_dimension)
    for (std::size_t i = *line_dimension + 1; i < tensor.rank(); ++i) inner *= tensor.sizes[i];
  const std::size_t words = (lines * size + 63) / 64;
  if (named_.size() < words) named_.resize(words);
  std::fill_n(named_.begin(), words, 0);

  // Counted along rather than divided out of the element's number.
  std::uint64_t in_inner = 0;
  std::uint64_t in_line = 0;
  std::uint64_t first_line = 0;
  base::for_each_element(tensor, [&](std::uint64_t /*number*/, std::uint64_t offset) {
    if (const std::optional<std::uint64_t> place = scan.add(index_at(offset))) {
      const std::uint64_t element = (first_line + in_inner) * size + *place;
      const std::uint64_t bit = std::uint64_t{1} << (element % 64);
      scan.add_duplicate((named_[element / 64] & bit) != 0);
      named_[element / 64] |= bit;
    }
    if (++in_inner < inner) return;
    in_inner = 0;
    if (++in_line < length) return;
    in_line = 0;
    first_line += inner;
  });
  return scan.classes(true);
}

ClassSet IndexClassifier::classify(const TensorDesc& tensor,
                                   std::optional<std::size_t> line_dimension, std::uint64_t size,
                                   std::span<const std::byte> buffer) {
  switch (tensor.data_type) {
    case DataType::kInt32:
      return classify_as<std::int32_t>(tensor, line_dimension, size, buffer);
    case DataType::kInt64:
      return classify_as<std::int64_t>(tensor, line_dimension, size, buffer);
    case DataType::kUint32:
      return classify_as<std::uint32_t>(tensor, line_dimension, size, buffer);
    case DataType::kUint64:
      return classify_as<std::uint64_t>(tensor, line_dimension, size, buffer);
    default:
      return 0;  // no operator takes indices of other types
  }
}

}  // namespace opconform::coverage
