#include "harness/cases/case_writer.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "harness/cases/patterns.h"
#include "harness/cases/pretty.h"

namespace opconform::cases {
namespace {

/// Beyond this rank, contents are written flat: nobody reads five brackets.
constexpr std::size_t kMostNestedRank = 4;

/// Puts row-major elements into arrays of the tensor's shape; patterns into one.
base::Json arranged(std::vector<base::Json> elements, const TensorDesc& tensor, Lists lists) {
  const Dims& sizes = tensor.sizes;
  const bool empty = std::find(sizes.begin(), sizes.end(), 0U) != sizes.end();
  if (sizes.empty()) return elements.at(0);
  if (lists == Lists::kPatterns) return with_patterns(elements, tensor.data_type);
  if (!empty && sizes.size() <= kMostNestedRank) {
    for (std::size_t i = sizes.size(); i-- > 1;) {
      std::vector<base::Json> rows;
      for (std::size_t at = 0; at < elements.size(); at += sizes[i]) {
        const auto first = elements.begin() + static_cast<std::ptrdiff_t>(at);
        rows.emplace_back(
            base::Json::array_t(first, first + static_cast<std::ptrdiff_t>(sizes[i])));
      }
      elements = std::move(rows);
    }
  }
  return base::Json(base::Json::array_t(elements.begin(), elements.end()));
}

std::vector<base::Json> elements_of(const std::vector<std::byte>& bytes, DataType type) {
  std::vector<base::Json> elements;
  for (std::size_t at = 0; at < bytes.size(); at += element_size_bytes(type))
    elements.push_back(short_element_to_json(type, bytes.data() + at));
  return elements;
}

base::Json output_to_json(const ExpectedOutput& output, const TensorDesc& tensor, Lists lists) {
  if (output.unspecified)
    return arranged(
        std::vector<base::Json>(element_count(tensor.sizes).value_or(0), base::Json{{"any", true}}),
        tensor, lists);
  std::vector<base::Json> elements = elements_of(output.elements, tensor.data_type);
  for (const ExpectedOutput::OpenElement& open : output.open_elements) {
    base::Json& element = elements[open.element];
    if (open.any) {
      element = {{"any", true}};
      continue;
    }
    base::Json one_of = base::Json::array({element});
    for (base::Json& value : elements_of(open.values, tensor.data_type))
      one_of.push_back(std::move(value));
    element = base::Json{{"one_of", std::move(one_of)}};
  }
  return arranged(std::move(elements), tensor, lists);
}

base::Json fill_to_json(const Contents& contents, DataType type) {
  base::Json fill = {{"pattern", contents.kind == Contents::Kind::kIota ? "iota" : "random"},
                     {"seed", contents.seed}};
  if (contents.period != 0) fill["period"] = contents.period;
  std::vector<base::Json> elements = elements_of(contents.bytes, type);
  for (std::size_t i = 0; i < contents.except.size(); ++i)
    fill["except"].push_back(base::Json::array({contents.except[i], std::move(elements[i])}));
  return fill;
}

// The keys of a tensor.
const char* type_key(Dialect dialect) {
  return dialect == Dialect::kDirectml ? "DataType" : "type";
}
const char* sizes_key(Dialect dialect) { return dialect == Dialect::kDirectml ? "Sizes" : "shape"; }
constexpr const char* kStridesKey = "Strides";
constexpr const char* kTotalKey = "TotalTensorSizeInBytes";

bool has_strides(const TensorDesc& tensor, Dialect dialect) {
  return dialect == Dialect::kDirectml && tensor.strides.has_value();
}
/// Left out, the size is the least that the layout needs.
bool has_total(const TensorDesc& tensor, Dialect dialect) {
  if (dialect != Dialect::kDirectml) return false;
  return !stride_count_matches(tensor) ||
         buffer_tensor_size(tensor) != tensor.total_tensor_size_bytes;
}

/// Writes the fields of a descriptor; a visitor of the operator's field list.
class FieldWriter {
 public:
  FieldWriter(Dialect dialect, const std::vector<Contents>& inputs, Lists lists)
      : dialect_(dialect), inputs_(inputs), lists_(lists) {}

  void operator()(const TensorField& field, const TensorDesc& tensor) {
    json_[std::string(field.name)] = tensor_to_json(field, tensor);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    base::Json array = base::Json::array();
    for (const TensorDesc& tensor : tensors) array.push_back(tensor_to_json(field, tensor));
    json_[std::string(field.name)] = std::move(array);
  }
  void operator()(const CountField& /*field*/) {}
  void operator()(const ScalarField& field, std::uint32_t value) {
    json_[std::string(field.name)] = value;
  }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    if (value) json_[std::string(field.name)] = *value;
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    json_[std::string(field.name)] = base::Json(base::Json::array_t(values.begin(), values.end()));
  }
  base::Json take() { return std::move(json_); }

