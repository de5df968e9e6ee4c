#include "reports/terminal.h"
#include "tests/harness/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opconform::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

judging::CaseResult result_of(judging::Verdict verdict, std::string message) {
  judging::CaseResult result;
  result.case_id = "slice1/reversed";
  result.backend = "mine";
  result.verdict = verdict;
  result.rule = "slice1.copy-start";
  result.message = std::move(message);
  result.repro = "opconform run x.json";
  return result;
}

/// A file is no terminal: no colours.
class Terminal : public ::testing::Test {
 protected:
  ~Terminal() override { std::fclose(file_); }
  std::FILE* file_ = std::tmpfile();
  Style style_{file_};
};

TEST_F(Terminal, AFailureIsToldInOneOrder) {
  cases::Case tested;
  tested.says = "a stride of -1 reverses the row";
  const std::string text = result_text(
      result_of(judging::Verdict::kMismatch, "OutputTensor[0]: expected 4"), &tested, style_);
  const std::size_t verdict = text.find("mismatch slice1/reversed [mine]");
  const std::size_t rule = text.find("slice1.copy-start: CopyStart is");
  const std::size_t message = text.find("OutputTensor[0]: expected 4");
  const std::size_t repro = text.find("opconform run x.json");
  EXPECT_EQ(verdict, 0U) << text;
  EXPECT_LT(verdict, rule);
  EXPECT_LT(rule, message);
  EXPECT_LT(message, repro);
  EXPECT_NE(repro, std::string::npos);
  EXPECT_THAT(text, HasSubstr("a stride of -1 reverses the row"));
}

TEST_F(Terminal, APassTellsWhatItChose) {
  judging::CaseResult result = result_of(judging::Verdict::kPass, "");
  EXPECT_EQ(result_text(result, nullptr, style_), "pass slice1/reversed [mine]\n");
  result.choices = {test::kLastWrite, test::kGapsIntact};
  EXPECT_EQ(result_text(result, nullptr, style_),
            "pass slice1/reversed [mine]\n"
            "  chose    last write (scatter.overlap-any-winner)\n"
            "  chose    left intact (tensor.gaps-dont-care)\n");
}

TEST_F(Terminal, HostileTextIsShownAsText) {
  const std::string text = result_text(
      result_of(judging::Verdict::kCrash, "\033[2J\a\x9b\nfake: pass"), nullptr, style_);
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, HasSubstr("\\u001b[2J\\u0007\\x9b\\nfake: pass"));
}

TEST_F(Terminal, ASummaryCountsEachBackendAndEndsInTheClosingLine) {
  running::RunOutcome outcome;
  outcome.results = {result_of(judging::Verdict::kPass, ""),
                     result_of(judging::Verdict::kMismatch, ""),
                     result_of(judging::Verdict::kExpectedFailure, "")};
  outcome.results[0].weak = true;
  EXPECT_EQ(summary_text(outcome, {3, {"mine", "idle"}, 1.5}, style_),
            "3 cases, 2 backends, 1.50 s\n"
            "  mine: 1 pass, 1 xfail, 1 mismatch\n"
            "  idle: no results\n"
            "  1 pass marked weak: the contents could not have shown a wrong index\n"
            "1 passed, 1 failed, 1 skipped\n");
}

}  // namespace
}  // namespace opconform::reports
