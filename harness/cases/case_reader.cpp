#include "harness/cases/case_reader.h"

#include <algorithm>
#include <set>

#include "harness/base/bad_input.h"
#include "harness/base/names.h"
#include "harness/base/suggestion.h"
#include "harness/base/text.h"
#include "harness/cases/patterns.h"
#include "harness/cases/tensor_reader.h"

namespace opconform::cases {
namespace {

/// Reads the fields of a descriptor; a visitor of the operator's field list.
class FieldReader {
 public:
  FieldReader(base::ObjectReader& desc, const TensorContext& context, std::vector<Contents>& inputs)
      : desc_(desc), context_(context), inputs_(inputs) {}

  void operator()(const TensorField& field, TensorDesc& tensor) {
    read_one(desc_.require(field.name), desc_.at(field.name), field, tensor);
  }
  void operator()(const TensorField& field, std::vector<TensorDesc>& tensors) {
    const base::Json& array = require_array(field.name);
    const base::Pointer at = desc_.at(field.name);
    tensors.resize(array.size());
    for (std::size_t i = 0; i < array.size(); ++i)
      read_one(array[i], base::Pointer(at, i), field, tensors[i]);
  }
  void operator()(const CountField& field) {
    const base::Json* value = desc_.find(field.name);
    std::optional<std::size_t> count;
    if (value != nullptr)
      count = base::read_integer<std::uint32_t>(*value, desc_.at(field.name), context_.file);
    std::string_view counted = field.name;
    for (const std::string_view array : field.arrays) {
      if (array.empty()) continue;
      const std::size_t length = require_array(array).size();
      if (count && length != *count)
        desc_.fail(array, "has length " + std::to_string(length) + ", but " + std::string(counted) +
                              " is " + std::to_string(*count) +
                              (counted == field.name ? "" : " long"));
      if (!count) counted = array;
      count = length;
    }
  }
  void operator()(const ScalarField& field, std::uint32_t& value) {
    value = base::read_integer<std::uint32_t>(desc_.require(field.name), desc_.at(field.name),
                                              context_.file);
  }
  void operator()(const ScalarField& field, std::optional<std::int64_t>& value) {
    if (const base::Json* given = desc_.find(field.name))
      value = base::read_integer<std::int64_t>(*given, desc_.at(field.name), context_.file);
  }
  template <class Integer>
  void operator()(const ArrayField& field, InlineVector<Integer, kMaxRank>& values) {
    const base::Json& array = require_array(field.name);
    const base::Pointer at = desc_.at(field.name);
    if (array.size() > kMaxRank)
      desc_.fail(field.name, "has " + std::to_string(array.size()) + " elements, more than the " +
                                 std::to_string(kMaxRank) + " that this program can hold");
    for (std::size_t i = 0; i < array.size(); ++i)
      values.push_back(base::read_integer<Integer>(array[i], base::Pointer(at, i), context_.file));
  }

 private:
  const base::Json& require_array(std::string_view name) {
    const base::Json& value = desc_.require(name);
    if (!value.is_array()) desc_.fail(name, "must be an array, but is " + base::excerpt(value));
    return value;
  }
  void read_one(const base::Json& value, const base::Pointer& at, const TensorField& field,
                TensorDesc& tensor) {
    Contents* contents = field.access == Access::kInput ? &inputs_.emplace_back() : nullptr;
    tensor = read_tensor(value, at, context_, field.access, contents);
  }

  base::ObjectReader& desc_;
  const TensorContext& context_;
  std::vector<Contents>& inputs_;
};

std::vector<std::string> rules_in(std::vector<std::string> names, const base::ObjectReader& reader,
                                  std::string_view key) {
  for (const std::string& name : names)
    if (find_rule(name) == nullptr) reader.fail(key, base::no_such_rule(name));
  return names;
}

/// Reads the `expect` of a case whose descriptor is known.
class ExpectationReader {
 public:
  ExpectationReader(const Operator& op, const TensorContext& context)
      : op_(op), context_(context) {}

