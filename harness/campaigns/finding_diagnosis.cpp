#include "harness/campaigns/finding_diagnosis.h"

#include <algorithm>
#include <functional>
#include <iterator>
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

/// The members of the group that fail as the finding's cases do.
std::vector<std::size_t> members_like(const FindingKey& key, std::span<const std::size_t> members,
                                      std::span<const diagnosis::Judged> judged) {
  std::vector<std::size_t> like;
  std::copy_if(members.begin(), members.end(), std::back_inserter(like), [&](std::size_t i) {
    const judging::CaseResult& result = *judged[i].result;
    return judged[i].tested->op.index() == key.operator_index && result.verdict == key.verdict &&
           result.rule == key.rule;
  });
  return like;
}

/// The diagnosis of each finding is to have its group already.
void add_parts(std::span<const diagnosis::Judged> judged_of_operator, FindingDiagnoses& diagnoses,
               std::size_t op) {
  std::vector<diagnosis::Group> groups = diagnosis::group(judged_of_operator);
  diagnosis::describe(judged_of_operator, groups);
  for (auto& [key, found] : diagnoses) {
    if (key.operator_index != op) continue;
    diagnosis::Group all;
    all.backend = found.group.backend;
    for (const diagnosis::Group& group : groups) {
      const std::vector<std::size_t> like = members_like(key, group.members, judged_of_operator);
      if (like.empty()) continue;
      found.parts.push_back({like.size(), group.rule, group.says, group.common.text()});
      all.members.insert(all.members.end(), like.begin(), like.end());
    }
    std::stable_sort(found.parts.begin(), found.parts.end(),
                     [](const auto& a, const auto& b) { return a.cases > b.cases; });
    found.looked_at = all.members.size();
    std::vector<diagnosis::Group> whole{std::move(all)};
    diagnosis::describe(judged_of_operator, whole);
    found.group.common = std::move(whole.front().common);
  }
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
  for (const std::uint64_t number : all) {
    if (stop) return std::nullopt;  // large ones take their time
    jobs.push_back({number,
                    &looked.cases.emplace(number, campaign_case(source, number)).first->second,
                    &backend});
  }
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
  const std::vector<diagnosis::Group> groups = diagnosis::group(of_first);
  FindingDiagnoses diagnoses;
  for (const auto& [key, finding] : findings) {
    const auto largest =
        std::find_if(groups.begin(), groups.end(), [&, &own = key](const diagnosis::Group& one) {
          return !members_like(own, one.members, of_first).empty();
        });
    if (largest != groups.end()) diagnoses[key].group = *largest;
  }
  for (const std::size_t op : operators)
    add_parts(looked.judged(
                  [&](std::uint64_t number) { return looked.cases.at(number).op.index() == op; }),
              diagnoses, op);
  return diagnoses;
}

}  // namespace opconform::campaigns
