// Reading and writing are each other's inverse: every committed case, written and read again, is
// the same case.

#include "harness/cases/case_writer.h"

#include <gtest/gtest.h>

#include "harness/cases/case_reader.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::harness {
namespace {

TEST(CaseWriter, CommittedCasesSurviveWritingAndReading) {
  for (const Case& one : committed().cases) {
    const std::string text = pretty(cases_to_json({&one, 1}, ""));
    LoadedCases again;
    read_cases(parse_json(text, "written"), "written", again);
    ASSERT_TRUE(again.bad_input.empty()) << again.bad_input.front() << "\n" << text;
    ASSERT_EQ(again.cases.size(), 1U);
    EXPECT_EQ(again.cases[0].op, one.op) << text;
    EXPECT_EQ(again.cases[0].version, one.version);
    EXPECT_EQ(again.cases[0].operator_name, one.operator_name);
    EXPECT_EQ(pretty(cases_to_json(again.cases, "")), text);
  }
}

TEST(CaseWriter, LinesStayReadable) {
  LoadedCases loaded = load_cases({OPCONFORM_SPEC_CASES_DIR "/documents/directml-slice1.json"});
  const std::string text = pretty(cases_to_json(loaded.cases, "../case.schema.json"));
  EXPECT_NE(text.find("\"InputWindowStrides\": [1, 1, -2, 2]"), std::string::npos) << text;
}

}  // namespace
}  // namespace opconform::harness
