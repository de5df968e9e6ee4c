// Factors: the questions whose answers, in combination, make up what a suite can miss. Each
// operator's generator declares its factors, their values, and which values cannot occur together,
// with the rule that forbids it. From that come random draws, covering arrays and the count of
// combinations alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generation/draws.h"

namespace opconform::generation {

struct Factor {
  std::string_view name;
  std::vector<std::string> values;  ///< at most 32
};

inline constexpr std::size_t kMaxFactors = 20;

/// One value a factor, or none yet.
class Assignment {
 public:
  static constexpr std::int8_t kNone = -1;
  Assignment() { values_.fill(kNone); }
  [[nodiscard]] bool has(std::size_t factor) const { return values_[factor] != kNone; }
  [[nodiscard]] std::size_t operator[](std::size_t factor) const {
    return static_cast<std::size_t>(values_[factor]);
  }
  void set(std::size_t factor, std::size_t value) {
    values_[factor] = static_cast<std::int8_t>(value);
  }
  friend bool operator==(const Assignment&, const Assignment&) = default;

 private:
  std::array<std::int8_t, kMaxFactors> values_;
};

class FactorModel {
 public:
  /// Adds a factor and returns its number. Factors are drawn in the order in which they are added.
  std::size_t add(std::string_view name, std::vector<std::string> values);
  /// Every second draw of the factor gives this value, where it goes.
  void prefer(std::size_t factor, std::size_t value);
  /// The factor's last value may stand for any larger number as well.
  void leave_open(std::size_t factor) { open_ended_.push_back(factor); }
  /// For large cases: mostly the last value of each such factor that has none yet, where it goes.
  void prefer_large(Assignment& partial, Draws& draws) const;
  /// The value cannot occur; `rule` says why.
  void forbid(std::size_t factor, std::size_t value, std::string_view rule);
  /// The two values cannot occur together.
  void forbid(std::size_t a, std::size_t a_value, std::size_t b, std::size_t b_value,
              std::string_view rule);
  /// Calls forbid() for each pair of values for which `allowed(a_value, b_value)` is false.
  template <class Allowed>
  void constrain(std::size_t a, std::size_t b, std::string_view rule, Allowed&& allowed) {
    for (std::size_t x = 0; x < factors_[a].values.size(); ++x)
      for (std::size_t y = 0; y < factors_[b].values.size(); ++y)
        if (!allowed(x, y)) forbid(a, x, b, y, rule);
  }

  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }
  /// Bit v: value v of the factor goes together with everything assigned so far.
  [[nodiscard]] std::uint32_t allowed(std::size_t factor, const Assignment& assignment) const;
  /// Can the assignment be completed?
  [[nodiscard]] bool is_feasible(const Assignment& partial) const;
  /// Which rule forbids the assignment; empty where it is feasible.
  [[nodiscard]] std::string_view forbidding_rule(const Assignment& partial) const;

  /// Completes the assignment, each value drawn from those that still go. It must be feasible, or
  /// std::logic_error is thrown.
  void complete(Assignment& assignment, Draws& draws) const;

 private:
  struct Exclusion {
    std::size_t a;
    std::size_t a_value;
    std::size_t b;  // == a where the value cannot occur at all
    std::size_t b_value;
    std::string_view rule;
  };
  struct Neighbour {
    std::size_t factor;
    std::array<std::uint32_t, 32>
        masks;  // by the neighbour's value: the values of this factor that go with it
  };
  Neighbour& neighbour(std::size_t factor, std::size_t other);
  bool search(Assignment& partial) const;

  std::vector<Factor> factors_;
  std::vector<std::uint32_t> possible_;   // by factor
  std::vector<std::uint32_t> preferred_;  // by factor, likewise as bits
  std::vector<std::size_t> open_ended_;
  std::vector<std::vector<Neighbour>> neighbours_;  // by factor
  std::vector<Exclusion> exclusions_;
};

}  // namespace opconform::generation