  [[nodiscard]] Expectation read(const base::Json& value, const base::Pointer& at) const {
    base::ObjectReader reader(value, at, context_.file);
    Expectation expectation;
    if (const base::Json* outputs = reader.find("outputs")) {
      expectation.kind = Expectation::Kind::kOutputs;
      expectation.outputs = read_outputs(*outputs, reader.at("outputs"));
    } else if (reader.find("rejected") != nullptr) {
      expectation.kind = Expectation::Kind::kRejected;
      expectation.rules = rules_in(reader.find_strings("rejected"), reader, "rejected");
      if (expectation.rules.empty()) reader.fail("rejected", "must name at least one rule");
      std::sort(expectation.rules.begin(), expectation.rules.end());
    } else if (reader.find("error") != nullptr) {
      expectation.kind = Expectation::Kind::kError;
      expectation.rules = rules_in({*reader.find_string("error")}, reader, "error");
    } else {
      const base::Json* any_of = reader.find("any_of");
      if (any_of == nullptr)
        reader.fail("must have one of \"outputs\", \"rejected\", \"error\" and \"any_of\"");
      if (!any_of->is_array() || any_of->empty())
        reader.fail("any_of", "must be an array of at least one expectation");
      expectation.kind = Expectation::Kind::kAnyOf;
      const base::Pointer list_at = reader.at("any_of");
      for (std::size_t i = 0; i < any_of->size(); ++i)
        expectation.any_of.push_back(read((*any_of)[i], base::Pointer(list_at, i)));
    }
    reader.expect_no_others();
    return expectation;
  }

 private:
  [[nodiscard]] std::vector<ExpectedOutput> read_outputs(const base::Json& value,
                                                         const base::Pointer& at) const {
    base::ObjectReader reader(value, at, context_.file);
    std::vector<ExpectedOutput> outputs;
    const auto visit = [&](const auto& field, const auto&... tensor) {
      if constexpr (std::is_same_v<decltype(field), const TensorField&>) {
        if (field.access == Access::kOutput) (read_field(reader, field, tensor, outputs), ...);
      }
    };
    std::visit([&](const auto& op) { op.visit_fields(op, visit); }, op_);
    reader.expect_no_others();
    return outputs;
  }
  void read_field(base::ObjectReader& reader, const TensorField& field, const TensorDesc& tensor,
                  std::vector<ExpectedOutput>& outputs) const {
    outputs.push_back(
        read_expected_output(reader.require(field.name), tensor, reader.at(field.name), context_));
  }
  void read_field(base::ObjectReader& reader, const TensorField& field,
                  const std::vector<TensorDesc>& tensors,
                  std::vector<ExpectedOutput>& outputs) const {
    const base::Json& array = reader.require(field.name);
    if (!array.is_array() || array.size() != tensors.size())
      reader.fail(field.name, "must be an array of " + std::to_string(tensors.size()) +
                                  " outputs, but is " + base::excerpt(array));
    const base::Pointer at = reader.at(field.name);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      outputs.push_back(read_expected_output(array[i], tensors[i], base::Pointer(at, i), context_));
  }

  const Operator& op_;
  const TensorContext& context_;
};

void check_id(const std::string& id, const base::ObjectReader& reader) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '.' || c == '_' || c == '-';
  };
  if (id.empty() || !std::all_of(id.begin(), id.end(), allowed))
    reader.fail("id", base::in_quotes(id) + " is no id: letters, digits, / . _ -");
}

Version read_version(base::ObjectReader& reader, Dialect dialect, const std::string& file) {
  // Only the operator's own dialect has that key; the other's is an unknown key.
  if (dialect == Dialect::kOnnx) {
    const base::Json* opset = reader.find("opset");
    if (opset == nullptr) return Version::standard(dialect);
    const auto number = base::read_integer<std::uint32_t>(*opset, reader.at("opset"), file);
    if (number == 0) reader.fail("opset", "is 0, but opsets begin at 1");
    return Version::opset(number);
  }
  const std::optional<std::string> level = reader.find_string("feature_level");
  if (!level) return Version::standard(dialect);
  const std::optional<Version> version = Version::parse(*level, dialect);
  if (!version) reader.fail("feature_level", base::no_such_feature_level(*level));
  return *version;
}

