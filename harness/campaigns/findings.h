// What a campaign found: failures gathered by what they are, each with the smallest cases that show
// it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/base/json_document.h"
#include "harness/campaigns/case_source.h"
#include "harness/running/reducer.h"
#include "harness/running/runner.h"

namespace opconform::campaigns {

/// Failures of one kind are one finding.
struct FindingKey {
  std::size_t operator_index = 0;
  judging::Verdict verdict = judging::Verdict::kMismatch;
  std::string rule;
  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
  /// "OPERATOR-mismatch", "OPERATOR-missed-rejection-RULE": fit for the name of a file.
  [[nodiscard]] std::string name() const;
  /// Of its first example, and for running::ExpectedFailures of all.
  [[nodiscard]] std::string case_id() const;
};

/// One failing case, shrunk.
struct Example {
  std::uint64_t number = 0;  ///< of the case in the campaign
  std::uint64_t again = 0;   ///< the case to run to see it again; of a broken relation, another
  std::string signature;     ///< what of the smallest case is out of the ordinary
  running::Reduction reduction;
  bool interrupted =
      false;  ///< shrinking was cut short, and begins anew where the campaign goes on
  /// Has the smallest case its values? Else the campaign's case is to be run.
  [[nodiscard]] bool has_values() const;
};

struct Finding {
  std::uint64_t count = 0;        ///< failing cases, of those that are done
  std::vector<Example> examples;  ///< one a signature, in the order of their numbers
  std::vector<Example> alike;     ///< the others that were shrunk
  /// Numbers of failing cases, ascending: the first kLookedAt of those that are done.
  std::vector<std::uint64_t> failing;
};

base::Json example_to_json(const Example& example);
/// Nothing where the JSON is no example.
std::optional<Example> example_from_json(const base::Json& json);

/// What `task` gives in a worker process; nothing where that dies, or a single check takes longer
/// than the limit of time. Where all takes longer than any shrinking does, or `stop` becomes true,
/// `enough()` is true: it is to come to an end, and is killed soon after `stop`. It is to be asked
/// before each check. Must be called while this process has one thread.
using WorkerTask = std::function<Example(const std::function<bool()>& enough)>;
[[nodiscard]] std::optional<Example> in_worker(const WorkerTask& task,
                                               const running::RunOptions& options,
                                               const std::atomic<bool>& stop);

/// Shrinks a case without risk: in a worker process, and where that dies, each single check in a
/// process of its own. Where an explanation is given, what it no longer explains is no smaller
/// case. Must be called while this process has one thread; soon after `stop` becomes true it comes
/// back with what it has.
[[nodiscard]] running::Reduction reduce_safely(const cases::Case& failing,
                                               backends::Backend& backend,
                                               const running::RunOptions& options,
                                               const std::atomic<bool>& stop,
                                               std::string_view explanation = {});

/// Looks for some seconds, in processes of its own, how many threads or plans the smallest case
/// needs at once, if it needs any: its result becomes that with the least number.
void add_least_at_once(Example& example, backends::Backend& backend, running::RunOptions options,
                       const std::atomic<bool>& stop);

/// Of a case whose values would make a file of megabytes, the descriptor alone stays.
void leave_out_many_values(cases::Case& one);

/// Gathers failures. The result depends on the set of failures, not on the order in which they
/// arrive: of each finding the kProbed cases of the lowest numbers are shrunk, and of those with
/// one signature the first stays.
class Findings {
 public:
  static constexpr std::size_t kProbed = 4;
  static constexpr std::size_t kLookedAt = 4096;
  using Shrink = std::function<Example(std::uint64_t number)>;

  /// A case failed. True where it has been shrunk, and the examples may have changed.
  bool probe(const FindingKey& key, std::uint64_t number, const Shrink& shrink);
  /// A case that failed is done.
  void add(const FindingKey& key, std::uint64_t number);
  /// What an earlier part of the campaign added.
  void restore(const FindingKey& key, std::uint64_t count,
               const std::vector<std::uint64_t>& failing);
  /// Has that case an example whose shrinking was cut short?
  [[nodiscard]] bool is_interrupted(const FindingKey& key, std::uint64_t number) const;

  /// By key, which is the order of a report.
  [[nodiscard]] std::map<FindingKey, Finding> list() const;

 private:
  struct Group {
    std::uint64_t count = 0;
    std::map<std::uint64_t, Example> probed;  // by number
    std::set<std::uint64_t> failing;
  };
  std::map<FindingKey, Group> groups_;
};

}  // namespace opconform::campaigns