 private:
  base::Json tensor_to_json(const TensorField& field, const TensorDesc& tensor) {
    base::Json json = base::Json::object();
    json[type_key(dialect_)] = name(tensor.data_type, dialect_);
    json[sizes_key(dialect_)] =
        base::Json(base::Json::array_t(tensor.sizes.begin(), tensor.sizes.end()));
    if (has_strides(tensor, dialect_))
      json[kStridesKey] =
          base::Json(base::Json::array_t(tensor.strides->begin(), tensor.strides->end()));
    if (has_total(tensor, dialect_)) json[kTotalKey] = tensor.total_tensor_size_bytes;
    if (field.access == Access::kInput && next_input_ < inputs_.size())
      add_contents(inputs_[next_input_++], tensor, json);
    return json;
  }
  void add_contents(const Contents& contents, const TensorDesc& tensor, base::Json& json) const {
    switch (contents.kind) {
      case Contents::Kind::kNone:
        return;
      case Contents::Kind::kLogical:
        json["data"] = arranged(elements_of(contents.bytes, tensor.data_type), tensor, lists_);
        return;
      case Contents::Kind::kPhysical: {
        const std::vector<base::Json> elements = elements_of(contents.bytes, tensor.data_type);
        json["buffer"] = lists_ == Lists::kPatterns
                             ? with_patterns(elements, tensor.data_type)
                             : base::Json(base::Json::array_t(elements.begin(), elements.end()));
        return;
      }
      case Contents::Kind::kIota:
      case Contents::Kind::kRandom:
        json["fill"] = fill_to_json(contents, tensor.data_type);
        return;
    }
  }

  Dialect dialect_;
  const std::vector<Contents>& inputs_;
  Lists lists_;
  std::size_t next_input_ = 0;
  base::Json json_ = base::Json::object();
};

/// Writes the same as FieldWriter without contents, at once as text; names need no escapes.
class FieldText {
 public:
  explicit FieldText(Dialect dialect) : dialect_(dialect) { text_.reserve(512); }

  void operator()(const TensorField& field, const TensorDesc& tensor) {
    key(field.name);
    add(tensor);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    key(field.name);
    list(tensors, [this](const TensorDesc& tensor) { add(tensor); });
  }
  void operator()(const CountField& /*field*/) {}
  void operator()(const ScalarField& field, std::uint32_t value) {
    key(field.name);
    number(value);
  }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    if (!value) return;
    key(field.name);
    number(*value);
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    key(field.name);
    numbers(values);
  }
  std::string take() {
    text_ += text_.empty() ? "{}" : "}";
    return std::move(text_);
  }

 private:
  void key(std::string_view name) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += name;
    text_ += "\":";
  }
  template <class Integer>
  void number(Integer value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
  }
  template <class Values, class Add>
  void list(const Values& values, Add add) {
    text_ += '[';
    bool is_first = true;
    for (const auto& value : values) {
      if (!std::exchange(is_first, false)) text_ += ',';
      add(value);
    }
    text_ += ']';
  }
  template <class Values>
  void numbers(const Values& values) {
    list(values, [this](auto value) { this->number(value); });
  }
  void add(const TensorDesc& tensor) {
    text_ += "{\"";
    text_ += type_key(dialect_);
    text_ += "\":\"";
    text_ += name(tensor.data_type, dialect_);
    text_ += '"';
    key(sizes_key(dialect_));
    numbers(tensor.sizes);
    if (has_strides(tensor, dialect_)) {
      key(kStridesKey);
      numbers(*tensor.strides);
    }
    if (has_total(tensor, dialect_)) {
      key(kTotalKey);
      number(tensor.total_tensor_size_bytes);
    }
    text_ += '}';
  }

  Dialect dialect_;
  std::string text_;
};

/// Writes expected outputs under the names of the operator's fields.
class OutputsWriter {
 public:
  OutputsWriter(const Expectation& expectation, Lists lists)
      : expectation_(expectation), lists_(lists) {}
  template <class Field, class... Value>
  void operator()(const Field& field, const Value&... value) {
    if constexpr (std::is_same_v<Field, TensorField>) {
      if (field.access == Access::kOutput) (write(field, value), ...);
    }
  }
  base::Json take() { return std::move(json_); }

 private:
  void write(const TensorField& field, const TensorDesc& tensor) {
    json_[std::string(field.name)] = output_to_json(expectation_.outputs[next_++], tensor, lists_);
  }
  void write(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    base::Json array = base::Json::array();
    for (const TensorDesc& tensor : tensors)
      array.push_back(output_to_json(expectation_.outputs[next_++], tensor, lists_));
    json_[std::string(field.name)] = std::move(array);
  }

  const Expectation& expectation_;
  Lists lists_;
  std::size_t next_ = 0;
  base::Json json_ = base::Json::object();
};