/// An object; or the values alone, where the file's header names the factors.
std::vector<std::pair<std::string, std::string>> read_factors(const base::ObjectReader& parent,
                                                              const base::Json& value,
                                                              const std::vector<std::string>& names,
                                                              const std::string& file) {
  const base::Pointer at = parent.at("factors");
  if (value.is_array() && (names.empty() || value.size() != names.size()))
    throw base::BadInput(file, at.text(),
                         "has " + std::to_string(value.size()) +
                             " values, but \"generated\" names " + std::to_string(names.size()) +
                             " factors");
  if (!value.is_structured())
    throw base::BadInput(file, at.text(),
                         "must be an object or an array, but is " + base::excerpt(value));
  std::vector<std::pair<std::string, std::string>> factors;
  for (const auto& [key, chosen] : value.items()) {
    const std::size_t i = factors.size();
    if (!chosen.is_string())
      throw base::BadInput(
          file, value.is_array() ? base::Pointer(at, i).text() : base::Pointer(at, key).text(),
          "must be a string, but is " + base::excerpt(chosen));
    factors.emplace_back(value.is_array() ? names[i] : key, chosen.get<std::string>());
  }
  return factors;
}

/// The label of all cases of the file; empty where it has none.
std::string read_label(base::ObjectReader& document) {
  const std::optional<std::string> label = document.find_string("label");
  if (!label) return "";
  if (!is_case_label(*label))
    document.fail("label", base::in_quotes(*label) + " is no label of case files; there are: " +
                               base::listed({kCaseLabels.begin(), kCaseLabels.end()}));
  return *label;
}

/// "unknown" is the word of files whose script was not kept: it drew, and nobody can draw the same.
std::vector<std::uint64_t> read_seeds(const base::Json& seed, const base::Pointer& at,
                                      const std::string& file) {
  if (seed.is_null() || seed == "unknown") return {};
  if (!seed.is_array()) return {base::read_integer<std::uint64_t>(seed, at, file)};
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 0; i < seed.size(); ++i)
    seeds.push_back(base::read_integer<std::uint64_t>(seed[i], base::Pointer(at, i), file));
  if (std::set(seeds.begin(), seeds.end()).size() != seeds.size() || seeds.size() < 2)
    throw base::BadInput(file, at.text(), "must hold at least two seeds, each once");
  return seeds;
}

/// What a generated file says of itself: the names of its factors are returned. That its number of
/// cases is right shows that none is lost.
std::vector<std::string> read_header(base::ObjectReader& document, const base::Json& value,
                                     const base::Json& cases, const std::string& file) {
  const base::Pointer at = document.at("generated");
  base::ObjectReader header(value, at, file);
  for (const std::string_view key : {"by", "corpus", "hunts"}) {
    header.require(key);
    if (header.find_string(key)->empty()) header.fail(key, "must not be empty");
  }
  (void)read_seeds(header.require("seed"), header.at("seed"), file);
  const auto count =
      base::read_integer<std::uint64_t>(header.require("cases"), header.at("cases"), file);
  std::vector<std::string> factors = header.find_strings("factors");
  for (auto name = factors.begin(); name != factors.end(); ++name)
    if (std::find(factors.begin(), name, *name) != name)
      header.fail("factors", "must name each once, but names " + base::in_quotes(*name) + " twice");
  header.expect_no_others();
  if (count != cases.size())
    header.fail("cases", "is " + std::to_string(count) + ", but the file holds " +
                             std::to_string(cases.size()) + " cases");
  return factors;
}

void read_source(base::ObjectReader& parent, const base::Json& value, const std::string& file,
                 Case& result) {
  const base::Pointer at = parent.at("source");
  base::ObjectReader source(value, at, file);
  result.document = source.find_string("document").value_or("");
  result.section = source.find_string("section").value_or("");
  source.expect_no_others();
}

/// A file that is wrong all over must not bury what else there is to say.
constexpr std::size_t kMostMessagesOfAFile = 20;
/// Nor take minutes over a million faults.
constexpr std::size_t kMostBadCasesOfAFile = 1000;

/// What the cases of one file share.
struct FileContext {
  const std::string& file;
  std::string operator_name;
  Operator op;
  Case inherited;  // label, document and section
  std::uint64_t& pattern_elements_left;
  std::vector<std::string> factors;  // their names, where the header has them
};

