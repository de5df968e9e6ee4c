// The list of known failures (`--expect FILE`): one glob over case ids and a reason a line, #
// begins a comment.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/judging/verdict.h"

namespace opconform::running {

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

 private:
  struct Entry {
    std::string place;  // "FILE:LINE"
    std::string glob;
    std::string reason;
    bool matched = false;
    bool failed = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace opconform::running
