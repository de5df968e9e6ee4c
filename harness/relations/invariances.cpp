// Relations between a case and one that says the same in another way.

#include <algorithm>

#include "harness/generation/operators/common.h"
#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

using enum RelationVerdict;

struct Same {
  const Values& operator()(const Values& values) const { return values; }
};

/// Runs the case and another that gives the same outputs, once `restore` has been applied to them.
template <class Restore = Same>
RelationVerdict compare_runs(Operator other, std::vector<Values> inputs, Trial& trial,
                             Restore&& restore = {}) {
  const ExecutedCase* run = trial.run_case();
  if (run == nullptr) return trial.verdict();
  const ExecutedCase* other_run =
      trial.run(std::move(other), trial.generated().version, std::move(inputs));
  if (other_run == nullptr) return trial.verdict();
  const std::vector<bool> open = trial.open_elements();
  const cases::TensorList tensors(trial.generated().op);
  for (std::size_t i = 0; i < run->outputs.size(); ++i)
    if (trial.compare(tensors.outputs[i].path.text(), run->outputs[i],
                      restore(other_run->outputs[i]), open) == kBroken)
      return kBroken;
  return kHolds;
}

}  // namespace

void insert_one(std::size_t at, generation::Draws& draws, TensorDesc& tensor) {
  tensor.sizes.insert(at, 1);
  if (tensor.strides) tensor.strides->insert(at, draws.below(100));
}

void permute_tensor(const Dims& order, bool keep_places, TensorDesc& tensor) {
  const Dims strides = permuted(effective_strides(tensor), order);
  tensor.sizes = permuted(tensor.sizes, order);
  if (keep_places)
    tensor.strides = strides;
  else
    generation::pack_again(tensor);
}

RelationVerdict layout(Trial& trial) {
  if (trial.generated().version.dialect() != Dialect::kDirectml || !trial.is_defined())
    return kDoesNotApply;
  Operator other = trial.generated().op;
  for (const MutableTensor& tensor : mutable_tensors(other))
    *tensor.desc = with_any_layout(tensor.desc->data_type, tensor.desc->sizes, trial.draws());
  return compare_runs(std::move(other), trial.inputs(), trial);
}

RelationVerdict leading_ones(Trial& trial) {
  if (!trial.is_defined()) return kDoesNotApply;
  Operator other = trial.generated().op;
  std::size_t added = 0;
  while (added == 0 || trial.draws().one_in(2)) {
    Operator next = other;
    const bool can = std::visit([&](auto& op) { return lead_with_one(trial.draws(), op); }, next);
    if (!can || !is_listed(next, trial.generated().version)) break;
    other = std::move(next);
    ++added;
  }
  if (added == 0) return kDoesNotApply;
  return compare_runs(std::move(other), trial.inputs(), trial);
}

RelationVerdict permuted_dimensions(Trial& trial) {
  if (!trial.is_defined()) return kDoesNotApply;
  Operator other = trial.generated().op;
  const Permutation permutation =
      std::visit([&](auto& op) { return permute(trial.draws(), op); }, other);
  const auto is_in_order = [](const Dims& order) {
    return std::is_sorted(order.begin(), order.end());
  };
  if (std::all_of(permutation.inputs.begin(), permutation.inputs.end(), is_in_order))
    return kDoesNotApply;
  std::vector<Values> inputs;
  for (std::size_t i = 0; i < permutation.inputs.size(); ++i)
    inputs.push_back(permuted(trial.inputs()[i], permutation.inputs[i]));
  const Dims back = inverse(permutation.outputs);
  return compare_runs(std::move(other), std::move(inputs), trial,
                      [&](const Values& output) { return permuted(output, back); });
}

RelationVerdict same_width(Trial& trial) {
  const cases::TensorList tensors(trial.generated().op);
  const DataType now = tensors.outputs.front().desc.data_type;
  if (now == DataType::kString || !trial.is_defined()) return kDoesNotApply;
  InlineVector<DataType, kDataTypeCount> others;
  Operator other = trial.generated().op;
  const auto retype = [&](DataType type) {
    for (const MutableTensor& tensor : mutable_tensors(other))
      if (tensor.field.content == Content::kValues) tensor.desc->data_type = type;
  };
  for (const DataType type : all_data_types()) {
    if (type == now || type == DataType::kString ||
        element_size_bytes(type) != element_size_bytes(now))
      continue;
    retype(type);
    if (is_listed(other, trial.generated().version)) others.push_back(type);
  }
  if (others.empty()) return kDoesNotApply;
  retype(others[trial.draws().below(others.size())]);
  return compare_runs(std::move(other), trial.inputs(), trial);
}

RelationVerdict index_type(Trial& trial) {
  const std::optional<std::uint64_t> size = indexed_size(trial.generated().op);
  if (!size || !trial.is_defined()) return kDoesNotApply;
  const Version version = trial.generated().version;
  const bool is_onnx = version.dialect() == Dialect::kOnnx;
  Operator other = trial.generated().op;
  const std::vector<MutableTensor> tensors = mutable_tensors(other);
  // Inputs come first.
  const auto is_indices = [](const MutableTensor& tensor) {
    return tensor.field.content == Content::kIndices;
  };
  const auto place = std::find_if(tensors.begin(), tensors.end(), is_indices);
  const auto input = static_cast<std::size_t>(place - tensors.begin());
  TensorDesc& indices = *place->desc;
  const DataType now = indices.data_type;
  InlineVector<DataType, kDataTypeCount> others;
  for (const DataType type : all_data_types()) {
    indices.data_type = type;
    if (type != now && is_listed(other, version)) others.push_back(type);
  }
  if (others.empty()) return kDoesNotApply;
  const DataType type = others[trial.draws().below(others.size())];
  if (is_onnx)
    indices.data_type = type;
  else
    indices = with_any_layout(type, indices.sizes, trial.draws());

  std::vector<Values> inputs = trial.inputs();
  const std::vector<std::uint64_t> coordinates = *resolve_indices(inputs[input], *size);
  inputs[input] = zero_values(type, indices.sizes);
  const bool may_be_negative =
      kind(type) == DataTypeKind::kSigned && defines_negative_indices(other, version);
  for (std::uint64_t i = 0; i < coordinates.size(); ++i) {
    const auto coordinate = static_cast<std::int64_t>(coordinates[i]);
    const bool from_end = may_be_negative && trial.draws().one_in(2);
    set_index(from_end ? coordinate - static_cast<std::int64_t>(*size) : coordinate, inputs[input],
              i);
  }
  return compare_runs(std::move(other), std::move(inputs), trial);
}

}  // namespace opconform::relations
