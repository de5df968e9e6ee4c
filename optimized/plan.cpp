#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/copy_plan.h"
#include "optimized/machine.h"
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

/// Throws where the buffers are not those.
template <class Buffers>
void demand_fitting(std::span<const NeededBuffer> needed, const Buffers& buffers,
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

/// Elements that are copied one by one sooner than a faster way is planned.
bool are_few(const Operator& op) {
  std::uint64_t count = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const std::uint64_t elements = element_count(tensor.desc.sizes).value_or(kFewElements);
    if (tensor.field.access == Access::kOutput) count += elements;
    if (tensor.field.content == Content::kIndices) count += kFewElements;  // never few
  });
  return count <= kFewElements;
}

/// Does the copy share many lines of the cache with those of other parts of the same tensor?
bool has_short_runs(const AffineCopy& copy) {
  const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
  const Loop run = copy.loops.empty() ? Loop{} : copy.loops.back();
  return run.source_stride != width || run.target_stride != width ||
         run.count * width < kLeastRowBytes;
}

/// Calls `work(first, count, pipeline)` for parts of [0, count), at least `least` each; the
/// pipeline is null where none is needed.
template <class Work>
void in_parts(std::ptrdiff_t count, std::ptrdiff_t least, unsigned threads, bool is_pipelined,
              const Work& work) {
  for_parts(count, least, threads, [&](std::ptrdiff_t first, std::ptrdiff_t part) {
    if (!is_pipelined) return work(first, part, nullptr);
    Pipeline pipeline;
    work(first, part, &pipeline);
  });
}

/// None is empty: sizes of 0 are for gathers alone. None at all where no buffer is long enough.
class Copies {
 public:
  Copies(const Program& program, Isa isa) : steps_(program.steps) {
    copies_.reserve(program.copies.size());
    std::ptrdiff_t together_bytes = 0;
    for (const CopyStep& step : steps_) together_bytes += program.copies[step.copy].size_bytes();
    bool share_lines = false;
    for (const AffineCopy& lowered : program.copies) {
      const AffineCopy copy = normalised(lowered);
      const CopyPlan& plan =
          copies_.emplace_back(copy, isa, std::nullopt, machine_in_use(), together_bytes);
      is_pipelined_ = is_pipelined_ || plan.needs_pipeline();
      share_lines = share_lines || has_short_runs(copy);
    }
    if (steps_.size() > 1) choose_strip(share_lines, together_bytes);
  }

  ExecutionResult operator()(const Bindings& bindings, unsigned threads) const {
    if (strip_ > 0) {
      in_parts(copies_.front().cut().count, least_, threads, is_pipelined_,
               [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
                 for (const std::ptrdiff_t end = first + count; first < end; first += strip_)
                   for (const CopyStep& step : steps_)
                     copy_part(bindings, step, first, std::min(strip_, end - first), pipeline);
               });
      return std::nullopt;
    }
    for (const CopyStep& step : steps_) {
      const CopyPlan& plan = copies_[step.copy];
      in_parts(plan.cut().count, plan.least_part(), threads, is_pipelined_,
               [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
                 copy_part(bindings, step, first, count, pipeline);
               });
    }
    return std::nullopt;
  }

 private:
  /// Copies that share lines of the source go on strip by strip, so that these come from memory
  /// once; others do so in one strip for each thread. Only loops of as many steps can be cut so.
  void choose_strip(bool share_lines, std::ptrdiff_t together_bytes) {
    const Loop& first = copies_.front().cut();
    std::ptrdiff_t staged = 0;  // of the outputs
    least_ = share_lines ? kLeastStripSteps : 1;
    for (const CopyStep& step : steps_) {
      const Loop& cut = copies_[step.copy].cut();
      if (cut.count != first.count) return;
      share_lines = share_lines && cut.source_stride == first.source_stride;
      staged += std::abs(cut.target_stride);
      least_ = std::max(least_, copies_[step.copy].cut_least());
    }
    const std::ptrdiff_t stride =
        std::max({std::abs(first.source_stride), staged, std::ptrdiff_t{1}});
    strip_ =
        std::max({kStripBytes / stride, std::min(kStripSteps, kLongStripBytes / stride), least_});
    if (!share_lines) strip_ = first.count;
    least_ = std::max(least_, steps_of_part(first.count, together_bytes));
  }

  void copy_part(const Bindings& bindings, const CopyStep& step, std::ptrdiff_t first,
                 std::ptrdiff_t count, Pipeline* pipeline) const {
    copies_[step.copy].execute(bindings.inputs[step.input].data() + step.source_offset_bytes,
                               bindings.outputs[step.output].data() + step.target_offset_bytes,
                               first, count, pipeline);
  }

  std::vector<CopyPlan> copies_;
  std::vector<CopyStep> steps_;
  std::ptrdiff_t strip_ = 0;   // steps of all copies' cut loops that are taken in turn
  std::ptrdiff_t least_ = 0;   // of them in a part
  bool is_pipelined_ = false;  // any of the copies
};

