#include "harness/judging/freedom.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/base/layout.h"
#include "harness/judging/judge.h"

namespace opconform::harness {
namespace {

/// An index as it stands in its tensor.
struct Index {
  std::uint64_t bits;  // sign-extended where the type is signed
  bool is_negative;
};

template <class T>
Index index_of(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return {static_cast<std::uint64_t>(value), std::cmp_less(value, 0)};
}
Index read_index(DataType type, const std::byte* element) {
  switch (type) {
    case DataType::kInt32:
      return index_of<std::int32_t>(element);
    case DataType::kUint32:
      return index_of<std::uint32_t>(element);
    case DataType::kInt64:
      return index_of<std::int64_t>(element);
    default:
      return index_of<std::uint64_t>(element);
  }
}
std::vector<Index> read_indices(const TensorDesc& tensor, std::span<const std::byte> buffer) {
  std::vector<Index> indices;
  for_each_element(tensor, [&](std::uint64_t /*number*/, std::uint64_t offset) {
    indices.push_back(
        read_index(tensor.data_type, buffer.data() + offset * tensor.element_size_bytes()));
  });
  return indices;
}

using Coordinate = std::optional<std::uint64_t>;

/// Negative indices count from the end.
Coordinate resolve(const Index& index, std::uint64_t size) {
  const std::uint64_t coordinate = index.is_negative ? index.bits + size : index.bits;
  return coordinate < size ? Coordinate(coordinate) : std::nullopt;
}

// What may become of an index out of range.
using Treatment = Coordinate (*)(const Index&, std::uint64_t size);
Coordinate drop(const Index& /*index*/, std::uint64_t /*size*/) { return std::nullopt; }
Coordinate clamp(const Index& index, std::uint64_t size) {
  return index.is_negative ? 0 : size - 1;
}
Coordinate wrap(const Index& index, std::uint64_t size) {
  if (!index.is_negative) return index.bits % size;
  return (size - (0 - index.bits) % size) % size;
}
constexpr std::pair<Treatment, Choice> kTreatments[] = {
    {drop, Choice::kUpdateDropped}, {clamp, Choice::kIndexClamped}, {wrap, Choice::kIndexWrapped}};

/// The updates that go to one element, compared with what was found there.
struct Writes {
  bool any = false;
  bool found = false;  ///< some of them
  bool first = false;  ///< the first of them
  bool last = false;
};

class ScatterReading {
 public:
  ScatterReading(const Scatter& op, std::span<const ObservedInput> inputs,
                 const ObservedOutput& output)
      : size_(op.output.sizes[op.axis]),
        line_(op.indices.sizes[op.axis]),
        width_(op.output.element_size_bytes()),
        input_(logical_elements(op.input, inputs[0].before)),
        indices_(read_indices(op.indices, inputs[1].before)),
        updates_(logical_elements(op.updates, inputs[2].before)),
        output_(logical_elements(op.output, output.after)) {
    for (std::size_t i = op.axis + 1; i < op.output.rank(); ++i) behind_ *= op.output.sizes[i];
  }

  [[nodiscard]] std::optional<Choice> choice(bool failed) const {
    const auto is_outside = [&](const Index& index) { return !resolve(index, size_); };
    if (std::none_of(indices_.begin(), indices_.end(), is_outside)) return winner();
    return failed ? Choice::kIndexFails : treatment();
  }

 private:
  /// Nothing where the first write and the last one are the same everywhere.
  [[nodiscard]] std::optional<Choice> winner() const {
    bool first = false;
    bool last = false;
    bool another = false;
    for (const Writes& writes : writes_by_element(drop)) {
      if (!writes.found) continue;
      first |= writes.first && !writes.last;
      last |= writes.last && !writes.first;
      another |= !writes.first && !writes.last;
    }
    if (first + last + another > 1) return Choice::kWriteByElement;
    if (first) return Choice::kFirstWrite;
    if (last) return Choice::kLastWrite;
    if (another) return Choice::kAnotherWrite;
    return std::nullopt;
  }

