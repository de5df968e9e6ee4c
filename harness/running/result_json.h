// Results as JSON: the file of `opconform run --json` (docs/reports.md says each key), and the
// words between a worker and its parent.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/base/json_document.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/job.h"
#include "harness/running/reducer.h"
#include "harness/running/runner.h"

namespace opconform::running {

base::Json result_to_json(const judging::CaseResult& result);
/// All of a result but its evidence.
base::Json outcome_to_json(const JobOutcome& outcome);
/// Nothing where the text is no outcome.
std::optional<JobOutcome> outcome_from_json(std::string_view text);

/// How many results have each verdict; verdicts that none has are absent.
std::map<judging::Verdict, std::size_t> count_verdicts(
    std::span<const judging::CaseResult> results);
/// Of each backend that made one, how many of its results show each choice.
std::map<std::string, judging::ChoiceCounts> count_choices(
    std::span<const judging::CaseResult> results);
/// {"backend": …, "rule": …, "choice": …, "cases": …} for each choice that occurs, behind what is
/// in the list.
void add_choices(const std::string& backend, const judging::ChoiceCounts& counts, base::Json& list);

/// "group" of reports/results.schema.json, without its example.
base::Json group_to_json(const diagnosis::Group& group);
/// Of results by their place: what they were shrunk to.
using Smallest = std::map<std::size_t, Reduction>;

/// {"kind": "results", "version": 1, "seed": …, "summary": {…}, "groups": […], "cases": […],
/// "results": […]}: `cases` are those that have a result, and members of `groups` are places in
/// the results.
base::Json run_to_json(const RunOutcome& outcome, std::span<const cases::Case* const> cases,
                       std::span<const diagnosis::Group> groups, const Smallest& smallest,
                       std::uint64_t seed);

}  // namespace opconform::running
