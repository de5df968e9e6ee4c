#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "reports/page.h"
#include "reports/renderers.h"
#include "reports/report_view.h"

namespace opconform::reports {
using base::Json;

namespace {

// What a page may weigh, so that it opens at once: 5 MB in all. Failures come first; of them each
// group has its share.
constexpr std::size_t kMostRowBytes = 2'400'000;
constexpr std::size_t kMostFailureBytes = 1'000'000;
constexpr std::size_t kMostGroupBytes = 300'000;
constexpr std::size_t kMostFindingBytes = 300'000;
constexpr std::size_t kMostOtherBytes = 100'000;

std::size_t size_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace).size() + 1;
}

/// Leaves out the end of a list, from where it does not fit any more. Returns how many.
std::size_t trim(Json& list, std::size_t most_bytes) {
  std::size_t bytes = 0;
  const auto first_left_out = std::find_if(list.begin(), list.end(), [&](const Json& one) {
    return (bytes += size_of(one)) > most_bytes;
  });
  const auto left_out = static_cast<std::size_t>(list.end() - first_left_out);
  list.erase(first_left_out, list.end());
  return left_out;
}

/// Lists whose entries rows name by their places: what no row names any more is left out.
class NamedByRows {
 public:
  explicit NamedByRows(Json all) : all_(std::move(all)), moved_(all_.size()) {}

  /// What an entry would add, were it kept.
  [[nodiscard]] std::size_t more_bytes(const Json& places) const {
    std::size_t bytes = 0;
    for_each_place(places, [&](std::size_t place) {
      if (!moved_[place]) bytes += size_of(all_[place]);
    });
    return bytes;
  }
  /// Keeps what the places name, and changes them to where it stands now.
  void keep(Json& places) {
    if (places.is_array()) {
      for (Json& place : places) keep(place);
      return;
    }
    std::optional<std::size_t>& moved = moved_[places.get<std::size_t>()];
    if (!moved) {
      moved = kept_.size();
      kept_.push_back(all_[places.get<std::size_t>()]);
    }
    places = *moved;
  }
  Json take() { return std::move(kept_); }

 private:
  template <class F>
  static void for_each_place(const Json& places, F&& f) {
    if (!places.is_array()) return f(places.get<std::size_t>());
    for (const Json& place : places) f(place.get<std::size_t>());
  }

  Json all_;
  Json kept_ = Json::array();
  std::vector<std::optional<std::size_t>> moved_;
};

bool has_failed(const Json& row) {
  return std::any_of(row.back().begin(), row.back().end(),
                     [](const Json& cell) { return cell.is_array(); });
}

/// Leaves out rows that do not fit, with the texts that they alone have; those of cases that did
/// not fail first.
void trim_rows(Json& results) {
  Json rows = std::move(results["rows"]);
  std::size_t bytes = size_of(rows) + size_of(results["texts"]) + size_of(results["traits"]);
  results["rows"] = Json::array();
  if (bytes <= kMostRowBytes) {
    results["rows"] = std::move(rows);
    return;
  }
  std::stable_partition(rows.begin(), rows.end(), has_failed);
  NamedByRows texts(std::move(results["texts"]));
  NamedByRows traits(std::move(results["traits"]));
  std::vector<std::pair<std::size_t, NamedByRows*>> columns;
  for (std::size_t i = 0; i < results["columns"].size(); ++i) {
    const std::string name = results["columns"][i];
    if (is_text_column(name)) columns.emplace_back(i, &texts);
    if (name == "traits") columns.emplace_back(i, &traits);
  }
  bytes = 0;
  for (Json& row : rows) {
    std::size_t more = size_of(row);
    for (const auto& [column, list] : columns) more += list->more_bytes(row[column]);
    if (bytes + more > kMostRowBytes) continue;
    bytes += more;
    for (const auto& [column, list] : columns) list->keep(row[column]);
    results["rows"].push_back(std::move(row));
  }
  results["left_out"] = rows.size() - results["rows"].size();
  results["texts"] = texts.take();
  results["traits"] = traits.take();
}

