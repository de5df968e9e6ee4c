#include "harness/diagnosis/groups.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "harness/diagnosis/failed_outputs.h"
#include "harness/diagnosis/verdicts.h"
#include "spec/validate.h"

namespace opconform::diagnosis {
namespace {

using judging::Verdict;

/// Passing cases that are looked at for one explanation: enough to tell an explanation from
/// another, and few enough to take no time.
constexpr std::size_t kMostProbes = 60;
/// Of one operator, that may name a reading by themselves: one or two fit many.
constexpr std::size_t kLeastHints = 3;
/// Groups that are described: who has more mistakes than that begins with these.
constexpr std::size_t kMostDescribed = 20;

/// One backend's results.
class Grouping {
 public:
  explicit Grouping(std::span<const Judged> judged) : judged_(judged) {}

  std::vector<Group> run() {
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const judging::CaseResult& result = *judged_[i].result;
      if (result.verdict == Verdict::kPass) passing_[judged_[i].tested->op.index()].push_back(i);
      if (judging::is_nonconformance(result.verdict)) take(i);
    }
    doubt_errors();
    while (add_most_explained()) {
    }
    for (const std::size_t i : open_) add_by_outcome(i);
    for (std::size_t op = 0; op < std::variant_size_v<Operator>; ++op) add_hints_alone(op);
    for (const std::size_t i : hints_) add_by_outcome(i);
    for (Group& group : groups_) finish(group);
    std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
      return a.members.size() > b.members.size();
    });
    return std::move(groups_);
  }

 private:
  void take(std::size_t i) {
    const judging::CaseResult& result = *judged_[i].result;
    const auto& names = result.explained_by;
    if (is_hint(result)) return hints_.push_back(i);
    const bool is_case_wrong = !names.empty() && names.front() == kAsDocumented;
    if ((says_rule(result) && !is_case_wrong) || names.empty())
      add_by_outcome(i);
    else
      open_.push_back(i);
  }

  void add_by_outcome(std::size_t i) {
    const judging::CaseResult& result = *judged_[i].result;
    // One rule of all operators' is one group, as is what threads share; where nothing names a
    // rule, each operator is its own.
    const bool is_of_all = !result.rule.empty() || needs_others(result);
    const std::size_t op = is_of_all ? 0 : judged_[i].tested->op.index();
    // What is accepted, and what is rejected without naming the rule, do not see the same.
    const std::string says = says_of(result, *judged_[i].tested);
    const bool says_all = !says.empty() && !needs_others(result);
    const auto [place, is_new] = by_outcome_.try_emplace(
        {op, says_all ? Verdict::kPass : result.verdict, says, result.rule}, groups_.size());
    if (is_new) {
      Group& group = groups_.emplace_back();
      group.verdict = result.verdict;
      group.says = says;
      group.rule = result.rule;
    }
    groups_[place->second].members.push_back(i);
  }

  /// An error tells one bit: many explanations come to it by chance. What explains errors alone
  /// must explain nearly all of the operator's, and no pass may contradict it.
  void doubt_errors() {
    std::map<std::size_t, std::size_t> errors;  // by operator
    std::map<Explained, std::vector<std::size_t>> explained;
    std::set<Explained> shown_otherwise;
    for (const std::size_t i : open_) {
      const bool is_error = judged_[i].result->verdict == Verdict::kWrongError;
      const std::size_t op = judged_[i].tested->op.index();
      errors[op] += is_error ? 1 : 0;
      for (const std::string& name : judged_[i].result->explained_by)
        if (is_error && name != kAsDocumented && name != kNotAsPromised)
          explained[{op, name}].push_back(i);
        else
          shown_otherwise.emplace(op, name);
    }
    for (const auto& [one, members] : explained)
      if (!shown_otherwise.contains(one) &&
          (10 * members.size() < 9 * errors[one.first] ||
           is_refuted(contradictions(one.second, members), members.size())))
        doubted_.insert(one);
    const auto is_unexplained = [&](std::size_t i) {
      const auto& names = judged_[i].result->explained_by;
      return std::none_of(names.begin(), names.end(),
                          [&](const std::string& name) { return is_believed(name, i); });
    };
    const auto explained_end =
        std::stable_partition(open_.begin(), open_.end(), std::not_fn(is_unexplained));
    for (auto i = explained_end; i != open_.end(); ++i) add_by_outcome(*i);
    open_.erase(explained_end, open_.end());
  }
  [[nodiscard]] bool is_believed(std::string_view name, std::size_t i) const {
    return judged_[i].result->verdict != Verdict::kWrongError ||
           !doubted_.contains({judged_[i].tested->op.index(), std::string(name)});
  }

  using Candidates = std::vector<std::pair<std::string_view, std::vector<std::size_t>>>;

  /// What explains open failures, and which: in the order in which it was found, so that what says
  /// more comes first.
  [[nodiscard]] Candidates candidates(bool readings) const {
    Candidates all;
    for (const std::size_t i : open_)
      for (const std::string& name : judged_[i].result->explained_by) {
        if ((find_reading(name, judged_[i].tested->op) != nullptr) != readings) continue;
        if (!is_believed(name, i)) continue;
        auto place = std::find_if(all.begin(), all.end(),
                                  [&](const auto& one) { return one.first == name; });
        if (place == all.end()) place = all.insert(all.end(), {std::string_view(name), {}});
        place->second.push_back(i);
      }
    return all;
  }

  /// Who does what passes contradict fails in another way: of the candidates that explain at least
  /// half as much as any, what nothing contradicts comes first, then what explains most.
  /// What far more passes contradict than failures show is none.
  Group best_of(Candidates all) {
    Group best;
    while (best.members.empty() && !all.empty()) {
      std::size_t most = 0;
      for (const auto& [name, members] : all) most = std::max(most, members.size());
      const auto looked_at = [&](const auto& one) { return 2 * one.second.size() >= most; };
      for (const auto& [name, members] : all) {
        if (2 * members.size() < most) continue;
        Group candidate;
        candidate.explanation = name;
        candidate.members = members;
        candidate.contradicted = contradictions(name, members);
        if (candidate.contradicted > 3 * members.size()) continue;
        if (best.members.empty() || is_better(candidate, best)) best = std::move(candidate);
      }
      std::erase_if(all, looked_at);
    }
    return best;
  }
  [[nodiscard]] bool is_better(const Group& a, const Group& b) const {
    if ((a.contradicted == 0) != (b.contradicted == 0)) return a.contradicted == 0;
    if (a.members.size() != b.members.size()) return a.members.size() > b.members.size();
    if (a.contradicted != b.contradicted) return a.contradicted < b.contradicted;
    return hints_of(a.explanation) > hints_of(b.explanation);
  }
  [[nodiscard]] std::size_t hints_of(std::string_view explanation) const {
    return static_cast<std::size_t>(std::count_if(hints_.begin(), hints_.end(), [&](std::size_t i) {
      return is_explained_by(*judged_[i].result, explanation);
    }));
  }

  /// Do more passes contradict it than where it is true of some versions or types alone?
  static bool is_refuted(std::size_t contradicted, std::size_t explained) {
    return contradicted > 3 && 20 * contradicted > explained;
  }

  /// A reading says more than an outcome. But where an outcome is seen in more than twice as many
  /// failures of the same operators, or many passes contradict the reading, that fits some of them
  /// by chance. Nothing comes to leave elements unwritten by chance: twice as many are enough.
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
      const bool fits_better = is_refuted(best.contradicted, explained)
                                   ? 2 * of_operators > explained
                                   : of_operators + (name == kUnwritten ? 1 : 0) > 2 * explained &&
                                         members.size() > best.members.size();
      if (!fits_better) continue;
      best = {};
      best.explanation = name;
      best.members = std::move(members);
    }
    if (best.members.empty()) return false;
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
    // An error that is kept: the rule is the one that it names.
    if (group.explanation == kEarlierInputs && !first.result->rule.empty())
      group.rule = first.result->rule;
    std::vector<std::size_t> left;
    std::set_difference(open_.begin(), open_.end(), group.members.begin(), group.members.end(),
                        std::back_inserter(left));
    open_ = std::move(left);
    add_hints(group);
    groups_.push_back(std::move(group));
  }
  /// Behind the members that show it by themselves.
  void add_hints(Group& group) {
    if (is_refuted(group.contradicted, group.members.size())) return;
    const auto others = std::stable_partition(hints_.begin(), hints_.end(), [&](std::size_t i) {
      return is_explained_by(*judged_[i].result, group.explanation);
    });
    group.members.insert(group.members.end(), hints_.begin(), others);
    hints_.erase(hints_.begin(), others);
  }

  /// Hints that nothing else shows tell little, as errors do: what explains them must explain
  /// nearly all of the operator's, and no pass may contradict it.
  void add_hints_alone(std::size_t op) {
    std::size_t hints = 0;
    std::map<std::string, std::vector<std::size_t>> explained;
    for (const std::size_t i : hints_) {
      if (judged_[i].tested->op.index() != op) continue;
      ++hints;
      for (const std::string& name : judged_[i].result->explained_by) explained[name].push_back(i);
    }
    Group best;
    for (auto& [name, members] : explained) {
      if (members.size() < kLeastHints || 10 * members.size() < 9 * hints) continue;
      Group candidate;
      candidate.explanation = name;
      candidate.contradicted = contradictions(name, members);
      candidate.members = std::move(members);
      if (is_refuted(candidate.contradicted, candidate.members.size())) continue;
      if (best.members.empty() || is_better(candidate, best)) best = std::move(candidate);
    }
    if (best.members.empty()) return;
    std::erase_if(hints_, [&](std::size_t i) {
      return std::binary_search(best.members.begin(), best.members.end(), i);
    });
    add(std::move(best));
  }

  /// The less, the more it tells: of the operator whose rule is named, no hint, with outputs that
  /// are not empty, and small.
  [[nodiscard]] std::tuple<bool, bool, bool, std::uint64_t> how_telling(const Group& group,
                                                                        std::size_t member) const {
    const Operator& op = judged_[member].tested->op;
    bool has_empty_output = false;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      has_empty_output = has_empty_output || (tensor.field.access == Access::kOutput &&
                                              element_count(tensor.desc.sizes) == 0U);
    });
    return {op.index() != judged_[group.members.front()].tested->op.index(),
            is_hint(*judged_[member].result), has_empty_output, total_elements(op)};
  }

  /// What rejects, and only names the wrong rules, sees more than what does not reject.
  [[nodiscard]] std::string says_of_names(const Group& group) const {
    const Judged& first = judged_[group.members.front()];
    const bool is_error = is_valid(first.tested->op, first.tested->version);
    return std::string(is_error ? "fails" : "rejects") + " rightly, but " +
           (misses_rule(*first.result, *first.tested) ? "does not name this rule, which is broken"
                                                      : "names this rule, which is not broken");
  }

  void finish(Group& group) const {
    const auto only_names = [&](std::size_t i) {
      const judging::CaseResult& result = *judged_[i].result;
      return result.verdict == Verdict::kOtherRule && !needs_others(result);
    };
    if (group.explanation.empty() &&
        std::all_of(group.members.begin(), group.members.end(), only_names))
      group.says = says_of_names(group);
    group.backend = judged_[group.members.front()].result->backend;
    group.example = *std::min_element(group.members.begin(), group.members.end(),
                                      [&](std::size_t a, std::size_t b) {
                                        return how_telling(group, a) < how_telling(group, b);
                                      });
    // What a case shows says nothing of what threads share.
    if (!group.rule.empty() || needs_others(*judged_[group.example].result)) return;
    group.rules_shown = judged_[group.members.front()].tested->rules;
    for (const std::size_t i : group.members)
      std::erase_if(group.rules_shown, [&](const std::string& rule) {
        const std::vector<std::string>& shown = judged_[i].tested->rules;
        return std::find(shown.begin(), shown.end(), rule) == shown.end();
      });
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

  using Explained = std::pair<std::size_t, std::string>;  ///< an operator, and by what

  std::span<const Judged> judged_;
  std::vector<Group> groups_;
  std::set<Explained> doubted_;  // of errors
  std::vector<std::size_t> open_;
  std::vector<std::size_t> hints_;  // that no group has taken yet
  std::map<std::size_t, std::vector<std::size_t>> passing_;
  std::map<std::tuple<std::size_t, Verdict, std::string, std::string>, std::size_t> by_outcome_;
};

}  // namespace

