#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

bool is_rule(std::string_view name) {
  const auto& rules = all_rules();
  return std::any_of(rules.begin(), rules.end(),
                     [&](const RuleText& rule) { return rule.name == name; });
}

template <class Op>
std::vector<const Reading*> collect(const Op& op) {
  std::vector<const Reading*> all;
  std::set<std::string_view> names;
  for (const Readings rows :
       {readings_of(std::type_identity<Op>()), element_readings(), index_readings(),
        layout_readings(), axis_readings(), extent_readings()})
    for (const Reading& row : rows) {
      if (rule_of(row, op).empty()) continue;
      if (!names.insert(row.name).second)
        throw std::logic_error("two readings are named " + std::string(row.name));
      all.push_back(&row);
    }
  return all;
}

}  // namespace

std::string_view movement_rule(const Operator& op) {
  return std::visit([]<class Op>(const Op&) { return movement_rule(std::type_identity<Op>()); },
                    op);
}

const std::vector<const Reading*>& readings_of(const Operator& op) {
  static const std::vector<std::vector<const Reading*>> all = [] {
    std::vector<std::vector<const Reading*>> readings;
    for_each_operator([&]<class Op>(std::type_identity<Op>) { readings.push_back(collect(Op())); });
    return readings;
  }();
  return all[op.index()];
}

const Reading* find_reading(std::string_view name, const Operator& op) {
  const std::vector<const Reading*>& readings = readings_of(op);
  const auto found = std::find_if(readings.begin(), readings.end(),
                                  [&](const Reading* reading) { return reading->name == name; });
  return found == readings.end() ? nullptr : *found;
}

model::Seams seams_of(const Reading* reading) {
  model::Seams seams;
  if (reading == nullptr) return seams;
  if (!reading->is_bounded) seams.outside = kForeign;
  reading->apply(seams);
  return seams;
}

std::string rule_of(const Reading& reading, const Operator& op) {
  std::string rule(reading.rule);
  if (reading.rule == kMovement)
    rule = movement_rule(op);
  else if (rule.starts_with('.'))
    rule = std::string(describe(op).prefix) + rule;
  return is_rule(rule) ? rule : std::string();
}

}  // namespace opconform::diagnosis