auto woven(WeavePlan&& weave) {
  return [plan = std::move(weave)](const Bindings& bindings, unsigned threads) -> ExecutionResult {
    in_parts(plan.rows(), plan.least_part(), threads, plan.needs_pipeline(),
             [&](std::ptrdiff_t first, std::ptrdiff_t count, Pipeline* pipeline) {
               plan.execute(bindings, first, count, pipeline);
             });
    return std::nullopt;
  };
}

auto gathered(const IndexedStep& step, Isa isa) {
  return [indices = step.indices, source = step.source, plan = IndexedPlan(step.move, isa)](
             const Bindings& bindings, unsigned threads) {
    const std::byte* const read = bindings.inputs[indices].data();
    ExecutionResult error = plan.check(read);
    if (!error)
      plan.execute(read, bindings.inputs[source].data(), bindings.outputs[0].data(), threads);
    return error;
  };
}

auto scattered(const Program& program, const IndexedStep& step, Isa isa) {
  return [input = program.steps.front().input, indices = step.indices, updates = step.source,
          plan = ScatterPlan(program.copies.front(), step.move, step.axis, isa)](
             const Bindings& bindings, unsigned threads) -> ExecutionResult {
    plan.execute(bindings.inputs[input].data(), bindings.inputs[indices].data(),
                 bindings.inputs[updates].data(), bindings.outputs[0].data(), threads);
    return std::nullopt;
  };
}

}  // namespace

InvalidOperator::InvalidOperator(Violations violations)
    : std::invalid_argument(text_of(violations)), violations_(std::move(violations)) {}

struct Plan::Impl {
  std::vector<NeededBuffer> needed;  // the inputs first
  std::size_t input_count = 0;

  virtual ~Impl() = default;
  [[nodiscard]] virtual ExecutionResult execute(const Bindings& bindings,
                                                unsigned threads) const = 0;
};
/// Moves by a function, which is made where it stays.
template <class Make>
struct Moving final : Plan::Impl {
  explicit Moving(const Make& make) : move(make()) {}
  [[nodiscard]] ExecutionResult execute(const Bindings& bindings, unsigned threads) const override {
    return move(bindings, threads);
  }
  std::invoke_result_t<Make> move;
};

Plan::Plan(const Operator& op, Version version, Isa isa) {
  if (!machine_has(isa)) throw std::runtime_error("this machine has no " + std::string(name(isa)));
  // Its room serves the next plan as well: most of the time would go into new room.
  static thread_local Program program;
  program.clear();
  std::visit([&](const auto& o) { lower(o, version, program); }, op);
  std::vector<NeededBuffer> needed;
  needed.reserve(program.steps.size() + 3);  // no operator has more tensors
  std::size_t input_count = 0;
  for (const Access access : {Access::kInput, Access::kOutput}) {
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      if (tensor.field.access != access) return;
      needed.push_back(needed_by(tensor));
      // None is ever bound: no buffer is as long, and distances in it would not fit their numbers.
      if (needed.back().size_bytes > std::numeric_limits<std::ptrdiff_t>::max()) program.clear();
    });
    if (access == Access::kInput) input_count = needed.size();
  }
  const auto moving = []<class Make>(const Make& make) {
    return std::make_unique<Moving<Make>>(make);
  };
  std::unique_ptr<Impl> impl;
  if (!program.indexed) {
    if (auto weave = WeavePlan::of(program, isa))
      impl = moving([&] { return woven(*std::move(weave)); });
    else
      impl = moving([&] { return Copies(program, isa); });
  } else if (program.steps.empty()) {
    impl = moving([&] { return gathered(*program.indexed, isa); });
  } else {
    impl = moving([&] { return scattered(program, *program.indexed, isa); });
  }
  impl->needed = std::move(needed);
  impl->input_count = input_count;
  impl_ = std::move(impl);
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

ExecutionResult Plan::execute(const Bindings& bindings, unsigned threads) const {
  const std::span needed(impl_->needed);
  demand_fitting(needed.first(impl_->input_count), bindings.inputs, "inputs");
  demand_fitting(needed.subspan(impl_->input_count), bindings.outputs, "outputs");
  return impl_->execute(bindings, threads);
}

Plan prepare(const Operator& op, Version version, Isa isa) {
  if (Violations violations = validate(op, version); !violations.empty())
    throw InvalidOperator(std::move(violations));
  return {op, version, isa};
}

ExecutionResult execute_once(const Operator& op, Version version, const Bindings& bindings,
                             unsigned threads) {
  const Isa isa = isa_in_use();  // says what is wrong with the environment, whatever the shape
  return prepare(op, version, are_few(op) ? Isa::kScalar : isa).execute(bindings, threads);
}

}  // namespace opconform::optimized
