// A valid descriptor of each operator, to break one thing of. Valid from the first feature level
// that has the operator, and in every opset.
#pragma once

#include "spec/operator.h"

namespace opconform {

inline Scatter valid_scatter() {
  return {.input = packed_tensor(DataType::kFloat32, {1, 2, 3, 4}),
          .indices = packed_tensor(DataType::kUint32, {1, 2, 5, 4}),
          .updates = packed_tensor(DataType::kFloat32, {1, 2, 5, 4}),
          .output = packed_tensor(DataType::kFloat32, {1, 2, 3, 4}),
          .axis = 2};
}

/// Example 1 of the document.
inline Split valid_split() {
  return {.input = packed_tensor(DataType::kFloat32, {1, 1, 6, 2}),
          .outputs = {packed_tensor(DataType::kFloat32, {1, 1, 2, 2}),
                      packed_tensor(DataType::kFloat32, {1, 1, 1, 2}),
                      packed_tensor(DataType::kFloat32, {1, 1, 3, 2})},
          .axis = 2};
}

/// Example 2 of the document.
inline Slice1 valid_slice1() {
  return {.input = packed_tensor(DataType::kFloat32, {1, 1, 4, 4}),
          .output = packed_tensor(DataType::kFloat32, {1, 1, 2, 2}),
          .window_offsets = {0, 0, 0, 1},
          .window_sizes = {1, 1, 4, 3},
          .window_strides = {1, 1, -2, 2}};
}

inline OnnxGather valid_gather() {
  return {.data = packed_tensor(DataType::kFloat32, {3, 4, 5}),
          .indices = packed_tensor(DataType::kInt64, {2, 6}),
          .output = packed_tensor(DataType::kFloat32, {3, 2, 6, 5}),
          .axis = 1};
}

}  // namespace opconform
