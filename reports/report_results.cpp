#include "reports/report_results.h"

#include <algorithm>

#include "spec/operator.h"

namespace opconform::reports {

using base::Json;

namespace {

/// Place of the name in a list of the spec; throws where it is unknown.
template <class Items>
std::size_t place_in(const Items& items, const std::string& name, const JsonNode& node,
                     std::string_view key, const char* what) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  if (found == items.end())
    node.fail(key, std::string("no ") + what + " of this version: " + base::in_quotes(name));
  return static_cast<std::size_t>(found - items.begin());
}

template <class Items>
Json places_in(const Items& items, const JsonNode& node, std::string_view key, const char* what) {
  Json places = Json::array();
  for (const std::string& name : node.texts(key))
    places.push_back(place_in(items, name, node, key, what));
  return places;
}

std::string_view outcome_name(const JsonNode& one) {
  const std::string expect = one.text("expect");
  if (expect == "outputs" || expect == "reference") return "result";
  if (expect == "rejected") return "rejection";
  if (expect == "error") return "error";
  if (expect == "any_of") return "any of these";
  one.fail("expect", "no kind of expectation: " + base::in_quotes(expect));
}

bool is_failure(int verdict) {
  return verdict >= 0 &&
         judging::is_nonconformance(judging::kVerdicts[static_cast<std::size_t>(verdict)]);
}

}  // namespace

double seconds_of(const JsonNode& node) {
  constexpr double kMost = 1e9;  // 30 years
  const double seconds = node.number("seconds");
  if (!(seconds >= 0 && seconds <= kMost)) node.fail("seconds", "must be from 0 to 1e9");
  return seconds;
}

judging::Verdict verdict_of(const JsonNode& result) {
  const std::string text = result.text("verdict");
  const auto verdict = judging::parse_verdict(text);
  if (!verdict) result.fail("verdict", "no such verdict: " + base::in_quotes(text));
  return *verdict;
}

void demand_choice(const JsonNode& choice) {
  const std::string name = choice.text("choice");
  if (!judging::parse_choice(choice.text("rule"), name))
    choice.fail("choice", "no choice that " + base::in_quotes(choice.text("rule")) +
                              " leaves: " + base::in_quotes(name));
}

std::size_t ResultsTable::Names::place_of(const std::string& name) {
  const auto [found, is_new] = places.emplace(name, names.size());
  if (is_new) names.push_back(name);
  return found->second;
}

void ResultsTable::add(const JsonNode& results) {
  for (const JsonNode& one : results.objects("cases")) add_case(one);
  const std::vector<std::size_t> groups = groups_.add(results);
  for (const JsonNode& result : results.objects("results")) add_result(result, groups);
  if (!results.has("choices")) return;
  for (const JsonNode& choice : results.objects("choices")) {
    demand_choice(choice);
    choices_[choice.text("backend")][choice.text("rule")][choice.text("choice")] +=
        choice.count("cases");
  }
}

Json ResultsTable::pieces_of(const std::string& text, std::string_view separators) {
  Json places = Json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t separator = std::min(text.find_first_of(separators, at), text.size());
    const std::size_t end = std::min(text.find_first_not_of(' ', separator + 1), text.size());
    places.push_back(texts_.place_of(text.substr(at, end - at)));
    at = end;
  }
  return places;
}

std::size_t ResultsTable::place_of_traits(const JsonNode& one) {
  Json traits = Json::object();
  if (one.has("traits")) {
    const JsonNode node = one.object("traits");
    for (const char* key : {"axis", "stride", "index"})
      if (node.has(key)) traits[key] = node.integers(key);
    if (node.has("layout")) traits["layout"] = node.texts("layout");
  }
  return traits_.place_of(traits.dump());
}

void ResultsTable::add_case(const JsonNode& one) {
  static const std::vector<OperatorText> operators = all_operators();
  const std::string id = one.text("id");
  const auto text = [&](const char* key) { return texts_.place_of(one.text(key)); };
  Json cells = Json::array(
      {pieces_of(id, "/"), pieces_of(one.text("says"), ",;"), text("file"),
       place_in(operators, one.text("operator"), one, "operator", "operator"), text("version"),
       text("data_type"), texts_.place_of(one.text_or("index_type", "")), one.count("rank"),
       texts_.place_of(std::string(outcome_name(one))),
       places_in(all_rules(), one, "rules", "rule"),
       places_in(all_errata(), one, "errata", "erratum"), place_of_traits(one)});
  const auto [found, is_new] = row_of_.emplace(id, rows_.size());
  if (is_new)
    rows_.push_back({one.count("line"), std::move(cells), {}});
  else if (rows_[found->second].cells != cells)
    one.fail("id", "is another case in a file read before: " + base::in_quotes(id));
}