base::Json expectation_to_json(const Expectation& expectation, const Operator& op, Lists lists) {
  switch (expectation.kind) {
    case Expectation::Kind::kReference:
      return nullptr;
    case Expectation::Kind::kOutputs: {
      OutputsWriter writer(expectation, lists);
      std::visit([&](const auto& o) { o.visit_fields(o, writer); }, op);
      return {{"outputs", writer.take()}};
    }
    case Expectation::Kind::kRejected:
      return {{"rejected", expectation.rules}};
    case Expectation::Kind::kError:
      return {{"error", expectation.rules.front()}};
    case Expectation::Kind::kAnyOf: {
      base::Json any_of = base::Json::array();
      for (const Expectation& one : expectation.any_of)
        any_of.push_back(expectation_to_json(one, op, lists));
      return {{"any_of", any_of}};
    }
  }
  return nullptr;
}

std::string operator_name(const Case& one) {
  return one.operator_name.empty() ? std::string(describe(one.op).name) : one.operator_name;
}

}  // namespace

std::string descriptor_text(const Operator& op) {
  FieldText text(describe(op).dialect);
  std::visit([&](const auto& o) { o.visit_fields(o, text); }, op);
  return text.take();
}

base::Json case_to_json(const Case& one, Lists lists) {
  base::Json json = {{"id", one.id}};
  if (!one.says.empty()) json["says"] = one.says;
  for (const auto& [name, chosen] : one.factors) json["factors"][name] = chosen;
  if (!one.rules.empty()) json["rules"] = one.rules;
  if (!one.document.empty() || !one.section.empty()) {
    base::Json source = base::Json::object();
    if (!one.document.empty()) source["document"] = one.document;
    if (!one.section.empty()) source["section"] = one.section;
    json["source"] = std::move(source);
  }
  const Dialect dialect = describe(one.op).dialect;
  if (dialect == Dialect::kDirectml)
    json["feature_level"] = one.version.text();
  else
    json["opset"] = one.version.number();
  FieldWriter writer(dialect, one.inputs, lists);
  std::visit([&](const auto& op) { op.visit_fields(op, writer); }, one.op);
  json["desc"] = writer.take();
  if (base::Json expect = expectation_to_json(one.expect, one.op, lists); !expect.is_null())
    json["expect"] = std::move(expect);
  if (!one.errata.empty()) json["errata"] = one.errata;
  if (!one.twin.empty()) json["twin"] = one.twin;
  return json;
}

base::Json cases_to_json(std::span<const Case> cases, const std::string& schema) {
  base::Json json = base::Json::object();
  if (!schema.empty()) json["$schema"] = schema;
  json["operator"] = operator_name(cases.front());
  if (!cases.front().label.empty()) json["label"] = cases.front().label;
  json["cases"] = base::Json::array();
  for (const Case& one : cases) json["cases"].push_back(case_to_json(one));
  return json;
}

namespace {

std::vector<std::string> factor_names(const Case& one) {
  std::vector<std::string> names;
  for (const auto& [name, chosen] : one.factors) names.push_back(name);
  return names;
}

/// Null says that nothing is drawn, which no seed at all would leave open.
base::Json seeds_json(const std::vector<std::uint64_t>& seeds) {
  if (seeds.empty()) return nullptr;
  return seeds.size() == 1 ? base::Json(seeds.front()) : base::Json(seeds);
}

/// Without the names of the factors, where the header has them.
base::Json generated_json(const Case& one, const std::vector<std::string>& names) {
  base::Json json = case_to_json(one, Lists::kPatterns);
  if (!names.empty() && factor_names(one) == names) {
    base::Json values = base::Json::array();
    for (const auto& [name, chosen] : one.factors) values.push_back(chosen);
    json["factors"] = std::move(values);
  }
  return json;
}

}  // namespace

std::string generated_text(std::span<const Case> cases, const GeneratedHeader& header,
                           const std::string& schema) {
  const std::vector<std::string> factors = factor_names(cases.front());
  base::Json generated = {{"by", header.by}};
  generated["seed"] = seeds_json(header.seeds);
  generated["corpus"] = header.corpus;
  generated["cases"] = cases.size();
  generated["hunts"] = header.hunts;
  if (!factors.empty()) generated["factors"] = factors;
  const auto line = [](const base::Json& value) {
    return value.dump(-1, ' ', false, base::Json::error_handler_t::replace);
  };
  const std::string& label = cases.front().label;
  std::string text = "{\"$schema\": " + line(schema) +
                     ", \"operator\": " + line(operator_name(cases.front())) +
                     (label.empty() ? "" : ", \"label\": " + line(label)) +
                     ",\n\"generated\": " + on_one_line(generated) + ",\n\"cases\": [\n";
  for (const Case& one : cases)
    text += line(generated_json(one, factors)) + (&one == &cases.back() ? "\n]}\n" : ",\n");
  return text;
}

}  // namespace opconform::cases
