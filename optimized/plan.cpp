#include <algorithm>
#include <cstdint>
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

/// What a tensor needs of its buffer: as far as its elements reach. That some buffers must be
/// larger, by a rule, is of no concern here.
struct NeededBuffer {
  FieldPath tensor;
  std::uint64_t size_bytes;
};
struct NeededBuffers {
  SmallVector<NeededBuffer, 4> list;  ///< in the order of the fields, in which inputs come first
  std::size_t inputs = 0;
};

bool fits(const NeededBuffer& needed, std::span<const std::byte> given) {
  return given.size() >= needed.size_bytes;
}
/// Throws what is wrong with them.
template <class Buffers>
void refuse(std::span<const NeededBuffer> needed, const Buffers& buffers, const char* kind) {
  if (needed.size() != buffers.size())
    throw std::invalid_argument(std::string(kind) + ": " + std::to_string(needed.size()) +
                                " buffers are needed, but " + std::to_string(buffers.size()) +
                                " are given");
  const auto [wrong, given] = std::ranges::mismatch(needed, buffers, fits);
  throw std::invalid_argument(wrong->tensor.text() + " needs a buffer of " +
                              std::to_string(wrong->size_bytes) + " bytes, but is given " +
                              std::to_string(given->size()));
}
void demand_fitting(const NeededBuffers& needed, const Bindings& bindings) {
  const std::span inputs = needed.list.all().first(needed.inputs);
  const std::span outputs = needed.list.all().subspan(needed.inputs);
  if (!std::ranges::equal(inputs, bindings.inputs, fits)) refuse(inputs, bindings.inputs, "inputs");
  if (!std::ranges::equal(outputs, bindings.outputs, fits))
    refuse(outputs, bindings.outputs, "outputs");
}

const std::byte* source_of(const CopyStep& step, const Bindings& bindings) {
  return bindings.inputs[step.input].data() + step.source_offset_bytes;
}
std::byte* target_of(const CopyStep& step, const Bindings& bindings) {
  return bindings.outputs[step.output].data() + step.target_offset_bytes;
}

/// The copy is not empty: sizes of 0 are for gathers alone.
auto copied(const Program& program, Isa isa, bool is_tiled) {
  return
      [step = program.steps.front(), plan = CopyPlan(normalised(program.copies.front()), isa,
                                                     std::nullopt, machine_in_use(), 0, is_tiled)](
          const Bindings& bindings, unsigned threads) -> ExecutionResult {
        plan.execute(source_of(step, bindings), target_of(step, bindings), threads);
        return std::nullopt;
      };
}

/// None at all where no buffer is long enough.
class Copies {
 public:
  Copies(const Program& program, Isa isa, bool is_tiled) : steps_(program.steps) {
    if (steps_.empty()) return;
    copies_.reserve(program.copies.size());
    const std::ptrdiff_t together_bytes =
        bytes(program.output_elements, program.copies.front().width_bytes);
    bool share_lines = false;
    for (const AffineCopy& lowered : program.copies) {
      AffineCopy copy = normalised(lowered);
      copies_.emplace_back(copy, isa, std::nullopt, machine_in_use(), together_bytes, is_tiled);
      const auto width = static_cast<std::ptrdiff_t>(copy.width_bytes);
      const Loop run = take_innermost(copy.loops);
      share_lines = share_lines || run.source_stride != width || run.target_stride != width ||
                    run.count * width < kLeastRowBytes;
    }
    choose_strip(share_lines, together_bytes);
  }

  ExecutionResult operator()(const Bindings& bindings, unsigned threads) const {
    // Else, or by one thread in one strip, each copy is made whole.
    if (strip_ > 0 && (threads > 1 || strip_ < copies_.front().cut().count)) {
      for_parts(copies_.front().cut().count, least_, threads,
                [&](std::ptrdiff_t first, std::ptrdiff_t count) {
                  Pipeline pipeline;
                  for (const std::ptrdiff_t end = first + count; first < end; first += strip_)
                    for (const CopyStep& step : steps_)
                      copies_[step.copy].execute(source_of(step, bindings),
                                                 target_of(step, bindings), first,
                                                 std::min(strip_, end - first), &pipeline);
                });
      return std::nullopt;
    }
    for (const CopyStep& step : steps_)
      copies_[step.copy].execute(source_of(step, bindings), target_of(step, bindings), threads);
    return std::nullopt;
  }

 private:
  /// Copies that share lines of the source go on strip by strip, so that these come from memory
  /// once; others do so in one strip for each thread. Only loops of as many steps can be cut so.
  void choose_strip(bool share_lines, std::ptrdiff_t together_bytes) {
    const Loop& first = copies_.front().cut();
    least_ = share_lines ? kLeastStripSteps : 1;
    for (const CopyPlan& copy : copies_) {
      if (copy.cut().count != first.count) return;
      share_lines = share_lines && copy.cut().source_stride == first.source_stride;
      least_ = std::max(least_, copy.cut_least());
    }
    std::ptrdiff_t staged = 0;  // of the outputs
    for (const CopyStep& step : steps_) staged += std::abs(copies_[step.copy].cut().target_stride);
    const std::ptrdiff_t stride =
        std::max({std::abs(first.source_stride), staged, std::ptrdiff_t{1}});
    strip_ =
        std::max({kStripBytes / stride, std::min(kStripSteps, kLongStripBytes / stride), least_});
    if (!share_lines) strip_ = first.count;
    least_ = std::max(least_, steps_of_part(first.count, together_bytes));
  }

