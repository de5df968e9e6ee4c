// Relations between operators that follow, or undo, one another.

#include <cstdlib>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/relations/trial.h"

namespace opconform::harness {
namespace {

using enum RelationVerdict;

/// What a Slice1 does along one dimension.
struct Cut {
  std::uint64_t offset;
  std::uint64_t window;
  std::int64_t stride;
  std::uint64_t count;  ///< of the output

  [[nodiscard]] std::uint64_t start() const { return stride < 0 ? offset + window - 1 : offset; }
};

/// Any that is valid for that size.
Cut choose_cut(std::uint64_t size, Choices& choices) {
  Cut cut{};
  cut.offset = choices.below(size);
  cut.window = choices.between(1, size - cut.offset);
  const std::uint64_t magnitude = choices.between(1, choices.one_in(3) ? cut.window + 1 : 2);
  cut.stride = static_cast<std::int64_t>(magnitude) * (choices.one_in(2) ? -1 : 1);
  const std::uint64_t most = 1 + (cut.window - 1) / magnitude;
  cut.count = choices.one_in(3) ? choices.between(1, most) : most;
  return cut;
}

/// One cut that does what the two do one after the other, in a dimension of `size`. How far its
/// window reaches behind the last element is free.
Cut combined(const Cut& first, const Cut& second, std::uint64_t size, Choices& choices) {
  const std::int64_t start = static_cast<std::int64_t>(first.start()) +
                             first.stride * static_cast<std::int64_t>(second.start());
  std::int64_t stride = first.stride * second.stride;
  if (second.count == 1) stride = stride < 0 ? -1 : 1;  // it goes nowhere, and may be beyond INT
  const auto from = static_cast<std::uint64_t>(start);
  const std::uint64_t reach =
      static_cast<std::uint64_t>(std::llabs(stride)) * (second.count - 1) + 1;
  const std::uint64_t room = stride < 0 ? from + 1 - reach : size - from - reach;
  const std::uint64_t window = reach + choices.below(room + 1);
  return {stride < 0 ? from + 1 - window : from, window, stride, second.count};
}

void add_cut(const Cut& cut, Slice1& op) {
  op.window_offsets.push_back(static_cast<std::uint32_t>(cut.offset));
  op.window_sizes.push_back(static_cast<std::uint32_t>(cut.window));
  op.window_strides.push_back(static_cast<std::int32_t>(cut.stride));
}

/// An ONNX Gather that takes single elements of a tensor, seen as one row, at those places. `shape`
/// is that of the indices. Null where the backend did not run it.
const Run* gather_elements(const Values& values, const std::vector<std::uint64_t>& places,
                           const Dims& shape, Trial& trial) {
  Choices& choices = trial.choices();
  const bool counts_from_end = choices.one_in(2);
  const Version version = Version::opset(counts_from_end || choices.one_in(2) ? 13 : 1);
  Values indices = zero_values(choices.one_in(2) ? DataType::kInt32 : DataType::kInt64, shape);
  const auto count = static_cast<std::int64_t>(values.count());
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::int64_t>(places[i]);
    write_index(counts_from_end && i % 2 == 0 ? place - count : place, indices, i);
  }
  OnnxGather op;
  op.data = {values.type, {values.count()}, {}, 0};
  op.indices = {indices.type, shape, {}, 0};
  op.output = {values.type, shape, {}, 0};
  return trial.run(op, version, {values, std::move(indices)});
}

/// Is `found`, the output of a Split along `axis` whose run begins at `start`, what Slice1 cuts out
/// of `input`?
RelationVerdict compare_with_slice(const TensorDesc& input, std::size_t axis, std::uint64_t start,
                                   const Values& found, Trial& trial) {
  Slice1 slice;
  slice.input = input;
  slice.output = with_any_layout(input.data_type, found.sizes, trial.choices());
  for (std::size_t i = 0; i < found.sizes.size(); ++i)
    add_cut({i == axis ? start : 0, found.sizes[i], 1, found.sizes[i]}, slice);
  const Run* sliced = trial.run(slice, trial.generated().version, trial.inputs());
  if (sliced == nullptr) return trial.verdict();
  return trial.compare("the output of Split against OutputTensor of Slice1", sliced->outputs[0],
                       found);
}

}  // namespace

RelationVerdict split_join(Trial& trial) {
  const Split* op = trial.op<Split>();
  if (op == nullptr) return kDoesNotApply;
  const Run* run = trial.run_case();
  if (run == nullptr) return trial.verdict();
  const Values& input = trial.inputs()[0];
  Values joined = zero_values(input.type, input.sizes);
  const Dims strides = packed_strides(input.sizes);
  std::uint64_t start = 0;
  for (const Values& output : run->outputs) {
    for_each_element({output.type, output.sizes, strides, 0}, [&](std::uint64_t number,
                                                                  std::uint64_t offset) {
      std::memcpy(joined.at(offset + start * strides[op->axis]), output.at(number), output.width());
    });
    start += output.sizes[op->axis];
  }
  return trial.compare("the join of OutputTensors", input, joined);
}

