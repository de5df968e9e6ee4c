#include "reports/report_view.h"

#include <algorithm>

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

std::vector<CaseRow> ReportView::rows() const {
  std::vector<CaseRow> rows;
  if (!report_.contains("results")) return rows;
  const Json& results = report_["results"];
  const Json& spec = report_["spec"];
  for (const Json& cells : results["rows"]) {
    CaseRow row;
    row.id = cells[0];
    for (const Json& phrase : cells[1]) {
      if (!row.says.empty()) row.says += "; ";
      row.says += results["phrases"][phrase.get<std::size_t>()].get<std::string>();
    }
    row.file = results["files"][cells[2].get<std::size_t>()];
    row.operator_name = spec["operators"][cells[3].get<std::size_t>()]["name"];
    row.version = cells[4];
    row.data_type = cells[5];
    row.rank = cells[7];
    row.rules = names_at(cells[9], spec["rules"]);
    row.errata = names_at(cells[10], spec["errata"]);
    for (const Json& verdict : cells[11])
      row.verdicts.push_back(
          verdict.is_null() ? ""
                            : results["verdicts"][verdict.get<std::size_t>()].get<std::string>());
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

std::string words_of_finding(const Json& finding) {
  const std::string text = finding["count"].dump() + " generated cases";
  const Json& examples = finding["examples"];
  return examples.empty() ? text : text + ": " + text_of(examples.front(), "message");
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
