// What becomes of several updates of one element, and of an index out of range.

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/base/index.h"
#include "harness/base/layout.h"
#include "harness/judging/freedom.h"
#include "harness/judging/judge.h"

namespace opconform::judging {
namespace {

enum ScatterChoice : std::size_t {
  kFirstWrite,
  kLastWrite,
  kAnotherWrite,
  kWriteByElement,
  kIndexFails,
  kUpdateDropped,
  kIndexClamped,
  kIndexWrapped,
  kAnotherResult,
};
constexpr ChoiceText kScatterChoices[] = {
    // In the order of ScatterChoice.
    {"scatter.overlap-any-winner", "first write"},
    {"scatter.overlap-any-winner", "last write"},
    {"scatter.overlap-any-winner", "another write"},
    {"scatter.overlap-any-winner", "differs from element to element"},
    {"scatter.index-range", "fails"},
    {"scatter.index-range", "as if the update were not there"},
    {"scatter.index-range", "clamped"},
    {"scatter.index-range", "counted modulo the size"},
    {"scatter.index-range", "another result"},
};

// What may become of an index out of range.
using Treatment = base::Coordinate (*)(const base::Index&, std::uint64_t size);
base::Coordinate drop(const base::Index& /*index*/, std::uint64_t /*size*/) { return std::nullopt; }
base::Coordinate clamp(const base::Index& index, std::uint64_t size) {
  return index.is_negative ? 0 : size - 1;
}
base::Coordinate wrap(const base::Index& index, std::uint64_t size) {
  if (!index.is_negative) return index.bits % size;
  return (size - (0 - index.bits) % size) % size;
}
constexpr std::pair<Treatment, std::size_t> kTreatments[] = {
    {drop, kUpdateDropped}, {clamp, kIndexClamped}, {wrap, kIndexWrapped}};

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
        input_(base::logical_elements(op.input, inputs[0].before)),
        indices_(base::read_indices(op.indices, inputs[1].before)),
        updates_(base::logical_elements(op.updates, inputs[2].before)),
        output_(base::logical_elements(op.output, output.after)) {
    for (std::size_t i = op.axis + 1; i < op.output.rank(); ++i) behind_ *= op.output.sizes[i];
  }

  [[nodiscard]] OwnChoice choice(bool failed) const {
    const auto is_outside = [&](const base::Index& index) { return !base::resolve(index, size_); };
    if (std::none_of(indices_.begin(), indices_.end(), is_outside))
      return failed ? OwnChoice() : winner();  // only a promise lets it fail
    return failed ? kIndexFails : treatment();
  }

 private:
  /// Nothing where the first write and the last one are the same everywhere.
  [[nodiscard]] OwnChoice winner() const {
    bool first = false;
    bool last = false;
    bool another = false;
    for (const Writes& writes : writes_by_element(drop)) {
      if (!writes.found) continue;
      first |= writes.first && !writes.last;
      last |= writes.last && !writes.first;
      another |= !writes.first && !writes.last;
    }
    if ((first && last) || (another && (first || last))) return kWriteByElement;
    if (first) return kFirstWrite;
    if (last) return kLastWrite;
    if (another) return kAnotherWrite;
    return std::nullopt;
  }

  /// Nothing where several treatments give what was found.
  [[nodiscard]] OwnChoice treatment() const {
    OwnChoice only;
    for (const auto& [treat, choice] : kTreatments) {
      if (!gives_output(treat)) continue;
      if (only) return std::nullopt;
      only = choice;
    }
    return only.value_or(kAnotherResult);
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
      base::Coordinate at = base::resolve(indices_[number], size_);
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
  std::vector<base::Index> indices_;
  std::vector<std::byte> updates_;
  std::vector<std::byte> output_;
};

}  // namespace

std::span<const ChoiceText> choices(std::type_identity<Scatter> /*op*/) { return kScatterChoices; }

OwnChoice choice_made(const Scatter& op, const Conforming& execution) {
  return ScatterReading(op, execution.inputs, execution.outputs.front()).choice(execution.failed);
}

}  // namespace opconform::judging
