#include "harness/diagnosis/common_denominator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/diagnosis/trait_values.h"
#include "harness/diagnosis/vocabulary.h"

namespace opconform::diagnosis {
namespace {

constexpr std::size_t kMostConditions = 4;  ///< beside the operator
constexpr std::size_t kMostNamed = 3;       ///< values any of which fits
constexpr std::size_t kBeam = 40;           ///< conjunctions that are gone on with
/// A condition is to hold for all failing cases but one in so many; so is a threshold, where it
/// does not hold for all.
constexpr std::size_t kConditionSpares = 3;
constexpr std::size_t kThresholdSpares = 20;

/// A set of cases, by their places.
class CaseSet {
 public:
  explicit CaseSet(std::size_t count) : words_((count + 63) / 64) {}
  static CaseSet all(std::size_t count) {
    CaseSet set(count);
    for (std::size_t i = 0; i < count; ++i) set.add(i);
    return set;
  }
  void add(std::size_t place) { words_[place / 64] |= std::uint64_t{1} << (place % 64); }
  void intersect(const CaseSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  [[nodiscard]] std::size_t count() const { return count_with(*this); }
  [[nodiscard]] std::size_t count_with(const CaseSet& other) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      sum += static_cast<std::size_t>(std::popcount(words_[i] & other.words_[i]));
    return sum;
  }
  friend auto operator<=>(const CaseSet&, const CaseSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// Failing and passing cases.
struct Sides {
  CaseSet failing;
  CaseSet passing;
  friend auto operator<=>(const Sides&, const Sides&) = default;
};

using Cases = std::span<const Traits* const>;

/// One place for each topic and subject, in their order.
std::size_t slot_of(Topic topic, Subject subject) {
  return static_cast<std::size_t>(topic) * subject_count() + subject;
}
std::size_t slot_count() { return kTopicCount * subject_count(); }

/// The conditions that may be tried: those that the failing cases themselves suggest.
class Proposals {
 public:
  explicit Proposals(Cases failing)
      : enough_(failing.size() - failing.size() / kConditionSpares), columns_(slot_count()) {
    for (const Traits* const traits : failing) read(*traits);
  }

  /// Sorted, each once.
  std::vector<Condition> take() {
    for (Column& column : columns_)
      if (column.least.size() >= enough_ && !column.least.empty()) propose(column);
    std::sort(conditions_.begin(), conditions_.end());
    conditions_.erase(std::unique(conditions_.begin(), conditions_.end()), conditions_.end());
    return std::move(conditions_);
  }

 private:
  /// What the failing cases say of one topic and subject.
  struct Column {
    Topic topic{};
    Subject subject{};
    std::vector<std::int64_t> least;  // of each case that says anything
    std::vector<std::int64_t> largest;
    std::map<std::int64_t, std::size_t> counts;  // of values that may be told
  };

  void read(const Traits& traits) {
    const Trait* last = nullptr;
    for (const Trait& one : traits) {
      Column& column = columns_[slot_of(one.topic, one.subject)];
      column.topic = one.topic;
      column.subject = one.subject;
      const bool is_new =
          last == nullptr || last->topic != one.topic || last->subject != one.subject;
      if (is_new) {
        column.least.push_back(one.value);
        column.largest.push_back(one.value);
      } else {
        column.largest.back() = one.value;
      }
      const unsigned sayings = words_of(one.topic).sayings;
      const bool is_small = one.value == 0 || one.value == 1;
      if ((sayings & kSayIs) != 0 || ((sayings & kSaySmall) != 0 && is_small))
        ++column.counts[one.value];
      last = &one;
    }
  }

  void propose(Column& column) {
    const unsigned sayings = words_of(column.topic).sayings;
    const auto may = [&](unsigned which) { return (sayings & which) != 0; };
    const auto add = [&](Relation relation, std::vector<std::int64_t> values) {
      conditions_.push_back({column.topic, column.subject, relation, std::move(values)});
    };
    std::vector<std::int64_t> values;
    for (const auto& [value, count] : column.counts) {
      if (count >= enough_) add(Relation::kIs, {value});
      values.push_back(value);
    }
    if (may(kSayOneOf) && values.size() > 1 && values.size() <= kMostNamed)
      add(Relation::kIs, std::move(values));
    std::sort(column.largest.begin(), column.largest.end());
    std::sort(column.least.begin(), column.least.end(), std::greater<>());
    for (const std::size_t place : {std::size_t{0}, column.least.size() / kThresholdSpares}) {
      const std::int64_t least = column.largest[place];
      const std::int64_t most = column.least[place];
      if (may(kSayAtLeast) && least > 0) add(Relation::kAtLeast, {least});
      if (may(kSayAtMost) || (may(kSayNegative) && most < 0)) add(Relation::kAtMost, {most});
    }
  }

  std::size_t enough_;
  std::vector<Column> columns_;
  std::vector<Condition> conditions_;
};

struct Candidate {
  Condition condition;
  unsigned cost;
  Sides holds;
};

unsigned cost_of(const Condition& condition) {
  // A field's name is plainer than a role, and a range less plain than a value.
  const bool is_role = condition.subject != kNobody && condition.subject <= kFirstInput;
  return words_of(condition.topic).cost + (condition.relation == Relation::kIs ? 0 : 1) +
         (is_role ? 1 : 0) + (condition.subject == kTensors ? 1 : 0) +
         4 * static_cast<unsigned>(condition.values.size() - 1);
}

/// In the order of their conditions.
std::vector<Candidate> candidates_for(Cases failing, Cases passing) {
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::size_t>> by_slot(slot_count());
  for (Condition& condition : Proposals(failing).take()) {
    by_slot[slot_of(condition.topic, condition.subject)].push_back(candidates.size());
    const unsigned cost = cost_of(condition);
    candidates.push_back(
        {std::move(condition), cost, {CaseSet(failing.size()), CaseSet(passing.size())}});
  }
  const auto fill = [&](Cases cases, CaseSet Sides::*side) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const Trait& one : *cases[i])
        for (const std::size_t place : by_slot[slot_of(one.topic, one.subject)])
          if (candidates[place].condition.fits(one.value)) (candidates[place].holds.*side).add(i);
  };
  fill(failing, &Sides::failing);
  fill(passing, &Sides::passing);
  return candidates;
}

class Search {
 public:
  Search(Cases failing, Cases passing)
      : failing_all_(failing.size()),
        passing_all_(passing.size()),
        everything_{CaseSet::all(failing.size()), CaseSet::all(passing.size())} {
    std::vector<Candidate> all = candidates_for(failing, passing);
    take_operator(all);
    keep_plainest(std::move(all));
  }

