// Results as JSON: the file of `opconform run --json`, and the words between a child and its
// parent.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/isolation.h"
#include "harness/json_document.h"

namespace opconform::harness {

Json result_to_json(const CaseResult& result);
Json outcome_to_json(const JobOutcome& outcome);
/// Nothing where the text is no outcome.
std::optional<JobOutcome> outcome_from_json(std::string_view text);

/// How many results have each verdict; verdicts that none has are absent.
std::map<Verdict, std::size_t> count_verdicts(std::span<const CaseResult> results);
/// Of each backend that made one, how many of its results show each choice.
std::map<std::string, ChoiceCounts> count_choices(std::span<const CaseResult> results);
/// {"backend": …, "rule": …, "choice": …, "cases": …} for each choice that occurs, behind what is
/// in the list.
void add_choices(const std::string& backend, const ChoiceCounts& counts, Json& list);

/// {"version": 1, "seed": …, "summary": {…}, "results": […]}
Json run_to_json(const RunOutcome& outcome, std::uint64_t seed);

}  // namespace opconform::harness
