#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/copy_plan.h"
#include "optimized/isa.h"
#include "optimized/parallel.h"
#include "optimized/program.h"
#include "optimized/scatter_plan.h"
#include "optimized/tuning.h"
#include "optimized/weave.h"
#include "spec/fields.h"
#include "spec/validate.h"

namespace opconform::optimized {
namespace {

std::string text_of(const Violations& violations) {
  const Violation& first =
      (violations.list().empty() ? violations.undecided() : violations.list()).front();
  return std::string(first.rule) + ": " + first.message;
}

/// What a tensor needs of its buffer: as far as its elements reach. That some buffers must be
/// larger, by a rule, is of no concern here.
struct NeededBuffer {
  FieldPath tensor;
  std::uint64_t size_bytes;
};
NeededBuffer needed_by(const NamedTensor& tensor) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t width = tensor.desc.element_size_bytes();
  const std::uint64_t extent = extent_elements(tensor.desc).value_or(kMost);
  return {tensor.path, extent > kMost / width ? kMost : extent * width};
}

template <class Buffers>
bool fit(const std::vector<NeededBuffer>& needed, const Buffers& buffers) {
  if (needed.size() != buffers.size()) return false;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (buffers[i].size() < needed[i].size_bytes) return false;
  return true;
}

/// Throws where the buffers are not those.
template <class Buffers>
void complain_of(const std::vector<NeededBuffer>& needed, const Buffers& buffers,
                 const char* kind) {
  if (needed.size() != buffers.size())
    throw std::invalid_argument(std::string(kind) + ": " + std::to_string(needed.size()) +
                                " buffers are needed, but " + std::to_string(buffers.size()) +
                                " are given");
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (buffers[i].size() < needed[i].size_bytes)
      throw std::invalid_argument(needed[i].tensor.text() + " needs a buffer of " +
                                  std::to_string(needed[i].size_bytes) + " bytes, but is given " +
                                  std::to_string(buffers[i].size()));
}

/// Does the copy share many lines of the cache with those of other parts of the same tensor?
bool has_short_runs(const AffineCopy& copy) {
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  const Loop run = copy.loops.empty() ? Loop{} : copy.loops.back();
  return run.source_stride != width || run.target_stride != width ||
         run.count * width < kLeastRowBytes;
}

struct PlannedCopy {
  std::size_t input;
  std::size_t output;
  CopyPlan plan;
};
struct PlannedGather {
  std::size_t indices;
  std::size_t source;
  IndexedPlan plan;
};
struct PlannedScatter {
  std::size_t input;
  std::size_t indices;
  std::size_t updates;
  ScatterPlan plan;
};

}  // namespace

InvalidOperator::InvalidOperator(Violations violations)
    : std::invalid_argument(text_of(violations)), violations_(std::move(violations)) {}

struct Plan::Impl {
  std::vector<NeededBuffer> inputs;
  std::vector<NeededBuffer> outputs;
  std::vector<PlannedCopy> copies;
  std::optional<WeavePlan> weave;  // instead of all copies
  std::ptrdiff_t strip = 0;        // steps of all copies' cut loops that are taken in turn
  std::optional<PlannedGather> gather;
  std::optional<PlannedScatter> scatter;
  bool pipelined = false;  // any of the copies

