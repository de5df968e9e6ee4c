#include "reports/side_by_side.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "reports/columns.h"
#include "reports/text_block.h"
#include "spec/operator.h"

namespace opconform::reports {
namespace {

void count_set(const ResultSet& set, std::size_t place, std::size_t sets,
               std::map<std::string, std::vector<RuleCount>>& counts) {
  const auto count_of = [&](const std::string& rule) -> RuleCount& {
    std::vector<RuleCount>& row = counts[rule];
    row.resize(sets);
    return row[place];
  };
  for (const auto& [id, result] : set.results) {
    if (!judging::was_judged(result.verdict)) continue;
    for (const std::string& rule : set.cases.at(id).rules) ++count_of(rule).judged;
    if (fails(result)) ++count_of(rule_of(set, result)).failed;
  }
}

/// The names of the ledger in its order, then those that it does not have.
std::vector<std::string> in_order(const std::map<std::string, std::vector<RuleCount>>& counts) {
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const RuleText& rule : all_rules()) {
    if (!counts.contains(std::string(rule.name))) continue;
    names.emplace_back(rule.name);
    named.emplace(rule.name);
  }
  for (const auto& [name, row] : counts)
    if (!named.contains(name)) names.push_back(name);
  return names;
}

std::string cell_text(const RuleCount& count) {
  if (count.failed > 0) return std::to_string(count.failed) + " failed";
  return count.judged == 0 ? "-" : "ok " + std::to_string(count.judged);
}

/// What a set comes to: "8552 not judged, 16 failed".
std::string total_text(const ResultSet& set) {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t rest = 0;
  for (const auto& [id, result] : set.results)
    ++(fails(result) ? failed : judging::was_judged(result.verdict) ? passed : rest);
  return std::to_string(passed) + " passed, " + std::to_string(failed) + " failed, " +
         std::to_string(rest) + " not judged";
}

std::string rule_name(const std::string& rule) {
  return rule.empty() ? "(no rule)" : base::words_of_others(rule, 100);
}
std::string cell_text(std::uint64_t cases) { return cases == 0 ? "-" : std::to_string(cases); }

std::string silent_text(const SideBySide& table) {
  const auto silent = std::count_if(table.rows.begin(), table.rows.end(),
                                    [](const RuleRow& row) { return !row.has_failed(); });
  return std::to_string(silent) + (silent == 1 ? " rule is" : " rules are") +
         " broken by none of them";
}

/// What an implementation says that it is, without how it is reached.
std::string who_text(const ResultSet& set) {
  return base::words_of_others(set.implementation.substr(0, set.implementation.find(" (")));
}

/// Letters for the columns: names of implementations are longer than columns.
std::string letter(std::size_t place) {
  std::string text(1, static_cast<char>('A' + place % 26));
  return place < 26 ? text : letter(place / 26 - 1) + text;
}

std::string plain_cell(std::string text) {
  for (const char* mark : {"|", "`"})
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += 2)
      text.insert(at, "\\");
  return text;
}

std::vector<ChoiceRow> choice_rows(const std::vector<const ResultSet*>& sets) {
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> rows;
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const auto& [rule, choices] : sets[i]->choices)
      for (const auto& [choice, cases] : choices) {
        std::vector<std::uint64_t>& row = rows[{rule, choice}];
        row.resize(sets.size());
        row[i] = cases;
      }
  std::vector<ChoiceRow> all;
  all.reserve(rows.size());
  for (auto& [what, cases] : rows) all.push_back({what.first, what.second, std::move(cases)});
  return all;
}

constexpr std::size_t kNameWidth = 34;
constexpr std::size_t kCellWidth = 13;

std::string head_text(const std::string& name, std::size_t sets) {
  std::string head = left(name, kNameWidth);
  for (std::size_t i = 0; i < sets; ++i) head += right(letter(i), kCellWidth);
  return "\n" + head + "\n";
}
std::string head_markdown(const std::string& names, std::size_t sets) {
  std::string head = "\n| " + names + " |";
  for (std::size_t i = 0; i < sets; ++i) head += " " + letter(i) + " |";
  head += "\n|";
  for (const char one : names + "|")
    if (one == '|') head += " --- |";
  for (std::size_t i = 0; i < sets; ++i) head += " ---: |";
  return head + "\n";
}

