// Requests of docs/protocol.md into operators, read as fast as that goes: JSON whose texts have no
// escapes, from a host that writes what the page says.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/operator.h"

namespace opconform::plugins {

/// A value that refers to the text.
struct JsonView {
  std::string_view text;  ///< of a number, of a text without its quotes
  std::vector<std::string_view> keys;
  std::vector<JsonView> values;

  [[nodiscard]] const JsonView* find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key) return &values[i];
    return nullptr;
  }
  [[nodiscard]] const JsonView& at(std::string_view key) const {
    const JsonView* const found = find(key);
    if (found == nullptr) throw std::runtime_error("no key " + std::string(key));
    return *found;
  }
  template <class Integer>
  [[nodiscard]] Integer number() const {
    Integer value{};
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
      throw std::runtime_error("no number: " + std::string(text));
    return value;
  }
};

class JsonViewReader {
 public:
  explicit JsonViewReader(std::string_view text) : text_(text) {}

  JsonView value() {
    JsonView read;
    const char first = peek();
    if (first == '"') {
      read.text = quoted();
    } else if (first == '{' || first == '[') {
      ++at_;
      while (peek() != '}' && peek() != ']') {
        if (peek() == ',') ++at_;
        if (first == '{') {
          read.keys.push_back((void(peek()), quoted()));
          if (peek() == ':') ++at_;
        }
        read.values.push_back(value());
      }
      ++at_;
    } else {
      const std::size_t end = std::min(text_.find_first_of(",]}", at_), text_.size());
      read.text = text_.substr(std::exchange(at_, end), end - at_);
    }
    return read;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ >= text_.size()) throw std::runtime_error("the JSON ends too early");
    return text_[at_];
  }
  std::string_view quoted() {
    const std::size_t first = at_ + 1;
    const std::size_t end = text_.find('"', first);
    at_ = std::min(end, text_.size() - 1) + 1;
    return text_.substr(first, end - first);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Reads the fields of a descriptor; a visitor of the operator's field list.
class FieldsOfRequest {
 public:
  FieldsOfRequest(const JsonView& desc, Dialect dialect) : desc_(desc), dialect_(dialect) {}

  void operator()(const TensorField& field, TensorDesc& tensor) const {
    tensor = read(desc_.at(field.name));
  }
  void operator()(const TensorField& field, std::vector<TensorDesc>& tensors) const {
    tensors.clear();
    for (const JsonView& one : desc_.at(field.name).values) tensors.push_back(read(one));
  }
  void operator()(const CountField& /*field*/) const {}
  void operator()(const ScalarField& field, std::uint32_t& value) const {
    value = desc_.at(field.name).number<std::uint32_t>();
  }
  void operator()(const ScalarField& field, std::optional<std::int64_t>& value) const {
    if (const JsonView* const given = desc_.find(field.name)) value = given->number<std::int64_t>();
  }
  template <class Integer>
  void operator()(const ArrayField& field, InlineVector<Integer, kMaxRank>& values) const {
    for (const JsonView& one : desc_.at(field.name).values) values.push_back(one.number<Integer>());
  }

 private:
  static Dims dims_of(const JsonView& list) {
    Dims dims;
    for (const JsonView& one : list.values) dims.push_back(one.number<std::uint64_t>());
    return dims;
  }
  [[nodiscard]] TensorDesc read(const JsonView& json) const {
    const bool is_directml = dialect_ == Dialect::kDirectml;
    TensorDesc tensor;
    tensor.data_type =
        parse_data_type(json.at(is_directml ? "DataType" : "type").text, dialect_).value();
    tensor.sizes = dims_of(json.at(is_directml ? "Sizes" : "shape"));
    if (const JsonView* const strides = json.find("Strides")) tensor.strides = dims_of(*strides);
    if (!is_directml) return tensor;
    if (const JsonView* const total = json.find("TotalTensorSizeInBytes"))
      tensor.total_tensor_size_bytes = total->number<std::uint64_t>();
    else if (stride_count_matches(tensor))
      tensor.total_tensor_size_bytes = buffer_tensor_size(tensor).value_or(0);
    return tensor;
  }

  const JsonView& desc_;
  Dialect dialect_;
};

struct Asked {
  Operator op;
  Version version;
};

inline Asked asked_of(const JsonView& request) {
  Operator op = make_operator(request.at("operator").text).value();
  const Dialect dialect = describe(op).dialect;
  const JsonView& version = request.at(dialect == Dialect::kDirectml ? "feature_level" : "opset");
  std::visit([&](auto& o) { o.visit_fields(o, FieldsOfRequest(request.at("desc"), dialect)); }, op);
  return {std::move(op), Version::parse(version.text, dialect).value()};
}

}  // namespace opconform::plugins
