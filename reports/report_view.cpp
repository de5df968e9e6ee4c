#include "reports/report_view.h"

#include <algorithm>
#include <array>

namespace opconform::reports {

using base::Json;

namespace {

std::vector<std::string> names_at(const Json& places, const Json& list) {
  std::vector<std::string> names;
  for (const Json& place : places)
    names.push_back(list[place.get<std::size_t>()]["name"].get<std::string>());
  return names;
}

}  // namespace

std::map<std::string, std::string> implementations_of(const Json& report) {
  std::map<std::string, std::string> found;
  for (const Json& input : report["inputs"])
    if (input.contains("run") && input["run"].contains("implementations"))
      for (const auto& [backend, who] : input["run"]["implementations"].items())
        found[backend] = who.get<std::string>();
  return found;
}

std::string text_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

ReportView::ReportView(const Json& report) : report_(report) {
  if (!report.contains("results")) return;
  backends_ = report["results"]["backends"].get<std::vector<std::string>>();
  for (const Json& failure : report["results"]["failures"])
    failures_[{text_of(failure, "case"), text_of(failure, "backend")}] = &failure;
}

bool ReportView::is_nonconforming(const std::string& verdict) const {
  const Json& names = report_["results"]["nonconforming"];
  return std::find(names.begin(), names.end(), verdict) != names.end();
}

std::string spelled(const Json& results, const Json& cell) {
  const Json& texts = results.at("texts");
  const auto text_at = [&](const Json& place) {
    return texts.at(place.get<std::size_t>()).get<std::string>();
  };
  if (!cell.is_array()) return text_at(cell);
  std::string text;
  for (const Json& place : cell) text += text_at(place);
  return text;
}

bool is_text_column(std::string_view name) {
  constexpr std::array<std::string_view, 7> kTexts{"id",        "says",       "file",  "version",
                                                   "data_type", "index_type", "expect"};
  return std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end();
}

Json row_with_texts(const Json& results, const Json& row) {
  const Json& columns = results.at("columns");
  Json named = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = columns[i];
    const Json& cell = row.at(i);
    if (is_text_column(name))
      named[name] = spelled(results, cell);
    else if (name == "traits")
      named[name] = results.at("traits").at(cell.get<std::size_t>());
    else
      named[name] = cell;
  }
  return named;
}

std::string verdict_at(const Json& results, const Json& cell) {
  if (cell.is_null()) return "";
  const Json& place = cell.is_array() ? cell.at(0) : cell;
  return results.at("verdicts").at(place.get<std::size_t>());
}

std::vector<CaseRow> ReportView::rows() const {
  std::vector<CaseRow> rows;
  if (!report_.contains("results")) return rows;
  const Json& results = report_["results"];
  const Json& spec = report_["spec"];
  for (const Json& cells : results["rows"]) {
    const Json named = row_with_texts(results, cells);
    CaseRow row;
    row.id = named["id"];
    row.says = named["says"];
    row.file = named["file"];
    row.operator_name = spec["operators"][named["operator"].get<std::size_t>()]["name"];
    row.version = named["version"];
    row.data_type = named["data_type"];
    row.rank = named["rank"];
    row.rules = names_at(named["rules"], spec["rules"]);
    row.errata = names_at(named["errata"], spec["errata"]);
    for (const Json& cell : cells.back()) {
      row.verdicts.push_back(verdict_at(results, cell));
      row.groups.push_back(cell.is_array() ? &results["groups"][cell[1].get<std::size_t>()]
                                           : nullptr);
    }
    row.seconds.resize(row.verdicts.size());
    if (results.contains("seconds")) {
      const Json& seconds = results["seconds"][rows.size()];
      for (std::size_t i = 0; i < seconds.size(); ++i)
        if (!seconds[i].is_null()) row.seconds[i] = seconds[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

const Json* ReportView::failure(const std::string& id, const std::string& backend) const {
  const auto found = failures_.find({id, backend});
  return found == failures_.end() ? nullptr : found->second;
}

std::string ReportView::first_run(std::string_view key) const {
  for (const Json& input : report_["inputs"])
    if (input.contains("run")) return text_of(input["run"], key);
  return "";
}

std::vector<ReportView::Trouble> ReportView::troubles() const {
  std::vector<Trouble> troubles;
  for (const Json& input : report_["inputs"]) {
    const std::string file = text_of(input, "file");
    if (input.contains("interrupted"))
      troubles.push_back({file, "interrupted: these are the results so far"});
    if (input.contains("bad_input"))
      for (const Json& message : input["bad_input"])
        troubles.push_back({file, message.get<std::string>()});
  }
  return troubles;
}

std::string words_of_group(const Json& group) {
  if (std::string says = text_of(group, "says"); !says.empty()) return says;
  if (!group.contains("explained")) return "";     // nobody asked why
  if (!text_of(group, "rule").empty()) return "";  // the verdict says it: a memory fault
  std::string words = "nothing explains it";
  if (!group.contains("rules_shown") || group["rules_shown"].empty()) return words;
  std::string separator = "; all its cases show ";
  for (const Json& rule : group["rules_shown"]) {
    words += separator + rule.get<std::string>();
    separator = ", ";
  }
  return words;
}

std::string line_of_group(const Json& group) {
  std::string line = words_of_group(group);
  const auto add = [&](const std::string& words) {
    if (!words.empty()) line += (line.empty() ? "" : "; ") + words;
  };
  add(text_of(group, "rule"));
  const std::uint64_t failures = group["failures"];
  add(std::to_string(failures) + (failures == 1 ? " failure" : " failures"));
  if (group.contains("common")) add("in common: " + text_of(group["common"], "text"));
  return line;
}

std::string words_of_finding(const Json& finding) {
  std::string text = finding["count"].dump() + " generated cases";
  if (finding.contains("diagnosis"))
    if (const std::string words = words_of_group(finding["diagnosis"]); !words.empty())
      text += ": " + words;
  const Json& examples = finding["examples"];
  return examples.empty() ? text : text + ": " + text_of(examples.front(), "message");
}

std::string rule_of_finding(const Json& finding) {
  const std::string rule = text_of(finding, "rule");
  return rule.empty() && finding.contains("diagnosis") ? text_of(finding["diagnosis"], "rule")
                                                       : rule;
}

std::string words_of_row(const Json& row) {
  return row["wrong"].dump() + " of " + row["cells"].dump() + " cells are wrong";
}

std::string place_of_row(const Json& row) {
  return text_of(row, "operator") + " at " + text_of(row, "version");
}

std::vector<std::string> wrong_cells(const Json& grid, const Json& row) {
  const std::string place = place_of_row(row) + ": ";
  std::vector<std::string> cells;
  for (const Json& wrong : grid["wrong"])
    if (const std::string cell = text_of(wrong, "cell"); cell.starts_with(place))
      cells.push_back(cell.substr(place.size()) + ": " + text_of(wrong, "message"));
  return cells;
}

}  // namespace opconform::reports
