// Two or more sets of results side by side: versions of an implementation, or implementations.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/judging/verdict.h"
#include "reports/json_node.h"

namespace opconform::reports {

/// Whether it does not conform; also where a list excuses it: a list makes nothing conform.
[[nodiscard]] bool fails(const judging::CaseResult& result);

/// What became of a case from one set of results to a later one.
enum class Change : std::uint8_t {
  kRegressed,  ///< conformed, or was not offered, and fails
  kLost,       ///< conformed, and is not offered any more
  kFixed,      ///< failed, or was not offered, and conforms
  kDifferent,  ///< failed, and fails with another verdict or rule, or is not offered any more
  kNew,        ///< has a result in the later one alone
  kGone,       ///< in the earlier one alone
};
inline constexpr std::array kChanges{Change::kRegressed, Change::kLost, Change::kFixed,
                                     Change::kDifferent, Change::kNew,  Change::kGone};
/// "regressed", "lost" …
[[nodiscard]] std::string_view name(Change change);
/// Did the implementation get worse?
[[nodiscard]] constexpr bool is_worse(Change change) {
  return change == Change::kRegressed || change == Change::kLost;
}

/// What a file of results says of a case.
struct CaseAbout {
  std::vector<std::string> rules{};  ///< that it shows
  std::string file{};
  std::uint64_t line = 1;
  /// Empty where it shows none.
  [[nodiscard]] std::string first_rule() const { return rules.empty() ? "" : rules.front(); }
};

/// The results of one backend in one file.
struct ResultSet {
  std::string file{};
  std::string backend{};
  std::map<std::string, judging::CaseResult> results{};  ///< by id
  std::map<std::string, CaseAbout> cases{};              ///< by id
  /// Its run was interrupted, or could not use all of its input: what is gone may not be.
  bool is_partial = false;
  /// The promise that it was judged by, and where that differs from the documents.
  struct Promise {
    std::string name = "document";
    std::vector<std::string> differences{};
    friend bool operator==(const Promise&, const Promise&) = default;
  };
  Promise promise{};
  std::string
      implementation{};  ///< what it says that it is, with its version; empty: its name says it
  /// Cases, by the rule that leaves something open and what was chosen there.
  std::map<std::string, std::map<std::string, std::uint64_t>> choices{};
  /// "optimized in a.json"
  [[nodiscard]] std::string text() const;
  /// What there is to say where it is partial.
  [[nodiscard]] std::string not_whole_text() const;
  /// "webnn in a.json"
  [[nodiscard]] std::string promise_text() const;
};
/// A file of `opconform run --json`, with its sets in the order in which its backends come.
struct ResultFile {
  std::string path{};
  bool is_interrupted = false;
  std::vector<ResultSet> sets{};  ///< none only where it is interrupted
};
/// Throws base::BadInput.
ResultFile read_result_file(const std::string& path);

/// The rule that a result is about: what it breaks, else the first that its case shows.
[[nodiscard]] std::string rule_of(const ResultSet& set, const judging::CaseResult& result);

struct CaseChange {
  Change change;
  std::string id;
  std::string rule;            ///< that the failure is about; else the first rule of the case
  judging::CaseResult before;  ///< empty for a new case
  judging::CaseResult after;
};

struct Comparison {
  const ResultSet* before;
  const ResultSet* after;
  std::size_t in_both = 0;
  std::vector<CaseChange> changes{};  ///< by kind, new ones that fail before others, then id

  [[nodiscard]] std::size_t count(Change change) const;
  /// Did a case get worse, or may one have, because the later results are not whole?
  [[nodiscard]] bool is_worse() const;
  /// Were both judged by the same promise? Otherwise a change need not be the implementation's.
  [[nodiscard]] bool has_same_promise() const { return before->promise == after->promise; }
};
Comparison compare(const ResultSet& before, const ResultSet& after);

struct Comparisons {
  std::vector<Comparison> all{};
  std::vector<const ResultSet*> unpaired{};  ///< whose backend a neighbouring file does not have
};
/// From each file to the next: each backend that both have with itself; all their sets in a row
/// where they have none in common, and where there is but one file. A file without sets gets empty
/// ones, of the backends of its neighbour. The result refers to the sets. Throws base::BadInput
/// where there is nothing to compare.
Comparisons compare_all(std::vector<ResultFile>& files);

/// How many cases are in both, and how many changed in each way.
std::string comparison_summary_text(const Comparison& comparison);
/// The same and each change, for a terminal: what the files hold stays on its line, and is cut
/// where it is long. At most so many changes of a kind are named; 0 is all.
std::string comparison_text(const Comparison& comparison, std::size_t most);
/// "only in a.json: alpha", a line a set.
std::string unpaired_text(const Comparisons& comparisons);
base::Json comparisons_to_json(const Comparisons& comparisons);
/// SARIF 2.1.0: a run the last comparison of each later implementation, a result each failure of
/// the earlier or of the later results. `baselineState` tells what became of it; a case that is not
/// offered any more is a new one, and a failure that was not judged again is unchanged.
std::string comparisons_as_sarif(const std::vector<Comparison>& comparisons);

}  // namespace opconform::reports
