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
#include "harness/cases/pretty.h"
#include "harness/judging/check.h"

namespace opconform::fuzz {
namespace {

cases::Case read_again(const cases::Case& one, const std::string& text) {
  cases::LoadedCases loaded;
  try {
    cases::read_cases(base::parse_json(text, "written"), "written", loaded);
  } catch (const base::BadInput& error) {
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

bool same_inputs(const cases::Case& a, const cases::Case& b) {
  const cases::TensorList tensors(a.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    if (a.inputs[i].kind != b.inputs[i].kind || a.inputs[i].seed != b.inputs[i].seed ||
        a.inputs[i].except != b.inputs[i].except ||
        !same_elements(a.inputs[i].bytes, b.inputs[i].bytes, tensors.inputs[i].desc))
      return false;
  return true;
}

bool same_output(const cases::ExpectedOutput& a, const cases::ExpectedOutput& b,
                 const TensorDesc& tensor) {
  return same_elements(a.elements, b.elements, tensor) &&
         std::equal(a.open_elements.begin(), a.open_elements.end(), b.open_elements.begin(),
                    b.open_elements.end(),
                    [&](const cases::ExpectedOutput::OpenElement& x,
                        const cases::ExpectedOutput::OpenElement& y) {
                      return x.element == y.element && x.any == y.any &&
                             same_elements(x.values, y.values, tensor);
                    });
}

bool same_expectation(const cases::Expectation& a, const cases::Expectation& b,
                      const cases::TensorList& tensors) {
  if (a.kind != b.kind || a.rules != b.rules || a.outputs.size() != b.outputs.size()) return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    if (!same_output(a.outputs[i], b.outputs[i], tensors.outputs[i].desc)) return false;
  return std::equal(a.any_of.begin(), a.any_of.end(), b.any_of.begin(), b.any_of.end(),
                    [&](const cases::Expectation& x, const cases::Expectation& y) {
                      return same_expectation(x, y, tensors);
                    });
}

bool same_words(const cases::Case& a, const cases::Case& b) {
  const auto words = [](const cases::Case& c) {
    return std::tie(c.id, c.says, c.factors, c.rules, c.errata, c.twin, c.label, c.document,
                    c.section, c.operator_name);
  };
  return words(a) == words(b);
}

/// Patterns are a few bytes, written out they are megabytes.
constexpr std::size_t kMostWrittenOutBytes = std::size_t{1} << 18;

bool is_short_written_out(const cases::Expectation& expect) {
  return std::all_of(expect.outputs.begin(), expect.outputs.end(),
                     [](const cases::ExpectedOutput& output) {
                       return output.elements.size() <= kMostWrittenOutBytes;
                     }) &&
         std::all_of(expect.any_of.begin(), expect.any_of.end(), is_short_written_out);
}

bool is_short_written_out(const cases::Case& one) {
  return std::all_of(one.inputs.begin(), one.inputs.end(),
                     [](const cases::Contents& input) {
                       return input.bytes.size() <= kMostWrittenOutBytes;
                     }) &&
         is_short_written_out(one.expect);
}

void judge_writing(const cases::Case& one, const std::string& text) {
  const cases::Case again = read_again(one, text);
  if (again.op != one.op || again.version != one.version)
    fail("written and read, it is another descriptor", one);
  if (!same_words(again, one) || !same_inputs(again, one) ||
      !same_expectation(again.expect, one.expect, cases::TensorList(one.op)))
    fail("written and read, it is another case", one);
}

void judge_writing(const cases::Case& one) {
  const cases::GeneratedHeader header{"a fuzz target", {7}, "1.3.0", "what cannot be read again"};
  judge_writing(one, cases::generated_text({&one, 1}, header, ""));
  if (!is_short_written_out(one)) return;
  const std::string text = cases::pretty(cases::cases_to_json({&one, 1}, ""));
  judge_writing(one, text);
  const cases::Case again = read_again(one, text);
  if (cases::pretty(cases::cases_to_json({&again, 1}, "")) != text)
    fail("written, read and written again, it is another text", one);
}

/// A case that leaves it to the reference what conforms must pass; of others, any verdict is right.
void judge_run(const cases::Case& one) {
  static const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  try {
    const judging::CaseResult result = judging::check_case(one, *optimized, {});
    if (result.verdict == judging::Verdict::kCrash) fail(result.message, one);
    if (one.expect.kind == cases::Expectation::Kind::kReference &&
        judging::is_nonconformance(result.verdict) && result.verdict != judging::Verdict::kVacuous)
      fail(std::string(judging::name(result.verdict)) + ": " + result.message, one);
  } catch (const base::BadInput&) {
    // It cannot be run: no contents, say.
  }
}

}  // namespace
}  // namespace opconform::fuzz

using namespace opconform;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::Statistics& statistics = fuzz::Statistics::of_program();
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  base::Json document;
  try {
    document = base::parse_json(text, "input");
  } catch (const base::BadInput&) {
    statistics.reject("no JSON");
    return 0;
  }
  cases::LoadedCases loaded;
  try {
    cases::read_cases(document, "input", loaded);
  } catch (const base::BadInput&) {
    statistics.reject("no case file");
    return 0;
  }
  for (const cases::Case& one : loaded.cases) {
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
