#include "harness/interchange/node_test.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>

#include "harness/base/bad_input.h"
#include "harness/interchange/filled_case.h"
#include "harness/interchange/onnx_model.h"
#include "spec/validate.h"

namespace opconform::interchange {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "model.onnx";
constexpr const char* kDataSet = "test_data_set_";

Node node_of(const cases::Case& one) { return to_node(filled_elements(one, fill(one))); }

std::string data_file(const char* what, std::size_t number) {
  return std::string(what) + "_" + std::to_string(number) + ".pb";
}

/// Adds to a model's node what a data set says of its inputs and outputs.
void add_tensors(const fs::path& set, const ReadFile& read, cases::StringPool& strings,
                 Node& node) {
  const auto tensor = [&](const char* what, std::size_t number) {
    const fs::path file = set / data_file(what, number);
    return read_tensor(read(file), file.string(), strings);
  };
  std::size_t number = 0;
  for (std::optional<NodeInput>& input : node.inputs)
    if (input && !input->is_constant) input->tensor = tensor("input", number++);
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    node.outputs[i].tensor = tensor("output", i);
}

std::vector<fs::path> data_sets(const fs::path& folder) {
  std::vector<fs::path> sets;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(kDataSet)) sets.push_back(entry.path());
  std::sort(sets.begin(), sets.end());
  if (sets.empty())
    throw base::BadInput(folder.string(), "", "has no folder " + std::string(kDataSet) + "0");
  return sets;
}

cases::Expectation expectation_of(const Filled& filled) {
  cases::Expectation expected;
  expected.kind = cases::Expectation::Kind::kOutputs;
  for (const std::vector<std::byte>& elements : filled.outputs)
    expected.outputs.push_back({false, elements, {}});
  return expected;
}

void demand_valid(const Filled& filled) {
  const Violations violations = validate(filled.op, filled.version);
  if (!violations.empty()) throw CannotSay("breaks " + violations.first_text());
}

class Import {
 public:
  explicit Import(ImportedNodeTests& imported) : imported_(imported) {}

  void read_folder(const fs::path& folder) {
    const std::string name = folder.filename().string();
    try {
      if (fs::exists(folder / kCaseFile)) {
        take_back(folder);
        return;
      }
      auto strings = std::make_shared<cases::StringPool>();
      const Node model =
          read_model(read_file(folder / kModel), (folder / kModel).string(), *strings);
      const std::vector<std::string_view> known = node_types();
      if (std::find(known.begin(), known.end(), model.op_type) == known.end()) {
        ++imported_.of_other_operators;
        return;
      }
      is_here_ = true;
      const std::vector<fs::path> sets = data_sets(folder);
      for (const fs::path& set : sets) {
        Filled filled = read_data_set(model, set, read_file, *strings);
        imported_.cases.push_back(
            case_of(std::move(filled), name, sets.size() == 1 ? "" : set.filename().string()));
        imported_.cases.back().strings = strings;
      }
    } catch (const CannotSay& error) {
      if (is_here_)
        imported_.left_out.push_back({name, error.what()});
      else
        ++imported_.of_other_operators;
    } catch (const std::exception& error) {
      imported_.bad_input.emplace_back(error.what());
    }
  }

 private:
  static cases::Case case_of(Filled filled, const std::string& name, const std::string& set) {
    cases::Case one;
    one.id = "onnx/" + name + (set.empty() ? "" : "/" + set);
    // What an id may have.
    for (char& letter : one.id)
      if (std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
          std::string_view("/._-").find(letter) == std::string_view::npos)
        letter = '-';
    one.says = "ONNX's node test " + name + ".";
    one.operator_name = describe(filled.op).name;
    one.expect = expectation_of(filled);
    one.op = std::move(filled.op);
    one.version = filled.version;
    for (std::vector<std::byte>& elements : filled.inputs)
      one.inputs.push_back({cases::Contents::Kind::kLogical, std::move(elements), 0});
    return one;
  }

  /// What this program wrote: the case file says more than a model can, if the model still says the
  /// same.
  void take_back(const fs::path& folder) {
    cases::Case one = read_case_file(folder);
    const Node due = node_of(one);
    cases::StringPool strings;
    Node found = read_model(read_file(folder / kModel), (folder / kModel).string(), strings);
    add_tensors(folder / (std::string(kDataSet) + "0"), read_file, strings, found);
    if (whole(due) != whole(found))
      throw base::BadInput(folder.string(), "",
                           std::string(kModel) + " and its data no longer say what " + kCaseFile +
                               " says; without that file, they are imported as they are");
    imported_.cases.push_back(std::move(one));
  }

  /// A node with all of its elements, in bytes that are alike where nodes are.
  static std::string whole(const Node& node) {
    std::string text = model_bytes(node);
    for (const std::optional<NodeInput>& input : node.inputs)
      if (input) text += tensor_bytes(input->name, input->tensor);
    for (const NodeOutput& output : node.outputs) text += tensor_bytes(output.name, output.tensor);
    return text;
  }

  ImportedNodeTests& imported_;
  bool is_here_ = false;  ///< the operator
};

}  // namespace

Filled read_data_set(Node model, const fs::path& set, const ReadFile& read,
                     cases::StringPool& strings) {
  add_tensors(set, read, strings, model);
  Filled filled = from_node(model);
  demand_valid(filled);
  return filled;
}

std::vector<std::pair<std::string, std::string>> node_test_files(const Node& node) {
  std::vector<std::pair<std::string, std::string>> files{{kModel, model_bytes(node)}};
  std::size_t number = 0;
  for (const std::optional<NodeInput>& input : node.inputs)
    if (input && !input->is_constant)
      files.emplace_back(data_file("input", number++), tensor_bytes(input->name, input->tensor));
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    files.emplace_back(data_file("output", i),
                       tensor_bytes(node.outputs[i].name, node.outputs[i].tensor));
  return files;
}

void write_node_test(const cases::Case& one, const fs::path& folder) {
  const fs::path set = folder / (std::string(kDataSet) + "0");
  for (const auto& [name, bytes] : node_test_files(node_of(one))) {
    if (name != kModel) fs::create_directory(set);
    write_file((name == kModel ? folder : set) / name, bytes);
  }
}

ImportedNodeTests read_node_tests(const fs::path& path, const std::function<bool()>& goes_on) {
  ImportedNodeTests imported;
  const std::vector<fs::path> folders = folders_with(path, kModel);
  if (folders.empty()) throw base::BadInput(path.string(), "", "holds no " + std::string(kModel));
  for (const fs::path& folder : folders) {
    if (!goes_on()) break;
    Import(imported).read_folder(folder);
  }
  return imported;
}

}  // namespace opconform::interchange