  std::vector<CopyPlan> copies_;
  std::vector<CopyStep> steps_;
  std::ptrdiff_t strip_ = 0;  // steps of all copies' cut loops that are taken in turn
  std::ptrdiff_t least_ = 0;  // of them in a part
};

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

auto scattered(const Program& program, const IndexedStep& step, Isa isa, bool is_tiled) {
  return [input = program.steps.front().input, indices = step.indices, updates = step.source,
          plan = ScatterPlan(program.copies.front(), step.move, step.axis, isa, is_tiled)](
             const Bindings& bindings, unsigned threads) -> ExecutionResult {
    plan.execute(bindings.inputs[input].data(), bindings.inputs[indices].data(),
                 bindings.inputs[updates].data(), bindings.outputs[0].data(), threads);
    return std::nullopt;
  };
}

/// An operator before kernels are chosen.
struct Lowered {
  Program program;
  NeededBuffers needed;
};
/// One for each thread, which the next call fills again: most of the time would go into new room.
const Lowered& lowered(const Operator& op, Version version) {
  static thread_local Lowered kept;
  Lowered& to = kept;
  to.program.clear();
  to.needed.list.clear();
  to.needed.inputs = 0;
  std::visit([&](const auto& o) { lower(o, version, to.program); }, op);
  const TensorDesc* before = nullptr;
  std::uint64_t size_bytes = 0;
  std::uint64_t elements = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (before == nullptr || *before != tensor.desc) {  // most parts are alike
      const TensorCounts counts = counts_of(tensor.desc);
      size_bytes = counts.extent_bytes.value_or(UINT64_MAX);
      elements = counts.elements.value();
      before = &tensor.desc;
    }
    to.needed.list.push_back({tensor.path, size_bytes});
    // None is ever bound: no buffer is as long, and distances in it would not fit their numbers.
    if (size_bytes > PTRDIFF_MAX) to.program.clear();
    if (tensor.field.access == Access::kInput)
      ++to.needed.inputs;
    else
      to.program.output_elements += elements;
  });
  return to;
}

/// `use(make)`, of what makes the function that executes the program.
template <class Use>
auto with_execution(const Program& program, Isa isa, bool is_tiled, const Use& use) {
  if (program.indexed && program.steps.empty())
    return use([&] { return gathered(*program.indexed, isa); });
  if (program.indexed)
    return use([&] { return scattered(program, *program.indexed, isa, is_tiled); });
  if (program.steps.size() == 1) return use([&] { return copied(program, isa, is_tiled); });
  if (auto weave = is_tiled ? WeavePlan::of(program, isa) : std::nullopt)
    return use([&] { return *std::move(weave); });
  return use([&] { return Copies(program, isa, is_tiled); });
}

void demand_valid(const Operator& op, Version version) {
  if (Violations violations = validate(op, version); !violations.empty())
    throw InvalidOperator(std::move(violations));
}

}  // namespace

InvalidOperator::InvalidOperator(Violations violations)
    : std::invalid_argument(violations.first_text()), violations_(std::move(violations)) {}

struct Plan::Impl {
  NeededBuffers needed;
  virtual ~Impl() = default;
  [[nodiscard]] virtual ExecutionResult execute(const Bindings& bindings,
                                                unsigned threads) const = 0;
};
/// Executes by a function, which is made where it stays.
template <class Make>
struct Executing final : Plan::Impl {
  explicit Executing(const Make& make) : function(make()) {}
  [[nodiscard]] ExecutionResult execute(const Bindings& bindings, unsigned threads) const override {
    return function(bindings, threads);
  }
  std::invoke_result_t<Make> function;
};

Plan::Plan(const Operator& op, Version version, Isa isa) {
  if (!machine_has(isa)) throw std::runtime_error("this machine has no " + std::string(name(isa)));
  const Lowered& from = lowered(op, version);
  std::unique_ptr<Impl> impl = with_execution(
      from.program, isa, true, []<class Make>(const Make& make) -> std::unique_ptr<Impl> {
        return std::make_unique<Executing<Make>>(make);
      });
  impl->needed = from.needed;
  impl_ = std::move(impl);
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

ExecutionResult Plan::execute(const Bindings& bindings, unsigned threads) const {
  demand_fitting(impl_->needed, bindings);
  return impl_->execute(bindings, threads);
}

Plan prepare(const Operator& op, Version version, Isa isa) {
  demand_valid(op, version);
  return {op, version, isa};
}

ExecutionResult execute_once(const Operator& op, Version version, const Bindings& bindings,
                             unsigned threads) {
  const Isa isa = isa_in_use();  // says what is wrong with the environment, whatever the shape
  demand_valid(op, version);
  const Lowered& from = lowered(op, version);
  demand_fitting(from.needed, bindings);
  return with_execution(from.program, isa, from.program.output_elements > kFewElements,
                        [&](const auto& make) { return make()(bindings, threads); });
}

}  // namespace opconform::optimized
