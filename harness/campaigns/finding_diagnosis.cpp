#include "harness/campaigns/finding_diagnosis.h"

#include <algorithm>
#include <set>

#include "harness/relations/relations.h"
#include "harness/running/isolation.h"

namespace opconform::campaigns {
namespace {

/// Enough to tell a breach from others that give the same by chance.
constexpr std::size_t kCasesOfAnOperator = 128;
/// Where others are generated seldom.
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 14;

bool is_relation(const FindingKey& key) { return relations::find_relation(key.rule) != nullptr; }

/// The operators to be looked at.
std::set<std::size_t> operators_of(const std::map<FindingKey, Finding>& findings) {
  std::set<std::size_t> operators;
  for (const auto& [key, finding] : findings)
    if (!is_relation(key)) operators.insert(key.operator_index);
  for (const auto& [key, finding] : findings)
    if (key.verdict == judging::Verdict::kTimeout) operators.erase(key.operator_index);
  return operators;
}

/// The cases to be run, by number.
std::map<std::uint64_t, cases::Case> cases_to_run(const std::map<FindingKey, Finding>& findings,
                                                  const CampaignOptions& options,
                                                  const CaseSource& source,
                                                  const std::set<std::size_t>& operators) {
  std::map<std::uint64_t, cases::Case> chosen;
  for (const auto& [key, finding] : findings)
    for (const std::vector<Example>* examples : {&finding.examples, &finding.alike})
      for (const Example& example : *examples)
        if (operators.contains(key.operator_index) && !is_relation(key))
          chosen.emplace(example.number, campaign_case(source, example.number));
  std::map<std::size_t, std::size_t> missing;
  for (const std::size_t op : operators) missing[op] = kCasesOfAnOperator;
  const std::uint64_t last = std::min(options.cases.last, options.cases.first + kMostNumbers);
  SourcedCase made;
  for (std::uint64_t n = options.cases.first; n < last && !missing.empty(); ++n) {
    if (source.kind(n) == CaseKind::kRelation) continue;
    source.make(n, made);
    const auto place = missing.find(made.generated.op.index());
    if (place == missing.end()) continue;
    chosen.try_emplace(n, campaign_case(source, n));
    if (--place->second == 0) missing.erase(place);
  }
  return chosen;
}

}  // namespace

std::optional<FindingDiagnoses> diagnose(const std::map<FindingKey, Finding>& findings,
                                         const CampaignOptions& options, const CaseSource& source,
                                         backends::Backend& backend,
                                         const std::atomic<bool>& stop) {
  const std::set<std::size_t> operators = operators_of(findings);
  if (operators.empty()) return FindingDiagnoses{};
  const std::map<std::uint64_t, cases::Case> chosen =
      cases_to_run(findings, options, source, operators);
  std::vector<running::Job> jobs;
  jobs.reserve(chosen.size());
  for (const auto& [number, one] : chosen) jobs.push_back({jobs.size(), &one, &backend});
  std::vector<std::optional<judging::CaseResult>> results(jobs.size());
  running::run_isolated(
      jobs, options.run,
      [&](const running::Job& job) { return running::run_here(job, options.run.check); },
      [&](const running::Job& job, running::JobOutcome outcome) {
        results[job.number] = std::move(outcome.result);
      },
      stop);
  if (stop) return std::nullopt;
  std::vector<diagnosis::Judged> judged;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (results[i]) judged.push_back({jobs[i].tested, &*results[i]});
  std::vector<diagnosis::Group> groups = diagnosis::group(judged);
  diagnosis::describe(judged, groups);

  FindingDiagnoses diagnoses;
  for (const auto& [key, finding] : findings) {
    const auto is_like = [&, &own = key](const diagnosis::Group& group) {
      return std::any_of(group.members.begin(), group.members.end(), [&](std::size_t i) {
        const judging::CaseResult& result = *judged[i].result;
        return judged[i].tested->op.index() == own.operator_index &&
               result.verdict == own.verdict && result.rule == own.rule;
      });
    };
    const auto largest = std::find_if(groups.begin(), groups.end(), is_like);
    if (largest != groups.end()) diagnoses.emplace(key, *largest);
  }
  return diagnoses;
}

}  // namespace opconform::campaigns
