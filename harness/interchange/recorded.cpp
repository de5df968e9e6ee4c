#include "harness/interchange/recorded.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "harness/base/bad_input.h"
#include "harness/base/layout.h"
#include "harness/base/text_file.h"
#include "harness/cases/case_writer.h"
#include "harness/interchange/filled_case.h"
#include "harness/interchange/folder.h"
#include "harness/interchange/npy.h"

namespace opconform::interchange {
namespace {

namespace fs = std::filesystem;

/// A case that was exported, and where its results are.
struct Record {
  cases::Case exported;
  fs::path results;
};

/// What says which descriptor it is.
std::string key_of(const Operator& op, Version version) {
  return std::string(describe(op).name) + version.text() + cases::descriptor_text(op);
}

/// The words of a file that need not be there.
std::optional<std::string> words_in(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  return base::read_text_file(file);
}

std::optional<backends::Rejection> rejection_in(const Record& record) {
  const std::optional<std::string> words = words_in(record.results / kRejected);
  if (!words) return std::nullopt;
  return backends::Rejection{backends::Rejection::Kind::kRejected, {}, *words};
}

/// What lies between the elements is not part of them. A layout with more elements than places is
/// so rare that its descriptor says which case it is.
bool same_contents(const TensorDesc& tensor, std::span<const std::byte> a,
                   std::span<const std::byte> b) {
  const std::size_t width = tensor.element_size_bytes();
  const TensorDesc distinct = base::without_repetition(tensor);
  if (element_count(distinct.sizes) > extent_elements(tensor)) return true;
  bool same = true;
  base::for_each_element(distinct, [&](std::uint64_t /*number*/, std::uint64_t offset) {
    same = same && cases::same_element(tensor.data_type, a.data() + offset * width,
                                       b.data() + offset * width);
  });
  return same;
}

/// Writes what was recorded of an output: its elements, or the start of its buffer as it was.
void take_output(const Record& record, const NamedTensor& tensor, std::span<std::byte> buffer) {
  const std::string name = file_name(tensor.path);
  const fs::path npy = record.results / (name + ".npy");
  std::error_code error;
  if (fs::exists(npy, error)) {
    const std::vector<std::byte> elements =
        read_npy(read_file(npy), npy.string(), tensor.desc.data_type, tensor.desc.sizes);
    const std::size_t width = tensor.desc.element_size_bytes();
    base::for_each_element(tensor.desc, [&](std::uint64_t number, std::uint64_t offset) {
      std::memcpy(buffer.data() + offset * width, elements.data() + number * width, width);
    });
    return;
  }
  const fs::path raw = record.results / (name + ".bin");
  const std::string bytes = read_file(raw);
  if (bytes.size() < buffer.size())
    throw base::BadInput(raw.string(), "",
                         "has " + std::to_string(bytes.size()) + " bytes, but " +
                             tensor.path.text() + " has " + std::to_string(buffer.size()));
  std::memcpy(buffer.data(), bytes.data(), buffer.size());
}

class RecordedExecutable : public backends::Executable {
 public:
  explicit RecordedExecutable(std::vector<const Record*> records) : records_(std::move(records)) {}

  backends::Ending execute(const Bindings& bindings) override {
    for (const Record* record : records_) {
      const cases::TensorList tensors(record->exported.op);
      const std::vector<std::vector<std::byte>> inputs = filled_inputs(record->exported);
      bool is_this = true;
      for (std::size_t i = 0; i < inputs.size() && is_this; ++i)
        is_this = same_contents(tensors.inputs[i].desc, inputs[i], bindings.inputs[i]);
      if (is_this) return ending_of(*record, tensors, bindings);
    }
    return backends::Rejection{
        backends::Rejection::Kind::kNotOffered, {}, "it was not exported with these contents"};
  }

 private:
  static backends::Ending ending_of(const Record& record, const cases::TensorList& tensors,
                                    const Bindings& bindings) {
    if (std::optional<backends::Rejection> rejection = rejection_in(record))
      return *std::move(rejection);
    if (std::optional<std::string> words = words_in(record.results / kFailed))
      return backends::Failure{"", *std::move(words)};
    for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
      take_output(record, tensors.outputs[i], bindings.outputs[i]);
    return backends::Done();
  }

  std::vector<const Record*> records_;
};

/// There is one execution for each case, with its own inputs.
backends::Promise recorded_promise() {
  backends::Promise promise = backends::document_promise();
  promise.name = "recorded";
  promise.says = "Results that were recorded once.";
  promise.second_plan = backends::SecondPlan::kNotWanted;
  promise.executions = backends::Executions::kOne;
  promise.after_error = backends::AfterError::kAnything;
  return promise;
}

class RecordedBackend : public backends::Backend {
 public:
  RecordedBackend(std::string name, const fs::path& path)
      : name_(std::move(name)), promise_(recorded_promise()) {
    bool has_results = false;
    std::error_code error;
    for (const fs::path& folder : folders_with(path, kCaseFile)) {
      Record record{read_case_file(folder), folder / kResults};
      has_results = has_results || fs::exists(record.results, error);
      records_.emplace(key_of(record.exported.op, record.exported.version), std::move(record));
    }
    if (records_.empty())
      throw base::BadInput(path.string(), "", "holds no case that opconform export wrote");
    if (!has_results)
      throw base::BadInput(
          path.string(), "",
          "has no results yet: each case's are wanted in its folder " + std::string(kResults));
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string implementation() const override { return "results on disk"; }
  [[nodiscard]] bool names_rules() const override { return false; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  [[nodiscard]] const backends::Promise& promise() const override { return promise_; }
  backends::Prepared prepare(const Operator& op, Version version) override {
    const auto [first, last] = records_.equal_range(key_of(op, version));
    std::vector<const Record*> records;
    std::error_code error;
    for (auto one = first; one != last; ++one)
      if (fs::exists(one->second.results, error)) records.push_back(&one->second);
    if (records.empty())
      return backends::Rejection{backends::Rejection::Kind::kNotOffered,
                                 {},
                                 first == last ? "it was not exported" : "it has no results"};
    // A descriptor that is rejected has no contents that could tell one case from another.
    if (std::optional<backends::Rejection> rejection = rejection_in(*records.front()))
      return *std::move(rejection);
    return std::make_unique<RecordedExecutable>(std::move(records));
  }

 private:
  std::string name_;
  backends::Promise promise_;
  std::multimap<std::string, Record> records_;
};

}  // namespace

std::unique_ptr<backends::Backend> recorded_backend(const std::string& name) {
  return std::make_unique<RecordedBackend>(name, name.substr(kRecordedPrefix.size()));
}

}  // namespace opconform::interchange
