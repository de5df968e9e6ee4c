// What there was to see when an execution failed: a diagnosis tries what explains it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::judging {

using TensorBytes = std::vector<std::byte>;  ///< a whole buffer

struct Evidence {
  // A buffer a tensor, in the order of the fields.
  std::vector<TensorBytes> inputs;
  std::vector<TensorBytes> outputs_before;
  std::vector<TensorBytes> outputs;
  bool has_failed = false;  ///< the execution ended with an error
  cases::Expectation expected;
  std::vector<TensorBytes> inputs_after;  ///< where one of them was changed
  /// Of each tensor, inputs first: the bytes outside of its buffer that were written, as offsets
  /// from where it starts.
  std::vector<std::vector<std::ptrdiff_t>> outside;
  std::vector<TensorBytes> first_inputs;  ///< of the plan's first execution, where it is not this
  std::shared_ptr<cases::StringPool> strings;        ///< what elements that are strings point into
  std::shared_ptr<cases::StringPool> found_strings;  ///< and those that the implementation made
};

}  // namespace opconform::judging
