#include "harness/diagnosis/groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace opconform::diagnosis {
namespace {

using judging::Verdict;

/// Passing cases that are looked at for one explanation: enough to tell an explanation from
/// another, and few enough to take no time.
constexpr std::size_t kMostProbes = 60;

/// Does the verdict itself say what was broken?
bool says_rule(const judging::CaseResult& result) {
  switch (result.verdict) {
    case Verdict::kMismatch:
    case Verdict::kMissedError:
    case Verdict::kWrongError:
      return false;
    default:
      return true;
  }
}

std::string says_of(const judging::CaseResult& result) {
  switch (result.verdict) {
    case Verdict::kMissedRejection:
      return "accepts what breaks the rule";
    case Verdict::kWrongRejection:
      return "refuses what breaks no rule";
    case Verdict::kOtherRule:
      return "names another rule";
    case Verdict::kCrash:
      return "ends the process";
    case Verdict::kTimeout:
      return "does not come back in time";
    case Verdict::kMissedError:
      return "gives no error";
    case Verdict::kWrongError:
      return "gives an error where a result is due";
    default:
      return "";
  }
}

class Grouping {
 public:
  explicit Grouping(std::span<const Judged> judged) : judged_(judged) {}

  std::vector<Group> run() {
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const judging::CaseResult& result = *judged_[i].result;
      if (result.verdict == Verdict::kPass) passing_[judged_[i].tested->op.index()].push_back(i);
      if (judging::is_nonconformance(result.verdict)) take(i);
    }
    while (add_most_explained()) {
    }
    for (const std::size_t i : open_) add_by_outcome(i);
    std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
      return a.members.size() > b.members.size();
    });
    return std::move(groups_);
  }

 private:
  void take(std::size_t i) {
    const judging::CaseResult& result = *judged_[i].result;
    if (says_rule(result) || result.explained_by.empty())
      add_by_outcome(i);
    else
      open_.push_back(i);
  }

  void add_by_outcome(std::size_t i) {
    const judging::CaseResult& result = *judged_[i].result;
    // One rule of all operators' is one group; where nothing names a rule, each operator is its
    // own.
    const std::size_t op = result.rule.empty() ? judged_[i].tested->op.index() : 0;
    const auto [place, is_new] =
        by_outcome_.try_emplace({op, result.verdict, result.rule}, groups_.size());
    if (is_new) {
      Group& group = groups_.emplace_back();
      group.verdict = result.verdict;
      group.says = says_of(result);
      group.rule = result.rule;
    }
    groups_[place->second].members.push_back(i);
  }

  using Candidates = std::vector<std::pair<std::string_view, std::vector<std::size_t>>>;

  /// What explains open failures, and which: in the order in which it was found, so that what says
  /// more comes first.
  [[nodiscard]] Candidates candidates(bool readings) const {
    Candidates all;
    for (const std::size_t i : open_)
      for (const std::string& name : judged_[i].result->explained_by) {
        if ((find_reading(name, judged_[i].tested->op) != nullptr) != readings) continue;
        auto place = std::find_if(all.begin(), all.end(),
                                  [&](const auto& one) { return one.first == name; });
        if (place == all.end()) place = all.insert(all.end(), {std::string_view(name), {}});
        place->second.push_back(i);
      }
    return all;
  }

  /// Of the candidates that explain most, the one that fewest passes contradict.
  Group best_of(const Candidates& all) {
    std::size_t most = 0;
    for (const auto& [name, members] : all) most = std::max(most, members.size());
    Group best;
    for (const auto& [name, members] : all) {
      if (members.size() < most) continue;
      const std::size_t contradicted = contradictions(name, members);
      if (!best.members.empty() && contradicted >= best.contradicted) continue;
      best.explanation = name;
      best.members = members;
      best.contradicted = contradicted;
    }
    return best;
  }

  /// A reading says more than an outcome. But where an outcome is seen in more than twice as many
  /// failures of the same operators, the reading fits some of them by chance.
  bool add_most_explained() {
    if (open_.empty()) return false;
    Group best = best_of(candidates(true));
    std::set<std::size_t> operators;
    for (const std::size_t i : best.members) operators.insert(judged_[i].tested->op.index());
    const std::size_t explained = best.members.size();
    for (auto& [name, members] : candidates(false)) {
      const auto of_operators = static_cast<std::size_t>(
          std::count_if(members.begin(), members.end(), [&](std::size_t i) {
            return operators.empty() || operators.contains(judged_[i].tested->op.index());
          }));
      if (of_operators <= 2 * explained || members.size() <= best.members.size()) continue;
      best = {};
      best.explanation = name;
      best.members = std::move(members);
    }
    add(std::move(best));
    return true;
  }

  void add(Group group) {
    const Judged& first = judged_[group.members.front()];
    group.verdict = first.result->verdict;
    if (const auto what = breach(group.explanation, first.tested->op)) {
      group.rule = what->rule;
      group.says = what->says;
    }
    std::vector<std::size_t> left;
    std::set_difference(open_.begin(), open_.end(), group.members.begin(), group.members.end(),
                        std::back_inserter(left));
    open_ = std::move(left);
    groups_.push_back(std::move(group));
  }

  /// Cases that passed, though an implementation that does this fails them. Looked at are cases
  /// like those that it explains: of their operators and data types.
  std::size_t contradictions(std::string_view name, const std::vector<std::size_t>& members) {
    std::set<std::pair<std::size_t, DataType>> like;
    for (const std::size_t i : members) like.insert(kind_of(*judged_[i].tested));
    std::size_t count = 0;
    std::set<std::size_t> operators;
    for (const auto& [op, type] : like) operators.insert(op);
    for (const std::size_t op : operators) {
      std::size_t of_operator = 0;
      for (const std::size_t i : passing_[op]) {
        if (!like.contains(kind_of(*judged_[i].tested))) continue;
        if (++of_operator > kMostProbes) break;
        if (contradicts(name, *judged_[i].tested)) ++count;
      }
    }
    return count;
  }
  static std::pair<std::size_t, DataType> kind_of(const cases::Case& one) {
    DataType type{};
    bool is_first = true;
    for_each_tensor(one.op, [&](const NamedTensor& tensor) {
      if (is_first) type = tensor.desc.data_type;
      is_first = false;
    });
    return {one.op.index(), type};
  }

  std::span<const Judged> judged_;
  std::vector<Group> groups_;
  std::vector<std::size_t> open_;
  std::map<std::size_t, std::vector<std::size_t>> passing_;
  std::map<std::tuple<std::size_t, Verdict, std::string>, std::size_t> by_outcome_;
};

}  // namespace

std::vector<Group> group(std::span<const Judged> judged) { return Grouping(judged).run(); }

}  // namespace opconform::diagnosis
