#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "harness/coverage/classes.h"
#include "harness/coverage/roles.h"
#include "harness/diagnosis/trait_reading.h"

namespace opconform::diagnosis {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

std::uint64_t bytes_of(std::uint64_t elements, const TensorDesc& tensor) {
  const std::uint64_t width = tensor.element_size_bytes();
  return elements > kNone / width ? kNone : elements * width;
}

/// Can layout and extent be read, though the descriptor need not be valid?
bool is_sound(const TensorDesc& tensor) {
  return stride_count_matches(tensor) && tensor.rank() > 0 && !has_empty_dimension(tensor) &&
         element_count(tensor.sizes) && buffer_tensor_size(tensor);
}

bool is_permutation(Dims a, Dims b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

/// Do dimensions reach into each other's steps?
bool is_interleaved(const TensorDesc& tensor) {
  const Dims strides = effective_strides(tensor);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dimensions;
  for (std::size_t i = 0; i < tensor.rank(); ++i)
    if (tensor.sizes[i] > 1) dimensions.emplace_back(strides[i], tensor.sizes[i]);
  std::sort(dimensions.begin(), dimensions.end());
  std::uint64_t reach = 0;
  for (const auto& [stride, size] : dimensions) {
    if (stride <= reach) return true;
    reach += (size - 1) * stride;
  }
  return false;
}

/// What is true of a tensor, told of its field, of its role and in part of any tensor.
class TensorReader {
 public:
  TensorReader(const TensorDesc& desc, Subject field, Subject role, TraitWriter& traits)
      : desc_(desc), field_(field), role_(role), traits_(traits) {}

  void read() const {
    sizes();
    if (!is_sound(desc_)) return;
    buffer();
    classes();
    strides();
  }

 private:
  void add(Topic topic, auto value) const {
    traits_.add(topic, field_, value);
    traits_.add(topic, role_, value);
  }
  void add_of_any(Topic topic, auto value) const {
    add(topic, value);
    traits_.add(topic, kTensors, value);
  }
  void add_if(bool holds, Shape shape) const {
    if (holds) add_of_any(Topic::kShape, shape);
  }
  void add_rest(Topic topic, std::uint64_t number) const {
    traits_.add_rest(topic, field_, number);
    traits_.add_rest(topic, role_, number);
  }

  void sizes() const {
    const Dims& sizes = desc_.sizes;
    const std::uint64_t count = element_count(sizes).value_or(kNone);
    add_of_any(Topic::kElements, count);
    add_rest(Topic::kElementsRest, count);
    add_rest(Topic::kBytesRest, bytes_of(count, desc_));
    add_if(sizes.empty(), Shape::kScalar);
    add_if(has_empty_dimension(desc_), Shape::kEmpty);
    if (sizes.empty()) return;
    const std::uint64_t last = sizes[sizes.size() - 1];
    add(Topic::kLastSize, last);
    add_rest(Topic::kLastSizeRest, last);
    add(Topic::kRowBytes, bytes_of(last, desc_));
    add_if(std::find(sizes.begin(), sizes.end(), 1U) != sizes.end(), Shape::kOneSizes);
    add(Topic::kSize, *std::max_element(sizes.begin(), sizes.end()));
    if (sizes.size() < 2) return;
    Dims sorted = sizes;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    add(Topic::kSecondSize, sorted[1]);
    add(Topic::kFirstSize, sizes[0]);
    add_rest(Topic::kFirstSizeRest, sizes[0]);
    add(Topic::kLastTwoSizes, std::min(last, sizes[sizes.size() - 2]));
    if (sizes.size() > 2)
      add(Topic::kMiddleSize, *std::max_element(sizes.begin() + 1, sizes.end() - 1));
    const auto* const outermost =
        std::find_if(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size != 1; });
    add(Topic::kReach, sizes.end() - outermost);
  }

  void buffer() const {
    const std::uint64_t extent = *extent_elements(desc_);
    const std::uint64_t needed = *buffer_tensor_size(desc_);
    const std::uint64_t count = *element_count(desc_.sizes);
    add(Topic::kExtent, extent);
    add_of_any(Topic::kNeededBytes, needed);
    const std::uint64_t held = desc_.total_tensor_size_bytes;
    // ONNX tensors have a buffer of just their elements, of which nothing is said.
    add_rest(Topic::kBufferRest, held == 0 ? bytes_of(count, desc_) : held);
    if (held == 0) return;
    add_if(held > needed, Shape::kSlack);
    add_if(held < needed && held >= bytes_of(count, desc_), Shape::kFitsPacked);
    add_if(held < needed && held >= bytes_of(extent, desc_), Shape::kFitsUnrounded);
    if (!desc_.strides) return;
    bool fits_whole_rows = true;
    for (std::size_t i = 0; i < desc_.rank(); ++i) {
      const std::uint64_t size = desc_.sizes[i];
      const std::uint64_t stride = (*desc_.strides)[i];
      if (size > 1)
        fits_whole_rows = fits_whole_rows && bytes_of(size * stride, desc_) <= held;
      else
        add_of_any(Topic::kOneStride, stride);
    }
    add_if(!fits_whole_rows, Shape::kLastGapMissing);
  }

  void classes() const {
    const coverage::ClassSet classes = coverage::layout_classes(desc_);
    for (std::size_t i = 0; classes >> i != 0; ++i)
      if ((classes >> i & 1U) != 0) add_of_any(Topic::kLayout, i);
    const bool overlaps = (classes & (coverage::bit_of(generation::LayoutClass::kOverlapping) |
                                      coverage::bit_of(generation::LayoutClass::kBroadcast))) != 0;
    add_if(overlaps, Shape::kShared);
    const bool has_fewer_places = *extent_elements(desc_) < *element_count(desc_.sizes);
    add_if(overlaps && !has_fewer_places, Shape::kAsManyPlaces);
    add_if(has_fewer_places, Shape::kFewerPlaces);
    add_if(!overlaps && is_interleaved(desc_), Shape::kInterleaved);
  }

  void strides() const {
    const Dims strides = effective_strides(desc_);
    const Dims packed = packed_strides(desc_.sizes);
    const Dims& sizes = desc_.sizes;
    const std::size_t rank = sizes.size();
    bool seems_packed = true;
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      if (sizes[i] == 1) continue;
      seems_packed = seems_packed && strides[i] == packed[i];
      largest = std::max(largest, strides[i]);
    }
    add(Topic::kStride, largest);
    add_if(desc_.strides.has_value(), Shape::kStridesGiven);
    add_if(strides == packed, Shape::kPacked);
    add_if(!seems_packed, Shape::kNotPacked);
    add_if(!seems_packed && is_permutation(strides, packed), Shape::kTransposed);
    if (sizes[rank - 1] > 1) {
      add(Topic::kInnermostStride, strides[rank - 1]);
      add_if(strides[rank - 1] != 1, Shape::kInnermostStride);
    }
    if (rank < 2 || sizes[rank - 2] == 1) return;
    const std::uint64_t row = strides[rank - 2];
    add_if(row > sizes[rank - 1], Shape::kRowsApart);
    add_if(row > sizes[rank - 1] && strides[rank - 1] == 1, Shape::kRowsPadded);
    add_rest(Topic::kRowStrideRest, row);
  }

