// The operators of spec/operators.def for the CPU, with AVX2 where the machine has it.
//
// Plan once, execute often:
//
//   opconform::AnyOperator op{.input = …, .output = …, …};  // of spec/operators/
//   const auto plan = opconform::optimized::prepare(op, opconform::FeatureLevel::k6_4);
//   if (const auto error = plan.execute({.inputs = inputs, .outputs = outputs})) …
//
// Link opconform::optimized; nothing else of this project is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "spec/execution.h"
#include "spec/operator.h"
#include "spec/rule.h"

namespace opconform::optimized {

/// The instruction set that the kernels use.
enum class Isa : unsigned char { kScalar, kAvx2 };
[[nodiscard]] std::string_view name(Isa isa);
/// The best that the machine has, unless the environment variable OPCONFORM_FORCE_ISA says "scalar"
/// or "avx2". Read once. Throws std::runtime_error where the variable names no instruction set, or
/// one the machine lacks.
[[nodiscard]] Isa isa_in_use();

/// The known machine whose numbers say when to prefetch, and when to write past the cache: "intel",
/// "granite", "zen", "zen4" or "zen3", by the processor, unless the environment variable
/// OPCONFORM_MACHINE says another, or other numbers (docs/kernels.md). Read once. Throws
/// std::runtime_error if the variable says neither.
[[nodiscard]] std::string_view machine_name_in_use();

/// The descriptor breaks rules of its operator; what() names the first, violations() has them all.
class InvalidOperator : public std::invalid_argument {
 public:
  explicit InvalidOperator(Violations violations);
  [[nodiscard]] const Violations& violations() const { return violations_; }

 private:
  Violations violations_;
};

/// How a descriptor will be executed. Immutable: any number of threads may execute one plan, each
/// with buffers of its own.
class Plan {
 public:
  struct Impl;  ///< known to plan.cpp alone

  /// Precondition: validate(op, version) finds nothing. prepare() checks it. Throws
  /// std::runtime_error where the machine lacks `isa`.
  Plan(const Operator& op, Version version, Isa isa = isa_in_use());
  Plan(Plan&& other) noexcept;
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();

  /// Reads the inputs, writes every element of every output and nothing else: gaps of an output
  /// keep their bytes. Allocates nothing unless it fails. Fails only for what the inputs hold
  /// (an index out of range); then nothing has been written. Precondition: the buffers are as
  /// Bindings says. execute() checks their number, and that each holds all elements of its tensor.
  /// If not, it throws std::invalid_argument, which names the tensor with the bytes needed and
  /// given, before it reads or writes anything.
  ///
  /// With `threads` above 1, the caller and threads of oneTBB share the work, if the library was
  /// built with oneTBB: at most `threads` in all, and only as many as have enough to do, so small
  /// tensors stay on one. Only then may it allocate. 0 means 1. oneTBB decides how many of them
  /// really run (tbb::global_control, tbb::task_arena). Each needs up to 1 MiB of stack.
  [[nodiscard]] ExecutionResult execute(const Bindings& bindings, unsigned threads = 1) const;

 private:
  std::unique_ptr<const Impl> impl_;
};

/// Validates and plans. Throws InvalidOperator, and what Plan throws.
[[nodiscard]] Plan prepare(const Operator& op, Version version, Isa isa = isa_in_use());

/// prepare() and one execution, for shapes that do not come again. For outputs of at most 3500
/// elements in all no shuffle is worked out, which would take longer than it saves. Throws what
/// those two throw.
[[nodiscard]] ExecutionResult execute_once(const Operator& op, Version version,
                                           const Bindings& bindings, unsigned threads = 1);

}  // namespace opconform::optimized
