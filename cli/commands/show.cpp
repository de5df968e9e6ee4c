#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/output.h"
#include "harness/base/layout.h"
#include "harness/cases/contents.h"

namespace opconform::cli {
namespace {

using harness::Case;
using harness::Contents;
using harness::Expectation;
using harness::ExpectedOutput;

constexpr std::uint64_t kMostElementsShown = 64;

template <class Values>
std::string braced(const Values& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "{" + text + "}";
}

std::string elements_text(DataType type, const std::vector<std::byte>& bytes,
                          const std::vector<ExpectedOutput::Freedom>& freedoms = {}) {
  const std::size_t size_bytes = element_size_bytes(type);
  const std::size_t count = bytes.size() / size_bytes;
  const auto value = [&](const std::byte* element) {
    return harness::printable(harness::element_to_json(type, element)
                                  .dump(-1, ' ', false, harness::Json::error_handler_t::replace));
  };
  std::string text;
  auto freedom = freedoms.begin();
  for (std::size_t i = 0; i < std::min<std::size_t>(count, kMostElementsShown); ++i) {
    text += text.empty() ? "" : " ";
    const bool free = freedom != freedoms.end() && freedom->element == i;
    if (free && freedom->any) {
      text += "any";
    } else {
      text += value(bytes.data() + i * size_bytes);
      for (std::size_t at = 0; free && at < freedom->values.size(); at += size_bytes)
        text += "|" + value(freedom->values.data() + at);
    }
    if (free) ++freedom;
  }
  if (count > kMostElementsShown) text += " ... (" + std::to_string(count) + " elements)";
  return count == 0 ? "(no elements)" : text;
}

std::string contents_text(const Contents& contents, DataType type) {
  switch (contents.kind) {
    case Contents::Kind::kNone:
      return "";
    case Contents::Kind::kLogical:
      return "elements " + elements_text(type, contents.bytes);
    case Contents::Kind::kPhysical:
      return "buffer " + elements_text(type, contents.bytes);
    case Contents::Kind::kIota:
      return "fill iota from " + std::to_string(contents.seed);
    case Contents::Kind::kRandom:
      return "fill random, seed " + std::to_string(contents.seed);
  }
  return "";
}

/// Prints the fields of a descriptor; a visitor of the operator's field list.
class FieldPrinter {
 public:
  FieldPrinter(Dialect dialect, const std::vector<Contents>& inputs)
      : dialect_(dialect), inputs_(inputs) {}

  void operator()(const TensorField& field, const TensorDesc& tensor) {
    print_tensor(std::string(field.name), field, tensor);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      print_tensor(FieldPath{field.name, i}.text(), field, tensors[i]);
  }
  void operator()(const CountField& /*field*/) {}
  void operator()(const ScalarField& field, std::uint32_t value) {
    line(field.name, std::to_string(value));
  }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    line(field.name, value ? std::to_string(*value) : "left out");
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    line(field.name, braced(values));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void line(std::string_view name, const std::string& value) {
    text_ += "  " + std::string(name) + " = " + value + "\n";
  }
  void print_tensor(const std::string& path, const TensorField& field, const TensorDesc& tensor) {
    std::string value = std::string(name(tensor.data_type, dialect_)) + " " + braced(tensor.sizes);
    if (tensor.strides) value += " strides " + braced(*tensor.strides);
    if (dialect_ == Dialect::kDirectml)
      value += ", " + std::to_string(tensor.total_tensor_size_bytes) + " bytes";
    line(path, value);
    if (field.access != Access::kInput) return;
    const std::string contents = contents_text(inputs_[next_input_++], tensor.data_type);
    if (!contents.empty()) text_ += "    " + contents + "\n";
  }

  Dialect dialect_;
  const std::vector<Contents>& inputs_;
  std::size_t next_input_ = 0;
  std::string text_;
};

std::string expectation_text(const Expectation& expectation, const harness::TensorList& tensors,
                             const std::string& indent) {
  std::string text;
  switch (expectation.kind) {
    case Expectation::Kind::kReference:
      return indent + "what the reference gives\n";
    case Expectation::Kind::kOutputs:
      for (std::size_t i = 0; i < expectation.outputs.size(); ++i)
        text += indent + tensors.outputs[i].path.text() + " holds " +
                elements_text(tensors.outputs[i].desc.data_type, expectation.outputs[i].elements,
                              expectation.outputs[i].freedoms) +
                "\n";
      return text;
    case Expectation::Kind::kRejected:
      for (const std::string& rule : expectation.rules)
        text += indent + "refused for " + rule + "\n";
      return text;
    case Expectation::Kind::kError:
      return indent + "execution fails for " + expectation.rules.front() + ", outputs untouched\n";
    case Expectation::Kind::kAnyOf:
      text = indent + "any of\n";
      for (const Expectation& one : expectation.any_of)
        text += expectation_text(one, tensors, indent + "  ");
      return text;
  }
  return text;
}

std::string case_text(const Case& one) {
  const OperatorText op = describe(one.op);
  std::string text = one.id + "\n";
  if (!one.says.empty()) text += "  " + harness::printable(one.says) + "\n";
  text += "\n";
  if (!one.document.empty())
    text += "from " +
            harness::printable(one.document + (one.section.empty() ? "" : ", " + one.section)) +
            "\n";
  text += "in " + harness::printable(one.file) + "\n\n";
  text += one.operator_name +
          (op.dialect == Dialect::kDirectml ? " at feature level " : " at opset ") +
          one.version.text() + "\n";
  FieldPrinter printer(op.dialect, one.inputs);
  std::visit([&](const auto& o) { o.visit_fields(o, printer); }, one.op);
  text += printer.text() + "\nwhat conforms\n" +
          expectation_text(one.expect, harness::TensorList(one.op), "  ");
  if (!one.twin.empty()) text += "\nthe valid twin is " + harness::printable(one.twin) + "\n";
  for (const std::string& rule : one.rules) {
    const RuleText* row = find_rule(rule);
    text += "\n" + rule + " (" + std::string(name(row->kind)) + ")\n  " +
            std::string(row->statement) + "\n";
  }
  for (const std::string& name : one.errata) {
    const Erratum* erratum = find_erratum(name);
    text += "\nerratum " + name + "\n  printed: " + std::string(erratum->printed) +
            "\n  read as: " + std::string(erratum->reading) + "\n";
  }
  return text;
}

struct ShowArguments {
  std::string id;
  std::vector<std::string> paths;
};

int show_command(const ShowArguments& arguments) {
  int exit_code = kAllAsExpected;
  const harness::LoadedCases loaded = load(arguments.paths, exit_code);
  const auto found = std::find_if(loaded.cases.begin(), loaded.cases.end(),
                                  [&](const Case& one) { return one.id == arguments.id; });
  if (found == loaded.cases.end()) {
    if (exit_code == kAllAsExpected)
      complain("no case has the id " + harness::in_quotes(arguments.id));
    return kBadInput;
  }
  print(case_text(*found));
  return exit_code;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* show = app.add_subcommand(
      "show", "Explain one case: descriptor, contents, what conforms, rules, errata");
  show->add_option("id", arguments->id, "The case's id")->type_name("CASE-ID")->required();
  show->add_option("paths", arguments->paths, "Where to look; left out: the committed cases")
      ->type_name("CASE-FILE|DIR");
  show->callback([arguments, &exit_code] { exit_code = show_command(*arguments); });
}

}  // namespace opconform::cli