void ResultsTable::add_result(const JsonNode& result, const std::vector<std::size_t>& groups) {
  const std::string id = result.text("case");
  const auto found = row_of_.find(id);
  if (found == row_of_.end()) result.fail("case", "is none of \"cases\": " + base::in_quotes(id));
  Row& row = rows_[found->second];
  const std::size_t backend = backends_.place_of(result.text("backend"));
  flags_.resize(backends_.names.size());
  row.by_backend.resize(std::max(row.by_backend.size(), backend + 1));
  BackendResult& entry = row.by_backend[backend];
  if (entry.verdict >= 0)
    result.fail("case", "has a result on " + base::in_quotes(result.text("backend")) +
                            " already: " + base::in_quotes(id));
  entry.verdict = static_cast<int>(verdict_of(result));
  if (result.has("seconds")) entry.seconds = seconds_of(result);
  flags_[backend].weak += result.is_set("weak") ? 1U : 0U;
  flags_[backend].unnamed_rule += result.is_set("unnamed_rule") ? 1U : 0U;
  const bool is_excused = judging::kVerdicts[static_cast<std::size_t>(entry.verdict)] ==
                          judging::Verdict::kExpectedFailure;
  if (!is_failure(entry.verdict) && !is_excused) return;
  Json failure = Json::object();
  for (const char* key : {"case", "backend", "verdict", "rule", "message", "repro"})
    failure[key] = result.text(key);
  failure["line"] = row.line;
  if (result.has("shrunk")) {
    const JsonNode shrunk = result.object("shrunk");
    failure["shrunk"] = {{"case", with_numbers(shrunk.object("case").value())},
                         {"message", shrunk.text("message")}};
  }
  if (!is_excused) {
    const std::size_t group = group_of(result, groups, failure);
    groups_.count(group, failure);
    entry.group = static_cast<int>(group);
  }
  (is_excused ? excused_ : failures_).push_back(std::move(failure));
}

std::size_t ResultsTable::group_of(const JsonNode& result, const std::vector<std::size_t>& groups,
                                   const Json& failure) {
  if (!result.has("group")) return groups_.undiagnosed(failure);
  const std::uint64_t group = result.count("group");
  if (group >= groups.size())
    result.fail("group", "is " + std::to_string(group) + ", but \"groups\" has " +
                             std::to_string(groups.size()) + " entries");
  if (groups_.backend_of(groups[group]) != result.text("backend"))
    result.fail("group", "is " + std::to_string(group) + ", a group of another implementation");
  return groups[group];
}

Json ResultsTable::summary() const {
  Json summary = Json::array();
  for (std::size_t backend = 0; backend < backends_.names.size(); ++backend) {
    std::array<std::uint64_t, judging::kVerdicts.size()> counts{};
    std::uint64_t cases = 0;
    std::uint64_t failed = 0;
    for (const Row& row : rows_) {
      const int verdict = backend < row.by_backend.size() ? row.by_backend[backend].verdict : -1;
      if (verdict < 0) continue;
      ++cases;
      ++counts[static_cast<std::size_t>(verdict)];
      failed += is_failure(verdict) ? 1U : 0U;
    }
    Json verdicts = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) verdicts[std::string(judging::name(judging::kVerdicts[i]))] = counts[i];
    summary.push_back({{"backend", backends_.names[backend]},
                       {"cases", cases},
                       {"failed", failed},
                       {"weak", flags_[backend].weak},
                       {"unnamed_rule", flags_[backend].unnamed_rule},
                       {"verdicts", std::move(verdicts)}});
  }
  return summary;
}

Json ResultsTable::rows(const std::vector<std::size_t>& place_of_group) const {
  Json rows = Json::array();
  for (const Row& row : rows_) {
    Json results = Json::array();
    for (std::size_t i = 0; i < backends_.names.size(); ++i) {
      const BackendResult one = i < row.by_backend.size() ? row.by_backend[i] : BackendResult{};
      if (one.verdict < 0)
        results.push_back(nullptr);
      else if (one.group < 0)
        results.push_back(one.verdict);
      else
        results.push_back({one.verdict, place_of_group[static_cast<std::size_t>(one.group)]});
    }
    Json cells = row.cells;
    cells.push_back(std::move(results));
    rows.push_back(std::move(cells));
  }
  return rows;
}

Json ResultsTable::seconds_json() const {
  Json rows = Json::array();
  bool is_any_known = false;
  for (const Row& row : rows_) {
    Json& cells = rows.emplace_back(Json::array());
    for (std::size_t i = 0; i < backends_.names.size(); ++i) {
      const double seconds = i < row.by_backend.size() ? row.by_backend[i].seconds : -1;
      is_any_known |= seconds >= 0;
      cells.push_back(seconds < 0 ? Json() : Json(seconds));
    }
  }
  return is_any_known ? rows : Json::array();
}

Json ResultsTable::to_json() const {
  Json json = {{"backends", backends_.names}, {"verdicts", Json::array()}};
  json["nonconforming"] = Json::array();
  for (const judging::Verdict verdict : judging::kVerdicts) {
    json["verdicts"].push_back(judging::name(verdict));
    if (judging::is_nonconformance(verdict))
      json["nonconforming"].push_back(judging::name(verdict));
  }
  json["summary"] = summary();
  GroupTable::Sorted sorted = groups_.sorted();
  json["groups"] = std::move(sorted.groups);
  json["texts"] = texts_.names;
  json["traits"] = Json::array();
  for (const std::string& traits : traits_.names) json["traits"].push_back(Json::parse(traits));
  json["columns"] = {"id",   "says",   "file",  "operator", "version", "data_type", "index_type",
                     "rank", "expect", "rules", "errata",   "traits",  "verdicts"};
  json["rows"] = rows(sorted.place_of);
  if (Json seconds = seconds_json(); !seconds.empty()) json["seconds"] = std::move(seconds);
  json["left_out"] = 0;
  json["failures"] = failures_;
  json["failures_left_out"] = 0;
  if (!excused_.empty()) json["excused"] = excused_;
  json["choices"] = Json::array();
  for (const auto& [backend, rules] : choices_)
    for (const auto& [rule, choices] : rules)
      for (const auto& [choice, cases] : choices)
        json["choices"].push_back(
            {{"backend", backend}, {"rule", rule}, {"choice", choice}, {"cases", cases}});
  return json;
}

}  // namespace opconform::reports
