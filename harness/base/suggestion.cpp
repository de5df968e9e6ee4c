#include "harness/base/suggestion.h"

#include <algorithm>
#include <utility>

#include "harness/base/text.h"

namespace opconform::base {
namespace {

/// Nobody means anything by a longer one, and comparing takes its length squared.
constexpr std::size_t kLongestName = 100;
/// What is shorter stands in too many names.
constexpr std::size_t kShortestPart = 3;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::string from = lower_case(a);
  const std::string to = lower_case(b);
  // Three rows of the table: [i][j] is the distance of the first i letters from the first j.
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::vector<std::size_t> row(to.size() + 1, i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last[to.size()];
}

bool is_like(std::string_view wrong, std::string_view known) {
  if (wrong.empty() || wrong.size() > kLongestName) return false;
  const std::size_t most = known.size() < 6 ? 1 : 2;
  if (wrong.size() > known.size() + most || known.size() > wrong.size() + most) return false;
  const std::size_t distance = edit_distance(wrong, known);
  return distance <= most && distance < known.size();
}

std::string_view closest(std::string_view wrong, const std::vector<std::string_view>& names) {
  std::string_view found;
  std::size_t least = kLongestName;
  for (const std::string_view name : names) {
    if (!is_like(wrong, name)) continue;
    if (const std::size_t distance = edit_distance(wrong, name); distance < least) {
      found = name;
      least = distance;
    }
  }
  if (!found.empty() || wrong.size() < kShortestPart || wrong.size() > kLongestName) return found;
  const std::string part = lower_case(wrong);
  for (const std::string_view name : names) {
    if (lower_case(name).find(part) == std::string::npos) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names) {
  const std::string_view found = closest(wrong, names);
  return found.empty() ? "" : "; did you mean " + printable(found) + "?";
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  return text;
}

}  // namespace opconform::base
