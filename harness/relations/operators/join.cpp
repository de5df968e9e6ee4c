// What joins and splits have to do with each other: each undoes the other.
//
//   join-split      inputs that the output holds in another order, in part, or over one another
//   split-own-join  Split and Join: one of the two counts its runs in another way than the other

#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

using enum RelationVerdict;

RelationVerdict join_split(Trial& trial) {
  const auto* op = trial.op<DmlJoin>();
  if (op == nullptr) return kDoesNotApply;
  const DataType type = op->output.data_type;
  Split split{.input = with_any_layout(type, op->output.sizes, trial.draws()),
              .outputs = {},
              .axis = op->axis};
  for (const TensorDesc& input : op->inputs)
    split.outputs.push_back(with_any_layout(type, input.sizes, trial.draws()));
  const Version version = trial.generated().version;
  if (!is_listed(split, version)) return kDoesNotApply;
  const ExecutedCase* joined = trial.run_case();
  if (joined == nullptr) return trial.verdict();
  const ExecutedCase* run = trial.run(split, version, {joined->outputs[0]});
  if (run == nullptr) return trial.verdict();
  for (std::size_t k = 0; k < op->inputs.size(); ++k) {
    const std::string what = "OutputTensors[" + std::to_string(k) + "] of the Split";
    if (trial.compare(what, trial.inputs()[k], run->outputs[k]) == kBroken) return kBroken;
  }
  return kHolds;
}

/// Begins with a Split. JOIN takes fewer ranks than SPLIT does (join.rank-below-4).
RelationVerdict split_own_join(Trial& trial) {
  const auto* op = trial.op<Split>();
  if (op == nullptr) return kDoesNotApply;
  const DataType type = op->input.data_type;
  DmlJoin join{.inputs = {},
               .output = with_any_layout(type, op->input.sizes, trial.draws()),
               .axis = op->axis};
  for (const TensorDesc& output : op->outputs)
    join.inputs.push_back(with_any_layout(type, output.sizes, trial.draws()));
  const Version version = trial.generated().version;
  if (!is_listed(join, version)) return kDoesNotApply;
  const ExecutedCase* split = trial.run_case();
  if (split == nullptr) return trial.verdict();
  const ExecutedCase* run = trial.run(join, version, split->outputs);
  if (run == nullptr) return trial.verdict();
  return trial.compare("OutputTensor of the Join", trial.inputs()[0], run->outputs[0]);
}

constexpr Relation kJoinRelations[] = {
    {10,
     {"join-split", "Splitting the output of a Join into the sizes of its inputs gives them back."},
     join_split},
    {11,
     {"split-own-join", "A Join of the outputs of a Split along its axis gives the input."},
     split_own_join},
};

}  // namespace

std::span<const Relation> relations(std::type_identity<DmlJoin> /*op*/) { return kJoinRelations; }

bool lead_with_one(generation::Draws& draws, DmlJoin& op) {
  lead_all_with_one(draws, op);
  return true;
}
Permutation permute(generation::Draws& draws, DmlJoin& op) { return permute_all(draws, op); }
std::vector<bool> open_elements(const DmlJoin& /*op*/, std::span<const Values> /*inputs*/) {
  return {};
}

}  // namespace opconform::relations
