#include "reports/report_groups.h"

#include <algorithm>
#include <numeric>

#include "reports/picture.h"
#include "reports/report_results.h"

namespace opconform::reports {

using base::Json;

namespace {

Json common_to_json(const JsonNode& common) {
  Json json = {{"text", common.text("text")}, {"conditions", common.texts("conditions")}};
  for (const char* key : {"failing", "failing_all", "passing", "passing_all"})
    json[key] = common.count(key);
  return json;
}

Json failing_case_to_json(const JsonNode& example) {
  Json json = {{"case", with_numbers(example.object("case").value())},
               {"message", example.text("message")},
               {"shrunk", example.flag("shrunk")}};
  if (example.has("picture")) json["picture"] = picture_to_json(example.object("picture"));
  return json;
}

/// Puts into `group` what another file says of the same breach.
void merge(const Json& other, Json& group) {
  for (const char* key : {"explained", "contradicted"})
    group[key] = group[key].get<std::uint64_t>() + other[key].get<std::uint64_t>();
  if (!group.contains("example") && other.contains("example")) group["example"] = other["example"];
  if (!group.contains("common")) return;
  // Two descriptions of two files are none of both.
  if (!other.contains("common") || other["common"]["text"] != group["common"]["text"]) {
    group.erase("common");
    return;
  }
  for (const char* key : {"failing", "failing_all", "passing", "passing_all"})
    group["common"][key] =
        group["common"][key].get<std::uint64_t>() + other["common"][key].get<std::uint64_t>();
}

}  // namespace

Json group_to_json(const JsonNode& group) {
  (void)verdict_of(group);
  Json json = Json::object();
  for (const char* key : {"backend", "verdict", "rule", "says", "explanation"})
    json[key] = group.text(key);
  json["failures"] = 0;
  for (const char* key : {"explained", "contradicted"}) json[key] = group.count(key);
  if (group.count("explained") > group.count("failures"))
    group.fail("explained", "must be no more than \"failures\"");
  if (group.has("rules_shown")) json["rules_shown"] = group.texts("rules_shown");
  if (group.has("common")) json["common"] = common_to_json(group.object("common"));
  if (group.has("example")) json["example"] = failing_case_to_json(group.object("example"));
  return json;
}

GroupTable::Key GroupTable::key_of(const Json& group) {
  Key key{group.contains("explained") ? "diagnosed" : "undiagnosed"};
  for (const char* name : {"backend", "verdict", "rule", "says", "explanation"})
    key.push_back(group[name]);
  return key;
}

std::size_t GroupTable::place_of(Key key, const Json& group) {
  const auto [found, is_new] = places_.emplace(std::move(key), groups_.size());
  if (is_new)
    groups_.push_back(group);
  else if (group.contains("explained"))
    merge(group, groups_[found->second]);
  return found->second;
}

std::vector<std::size_t> GroupTable::add(const JsonNode& results) {
  std::vector<std::size_t> places;
  if (!results.has("groups")) return places;
  // What one file tells apart stays apart.
  std::map<Key, std::size_t> seen;
  for (const JsonNode& node : results.objects("groups")) {
    const Json group = group_to_json(node);
    Key key = key_of(group);
    const std::size_t before = seen[key]++;
    key.push_back(std::to_string(before));
    places.push_back(place_of(std::move(key), group));
  }
  return places;
}

std::size_t GroupTable::undiagnosed(const Json& failure) {
  Json group = Json::object();
  for (const char* key : {"backend", "verdict", "rule"}) group[key] = failure[key];
  group["says"] = "";
  group["explanation"] = "";
  group["failures"] = 0;
  return place_of(key_of(group), group);
}

std::string GroupTable::backend_of(std::size_t place) const { return groups_[place]["backend"]; }

void GroupTable::count(std::size_t place, const Json& failure) {
  Json& group = groups_[place];
  group["failures"] = group["failures"].get<std::uint64_t>() + 1;
  if (group.contains("example") || !failure.contains("shrunk")) return;
  group["example"] = failure["shrunk"];
  group["example"]["shrunk"] = true;
}

GroupTable::Sorted GroupTable::sorted() const {
  std::vector<std::size_t> order(groups_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto failures = [&](std::size_t i) { return groups_[i]["failures"].get<std::uint64_t>(); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return failures(a) > failures(b); });
  Sorted sorted;
  sorted.place_of.resize(groups_.size());
  for (const std::size_t place : order) {
    if (failures(place) == 0) continue;
    sorted.place_of[place] = sorted.groups.size();
    sorted.groups.push_back(groups_[place]);
  }
  return sorted;
}

}  // namespace opconform::reports
