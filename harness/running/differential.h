// Generated cases at speed: the reference and the backend under test run side by side on two copies
// of the same memory, which must be equal byte for byte afterwards. Only where they are not does
// the slow judgement speak, which knows what is permitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/generation/generator.h"
#include "harness/judging/check.h"

namespace opconform::harness {

/// The memory of one case in one block: all buffers in the order of the fields, guard zones between
/// them. Kept from case to case, so that a case costs no allocation.
class CaseMemory {
 public:
  /// Lays out the buffers. Every byte of the block depends on the seed alone.
  void make_noise(const Generated& generated);
  /// The same, and the contents of the inputs.
  void make(const Generated& generated);
  /// The buffer of an input, for whoever has contents of his own.
  [[nodiscard]] std::span<std::byte> input(std::size_t i) {
    return {start_ + (inputs_[i].data() - start_), inputs_[i].size()};
  }
  /// The same bytes at the same places.
  void copy_from(const CaseMemory& other);
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }
  [[nodiscard]] std::span<const std::byte> all() const { return {start_, size_bytes_}; }
  /// The first byte outside all buffers in which this differs from `other`, said in relation to the
  /// nearest buffer; empty where there is none.
  [[nodiscard]] std::string difference_outside(const CaseMemory& other) const;

 private:
  struct Place {
    const TensorDesc* tensor;
    TensorField field;
    std::size_t offset_bytes;
    std::size_t size_bytes;
  };
  void lay_out(const Generated& generated);
  void take_block(std::size_t size_bytes);
  void bind();

  std::vector<std::byte> block_;
  std::byte* start_ = nullptr;  // aligned
  std::size_t size_bytes_ = 0;
  std::vector<Place> places_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

/// The same case as a Case, for judging, shrinking and writing. Its inputs hold the bytes of the
/// buffers; what conforms is left to the reference.
Case case_of(const Generated& generated, const CaseMemory& memory, std::string id);
/// The same without contents: enough for a descriptor that must be refused.
Case case_of(const Generated& generated, std::string id);

/// Runs generated cases on one backend, in this process. One for each thread.
class Differential {
 public:
  explicit Differential(Backend& tested) : tested_(tested) {}

  /// Did the backend do what the reference did, to the byte? `generated` must be valid. Some plans
  /// are executed twice.
  bool agrees_on_valid(const Generated& generated);
  /// Did the backend refuse the case for exactly that rule?
  bool refuses(const Generated& generated, std::string_view rule);

  /// The verdict on that same execution, where it did not agree: a pass where the difference is
  /// permitted. `generated` must be the case that was run last.
  [[nodiscard]] CaseResult judge_valid(const Generated& generated) const;
  [[nodiscard]] CaseResult judge_broken(std::string_view rule) const;
  /// The memory of the last valid case before anything ran.
  [[nodiscard]] const CaseMemory& pristine() const { return pristine_; }
  /// The rule for which the last valid case fails on the reference; empty where it has a result.
  [[nodiscard]] std::string_view reference_error() const { return reference_error_; }

 private:
  [[nodiscard]] std::optional<CaseResult> judge_refusal_or_crash(const Expectation& expected) const;

  Backend& tested_;
  CaseMemory pristine_;
  CaseMemory expected_;
  CaseMemory found_;
  std::string_view reference_error_;
  // What the backend did last.
  std::optional<Refusal> refusal_;
  std::optional<Failure> failure_;
  std::optional<std::string> exception_;
};

}  // namespace opconform::harness
