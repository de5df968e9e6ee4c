#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "cli/case_folder.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "harness/backends/promise_file.h"
#include "spec/operator.h"

namespace opconform::cli {
namespace {

using Words = std::vector<std::string>;

Words operator_names() {
  Words words;
  for (const OperatorText& op : all_operators()) words.emplace_back(op.name);
  return words;
}

Words rule_names() {
  Words words;
  for (const RuleText& rule : all_rules()) words.emplace_back(rule.name);
  return words;
}

Words data_type_names() {
  Words words;
  for (const Dialect dialect : {Dialect::kDirectml, Dialect::kOnnx})
    for (const DataType type : all_data_types())
      if (const std::string_view one = name(type, dialect); !one.empty()) words.emplace_back(one);
  return words;
}

Words level_names() {
  Words words;
  for (const FeatureLevel level : kFeatureLevels) words.push_back(Version(level).text());
  return words;
}

Words case_ids() {
  int exit_code = 0;
  Words words;
  for (const cases::Case& one : load_all({}, exit_code).cases) words.push_back(one.id);
  return words;
}

Words profile_names() {
  Words words;
  for (const backends::Promise& promise : backends::named_promises()) words.push_back(promise.name);
  return words;
}

/// The words that an argument of this type can be; none where they cannot be listed.
Words words_of_type(const std::string& type) {
  static const std::map<std::string, std::function<Words()>> kWords = {
      {kBackendType,
       [] { return Words(backends::kBuiltInBackends.begin(), backends::kBuiltInBackends.end()); }},
      {kOperatorType, operator_names},
      {kLevelType, level_names},
      {kGuardType, guard_names},
      {kLabelType, [] { return labels_in(find_case_folder()); }},
      {kProfileType, profile_names},
      {kRuleType, rule_names},
      {kDataTypeType, data_type_names},
      {kCaseIdType, case_ids}};
  const auto found = kWords.find(type);
  return found == kWords.end() ? Words() : found->second();
}

/// "files" or its like; empty where arguments of this type are no files.
std::string files_of_type(const std::string& type) {
  if (type == kFileType || type == kProfileType) return "files";
  if (type == kFolderType) return "folders";
  return type.find(".json") != std::string::npos || type.starts_with("CASE-FILE") ? "case-files"
                                                                                  : "";
}

Words long_options(const CLI::App& command) {
  Words words;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

Words command_names(const CLI::App& app) {
  Words words;
  for (const CLI::App* command : app.get_subcommands(nullptr)) words.push_back(command->get_name());
  return words;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->get_name() == name) return command;
  return nullptr;
}

/// The option whose value follows this word.
const CLI::Option* option_with_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = word.starts_with('-') ? command.get_option_no_throw(word) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

/// The argument without a name that comes after so many others.
const CLI::Option* positional(const CLI::App& command, std::size_t place) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const auto most = static_cast<std::size_t>(option->get_items_expected_max());
    if (place < most) return option;
    place -= most;
  }
  return nullptr;
}

/// Collects lines for what begins like the word that is being typed.
class Offer {
 public:
  explicit Offer(std::string begin) : begin_(std::move(begin)) {}
  void add(const Words& words) {
    for (const std::string& word : words)
      if (word.starts_with(begin_)) text_ += "word " + word + "\n";
  }
  void add_argument(const CLI::Option& option) {
    std::string type = option.get_type_name();
    type.resize(std::min(type.find(':'), type.size()));  // what must hold of it follows
    add(words_of_type(type));
    if (const std::string files = files_of_type(type); !files.empty()) text_ += files + "\n";
  }
  [[nodiscard]] bool begins_option() const { return begin_.starts_with('-'); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string begin_;
  std::string text_;
};

/// `before` are the words between the command and the one that is being typed.
void offer_of_command(const CLI::App& command, const Words& before, Offer& offer) {
  std::size_t place = 0;
  const CLI::Option* awaits = nullptr;  // its value
  for (const std::string& word : before) {
    if (awaits == nullptr && !word.starts_with('-')) {
      if (const CLI::App* action = place == 0 ? find_command(command, word) : nullptr)
        return offer_of_command(*action, {&word + 1, before.data() + before.size()}, offer);
      ++place;
    }
    awaits = awaits == nullptr ? option_with_value(command, word) : nullptr;
  }
  if (awaits != nullptr) return offer.add_argument(*awaits);
  if (offer.begins_option()) {
    offer.add(long_options(command));
    for (const CLI::App* action : command.get_subcommands(nullptr))
      offer.add(long_options(*action));
    return;
  }
  if (place == 0) offer.add(command_names(command));
  if (const CLI::Option* argument = positional(command, place)) offer.add_argument(*argument);
}

/// Behind `help` stand commands and their commands.
void offer_of_help(const CLI::App& app, const Words& before, Offer& offer) {
  const CLI::App* command = &app;
  for (const std::string& word : before)
    if (command != nullptr) command = find_command(*command, word);
  if (command != nullptr) offer.add(command_names(*command));
}

}  // namespace

std::string completion_text(const CLI::App& app, const std::vector<std::string>& typed) {
  if (typed.empty()) return "";
  Offer offer(typed.back());
  if (typed.size() == 1) {
    offer.add(command_names(app));
    offer.add(long_options(app));
  } else if (const CLI::App* command = find_command(app, typed.front())) {
    const Words before(typed.begin() + 1, typed.end() - 1);
    offer_of_command(*command, before, offer);
    if (typed.front() == "help" && !offer.begins_option()) offer_of_help(app, before, offer);
  }
  return offer.text();
}

}  // namespace opconform::cli
