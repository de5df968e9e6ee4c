// What a case means, whatever its file looks like: a hash over id, operator, version, descriptor,
// contents and expectation, element by element.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "harness/cases/case.h"
#include "spec/operator.h"

namespace opconform::test {

/// Writes each part of a case with its length or a separator, so that no two cases read alike.
class CaseMeaning {
 public:
  explicit CaseMeaning(const cases::Case& one) {
    for (const std::string& text :
         {one.id, one.operator_name, one.version.text(), one.twin, one.document, one.section})
      add(text);
    add_all(one.rules);
    add_all(one.errata);
    std::visit([&](const auto& op) { op.visit_fields(op, *this); }, one.op);
    const cases::TensorList tensors(one.op);
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      const cases::Contents& input = one.inputs[i];
      add(std::to_string(static_cast<int>(input.kind)) + " " + std::to_string(input.seed));
      add_elements(tensors.inputs[i].desc.data_type, input.bytes);
      if (!input.except.empty()) add_numbers(input.except);
    }
    add_expectation(one.expect, tensors);
  }

  /// FNV-1a in 64 bits, as 16 hexadecimal digits.
  [[nodiscard]] std::string hash() const {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : text_) {
      hash ^= static_cast<unsigned char>(byte);
      hash *= 0x100000001b3;
    }
    std::string digits(16, '0');
    for (std::size_t i = digits.size(); i-- > 0; hash >>= 4)
      digits[i] = "0123456789abcdef"[hash % 16];
    return digits;
  }

  // A visitor of the operator's field list.
  void operator()(const TensorField& field, const TensorDesc& tensor) {
    add(std::string(field.name));
    add(std::string(name(tensor.data_type, Dialect::kOnnx)));
    add_numbers(tensor.sizes);
    add(tensor.strides ? "strides" : "packed");
    if (tensor.strides) add_numbers(*tensor.strides);
    add(std::to_string(tensor.total_tensor_size_bytes));
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    for (const TensorDesc& tensor : tensors) (*this)(field, tensor);
  }
  void operator()(const CountField& /*field*/) {}
  void operator()(const ScalarField& field, std::uint32_t value) {
    add(std::string(field.name) + " " + std::to_string(value));
  }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    add(std::string(field.name) + " " + (value ? std::to_string(*value) : "left out"));
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    add(std::string(field.name));
    add_numbers(values);
  }

 private:
  void add(std::string_view text) {
    text_ += std::to_string(text.size()) + ":";
    text_ += text;
  }
  void add_all(const std::vector<std::string>& texts) {
    add(std::to_string(texts.size()));
    for (const std::string& text : texts) add(text);
  }
  template <class Numbers>
  void add_numbers(const Numbers& numbers) {
    std::string text;
    for (const auto number : numbers) text += std::to_string(number) + " ";
    add(text);
  }
  void add_elements(DataType type, const std::vector<std::byte>& bytes) {
    if (type != DataType::kString) {
      return add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(StringElement)) {
      StringElement element;
      std::memcpy(&element, bytes.data() + at, sizeof element);
      add({element.bytes, element.size_bytes});
    }
  }
  void add_expectation(const cases::Expectation& expect, const cases::TensorList& tensors) {
    add(std::to_string(static_cast<int>(expect.kind)));
    add_all(expect.rules);
    for (std::size_t i = 0; i < expect.outputs.size(); ++i) {
      const DataType type = tensors.outputs[i].desc.data_type;
      const cases::ExpectedOutput& output = expect.outputs[i];
      add(output.unspecified ? "unspecified" : "said");
      add_elements(type, output.elements);
      for (const cases::ExpectedOutput::OpenElement& freedom : output.open_elements) {
        add(std::to_string(freedom.element) + (freedom.any ? " any" : " one of"));
        add_elements(type, freedom.values);
      }
    }
    for (const cases::Expectation& one : expect.any_of) add_expectation(one, tensors);
  }

  std::string text_;
};

}  // namespace opconform::test
