#include "reports/comparison.h"

#include <algorithm>
#include <optional>

#include "reports/report.h"
#include "reports/report_results.h"

namespace opconform::reports {

using base::Json;
using judging::CaseResult;
using judging::Verdict;

namespace {

std::optional<Change> change_of(const CaseResult& before, const CaseResult& after) {
  if (before.verdict == after.verdict && (before.rule == after.rule || !fails(after)))
    return std::nullopt;
  if (fails(after)) return fails(before) ? Change::kDifferent : Change::kRegressed;
  if (after.verdict == Verdict::kPass) return Change::kFixed;
  return before.verdict == Verdict::kPass ? Change::kLost : Change::kDifferent;
}

bool is_new_failure(const CaseChange& one) {
  return one.change == Change::kNew && fails(one.after);
}

/// "pass", "mismatch of RULE"
std::string verdict_text(const CaseResult& result) {
  return std::string(judging::name(result.verdict)) +
         (result.rule.empty() ? "" : " of " + base::words_of_others(result.rule));
}

/// Null where the file has none of that backend.
const ResultSet* set_of(const ResultFile& file, const std::string& backend) {
  const auto found = std::find_if(file.sets.begin(), file.sets.end(),
                                  [&](const ResultSet& set) { return set.backend == backend; });
  return found == file.sets.end() ? nullptr : &*found;
}

/// A run that was interrupted before its first result judged nothing of what its neighbour did.
void add_empty_sets(std::vector<ResultFile>& files) {
  const auto first = std::find_if(files.begin(), files.end(),
                                  [](const ResultFile& file) { return !file.sets.empty(); });
  if (first == files.end())
    throw base::BadInput(files.front().path, "/results", "holds no results");
  const ResultFile* neighbour = &*first;
  for (ResultFile& file : files) {
    if (file.sets.empty())
      for (const ResultSet& set : neighbour->sets)
        file.sets.push_back({file.path, set.backend, {}, {}, true});
    neighbour = &file;
  }
}

}  // namespace

bool fails(const CaseResult& result) {
  return judging::is_nonconformance(result.verdict) || result.verdict == Verdict::kExpectedFailure;
}

std::string rule_of(const ResultSet& set, const CaseResult& result) {
  if (!result.rule.empty()) return result.rule;
  const auto found = set.cases.find(result.case_id);
  return found == set.cases.end() ? "" : found->second.first_rule();
}

std::string_view name(Change change) {
  switch (change) {
    case Change::kRegressed:
      return "regressed";
    case Change::kLost:
      return "lost";
    case Change::kFixed:
      return "fixed";
    case Change::kDifferent:
      return "different";
    case Change::kNew:
      return "new";
    case Change::kGone:
      break;
  }
  return "gone";
}

std::string ResultSet::text() const {
  return base::words_of_others(backend) + " in " + base::words_of_others(file);
}
std::string ResultSet::not_whole_text() const {
  if (results.empty())
    return base::words_of_others(file) + " judged nothing on " + base::words_of_others(backend) +
           ": its run was interrupted before its first result there";
  return base::words_of_others(file) +
         " is not whole: its run was interrupted, or could not use all of its input";
}

std::string ResultSet::promise_text() const {
  return base::words_of_others(promise.name) + " in " + base::words_of_others(file);
}

namespace {

void read_promises(const JsonNode& node, std::vector<ResultSet>& sets) {
  if (!node.has("promises")) return;
  for (const JsonNode& one : node.objects("promises")) {
    ResultSet::Promise promise{one.text("name"), {}};
    for (const JsonNode& difference : one.objects("differences"))
      promise.differences.push_back(difference.text("kind") + " " + difference.text("says"));
    for (ResultSet& set : sets)
      if (set.backend == one.text("backend")) set.promise = promise;
  }
}

void read_choices(const JsonNode& node, std::vector<ResultSet>& sets) {
  if (!node.has("choices")) return;
  for (const JsonNode& one : node.objects("choices"))
    for (ResultSet& set : sets)
      if (set.backend == one.text("backend"))
        set.choices[one.text("rule")][one.text("choice")] += one.count("cases");
}

}  // namespace

ResultFile read_result_file(const std::string& path) {
  const Json document = base::read_json_file(path, kMaxResultFileBytes);
  const JsonNode node(document, path);
  if (node.text_or("kind", "") != "results")
    throw base::BadInput(path, "", "is no file of opconform run --json");
  demand_version(node);
  std::map<std::string, CaseAbout> cases;
  for (const JsonNode& one : node.objects("cases")) {
    cases[one.text("id")] = {one.texts("rules"), one.text("file"), one.count("line")};
  }
  std::vector<std::string> rule_of_group;
  if (node.has("groups"))
    for (const JsonNode& group : node.objects("groups"))
      rule_of_group.push_back(group.text("rule"));
  ResultFile file{path, node.is_set("interrupted")};
  const bool is_partial = file.is_interrupted || !node.texts_or_none("bad_input").empty();
  std::vector<ResultSet>& sets = file.sets;
  for (const JsonNode& result : node.objects("results")) {
    CaseResult read;
    read.case_id = result.text("case");
    read.backend = result.text("backend");
    read.verdict = verdict_of(result);
    read.rule = result.text("rule");
    // What was found to be broken says more than what the case is about.
    if (result.has("group"))
      if (const std::uint64_t group = result.count("group");
          group < rule_of_group.size() && !rule_of_group[group].empty())
        read.rule = rule_of_group[group];
    read.message = result.text("message");
    read.repro = result.text("repro");
    if (!cases.contains(read.case_id))
      result.fail("case", "is none of \"cases\": " + base::in_quotes(read.case_id));
    const auto is_same = [&](const ResultSet& set) { return set.backend == read.backend; };
    auto set = std::find_if(sets.begin(), sets.end(), is_same);
    if (set == sets.end()) set = sets.insert(set, {path, read.backend, {}, cases, is_partial});
    if (!set->results.emplace(read.case_id, read).second)
      result.fail("case", "has two results on " + base::in_quotes(read.backend) + ": " +
                              base::in_quotes(read.case_id));
  }
  read_promises(node, sets);
  read_choices(node, sets);
  if (node.has("run") && node.object("run").has("implementations")) {
    const JsonNode implementations = node.object("run").object("implementations");
    for (ResultSet& set : sets) set.implementation = implementations.text_or(set.backend, "");
  }
  if (sets.empty() && !file.is_interrupted)
    throw base::BadInput(path, "/results", "holds no results");
  return file;
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(std::count_if(
      changes.begin(), changes.end(), [&](const CaseChange& one) { return one.change == change; }));
}

bool Comparison::is_worse() const {
  return after->is_partial ||
         std::any_of(changes.begin(), changes.end(),
                     [](const CaseChange& one) { return reports::is_worse(one.change); });
}

Comparison compare(const ResultSet& before, const ResultSet& after) {
  Comparison comparison{&before, &after};
  for (const auto& [id, was] : before.results) {
    const auto found = after.results.find(id);
    if (found == after.results.end()) {
      comparison.changes.push_back({Change::kGone, id, rule_of(before, was), was, {}});
      continue;
    }
    ++comparison.in_both;
    const CaseResult& is = found->second;
    if (const auto change = change_of(was, is))
      comparison.changes.push_back(
          {*change, id, fails(is) ? rule_of(after, is) : rule_of(before, was), was, is});
  }
  for (const auto& [id, is] : after.results)
    if (!before.results.contains(id))
      comparison.changes.push_back({Change::kNew, id, rule_of(after, is), {}, is});
  const auto key = [](const CaseChange& one) {
    return std::pair(one.change, !is_new_failure(one));
  };
  std::stable_sort(comparison.changes.begin(), comparison.changes.end(),
                   [&](const CaseChange& a, const CaseChange& b) { return key(a) < key(b); });
  return comparison;
}

Comparisons compare_all(std::vector<ResultFile>& files) {
  add_empty_sets(files);
  Comparisons comparisons;
  const auto compare_in_a_row = [&](const std::vector<const ResultSet*>& row) {
    for (std::size_t i = 1; i < row.size(); ++i)
      comparisons.all.push_back(compare(*row[i - 1], *row[i]));
  };
  const auto add_unpaired = [&](const ResultFile& file, const ResultFile& other) {
    std::vector<const ResultSet*>& found = comparisons.unpaired;
    for (const ResultSet& set : file.sets)
      if (set_of(other, set.backend) == nullptr &&
          std::find(found.begin(), found.end(), &set) == found.end())
        found.push_back(&set);
  };
  std::vector<const ResultSet*> row;  // that the sets of the next file may continue
  for (const ResultSet& set : files.front().sets) row.push_back(&set);
  if (files.size() == 1) {
    if (row.size() == 1)
      throw base::BadInput(files.front().path, "", "holds one set of results: name another file");
    compare_in_a_row(row);
  }
  for (std::size_t i = 1; i < files.size(); ++i) {
    const ResultFile& before = files[i - 1];
    const ResultFile& after = files[i];
    const bool have_common =
        std::any_of(after.sets.begin(), after.sets.end(),
                    [&](const ResultSet& set) { return set_of(before, set.backend) != nullptr; });
    if (!have_common) {
      for (const ResultSet& set : after.sets) row.push_back(&set);
      compare_in_a_row(row);
      row = {row.back()};
      continue;
    }
    for (const ResultSet& set : after.sets)
      if (const ResultSet* same = set_of(before, set.backend))
        comparisons.all.push_back(compare(*same, set));
    add_unpaired(before, after);
    add_unpaired(after, before);
    row.clear();
    for (const ResultSet& set : after.sets) row.push_back(&set);
  }
  return comparisons;
}

std::string comparison_summary_text(const Comparison& comparison) {
  std::string text = comparison.before->text() + " -> " + comparison.after->text() + "\n  " +
                     std::to_string(comparison.in_both) + " cases in both";
  for (const Change change : kChanges) {
    const std::size_t count = comparison.count(change);
    if (count == 0) continue;
    text += ", " + std::to_string(count) + " " + std::string(name(change));
    const auto failing =
        std::count_if(comparison.changes.begin(), comparison.changes.end(), is_new_failure);
    if (change == Change::kNew && failing > 0) text += " (" + std::to_string(failing) + " failing)";
  }
  text += comparison.changes.empty() ? ", all alike\n" : "\n";
  for (const ResultSet* set : {comparison.before, comparison.after})
    if (set->is_partial) text += "  " + set->not_whole_text() + "\n";
  if (!comparison.has_same_promise())
    text += "  judged by different promises: " + comparison.before->promise_text() + ", " +
            comparison.after->promise_text() + "\n";
  return text;
}

std::string comparison_text(const Comparison& comparison, std::size_t most) {
  std::string text = comparison_summary_text(comparison);
  std::map<std::string, std::map<Change, std::size_t>> by_rule;
  for (const CaseChange& one : comparison.changes)
    if (is_new_failure(one) || (one.change != Change::kNew && one.change != Change::kGone))
      ++by_rule[one.rule][one.change];
  for (const auto& [rule, counts] : by_rule) {
    text += "  " + (rule.empty() ? "no rule" : base::words_of_others(rule)) + ":";
    std::string separator = " ";
    for (const auto& [change, count] : counts) {
      text += separator + std::to_string(count) + " " + std::string(name(change)) +
              (change == Change::kNew ? " failing" : "");
      separator = ", ";
    }
    text += "\n";
  }
  for (const Change change : kChanges) {
    std::size_t named = 0;
    for (const CaseChange& one : comparison.changes) {
      if (one.change != change || (most > 0 && named == most)) continue;
      ++named;
      text += "  " + std::string(name(change)) + ": " + base::words_of_others(one.id);
      if (change == Change::kNew)
        text += ": " + verdict_text(one.after);
      else if (change == Change::kGone)
        text += ": was " + verdict_text(one.before);
      else
        text += ": " + verdict_text(one.before) + " -> " + verdict_text(one.after);
      text += "\n";
      if (!one.after.message.empty() && fails(one.after))
        text += "    " + base::words_of_others(one.after.message) +
                "\n    again: " + base::words_of_others(one.after.repro) + "\n";
    }
    const std::size_t count = comparison.count(change);
    if (named < count)
      text +=
          "  " + std::string(name(change)) + ": and " + std::to_string(count - named) + " more\n";
  }
  return text;
}

std::string unpaired_text(const Comparisons& comparisons) {
  std::string text;
  for (const ResultSet* set : comparisons.unpaired)
    text += "only in " + base::words_of_others(set->file) + ": " +
            base::words_of_others(set->backend) + "\n";
  return text;
}

namespace {

Json set_json(const ResultSet& set) {
  return {{"file", set.file},
          {"backend", set.backend},
          {"partial", set.is_partial},
          {"promise", set.promise.name}};
}

Json comparison_to_json(const Comparison& comparison) {
  const auto result_json = [](const CaseResult& result) {
    if (result.case_id.empty()) return Json();
    return Json{{"verdict", judging::name(result.verdict)},
                {"rule", result.rule},
                {"message", result.message},
                {"repro", result.repro}};
  };
  Json json = {{"before", set_json(*comparison.before)},
               {"after", set_json(*comparison.after)},
               {"in_both", comparison.in_both},
               {"worse", comparison.is_worse()}};
  Json counts = Json::object();
  for (const Change change : kChanges) counts[std::string(name(change))] = comparison.count(change);
  json["counts"] = std::move(counts);
  json["changes"] = Json::array();
  for (const CaseChange& one : comparison.changes)
    json["changes"].push_back({{"change", name(one.change)},
                               {"case", one.id},
                               {"rule", one.rule},
                               {"before", result_json(one.before)},
                               {"after", result_json(one.after)}});
  return json;
}

}  // namespace

Json comparisons_to_json(const Comparisons& comparisons) {
  Json json = {{"kind", "comparison"},
               {"version", 1},
               {"comparisons", Json::array()},
               {"unpaired", Json::array()}};
  for (const Comparison& one : comparisons.all)
    json["comparisons"].push_back(comparison_to_json(one));
  for (const ResultSet* set : comparisons.unpaired) json["unpaired"].push_back(set_json(*set));
  return json;
}

}  // namespace opconform::reports
