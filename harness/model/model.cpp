#include "harness/model/model.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "harness/model/operators.h"

namespace opconform::model {
namespace {

std::uint64_t offset_of(const View& view, const Coordinates& at) {
  const std::size_t rank = std::min(at.size(), view.strides.size());
  return std::inner_product(at.begin(), at.begin() + rank, view.strides.begin(), std::uint64_t{0});
}

/// Of an offset outside, to the nearest element, in elements; one that wrapped is in front of them.
std::uint64_t distance(const View& view, std::uint64_t offset) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 56;  // its bytes can be counted
  return std::min(offset >> 63 != 0 ? 0 - offset : offset - view.room + 1, kMost);
}

}  // namespace

std::optional<std::string> Mover::run() {
  if (seams_.before) seams_.before(execution_);
  std::visit([&](const auto& op) { move_all(op, *this); }, execution_.op);
  if (failed_rule_) return failed_rule_;
  if (seams_.after) seams_.after(execution_);
  return std::nullopt;
}

std::size_t Mover::axis(std::size_t right) const {
  if (seams_.axis) seams_.axis(execution_, right);
  return right;
}
std::uint64_t Mover::window_start(std::size_t i, std::uint64_t right) const {
  return seams_.window_start ? seams_.window_start(execution_, i, right) : right;
}
std::int64_t Mover::window_stride(std::size_t i, std::int64_t right) const {
  return seams_.window_stride ? seams_.window_stride(execution_, i, right) : right;
}
std::uint64_t Mover::run_start(std::size_t k, std::uint64_t right) const {
  return seams_.run_start ? seams_.run_start(execution_, k, right) : right;
}

bool Mover::fail(std::string_view rule) {
  failed_rule_ = seams_.failure_rule ? seams_.failure_rule(rule) : std::string(rule);
  return false;
}

void Mover::expect_overlaps(std::size_t input) {
  overlapping_ = input;
  if (seams_.overlap)
    is_written_.assign(element_count(execution_.outputs.front().desc->sizes).value_or(0), false);
}

std::optional<std::uint64_t> Mover::resolve_at(const Coordinates& at, std::uint64_t number,
                                               std::uint64_t size) const {
  const View& view = execution_.inputs[1];
  PlacedIndex index{0, view.desc->data_type, number};
  if (const std::byte* element = element_at(view, offset_of(view, at))) {
    std::memcpy(&index.bits, element, view.width());
    if (index.type == DataType::kInt32)
      index.bits = static_cast<std::uint64_t>(
          std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(index.bits))});
  }
  if (seams_.read_index) seams_.read_index(index);
  return seams_.resolve(execution_, index, size);
}

void Mover::put(std::size_t input, const Coordinates& from, std::size_t output,
                const Coordinates& to) {
  if (!seams_.move) return carry_out(input, from, execution_.outputs[output], to);
  Move move{input, from, output, to};
  if (seams_.move(execution_, move))
    carry_out(move.input, move.from, execution_.outputs[move.output], move.to);
}

void Mover::carry_out(std::size_t input, const Coordinates& source, const View& output,
                      const Coordinates& target) {
  std::array<std::byte, sizeof(StringElement)> outside;
  const auto or_outside = [&](const std::byte* in_buffer) {
    if (in_buffer != nullptr) return in_buffer;
    outside.fill(astray_bytes_ <= kNearBytes ? seams_.outside : std::byte{0});
    return std::as_const(outside).data();
  };
  const std::byte* const from = or_outside(locate(execution_.inputs[input], source));
  std::byte* const to = locate(output, target);
  if (to == nullptr) return;
  if (seams_.overlap && input == overlapping_) {
    const std::uint64_t element = element_number(target, output.desc->sizes);
    const bool is_second = element < is_written_.size() && is_written_[element];
    if (element < is_written_.size()) is_written_[element] = true;
    if (is_second) {
      const std::byte* const old = locate(execution_.inputs[0], target);
      return seams_.overlap(output.desc->data_type, {to, from, or_outside(old), element});
    }
  }
  if (seams_.copy) return seams_.copy(output.desc->data_type, to, from);
  std::memcpy(to, from, output.width());
}

std::byte* Mover::locate(const View& view, const Coordinates& at) {
  std::uint64_t offset = offset_of(view, at);
  if (seams_.offset) offset = seams_.offset(view, offset);
  std::byte* const element = element_at(view, offset);
  if (element != nullptr) return element;
  astray_bytes_ = distance(view, offset) * view.width();
  execution_.strayed_bytes = std::max(execution_.strayed_bytes, astray_bytes_);
  return seams_.leaves_buffers ? view.first + static_cast<std::ptrdiff_t>(offset * view.width())
                               : nullptr;
}

std::optional<std::uint64_t> resolve(const PlacedIndex& index, std::uint64_t size) {
  const std::uint64_t coordinate = index.is_negative() ? index.bits + size : index.bits;
  return coordinate < size ? std::optional(coordinate) : std::nullopt;
}

void copy_element(DataType type, std::byte* to, const std::byte* from) {
  std::memcpy(to, from, element_size_bytes(type));
}

std::uint64_t element_number(const Coordinates& at, const Dims& sizes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < at.size(); ++i) number = number * sizes[i] + at[i];
  return number;
}

std::vector<NamedTensor> tensors_of(const Operator& op) {
  std::vector<NamedTensor> tensors;
  for_each_tensor(op, [&](const NamedTensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

void bind(const Bindings& bound, const Seams& seams, Execution& execution) {
  for (const NamedTensor& tensor : tensors_of(execution.op)) {
    const bool is_output = tensor.field.access == Access::kOutput;
    std::vector<View>& views = is_output ? execution.outputs : execution.inputs;
    const std::size_t k = views.size();
    View view{&tensor.desc,
              is_output ? bound.outputs[k].data() : const_cast<std::byte*>(bound.inputs[k].data()),
              is_output ? bound.outputs[k].size() : bound.inputs[k].size(),
              effective_strides(tensor.desc),
              is_output,
              tensor.field.content == Content::kIndices};
    if (seams.layout) seams.layout(execution, view);
    views.push_back(std::move(view));
  }
}

std::optional<std::string> run(const Seams& seams, Execution& execution) {
  return Mover(seams, execution).run();
}

}  // namespace opconform::model
