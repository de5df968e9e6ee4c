#include "harness/backends/promise_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/backends/apart.h"
#include "harness/backends/embedded_profiles.h"
#include "harness/base/names.h"
#include "harness/base/suggestion.h"

namespace opconform::backends {
namespace {

using base::Json;
using base::ObjectReader;
using base::Pointer;

constexpr std::string_view kAllOthers = "*";
constexpr std::string_view kNotOfferedWord = "not-offered";

/// What is no value of a key, and which are.
std::string no_such_value(std::string_view value, const std::vector<std::string_view>& known) {
  const std::string question = base::did_you_mean(value, known);
  return "no such value: " + base::in_quotes(value) + question +
         (question.empty() ? "; there are " : " There are ") + base::listed(known);
}

template <class Value>
void read_choice(ObjectReader& object, const PromisedChoice& choice, Value& value) {
  const std::optional<std::string> text = object.find_string(choice.key);
  if (!text) return;
  std::vector<std::string_view> known;
  for (const ValueText& one : choice.values) known.push_back(one.name);
  const auto found = std::find(known.begin(), known.end(), *text);
  if (found == known.end()) object.fail(choice.key, no_such_value(*text, known));
  value = static_cast<Value>(found - known.begin());
}

std::optional<DataTypeSet> read_types(ObjectReader& object, std::string_view key) {
  if (object.find(key) == nullptr) return std::nullopt;
  DataTypeSet types;
  for (const std::string& text : object.find_strings(key)) {
    const std::optional<DataType> type = base::find_data_type(text);
    if (!type) object.fail(key, base::no_such_data_type(text));
    types = types.with(*type);
  }
  return types;
}

std::optional<RankRange> read_ranks(ObjectReader& object, const std::string& file) {
  const Json* const value = object.find("ranks");
  if (value == nullptr) return std::nullopt;
  const Pointer at = object.at("ranks");
  ObjectReader ranks(*value, at, file);
  const auto read = [&](std::string_view key, std::size_t standard) {
    const Json* const rank = ranks.find(key);
    if (rank == nullptr) return static_cast<std::uint8_t>(standard);
    if (!rank->is_number_unsigned() || rank->get<std::uint64_t>() > kMaxRank)
      ranks.fail(key, base::excerpt(*rank) + " is no rank from 0 to " + std::to_string(kMaxRank));
    return rank->get<std::uint8_t>();
  };
  const RankRange range{read("least", 0), read("most", kMaxRank)};
  ranks.expect_no_others();
  if (range.least > range.most) object.fail("ranks", "no rank lies in this range");
  return range;
}

void read_versions(ObjectReader& object, const OperatorText& op, const std::string& file,
                   OperatorPromise& own) {
  const Json* const value = object.find("versions");
  if (value == nullptr) return;
  const Pointer at = object.at("versions");
  ObjectReader versions(*value, at, file);
  const auto read = [&](std::string_view key) -> std::optional<Version> {
    const std::optional<std::string> text = versions.find_string(key);
    if (!text) return std::nullopt;
    const std::optional<Version> version = Version::parse(*text, op.dialect);
    if (!version)
      versions.fail(key,
                    "no such version of " + std::string(op.name) + ": " + base::in_quotes(*text));
    return version;
  };
  own.from = read("from");
  own.to = read("to");
  versions.expect_no_others();
  if (own.from && own.to && *own.from > *own.to)
    object.fail("versions", "no version lies in this range");
}

/// Can that operator be promised this of its indices?
bool makes_sense(const PromisedChoice& choice, std::string_view value, const OperatorText& op) {
  if (rule_of(choice, op) == nullptr) return false;
  if (choice.key != kIndexOutOfRangeChoice.key) return true;
  return writes_by_index(op) ? value != "zero" : value != "drop";
}

/// `is_named`: the entry is of this operator alone, so what makes no sense for it is an error.
OperatorPromise read_operator(const Json& value, const Pointer& at, const OperatorText& op,
                              bool is_named, const std::string& file) {
  OperatorPromise own;
  if (value.is_string()) {
    if (value.get<std::string>() != kNotOfferedWord)
      throw base::BadInput(
          file, at.text(),
          no_such_value(value.get<std::string>(), {kNotOfferedWord}) + ", or an object");
    own.operation = Offer::kNotOffered;
    return own;
  }
  ObjectReader object(value, at, file);
  own.data_types = read_types(object, "data_types");
  own.index_types = read_types(object, "index_types");
  own.ranks = read_ranks(object, file);
  if (is_named) read_versions(object, op, file, own);
  visit_choices(own, [&](const PromisedChoice& choice, auto& chosen) {
    auto read = chosen;
    read_choice(object, choice, read);
    if (read == chosen) return;
    const std::string_view text = choice.values[static_cast<std::size_t>(read)].name;
    if (makes_sense(choice, text, op))
      chosen = read;
    else if (is_named)
      object.fail(choice.key,
                  base::in_quotes(text) + " makes no sense for " + std::string(op.name));
  });
  object.expect_no_others();
  return own;
}

void read_operators(const Json& value, const Pointer& at, const std::string& file,
                    Promise& promise) {
  const ObjectReader object(value, at, file);  // throws where it is none
  const std::vector<OperatorText> operators = all_operators();
  std::vector<bool> is_named(operators.size(), false);
  const Json* others = nullptr;
  for (const auto& [key, entry] : value.items()) {
    if (key == kAllOthers) {
      others = &entry;
      continue;
    }
    const std::optional<std::size_t> found = base::find_operator(key);
    if (!found) object.fail(key, base::no_such_operator(key));
    if (is_named[*found]) object.fail(key, "the operator has an entry already");
    is_named[*found] = true;
    promise.operators[*found] =
        read_operator(entry, Pointer(at, key), operators[*found], true, file);
  }
  for (std::size_t i = 0; others != nullptr && i < operators.size(); ++i)
    if (!is_named[i])
      promise.operators[i] =
          read_operator(*others, Pointer(at, kAllOthers), operators[i], false, file);
}

void read_rejections(ObjectReader& object, Promise& promise) {
  const Json* const value = object.find("refusals");
  if (value == nullptr) return;
  if (value->is_string()) {
    const std::string text = value->get<std::string>();
    if (text != "all" && text != "none")
      object.fail("refusals", no_such_value(text, {"all", "none"}) + ", or a list of rules");
    if (text == "none") promise.rejected_rules.emplace();
    return;
  }
  std::vector<std::string> rules = object.find_strings("refusals");
  for (const std::string& rule : rules)
    if (find_rule(rule) == nullptr) object.fail("refusals", base::no_such_rule(rule));
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  promise.rejected_rules = std::move(rules);
}

Json to_json(const OperatorPromise& own, const OperatorText& op) {
  if (own.operation == Offer::kNotOffered) return kNotOfferedWord;
  Json json = Json::object();
  const auto add_types = [&](const char* key, const std::optional<DataTypeSet>& types) {
    if (!types) return;
    json[key] = Json::array();
    for (const DataType type : types->types()) {
      const std::string_view name = opconform::name(type, op.dialect);
      json[key].push_back(name.empty() ? opconform::name(type, Dialect::kOnnx) : name);
    }
  };
  add_types("data_types", own.data_types);
  add_types("index_types", own.index_types);
  if (own.ranks) json["ranks"] = {{"least", own.ranks->least}, {"most", own.ranks->most}};
  if (own.from) json["versions"]["from"] = own.from->text();
  if (own.to) json["versions"]["to"] = own.to->text();
  visit_choices(own, [&](const PromisedChoice& choice, auto value) {
    if (value != decltype(value){})
      json[std::string(choice.key)] = choice.values[static_cast<std::size_t>(value)].name;
  });
  return json;
}

}  // namespace

Promise read_promise(const Json& json, const std::string& file) {
  const Pointer top;
  ObjectReader object(json, top, file);
  Promise promise;
  (void)object.find("$schema");
  (void)object.require("name");
  promise.name = object.find_string("name").value();
  if (promise.name.empty()) object.fail("name", "is empty");
  promise.says = object.find_string("says").value_or("");
  promise.sources = object.find_strings("sources");
  if (const Json* const operators = object.find("operators"))
    read_operators(*operators, object.at("operators"), file, promise);
  read_rejections(object, promise);
  visit_choices(promise, [&](const PromisedChoice& choice, auto& value) {
    read_choice(object, choice, value);
  });
  object.expect_no_others();
  return promise;
}

Json to_json(const Promise& promise) {
  Json json = {{"name", promise.name}};
  if (!promise.says.empty()) json["says"] = promise.says;
  if (!promise.sources.empty()) json["sources"] = promise.sources;
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i)
    if (promise.operators[i] != OperatorPromise())
      json["operators"][std::string(operators[i].name)] =
          to_json(promise.operators[i], operators[i]);
  if (promise.rejected_rules) json["refusals"] = *promise.rejected_rules;
  visit_choices(promise, [&](const PromisedChoice& choice, auto value) {
    if (value != decltype(value){})
      json[std::string(choice.key)] = choice.values[static_cast<std::size_t>(value)].name;
  });
  return json;
}

