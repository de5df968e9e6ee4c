#include "harness/interchange/dxdispatch.h"

#include <string_view>
#include <vector>

#include "harness/interchange/filled_case.h"
#include "harness/interchange/folder.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {
namespace {

using base::Json;

constexpr const char* kDispatchable = "tested";
constexpr const char* kBefore = "before";  // the outputs

Json numbers(const auto& list) {
  Json array = Json::array();
  for (const auto one : list) array.push_back(one);
  return array;
}

Json tensor_json(const TensorDesc& tensor) {
  Json json = {{"DataType", name(tensor.data_type, Dialect::kDirectml)},
               {"Sizes", numbers(tensor.sizes)}};
  if (tensor.strides) json["Strides"] = numbers(*tensor.strides);
  json["TotalTensorSizeInBytes"] = tensor.total_tensor_size_bytes;
  return json;
}

/// The descriptor with all of its fields, counts included; a visitor of the operator's field list.
class FieldsJson {
 public:
  void operator()(const TensorField& field, const TensorDesc& tensor) {
    json_[field.name] = tensor_json(tensor);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    Json array = Json::array();
    for (const TensorDesc& tensor : tensors) array.push_back(tensor_json(tensor));
    lengths_.emplace_back(field.name, array.size());
    json_[field.name] = std::move(array);
  }
  void operator()(const CountField& field) {
    // Comes before or behind the arrays that it counts.
    json_[field.name] = nullptr;
    counts_.push_back(field);
  }
  void operator()(const ScalarField& field, std::uint32_t value) { json_[field.name] = value; }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    if (value) json_[field.name] = *value;
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    lengths_.emplace_back(field.name, values.size());
    json_[field.name] = numbers(values);
  }

  Json take() {
    for (const CountField& field : counts_)
      for (const auto& [array, length] : lengths_)
        if (array == field.arrays[0]) json_[field.name] = length;
    return std::move(json_);
  }

 private:
  Json json_ = Json::object();
  std::vector<std::pair<std::string_view, std::size_t>> lengths_;
  std::vector<CountField> counts_;
};

/// Behind the prefix, both have the same word.
std::string type_of(const Operator& op) {
  constexpr std::string_view kPrefix = "DML_";
  return "DML_OPERATOR_" + std::string(describe(op).name.substr(kPrefix.size()));
}

/// The names of a field's resources: one, or a list of an array's.
void bind(Json& bindings, const FieldPath& path, const std::string& resource, bool is_array) {
  const std::string field(path.name);
  if (is_array)
    bindings[field].push_back(resource);
  else
    bindings[field] = resource;
}

}  // namespace

Json dxdispatch_model(const cases::Case& one, bool has_buffers) {
  Json resources = Json::object();
  Json bindings = Json::object();
  Json writes = Json::array();
  const auto add = [&](const NamedTensor& tensor, const char* from) {
    const std::string name = file_name(tensor.path);
    // Raw bytes have no type of their own; this one has every pattern of bits.
    Json& resource = resources[name] = {{"initialValuesDataType", "UINT8"}};
    if (has_buffers)
      resource["initialValues"] = {{"sourcePath", std::string(from) + "/" + name + ".bin"}};
    else
      resource["initialValues"] = {{"valueCount", 4}, {"value", 0}};
    bind(bindings, tensor.path, name, tensor.path.index != FieldPath::kNoIndex);
    if (tensor.field.access == Access::kOutput && has_buffers)
      writes.push_back({{"type", "writeFile"},
                        {"resource", name},
                        {"targetPath", std::string(kResults) + "/" + name + ".bin"}});
  };
  const cases::TensorList tensors(one.op);
  for (const NamedTensor& tensor : tensors.inputs) add(tensor, kInputs);
  for (const NamedTensor& tensor : tensors.outputs) add(tensor, kBefore);
  FieldsJson fields;
  std::visit([&](const auto& op) { op.visit_fields(op, fields); }, one.op);
  Json commands = Json::array();
  commands.push_back(
      {{"type", "dispatch"}, {"dispatchable", kDispatchable}, {"bindings", std::move(bindings)}});
  for (Json& write : writes) commands.push_back(std::move(write));
  return {
      {"resources", std::move(resources)},
      {"dispatchables", {{kDispatchable, {{"type", type_of(one.op)}, {"desc", fields.take()}}}}},
      {"commands", std::move(commands)}};
}

void write_dxdispatch_case(const cases::Case& one, const std::filesystem::path& folder) {
  if (one.version.dialect() != Dialect::kDirectml)
    throw CannotSay("an operator that is none of DirectML's");
  const FilledCase filled = fill(one);
  const bool has_buffers = !filled.is_rejected();
  write_file(folder / kDxdispatchModel, dxdispatch_model(one, has_buffers).dump(1) + "\n");
  const auto raw = [](const TensorDesc& /*tensor*/, std::span<const std::byte> buffer) {
    return std::string(text_of(buffer));
  };
  write_buffers(one, filled, folder, ".bin", raw);
  if (!has_buffers) return;
  std::filesystem::create_directory(folder / kBefore);
  const cases::TensorList tensors(one.op);
  for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
    write_file(folder / kBefore / (file_name(tensors.outputs[i].path) + ".bin"),
               text_of(filled.outputs_before[i]));
}

std::string dxdispatch_script() {
  return R"(# Runs each case on DirectML with DxDispatch, and leaves its outputs in CASE/results. Then, wherever opconform is:
#   opconform run --backend recorded:FOLDER FOLDER
# FOLDER is this one. More options of dxdispatch.exe, such as -a NAME for another adapter, may follow.
param([Parameter(Mandatory)][string]$DxDispatch, [Parameter(ValueFromRemainingArguments)][string[]]$More)
$DxDispatch = (Resolve-Path $DxDispatch).Path
foreach ($case in Get-ChildItem -Directory $PSScriptRoot) {
  $results = Join-Path $case.FullName 'results'
  Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $results
  New-Item -ItemType Directory $results | Out-Null
  Push-Location $case.FullName
  $printed = & $DxDispatch model.json @More 2>&1 | Out-String
  $code = $LASTEXITCODE
  Pop-Location
  # It ends like this where DirectML rejects the operator.
  if ($code -ne 0) { Set-Content (Join-Path $results 'refused.txt') "exit code $code`: $printed" }
}
)";
}

}  // namespace opconform::interchange
