#include "cli/case_text.h"

#include <algorithm>
#include <array>

#include "harness/cases/element.h"
#include "harness/cases/patterns.h"
#include "reports/columns.h"
#include "spec/validate.h"

namespace opconform::cli {
namespace {

using base::Json;
using cases::Case;
using cases::Contents;
using cases::Expectation;
using cases::ExpectedOutput;

/// Entries of a row, rows of a tensor.
constexpr std::size_t kMostEntriesShown = 16;
constexpr std::size_t kMostRowsShown = 16;

template <class Values>
std::string braced(const Values& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "{" + text + "}";
}

std::string plain(const Json& value) {
  return base::printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Where a ramp ends that many steps on. Its values fit: they were elements before.
Json stepped(const Json& first, const Json& step, std::uint64_t steps) {
  if (first.is_array())
    return Json::array({stepped(first[0], step[0], steps), stepped(first[1], step[1], steps)});
  const auto distance = static_cast<std::uint64_t>(step.get<std::int64_t>()) * steps;
  if (first.is_number_unsigned()) return first.get<std::uint64_t>() + distance;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(first.get<std::int64_t>()) +
                                   distance);
}

std::string ramp_text(const Json& first, const Json& step, std::uint64_t count) {
  return plain(first) + " " + plain(stepped(first, step, 1)) + " .. " +
         plain(stepped(first, step, count - 1));
}

/// As a case file writes it, but without the quotes of what is no string: NaN, 0x7fc00001.
std::string element_text(const Json& value, DataType type) {
  if (value.is_array())
    return "[" + element_text(value[0], type) + "," + element_text(value[1], type) + "]";
  return value.is_string() && type != DataType::kString ? value.get<std::string>() : plain(value);
}

/// An element of a list, or several: "any", "5|7", "0 x 12" (a run), "1 2 .. 30" (a ramp).
std::string entry_text(const Json& entry, DataType type) {
  if (!entry.is_object()) return element_text(entry, type);
  if (entry.contains("any")) return "any";
  if (entry.contains("run"))
    return entry_text(entry["run"][0], type) + " x " + plain(entry["run"][1]);
  if (entry.contains("ramp"))
    return ramp_text(entry["ramp"][0], entry["ramp"][1], entry["ramp"][2].get<std::uint64_t>());
  std::string text;
  for (const Json& value : entry["one_of"])
    text += (text.empty() ? "" : "|") + element_text(value, type);
  return text;
}

/// A long row, by its runs and ramps.
std::string shortened(std::span<const Json> row, DataType type) {
  const Json entries =
      cases::with_patterns({row.begin(), row.end()}, type, cases::Patterns::kPlain);
  std::string text;
  for (std::size_t i = 0; i < std::min(entries.size(), kMostEntriesShown); ++i)
    text += (text.empty()                   ? ""
             : entries.size() == row.size() ? " "
                                            : ", ") +
            entry_text(entries[i], type);
  if (entries.size() > kMostEntriesShown) text += " ...";
  return text + " (" + std::to_string(row.size()) + " elements)";
}

/// Each column is as wide as its widest entry; a single one, of long rows, is not aligned.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       const std::string& indent) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += indent;
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "" : " ") + reports::right(row[i], widths.size() == 1 ? 0 : widths[i]);
    text += "\n";
  }
  return text;
}

/// Elements in rows of the last dimension.
std::string rows_text(const std::vector<Json>& elements, std::uint64_t of_a_row, DataType type,
                      Shown shown, const std::string& indent) {
  if (elements.empty()) return indent + "no elements\n";
  const std::size_t length = std::clamp<std::size_t>(of_a_row, 1, elements.size());
  const std::size_t rows = (elements.size() + length - 1) / length;
  const std::size_t most = shown == Shown::kWhole ? rows : kMostRowsShown;
  const bool is_long = shown != Shown::kWhole && length > kMostEntriesShown;
  std::vector<std::vector<std::string>> table;
  for (std::size_t i = 0; i < std::min(rows, most); ++i) {
    const auto row =
        std::span(elements).subspan(i * length, std::min(length, elements.size() - i * length));
    std::vector<std::string>& entries = table.emplace_back();
    if (is_long)
      entries.push_back(shortened(row, type));
    else
      for (const Json& entry : row) entries.push_back(entry_text(entry, type));
  }
  std::string text = table_text(table, indent);
  if (rows > most) text += indent + "... (" + std::to_string(rows) + " rows)\n";
  return text;
}

