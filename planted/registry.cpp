#include "planted/registry.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace opconform::planted {
namespace {

constexpr std::string_view kPrefix = "faulty:";

std::vector<Planted> collect() {
  std::vector<Planted> planted;
  std::set<std::string_view> names;
  const auto add = [&](Kind kind, Rows rows) {
    for (const Row& row : rows) {
      if (!names.insert(row.name).second)
        throw std::logic_error("two faulty backends are named " + std::string(row.name));
      planted.push_back({kind, &row});
    }
  };
  for (const Rows& rows :
       {index_bugs(), axis_bugs(), layout_bugs(), size_bugs(), chunk_bugs(), large_size_bugs(),
        huge_size_bugs(), element_bugs(), bit_bugs(), memory_bugs(), lifetime_bugs(), cache_bugs(),
        thread_bugs(), rejection_bugs(), tensor_rejection_bugs()})
    add(Kind::kBug, rows);
  for_each_operator([&](auto op) { add(Kind::kBug, bugs_of(op)); });
  add(Kind::kPermitted, permitted());
  add(Kind::kBehaviour, behaviours());
  return planted;
}

/// Splits at spaces.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

constexpr std::pair<std::string_view, std::string_view OwnRules::*> kPlaceholders[] = {
    {kMovement, &OwnRules::movement},
    {kAlongAxis, &OwnRules::along_axis},
    {kNegativeIndex, &OwnRules::negative_index},
    {kIndexRange, &OwnRules::index_range},
};

/// Those of the ledger's rules with that prefix that `word` stands for.
void add_of_kind(std::string_view prefix, std::string_view word,
                 std::vector<std::string_view>& rules) {
  for (const RuleText& rule : all_rules()) {
    const bool is_meant =
        (rule.kind == RuleKind::kSupport && (word == kSupport || word == kAnyConstraint)) ||
        (rule.kind == RuleKind::kConstraint && word == kAnyConstraint);
    if (is_meant && rule.name.starts_with(prefix) &&
        rule.name.substr(prefix.size()).starts_with('.'))
      rules.push_back(rule.name);
  }
}

/// The operator's rules that `word` stands for.
template <class Op>
void add_own(std::type_identity<Op> op, std::string_view word,
             std::vector<std::string_view>& rules) {
  const OwnRules own = own_rules(op);
  for (const auto& [placeholder, member] : kPlaceholders)
    if (word == placeholder)
      for (const std::string_view rule : words_of(own.*member)) rules.push_back(rule);
  add_of_kind(kRulePrefix<Op>, word, rules);
}

}  // namespace

std::vector<std::string_view> rules_of(const Row& row) {
  const std::vector<std::string_view> words = words_of(row.rules);
  std::vector<std::string_view> rules;
  if (row.rules == kAnyConstraint) add_of_kind("tensor", row.rules, rules);
  unsigned bit = 1;
  for_each_operator([&](auto op) {
    for (const std::string_view word : words)
      if ((row.operators & bit) != 0) add_own(op, word, rules);
    bit <<= 1;
  });
  for (const std::string_view word : words)
    if (!word.starts_with('(')) rules.push_back(word);
  return rules;
}

const std::vector<Planted>& all_planted() {
  static const std::vector<Planted> planted = collect();
  return planted;
}

namespace {

/// A bug may take it for granted that its operator is at hand.
void plant(const Row& row, SeamsByOperator& seams) {
  for (std::size_t i = 0; i < seams.size(); ++i)
    if ((row.operators >> i & 1U) != 0) row.plant(seams[i]);
}

}  // namespace

std::unique_ptr<backends::Backend> make_faulty(const Row& row) {
  SeamsByOperator seams;
  plant(row, seams);
  return make_plain(std::string(kPrefix) + std::string(row.name), seams);
}

std::unique_ptr<backends::Backend> make_faulty(std::string_view name) {
  if (!name.starts_with(kPrefix)) return nullptr;
  SeamsByOperator seams;
  for (std::string_view left = name.substr(kPrefix.size());;) {
    const std::size_t end = std::min(left.find('+'), left.size());
    const auto found = std::find_if(
        all_planted().begin(), all_planted().end(),
        [&](const Planted& planted) { return planted.row->name == left.substr(0, end); });
    if (found == all_planted().end()) return nullptr;
    plant(*found->row, seams);
    if (end == left.size()) break;
    left.remove_prefix(end + 1);
  }
  return make_plain(std::string(name), seams);
}

}  // namespace opconform::planted
