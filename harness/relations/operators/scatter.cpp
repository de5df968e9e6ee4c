// What scatters and gathers undo of each other.
//
//   scatter-gather  updates that are lost, or that go elsewhere than the gather looks for them;
//                   negative indices that the two count differently
//   gather-scatter  writes beside the named elements; repeated indices

#include <cstring>

#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

using enum RelationVerdict;

std::optional<std::vector<std::uint64_t>> scatter_targets(const Scatter& op,
                                                          const Values& indices) {
  std::optional<std::vector<std::uint64_t>> numbers =
      resolve_indices(indices, op.output.sizes[op.axis]);
  if (!numbers) return numbers;
  std::uint64_t inner = 1;  // elements behind the axis
  for (std::size_t i = op.axis + 1; i < op.output.rank(); ++i) inner *= op.output.sizes[i];
  const std::uint64_t extent = op.indices.sizes[op.axis];
  for (std::uint64_t p = 0; p < numbers->size(); ++p) {
    const std::uint64_t outer = p / (inner * extent);
    (*numbers)[p] = (outer * op.output.sizes[op.axis] + (*numbers)[p]) * inner + p % inner;
  }
  return numbers;
}

/// An ONNX Gather that takes single elements of a tensor, seen as one row, at those places. `shape`
/// is that of the indices. Null where the backend did not run it.
const ExecutedCase* gather_elements(const Values& values, const std::vector<std::uint64_t>& places,
                                    const Dims& shape, Trial& trial) {
  generation::Draws& draws = trial.draws();
  const bool counts_from_end = draws.one_in(2);
  const Version version = Version::opset(counts_from_end || draws.one_in(2) ? 13 : 1);
  Values indices = zero_values(draws.one_in(2) ? DataType::kInt32 : DataType::kInt64, shape);
  const auto count = static_cast<std::int64_t>(values.count());
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::int64_t>(places[i]);
    set_index(counts_from_end && i % 2 == 0 ? place - count : place, indices, i);
  }
  OnnxGather op;
  op.data = {values.type, {values.count()}, {}, 0};
  op.indices = {indices.type, shape, {}, 0};
  op.output = {values.type, shape, {}, 0};
  return trial.run(op, version, {values, std::move(indices)});
}

RelationVerdict scatter_gather(Trial& trial) {
  const auto* op = trial.op<Scatter>();
  if (op == nullptr) return kDoesNotApply;
  const auto targets = scatter_targets(*op, trial.inputs()[1]);
  if (!targets) return kDoesNotApply;
  const ExecutedCase* scattered = trial.run_case();
  if (scattered == nullptr) return trial.verdict();
  const ExecutedCase* run =
      gather_elements(scattered->outputs[0], *targets, op->updates.sizes, trial);
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
  const auto* op = trial.op<Scatter>();
  if (op == nullptr) return kDoesNotApply;
  const auto targets = scatter_targets(*op, trial.inputs()[1]);
  if (!targets) return kDoesNotApply;
  const Values& input = trial.inputs()[0];
  const ExecutedCase* gathered = gather_elements(input, *targets, op->updates.sizes, trial);
  if (gathered == nullptr) return trial.verdict();
  Scatter scatter = *op;
  // Elements that shared a place need not have the same value any more.
  scatter.updates = with_any_layout(input.type, op->updates.sizes, trial.draws());
  const ExecutedCase* scattered = trial.run(scatter, trial.generated().version,
                                            {input, trial.inputs()[1], gathered->outputs[0]});
  if (scattered == nullptr) return trial.verdict();
  return trial.compare("OutputTensor", input, scattered->outputs[0]);
}

constexpr Relation kScatterRelations[] = {
    {3,
     {"scatter-gather", "Gathering at the places that were scattered to gives the updates."},
     scatter_gather},
    {4,
     {"gather-scatter", "Scattering what was gathered from the same places changes nothing."},
     gather_scatter},
};

}  // namespace

std::span<const Relation> relations(std::type_identity<Scatter> /*op*/) {
  return kScatterRelations;
}

bool lead_with_one(generation::Draws& draws, Scatter& op) {
  lead_all_with_one(draws, op);
  return true;
}
Permutation permute(generation::Draws& draws, Scatter& op) { return permute_all(draws, op); }
std::vector<bool> open_elements(const Scatter& op, std::span<const Values> inputs) {
  const std::uint64_t count = *element_count(op.output.sizes);
  std::vector<bool> named(count);
  std::vector<bool> open(count);
  const auto targets = scatter_targets(op, inputs[1]);
  for (const std::uint64_t target : *targets) {
    open[target] = open[target] || named[target];
    named[target] = true;
  }
  return open;
}

}  // namespace opconform::relations
