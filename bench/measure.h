// One cell measured: all contenders over the same buffers, round by round.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cell.h"
#include "bench/contender.h"
#include "bench/load.h"
#include "bench/statistics.h"

namespace opconform::bench {

/// A contender's output is not what the oracle's is.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs each contender once and compares its outputs with the oracle's, every byte, those of gaps
/// included: the reference's, or where it does not take part the scalar twin's. Throws Mismatch.
void compare_outputs(std::span<const Contender> contenders, Buffers& buffers);

/// One contender's times of a call. With one thread ratios are made of the processor's, which
/// leaves out what others did meanwhile; with two, only the wall clock sees what the second one
/// saves.
struct Timed {
  std::string name;
  Role role;
  Quartiles ns;  ///< of the processor's time, with two threads of the wall clock's
  double wall_ns;
  std::size_t samples;
};

struct Result {
  std::string name;
  std::string_view family;
  std::string_view op;
  Marks marks;
  Traffic traffic;
  double prepare_ns = 0;
  double processors_of_others = 0;  ///< meanwhile
  std::vector<Timed> times;

  /// Null where no such contender took part.
  [[nodiscard]] const Timed* fastest(Role role) const;
  [[nodiscard]] double ns() const { return fastest(Role::kOptimized)->ns.median; }
  [[nodiscard]] double limit_ns() const { return fastest(Role::kCopy)->ns.median; }
  [[nodiscard]] double over_limit() const { return ns() / limit_ns(); }
  [[nodiscard]] double gb_per_s() const { return static_cast<double>(traffic.bytes()) / ns(); }
  /// Against the best peer; 0 where there is none.
  [[nodiscard]] double gain() const { return gain_of(Role::kOptimized); }
  /// That of ours, planned anew for each call; 0 too where that is not measured.
  [[nodiscard]] double gain_once() const { return gain_of(Role::kOnce); }
  /// That of ours, by a plan that PlanCache finds for each call; 0 where that of gain_once() is.
  [[nodiscard]] double gain_kept() const { return gain_of(Role::kKept); }
  [[nodiscard]] Standing standing() const { return judge(marks, gain(), over_limit()); }

 private:
  [[nodiscard]] double gain_of(Role ours) const;
};

struct MeasureOptions {
  std::uint64_t seed = 1;
  bool aligned_to_element_only = false;
  std::span<const Peer> peers = {};
  /// No call that is not timed before each sample: each finds the caches as whoever ran before left
  /// them, not as it leaves them itself. What fits into the second cache is never measured so.
  bool mixed = false;
  std::vector<Role> untimed = {};  ///< whose outputs are compared alone
};

/// The contenders of one cell, ready to run.
class Rounds {
 public:
  /// Makes buffers and contenders, and compares their outputs. Throws Mismatch.
  Rounds(const Operator& op, const MeasureOptions& options);

  /// Each contender once, in the order_of_round. Who has used up its time sits out. The time of the
  /// optimized implementation in seconds a call.
  double run();
  /// So many rounds take about half a second for one contender at a usual speed.
  [[nodiscard]] std::size_t enough() const;
  [[nodiscard]] Result result(const Cell& cell) const;

 private:
  struct Lane {
    Contender contender;
    std::size_t calls = 1;  ///< a sample
    double spent_ns = 0;
    std::vector<double> samples_ns;  ///< of one call each
    std::vector<double> wall_ns;     ///< the same by the wall clock
  };
  void settle(Lane& lane) const;
  [[nodiscard]] int settling_calls(bool is_alone) const;
  void sample(Lane& lane) const;

  Buffers buffers_;
  Traffic traffic_;
  bool is_steady_;
  std::vector<Lane> lanes_;
  std::size_t round_ = 0;
  Load load_;
  double prepare_ns_ = 0;
};

}  // namespace opconform::bench
