#include "spec/support_check.h"

namespace opconform {
namespace {

std::string_view version_noun(Version version) {
  return version.dialect() == Dialect::kDirectml ? "feature level " : "opset ";
}

std::string ranks_text(const RankRange& ranks) {
  if (ranks.least == ranks.most) return "rank " + std::to_string(ranks.least);
  return "ranks " + std::to_string(ranks.least) + " to " + std::to_string(ranks.most);
}

}  // namespace

void judge_support(const SupportRow& row, SupportScope scope, const NamedTensor& tensor,
                   Version version, Violations& violations) {
  const TensorSupport* supported = find_role(row, tensor.field.name);
  if (supported == nullptr) return;
  const Dialect dialect = version.dialect();
  if (!supported->data_types.contains(tensor.desc.data_type))
    violations.add(printed(tensor.path, (dialect == Dialect::kDirectml ? ".DataType" : ".type")),
                   tensor.path, " is ", name(tensor.desc.data_type, dialect),
                   ", which the table from ", row.since.text(), " on does not list; judged at ",
                   version_noun(version), version.text());
  if (scope == SupportScope::kTypesAndRanks && !supported->ranks.contains(tensor.desc.rank()))
    violations.add(printed(tensor.path, ".Sizes"), tensor.path, " has rank ", tensor.desc.rank(),
                   ", but the table from ", row.since.text(), " on lists ",
                   ranks_text(supported->ranks), "; judged at ", version_noun(version),
                   version.text());
}

void add_not_introduced(std::string_view operator_name, SupportTable table, Version version,
                        Violations& violations) {
  violations.add("operator", operator_name, " was introduced with ", table.front().since.text(),
                 ", but is judged at ", version_noun(version), version.text());
}

}  // namespace opconform
