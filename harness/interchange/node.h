// A node of ONNX with its tensors, and how each operator is said as one. Neither knows ONNX's
// bytes: onnx_model.h does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "spec/operator.h"

namespace opconform::interchange {

/// A packed tensor: its elements in row-major order, strings as StringElement.
struct NodeTensor {
  DataType type = DataType::kFloat32;
  Dims sizes;
  std::vector<std::byte> elements;

  friend bool operator==(const NodeTensor&, const NodeTensor&) = default;
};

struct NodeInput {
  std::string name;  ///< as ONNX's document has it
  NodeTensor tensor;
  bool is_constant = false;  ///< part of the model: an initializer
};
struct NodeOutput {
  std::string name;
  NodeTensor tensor;
};

struct Node {
  using Value = std::variant<std::int64_t, std::string, std::vector<std::int64_t>>;

  std::string op_type;
  std::uint32_t opset = 0;
  std::vector<std::pair<std::string, Value>> attributes;
  std::vector<std::optional<NodeInput>> inputs;  ///< nothing: left out
  std::vector<NodeOutput> outputs;

  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
  [[nodiscard]] const std::vector<std::int64_t>* integers(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  /// Null where it is left out.
  [[nodiscard]] const NodeInput* input(std::size_t place) const;
};

/// What the other side has no words for; what() says what that is.
class CannotSay : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An operator with the elements of its inputs and outputs, in the order of the fields.
struct Filled {
  Operator op;
  Version version = FeatureLevel::k6_4;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::vector<std::byte>> outputs;
};

/// The operators of ONNX that some operator here can be said as: "Gather".
[[nodiscard]] std::vector<std::string_view> node_types();
/// Throws CannotSay.
[[nodiscard]] Node to_node(const Filled& filled);
/// Throws CannotSay where no operator here can say it.
[[nodiscard]] Filled from_node(const Node& node);

// For each operator:
//   node_type  the operator of ONNX that it is said as
//   to_node    of a valid operator; throws CannotSay
//   from_node  throws CannotSay. The elements come in the order of the operator's fields; its
//   layouts
//              are packed, and nobody has asked yet whether it is valid
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define OPCONFORM_OPERATOR(file, Type, prefix)          \
  std::string_view node_type(std::type_identity<Type>); \
  Node to_node(const Type& op, const Filled& filled);   \
  Filled from_node(std::type_identity<Type> which, const Node& node);
// NOLINTEND(bugprone-macro-parentheses)
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

// For the operators of DirectML, which ONNX's have other types and shapes than.

/// The opset in which they are said: the operators have not changed for a long time then, and
/// everything reads it.
inline constexpr std::uint32_t kOpsetOfDirectml = 13;

[[nodiscard]] NodeTensor tensor_of(const TensorDesc& tensor, std::vector<std::byte> elements);
/// A list of numbers as a constant input.
[[nodiscard]] NodeInput constant(std::string name, const std::vector<std::int64_t>& numbers);
/// Of a tensor of int32 or int64. Throws CannotSay where it is something else.
[[nodiscard]] std::vector<std::int64_t> numbers_of(const NodeInput& input);
/// Counted from the front. Throws CannotSay where there is no such dimension.
[[nodiscard]] std::size_t axis_from_front(std::int64_t axis, std::size_t rank);
/// Throw CannotSay where the node has none there.
[[nodiscard]] const NodeInput& demand_input(const Node& node, std::size_t place);
[[nodiscard]] const NodeOutput& demand_output(const Node& node, std::size_t place);

}  // namespace opconform::interchange
