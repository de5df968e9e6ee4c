#include <cstdlib>

#include "harness/coverage/roles.h"
#include "harness/diagnosis/trait_reading.h"

namespace opconform::diagnosis {
namespace {

class WindowReader {
 public:
  WindowReader(const coverage::Windows& windows, const TensorDesc& input, const TensorDesc& output,
               TraitWriter& traits)
      : windows_(windows), input_(input), output_(output), traits_(traits) {}

  void read() {
    const std::size_t rank = windows_.sizes.numbers->size();
    if (windows_.offsets.numbers->size() != rank || input_.rank() != rank || output_.rank() != rank)
      return;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::uint64_t offset = (*windows_.offsets.numbers)[i];
      const std::uint64_t size = (*windows_.sizes.numbers)[i];
      traits_.add(Topic::kOffset, subject_of(windows_.offsets.name), offset);
      traits_.add(Topic::kWindow, subject_of(windows_.sizes.name), size);
      traits_.add(Topic::kWindowEnd, offset + size);
    }
    for (const auto& [name, strides] : windows_.strides) {
      if (strides->size() != rank) continue;
      for (std::size_t i = 0; i < rank; ++i) {
        read_stride(subject_of(name), (*strides)[i], i);
        read_shape((*strides)[i], i);
      }
    }
  }

 private:
  void read_stride(Subject subject, std::int64_t stride, std::size_t i) {
    const std::int64_t step = std::abs(stride);
    traits_.add(Topic::kWindowStride, subject, stride);
    if ((*windows_.sizes.numbers)[i] > 1) traits_.add(Topic::kSeenStride, subject, stride);
    if (output_.sizes[i] < 2) return;
    traits_.add(Topic::kWideStride, subject, stride);
    traits_.add(Topic::kStep, subject, step);
    if (i + 1 < output_.rank()) traits_.add(Topic::kOuterStep, subject, step);
  }

  /// How window, stride and output of one dimension are to each other.
  void read_shape(std::int64_t stride, std::size_t i) {
    const std::uint64_t window = (*windows_.sizes.numbers)[i];
    const std::uint64_t offset = (*windows_.offsets.numbers)[i];
    const std::uint64_t count = output_.sizes[i];
    const auto step = static_cast<std::uint64_t>(std::abs(stride));
    const auto add_if = [&](bool holds, WindowShape shape) {
      traits_.add_if(holds, Topic::kWindowShape, shape);
      traits_.add_if(holds && stride < 0, Topic::kReversedWindow, shape);
      traits_.add_if(holds && stride > 1, Topic::kForwardSteps, shape);
      traits_.add_if(holds && step > 1 && count > 1, Topic::kSeenSteps, shape);
    };
    const bool is_at_end = offset + window == input_.sizes[i];
    add_if(window != (*windows_.sizes.numbers)[0], WindowShape::kUnequal);
    add_if(offset > 0, WindowShape::kBehindStart);
    add_if(is_at_end, WindowShape::kAtEnd);
    add_if(is_at_end && offset > 0, WindowShape::kBehindStartAtEnd);
    add_if(offset + window < input_.sizes[i], WindowShape::kBeforeEnd);
    if (step == 0 || window == 0 || count == 0) return;
    add_if(count < (window - 1) / step + 1, WindowShape::kPartial);
    add_if(count > window / step, WindowShape::kOutputTakesRest);
    add_if(window % step != 0, WindowShape::kRest);
    add_if((count - 1) * step != window - 1, WindowShape::kNotReached);
  }

  const coverage::Windows& windows_;
  const TensorDesc& input_;
  const TensorDesc& output_;
  TraitWriter& traits_;
};

}  // namespace

void read_windows(const Operator& op, TraitWriter& traits) {
  const coverage::Windows windows = coverage::windows_of(op);
  const TensorDesc* const input = coverage::first_tensor(op);
  const TensorDesc* const output = coverage::first_output(op);
  if (windows.sizes.numbers != nullptr && windows.offsets.numbers != nullptr && output != nullptr)
    WindowReader(windows, *input, *output, traits).read();
}

}  // namespace opconform::diagnosis
