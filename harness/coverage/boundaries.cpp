#include "harness/coverage/boundaries.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "harness/coverage/roles.h"
#include "spec/tensor.h"

namespace opconform::coverage {
namespace {

std::uint64_t product(const Dims& sizes, std::size_t from, std::size_t to) {
  std::uint64_t all = 1;
  for (std::size_t i = from; i < to; ++i) all *= sizes[i];
  return all;
}

constexpr std::uint8_t bit_of_side(Side side) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(side));
}

}  // namespace

std::uint64_t boundary_number(int exponent, Side side) {
  const std::uint64_t power = std::uint64_t{1} << exponent;
  switch (side) {
    case Side::kBelow:
      return power - 1;
    case Side::kAt:
      return power;
    case Side::kAbove:
      return power + 1;
    default:
      return power + power / 4 + power / 8 + 1;
  }
}

void Boundaries::note(std::string_view quantity, std::uint64_t number) {
  Sides& sides = seen_[quantity];
  const auto add = [&](int exponent, Side side) {
    if (exponent >= kLeastBoundary && exponent <= kMostBoundary)
      sides[static_cast<std::size_t>(exponent)] |= bit_of_side(side);
  };
  if (number < 3) return;
  const int floor = static_cast<int>(std::bit_width(number)) - 1;
  if (std::has_single_bit(number)) return add(floor, Side::kAt);
  const bool is_above = std::has_single_bit(number - 1);
  const bool is_below = std::has_single_bit(number + 1);
  if (is_above) add(floor, Side::kAbove);
  if (is_below) add(floor + 1, Side::kBelow);
  if (!is_above && !is_below && number % 2 == 1) add(floor, Side::kOdd);
}

void Boundaries::observe(const Operator& op) {
  const std::optional<Axis> axis = axis_of(op);
  std::map<std::string_view, std::uint64_t> ends;    // of the parts so far, by field
  std::map<std::string_view, std::uint64_t> counts;  // of the tensors of an array
  bool are_indexed = false;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const TensorDesc& desc = tensor.desc;
    const std::uint64_t elements = element_count(desc.sizes).value_or(0);
    note("elements", elements);
    note("bytes", extent_bytes(desc).value_or(0));
    const std::size_t rank = desc.rank();
    if (rank > 1) note("rows", product(desc.sizes, 0, rank - 1));
    if (tensor.field.content == Content::kIndices)
      note("indices", elements);
    else if (are_indexed && tensor.field.access == Access::kInput)
      note("updates", elements);
    are_indexed = are_indexed || tensor.field.content == Content::kIndices;
    ++counts[tensor.field.name];
    if (!axis || rank == 0) return;
    const auto place = static_cast<std::size_t>(axis->from_front(rank));
    if (place >= rank) return;
    if (tensor.field.content != Content::kIndices) note("axis", desc.sizes[place]);
    std::uint64_t& end = ends[tensor.field.name];
    if (end != 0) note("starts", end);
    end += desc.sizes[place];
  });
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (counts[tensor.field.name] < 2) return;  // each array of several once
    note(tensor.field.access == Access::kInput ? "inputs" : "outputs", counts[tensor.field.name]);
    counts[tensor.field.name] = 0;
  });
  const Windows windows = windows_of(op);
  if (windows.offsets.numbers != nullptr)
    for (const std::uint32_t offset : *windows.offsets.numbers) note("offsets", offset);
  if (windows.sizes.numbers == nullptr) return;
  for (const std::uint32_t size : *windows.sizes.numbers) note("windows", size);
  // Of a step that no element is reached by, nothing shows.
  const Dims& reached = first_output(op)->sizes;
  for (const NumbersField<IntArray>& field : windows.strides)
    for (std::size_t i = 0; i < std::min(field.numbers->size(), reached.size()); ++i)
      if (reached[i] > 1)
        note("steps", static_cast<std::uint64_t>(std::llabs((*field.numbers)[i])));
}

bool Boundaries::has(std::string_view quantity, int exponent, Side side) const {
  const auto found = seen_.find(quantity);
  return found != seen_.end() &&
         (found->second[static_cast<std::size_t>(exponent)] & bit_of_side(side)) != 0;
}

void Boundaries::merge(const Boundaries& other) {
  for (const auto& [quantity, sides] : other.seen_) {
    Sides& own = seen_[quantity];
    for (std::size_t i = 0; i < sides.size(); ++i) own[i] |= sides[i];
  }
}

std::string boundaries_text(const Boundaries& boundaries) {
  std::string text;
  for (const auto& [quantity, sides] : boundaries.quantities()) {
    text += std::string(quantity) + std::string(10 - quantity.size(), ' ');
    for (int exponent = kLeastBoundary; exponent <= kMostBoundary; ++exponent) {
      const int count = std::popcount(sides[static_cast<std::size_t>(exponent)]);
      text += exponent % 8 == 0 ? " " : "";
      text += count == 0 ? '.' : static_cast<char>('0' + count);
    }
    text += '\n';
  }
  return text;
}

}  // namespace opconform::coverage