  const TensorDesc& desc_;
  Subject field_;
  Subject role_;
  TraitWriter& traits_;
};

/// How a tensor is to one before it.
class PairReader {
 public:
  PairReader(const NamedTensor& tensor, const NamedTensor& other, std::optional<std::size_t> axis,
             TraitWriter& traits)
      : tensor_(tensor.desc),
        other_(other.desc),
        axis_(axis),
        own_(subject_of(tensor.field.name)),
        others_(subject_of(other.field.name)),
        is_array_(other.path.index != FieldPath::kNoIndex),
        traits_(traits) {}

  void read() const {
    const bool same_type = tensor_.data_type == other_.data_type;
    add(same_type ? Pair::kSameType : Pair::kOtherType);
    if (tensor_.rank() != other_.rank()) return add(Pair::kOtherRank);
    sizes();
    if (is_sound(tensor_) && is_sound(other_)) add(strides());
  }
  /// Of an output, against the first input.
  void read_roles() const {
    if (tensor_.rank() == other_.rank() && is_sound(tensor_) && is_sound(other_))
      traits_.add(Topic::kPair, kOutputs, pair_value(strides(), kFirstInput, false));
  }

 private:
  void add(Pair pair) const {
    traits_.add(Topic::kPair, own_, pair_value(pair, others_, is_array_));
  }

