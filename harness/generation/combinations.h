// t-way combinations: every choice of t factors with every choice of their values. A bit each, so
// that what many workers have seen is the union of their bits, whatever the order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string_view>

#include "harness/generation/factors.h"

namespace opconform::generation {

/// What a set of bits comes to.
struct CombinationCount {
  std::uint64_t feasible = 0;
  std::uint64_t covered = 0;
  std::map<std::string_view, std::uint64_t> infeasible;  ///< by the rule that forbids them
};

/// The combinations of one strength of one operator's factors. Bits are numbered by the factors in
/// lexicographic order, then by their values, the last factor fastest.
class CombinationSpace {
 public:
  /// Counting more takes minutes and much memory.
  static constexpr std::size_t kMostStrength = 5;

  /// `model` must outlive this. Strength is at least 1, and at most kMostStrength and the number of
  /// factors; std::out_of_range otherwise.
  CombinationSpace(const FactorModel& model, std::size_t strength);

  [[nodiscard]] const FactorModel& model() const { return *model_; }
  [[nodiscard]] std::size_t strength() const { return strength_; }
  [[nodiscard]] std::uint64_t bit_count() const { return bit_count_; }
  [[nodiscard]] std::size_t word_count() const {
    return static_cast<std::size_t>((bit_count_ + 63) / 64);
  }

  /// Sets the bits of all combinations that a complete assignment contains.
  void mark(const Assignment& assignment, std::span<std::uint64_t> words) const;

  [[nodiscard]] CombinationCount count(std::span<const std::uint64_t> words) const;
  /// Calls `visit` with each feasible combination whose bit is not set, in the order of the bits.
  void for_each_missing(std::span<const std::uint64_t> words,
                        const std::function<void(const Assignment&)>& visit) const;
  /// The bits of a smaller strength that follow from these: a combination has occurred where one
  /// that contains it has.
  void project(std::span<const std::uint64_t> words, const CombinationSpace& smaller,
               std::span<std::uint64_t> smaller_words) const;

 private:
  // visit(combination, bit) for every combination that is feasible or whose bit is set; and
  // infeasible(rule, how many) for the rest.
  template <class Visit, class Infeasible>
  void walk(std::span<const std::uint64_t> words, Visit&& visit, Infeasible&& infeasible) const;

  const FactorModel* model_;
  std::size_t strength_;
  std::uint64_t bit_count_ = 0;
};

}  // namespace opconform::generation
