// The arithmetic of layouts, against walks over every element and sums of 128 bits.

#include <algorithm>
#include <array>
#include <limits>

#include "fuzz/draw_target.h"
#include "fuzz/finding.h"
#include "harness/base/layout.h"

namespace opconform::fuzz {
namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr std::size_t kMostRank = 7;
/// Tensors of up to so many elements are walked.
constexpr std::uint64_t kMostWalked = 4096;
constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();

std::string text_of(const TensorDesc& tensor) {
  std::string text = "sizes {";
  for (const std::uint64_t size : tensor.sizes) text += " " + std::to_string(size);
  text += " } strides ";
  if (!tensor.strides) return text + "left out";
  text += "{";
  for (const std::uint64_t stride : *tensor.strides) text += " " + std::to_string(stride);
  return text + " }, " + std::to_string(tensor.element_size_bytes()) + " bytes an element";
}

/// The offset of every element in row-major order, by the definition: the sum of coordinate times
/// stride. For tensors that are walked.
std::vector<std::uint64_t> offsets_of(const TensorDesc& tensor, const Dims& strides) {
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < tensor.rank(); ++i) {
    std::vector<std::uint64_t> longer;
    for (const std::uint64_t offset : offsets)
      for (std::uint64_t c = 0; c < tensor.sizes[i]; ++c) longer.push_back(offset + c * strides[i]);
    offsets = std::move(longer);
  }
  return offsets;
}

/// Elements, for as long as they fit in 64 bits; then more than that.
Uint128 exact_count(const Dims& sizes) {
  if (std::find(sizes.begin(), sizes.end(), 0U) != sizes.end()) return 0;
  Uint128 count = 1;
  for (const std::uint64_t size : sizes)
    if (count <= kMost64) count *= size;
  return count;
}

