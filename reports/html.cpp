#include <algorithm>
#include <map>
#include <utility>

#include "reports/page.h"
#include "reports/renderers.h"

namespace opconform::reports {
using harness::Json;

namespace {

// What a page may weigh, so that it opens at once. Failures come first; of them each kind has its
// share.
constexpr std::size_t kMostRowBytes = 1'500'000;
constexpr std::size_t kMostFailureBytes = 700'000;

std::size_t size_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

/// Leaves out rows that do not fit, those of cases that passed first.
void trim_rows(Json& results) {
  const Json verdicts = results["verdicts"];
  const Json nonconforming = results["nonconforming"];
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
  std::size_t bytes = 0;
  const auto first_left_out = std::find_if(rows.begin(), rows.end(), [&](const Json& row) {
    bytes += size_of(row) + 1;
    return bytes > kMostRowBytes;
  });
  results["left_out"] = rows.end() - first_left_out;
  rows.erase(first_left_out, rows.end());
  results["rows"] = std::move(rows);
}

/// Of the failures the first of each kind, then the second of each, and so on, as far as they fit.
void trim_failures(Json& results) {
  const Json failures = std::move(results["failures"]);
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>>
      order;  // (how many of its kind before it, place)
  for (std::size_t i = 0; i < failures.size(); ++i) {
    std::string kind;
    for (const char* key : {"backend", "verdict", "rule"})
      kind += failures[i][key].get<std::string>() + "\n";
    order.emplace_back(seen[kind]++, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> kept;
  std::size_t bytes = 0;
  for (const auto& [before, place] : order) {
    bytes += size_of(failures[place]) + 1;
    if (bytes > kMostFailureBytes) break;
    kept.push_back(place);
  }
  std::sort(kept.begin(), kept.end());
  results["failures"] = Json::array();
  for (const std::size_t place : kept) results["failures"].push_back(failures[place]);
  results["failures_left_out"] = failures.size() - kept.size();
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
  for (const char c : harness::printable(text)) {
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

std::string report_as_html(const Json& whole) {
  Json report = whole;
  if (report.contains("results")) {
    trim_rows(report["results"]);
    trim_failures(report["results"]);
  }
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
