// Slices of slices.
//
//   slice-slice  start, window and stride that do not belong together; a copy start that is wrong
//                for one sign

#include <cstdlib>

#include "harness/relations/operator_relations.h"

namespace opconform::relations {
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
Cut choose_cut(std::uint64_t size, generation::Draws& draws) {
  Cut cut{};
  cut.offset = draws.below(size);
  cut.window = draws.between(1, size - cut.offset);
  const std::uint64_t magnitude = draws.between(1, draws.one_in(3) ? cut.window + 1 : 2);
  cut.stride = static_cast<std::int64_t>(magnitude) * (draws.one_in(2) ? -1 : 1);
  const std::uint64_t most = 1 + (cut.window - 1) / magnitude;
  cut.count = draws.one_in(3) ? draws.between(1, most) : most;
  return cut;
}

/// One cut that does what the two do one after the other, in a dimension of `size`. How far its
/// window reaches behind the last element is free.
Cut combined(const Cut& first, const Cut& second, std::uint64_t size, generation::Draws& draws) {
  const std::int64_t start = static_cast<std::int64_t>(first.start()) +
                             first.stride * static_cast<std::int64_t>(second.start());
  std::int64_t stride = first.stride * second.stride;
  if (second.count == 1) stride = stride < 0 ? -1 : 1;  // it goes nowhere, and may be beyond INT
  const auto from = static_cast<std::uint64_t>(start);
  const std::uint64_t reach =
      static_cast<std::uint64_t>(std::llabs(stride)) * (second.count - 1) + 1;
  const std::uint64_t room = stride < 0 ? from + 1 - reach : size - from - reach;
  const std::uint64_t window = reach + draws.below(room + 1);
  return {stride < 0 ? from + 1 - window : from, window, stride, second.count};
}

void add_cut(const Cut& cut, Slice1& op) {
  op.window_offsets.push_back(static_cast<std::uint32_t>(cut.offset));
  op.window_sizes.push_back(static_cast<std::uint32_t>(cut.window));
  op.window_strides.push_back(static_cast<std::int32_t>(cut.stride));
}

RelationVerdict slice_slice(Trial& trial) {
  const auto* op = trial.op<Slice1>();
  if (op == nullptr) return kDoesNotApply;
  const ExecutedCase* first = trial.run_case();
  if (first == nullptr) return trial.verdict();

  Slice1 second;
  Slice1 at_once;
  Dims sizes;
  for (std::size_t i = 0; i < op->input.rank(); ++i) {
    const Cut cut{op->window_offsets[i], op->window_sizes[i], op->window_strides[i],
                  op->output.sizes[i]};
    const Cut next = choose_cut(op->output.sizes[i], trial.draws());
    add_cut(next, second);
    add_cut(combined(cut, next, op->input.sizes[i], trial.draws()), at_once);
    sizes.push_back(next.count);
  }
  const DataType type = op->input.data_type;
  second.input = with_any_layout(type, op->output.sizes, trial.draws());
  second.output = with_any_layout(type, sizes, trial.draws());
  at_once.input = op->input;
  at_once.output = with_any_layout(type, sizes, trial.draws());

  const Version version = trial.generated().version;
  const ExecutedCase* sliced_twice = trial.run(second, version, {first->outputs[0]});
  if (sliced_twice == nullptr) return trial.verdict();
  const ExecutedCase* sliced_once = trial.run(at_once, version, trial.inputs());
  if (sliced_once == nullptr) return trial.verdict();
  return trial.compare("OutputTensor of the second slice", sliced_once->outputs[0],
                       sliced_twice->outputs[0]);
}

constexpr Relation kSlice1Relations[] = {
    {1,
     {"slice-slice", "A slice of a slice is the slice with combined start and strides."},
     slice_slice},
};

}  // namespace

std::span<const Relation> relations(std::type_identity<Slice1> /*op*/) { return kSlice1Relations; }

bool lead_with_one(generation::Draws& draws, Slice1& op) {
  lead_all_with_one(draws, op);
  return true;
}
Permutation permute(generation::Draws& draws, Slice1& op) { return permute_all(draws, op); }
std::vector<bool> open_elements(const Slice1& /*op*/, std::span<const Values> /*inputs*/) {
  return {};
}

}  // namespace opconform::relations
