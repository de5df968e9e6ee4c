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

/// The elements from `start` on, as ONNX clamps it.
Window window_of(std::int64_t start, std::int64_t step, std::uint64_t size, std::uint64_t count) {
  const auto length = static_cast<std::int64_t>(size);
  if (start < 0) start += length;
  start = std::clamp<std::int64_t>(start, 0, step > 0 ? length : length - 1);
  const std::int64_t way = static_cast<std::int64_t>(count - 1) * step;
  const std::int64_t last = start + way;
  if (last < 0 || last >= length || start >= length)
    throw CannotSay("an output whose size starts, ends and steps do not give");
  return {static_cast<std::uint64_t>(std::min(start, last)),
          static_cast<std::uint64_t>(std::max(start, last) - std::min(start, last)) + 1};
}

std::vector<std::int64_t> numbers(const Node& node, std::size_t place, const char* attribute) {
  if (const NodeInput* const input = node.input(place)) return numbers_of(*input);
  const std::vector<std::int64_t>* const given = node.integers(attribute);
  return given == nullptr ? std::vector<std::int64_t>() : *given;
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
  const NodeTensor& output = node.outputs.at(0).tensor;
  if (std::find(output.sizes.begin(), output.sizes.end(), 0U) != output.sizes.end())
    throw CannotSay("an output without elements");
  const std::vector<std::int64_t> starts = numbers(node, 1, "starts");
  std::vector<std::int64_t> axes = numbers(node, 3, "axes");
  std::vector<std::int64_t> steps = numbers(node, 4, "steps");
  if (axes.empty())
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  steps.resize(std::max(steps.size(), starts.size()), 1);
  Slice1 op;
  op.input = packed_tensor(data.type, data.sizes);
  op.output = packed_tensor(output.type, output.sizes);
  const std::size_t rank = data.sizes.size();
  if (output.sizes.size() != rank) throw CannotSay("an output of another rank");
  for (std::size_t i = 0; i < rank; ++i) {
    op.window_offsets.push_back(0);
    op.window_sizes.push_back(static_cast<std::uint32_t>(data.sizes[i]));
    op.window_strides.push_back(1);
  }
  for (std::size_t k = 0; k < std::min(axes.size(), starts.size()); ++k) {
    const std::size_t i = axis_from_front(axes[k], rank);
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (steps[k] == 0 || steps[k] > kMost || steps[k] < -kMost) throw CannotSay("such a step");
    const Window window = window_of(starts[k], steps[k], data.sizes[i], output.sizes[i]);
    op.window_offsets[i] = static_cast<std::uint32_t>(window.offset);
    op.window_sizes[i] = static_cast<std::uint32_t>(window.size);
    op.window_strides[i] = static_cast<std::int32_t>(steps[k]);
  }
  return {op, FeatureLevel::k6_4, {data.elements}, {output.elements}};
}

}  // namespace opconform::interchange
