// Reading and writing are each other's inverse: every committed case, written and read again, is
// the same case.

#include "harness/cases/case_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/cases/case_reader.h"
#include "tests/conformance/case_meaning.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::cases {
namespace {

TEST(CaseWriter, CommittedCasesSurviveWritingAndReading) {
  for (const Case& one : test::committed().cases) {
    const std::string text = pretty(cases_to_json({&one, 1}, ""));
    LoadedCases again;
    read_cases(base::parse_json(text, "written"), "written", again);
    ASSERT_TRUE(again.bad_input.empty()) << again.bad_input.front() << "\n" << text;
    ASSERT_EQ(again.cases.size(), 1U);
    EXPECT_EQ(again.cases[0].op, one.op) << text;
    EXPECT_EQ(again.cases[0].version, one.version);
    EXPECT_EQ(again.cases[0].operator_name, one.operator_name);
    EXPECT_EQ(pretty(cases_to_json(again.cases, "")), text);
  }
}

TEST(CaseWriter, GeneratedFilesMeanTheSameOneCaseALine) {
  for (const Case& one : test::committed().cases) {
    const std::string text =
        generated_text({&one, 1}, {"a test", 7, "1.3.0", "nothing"}, "case.schema.json");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;
    LoadedCases again;
    read_cases(base::parse_json(text, "written"), "written", again);
    ASSERT_TRUE(again.bad_input.empty()) << again.bad_input.front() << "\n" << text;
    ASSERT_EQ(again.cases.size(), 1U);
    EXPECT_EQ(test::CaseMeaning(again.cases[0]).hash(), test::CaseMeaning(one).hash()) << text;
    EXPECT_EQ(again.cases[0].factors, one.factors);
    EXPECT_EQ(again.cases[0].says, one.says);
  }
}

/// So that `corpus grow` changes no line that it does not mean to.
TEST(CaseWriter, WhatGrewIsWrittenAsItStands) {
  std::map<std::string, std::vector<Case>> files;
  for (const Case& one : test::committed().cases)
    if (!one.factors.empty()) files[one.file].push_back(one);
  EXPECT_GE(files.size(), 49U);
  for (const auto& [file, cases] : files) {
    const std::string text = base::read_text_file(file);
    const std::string again =
        generated_text(cases, {"opconform corpus grow", 1, "1.0.0", ""}, "../../case.schema.json");
    const std::string_view start = "\"cases\": [";
    EXPECT_TRUE(text.substr(text.find(start)) == again.substr(again.find(start))) << file;
  }
}

/// What is written by hand for speed says what the other way says.
TEST(CaseWriter, ADescriptorAsTextIsThatOfItsCase) {
  for (Case one : test::committed().cases) {
    one.inputs.clear();
    EXPECT_EQ(descriptor_text(one.op), case_to_json(one)["desc"].dump()) << one.id;
  }
}

TEST(CaseWriter, LinesStayReadable) {
  LoadedCases loaded = load_cases({OPCONFORM_SPEC_CASES_DIR "/documents/directml-slice1.json"});
  const std::string text = pretty(cases_to_json(loaded.cases, "../case.schema.json"));
  EXPECT_NE(text.find("\"InputWindowStrides\": [1, 1, -2, 2]"), std::string::npos) << text;
}

}  // namespace
}  // namespace opconform::cases
