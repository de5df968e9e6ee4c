// Decides whether two elements of a strided tensor share an address (tensor.output-no-overlap).
//
// They do if and only if some difference d of coordinates, not all 0 and with |d[i]| <= size[i] -
// 1, has sum of d[i] * stride[i] = 0. With the dimensions in the order of their strides, the
// largest that takes part needs |d[k]| * stride[k] to lie within the reach of the smaller ones, so
// few values of d[k] come into question, usually none. What remains is searched from the largest
// stride down; two dimensions are solved without a search. Where even the search is long, each
// offset is marked in a bit map.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "spec/tensor.h"

namespace opconform {
namespace {

// Products of a coordinate difference and a stride need a sign and more than 64 bits.
__extension__ using Int128 = __int128;

struct Dimension {
  std::uint64_t size;    // above 1
  std::uint64_t stride;  // above 0
};
using Dimensions = InlineVector<Dimension, kMaxRank>;

// For b above 0.
Int128 floor_divide(Int128 a, Int128 b) { return a / b - (a % b < 0 ? 1 : 0); }
Int128 ceil_divide(Int128 a, Int128 b) { return -floor_divide(-a, b); }
Int128 positive_modulo(Int128 a, Int128 m) { return ((a % m) + m) % m; }

/// x with a * x = 1 modulo m, for coprime a and m.
Int128 inverse(Int128 a, Int128 m) {
  Int128 r0 = m;
  Int128 r1 = positive_modulo(a, m);
  Int128 x0 = 0;
  Int128 x1 = 1;
  while (r1 > 1) {
    const Int128 quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    x0 = std::exchange(x1, x0 - quotient * x1);
  }
  return positive_modulo(x1, m);
}

/// Looks for coordinate differences whose offsets cancel out.
class Search {
 public:
  /// `dimensions` in ascending order of strides.
  Search(const Dimensions& dimensions, std::uint64_t step_limit)
      : dimensions_(dimensions), steps_left_(step_limit) {
    Int128 reach = 0;
    for (const Dimension& dimension : dimensions_) {
      reaches_.push_back(reach);
      reach += Int128{dimension.size - 1} * Int128{dimension.stride};
    }
  }

  Overlap run() {
    for (std::size_t k = 1; k < dimensions_.size(); ++k) {
      // d[k] is the difference of the largest stride that is not 0; its sign does not matter.
      const Int128 stride = dimensions_[k].stride;
      const Int128 most = std::min<Int128>(Int128{dimensions_[k].size - 1}, reaches_[k] / stride);
      if (k == 1) {
        // The least d that the smaller stride divides; within `most`, it is within reach.
        const Int128 lower = dimensions_[0].stride;
        const Int128 common = std::gcd(dimensions_[0].stride, dimensions_[1].stride);
        if (lower / common <= most) return Overlap::kSome;
        continue;
      }
      for (Int128 d = 1; d <= most && steps_left_ > 0; ++d)
        if (reaches(k - 1, d * stride)) return Overlap::kSome;
    }
    return steps_left_ == 0 ? Overlap::kUndecided : Overlap::kNone;
  }

 private:
  /// Is `target` a sum of d[j] * stride[j] over the dimensions 0 to k, k at least 1?
  bool reaches(std::size_t k, Int128 target) {
    if (steps_left_ == 0) return false;
    --steps_left_;
    const Int128 stride = dimensions_[k].stride;
    const Int128 most = dimensions_[k].size - 1;
    const Int128 low = std::max(-most, ceil_divide(target - reaches_[k], stride));
    const Int128 high = std::min(most, floor_divide(target + reaches_[k], stride));
    if (low > high) return false;
    if (k == 1) {
      // d * stride = target modulo the smallest stride: every (lower / common)th d solves it, or
      // none.
      const Int128 lower = dimensions_[0].stride;
      const Int128 common = std::gcd(dimensions_[0].stride, dimensions_[1].stride);
      if (target % common != 0) return false;
      const Int128 period = lower / common;
      const Int128 solution = positive_modulo(
          positive_modulo(target / common, period) * inverse(stride / common, period), period);
      return low + positive_modulo(solution - low, period) <= high;
    }
    for (Int128 d = low; d <= high; ++d)
      if (reaches(k - 1, target - d * stride)) return true;
    return false;
  }

  const Dimensions& dimensions_;
  InlineVector<Int128, kMaxRank> reaches_;  // of all dimensions before this one
  std::uint64_t steps_left_;
};

/// Marks the offset of every element. Extent in elements.
Overlap mark_all(const Dimensions& dimensions, std::uint64_t extent) {
  std::vector<bool> marked(extent);
  Dims at(dimensions.size());
  std::uint64_t offset = 0;
  for (;;) {
    assert(offset < extent);
    if (marked[offset]) return Overlap::kSome;
    marked[offset] = true;
    std::size_t i = 0;
    for (; i < at.size() && at[i] == dimensions[i].size - 1; ++i) {
      offset -= at[i] * dimensions[i].stride;
      at[i] = 0;
    }
    if (i == at.size()) return Overlap::kNone;
    ++at[i];
    offset += dimensions[i].stride;
  }
}

}  // namespace

Overlap overlap(const TensorDesc& tensor, std::uint64_t work_limit) {
  if (!tensor.strides) return Overlap::kNone;
  Dimensions dimensions;
  for (std::size_t i = 0; i < tensor.rank(); ++i) {
    if (tensor.sizes[i] == 1) continue;
    if ((*tensor.strides)[i] == 0) return Overlap::kSome;
    dimensions.push_back({tensor.sizes[i], (*tensor.strides)[i]});
  }
  std::ranges::sort(dimensions, {}, &Dimension::stride);

  // The usual layout: each stride passes everything below it.
  std::uint64_t reach = 0;
  bool is_nested = true;
  for (const Dimension& dimension : dimensions) {
    is_nested = is_nested && dimension.stride > reach;
    reach += (dimension.size - 1) * dimension.stride;
  }
  if (is_nested) return Overlap::kNone;

  const std::uint64_t extent = reach + 1;
  const std::optional<std::uint64_t> count = element_count(tensor.sizes);
  if (!count || *count > extent) return Overlap::kSome;

  constexpr std::uint64_t kStepCost = 32;  // of a search step, in marked elements
  constexpr std::uint64_t kShortSearch = std::uint64_t{1} << 22;
  const std::uint64_t step_limit = work_limit / kStepCost;
  const Overlap found = Search(dimensions, std::min(step_limit, kShortSearch)).run();
  if (found != Overlap::kUndecided) return found;
  if (extent <= work_limit) return mark_all(dimensions, extent);
  return Search(dimensions, step_limit).run();
}

}  // namespace opconform
