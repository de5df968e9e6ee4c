// As ONNX Slice, which counts from a start to an end that is left out, where DirectML has a window
// that is walked from its last element where the stride is negative.

#include <algorithm>
#include <limits>

#include "harness/interchange/node.h"

namespace opconform::interchange {
namespace {

constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();

/// What one dimension says.
struct Range {
  std::int64_t start;
  std::int64_t end;
  std::int64_t step;
};

/// The output may be smaller than what the window gives: its size says where to end.
Range range_of(const Slice1& op, std::size_t i) {
  const std::int64_t step = op.window_strides[i];
  const auto count = static_cast<std::int64_t>(op.output.sizes[i]);
  const std::int64_t offset = op.window_offsets[i];
  if (step > 0) return {offset, offset + (count - 1) * step + 1, step};
  const std::int64_t start = offset + std::int64_t{op.window_sizes[i]} - 1;
  const std::int64_t end = start + (count - 1) * step - 1;
  // Where nothing is before the last element, a plain -1 would mean the end of the dimension.
  return {start, end < 0 ? kBeforeAll : end, step};
}

struct Window {
  std::uint64_t offset;
  std::uint64_t size;
};

/// From the front, in a dimension of that size. Throws CannotSay where ONNX, which clamps both
/// ends, comes to another count.
Window window_of(Range range, std::uint64_t size, std::uint64_t count) {
  const auto length = static_cast<std::int64_t>(size);
  const bool is_forward = range.step > 0;
  const auto clamped = [&](std::int64_t place, std::int64_t least) {
    if (place < 0) place += length;
    return std::clamp(place, least, std::max(least, is_forward ? length : length - 1));
  };
  const std::int64_t start = clamped(range.start, 0);
  const std::int64_t way = clamped(range.end, is_forward ? 0 : -1) - start;
  const std::int64_t step_size = is_forward ? range.step : -range.step;
  const std::int64_t found = ((is_forward ? way : -way) + step_size - 1) / step_size;
  if (found < 1 || static_cast<std::uint64_t>(found) != count)
    throw CannotSay("an output whose size starts, ends and steps do not give");
  const std::int64_t last = start + (found - 1) * range.step;
  return {static_cast<std::uint64_t>(std::min(start, last)),
          static_cast<std::uint64_t>(std::max(start, last) - std::min(start, last)) + 1};
}

std::vector<std::int64_t> numbers(const Node& node, std::size_t place, const char* attribute) {
  if (const NodeInput* const input = node.input(place)) return numbers_of(*input);
  const std::vector<std::int64_t>* const given = node.integers(attribute);
  return given == nullptr ? std::vector<std::int64_t>() : *given;
}

/// Of each dimension; the whole one where the node names none.
std::vector<Range> ranges_of(const Node& node, const Dims& sizes) {
  const std::vector<std::int64_t> starts = numbers(node, 1, "starts");
  const std::vector<std::int64_t> ends = numbers(node, 2, "ends");
  std::vector<std::int64_t> axes = numbers(node, 3, "axes");
  std::vector<std::int64_t> steps = numbers(node, 4, "steps");
  if (axes.empty())
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  if (steps.empty()) steps.resize(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    throw CannotSay("starts, ends, axes and steps of different lengths");
  std::vector<Range> ranges;
  for (const std::uint64_t size : sizes) ranges.push_back({0, static_cast<std::int64_t>(size), 1});
  std::vector<bool> is_named(sizes.size());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (steps[k] == 0 || steps[k] > kMost || steps[k] < -kMost) throw CannotSay("such a step");
    const std::size_t i = axis_from_front(axes[k], sizes.size());
    if (is_named[i]) throw CannotSay("an axis twice");
    is_named[i] = true;
    ranges[i] = {starts[k], ends[k], steps[k]};
  }
  return ranges;
}

}  // namespace

std::string_view node_type(std::type_identity<Slice1> /*which*/) { return "Slice"; }

Node to_node(const Slice1& op, const Filled& filled) {
  Node node;
  node.op_type = node_type(std::type_identity<Slice1>{});
  node.opset = kOpsetOfDirectml;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < op.input.rank(); ++i) {
    const Range range = range_of(op, i);
    starts.push_back(range.start);
    ends.push_back(range.end);
    axes.push_back(static_cast<std::int64_t>(i));
    steps.push_back(range.step);
  }
  node.inputs = {NodeInput{"data", tensor_of(op.input, filled.inputs[0])},
                 constant("starts", starts), constant("ends", ends), constant("axes", axes),
                 constant("steps", steps)};
  node.outputs = {{"output", tensor_of(op.output, filled.outputs[0])}};
  return node;
}

Filled from_node(std::type_identity<Slice1> /*which*/, const Node& node) {
  const NodeTensor& data = demand_input(node, 0).tensor;
  const NodeTensor& output = demand_output(node, 0).tensor;
  if (std::find(output.sizes.begin(), output.sizes.end(), 0U) != output.sizes.end())
    throw CannotSay("an output without elements");
  const std::size_t rank = data.sizes.size();
  if (output.sizes.size() != rank) throw CannotSay("an output of another rank");
  const std::vector<Range> ranges = ranges_of(node, data.sizes);
  Slice1 op;
  op.input = packed_tensor(data.type, data.sizes);
  op.output = packed_tensor(output.type, output.sizes);
  for (std::size_t i = 0; i < rank; ++i) {
    const Window window = window_of(ranges[i], data.sizes[i], output.sizes[i]);
    op.window_offsets.push_back(static_cast<std::uint32_t>(window.offset));
    op.window_sizes.push_back(static_cast<std::uint32_t>(window.size));
    op.window_strides.push_back(static_cast<std::int32_t>(ranges[i].step));
  }
  return {op, FeatureLevel::k6_4, {data.elements}, {output.elements}};
}

}  // namespace opconform::interchange
