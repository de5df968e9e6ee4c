#include "harness/running/expected_failures.h"

#include <algorithm>
#include <sstream>

#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"
#include "harness/running/runner.h"

namespace opconform::running {

ExpectedFailures ExpectedFailures::read(const std::filesystem::path& path) {
  std::istringstream stream(base::read_text_file(path));
  ExpectedFailures list;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string::npos || line[first] == '#') continue;
    const std::size_t glob_end = std::min(line.find_first_of(kBlanks, first), line.size());
    const std::size_t reason = line.find_first_not_of(kBlanks, glob_end);
    const std::string place = path.string() + ":" + std::to_string(number);
    const std::string glob = line.substr(first, glob_end - first);
    if (reason == std::string::npos)
      throw base::BadInput(place, "", base::in_quotes(glob) + " lacks a reason");
    const std::size_t reason_end = line.find_last_not_of(kBlanks) + 1;
    list.entries_.push_back({place, glob, line.substr(reason, reason_end - reason)});
  }
  return list;
}

void ExpectedFailures::apply(std::span<judging::CaseResult> results) {
  for (judging::CaseResult& result : results) {
    const bool failed = judging::is_nonconformance(result.verdict);
    for (Entry& entry : entries_) {
      if (!matches_glob(entry.glob, result.case_id)) continue;
      entry.matched = true;
      if (!failed) continue;
      entry.failed = true;
      if (result.verdict == judging::Verdict::kExpectedFailure) continue;
      result.message = entry.reason + " [" + std::string(judging::name(result.verdict)) + ": " +
                       result.message + "]";
      result.verdict = judging::Verdict::kExpectedFailure;
    }
  }
}

std::vector<std::string> ExpectedFailures::stale(
    const std::vector<cases::Case>& loaded,
    std::span<const cases::Case* const> other_shards) const {
  std::vector<std::string> messages;
  for (const Entry& entry : entries_) {
    const auto names = [&](const cases::Case& one) { return matches_glob(entry.glob, one.id); };
    if (entry.failed || std::any_of(other_shards.begin(), other_shards.end(),
                                    [&](const cases::Case* one) { return names(*one); }))
      continue;
    if (entry.matched) {
      messages.push_back(entry.place + ": " + base::in_quotes(entry.glob) +
                         " is expected to fail, but passes");
      continue;
    }
    if (!entry.is_of_campaigns() && std::none_of(loaded.begin(), loaded.end(), names))
      messages.push_back(entry.place + ": " + base::in_quotes(entry.glob) + " matches no case");
  }
  return messages;
}

std::optional<std::string> ExpectedFailures::reason_of(const std::string& found) {
  std::optional<std::string> reason;
  for (Entry& entry : entries_) {
    if (!entry.is_of_campaigns() || !matches_glob(entry.glob, found)) continue;
    entry.failed = true;
    if (!reason) reason = entry.reason;
  }
  return reason;
}

std::vector<std::string> ExpectedFailures::stale_of_campaign(
    std::span<const std::string> untested) const {
  std::vector<std::string> messages;
  for (const Entry& entry : entries_) {
    const std::string head = entry.glob.substr(0, entry.glob.find_first_of("*?[\\"));
    const bool is_untested = std::any_of(
        untested.begin(), untested.end(),
        [&](const std::string& one) { return one.starts_with(head) || head.starts_with(one); });
    if (entry.is_of_campaigns() && !entry.failed && !is_untested)
      messages.push_back(entry.place + ": " + base::in_quotes(entry.glob) + " matches no finding");
  }
  return messages;
}

}  // namespace opconform::running
