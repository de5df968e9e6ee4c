#include "harness/backends/promise.h"

#include <algorithm>

#include "spec/validate.h"

namespace opconform::backends {
namespace {

bool is_in_another_layout(const TensorDesc& tensor) {
  if (!tensor.strides || !stride_count_matches(tensor)) return false;
  const Dims packed = packed_strides(tensor.sizes);
  for (std::size_t i = 0; i < tensor.rank(); ++i)
    if (tensor.sizes[i] > 1 && (*tensor.strides)[i] != packed[i]) return true;
  return false;
}

/// What of a tensor is not offered; empty where all is.
std::string missing_of(const Promise& promise, const OperatorPromise& own,
                       const NamedTensor& tensor, Dialect dialect) {
  const TensorDesc& desc = tensor.desc;
  std::string type(opconform::name(desc.data_type, dialect));
  const std::optional<DataTypeSet>& types =
      tensor.field.content == Content::kIndices ? own.index_types : own.data_types;
  if (types && !types->contains(desc.data_type)) return type;
  if (promise.strings == Offer::kNotOffered && desc.data_type == DataType::kString) return type;
  if (own.ranks && !own.ranks->contains(desc.rank())) return "rank " + std::to_string(desc.rank());
  if (promise.empty_tensors == Offer::kNotOffered && has_empty_dimension(desc))
    return "empty tensors";
  if (promise.layouts == Layouts::kPacked && is_in_another_layout(desc)) return "this layout";
  return "";
}

std::string missing_tensor(const Promise& promise, const Operator& op, Version version) {
  std::string missing;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (!missing.empty()) return;
    missing = missing_of(promise, promise.operators[op.index()], tensor, version.dialect());
    if (!missing.empty()) missing += " for " + tensor.path.text();
  });
  return missing;
}

/// The first broken rule that it does not promise to reject.
std::string_view unpromised_rule(const Promise& promise, const Operator& op, Version version) {
  if (!promise.rejected_rules) return {};
  const std::vector<std::string>& rejected = *promise.rejected_rules;
  for (const std::string_view rule : validate(op, version).rules())
    if (!std::binary_search(rejected.begin(), rejected.end(), rule)) return rule;
  return {};
}

}  // namespace

bool operator==(const OperatorPromise& a, const OperatorPromise& b) {
  const auto same_ranks = [](const std::optional<RankRange>& x, const std::optional<RankRange>& y) {
    return x.has_value() == y.has_value() && (!x || (x->least == y->least && x->most == y->most));
  };
  return a.operation == b.operation && a.data_types == b.data_types &&
         a.index_types == b.index_types && same_ranks(a.ranks, b.ranks) && a.from == b.from &&
         a.to == b.to && a.index_out_of_range == b.index_out_of_range &&
         a.negative_indices == b.negative_indices && a.overlapping_writes == b.overlapping_writes &&
         a.index_without_output == b.index_without_output;
}

bool Promise::is_document() const {
  bool differs = rejected_rules.has_value();
  visit_choices(*this,
                [&](const PromisedChoice&, auto value) { differs |= value != decltype(value){}; });
  return !differs && std::all_of(operators.begin(), operators.end(),
                                 [](const auto& own) { return own == OperatorPromise(); });
}

const Promise& document_promise() {
  static const Promise document;
  return document;
}

std::optional<std::string> not_offered(const Promise& promise, const Operator& op,
                                       Version version) {
  const OperatorPromise& own = promise.operators[op.index()];
  std::string missing;
  if (own.operation == Offer::kNotOffered)
    missing = describe(op).name;
  else if ((own.from && version < *own.from) || (own.to && version > *own.to))
    missing = "version " + version.text();
  else
    missing = missing_tensor(promise, op, version);
  if (!missing.empty()) return "the promise " + promise.name + " does not offer " + missing;
  if (const std::string_view rule = unpromised_rule(promise, op, version); !rule.empty())
    return "the promise " + promise.name + " does not say that it rejects what breaks " +
           std::string(rule);
  return std::nullopt;
}

}  // namespace opconform::backends