std::vector<Json> elements_of(DataType type, const std::vector<std::byte>& bytes) {
  std::vector<Json> elements;
  for (std::size_t at = 0; at < bytes.size(); at += element_size_bytes(type))
    elements.push_back(cases::element_to_json(type, bytes.data() + at));
  return elements;
}

/// Of the last dimension that is one: sizes of 1 behind it would give a row to each element.
std::uint64_t row_length(const TensorDesc& tensor) {
  for (std::size_t i = tensor.rank(); i-- > 0;)
    if (tensor.sizes[i] != 1) return tensor.sizes[i];
  return 1;
}

/// Prints the fields of a descriptor, the tensors as a table; a visitor of the operator's field
/// list.
class FieldPrinter {
 public:
  explicit FieldPrinter(Dialect dialect) : dialect_(dialect) {
    if (dialect_ == Dialect::kDirectml)
      add({"", "type", "sizes", "strides", "bytes"});
    else
      add({"", "type", "shape", "", ""});
  }
  void operator()(const TensorField& field, const TensorDesc& tensor) {
    add_tensor(std::string(field.name), tensor);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      add_tensor(FieldPath{field.name, i}.text(), tensors[i]);
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
  [[nodiscard]] std::string text() const {
    std::array<std::size_t, kColumns> widths{};
    for (const Row& row : rows_)
      for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < kColumns; ++i)
        line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text + lines_;
  }

 private:
  static constexpr std::size_t kColumns = 5;
  using Row = std::array<std::string, kColumns>;

  void add(Row row) { rows_.push_back(std::move(row)); }
  void line(std::string_view name, const std::string& value) {
    lines_ += "  " + std::string(name) + " = " + value + "\n";
  }
  void add_tensor(const std::string& path, const TensorDesc& tensor) {
    const bool directml = dialect_ == Dialect::kDirectml;
    add({path, std::string(name(tensor.data_type, dialect_)), braced(tensor.sizes),
         !directml        ? ""
         : tensor.strides ? braced(*tensor.strides)
                          : "packed",
         directml ? std::to_string(tensor.total_tensor_size_bytes) : ""});
  }

  Dialect dialect_;
  std::vector<Row> rows_;
  std::string lines_;
};

std::string period_text(const Contents& contents) {
  return contents.period == 0
             ? ""
             : ", again after each " + std::to_string(contents.period) + " elements";
}

std::string contents_text(const Contents& contents, const NamedTensor& tensor, Shown shown) {
  const std::string path = tensor.path.text();
  const DataType type = tensor.desc.data_type;
  switch (contents.kind) {
    case Contents::Kind::kNone:
      return "";
    case Contents::Kind::kLogical:
      return path + " holds the elements\n" +
             rows_text(elements_of(type, contents.bytes), row_length(tensor.desc), type, shown,
                       "  ");
    case Contents::Kind::kPhysical:
      return path + " holds the buffer elements\n" +
             rows_text(elements_of(type, contents.bytes), kMostEntriesShown, type, shown, "  ");
    case Contents::Kind::kIota:
      return path + " counts from " + std::to_string(contents.seed) + " along its buffer" +
             period_text(contents) + "\n";
    case Contents::Kind::kRandom:
      return path + " holds random bits of seed " + std::to_string(contents.seed) +
             period_text(contents) + "\n";
  }
  return "";
}

