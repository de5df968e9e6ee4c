#include "harness/campaigns/finding_diagnosis.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <vector>

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

/// Case numbers of the operators: the first of the campaign, and those that were shrunk.
std::set<std::uint64_t> first_cases(const std::map<FindingKey, Finding>& findings,
                                    const CampaignOptions& options, const CaseSource& source,
                                    const std::set<std::size_t>& operators) {
  std::set<std::uint64_t> chosen;
  for (const auto& [key, finding] : findings)
    for (const std::vector<Example>* examples : {&finding.examples, &finding.alike})
      for (const Example& example : *examples)
        if (operators.contains(key.operator_index) && !is_relation(key))
          chosen.insert(example.number);
  std::map<std::size_t, std::size_t> missing;
  for (const std::size_t op : operators) missing[op] = kCasesOfAnOperator;
  const std::uint64_t last = std::min(options.cases.last, options.cases.first + kMostNumbers);
  SourcedCase made;
  for (std::uint64_t n = options.cases.first; n < last && !missing.empty(); ++n) {
    if (source.kind(n) == CaseKind::kRelation) continue;
    source.make(n, made);
    const auto place = missing.find(made.generated.op.index());
    if (place == missing.end()) continue;
    chosen.insert(n);
    if (--place->second == 0) missing.erase(place);
  }
  return chosen;
}

/// Numbers of other failing cases, of each finding as many as take a small part of the campaign's
/// time. Large ones would take more; that of a relation is not the one that failed.
std::set<std::uint64_t> failing_cases(const std::map<FindingKey, Finding>& findings,
                                      std::uint64_t cases_done, const CaseSource& source,
                                      const std::set<std::size_t>& operators) {
  constexpr std::uint64_t kShare = 256;
  const std::uint64_t most = kCasesOfAnOperator + cases_done / kShare;
  std::set<std::uint64_t> chosen;
  SourcedCase made;
  for (const auto& [key, finding] : findings) {
    if (!operators.contains(key.operator_index) || is_relation(key)) continue;
    for (std::size_t i = 0; i < std::min<std::uint64_t>(most, finding.failing.size()); ++i) {
      source.make(finding.failing[i], made);
      if (made.kind != CaseKind::kRelation &&
          made.generated.contents.tier == generation::SizeTier::kSmall)
        chosen.insert(finding.failing[i]);
    }
  }
  return chosen;
}

/// Cases and what came of them, by number.
struct Looked {
  std::map<std::uint64_t, cases::Case> cases;
  std::map<std::uint64_t, judging::CaseResult> results;

  [[nodiscard]] std::vector<diagnosis::Judged> judged(
      const std::function<bool(std::uint64_t)>& is_wanted) const {
    std::vector<diagnosis::Judged> all;
    for (const auto& [number, result] : results)
      if (is_wanted(number)) all.push_back({&cases.at(number), &result});
    return all;
  }
};

/// How many of the group's members fail as the finding's cases do?
std::size_t count_like(const FindingKey& key, const diagnosis::Group& group,
                       std::span<const diagnosis::Judged> judged) {
  return static_cast<std::size_t>(
      std::count_if(group.members.begin(), group.members.end(), [&](std::size_t i) {
        const judging::CaseResult& result = *judged[i].result;
        return judged[i].tested->op.index() == key.operator_index &&
               result.verdict == key.verdict && result.rule == key.rule;
      }));
}

void add_parts(const FindingKey& key, std::span<const diagnosis::Group> groups,
               std::span<const diagnosis::Judged> judged, FindingDiagnosis& found) {
  for (const diagnosis::Group& group : groups)
    if (const std::size_t cases = count_like(key, group, judged); cases > 0) {
      found.parts.push_back({cases, group.rule, group.says, group.common.text()});
      found.looked_at += cases;
    }
  std::stable_sort(found.parts.begin(), found.parts.end(),
                   [](const auto& a, const auto& b) { return a.cases > b.cases; });
}

}  // namespace

std::optional<FindingDiagnoses> diagnose(const Campaign& campaign, const CampaignOptions& options,
                                         const CaseSource& source, backends::Backend& backend,
                                         const std::atomic<bool>& stop) {
  const std::map<FindingKey, Finding> findings = campaign.findings.list();
  const std::set<std::size_t> operators = operators_of(findings);
  if (operators.empty()) return FindingDiagnoses{};
  const std::set<std::uint64_t> first = first_cases(findings, options, source, operators);
  std::set<std::uint64_t> all = failing_cases(findings, campaign.done.count(), source, operators);
  all.insert(first.begin(), first.end());
  Looked looked;
  std::vector<running::Job> jobs;
  jobs.reserve(all.size());
  for (const std::uint64_t number : all)
    jobs.push_back({number,
                    &looked.cases.emplace(number, campaign_case(source, number)).first->second,
                    &backend});
  running::run_isolated(
      jobs, options.run,
      [&](const running::Job& job) { return running::run_here(job, options.run.check); },
      [&](const running::Job& job, running::JobOutcome outcome) {
        if (outcome.result) looked.results.emplace(job.number, *std::move(outcome.result));
      },
      stop);
  if (stop) return std::nullopt;

  const std::vector<diagnosis::Judged> of_first =
      looked.judged([&](std::uint64_t number) { return first.contains(number); });
  std::vector<diagnosis::Group> first_groups = diagnosis::group(of_first);
  diagnosis::describe(of_first, first_groups);
  const std::vector<diagnosis::Judged> of_all = looked.judged([](std::uint64_t) { return true; });
  std::vector<diagnosis::Group> groups = diagnosis::group(of_all);
  diagnosis::describe(of_all, groups);
  FindingDiagnoses diagnoses;
  for (const auto& [key, finding] : findings) {
    const auto largest = std::find_if(first_groups.begin(), first_groups.end(),
                                      [&, &own = key](const diagnosis::Group& one) {
                                        return count_like(own, one, of_first) > 0;
                                      });
    if (largest == first_groups.end()) continue;
    FindingDiagnosis& found = diagnoses[key];
    found.group = *largest;
    add_parts(key, groups, of_all, found);
  }
  return diagnoses;
}

}  // namespace opconform::campaigns
