#include "harness/generation/combinations.h"

#include <array>
#include <stdexcept>

namespace opconform::generation {
namespace {

/// Goes through the choices of `strength` factors in lexicographic order. visit(factors, first bit,
/// number of bits).
template <class Visit>
void for_each_factor_set(const FactorModel& model, std::size_t strength, Visit&& visit) {
  std::array<std::size_t, CombinationSpace::kMostStrength> set{};
  for (std::size_t i = 0; i < strength; ++i) set[i] = i;
  const std::size_t count = model.factors().size();
  std::uint64_t first = 0;
  while (true) {
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < strength; ++i) size *= model.factors()[set[i]].values.size();
    visit(std::span<const std::size_t>(set.data(), strength), first, size);
    first += size;
    std::size_t i = strength;
    while (i > 0 && set[i - 1] == count - strength + i - 1) --i;
    if (i == 0) return;
    ++set[i - 1];
    for (; i < strength; ++i) set[i] = set[i - 1] + 1;
  }
}

bool is_set(std::span<const std::uint64_t> words, std::uint64_t bit) {
  return (words[bit / 64] >> bit % 64 & 1) != 0;
}
void set(std::span<std::uint64_t> words, std::uint64_t bit) {
  words[bit / 64] |= std::uint64_t{1} << bit % 64;
}

/// An assignment with the number of values beside each, for the loop that runs for every case.
struct Values {
  std::size_t count;
  std::array<std::uint64_t, kMaxFactors> value;
  std::array<std::uint64_t, kMaxFactors> radix;
};

/// Marks all sets of `Left` more factors, in the order of the bits: nothing needs to be looked up.
template <std::size_t Left>
void mark_sets(const Values& values, std::size_t from, std::uint64_t number, std::uint64_t product,
               std::uint64_t& first, std::span<std::uint64_t> words) {
  for (std::size_t i = from; i + Left <= values.count; ++i) {
    const std::uint64_t next = number * values.radix[i] + values.value[i];
    const std::uint64_t size = product * values.radix[i];
    if constexpr (Left == 1) {
      set(words, first + next);
      first += size;
    } else {
      mark_sets<Left - 1>(values, i + 1, next, size, first, words);
    }
  }
}

}  // namespace

CombinationSpace::CombinationSpace(const FactorModel& model, std::size_t strength)
    : model_(&model), strength_(strength) {
  if (strength < 1 || strength > kMostStrength || strength > model.factors().size())
    throw std::out_of_range("CombinationSpace: strength");
  for_each_factor_set(
      model, strength,
      [&](auto /*set*/, std::uint64_t /*first*/, std::uint64_t size) { bit_count_ += size; });
}

void CombinationSpace::mark(const Assignment& assignment, std::span<std::uint64_t> words) const {
  Values values{model_->factors().size(), {}, {}};
  for (std::size_t i = 0; i < values.count; ++i) {
    values.value[i] = assignment[i];
    values.radix[i] = model_->factors()[i].values.size();
  }
  static constexpr auto kMark = []<std::size_t... T>(std::index_sequence<T...>) {
    return std::array{mark_sets<T + 1>...};
  }
  (std::make_index_sequence<kMostStrength>());
  std::uint64_t first = 0;
  kMark[strength_ - 1](values, 0, 0, 1, first, words);
}

template <class Visit, class Infeasible>
void CombinationSpace::walk(std::span<const std::uint64_t> words, Visit&& visit,
                            Infeasible&& infeasible) const {
  for_each_factor_set(
      *model_, strength_,
      [&](std::span<const std::size_t> factors, std::uint64_t first, std::uint64_t size) {
        // A prefix that is infeasible rules out all that begin with it.
        const auto extend = [&](const auto& self, const Assignment& prefix, std::size_t depth,
                                std::uint64_t at, std::uint64_t below) -> void {
          if (depth == factors.size()) return visit(prefix, at);
          const std::size_t count = model_->factors()[factors[depth]].values.size();
          below /= count;
          for (std::size_t value = 0; value < count; ++value) {
            const std::uint64_t begin = at + value * below;
            Assignment next = prefix;
            next.set(factors[depth], value);
            const bool occurred = below == 1 && is_set(words, begin);
            if (occurred || model_->is_feasible(next))
              self(self, next, depth + 1, begin, below);
            else
              infeasible(model_->forbidding_rule(next), below);
          }
        };
        extend(extend, Assignment(), 0, first, size);
      });
}

CombinationCount CombinationSpace::count(std::span<const std::uint64_t> words) const {
  CombinationCount result;
  walk(
      words,
      [&](const Assignment& /*combination*/, std::uint64_t bit) {
        ++result.feasible;
        if (is_set(words, bit)) ++result.covered;
      },
      [&](std::string_view rule, std::uint64_t number) { result.infeasible[rule] += number; });
  return result;
}

void CombinationSpace::for_each_missing(std::span<const std::uint64_t> words,
                                        const std::function<void(const Assignment&)>& visit) const {
  walk(
      words,
      [&](const Assignment& combination, std::uint64_t bit) {
        if (!is_set(words, bit)) visit(combination);
      },
      [](std::string_view /*rule*/, std::uint64_t /*number*/) {});
}

void CombinationSpace::project(std::span<const std::uint64_t> words,
                               const CombinationSpace& smaller,
                               std::span<std::uint64_t> smaller_words) const {
  // The first bit of each smaller set, in lexicographic order.
  std::map<std::vector<std::size_t>, std::uint64_t> places;
  for_each_factor_set(
      *model_, smaller.strength_,
      [&](std::span<const std::size_t> factors, std::uint64_t first, std::uint64_t /*size*/) {
        places[{factors.begin(), factors.end()}] = first;
      });
  for_each_factor_set(
      *model_, strength_,
      [&](std::span<const std::size_t> factors, std::uint64_t first, std::uint64_t size) {
        // Which of these factors make up each smaller set within them.
        for (std::uint32_t mask = 0; mask < std::uint32_t{1} << strength_; ++mask) {
          std::vector<std::size_t> kept;
          for (std::size_t i = 0; i < strength_; ++i)
            if ((mask >> i & 1) != 0) kept.push_back(factors[i]);
          if (kept.size() != smaller.strength_) continue;
          const std::uint64_t place = places.at(kept);
          for (std::uint64_t number = 0; number < size; ++number) {
            if (!is_set(words, first + number)) continue;
            std::uint64_t rest = number;
            std::uint64_t index = 0;
            std::uint64_t scale = 1;
            for (std::size_t i = strength_; i-- > 0;) {
              const std::uint64_t radix = model_->factors()[factors[i]].values.size();
              if ((mask >> i & 1) != 0) {
                index += rest % radix * scale;
                scale *= radix;
              }
              rest /= radix;
            }
            set(smaller_words, place + index);
          }
        }
      });
}

}  // namespace opconform::generation