std::vector<Group> group(std::span<const Judged> judged) {
  std::vector<std::string_view> names;
  std::map<std::string_view, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const std::string& name = judged[i].result->backend;
    if (places[name].empty()) names.emplace_back(name);
    places[name].push_back(i);
  }
  std::vector<Group> all;
  for (const std::string_view name : names) {
    std::vector<Judged> own;
    for (const std::size_t i : places[name]) own.push_back(judged[i]);
    for (Group& group : Grouping(own).run()) {
      for (std::size_t& member : group.members) member = places[name][member];
      group.example = places[name][group.example];
      all.push_back(std::move(group));
    }
  }
  return all;
}

void describe(std::span<const Judged> judged, std::vector<Group>& groups) {
  std::map<const cases::Case*, Traits> traits;  // of a case once, whatever the number of backends
  const auto traits_at = [&](std::size_t i) {
    const auto [place, is_new] = traits.try_emplace(judged[i].tested);
    if (is_new) place->second = traits_of(*judged[i].tested);
    return &place->second;
  };
  std::map<std::string_view, std::vector<const Traits*>> passing;  // by backend
  for (const Group& group : groups) passing[group.backend];
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const auto of_backend = passing.find(judged[i].result->backend);
    if (of_backend != passing.end() && judged[i].result->verdict == Verdict::kPass)
      of_backend->second.push_back(traits_at(i));
  }
  for (std::size_t i = 0; i < std::min(groups.size(), kMostDescribed); ++i) {
    if (needs_others(*judged[groups[i].example].result)) continue;  // most passes had none
    std::vector<const Traits*> failing;
    for (const std::size_t member : groups[i].members) failing.push_back(traits_at(member));
    Description common = describe_common(failing, passing[groups[i].backend]);
    // Where most of those that it holds for pass, it would mislead.
    if (common.passing <= common.failing) groups[i].common = std::move(common);
  }
}

void name_rule(std::string_view explanation, const cases::Case& tested,
               judging::CaseResult& result) {
  const bool explains = is_explained_by(result, explanation);
  if (explanation.empty() || explanation == kAsDocumented ||
      (says_rule(result) && !(is_hint(result) && explains)))
    return;
  const std::optional<Breach> what = explains ? breach(explanation, tested.op) : std::nullopt;
  result.rule = what ? what->rule : "";
}

}  // namespace opconform::diagnosis
