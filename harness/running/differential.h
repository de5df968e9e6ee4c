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
#include "harness/generation/case_memory.h"
#include "harness/judging/check.h"

namespace opconform::running {

/// Runs generated cases on one backend, in this process. One for each thread.
class Differential {
 public:
  explicit Differential(backends::Backend& tested) : tested_(tested) {}

  /// Did the backend do what the reference did, to the byte, and does its promise say nothing else?
  /// `generated` must be valid. Some plans are executed twice, some beside that of a descriptor
  /// which differs in one field alone: prepared before it, executed in between, released before the
  /// second time.
  bool agrees_on_valid(const generation::Generated& generated);
  /// Did the backend reject the case for exactly that rule?
  bool rejects(const generation::Generated& generated, std::string_view rule);

  /// The verdict on that same execution, where it did not agree: a pass where the difference is
  /// permitted. `generated` must be the case that was run last.
  [[nodiscard]] judging::CaseResult judge_valid(const generation::Generated& generated) const;
  [[nodiscard]] judging::CaseResult judge_broken(std::string_view rule) const;
  /// The memory of the last valid case before anything ran.
  [[nodiscard]] const generation::CaseMemory& pristine() const { return pristine_; }
  /// The rule for which the last valid case fails on the reference; empty where it has a result.
  [[nodiscard]] std::string_view reference_error() const { return reference_error_; }

 private:
  [[nodiscard]] bool executes_again() const {
    return tested_.promise().executions != backends::Executions::kOne;
  }
  /// Is that the rule, or none where the backend names none?
  [[nodiscard]] bool is_right(std::string_view named, std::string_view rule) const;
  [[nodiscard]] std::optional<judging::CaseResult> judge_rejection_or_crash(
      const cases::Expectation& expected) const;

  backends::Backend& tested_;
  generation::CaseMemory pristine_;
  generation::CaseMemory expected_;
  generation::CaseMemory found_;
  std::string_view reference_error_;
  // What the backend did last.
  std::optional<backends::Rejection> rejection_;
  std::optional<backends::Failure> failure_;
  std::optional<std::string> exception_;
};

}  // namespace opconform::running
