// ONNX's files, which anybody may have written: any bytes are a node test or bad input, and what is
// read has as many elements as its descriptor says. Written and read again, it is the same.
// An input is a model and the tensors of its data set, each behind its length in two bytes.

#include "fuzz/finding.h"
#include "fuzz/statistics.h"
#include "fuzz/target.h"
#include "harness/base/bad_input.h"
#include "harness/cases/case_reader.h"
#include "harness/interchange/filled_case.h"
#include "harness/interchange/node_test.h"
#include "harness/interchange/onnx_model.h"

namespace opconform::fuzz {
namespace {

using interchange::CannotSay;
using interchange::Filled;
using interchange::Node;

constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kLongestSeedBytes = 4096;

std::string framed(const Node& node) {
  std::string bytes;
  for (const auto& [name, file] : interchange::node_test_files(node)) {
    bytes += static_cast<char>(file.size() & 0xFF);
    bytes += static_cast<char>(file.size() >> 8 & 0xFF);
    bytes += file;
  }
  return bytes;
}

/// The files of an input, one by one.
class Files {
 public:
  explicit Files(std::string_view bytes) : left_(bytes) {}

  std::string next() {
    if (left_.size() < kLengthBytes) throw base::BadInput("input", "", "has no more files");
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(left_[i]); };
    const std::size_t length = byte(0) | std::size_t{byte(1)} << 8;
    const std::string file(left_.substr(kLengthBytes, length));
    left_.remove_prefix(kLengthBytes + file.size());
    return file;
  }

 private:
  std::string_view left_;
};

/// Strings stay in the pool.
Filled read(std::string_view bytes, cases::StringPool& strings) {
  Files files(bytes);
  return interchange::read_data_set(
      interchange::read_model(files.next(), "input", strings), "input",
      [&](const std::filesystem::path&) { return files.next(); }, strings);
}

void demand_elements(const std::vector<NamedTensor>& tensors,
                     const std::vector<std::vector<std::byte>>& elements) {
  if (tensors.size() != elements.size()) fail("a tensor has no elements");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorDesc& tensor = tensors[i].desc;
    const auto count = element_count(tensor.sizes);
    if (!count || *count * element_size_bytes(tensor.data_type) != elements[i].size())
      fail("a tensor has not as many elements as its descriptor says");
  }
}

void judge(const Filled& filled) {
  const cases::TensorList tensors(filled.op);
  demand_elements(tensors.inputs, filled.inputs);
  demand_elements(tensors.outputs, filled.outputs);
  const std::string bytes = framed(interchange::to_node(filled));
  if (bytes.size() > 0xFFFF) return;  // longer than a length can say
  cases::StringPool strings;
  const Filled again = read(bytes, strings);
  if (again.op != filled.op || again.version != filled.version)
    fail("written and read, it is another descriptor");
  if (framed(interchange::to_node(again)) != bytes) fail("written and read, it has other elements");
}

}  // namespace

/// Cases whose results are single and short.
void write_seeds(SeedDirectory& seeds, std::span<char* const> sources) {
  constexpr std::size_t kEachOf = 4;  // with all, a fuzzer reads seeds and does little else
  const std::vector<std::filesystem::path> paths(sources.begin(), sources.end());
  const cases::LoadedCases loaded = cases::load_cases(paths);
  for (std::size_t i = 0; i < loaded.cases.size(); i += kEachOf) {
    const cases::Case& one = loaded.cases[i];
    if (!one.label.empty()) continue;  // it is large
    try {
      const std::string bytes =
          framed(interchange::to_node(interchange::filled_elements(one, interchange::fill(one))));
      if (bytes.size() <= kLongestSeedBytes)
        seeds.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    } catch (const CannotSay&) {
      // ONNX has no words for it.
    } catch (const base::BadInput&) {
      // It cannot be run.
    }
  }
}

}  // namespace opconform::fuzz

using namespace opconform;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::Statistics& statistics = fuzz::Statistics::of_program();
  cases::StringPool strings;
  interchange::Filled filled;
  try {
    filled = fuzz::read({reinterpret_cast<const char*>(bytes), size}, strings);
  } catch (const base::BadInput&) {
    statistics.reject("bad input");
    return 0;
  } catch (const interchange::CannotSay&) {
    statistics.reject("no operator here can say it");
    return 0;
  }
  fuzz::judge(filled);
  statistics.accept(describe(filled.op).name);
  return 0;
}
