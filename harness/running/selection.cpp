#include "harness/running/selection.h"

#include <fnmatch.h>

#include <algorithm>

namespace opconform::running {
namespace {

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return matches_glob(glob, text); });
}

bool names_any(const cases::Expectation& expectation, const std::vector<std::string>& globs) {
  const auto is_named = [&](const std::string& rule) { return matches_any(globs, rule); };
  const auto names = [&](const cases::Expectation& one) { return names_any(one, globs); };
  return std::any_of(expectation.rules.begin(), expectation.rules.end(), is_named) ||
         std::any_of(expectation.any_of.begin(), expectation.any_of.end(), names);
}

bool concerns_any(const cases::Case& one, const std::vector<std::string>& globs) {
  return std::any_of(one.rules.begin(), one.rules.end(),
                     [&](const std::string& rule) { return matches_any(globs, rule); }) ||
         names_any(one.expect, globs);
}

bool is_among(const cases::Case& one, const std::vector<DataType>& types) {
  std::optional<DataType> first;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    if (!first && tensor.field.content != Content::kIndices) first = tensor.desc.data_type;
  });
  return first && std::find(types.begin(), types.end(), *first) != types.end();
}

bool is_above(const cases::Case& one, Version level) {
  return one.version.dialect() == level.dialect() && one.version > level;
}

bool is_selected(const cases::Case& one, const Selection& selection) {
  const std::vector<std::size_t>& operators = selection.operators;
  return (selection.filters.empty() || matches_any(selection.filters, one.id)) &&
         (operators.empty() ||
          std::find(operators.begin(), operators.end(), one.op.index()) != operators.end()) &&
         (selection.rules.empty() || concerns_any(one, selection.rules)) &&
         (selection.data_types.empty() || is_among(one, selection.data_types)) &&
         !(selection.at_most && is_above(one, *selection.at_most));
}

}  // namespace

bool matches_glob(const std::string& glob, const std::string& text) {
  return ::fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

std::vector<const cases::Case*> select(const std::vector<cases::Case>& cases,
                                       const Selection& selection) {
  std::vector<const cases::Case*> selected;
  std::size_t number = 0;
  for (const cases::Case& one : cases)
    if (is_selected(one, selection) && number++ % selection.shard_count == selection.shard)
      selected.push_back(&one);
  return selected;
}

}  // namespace opconform::running