std::optional<std::uint64_t> if_it_fits(Uint128 value) {
  if (value > kMost64) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

class LayoutTarget final : public DrawTarget {
 public:
  void draw(generation::Draws& draws) override {
    tensor_ = {};
    const std::array<DataType, kDataTypeCount>& types = all_data_types();
    tensor_.data_type = types[draws.below(types.size())];
    const std::size_t rank = draws.below(kMostRank + 1);
    const bool is_small = draws.below(4) != 3;  // the plainest answer, 0, makes a small layout
    for (std::size_t i = 0; i < rank; ++i)
      tensor_.sizes.push_back(is_small ? small(draws, 6) : any(draws));
    work_limit_ = draws.below(256);
    if (draws.one_in(6)) return;
    const std::uint64_t least = is_small ? draws.below(3) : 0;
    tensor_.strides = packed_strides(tensor_.sizes);
    // Near to packed in some order, where collisions hang on little, or anywhere.
    for (std::size_t i = 0; i < rank; ++i) {
      std::uint64_t& stride = (*tensor_.strides)[i];
      switch (draws.below(6)) {
        case 0:
          break;
        case 1:
          stride += draws.below(4);
          break;
        case 2:
          stride -= std::min(stride, draws.below(4));
          break;
        case 3:
          std::swap(stride, (*tensor_.strides)[draws.below(rank)]);
          break;
        default:
          stride = is_small ? least + draws.below(64) : any(draws);
      }
    }
  }

  void judge(Statistics& statistics) override {
    const Uint128 count = exact_count(tensor_.sizes);
    demand(element_count(tensor_.sizes) == if_it_fits(count), "element_count");
    judge_extent(count);
    if (count == 0) return statistics.reject("no elements");
    const std::optional<std::uint64_t> extent = extent_elements(tensor_);
    if (!extent) return statistics.reject("larger than 64 bits can say");
    if (count > kMostWalked) {
      judge_large_overlap();
      return statistics.reject("too many elements to walk");
    }
    judge_walk();
    statistics.accept("rank " + std::to_string(tensor_.rank()) + (collides_ ? ", overlaps" : ""));
  }

  [[nodiscard]] std::vector<std::string> features() const override {
    std::string text = std::to_string(tensor_.rank());
    text += tensor_.strides ? " strides" : " packed";
    if (exact_count(tensor_.sizes) == 0) return {text + " empty"};
    if (exact_count(tensor_.sizes) > kMostWalked) return {text + " large"};
    return {text + (overlap(tensor_) == Overlap::kSome ? " overlap" : " none")};
  }

 private:
  static std::uint64_t small(generation::Draws& draws, std::uint64_t count) {
    return draws.below(32) == 31 ? 0 : 1 + draws.below(count);
  }
  /// Around powers of two, where products and sums begin not to fit.
  static std::uint64_t any(generation::Draws& draws) {
    const std::uint64_t power = std::uint64_t{1} << draws.below(64);
    return power + draws.below(5) - 2;
  }
  void demand(bool holds, std::string_view what) const {
    if (!holds) fail(std::string(what) + " is wrong for " + text_of(tensor_));
  }

  void judge_extent(Uint128 count) const {
    Uint128 extent = count;
    if (tensor_.strides && count != 0) {
      extent = 1;
      for (std::size_t i = 0; i < tensor_.rank(); ++i)
        if (extent <= kMost64) extent += Uint128{tensor_.sizes[i] - 1} * (*tensor_.strides)[i];
    }
    demand(extent_elements(tensor_) == if_it_fits(extent), "extent_elements");
    const Uint128 width = tensor_.element_size_bytes();
    const Uint128 size_bytes = extent > kMost64 ? extent : (extent * width + 3) / 4 * 4;
    demand(buffer_tensor_size(tensor_) == if_it_fits(size_bytes), "buffer_tensor_size");
    const TensorCounts counts = counts_of(tensor_);
    demand(counts.elements == if_it_fits(count) && counts.extent_bytes == extent_bytes(tensor_) &&
               counts.buffer_bytes == if_it_fits(size_bytes),
           "counts_of");
  }

  /// Too large for a walk: an answer must at least not depend on the limit.
  void judge_large_overlap() const {
    if (has_empty_dimension(tensor_)) return;
    const Overlap hasty = overlap(tensor_, work_limit_);
    const Overlap patient = overlap(tensor_, kPatientLimit);
    if (hasty != Overlap::kUndecided) demand(hasty == patient, "overlap, with a work limit,");
  }

  void judge_walk() {
    const Dims strides = effective_strides(tensor_);
    const std::vector<std::uint64_t> offsets = offsets_of(tensor_, strides);
    std::size_t next = 0;
    base::for_each_element(tensor_, [&](std::uint64_t number, std::uint64_t offset) {
      demand(number == next && next < offsets.size() && offset == offsets[next],
             "for_each_element");
      ++next;
    });
    demand(next == offsets.size(), "the end of for_each_element");
    std::vector<std::uint64_t> in_order = offsets;
    std::sort(in_order.begin(), in_order.end());
    demand(extent_elements(tensor_) == in_order.back() + 1, "extent_elements, beside a walk,");
    judge_packed();

    collides_ = std::adjacent_find(in_order.begin(), in_order.end()) != in_order.end();
    const Overlap truth = collides_ ? Overlap::kSome : Overlap::kNone;
    demand(overlap(tensor_) == truth, "overlap");
    const Overlap hasty = overlap(tensor_, work_limit_);
    demand(hasty == truth || hasty == Overlap::kUndecided, "overlap, with a work limit,");
    judge_addresses(std::move(in_order));
  }

  /// Packed strides number the elements.
  void judge_packed() const {
    const std::vector<std::uint64_t> offsets = offsets_of(tensor_, packed_strides(tensor_.sizes));
    for (std::size_t i = 0; i < offsets.size(); ++i) demand(offsets[i] == i, "packed_strides");
  }

  /// No address of an element is left out, and none is beyond the extent.
  void judge_addresses(std::vector<std::uint64_t> in_order) const {
    in_order.erase(std::unique(in_order.begin(), in_order.end()), in_order.end());
    if (in_order.back() > kMostWalked) return;
    std::vector<bool> seen(in_order.back() + 1);
    base::for_each_address(tensor_, [&](std::uint64_t offset) {
      demand(offset < seen.size(), "for_each_address, beyond the extent,");
      seen[offset] = true;
    });
    for (const std::uint64_t offset : in_order) demand(seen[offset], "for_each_address");
  }

  static constexpr std::uint64_t kPatientLimit = std::uint64_t{1} << 16;
  TensorDesc tensor_;
  std::uint64_t work_limit_ = 0;
  bool collides_ = false;
};

}  // namespace

DrawTarget& draw_target() {
  static LayoutTarget target;
  return target;
}

}  // namespace opconform::fuzz