  /// Nothing where several treatments give what was found.
  [[nodiscard]] std::optional<Choice> treatment() const {
    std::optional<Choice> only;
    for (const auto& [treat, choice] : kTreatments) {
      if (!gives_output(treat)) continue;
      if (only) return std::nullopt;
      only = choice;
    }
    return only.value_or(Choice::kAnotherResult);
  }

  /// Whichever of several writes wins.
  [[nodiscard]] bool gives_output(Treatment treat) const {
    std::uint64_t number = 0;
    for (const Writes& writes : writes_by_element(treat)) {
      if (!(writes.any ? writes.found : is_output(number, input_, number))) return false;
      ++number;
    }
    return true;
  }

  [[nodiscard]] std::vector<Writes> writes_by_element(Treatment treat) const {
    std::vector<Writes> all(output_.size() / width_);
    for (std::uint64_t number = 0; number < indices_.size(); ++number) {
      Coordinate at = resolve(indices_[number], size_);
      if (!at) at = treat(indices_[number], size_);
      if (!at) continue;
      const std::uint64_t target =
          (number / (line_ * behind_) * size_ + *at) * behind_ + number % behind_;
      Writes& writes = all[target];
      writes.last = is_output(target, updates_, number);
      writes.found |= writes.last;
      if (!writes.any) writes.first = writes.last;
      writes.any = true;
    }
    return all;
  }

  [[nodiscard]] bool is_output(std::uint64_t element, const std::vector<std::byte>& values,
                               std::uint64_t number) const {
    return std::memcmp(output_.data() + element * width_, values.data() + number * width_,
                       width_) == 0;
  }

  // Elements are in row-major order.
  std::uint64_t size_;        // along the axis
  std::uint64_t line_;        // indices along the axis
  std::uint64_t behind_ = 1;  // elements of one coordinate along the axis
  std::size_t width_;
  std::vector<std::byte> input_;
  std::vector<Index> indices_;
  std::vector<std::byte> updates_;
  std::vector<std::byte> output_;
};

std::optional<Choice> negative_index(const OnnxGather& op, Version version,
                                     std::span<const std::byte> buffer, bool failed) {
  if (version >= OnnxGather::kNegativeIndicesSince) return std::nullopt;
  const std::uint64_t size = op.data.sizes[op.axis_from_front()];
  bool any_negative = false;
  for (const Index& index : read_indices(op.indices, buffer)) {
    if (!resolve(index, size)) return std::nullopt;  // an error in any case
    any_negative |= index.is_negative;
  }
  if (!any_negative) return std::nullopt;
  return failed ? Choice::kNegativeFails : Choice::kNegativeCountsBack;
}

std::optional<Choice> gaps(std::span<const ObservedOutput> outputs) {
  std::optional<Choice> choice;
  for (const ObservedOutput& output : outputs) {
    const TensorDesc& tensor = output.tensor.desc;
    if (output.after.size() == *element_count(tensor.sizes) * tensor.element_size_bytes()) continue;
    if (changed_gap(output)) return Choice::kGapsOverwritten;
    choice = Choice::kGapsIntact;
  }
  return choice;
}

}  // namespace

std::optional<Choice> parse_choice(std::string_view rule, std::string_view name) {
  for (std::size_t i = 0; i < kChoices.size(); ++i)
    if (kChoices[i].rule == rule && kChoices[i].name == name) return static_cast<Choice>(i);
  return std::nullopt;
}

std::vector<Choice> choices_made(const Operator& op, Version version,
                                 std::span<const ObservedInput> inputs,
                                 std::span<const ObservedOutput> outputs, bool failed) {
  std::vector<Choice> choices;
  const auto add = [&](std::optional<Choice> choice) {
    if (choice) choices.push_back(*choice);
  };
  if (const auto* scatter = std::get_if<Scatter>(&op))
    add(ScatterReading(*scatter, inputs, outputs.front()).choice(failed));
  if (const auto* gather = std::get_if<OnnxGather>(&op))
    add(negative_index(*gather, version, inputs[1].before, failed));
  if (!failed) add(gaps(outputs));
  return choices;
}

}  // namespace opconform::harness