  [[nodiscard]] Description run() const {
    Partial best{kNone, everything_, score(failing_all_, everything_.passing.count(), 0)};
    std::vector<Partial> beam{best};
    for (std::size_t length = 0; length < kMostConditions && !beam.empty(); ++length) {
      beam = extended(beam, length);
      if (!beam.empty() && beam.front().score > best.score) best = beam.front();
    }
    return described(best);
  }

 private:
  /// Among the candidates, ascending; behind them those that are none.
  using Places = std::array<std::size_t, kMostConditions>;
  static constexpr std::size_t kNoPlace = std::numeric_limits<std::size_t>::max();
  static constexpr Places kNone{kNoPlace, kNoPlace, kNoPlace, kNoPlace};

  struct Partial {
    Places places;
    Sides holds;
    std::int64_t score;
  };
  struct Step {
    std::int64_t score;
    Places places;
    const Partial* from;
    std::size_t by;
  };

  /// Where all failing cases are of one operator, its name comes first, whatever it excludes.
  void take_operator(const std::vector<Candidate>& all) {
    for (const Candidate& one : all) {
      if (one.condition.topic != Topic::kOperator || one.condition.values.size() != 1) continue;
      if (one.holds.failing != everything_.failing) continue;
      operator_ = one.condition;
      everything_.passing = one.holds.passing;
    }
  }