Case read_case(const base::Json& value, const base::Pointer& at, const FileContext& context) {
  base::ObjectReader reader(value, at, context.file);
  Case result = context.inherited;
  result.file = context.file;
  result.operator_name = context.operator_name;
  result.op = context.op;
  result.strings = std::make_shared<StringPool>();

  reader.require("id");
  result.id = *reader.find_string("id");
  check_id(result.id, reader);
  result.says = reader.find_string("says").value_or("");
  if (const base::Json* factors = reader.find("factors"))
    result.factors = read_factors(reader, *factors, context.factors, context.file);
  result.rules = rules_in(reader.find_strings("rules"), reader, "rules");
  result.errata = reader.find_strings("errata");
  for (const std::string& name : result.errata)
    if (find_erratum(name) == nullptr) reader.fail("errata", base::no_such_erratum(name));
  result.twin = reader.find_string("twin").value_or("");
  if (const base::Json* source = reader.find("source"))
    read_source(reader, *source, context.file, result);

  const Dialect dialect = describe(result.op).dialect;
  result.version = read_version(reader, dialect, context.file);

  const TensorContext tensor_context{dialect, context.file, *result.strings,
                                     context.pattern_elements_left};
  const base::Json& desc_value = reader.require("desc");
  const base::Pointer desc_at = reader.at("desc");
  base::ObjectReader desc(desc_value, desc_at, context.file);
  FieldReader field_reader(desc, tensor_context, result.inputs);
  std::visit([&](auto& op) { op.visit_fields(op, field_reader); }, result.op);
  desc.expect_no_others();

  if (const base::Json* expect = reader.find("expect"))
    result.expect = ExpectationReader(result.op, tensor_context).read(*expect, reader.at("expect"));
  reader.expect_no_others();
  return result;
}

}  // namespace

std::vector<std::uint64_t> seeds_of(const base::Json& document, const std::string& file) {
  const auto header = document.find("generated");
  if (header == document.end()) return {};
  const base::Pointer root;
  const base::Pointer at(root, "generated");
  return read_seeds(header->at("seed"), base::Pointer(at, "seed"), file);
}

void read_cases(const base::Json& document, const std::string& file, LoadedCases& loaded) {
  const base::Pointer root;
  base::ObjectReader reader(document, root, file);
  reader.find_string("$schema");
  reader.require("operator");
  const std::string operator_name = *reader.find_string("operator");
  const std::optional<Operator> op = make_operator(operator_name);
  if (!op) reader.fail("operator", base::no_such_operator(operator_name));
  std::uint64_t pattern_elements_left = kMostPatternElements;
  FileContext context{file, operator_name, *op, {}, pattern_elements_left, {}};
  context.inherited.label = read_label(reader);
  if (const base::Json* source = reader.find("source"))
    read_source(reader, *source, file, context.inherited);
  const base::Json& cases = reader.require("cases");
  const base::Json* generated = reader.find("generated");
  reader.expect_no_others();
  if (!cases.is_array() || cases.empty())
    reader.fail("cases", "must be an array of at least one case");
  if (generated != nullptr) context.factors = read_header(reader, *generated, cases, file);

  const base::Pointer cases_at = reader.at("cases");
  std::size_t bad = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const base::Pointer at(cases_at, i);
    try {
      loaded.cases.push_back(read_case(cases[i], at, context));
      loaded.cases.back().place = at.text();
    } catch (const base::BadInput& error) {
      if (++bad <= kMostMessagesOfAFile) loaded.bad_input.emplace_back(error.what());
      if (bad == kMostBadCasesOfAFile) break;
    }
  }
  if (bad == kMostBadCasesOfAFile)
    loaded.bad_input.push_back(file + ": " + std::to_string(bad) +
                               " cases cannot be read; those behind them were not looked at");
  else if (bad > kMostMessagesOfAFile)
    loaded.bad_input.push_back(file + ": and " + std::to_string(bad - kMostMessagesOfAFile) +
                               " more cases that cannot be read");
}

}  // namespace opconform::cases
