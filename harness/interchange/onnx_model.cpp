#include "harness/interchange/onnx_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>

#include <onnx.pb.h>
#include "harness/base/bad_input.h"
#include "harness/base/text.h"

namespace opconform::interchange {
namespace {

/// Files of this version are read by everything that knows opset 13.
constexpr std::int64_t kIrVersion = 7;
/// What a tensor may have, like the buffers of a case.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31;

/// The values of TensorProto.DataType.
constexpr std::array<std::pair<std::int32_t, DataType>, 16> kTypes{{{1, DataType::kFloat32},
                                                                    {2, DataType::kUint8},
                                                                    {3, DataType::kInt8},
                                                                    {4, DataType::kUint16},
                                                                    {5, DataType::kInt16},
                                                                    {6, DataType::kInt32},
                                                                    {7, DataType::kInt64},
                                                                    {8, DataType::kString},
                                                                    {9, DataType::kBool},
                                                                    {10, DataType::kFloat16},
                                                                    {11, DataType::kFloat64},
                                                                    {12, DataType::kUint32},
                                                                    {13, DataType::kUint64},
                                                                    {14, DataType::kComplex64},
                                                                    {15, DataType::kComplex128},
                                                                    {16, DataType::kBfloat16}}};

std::int32_t number_of(DataType type) {
  for (const auto& [number, one] : kTypes)
    if (one == type) return number;
  throw CannotSay("a data type that ONNX does not have");
}

DataType type_of(std::int32_t number) {
  for (const auto& [one, type] : kTypes)
    if (one == number) return type;
  throw CannotSay("the data type number " + std::to_string(number));
}

StringElement string_at(const NodeTensor& tensor, std::size_t i) {
  StringElement element;
  std::memcpy(&element, tensor.elements.data() + i * sizeof element, sizeof element);
  return element;
}

void put_tensor(const std::string& name, const NodeTensor& tensor, wire::Tensor& to) {
  to.set_name(name);
  for (const std::uint64_t size : tensor.sizes) to.add_dims(static_cast<std::int64_t>(size));
  to.set_data_type(number_of(tensor.type));
  if (tensor.type == DataType::kString) {
    for (std::size_t i = 0; i < tensor.elements.size() / sizeof(StringElement); ++i) {
      const StringElement element = string_at(tensor, i);
      to.add_string_data(element.bytes, element.size_bytes);
    }
    return;
  }
  to.set_raw_data(tensor.elements.data(), tensor.elements.size());
}

void put_value(const std::string& name, const NodeTensor& tensor, wire::Value& to) {
  to.set_name(name);
  wire::TensorType& type = *to.mutable_type()->mutable_tensor_type();
  type.set_elem_type(number_of(tensor.type));
  wire::Shape& shape = *type.mutable_shape();
  for (const std::uint64_t size : tensor.sizes)
    shape.add_dim()->set_dim_value(static_cast<std::int64_t>(size));
}

void put_attribute(const std::string& name, const Node::Value& value, wire::Attribute& to) {
  to.set_name(name);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    to.set_type(wire::Attribute::INT);
    to.set_i(*integer);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    to.set_type(wire::Attribute::STRING);
    to.set_s(*text);
  } else {
    to.set_type(wire::Attribute::INTS);
    for (const std::int64_t one : std::get<std::vector<std::int64_t>>(value)) to.add_ints(one);
  }
}

/// Elements that stand as numbers of another type in a field of their own.
template <class Stored, class Numbers>
void append_as(const Numbers& numbers, std::vector<std::byte>& elements) {
  for (const auto number : numbers) {
    const auto stored = static_cast<Stored>(number);
    const auto* bytes = reinterpret_cast<const std::byte*>(&stored);
    elements.insert(elements.end(), bytes, bytes + sizeof stored);
  }
}

std::vector<std::byte> listed_elements(const wire::Tensor& tensor, DataType type,
                                       cases::StringPool& strings) {
  std::vector<std::byte> elements;
  switch (type) {
    case DataType::kFloat32:
    case DataType::kComplex64:
      append_as<float>(tensor.float_data(), elements);
      break;
    case DataType::kFloat64:
    case DataType::kComplex128:
      append_as<double>(tensor.double_data(), elements);
      break;
    case DataType::kInt64:
      append_as<std::int64_t>(tensor.int64_data(), elements);
      break;
    case DataType::kUint64:
      append_as<std::uint64_t>(tensor.uint64_data(), elements);
      break;
    case DataType::kUint32:
      append_as<std::uint32_t>(tensor.uint64_data(), elements);
      break;
    case DataType::kInt32:
      append_as<std::int32_t>(tensor.int32_data(), elements);
      break;
    case DataType::kString:
      for (const std::string& text : tensor.string_data()) {
        const StringElement element = strings.add(text);
        const auto* bytes = reinterpret_cast<const std::byte*>(&element);
        elements.insert(elements.end(), bytes, bytes + sizeof element);
      }
      break;
    default:  // of one or two bytes
      if (element_size_bytes(type) == 1)
        append_as<std::uint8_t>(tensor.int32_data(), elements);
      else
        append_as<std::uint16_t>(tensor.int32_data(), elements);
  }
  return elements;
}

NodeTensor take_tensor(const wire::Tensor& from, const std::string& file,
                       cases::StringPool& strings) {
  NodeTensor tensor;
  tensor.type = type_of(from.data_type());
  if (static_cast<std::size_t>(from.dims_size()) > kMaxRank)
    throw CannotSay("a tensor of rank " + std::to_string(from.dims_size()));
  for (const std::int64_t size : from.dims()) {
    if (size < 0)
      throw base::BadInput(file, "dims", std::to_string(size) + " is no size of a dimension");
    tensor.sizes.push_back(static_cast<std::uint64_t>(size));
  }
  const std::uint64_t count =
      element_count(tensor.sizes).value_or(std::numeric_limits<std::uint64_t>::max());
  if (count > kMostElements)
    throw base::BadInput(file, "dims", std::to_string(count) + " elements are too many");
  const std::size_t wanted = count * element_size_bytes(tensor.type);
  if (from.has_raw_data() && tensor.type != DataType::kString) {
    const auto* bytes = reinterpret_cast<const std::byte*>(from.raw_data().data());
    tensor.elements.assign(bytes, bytes + from.raw_data().size());
  } else {
    tensor.elements = listed_elements(from, tensor.type, strings);
  }
  if (tensor.elements.size() != wanted)
    throw base::BadInput(file, "",
                         "the tensor " + base::in_quotes(from.name()) + " has " +
                             std::to_string(tensor.elements.size()) +
                             " bytes of elements, but its dimensions need " +
                             std::to_string(wanted));
  return tensor;
}

Node::Value value_of(const wire::Attribute& attribute) {
  switch (attribute.type()) {
    case wire::Attribute::INT:
      return attribute.i();
    case wire::Attribute::STRING:
      return attribute.s();
    case wire::Attribute::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    default:
      throw CannotSay("the attribute " + base::in_quotes(attribute.name()));
  }
}

std::uint32_t opset_of(const wire::Model& model) {
  for (const wire::OperatorSet& one : model.opset_import())
    if (one.domain().empty() || one.domain() == "ai.onnx") {
      if (one.version() < 1 || one.version() > 1000)
        throw CannotSay("opset " + std::to_string(one.version()));
      return static_cast<std::uint32_t>(one.version());
    }
  throw CannotSay("a model without an opset of ONNX");
}

std::string as_bytes(const google::protobuf::MessageLite& message) {
  return message.SerializeAsString();
}

}  // namespace