  void sizes() const {
    bool is_smaller = false;
    bool is_larger = false;
    for (std::size_t i = 0; i < tensor_.rank(); ++i) {
      const std::uint64_t own = tensor_.sizes[i];
      const std::uint64_t other = other_.sizes[i];
      if (i == axis_) {
        if (own != other) add(own < other ? Pair::kShorterAxis : Pair::kLongerAxis);
        continue;
      }
      is_smaller = is_smaller || own < other;
      is_larger = is_larger || own > other;
    }
    if (is_smaller) add(axis_ ? Pair::kSmallerBesideAxis : Pair::kSmaller);
    if (is_larger) add(axis_ ? Pair::kLargerBesideAxis : Pair::kLarger);
    if (axis_ && !is_smaller && !is_larger) add(Pair::kSameBesideAxis);
  }
  [[nodiscard]] Pair strides() const {
    const Dims strides = effective_strides(tensor_);
    const Dims others = effective_strides(other_);
    for (std::size_t i = 0; i < strides.size(); ++i)
      if (strides[i] != others[i] && (tensor_.sizes[i] != 1 || other_.sizes[i] != 1))
        return Pair::kOtherStrides;
    return Pair::kSameStrides;
  }

  const TensorDesc& tensor_;
  const TensorDesc& other_;
  std::optional<std::size_t> axis_;
  Subject own_;
  Subject others_;
  bool is_array_;
  TraitWriter& traits_;
};

/// Nothing where there is no such dimension.
std::optional<std::size_t> axis_from_front(const Operator& op) {
  const std::optional<coverage::Axis> axis = coverage::axis_of(op);
  const TensorDesc* const first = coverage::first_tensor(op);
  if (!axis || first == nullptr) return std::nullopt;
  const std::int64_t place = axis->from_front(first->rank());
  if (place < 0 || std::cmp_greater_equal(place, first->rank())) return std::nullopt;
  return static_cast<std::size_t>(place);
}

Subject role_of(const TensorField& field) {
  if (field.content == Content::kIndices) return kIndexTensor;
  return field.access == Access::kOutput ? kOutputs : kInputs;
}

/// How many tensors an array has, told of the field that says it.
struct Counts {
  void operator()(const CountField& field) { names[field.arrays[0]] = field.name; }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    sizes[field.name] = tensors.size();
  }
  template <class Field, class... Values>
  void operator()(const Field& /*field*/, const Values&... /*value*/) {}

  std::map<std::string_view, std::string_view> names;  // of the fields, by array
  std::map<std::string_view, std::size_t> sizes;
};

}  // namespace

void read_tensors(const Operator& op, TraitWriter& traits) {
  const std::optional<std::size_t> axis = axis_from_front(op);
  std::vector<NamedTensor> seen;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const Subject own = subject_of(tensor.field.name);
    traits.add(Topic::kTensorRank, own, tensor.desc.rank());
    TensorReader(tensor.desc, own, role_of(tensor.field), traits).read();
    for (const NamedTensor& other : seen) {
      // Of an array of tensors, the first stands for all.
      if (other.path.index != FieldPath::kNoIndex && other.path.index > 0) continue;
      PairReader(tensor, other, axis, traits).read();
    }
    if (!seen.empty() && tensor.field.access == Access::kOutput)
      PairReader(tensor, seen.front(), axis, traits).read_roles();
    seen.push_back(tensor);
  });
  Counts counts;
  std::visit([&](const auto& o) { o.visit_fields(o, counts); }, op);
  for (const auto& [array, size] : counts.sizes)
    if (const auto name = counts.names.find(array); name != counts.names.end())
      traits.add(Topic::kCount, subject_of(name->second), size);
}

}  // namespace opconform::diagnosis