Json to_json(const std::string& backend, const Promise& promise) {
  Json list = Json::array();
  for (const Difference& one : differences(promise))
    list.push_back({{"kind", name(one.kind)}, {"says", one.says}});
  return {{"backend", backend},
          {"name", promise.name},
          {"differences", std::move(list)},
          {"promise", to_json(promise)}};
}

const std::vector<Promise>& named_promises() {
  static const std::vector<Promise> all = [] {
    std::vector<Promise> promises;
    for (const auto& [name, text] : embedded_profiles()) {
      const std::string file = "profiles/" + std::string(name) + ".json";
      promises.push_back(read_promise(base::parse_json(text, file), file));
    }
    return promises;
  }();
  return all;
}

Promise find_promise(const std::string& name_or_file) {
  std::vector<std::string_view> names;
  for (const Promise& one : named_promises()) {
    if (one.name == name_or_file) return one;
    names.push_back(one.name);
  }
  std::error_code error;
  if (std::filesystem::exists(name_or_file, error))
    return read_promise(base::read_json_file(name_or_file), name_or_file);
  const std::string question = base::did_you_mean(name_or_file, names);
  throw base::BadInput("profile", "",
                       "neither a name nor a file: " + base::in_quotes(name_or_file) + question +
                           (question.empty() ? "; there are " : " There are ") +
                           base::listed(names));
}

std::optional<Promise> own_promise(const std::string& text, const std::string& whose) {
  if (text.empty()) return std::nullopt;
  const std::string place = whose + ": its promise";
  try {
    if (text.front() == '{') return read_promise(base::parse_json(text, place), place);
    return find_promise(text);
  } catch (const base::BadInput& error) {
    throw DoesNotStart(error.what());
  }
}

}  // namespace opconform::backends
