#include "harness/interchange/node.h"

#include <algorithm>
#include <cstring>

#include "harness/base/text.h"

namespace opconform::interchange {
namespace {

template <class Value>
const Value* attribute(const Node& node, std::string_view name) {
  const auto found = std::find_if(node.attributes.begin(), node.attributes.end(),
                                  [&](const auto& one) { return one.first == name; });
  return found == node.attributes.end() ? nullptr : std::get_if<Value>(&found->second);
}

}  // namespace

std::optional<std::int64_t> Node::integer(std::string_view name) const {
  const auto* value = attribute<std::int64_t>(*this, name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

const std::vector<std::int64_t>* Node::integers(std::string_view name) const {
  return attribute<std::vector<std::int64_t>>(*this, name);
}

std::optional<std::string> Node::text(std::string_view name) const {
  const auto* value = attribute<std::string>(*this, name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

const NodeInput* Node::input(std::size_t place) const {
  return place < inputs.size() && inputs[place] ? &*inputs[place] : nullptr;
}

NodeTensor tensor_of(const TensorDesc& tensor, std::vector<std::byte> elements) {
  return {tensor.data_type, tensor.sizes, std::move(elements)};
}

NodeInput constant(std::string name, const std::vector<std::int64_t>& numbers) {
  NodeInput input{std::move(name), {DataType::kInt64, {numbers.size()}, {}}, true};
  input.tensor.elements.resize(numbers.size() * sizeof(std::int64_t));
  std::memcpy(input.tensor.elements.data(), numbers.data(), input.tensor.elements.size());
  return input;
}

std::vector<std::int64_t> numbers_of(const NodeInput& input) {
  const auto read = [&]<class Number>(std::type_identity<Number>) {
    std::vector<Number> numbers(input.tensor.elements.size() / sizeof(Number));
    std::memcpy(numbers.data(), input.tensor.elements.data(), numbers.size() * sizeof(Number));
    return std::vector<std::int64_t>(numbers.begin(), numbers.end());
  };
  if (input.tensor.type == DataType::kInt32) return read(std::type_identity<std::int32_t>{});
  if (input.tensor.type == DataType::kInt64) return read(std::type_identity<std::int64_t>{});
  throw CannotSay("the input " + base::in_quotes(input.name) + " must be int32 or int64");
}

std::size_t axis_from_front(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count)
    throw CannotSay("a tensor of rank " + std::to_string(rank) + " has no axis " +
                    std::to_string(axis));
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

const NodeInput& demand_input(const Node& node, std::size_t place) {
  const NodeInput* const input = node.input(place);
  if (input == nullptr)
    throw CannotSay(node.op_type + " without its input number " + std::to_string(place));
  return *input;
}

const NodeOutput& demand_output(const Node& node, std::size_t place) {
  if (place >= node.outputs.size())
    throw CannotSay(node.op_type + " without its output number " + std::to_string(place));
  return node.outputs[place];
}

std::vector<std::string_view> node_types() {
  std::vector<std::string_view> types;
  for_each_operator([&](auto which) { types.push_back(node_type(which)); });
  return types;
}

Node to_node(const Filled& filled) {
  return std::visit([&](const auto& op) { return to_node(op, filled); }, filled.op);
}

Filled from_node(const Node& node) {
  std::optional<Filled> filled;
  for_each_operator([&](auto which) {
    if (!filled && node_type(which) == node.op_type) filled = from_node(which, node);
  });
  if (filled) return *std::move(filled);
  throw CannotSay("no operator here is like " + base::in_quotes(node.op_type));
}

}  // namespace opconform::interchange
