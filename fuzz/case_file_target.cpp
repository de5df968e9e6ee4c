// Case files: any bytes are a case file or bad input. What can be read can be written, and read
// again as the same.

#include <algorithm>
#include <tuple>

#include "fuzz/effort.h"
#include "fuzz/finding.h"
#include "fuzz/statistics.h"
#include "fuzz/target.h"
#include "harness/base/bad_input.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/judging/check.h"

namespace opconform::fuzz {
namespace {

using namespace harness;

Case read_again(const Case& one, const std::string& text) {
  LoadedCases loaded;
  try {
    read_cases(parse_json(text, "written"), "written", loaded);
  } catch (const BadInput& error) {
    loaded.bad_input.emplace_back(error.what());
  }
  if (!loaded.bad_input.empty())
    fail("what is written cannot be read: " + loaded.bad_input[0], one);
  return std::move(loaded.cases.at(0));
}

/// Elements of strings are addresses: those of the other case differ. The text shows them.
bool same_elements(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                   const TensorDesc& tensor) {
  return tensor.data_type == DataType::kString ? a.size() == b.size() : a == b;
}

bool same_inputs(const Case& a, const Case& b) {
  const TensorList tensors(a.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    if (a.inputs[i].kind != b.inputs[i].kind || a.inputs[i].seed != b.inputs[i].seed ||
        !same_elements(a.inputs[i].bytes, b.inputs[i].bytes, tensors.inputs[i].desc))
      return false;
  return true;
}

bool same_output(const ExpectedOutput& a, const ExpectedOutput& b, const TensorDesc& tensor) {
  return same_elements(a.elements, b.elements, tensor) &&
         std::equal(a.freedoms.begin(), a.freedoms.end(), b.freedoms.begin(), b.freedoms.end(),
                    [&](const ExpectedOutput::Freedom& x, const ExpectedOutput::Freedom& y) {
                      return x.element == y.element && x.any == y.any &&
                             same_elements(x.values, y.values, tensor);
                    });
}

bool same_expectation(const Expectation& a, const Expectation& b, const TensorList& tensors) {
  if (a.kind != b.kind || a.rules != b.rules || a.outputs.size() != b.outputs.size()) return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    if (!same_output(a.outputs[i], b.outputs[i], tensors.outputs[i].desc)) return false;
  return std::equal(
      a.any_of.begin(), a.any_of.end(), b.any_of.begin(), b.any_of.end(),
      [&](const Expectation& x, const Expectation& y) { return same_expectation(x, y, tensors); });
}

bool same_words(const Case& a, const Case& b) {
  const auto words = [](const Case& c) {
    return std::tie(c.id, c.says, c.factors, c.rules, c.errata, c.twin, c.document, c.section,
                    c.operator_name);
  };
  return words(a) == words(b);
}

/// Patterns are a few bytes, written out they are megabytes.
constexpr std::size_t kMostWrittenOutBytes = std::size_t{1} << 18;

bool is_short_written_out(const Expectation& expect) {
  return std::all_of(expect.outputs.begin(), expect.outputs.end(),
                     [](const ExpectedOutput& output) {
                       return output.elements.size() <= kMostWrittenOutBytes;
                     }) &&
         std::all_of(expect.any_of.begin(), expect.any_of.end(), is_short_written_out);
}

bool is_short_written_out(const Case& one) {
  return std::all_of(
             one.inputs.begin(), one.inputs.end(),
             [](const Contents& input) { return input.bytes.size() <= kMostWrittenOutBytes; }) &&
         is_short_written_out(one.expect);
}

void judge_writing(const Case& one, const std::string& text) {
  const Case again = read_again(one, text);
  if (again.op != one.op || again.version != one.version)
    fail("written and read, it is another descriptor", one);
  if (!same_words(again, one) || !same_inputs(again, one) ||
      !same_expectation(again.expect, one.expect, TensorList(one.op)))
    fail("written and read, it is another case", one);
}

void judge_writing(const Case& one) {
  const GeneratedHeader header{"a fuzz target", 7, "1.3.0", "what cannot be read again"};
  judge_writing(one, generated_text({&one, 1}, header, ""));
  if (!is_short_written_out(one)) return;
  const std::string text = pretty(cases_to_json({&one, 1}, ""));
  judge_writing(one, text);
  const Case again = read_again(one, text);
  if (pretty(cases_to_json({&again, 1}, "")) != text)
    fail("written, read and written again, it is another text", one);
}

/// A case that leaves it to the reference what conforms must pass; of others, any verdict is right.
void judge_run(const Case& one) {
  static const std::unique_ptr<Backend> optimized = make_backend("optimized");
  try {
    const CaseResult result = check_case(one, *optimized, {});
    if (result.verdict == Verdict::kCrash) fail(result.message, one);
    if (one.expect.kind == Expectation::Kind::kReference && is_nonconformance(result.verdict) &&
        result.verdict != Verdict::kVacuous)
      fail(std::string(name(result.verdict)) + ": " + result.message, one);
  } catch (const BadInput&) {
    // It cannot be run: no contents, say.
  }
}

}  // namespace
}  // namespace opconform::fuzz

using namespace opconform;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::Statistics& statistics = fuzz::Statistics::of_program();
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  harness::Json document;
  try {
    document = harness::parse_json(text, "input");
  } catch (const harness::BadInput&) {
    statistics.reject("no JSON");
    return 0;
  }
  harness::LoadedCases loaded;
  try {
    harness::read_cases(document, "input", loaded);
  } catch (const harness::BadInput&) {
    statistics.reject("no case file");
    return 0;
  }
  for (const harness::Case& one : loaded.cases) {
    fuzz::judge_writing(one);
    if (fuzz::is_small(one.op, one.version) && fuzz::is_quick_to_judge(one.op))
      fuzz::judge_run(one);
  }
  if (loaded.cases.empty())
    statistics.reject("no good case");
  else
    statistics.accept(describe(loaded.cases.front().op).name);
  return 0;
}
