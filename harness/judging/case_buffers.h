// The memory of one execution of a case: a guarded buffer for each tensor, and what stood in them
// before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/expectation.h"
#include "harness/judging/check.h"
#include "harness/judging/guarded_buffer.h"
#include "harness/judging/judge.h"
#include "harness/judging/observed.h"
#include "spec/execution.h"

namespace opconform::judging {

/// Ends a check with what is wrong with the case itself.
[[noreturn]] void cannot_run(const cases::Case& tested, const std::string& why);

/// Is so little of the buffer read or written that it is better sparse (GuardPages)?
[[nodiscard]] bool is_sparse(const TensorDesc& tensor, std::uint64_t size_bytes,
                             const cases::Contents* contents = nullptr);

class CaseBuffers {
 public:
  /// Makes the buffers and writes the inputs' contents. `tensors` are those of the case's operator.
  /// Throws BadInput where the case needs more memory than the options allow, or has no contents.
  CaseBuffers(const cases::Case& tested, const cases::TensorList& tensors,
              const CheckOptions& options, Base base);

  /// Fills the outputs so that an element which is never written cannot pass for a right one. Of
  /// canaries, may be called again for another execution.
  void prepare_outputs(const cases::Expectation& expected, std::uint64_t seed);

  [[nodiscard]] std::uint64_t size_bytes() const;
  [[nodiscard]] std::span<const std::span<const std::byte>> inputs() const { return inputs_; }
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }
  [[nodiscard]] std::vector<ObservedInput> observed_inputs() const;
  [[nodiscard]] std::vector<ObservedOutput> observed_outputs() const;
  [[nodiscard]] Judgement judge_canaries() const;
  /// Of what left no trace: reads outside, and writes into inputs.
  [[nodiscard]] Judgement judge_touches() const;
  /// As Evidence::outside.
  [[nodiscard]] std::vector<std::vector<std::ptrdiff_t>> changed_outside() const;
  /// Is there more than one element to choose from, and are all alike? A wrong index could not
  /// show.
  [[nodiscard]] bool contents_are_weak() const;

 private:
  [[nodiscard]] const NamedTensor& tensor_of(std::size_t buffer) const;
  void mark_unwritten(const cases::Expectation& expected, std::size_t output);

  const cases::TensorList& tensors_;
  std::vector<GuardedBuffer> buffers_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
  /// Empty where no copy is kept.
  std::vector<std::vector<std::byte>> inputs_before_;
  std::vector<std::vector<std::byte>> outputs_before_;
  bool strict_gaps_;
  bool is_copied_ = true;
};

}  // namespace opconform::judging
