// Counting what cases cover: each counter of the model holds the number of cases that reached its
// bin. What a case is, is read off its descriptor and bytes, not off what anybody meant by it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/coverage/classes.h"
#include "harness/coverage/index_classifier.h"
#include "harness/coverage/model.h"

namespace opconform::coverage {

/// A case, and what conforms for it. What is not rejected must be valid.
struct Observation {
  const Operator& op;
  Version version;
  Origin origin;
  Due due;
  /// That it is rejected or fails for, each once.
  std::span<const std::string_view> rules{};
  /// What the input buffers hold, in the order of the fields; empty where nobody knows.
  std::span<const std::span<const std::byte>> inputs{};
  bool by_alias = false;
};

/// Counters of one thread. observe() allocates nothing once it has seen its largest index tensor.
class Coverage {
 public:
  /// With counters of its own.
  Coverage();
  /// With counters that the caller keeps, counter_count() of them: memory that processes share,
  /// say. They go on from what they hold.
  explicit Coverage(std::span<std::uint64_t> counters);
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;
  Coverage(Coverage&&) = default;
  Coverage& operator=(Coverage&&) = default;
  ~Coverage() = default;

  [[nodiscard]] static std::size_t counter_count() { return coverage_model().counter_count(); }
  [[nodiscard]] std::span<const std::uint64_t> counters() const { return counters_; }

  void observe(const Observation& observation);

 private:
  void observe_rejection(const Observation& observation, const OperatorBins& bins,
                         std::size_t version);
  void observe_execution(const Observation& observation, const OperatorBins& bins,
                         std::size_t version);
  void observe_tensors(const Observation& observation, const OperatorBins& bins,
                       CaseTraits& traits);
  ClassSet observe_indices(const Observation& observation, const OperatorBins& bins,
                           const TensorDesc& indices, std::span<const std::byte> buffer);
  void observe_inside(const OperatorBins& bins, std::size_t version,
                      const Observation& observation);
  void observe_axis(const Observation& observation, const OperatorBins& bins);
  void observe_strides(const Observation& observation, const OperatorBins& bins);
  void observe_rules(const Observation& observation, const OperatorBins& bins,
                     const CaseTraits& traits);

  void count(std::size_t counter) { ++counters_[counter]; }
  /// Each class of the set, in a group whose first bin has that counter.
  void count_all(std::size_t first, ClassSet classes) {
    for (; classes != 0; classes &= classes - 1)
      ++counters_[first + static_cast<std::size_t>(std::countr_zero(classes))];
  }

  std::vector<std::uint64_t> own_;
  std::span<std::uint64_t> counters_;
  IndexClassifier indices_;
};

/// Observes a committed case or a user's: what conforms is what validate() and its expectation say
/// (the reference, where it leaves that open). Buffers of more than `memory_limit_bytes` together
/// are not made; then only the descriptor counts. False where the descriptor cannot be decided.
bool observe_case(const cases::Case& one, std::uint64_t memory_limit_bytes, Coverage& coverage);

}  // namespace opconform::coverage
