// An execution by the model, of what an implementation was given.
#pragma once

#include <vector>

#include "harness/diagnosis/reading.h"
#include "harness/judging/evidence.h"

namespace opconform::diagnosis {

struct Modelled {
  std::vector<judging::TensorBytes> outputs;
  bool has_failed;
  std::uint64_t strayed_bytes;  ///< out of the buffers, where foreign memory may hold anything
};

/// `before` is what the outputs hold when it begins.
[[nodiscard]] Modelled execute_modelled(const Operator& op, Version version,
                                        const model::Seams& seams,
                                        const std::vector<judging::TensorBytes>& inputs,
                                        const std::vector<judging::TensorBytes>& before);

}  // namespace opconform::diagnosis