/// Of the failures the first of each group, then the second of each, and so on, as far as they fit
/// and their cases have rows.
void trim_failures(Json& results) {
  std::map<std::string, std::size_t> row_of;
  for (std::size_t i = 0; i < results["rows"].size(); ++i)
    row_of[spelled(results, results["rows"][i][0])] = i;
  std::map<std::string, std::size_t> place_of;
  for (const Json& name : results["backends"]) place_of.emplace(name, place_of.size());
  const Json failures = std::move(results["failures"]);
  std::map<std::size_t, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>>
      order;  // (how many of its group before it, place)
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const auto row = row_of.find(failures[i]["case"].get<std::string>());
    if (row == row_of.end()) continue;
    const Json& cell = results["rows"][row->second].back()[place_of.at(failures[i]["backend"])];
    order.emplace_back(seen[cell[1].get<std::size_t>()]++, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> kept;
  std::size_t bytes = 0;
  for (const auto& [before, place] : order) {
    const std::size_t more = size_of(failures[place]);
    if (bytes + more > kMostFailureBytes) continue;
    bytes += more;
    kept.push_back(place);
  }
  std::sort(kept.begin(), kept.end());
  results["failures"] = Json::array();
  for (const std::size_t place : kept) results["failures"].push_back(failures[place]);
  results["failures_left_out"] = failures.size() - kept.size();
}

/// The last groups lose what is long, and where that is not enough, all: the rows name them still.
void trim_groups(Json& results) {
  std::size_t bytes = 0;
  for (Json& group : results["groups"]) {
    for (const char* key : {"example", "common", "rules_shown"}) {
      if (!group.contains(key)) continue;
      const std::size_t more = size_of(group[key]);
      if (bytes + more > kMostGroupBytes)
        group.erase(key);
      else
        bytes += more;
    }
  }
  if (const std::size_t left_out = trim(results["groups"], 2 * kMostGroupBytes); left_out > 0)
    results["groups_left_out"] = left_out;
}

/// What implementations say, and what hostile files hold, has no limit of its own.
void trim_others(Json& report) {
  const auto trim_each = [&](const char* part, const char* list, std::size_t most_bytes) {
    if (!report.contains(part)) return;
    for (Json& one : report[part]) {
      if (!one.contains(list)) continue;
      const std::size_t share = most_bytes / report[part].size();
      if (const std::size_t left_out = trim(one[list], share); left_out > 0)
        one[std::string(list) + "_left_out"] = left_out;
    }
  };
  trim_each("campaigns", "findings", kMostFindingBytes);
  trim_each("campaigns", "harness_errors", kMostOtherBytes);
  trim_each("grids", "wrong", kMostOtherBytes);
  trim_each("inputs", "bad_input", kMostOtherBytes);
}

/// Inside <script> nothing but the data may end it or open a comment.
std::string as_script_data(const Json& report) {
  std::string text;
  for (const char c : report.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string report_as_html(const Json& report) { return page_around(cut_for_page(report)); }

Json cut_for_page(const Json& report) {
  Json trimmed = report;
  if (trimmed.contains("results")) {
    trim_rows(trimmed["results"]);
    trim_failures(trimmed["results"]);
    trim_groups(trimmed["results"]);
    trimmed["results"].erase("excused");  // it has their number
    trimmed["results"].erase("seconds");  // a megabyte that says little
  }
  trim_others(trimmed);
  return trimmed;
}

std::string page_around(const Json& report) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{title}}", escaped(report["title"].get<std::string>())},
      {"/*{{style}}*/", std::string(kPageStyle)},
      {"/*{{script}}*/", std::string(kPageScript)},
      {"{{data}}", as_script_data(report)},
  };
  // One pass over the template: what is put in is not looked at again.
  std::string page;
  std::string_view rest = kPageTemplate;
  while (true) {
    std::size_t first = std::string_view::npos;
    const std::pair<std::string_view, std::string>* next = nullptr;
    for (const auto& part : parts) {
      const std::size_t found = rest.find(part.first);
      if (found >= first) continue;
      first = found;
      next = &part;
    }
    if (next == nullptr) return page.append(rest);
    page.append(rest.substr(0, first)).append(next->second);
    rest.remove_prefix(first + next->first.size());
  }
}

}  // namespace opconform::reports
