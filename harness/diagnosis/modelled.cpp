#include "harness/diagnosis/modelled.h"

namespace opconform::diagnosis {

Modelled execute_modelled(const Operator& op, Version version, const model::Seams& seams,
                          const std::vector<judging::TensorBytes>& inputs,
                          const std::vector<judging::TensorBytes>& before) {
  Modelled modelled{before, false, 0};
  const std::vector<std::span<const std::byte>> input_spans(inputs.begin(), inputs.end());
  const std::vector<std::span<std::byte>> output_spans(modelled.outputs.begin(),
                                                       modelled.outputs.end());
  model::Execution execution{op, version};
  model::bind({input_spans, output_spans}, seams, execution);
  modelled.has_failed = model::run(seams, execution).has_value();
  modelled.strayed_bytes = execution.strayed_bytes;
  return modelled;
}

}  // namespace opconform::diagnosis
