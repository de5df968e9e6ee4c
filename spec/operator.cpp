#include "spec/operator.h"

#include <algorithm>
#include <array>

#include "spec/tensor_rules.h"

namespace opconform {
namespace {

template <class Op>
OperatorText text_of() {
  return {Op::kName, kRulePrefix<Op>, Op::kAlias, Op::kDialect, Op::support()};
}

template <class Row>
const Row* find_by_name(const std::vector<Row>& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

/// Leaves one element; a visitor of the operator's field list.
struct SingleElements {
  void operator()(const TensorField& /*field*/, TensorDesc& tensor) const {
    tensor = packed_tensor(tensor.data_type, Dims(tensor.rank(), 1));
  }
  void operator()(const TensorField& field, std::vector<TensorDesc>& tensors) const {
    tensors.resize(1);
    (*this)(field, tensors.front());
  }
  void operator()(const ArrayField& field, auto& numbers) const {
    if (field.role != ArrayRole::kStride)  // any goes: there is no second element
      std::fill(numbers.begin(), numbers.end(), number_of_one(field.role));
  }
  void operator()(const auto& /*field*/, const auto&... /*value*/) const {}
};

}  // namespace

std::uint64_t total_elements(const Operator& op) {
  std::uint64_t total = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    total += element_count(tensor.desc.sizes).value_or(0);
  });
  return total;
}

std::optional<Operator> make_operator(std::string_view name) {
  std::optional<Operator> result;
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    if (name == Op::kName || (!name.empty() && name == Op::kAlias)) result = Op{};
  });
  return result;
}

OperatorText describe(const Operator& op) {
  return std::visit([]<class Op>(const Op&) { return text_of<Op>(); }, op);
}

std::vector<OperatorText> all_operators() {
  std::vector<OperatorText> result;
  for_each_operator([&]<class Op>(std::type_identity<Op>) { result.push_back(text_of<Op>()); });
  return result;
}

const std::vector<RuleText>& all_rules() {
  static const std::vector<RuleText> rules = [] {
    std::vector<RuleText> result;
    for (const auto& rule : tensor_rules()) result.push_back(rule.text);
    for_each_operator([&]<class Op>(std::type_identity<Op>) {
      for (const auto& rule : Op::rules()) result.push_back(rule.text);
    });
    return result;
  }();
  return rules;
}

const RuleText* find_rule(std::string_view name) { return find_by_name(all_rules(), name); }

const std::vector<Erratum>& all_errata() {
  static const std::vector<Erratum> errata = [] {
    std::vector<Erratum> result;
    for_each_operator([&]<class Op>(std::type_identity<Op>) {
      result.insert(result.end(), Op::errata().begin(), Op::errata().end());
    });
    result.insert(result.end(), tensor_errata().begin(), tensor_errata().end());
    return result;
  }();
  return errata;
}

const Erratum* find_erratum(std::string_view name) { return find_by_name(all_errata(), name); }

std::vector<MutableTensor> mutable_tensors(Operator& op) {
  return std::visit([](auto& o) { return mutable_tensors(o); }, op);
}

Operator plain_operator(std::size_t operator_index, const PlainShape& shape) {
  static constexpr std::array kMakers{
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  +[](const PlainShape& wanted) -> Operator { return Type::plain(wanted); },
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR
  };
  return kMakers[operator_index](shape);
}

Operator with_single_elements(Operator op) {
  std::visit([](auto& o) { o.visit_fields(o, SingleElements{}); }, op);
  return op;
}

bool is_listed(const Operator& op, Version version) {
  const SupportRow* row = row_at(describe(op).support, version);
  if (row == nullptr) return false;
  bool all = true;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const TensorSupport* role = find_role(*row, tensor.field.name);
    all &= role != nullptr && role->ranks.contains(tensor.desc.rank()) &&
           role->data_types.contains(tensor.desc.data_type);
  });
  return all;
}

bool defines_negative_indices(const Operator& op, Version version) {
  return std::visit(
      [&]<class Op>(const Op&) {
        if constexpr (requires { Op::kNegativeIndicesSince; })
          return version >= Op::kNegativeIndicesSince;
        else
          return true;
      },
      op);
}

bool shows_rule(const Operator& op, Version version, std::size_t place) {
  return std::visit(
      [&]<class Op>(const Op& o) {
        const auto& shows = Op::rules()[place].shows;
        return shows == nullptr || shows(o, version);
      },
      op);
}

std::vector<Version> versions_of(const OperatorText& op) {
  if (op.dialect == Dialect::kDirectml) return {kFeatureLevels.begin(), kFeatureLevels.end()};
  std::vector<Version> versions;
  for (const SupportRow& row : op.support) versions.push_back(row.since);
  return versions;
}

std::optional<std::uint64_t> indexed_size(const Operator& op) {
  return std::visit(
      []<class Op>(const Op& o) -> std::optional<std::uint64_t> {
        if constexpr (requires { o.indexed_size(); }) {
          return o.indexed_size();
        } else {
          return std::nullopt;
        }
      },
      op);
}

}  // namespace opconform