RelationVerdict slice_slice(Trial& trial) {
  const Slice1* op = trial.op<Slice1>();
  if (op == nullptr) return kDoesNotApply;
  const Run* first = trial.run_case();
  if (first == nullptr) return trial.verdict();

  Slice1 second;
  Slice1 at_once;
  Dims sizes;
  for (std::size_t i = 0; i < op->input.rank(); ++i) {
    const Cut cut{op->window_offsets[i], op->window_sizes[i], op->window_strides[i],
                  op->output.sizes[i]};
    const Cut next = choose_cut(op->output.sizes[i], trial.choices());
    add_cut(next, second);
    add_cut(combined(cut, next, op->input.sizes[i], trial.choices()), at_once);
    sizes.push_back(next.count);
  }
  const DataType type = op->input.data_type;
  second.input = with_any_layout(type, op->output.sizes, trial.choices());
  second.output = with_any_layout(type, sizes, trial.choices());
  at_once.input = op->input;
  at_once.output = with_any_layout(type, sizes, trial.choices());

  const Version version = trial.generated().version;
  const Run* sliced_twice = trial.run(second, version, {first->outputs[0]});
  if (sliced_twice == nullptr) return trial.verdict();
  const Run* sliced_once = trial.run(at_once, version, trial.inputs());
  if (sliced_once == nullptr) return trial.verdict();
  return trial.compare("OutputTensor of the second slice", sliced_once->outputs[0],
                       sliced_twice->outputs[0]);
}

RelationVerdict split_slice(Trial& trial) {
  const Version version = trial.generated().version;
  if (const Split* op = trial.op<Split>()) {
    const std::uint64_t k = trial.choices().below(op->outputs.size());
    if (!is_listed(Slice1{op->input, op->outputs[k], {}, {}, {}}, version)) return kDoesNotApply;
    const Run* split = trial.run_case();
    if (split == nullptr) return trial.verdict();
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < k; ++i) start += op->outputs[i].sizes[op->axis];
    return compare_with_slice(op->input, op->axis, start, split->outputs[k], trial);
  }
  const Slice1* op = trial.op<Slice1>();
  if (op == nullptr) return kDoesNotApply;
  Split split;
  split.axis = static_cast<std::uint32_t>(trial.choices().below(op->input.rank()));
  split.input = op->input;
  Dims sizes = op->input.sizes;
  const std::uint64_t size = sizes[split.axis];
  const std::uint64_t start = op->window_offsets[split.axis];
  const std::uint64_t length = op->window_sizes[split.axis];
  for (const std::uint64_t part : {start, length, size - start - length}) {
    if (part == 0) continue;
    sizes[split.axis] = part;
    split.outputs.push_back(with_any_layout(op->input.data_type, sizes, trial.choices()));
  }
  if (!is_listed(split, version)) return kDoesNotApply;
  const Run* run = trial.run(split, version, trial.inputs());
  if (run == nullptr) return trial.verdict();
  return compare_with_slice(op->input, split.axis, start, run->outputs[start == 0 ? 0 : 1], trial);
}

RelationVerdict scatter_gather(Trial& trial) {
  const Scatter* op = trial.op<Scatter>();
  if (op == nullptr) return kDoesNotApply;
  const auto targets = scatter_targets(*op, trial.inputs()[1]);
  if (!targets) return kDoesNotApply;
  const Run* scattered = trial.run_case();
  if (scattered == nullptr) return trial.verdict();
  const Run* run = gather_elements(scattered->outputs[0], *targets, op->updates.sizes, trial);
  if (run == nullptr) return trial.verdict();
  const Values& gathered = run->outputs[0];
  const Values& updates = trial.inputs()[2];
  // Of several updates to one element any may have won: one is found where it went, and there is
  // what all of them find.
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::vector<std::uint64_t> winners(scattered->outputs[0].count(), kNone);
  Values expected = updates;
  const std::size_t width = updates.width();
  for (std::uint64_t p = 0; p < targets->size(); ++p)
    if (std::memcmp(gathered.at(p), updates.at(p), width) == 0) winners[(*targets)[p]] = p;
  for (std::uint64_t p = 0; p < targets->size(); ++p)
    if (const std::uint64_t winner = winners[(*targets)[p]]; winner != kNone)
      std::memcpy(expected.at(p), updates.at(winner), width);
  return trial.compare("what was gathered from OutputTensor at the places of the updates", expected,
                       gathered);
}

RelationVerdict gather_scatter(Trial& trial) {
  const Scatter* op = trial.op<Scatter>();
  if (op == nullptr) return kDoesNotApply;
  const auto targets = scatter_targets(*op, trial.inputs()[1]);
  if (!targets) return kDoesNotApply;
  const Values& input = trial.inputs()[0];
  const Run* gathered = gather_elements(input, *targets, op->updates.sizes, trial);
  if (gathered == nullptr) return trial.verdict();
  Scatter scatter = *op;
  // Elements that shared a place need not have the same value any more.
  scatter.updates = with_any_layout(input.type, op->updates.sizes, trial.choices());
  const Run* scattered = trial.run(scatter, trial.generated().version,
                                   {input, trial.inputs()[1], gathered->outputs[0]});
  if (scattered == nullptr) return trial.verdict();
  return trial.compare("OutputTensor", input, scattered->outputs[0]);
}

}  // namespace opconform::harness
