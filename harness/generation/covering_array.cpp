#include "harness/generation/covering_array.h"

#include <algorithm>
#include <array>
#include <bit>

#include "harness/generation/combinations.h"

namespace opconform::generation {
namespace {

/// Assignments that are tried for each one that is taken.
constexpr int kAttempts = 40;

/// The triples that are still wanted, as bits numbered like those of CombinationSpace.
class WantedTriples {
 public:
  WantedTriples(const FactorModel& model, std::span<const Assignment> present)
      : model_(model), space_(model, 3), wanted_(space_.word_count()) {
    std::vector<std::uint64_t> held(space_.word_count());
    for (const Assignment& assignment : present) space_.mark(assignment, held);
    number_sets();
    space_.for_each_missing(held, [&](const Assignment& triple) {
      list_.push_back(triple);
      set(bit_of(triple));
    });
  }

  /// Any of those wanted, or null where none is left.
  const Assignment* any(Draws& draws) {
    while (!list_.empty()) {
      std::swap(list_[draws.below(list_.size())], list_.back());
      if (is_wanted(bit_of(list_.back()))) return &list_.back();
      list_.pop_back();
    }
    return nullptr;
  }

  /// How many wanted triples the value adds, of those with two factors that have a value.
  [[nodiscard]] std::size_t gain(const Assignment& partial, std::span<const std::size_t> assigned,
                                 std::size_t factor, std::size_t value) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < assigned.size(); ++i)
      for (std::size_t j = i + 1; j < assigned.size(); ++j) {
        const std::size_t a = assigned[i];
        const std::size_t b = assigned[j];
        count += is_wanted(bit({{{a, partial[a]}, {b, partial[b]}, {factor, value}}})) ? 1U : 0U;
      }
    return count;
  }

  void take(const Assignment& assignment) {
    std::vector<std::uint64_t> held(space_.word_count());
    space_.mark(assignment, held);
    for (std::size_t i = 0; i < held.size(); ++i) wanted_[i] &= ~held[i];
  }

 private:
  struct Value {
    std::size_t factor;
    std::size_t value;
  };

  void number_sets() {
    const std::vector<Factor>& factors = model_.factors();
    std::uint64_t first = 0;
    for (std::size_t a = 0; a < factors.size(); ++a)
      for (std::size_t b = a + 1; b < factors.size(); ++b)
        for (std::size_t c = b + 1; c < factors.size(); ++c) {
          first_[a][b][c] = first;
          first += factors[a].values.size() * factors[b].values.size() * factors[c].values.size();
        }
  }
  [[nodiscard]] std::uint64_t bit(std::array<Value, 3> triple) const {
    if (triple[1].factor < triple[0].factor) std::swap(triple[0], triple[1]);
    if (triple[2].factor < triple[1].factor) std::swap(triple[1], triple[2]);
    if (triple[1].factor < triple[0].factor) std::swap(triple[0], triple[1]);
    const auto& [a, b, c] = triple;
    const std::vector<Factor>& factors = model_.factors();
    return first_[a.factor][b.factor][c.factor] +
           (a.value * factors[b.factor].values.size() + b.value) * factors[c.factor].values.size() +
           c.value;
  }
  [[nodiscard]] std::uint64_t bit_of(const Assignment& triple) const {
    std::array<Value, 3> values{};
    std::size_t count = 0;
    for (std::size_t factor = 0; factor < model_.factors().size(); ++factor)
      if (triple.has(factor)) values[count++] = {factor, triple[factor]};
    return bit(values);
  }
  [[nodiscard]] bool is_wanted(std::uint64_t bit) const {
    return (wanted_[bit / 64] >> bit % 64 & 1) != 0;
  }
  void set(std::uint64_t bit) { wanted_[bit / 64] |= std::uint64_t{1} << bit % 64; }

  using Table = std::array<std::uint64_t, kMaxFactors>;
  const FactorModel& model_;
  CombinationSpace space_;
  std::vector<std::uint64_t> wanted_;
  std::vector<Assignment> list_;  // all that are wanted, and some that no longer are
  std::array<std::array<Table, kMaxFactors>, kMaxFactors> first_{};
};

/// Completes a triple value by value, each the one that adds most; the factors in any order.
std::size_t complete_greedily(const FactorModel& model, const WantedTriples& wanted, Draws& draws,
                              Assignment& assignment) {
  std::vector<std::size_t> assigned;
  std::vector<std::size_t> open;
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor)
    (assignment.has(factor) ? assigned : open).push_back(factor);
  std::size_t total = 1;
  while (!open.empty()) {
    const std::size_t at = draws.below(open.size());
    const std::size_t factor = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<std::pair<std::size_t, std::size_t>> ranked;  // gain and value
    for (std::uint32_t mask = model.allowed(factor, assignment); mask != 0; mask &= mask - 1) {
      const auto value = static_cast<std::size_t>(std::countr_zero(mask));
      ranked.emplace_back(wanted.gain(assignment, assigned, factor, value), value);
    }
    // Among equals any: always the first would make all cases alike.
    for (std::size_t i = ranked.size(); i > 1; --i)
      std::swap(ranked[i - 1], ranked[draws.below(i)]);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [gain, value] : ranked) {
      assignment.set(factor, value);
      if (!model.is_feasible(assignment)) continue;
      total += gain;
      break;
    }
    assigned.push_back(factor);
  }
  return total;
}

}  // namespace

std::vector<Assignment> cover_triples(const FactorModel& model, std::span<const Assignment> present,
                                      std::uint64_t seed) {
  WantedTriples wanted(model, present);
  RandomDraws draws(seed);
  std::vector<Assignment> result;
  while (wanted.any(draws) != nullptr) {
    Assignment best;
    std::size_t most = 0;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      Assignment assignment = *wanted.any(draws);
      const std::size_t gain = complete_greedily(model, wanted, draws, assignment);
      if (gain <= most) continue;
      most = gain;
      best = assignment;
    }
    wanted.take(best);
    result.push_back(best);
  }
  return result;
}

}  // namespace opconform::generation
