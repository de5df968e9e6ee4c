// Can a green run of this implementation be believed? Before anybody relies on one: what it offers,
// whether it knows the answers of cases whose answers are known, and whether faults that are laid
// over its right answers are seen.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/running/options.h"

namespace opconform::strength {

/// What of one operator an implementation does not turn down, neither at first nor when it executes
/// it, at the operator's last version.
struct Offer {
  std::size_t operator_index = 0;  ///< in all_operators()
  std::set<DataType> types{};
  std::set<std::size_t> ranks{};
  std::size_t offered = 0;  ///< of the types and ranks that the support table lists
  std::size_t listed = 0;
  std::string reason{};  ///< in its own words, of the first that it does not offer
};
struct Offers {
  std::vector<Offer> list;  ///< one for each operator
  /// How it was lost when it executed something, so that the list is what it says before it does.
  std::string lost{};
};
/// Asks in a process of its own, for so long at most; once more without an execution where that
/// dies. Throws backends::DoesNotStart where this one dies as well, and soon after `stop` becomes
/// true.
Offers ask_for_offers(backends::Backend& backend, std::chrono::milliseconds timeout,
                      const std::atomic<bool>& stop);

/// What came of a fault that was injected into correct results.
struct FaultResult {
  std::string_view says;    ///< "changes an element"
  std::size_t tried = 0;    ///< cases; 0 where it passes none that could show this
  std::size_t seen = 0;     ///< of these, with the verdict that is due
  std::string due{};        ///< the verdict
  std::string otherwise{};  ///< of the first that was not seen: the case and its verdict
  bool is_hidden = false;   ///< nobody could see it: the implementation has copies of the buffers
};

struct DoctorResult {
  std::vector<judging::CaseResult> answers;  ///< of the cases with known answers
  std::vector<FaultResult> faults;           ///< empty where it passes no case
  std::vector<std::string> bad_input;
  bool gives_results = false;  ///< some that pass: whoever only rejects shows nothing
  bool interrupted = false;

  [[nodiscard]] std::size_t count(judging::Verdict verdict) const;
  /// It gives results, fails nothing, and every fault that could be tried was seen.
  [[nodiscard]] bool is_healthy() const;
  [[nodiscard]] bool hides_memory() const;
};

/// Runs the cases, then the faults over those that pass, in workers. To be called while this
/// process has one thread. Ends soon after `stop` becomes true.
DoctorResult examine(backends::Backend& backend, std::span<const cases::Case> cases,
                     const running::RunOptions& options, const std::atomic<bool>& stop);

}  // namespace opconform::strength
