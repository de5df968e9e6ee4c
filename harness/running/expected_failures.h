// The list of known failures (`--expect FILE`): one glob over case ids and a reason a line, #
// begins a comment. Lines that begin with kFound are about what campaigns find; of these, a run
// knows no case unless it is given the files of such a campaign.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/judging/verdict.h"

namespace opconform::running {

/// Begins the id of a case that a campaign found.
inline constexpr std::string_view kFound = "fuzz/";

class ExpectedFailures {
 public:
  /// Throws BadInput: a file that cannot be read, a line without a reason.
  static ExpectedFailures read(const std::filesystem::path& path);

  /// Turns matching nonconformance into xfail, with the reason before the message.
  void apply(std::span<judging::CaseResult> results);
  /// After apply(): entries that are due for removal, one message each. An entry is stale where all
  /// that it matched passed, and where it matches none of the loaded cases; not where its cases
  /// were not selected, or belong to `other_shards`.
  [[nodiscard]] std::vector<std::string> stale(
      const std::vector<cases::Case>& loaded,
      std::span<const cases::Case* const> other_shards) const;

  /// The reason, where a campaign is expected to find cases of that id.
  [[nodiscard]] std::optional<std::string> reason_of(const std::string& found);
  /// After reason_of() each finding: entries for campaigns that match none. Not those that may be
  /// about what begins with one of `untested`.
  [[nodiscard]] std::vector<std::string> stale_of_campaign(
      std::span<const std::string> untested) const;

 private:
  struct Entry {
    std::string place;  // "FILE:LINE"
    std::string glob;
    std::string reason;
    bool matched = false;
    bool failed = false;
    [[nodiscard]] bool is_of_campaigns() const { return glob.starts_with(kFound); }
  };
  std::vector<Entry> entries_;
};

}  // namespace opconform::running
