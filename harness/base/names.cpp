#include "harness/base/names.h"

#include <algorithm>
#include <iterator>

#include "harness/base/suggestion.h"
#include "harness/base/text.h"
#include "spec/operator.h"

namespace opconform::base {
namespace {

using Names = std::vector<std::string_view>;

template <class Items>
Names names_of(const Items& items) {
  Names names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

/// Small letters and digits alone.
std::string bare(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

/// Goes on behind a question, or behind what was no such name.
std::string there_are(const std::string& question, const Names& names) {
  return question + (question.empty() ? "; there are " : " There are ") + listed(names);
}

Names type_names(Dialect dialect) {
  Names names;
  for (const DataType type : all_data_types())
    if (const std::string_view one = name(type, dialect); !one.empty()) names.push_back(one);
  return names;
}

}  // namespace

std::optional<std::size_t> find_operator(std::string_view name) {
  const std::string wanted = bare(name);
  const auto means = [&](std::string_view known) {
    return !known.empty() &&
           (bare(known) == wanted || bare(known.substr(known.find('_') + 1)) == wanted);
  };
  std::optional<std::size_t> found;
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (!means(operators[i].name) && !means(operators[i].alias)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<DataType> find_data_type(std::string_view name) {
  const std::string wanted = bare(name);
  for (const Dialect dialect : {Dialect::kDirectml, Dialect::kOnnx})
    for (const DataType type : all_data_types())
      if (!wanted.empty() && bare(opconform::name(type, dialect)) == wanted) return type;
  return std::nullopt;
}

std::string no_such_operator(std::string_view name) {
  const Names names = names_of(all_operators());
  // Whole names are as good as those without what stands before the underscore.
  Names known;
  for (const OperatorText& op : all_operators())
    for (const std::string_view one : {op.name, op.alias})
      if (!one.empty()) known.insert(known.end(), {one, one.substr(one.find('_') + 1)});
  const auto meant = find_operator(closest(name, known));
  return "no such operator: " + in_quotes(name) +
         there_are(meant ? did_you_mean(names[*meant], names) : "", names);
}

std::string no_such_data_type(std::string_view name, Dialect dialect) {
  const Names names = type_names(dialect);
  // The other documents may call the same type that.
  const std::optional<DataType> same = find_data_type(name);
  const std::string_view meant = same ? opconform::name(*same, dialect) : "";
  const bool directml = dialect == Dialect::kDirectml;
  return std::string("no such data type of ") + (directml ? "DirectML" : "ONNX") + ": " +
         in_quotes(name) + there_are(did_you_mean(meant.empty() ? name : meant, names), names);
}

std::string no_such_data_type(std::string_view name) {
  const Names directml = type_names(Dialect::kDirectml);
  const Names onnx = type_names(Dialect::kOnnx);
  Names all = directml;
  all.insert(all.end(), onnx.begin(), onnx.end());
  return "no such data type: " + in_quotes(name) + there_are(did_you_mean(name, all), directml) +
         "; or, of ONNX, " + listed(onnx);
}

std::string no_such_feature_level(std::string_view text) {
  std::vector<std::string> levels;
  levels.reserve(std::size(kFeatureLevels));
  for (const FeatureLevel level : kFeatureLevels) levels.push_back(Version(level).text());
  const Names names(levels.begin(), levels.end());
  // "6.4": another digit would be another level.
  const auto meant = std::find_if(names.begin(), names.end(),
                                  [&](std::string_view one) { return bare(one) == bare(text); });
  return "no such feature level: " + in_quotes(text) +
         there_are(meant == names.end() ? "" : did_you_mean(*meant, names), names);
}

std::string no_such_rule(std::string_view name) {
  return "no such rule: " + in_quotes(name) + did_you_mean(name, names_of(all_rules()));
}

std::string no_such_erratum(std::string_view name) {
  return "no such erratum: " + in_quotes(name) + did_you_mean(name, names_of(all_errata()));
}

}  // namespace opconform::base