  /// Of candidates that hold for the same cases the plainest, unless it excludes nothing.
  void keep_plainest(std::vector<Candidate> all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    std::set<Sides> known;
    for (Candidate& one : all) {
      one.holds.passing.intersect(everything_.passing);
      const bool spares_many =
          one.holds.failing.count() < failing_all_ - failing_all_ / kConditionSpares;
      if (spares_many || one.holds.passing == everything_.passing) continue;
      if (known.insert(one.holds).second) candidates_.push_back(std::move(one));
    }
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.condition < b.condition; });
  }

  /// How well conditions separate, in millionths, less what their words cost. A failing case that
  /// is left out counts as much as three passing ones that are not.
  [[nodiscard]] std::int64_t score(std::size_t failing, std::size_t passing, unsigned cost) const {
    const std::size_t whole = failing_all_ + 2 * (failing_all_ - failing) + passing;
    const std::size_t part = whole == 0 ? 0 : 1'000'000 * failing / whole;
    return static_cast<std::int64_t>(part) - std::int64_t{1000} * cost;
  }

  /// The best that come of one condition more, the best first.
  [[nodiscard]] std::vector<Partial> extended(const std::vector<Partial>& beam,
                                              std::size_t length) const {
    std::vector<Step> steps;
    for (const Partial& partial : beam) {
      unsigned cost = 0;
      for (std::size_t i = 0; i < length; ++i) cost += candidates_[partial.places[i]].cost;
      const std::size_t passing_before = partial.holds.passing.count();
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Candidate& candidate = candidates_[i];
        const std::size_t passing = candidate.holds.passing.count_with(partial.holds.passing);
        if (passing == passing_before) continue;
        const std::size_t failing = candidate.holds.failing.count_with(partial.holds.failing);
        Places places = partial.places;
        places[length] = i;
        std::sort(places.begin(), places.end());
        steps.push_back({score(failing, passing, cost + candidate.cost), places, &partial, i});
      }
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
      return std::tie(b.score, a.places) < std::tie(a.score, b.places);
    });
    std::vector<Partial> next;
    for (const Step& step : steps) {
      if (next.size() == kBeam) break;
      if (!next.empty() && next.back().places == step.places) continue;  // by another way
      Sides holds = step.from->holds;
      holds.failing.intersect(candidates_[step.by].holds.failing);
      holds.passing.intersect(candidates_[step.by].holds.passing);
      next.push_back({step.places, std::move(holds), step.score});
    }
    return next;
  }

  [[nodiscard]] Description described(const Partial& best) const {
    Description description;
    if (operator_) description.conditions.push_back(operator_->text());
    for (const std::size_t place : best.places)
      if (place != kNoPlace) description.conditions.push_back(candidates_[place].condition.text());
    description.failing = best.holds.failing.count();
    description.failing_all = failing_all_;
    description.passing = best.holds.passing.count();
    description.passing_all = passing_all_;
    return description;
  }

  std::size_t failing_all_;
  std::size_t passing_all_;
  Sides everything_;  // that the operator's name leaves
  std::optional<Condition> operator_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::string Description::text() const {
  std::string text;
  for (const std::string& one : conditions) text += (text.empty() ? "" : ", ") + one;
  return text.empty() ? "all cases" : text;
}

std::string signature_of(const Traits& traits) {
  std::vector<Condition> conditions;
  for (const auto& [topic, subject, value] : traits) {
    const bool is_field = subject > kFirstInput;
    const bool is_unpacked =
        topic == Topic::kShape && value == static_cast<std::int64_t>(Shape::kNotPacked);
    if (topic == Topic::kWidth || (is_unpacked && is_field))
      conditions.push_back({topic, subject, Relation::kIs, {value}});
    if (topic == Topic::kWindowStride && value < 0)
      conditions.push_back({topic, subject, Relation::kAtMost, {-1}});
  }
  conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
  std::string text;
  for (const Condition& one : conditions) text += (text.empty() ? "" : ", ") + one.text();
  return text;
}

Description describe_common(std::span<const Traits* const> failing,
                            std::span<const Traits* const> passing) {
  return Search(failing, passing).run();
}

}  // namespace opconform::diagnosis
