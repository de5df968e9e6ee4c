#include "cli/selection.h"

#include <algorithm>
#include <functional>

#include "cli/options.h"
#include "cli/shell.h"
#include "harness/base/names.h"
#include "harness/base/suggestion.h"
#include "spec/operator.h"

namespace opconform::cli {
namespace {

using Words = std::vector<std::string>;

/// An option that may be given again, one word at a time.
CLI::Option* add_words(CLI::App& command, const char* name, const char* type,
                       const std::string& description,
                       const std::function<void(const Words&)>& set) {
  return command.add_option_function<Words>(name, set, description + "; repeatable")
      ->type_name(type)
      ->allow_extra_args(false);
}

void set_rules(const Words& globs, running::Selection& selection) {
  for (const std::string& glob : globs) {
    const std::vector<RuleText>& rules = all_rules();
    if (std::none_of(rules.begin(), rules.end(), [&](const RuleText& rule) {
          return running::matches_glob(glob, std::string(rule.name));
        }))
      throw CLI::ValidationError("--rule",
                                 base::no_such_rule(glob) + " (opconform spec lists them)");
    selection.rules.push_back(glob);
  }
}

void set_data_types(const Words& names, running::Selection& selection) {
  for (const std::string& name : names) {
    const std::optional<DataType> type = base::find_data_type(name);
    if (!type) throw CLI::ValidationError("--type", base::no_such_data_type(name));
    selection.data_types.push_back(*type);
  }
}

}  // namespace

std::string selects_none_text(const running::Selection& selection,
                              const cases::LoadedCases& loaded) {
  std::vector<std::string_view> given;
  if (!selection.filters.empty()) given.emplace_back("--filter");
  if (!selection.operators.empty()) given.emplace_back("--operator");
  if (!selection.rules.empty()) given.emplace_back("--rule");
  if (!selection.data_types.empty()) given.emplace_back("--type");
  if (selection.at_most) given.emplace_back("--feature-level");
  if (selection.shard_count > 1) given.emplace_back("--shard");
  std::string text = "no case is selected: none of " + std::to_string(loaded.cases.size()) +
                     (given.empty() ? "" : " satisfies " + base::listed(given));
  if (const auto left_out = running::select(loaded.left_out, selection); !left_out.empty())
    return text + "; opconform run --label " + left_out.front()->label + " runs such cases, as " +
           left_out.front()->id;
  for (const std::string& glob : selection.filters)
    if (glob.find_first_of("*?[") == std::string::npos)
      return text + " (a glob is compared with the whole id: --filter " +
             shell_word("*" + glob + "*") + ")";
  return text;
}

CLI::Option* add_operators(CLI::App& command, std::vector<std::size_t>& operators,
                           const std::string& description) {
  const auto set = [&operators](const Words& names) {
    for (const std::string& name : names) {
      const std::optional<std::size_t> place = base::find_operator(name);
      if (!place) throw CLI::ValidationError("--operator", base::no_such_operator(name));
      operators.push_back(*place);
    }
    std::sort(operators.begin(), operators.end());
    operators.erase(std::unique(operators.begin(), operators.end()), operators.end());
  };
  return add_words(command, "--operator", kOperatorType, description, set);
}

void add_selection(CLI::App& command, running::Selection& selection) {
  command
      .add_option("--filter", selection.filters,
                  "Select only the cases whose id matches the glob; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_operators(command, selection.operators, "Select only the cases of this operator");
  add_words(command, "--rule", kRuleType,
            "Select only the cases that show or break a rule whose name matches the glob",
            [&selection](const Words& globs) { set_rules(globs, selection); });
  add_words(command, "--type", kDataTypeType,
            "Select only the cases whose values have this data type",
            [&selection](const Words& names) { set_data_types(names, selection); });
  add_feature_level(command, selection.at_most);
}

}  // namespace opconform::cli
