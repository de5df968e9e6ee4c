#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
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
      if (isa == Isa::kAvx2 && program.copies.size() == 1 && copy.loops.empty())
        transpose_columns(run, width);
    }
    if (!transpose_) choose_strip(share_lines, together_bytes);
  }

  ExecutionResult operator()(const Bindings& bindings, unsigned threads) const {
    // Else, or by one thread in one strip, each copy is made whole.
    const std::ptrdiff_t count = copies_.empty() ? 0 : copies_.front().cut().count;
    if (strip_ > 0 && (transpose_ || threads > 1 || strip_ < count)) {
      for_parts(count, least_, threads, [&](std::ptrdiff_t first, std::ptrdiff_t steps) {
        Pipeline pipeline;
        for (const std::ptrdiff_t end = first + steps; first < end; first += strip_)
          if (transpose_)  // the last strip goes back over what was made
            execute_columns(bindings, std::min(first, end - strip_), pipeline);
          else
            for (const CopyStep& step : steps_)
              copies_[step.copy].execute(source_of(step, bindings), target_of(step, bindings),
                                         first, std::min(strip_, end - first), &pipeline);
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

  /// Columns of one source, an element wide, each all of an output: rows of all of them are
  /// transposed, into a stage, and copied on from there.
  void transpose_columns(const Loop& rows, std::ptrdiff_t width) {
    const std::ptrdiff_t columns = std::ssize(steps_);
    const std::ptrdiff_t row_bytes = columns * width;
    const std::ptrdiff_t staged =
        std::min(rows.count, kStageBytes / row_bytes / kSquareSteps * kSquareSteps);
    if (staged == 0 || row_bytes < std::max(width * width, kWindowBytes) ||
        rows.target_stride != width ||
        steps_[0].source_offset_bytes + width != steps_[1].source_offset_bytes)
      return;
    const AffineCopy copy{static_cast<std::size_t>(width),
                          {{columns, width, staged * width}, {staged, rows.source_stride, width}}};
    CopyPlan transpose(copy, Isa::kAvx2, CopyPlan::Order::kPlain);
    if (transpose.shape() != PlaneShape::kTranspose) return;
    transpose_ = std::move(transpose);
    strip_ = staged;
    least_ = std::max(staged, steps_of_part(staged, copy.size_bytes()));
    is_streamed_ =
        columns <= kMostRuns && rows.count * row_bytes >= machine_in_use().streamed_crowded_bytes;
  }
  void execute_columns(const Bindings& bindings, std::ptrdiff_t first, Pipeline& pipeline) const {
    const Loop& rows = copies_.front().cut();
    const std::ptrdiff_t column_bytes = strip_ * rows.target_stride;
    std::byte* column = pipeline.room(column_bytes * std::ssize(steps_), kMostRuns, {});
    transpose_->execute(source_of(steps_.front(), bindings) + first * rows.source_stride, column);
    for (const CopyStep& step : steps_) {
      std::byte* const target = target_of(step, bindings) + first * rows.target_stride;
      if (is_streamed_)
        pipeline.put({target, column, column_bytes});
      else
        std::memcpy(target, column, static_cast<std::size_t>(column_bytes));
      column += column_bytes;
    }
  }

  std::vector<CopyPlan> copies_;
  std::optional<CopyPlan> transpose_;
  bool is_streamed_ = false;  // what it makes
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
