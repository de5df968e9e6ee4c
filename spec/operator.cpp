#include "spec/operator.h"

#include <algorithm>

#include "spec/tensor_rules.h"

namespace opconform {
namespace {

template <class Op>
OperatorText text_of() {
  return {Op::kName, Op::kAlias, Op::kDialect, Op::support()};
}

template <class Row>
const Row* find_by_name(const std::vector<Row>& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

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