std::string choices_text(const SideBySide& table) {
  std::string text = table.choices.empty() ? "" : head_text("left open", table.sets.size());
  const std::string* rule = nullptr;
  for (const ChoiceRow& row : table.choices) {
    if (rule == nullptr || row.rule != *rule) text += rule_name(row.rule) + "\n";
    rule = &row.rule;
    text += left("  " + base::words_of_others(row.choice, 100), kNameWidth);
    for (const std::uint64_t cases : row.cases) text += right(cell_text(cases), kCellWidth);
    text += "\n";
  }
  return text;
}
std::string choices_markdown(const SideBySide& table) {
  if (table.choices.empty()) return "";
  std::string text = "\nWhat each does where the documents leave it open, in cases:\n" +
                     head_markdown("rule | choice", table.sets.size());
  for (const ChoiceRow& row : table.choices) {
    text += "| " + plain_cell(rule_name(row.rule)) + " | " +
            plain_cell(base::words_of_others(row.choice, 100)) + " |";
    for (const std::uint64_t cases : row.cases) text += " " + cell_text(cases) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace

bool RuleRow::has_failed() const {
  return std::any_of(counts.begin(), counts.end(),
                     [](const RuleCount& count) { return count.failed > 0; });
}

SideBySide side_by_side(const std::vector<ResultFile>& files) {
  SideBySide table;
  for (const ResultFile& file : files)
    for (const ResultSet& set : file.sets) table.sets.push_back(&set);
  if (table.sets.empty()) throw base::BadInput(files.front().path, "/results", "holds no results");
  std::map<std::string, std::vector<RuleCount>> counts;
  for (std::size_t i = 0; i < table.sets.size(); ++i)
    count_set(*table.sets[i], i, table.sets.size(), counts);
  for (const std::string& name : in_order(counts)) table.rows.push_back({name, counts.at(name)});
  table.choices = choice_rows(table.sets);
  return table;
}

std::string side_by_side_text(const SideBySide& table, bool all) {
  std::string text;
  for (std::size_t i = 0; i < table.sets.size(); ++i)
    text += left(letter(i), 3) + table.sets[i]->text() + ": " + total_text(*table.sets[i]) +
            (who_text(*table.sets[i]).empty() ? "" : "; " + who_text(*table.sets[i])) + "\n";
  std::string rows;
  for (const RuleRow& row : table.rows) {
    if (!all && !row.has_failed()) continue;
    rows += left(rule_name(row.rule), kNameWidth);
    for (const RuleCount& count : row.counts) rows += right(cell_text(count), kCellWidth);
    rows += "\n";
  }
  if (!rows.empty()) text += head_text("rule", table.sets.size()) + rows;
  return text + "\n" + silent_text(table) + "\n" + choices_text(table);
}

std::string side_by_side_markdown(const SideBySide& table, bool all) {
  std::string text =
      "# Side by side\n\n| | implementation | what it is | result |\n| --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < table.sets.size(); ++i)
    text += "| " + letter(i) + " | " + plain_cell(table.sets[i]->text()) + " | " +
            plain_cell(who_text(*table.sets[i])) + " | " + total_text(*table.sets[i]) + " |\n";
  text += head_markdown("rule", table.sets.size());
  for (const RuleRow& row : table.rows) {
    if (!all && !row.has_failed()) continue;
    text += "| " + plain_cell(rule_name(row.rule)) + " |";
    for (const RuleCount& count : row.counts)
      text += count.failed > 0 ? " **" + cell_text(count) + "** |" : " " + cell_text(count) + " |";
    text += "\n";
  }
  return text + "\n" + silent_text(table) + ".\n" + choices_markdown(table);
}

base::Json side_by_side_json(const SideBySide& table) {
  base::Json json = {{"kind", "side-by-side"},
                     {"version", 1},
                     {"implementations", base::Json::array()},
                     {"rules", base::Json::array()},
                     {"choices", base::Json::array()}};
  for (const ResultSet* set : table.sets)
    json["implementations"].push_back({{"file", set->file}, {"backend", set->backend}});
  for (const RuleRow& row : table.rows) {
    base::Json counts = base::Json::array();
    for (const RuleCount& count : row.counts)
      counts.push_back({{"judged", count.judged}, {"failed", count.failed}});
    json["rules"].push_back({{"rule", row.rule}, {"counts", std::move(counts)}});
  }
  for (const ChoiceRow& row : table.choices)
    json["choices"].push_back({{"rule", row.rule}, {"choice", row.choice}, {"cases", row.cases}});
  return json;
}

}  // namespace opconform::reports
