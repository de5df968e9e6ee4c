// What an execution left in its buffers, beside what stood there before.
#pragma once

#include <cstddef>
#include <span>

#include "spec/fields.h"

namespace opconform::judging {

struct ObservedInput {
  NamedTensor tensor;
  std::span<const std::byte> before;
  std::span<const std::byte> after;
};
struct ObservedOutput {
  NamedTensor tensor;
  std::span<const std::byte>
      before;  ///< what stood in the buffer, so that an unwritten element shows
  std::span<const std::byte> after;
};

}  // namespace opconform::judging
