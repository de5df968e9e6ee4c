#include "planted/registry.h"

#include <algorithm>
#include <set>
#include <stdexcept>

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
       {index_bugs(), axis_bugs(), layout_bugs(), size_bugs(), large_size_bugs(), huge_size_bugs(),
        element_bugs(), bit_bugs(), memory_bugs(), lifetime_bugs(), cache_bugs(), thread_bugs(),
        refusal_bugs(), tensor_refusal_bugs()})
    add(Kind::kBug, rows);
  for_each_operator([&](auto op) { add(Kind::kBug, bugs_of(op)); });
  add(Kind::kPermitted, permitted());
  add(Kind::kBehaviour, behaviours());
  return planted;
}

/// Splits at spaces.
void add_words(std::string_view text, std::vector<std::string_view>& words) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void add_constraints(std::string_view prefix, std::vector<std::string_view>& rules) {
  for (const RuleText& rule : all_rules())
    if ((rule.kind == RuleKind::kConstraint || rule.kind == RuleKind::kSupport) &&
        rule.name.starts_with(prefix) && rule.name.substr(prefix.size()).starts_with('.'))
      rules.push_back(rule.name);
}

}  // namespace

std::vector<std::string_view> rules_of(const Row& row) {
  std::vector<std::string_view> rules;
  if (row.rules == kAnyConstraint) add_constraints("tensor", rules);
  unsigned bit = 1;
  for_each_operator([&]<class Op>(std::type_identity<Op> op) {
    if ((row.operators & bit) != 0) {
      if (row.rules == kMovement) add_words(movement_rules(op), rules);
      if (row.rules == kAnyConstraint) add_constraints(kRulePrefix<Op>, rules);
    }
    bit <<= 1;
  });
  if (rules.empty()) add_words(row.rules, rules);
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
