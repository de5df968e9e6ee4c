#include <algorithm>
#include <utility>

#include "harness/coverage/roles.h"
#include "harness/diagnosis/trait_reading.h"

namespace opconform::diagnosis {
namespace {

/// The tensors of an array, which divide the axis of another among themselves.
class PartsReader {
 public:
  PartsReader(std::size_t axis, Subject subject, TraitWriter& traits)
      : axis_(axis), subject_(subject), traits_(traits) {}

  void read(const std::vector<TensorDesc>& parts, const TensorDesc& whole) {
    std::uint64_t start = 0;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      if (axis_ >= part->rank()) return;
      compare(*part, parts[0]);
      add_if(std::find(parts.begin(), part, *part) != part, PartsShape::kTwoAlike);
      if (start != 0) {
        traits_.add(Topic::kPartStart, subject_, start);
        traits_.add_rest(Topic::kPartStartRest, subject_, start);
        add_if(axis_stride(*part) != axis_stride(whole), PartsShape::kOtherAxisStride);
      }
      start += part->sizes[axis_];
    }
    if (axis_ >= whole.rank()) return;
    add_if(start < whole.sizes[axis_], PartsShape::kLess);
    add_if(start > whole.sizes[axis_], PartsShape::kMore);
  }

 private:
  void add_if(bool holds, PartsShape shape) {
    if (holds) traits_.add(Topic::kParts, subject_, shape);
  }
  void compare(const TensorDesc& part, const TensorDesc& first) {
    add_if(part.sizes[axis_] != first.sizes[axis_], PartsShape::kUnequal);
    add_if(effective_strides(part) != effective_strides(first), PartsShape::kUnequalLayouts);
    bool is_unequal = false;
    for (std::size_t i = 0; i < std::min(part.rank(), first.rank()); ++i)
      is_unequal = is_unequal || (i != axis_ && part.sizes[i] != first.sizes[i]);
    add_if(is_unequal, PartsShape::kUnequalBeside);
  }
  [[nodiscard]] std::uint64_t axis_stride(const TensorDesc& tensor) const {
    const Dims strides = effective_strides(tensor);
    return axis_ < strides.size() ? strides[axis_] : 0;
  }

  std::size_t axis_;
  Subject subject_;
  TraitWriter& traits_;
};

/// Of an axis that there is.
void read_place(std::size_t axis, const TensorDesc& first, TraitWriter& traits) {
  const Dims& sizes = first.sizes;
  const std::size_t behind = sizes.size() - 1 - axis;
  traits.add(Topic::kBehindAxis, behind);
  traits.add(Topic::kAxisSize, sizes[axis]);
  const Dims block(sizes.begin() + axis + 1, sizes.end());
  traits.add(Topic::kBlock, element_count(block).value_or(~std::uint64_t{0}));
  traits.add_if(behind != axis, Topic::kAxisPlace, AxisPlace::kNotInTheMiddle);
  traits.add_if(sizes[axis] > sizes[0], Topic::kAxisPlace, AxisPlace::kLongerThanFirst);
  traits.add_if(sizes[axis] < sizes[0], Topic::kAxisPlace, AxisPlace::kShorterThanFirst);
  traits.add_if(sizes[axis] != sizes[0], Topic::kAxisPlace, AxisPlace::kOtherSizeThanFirst);
}

}  // namespace

void read_axis(const Operator& op, TraitWriter& traits) {
  const std::optional<coverage::Axis> axis = coverage::axis_of(op);
  const TensorDesc* const first = coverage::first_tensor(op);
  const TensorDesc* const output = coverage::first_output(op);
  if (!axis || first == nullptr || output == nullptr) return;
  const auto rank = static_cast<std::int64_t>(first->rank());
  const std::int64_t place = axis->from_front(first->rank());
  traits.add(Topic::kAxisForm, axis->form);
  traits.add(Topic::kAxis, place);
  if (place < 0 || place >= rank) {
    traits.add_if(place == rank, Topic::kAxisPlace, AxisPlace::kEqualsRank);
    traits.add_if((place & 0xFF) < rank, Topic::kAxisPlace, AxisPlace::kInRangeIn8Bits);
    return;
  }
  read_place(static_cast<std::size_t>(place), *first, traits);
  const auto read_parts = [&](const TensorField& field, const auto& tensors) {
    if constexpr (requires { tensors.size(); })
      PartsReader(static_cast<std::size_t>(place), subject_of(field.name), traits)
          .read(tensors, field.access == Access::kOutput ? *first : *output);
  };
  const auto visit = [&](const auto& field, const auto&... value) {
    if constexpr (std::is_same_v<decltype(field), const TensorField&>)
      (read_parts(field, value), ...);
  };
  std::visit([&](const auto& o) { o.visit_fields(o, visit); }, op);
}

}  // namespace opconform::diagnosis