/// As a case file would write them: {"any": true}, {"one_of": […]}.
std::vector<Json> permitted_elements(const ExpectedOutput& output, DataType type) {
  std::vector<Json> elements = elements_of(type, output.elements);
  for (const ExpectedOutput::OpenElement& freedom : output.open_elements) {
    Json& element = elements[freedom.element];
    if (freedom.any) {
      element = {{"any", true}};
      continue;
    }
    Json one_of = Json::array({element});
    for (Json& value : elements_of(type, freedom.values)) one_of.push_back(std::move(value));
    element = Json{{"one_of", std::move(one_of)}};
  }
  return elements;
}

std::string expectation_text(const Expectation& expectation, const cases::TensorList& tensors,
                             Shown shown, const std::string& indent) {
  std::string text;
  switch (expectation.kind) {
    case Expectation::Kind::kReference:
      return indent + "what the reference gives\n";
    case Expectation::Kind::kOutputs:
      for (std::size_t i = 0; i < expectation.outputs.size(); ++i) {
        const NamedTensor& tensor = tensors.outputs[i];
        const ExpectedOutput& output = expectation.outputs[i];
        text += indent + tensor.path.text() + " holds " +
                (output.unspecified ? "any values\n" : "the elements\n");
        if (!output.unspecified)
          text += rows_text(permitted_elements(output, tensor.desc.data_type),
                            row_length(tensor.desc), tensor.desc.data_type, shown, indent + "  ");
      }
      return text;
    case Expectation::Kind::kRejected:
      for (const std::string& rule : expectation.rules)
        text += indent + "rejected for " + rule + "\n";
      return text;
    case Expectation::Kind::kError:
      return indent + "execution fails for " + expectation.rules.front() + ", outputs untouched\n";
    case Expectation::Kind::kAnyOf:
      text = indent + "any of\n";
      for (const Expectation& one : expectation.any_of)
        text += expectation_text(one, tensors, shown, indent + "  ");
      return text;
  }
  return text;
}

/// What breaks the rules that a rejection names; a valid descriptor has a picture instead.
std::string violations_text(const Violations& violations) {
  std::string text = "\nwhat the descriptor breaks\n";
  for (const Violation& violation : violations.list())
    text += "  " + base::printable(violation.message) + " (" + std::string(violation.rule) + ")\n";
  return text;
}

std::string factors_text(const Case& one) {
  if (one.factors.empty()) return "";
  std::size_t width = 0;
  for (const auto& [name, value] : one.factors) width = std::max(width, name.size());
  std::string text = "\nfactors\n";
  for (const auto& [name, value] : one.factors)
    text += "  " + base::printable(name) + std::string(width - name.size() + 2, ' ') +
            base::printable(value) + "\n";
  return text;
}

std::string ledger_text(const Case& one) {
  std::string text;
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

}  // namespace

std::string case_text(const Case& one, Shown shown, const std::string& picture) {
  const OperatorText op = describe(one.op);
  const cases::TensorList tensors(one.op);
  std::string text = one.id + "\n";
  if (!one.says.empty()) text += "  " + base::printable(one.says) + "\n";
  text += "\n";
  if (!one.document.empty())
    text += "from " +
            base::printable(one.document + (one.section.empty() ? "" : ", " + one.section)) + "\n";
  text += "in " + base::printable(one.file) + ", line " + std::to_string(one.line) + "\n\n";
  text += one.operator_name +
          (op.dialect == Dialect::kDirectml ? " at feature level " : " at opset ") +
          one.version.text() + "\n";
  FieldPrinter printer(op.dialect);
  std::visit([&](const auto& o) { o.visit_fields(o, printer); }, one.op);
  text += printer.text() + "\n";
  for (std::size_t i = 0; i < one.inputs.size(); ++i)
    text += contents_text(one.inputs[i], tensors.inputs[i], shown);
  text += "\nwhat conforms\n" + expectation_text(one.expect, tensors, shown, "  ");
  const Violations violations = validate(one.op, one.version);
  text += violations.empty() ? "\npicture\n" + picture : violations_text(violations);
  if (!one.twin.empty()) text += "\nthe valid twin is " + base::printable(one.twin) + "\n";
  return text + factors_text(one) + ledger_text(one);
}

}  // namespace opconform::cli
