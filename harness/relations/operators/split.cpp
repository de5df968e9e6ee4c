// What splits and joins, or splits and slices, have to do with each other.
//
//   split-join   runs that overlap, leave something out, or stand in another order
//   split-slice  one of the two operators reads another run than the other

#include <cstring>

#include "harness/base/layout.h"
#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

using enum RelationVerdict;

/// Is `found`, the output of a Split along `axis` whose run begins at `start`, what Slice1 cuts out
/// of `input`?
RelationVerdict compare_with_slice(const TensorDesc& input, std::size_t axis, std::uint64_t start,
                                   const Values& found, Trial& trial) {
  Slice1 slice;
  slice.input = input;
  slice.output = with_any_layout(input.data_type, found.sizes, trial.draws());
  for (std::size_t i = 0; i < found.sizes.size(); ++i) {
    slice.window_offsets.push_back(static_cast<std::uint32_t>(i == axis ? start : 0));
    slice.window_sizes.push_back(static_cast<std::uint32_t>(found.sizes[i]));
    slice.window_strides.push_back(1);
  }
  const ExecutedCase* sliced = trial.run(slice, trial.generated().version, trial.inputs());
  if (sliced == nullptr) return trial.verdict();
  return trial.compare("the output of Split against OutputTensor of Slice1", sliced->outputs[0],
                       found);
}

RelationVerdict split_join(Trial& trial) {
  const auto* op = trial.op<Split>();
  if (op == nullptr) return kDoesNotApply;
  const ExecutedCase* run = trial.run_case();
  if (run == nullptr) return trial.verdict();
  const Values& input = trial.inputs()[0];
  Values joined = zero_values(input.type, input.sizes);
  const Dims strides = packed_strides(input.sizes);
  std::uint64_t start = 0;
  for (const Values& output : run->outputs) {
    base::for_each_element({output.type, output.sizes, strides, 0}, [&](std::uint64_t number,
                                                                        std::uint64_t offset) {
      std::memcpy(joined.at(offset + start * strides[op->axis]), output.at(number), output.width());
    });
    start += output.sizes[op->axis];
  }
  return trial.compare("the join of OutputTensors", input, joined);
}

RelationVerdict split_slice(Trial& trial) {
  const Version version = trial.generated().version;
  if (const auto* op = trial.op<Split>()) {
    const std::uint64_t k = trial.draws().below(op->outputs.size());
    if (!is_listed(Slice1{op->input, op->outputs[k], {}, {}, {}}, version)) return kDoesNotApply;
    const ExecutedCase* split = trial.run_case();
    if (split == nullptr) return trial.verdict();
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < k; ++i) start += op->outputs[i].sizes[op->axis];
    return compare_with_slice(op->input, op->axis, start, split->outputs[k], trial);
  }
  const auto* op = trial.op<Slice1>();
  if (op == nullptr) return kDoesNotApply;
  Split split;
  split.axis = static_cast<std::uint32_t>(trial.draws().below(op->input.rank()));
  split.input = op->input;
  Dims sizes = op->input.sizes;
  const std::uint64_t size = sizes[split.axis];
  const std::uint64_t start = op->window_offsets[split.axis];
  const std::uint64_t length = op->window_sizes[split.axis];
  for (const std::uint64_t part : {start, length, size - start - length}) {
    if (part == 0) continue;
    sizes[split.axis] = part;
    split.outputs.push_back(with_any_layout(op->input.data_type, sizes, trial.draws()));
  }
  if (!is_listed(split, version)) return kDoesNotApply;
  const ExecutedCase* run = trial.run(split, version, trial.inputs());
  if (run == nullptr) return trial.verdict();
  return compare_with_slice(op->input, split.axis, start, run->outputs[start == 0 ? 0 : 1], trial);
}

constexpr Relation kSplitRelations[] = {
    {0,
     {"split-join", "Joining the outputs of a Split along its axis gives the input."},
     split_join},
    {2,
     {"split-slice", "An output of a Split is the Slice1 whose window is that run."},
     split_slice},
};

}  // namespace

std::span<const Relation> relations(std::type_identity<Split> /*op*/) { return kSplitRelations; }

bool lead_with_one(generation::Draws& draws, Split& op) {
  lead_all_with_one(draws, op);
  return true;
}
Permutation permute(generation::Draws& draws, Split& op) { return permute_all(draws, op); }
std::vector<bool> open_elements(const Split& /*op*/, std::span<const Values> /*inputs*/) {
  return {};
}

}  // namespace opconform::relations