  Impl(const Operator& op, const Program& program, Isa isa) {
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      (tensor.field.access == Access::kOutput ? outputs : inputs).push_back(needed_by(tensor));
    });
    if (program.indexed) {
      plan_indexed(program.copies, *program.indexed, isa);
      return;
    }
    weave = WeavePlan::of(program.copies, isa);
    if (weave) {
      pipelined = weave->needs_pipeline();
      return;
    }
    // Of a valid operator there is a copy at least, and none is empty: sizes of 0 are for gathers
    // alone.
    copies.reserve(program.copies.size());
    bool share_lines = false;
    for (const CopyStep& step : program.copies) {
      const AffineCopy copy = normalised(step.copy);
      copies.push_back({step.input, step.output, CopyPlan(copy, isa)});
      pipelined = pipelined || copies.back().plan.needs_pipeline();
      share_lines = share_lines || has_short_runs(copy);
    }
    if (share_lines && can_be_cut_together()) strip = choose_strip();
  }

  void demand_fitting(const Bindings& bindings) const {
    if (fit(inputs, bindings.inputs) && fit(outputs, bindings.outputs)) return;
    complain_of(inputs, bindings.inputs, "inputs");
    complain_of(outputs, bindings.outputs, "outputs");
  }

  void plan_indexed(const std::vector<CopyStep>& copied, const IndexedStep& step, Isa isa) {
    if (copied.empty()) {
      gather = {step.indices, step.source, IndexedPlan(step.move, isa)};
      return;
    }
    const auto& [input, output, copy] = copied.front();
    scatter = {input, step.indices, step.source, ScatterPlan(copy, step.move, step.axis, isa)};
  }

  /// Outputs that take parts of the same stretches of the source, as cutting one tensor does, are
  /// written strip by strip, so that the source is fetched once for all of them. 0 where that
  /// gains nothing.
  [[nodiscard]] std::ptrdiff_t choose_strip() const {
    const Loop& first = copies.front().plan.cut();
    const bool alike = std::all_of(copies.begin(), copies.end(), [&](const PlannedCopy& copy) {
      return copy.plan.cut().source_stride == first.source_stride;
    });
    if (!alike || copies.size() == 1) return 0;
    // What is read of the source, and what is staged of the outputs.
    std::ptrdiff_t staged = 0;
    for (const PlannedCopy& copy : copies) staged += std::abs(copy.plan.cut().target_stride);
    const std::ptrdiff_t stride =
        std::max({std::abs(first.source_stride), staged, std::ptrdiff_t{1}});
    std::ptrdiff_t steps = std::max(kStripBytes / stride, kLeastStripSteps);
    for (const PlannedCopy& copy : copies) steps = std::max(steps, copy.plan.cut_least());
    return steps;
  }
  /// Only loops of as many steps can be cut into the same strips.
  [[nodiscard]] bool can_be_cut_together() const {
    return std::all_of(copies.begin(), copies.end(), [&](const PlannedCopy& copy) {
      return copy.plan.cut().count == copies.front().plan.cut().count;
    });
  }

  static void copy_part(const Bindings& bindings, const PlannedCopy& copy, std::ptrdiff_t first,
                        std::ptrdiff_t count, Pipeline* pipeline) {
    copy.plan.execute(bindings.inputs[copy.input].data(), bindings.outputs[copy.output].data(),
                      first, count, pipeline);
  }
  /// `count` steps of all copies, strip by strip.
  void copy_strips(const Bindings& bindings, std::ptrdiff_t first, std::ptrdiff_t count,
                   Pipeline* pipeline) const {
    for (const std::ptrdiff_t end = first + count; first < end; first += strip)
      for (const PlannedCopy& copy : copies)
        copy_part(bindings, copy, first, std::min(strip, end - first), pipeline);
  }
  void copy(const Bindings& bindings, unsigned threads) const {
    if (weave) {
      in_parts(weave->rows(), threads, weave->least_part(),
               [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
                 weave->execute(bindings, first, count, pipeline);
               });
      return;
    }
    if (strip > 0) {
      const CopyPlan& plan = copies.front().plan;
      in_parts(plan.cut().count, threads, std::max(plan.least_part() / std::ssize(copies), strip),
               [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
                 copy_strips(bindings, first, count, pipeline);
               });
      return;
    }
    for (const PlannedCopy& copy : copies)
      in_parts(copy.plan.cut().count, threads, copy.plan.least_part(),
               [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
                 copy_part(bindings, copy, first, count, pipeline);
               });
  }
  /// Calls `work(first, count, pipeline)` for parts of [0, count), at least `least` each.
  template <class Work>
  void in_parts(std::ptrdiff_t count, unsigned threads, std::ptrdiff_t least, Work&& work) const {
    const auto with_pipeline = [&](std::ptrdiff_t first, std::ptrdiff_t part) {
      if (!pipelined) return work(first, part, nullptr);
      Pipeline pipeline;
      work(first, part, &pipeline);
    };
    for_parts(count, least, threads, with_pipeline);
  }
};

Plan::Plan(const Operator& op, Version version, Isa isa) {
  if (!machine_has(isa)) throw std::runtime_error("this machine has no " + std::string(name(isa)));
  impl_ = std::make_unique<const Impl>(
      op, std::visit([&](const auto& o) { return lower(o, version); }, op), isa);
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

ExecutionResult Plan::execute(const Bindings& bindings, unsigned threads) const {
  impl_->demand_fitting(bindings);
  const auto input = [&](std::size_t i) { return bindings.inputs[i].data(); };
  std::byte* const output = bindings.outputs[0].data();
  if (impl_->gather) {
    const auto& [indices, source, plan] = *impl_->gather;
    if (ExecutionResult error = plan.check(input(indices))) return error;
    plan.execute(input(indices), input(source), output, threads);
  } else if (impl_->scatter) {
    const auto& [copied, indices, updates, plan] = *impl_->scatter;
    plan.execute(input(copied), input(indices), input(updates), output, threads);
  } else {
    impl_->copy(bindings, threads);
  }
  return std::nullopt;
}

Plan prepare(const Operator& op, Version version, Isa isa) {
  if (Violations violations = validate(op, version); !violations.empty())
    throw InvalidOperator(std::move(violations));
  return {op, version, isa};
}

}  // namespace opconform::optimized