std::string model_bytes(const Node& node) {
  wire::Model model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("opconform");
  wire::OperatorSet& opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(node.opset);
  wire::Graph& graph = *model.mutable_graph();
  graph.set_name(node.op_type);
  wire::Node& one = *graph.add_node();
  one.set_op_type(node.op_type);
  for (const auto& [name, value] : node.attributes)
    put_attribute(name, value, *one.add_attribute());
  for (const std::optional<NodeInput>& input : node.inputs) {
    one.add_input(input ? input->name : "");
    if (!input) continue;
    if (input->is_constant)
      put_tensor(input->name, input->tensor, *graph.add_initializer());
    else
      put_value(input->name, input->tensor, *graph.add_input());
  }
  for (const NodeOutput& output : node.outputs) {
    one.add_output(output.name);
    put_value(output.name, output.tensor, *graph.add_output());
  }
  return as_bytes(model);
}

std::string tensor_bytes(const std::string& name, const NodeTensor& tensor) {
  wire::Tensor message;
  put_tensor(name, tensor, message);
  return as_bytes(message);
}

Node read_model(std::string_view bytes, const std::string& file, cases::StringPool& strings) {
  wire::Model model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph())
    throw base::BadInput(file, "", "is no model of ONNX");
  const wire::Graph& graph = model.graph();
  if (graph.node_size() != 1)
    throw CannotSay("a model of " + std::to_string(graph.node_size()) + " nodes");
  const wire::Node& one = graph.node(0);
  if (!one.domain().empty() && one.domain() != "ai.onnx")
    throw CannotSay("an operator of the domain " + base::in_quotes(one.domain()));
  Node node;
  node.op_type = one.op_type();
  node.opset = opset_of(model);
  for (const wire::Attribute& attribute : one.attribute())
    node.attributes.emplace_back(attribute.name(), value_of(attribute));
  std::map<std::string, const wire::Tensor*> constants;
  for (const wire::Tensor& tensor : graph.initializer()) constants[tensor.name()] = &tensor;
  for (const std::string& name : one.input()) {
    if (name.empty()) {
      node.inputs.emplace_back();
      continue;
    }
    NodeInput input{name, {}, constants.contains(name)};
    if (input.is_constant) input.tensor = take_tensor(*constants[name], file, strings);
    node.inputs.emplace_back(std::move(input));
  }
  for (const std::string& name : one.output()) node.outputs.push_back({name, {}});
  return node;
}

NodeTensor read_tensor(std::string_view bytes, const std::string& file,
                       cases::StringPool& strings) {
  wire::Tensor tensor;
  if (!tensor.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw base::BadInput(file, "", "is no tensor of ONNX");
  return take_tensor(tensor, file, strings);
}

}  // namespace opconform::interchange
