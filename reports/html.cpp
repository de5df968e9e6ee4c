#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "reports/page.h"
#include "reports/renderers.h"

namespace opconform::reports {
using base::Json;

namespace {

// What a page may weigh, so that it opens at once: 3 MB in all. Failures come first; of them each
// kind has its share.
constexpr std::size_t kMostRowBytes = 1'300'000;
constexpr std::size_t kMostFailureBytes = 600'000;
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

/// Leaves out rows that do not fit, with the phrases that they alone have; those of cases that
/// passed first.
void trim_rows(Json& results) {
  const Json& verdicts = results["verdicts"];
  const Json& nonconforming = results["nonconforming"];
  const auto failed = [&](const Json& row) {
    const Json& cells = row.back();
    return std::any_of(cells.begin(), cells.end(), [&](const Json& verdict) {
      return !verdict.is_null() &&
             std::find(nonconforming.begin(), nonconforming.end(),
                       verdicts[verdict.get<std::size_t>()]) != nonconforming.end();
    });
  };
  Json rows = std::move(results["rows"]);
  std::stable_partition(rows.begin(), rows.end(), failed);
  const Json phrases = std::move(results["phrases"]);
  std::vector<std::optional<std::size_t>> place_of(phrases.size());
  Json kept = Json::array();
  Json kept_phrases = Json::array();
  std::size_t bytes = 0;
  for (Json& row : rows) {
    Json& places = row[1];
    std::size_t more = size_of(row);
    for (const Json& place : places)
      if (!place_of[place.get<std::size_t>()]) more += size_of(phrases[place.get<std::size_t>()]);
    if (bytes + more > kMostRowBytes) continue;
    bytes += more;
    for (Json& place : places) {
      std::optional<std::size_t>& moved = place_of[place.get<std::size_t>()];
      if (!moved) {
        moved = kept_phrases.size();
        kept_phrases.push_back(phrases[place.get<std::size_t>()]);
      }
      place = *moved;
    }
    kept.push_back(std::move(row));
  }
  results["left_out"] = rows.size() - kept.size();
  results["rows"] = std::move(kept);
  results["phrases"] = std::move(kept_phrases);
}

/// Of the failures the first of each kind, then the second of each, and so on, as far as they fit.
/// How many of each kind there are in all is told where some are left out.
void trim_failures(Json& results) {
  const Json failures = std::move(results["failures"]);
  std::map<std::array<std::string, 3>, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>>
      order;  // (how many of its kind before it, place)
  for (std::size_t i = 0; i < failures.size(); ++i)
    order.emplace_back(
        seen[{failures[i]["backend"], failures[i]["verdict"], failures[i]["rule"]}]++, i);
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
  if (kept.size() == failures.size()) return;
  Json kinds = Json::array();
  for (const auto& [kind, number] : seen)
    kinds.push_back(
        {{"backend", kind[0]}, {"verdict", kind[1]}, {"rule", kind[2]}, {"failures", number}});
  trim(kinds, kMostOtherBytes);
  results["failures_by_kind"] = std::move(kinds);
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

std::string report_as_html(const Json& report) {
  Json trimmed = report;
  if (trimmed.contains("results")) {
    trim_rows(trimmed["results"]);
    trim_failures(trimmed["results"]);
    trimmed["results"].erase("excused");  // it has their number
  }
  trim_others(trimmed);
  return page_around(trimmed);
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
