#include "cli/run/results.h"

#include <algorithm>
#include <utility>

#include "cli/output.h"
#include "cli/shell.h"
#include "reports/atomic_file.h"

namespace opconform::cli {

using judging::CaseResult;

base::Json results_json(const running::RunOutcome& outcome,
                        const std::vector<const cases::Case*>& cases, const Besides& besides,
                        const RunArguments& arguments) {
  using base::Json;
  Json json =
      running::run_to_json(outcome, cases, besides.groups, besides.smallest, arguments.seed);
  json["run"] = run_info();
  if (!besides.promises.empty()) json["promises"] = besides.promises;
  if (arguments.repeat > 1) {
    Json changed = Json::array();
    for (const running::ChangedVerdict& one : besides.repetitions.changed)
      changed.push_back({{"case", one.case_id},
                         {"backend", one.backend},
                         {"first", judging::name(one.first)},
                         {"later", judging::name(one.later)},
                         {"seed", one.check.seed},
                         {"jobs", one.jobs}});
    json["repetitions"] = {{"done", besides.repetitions.done + 1}, {"changed", std::move(changed)}};
  }
  if (!besides.stale.empty()) json["stale_expectations"] = besides.stale;
  return json;
}

PartialResults::PartialResults(const RunArguments& arguments, const base::Json& promises,
                               const std::vector<const cases::Case*>& cases,
                               std::optional<running::ExpectedFailures> expected_failures)
    : arguments_(arguments),
      promises_(promises),
      cases_(cases),
      expected_failures_(std::move(expected_failures)),
      is_used_(is_replaceable(arguments.json_file)) {
  for (std::size_t i = 0; i < cases.size(); ++i) place_of_[cases[i]->id] = i;
}

void PartialResults::add(const CaseResult& result) {
  if (!is_used_) return;
  so_far_.results.push_back(result);
  if (expected_failures_) expected_failures_->apply({&so_far_.results.back(), 1});
  if (std::chrono::steady_clock::now() - written_ >= std::chrono::seconds(2)) write();
}

void PartialResults::write() {
  if (!is_used_) return;
  so_far_.interrupted = true;
  std::stable_sort(so_far_.results.begin(), so_far_.results.end(),
                   [&](const CaseResult& a, const CaseResult& b) {
                     return place_of_.at(a.case_id) < place_of_.at(b.case_id);
                   });
  try {
    reports::write_file(
        arguments_.json_file,
        json_text(results_json(so_far_, cases_, {.promises = promises_}, arguments_)));
  } catch (const reports::WriteError&) {
    is_used_ = false;  // the whole file is tried again, and complained of, at the end
  }
  written_ = std::chrono::steady_clock::now();
}

}  // namespace opconform::cli
