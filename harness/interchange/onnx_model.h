// A node and its tensors in ONNX's bytes: a model of one node, and a tensor by itself. Both are
// written with the protobuf library from onnx.proto.
#pragma once

#include <string>
#include <string_view>

#include "harness/cases/element.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {

/// A model of that node alone; constant inputs are its initializers, of the others and of outputs
/// it has type and shape.
[[nodiscard]] std::string model_bytes(const Node& node);
[[nodiscard]] std::string tensor_bytes(const std::string& name, const NodeTensor& tensor);

/// A model of one node. Its outputs, and the inputs that are not part of it, have no elements, and
/// their types and shapes are yet unknown. Throws BadInput where the bytes are no model, CannotSay
/// where it has more than one node or what this program does not read.
[[nodiscard]] Node read_model(std::string_view bytes, const std::string& file,
                              cases::StringPool& strings);
/// Throws BadInput where the bytes are no tensor, or hold not as many elements as its dimensions
/// say; CannotSay where its type is none of those here.
[[nodiscard]] NodeTensor read_tensor(std::string_view bytes, const std::string& file,
                                     cases::StringPool& strings);

}  // namespace opconform::interchange
