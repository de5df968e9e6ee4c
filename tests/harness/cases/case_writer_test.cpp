// Reading and writing are each other's inverse: every committed case, written and read again, is
// the same case.

#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/cases/case_reader.h"
#include "harness/cases/contents.h"
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
        generated_text({&one, 1}, {"a test", {7}, "1.3.0", "nothing"}, "case.schema.json");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;
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
    const std::string again = generated_text(cases, {"opconform corpus grow", {1}, "1.0.0", ""},
                                             "../../case.schema.json");
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

/// A file with a label, and a fill that is elsewhere than its pattern says.
constexpr const char* kLabelled = R"({"operator": "ONNX_GATHER", "label": "large", "cases": [
  {"id": "a", "desc": {
    "data": {"type": "uint8", "shape": [9], "fill": {"pattern": "iota"}},
    "indices": {"type": "int64", "shape": [7],
                "fill": {"pattern": "iota", "seed": 8, "except": [[1, -9], [6, 4294967296]]}},
    "output": {"type": "uint8", "shape": [7]}}}]})";

TEST(CaseWriter, LabelsAndExceptionsSurvive) {
  LoadedCases loaded;
  read_cases(base::parse_json(kLabelled, "f"), "f", loaded);
  ASSERT_EQ(loaded.cases.size(), 1U);
  const Case& one = loaded.cases.front();
  EXPECT_EQ(one.label, "large");
  EXPECT_EQ(one.inputs[1].except, (std::vector<std::uint64_t>{1, 6}));

  std::vector<std::int64_t> indices(7);
  write_contents(one.inputs[1], TensorList(one.op).inputs[1].desc, 9, *one.strings, 1,
                 std::as_writable_bytes(std::span(indices)));
  EXPECT_EQ(indices, (std::vector<std::int64_t>{8, -9, 1, 2, 3, 4, std::int64_t{1} << 32}));

  for (const std::string& text :
       {pretty(cases_to_json(loaded.cases, "")),
        generated_text(loaded.cases, {.by = "a", .corpus = "1", .hunts = "b"}, "")}) {
    LoadedCases again;
    read_cases(base::parse_json(text, "written"), "written", again);
    ASSERT_TRUE(again.bad_input.empty()) << again.bad_input.front() << text;
    EXPECT_EQ(again.cases.front().label, "large") << text;
    EXPECT_EQ(again.cases.front().inputs[1].except, one.inputs[1].except);
    EXPECT_EQ(again.cases.front().inputs[1].bytes, one.inputs[1].bytes);
  }
}

TEST(CaseWriter, WrongLabelsAndExceptionsAreToldOf) {
  const auto message = [](const std::string& instead_of, const std::string& written) {
    std::string text = kLabelled;
    text.replace(text.find(instead_of), instead_of.size(), written);
    LoadedCases loaded;
    try {
      read_cases(base::parse_json(text, "f"), "f", loaded);
    } catch (const base::BadInput& error) {
      return std::string(error.what());
    }
    return loaded.bad_input.empty() ? std::string() : loaded.bad_input.front();
  };
  const std::string at = "f: /cases/0/desc/indices/fill/except/";
  EXPECT_EQ(message("large", "huge"), "");
  EXPECT_THAT(message("large", "Large"), ::testing::HasSubstr("f: /label: \"Large\""));
  EXPECT_THAT(message("[1, -9]", "[7, 0]"), ::testing::HasSubstr(at));
  EXPECT_THAT(message("[1, -9]", "[6, 0]"), ::testing::HasSubstr(at + "1"));
  EXPECT_THAT(message("[6, 4294967296]", "[7, 1]"), ::testing::HasSubstr(at + "1"));
  EXPECT_THAT(message("[1, -9]", "[1]"), ::testing::HasSubstr(at + "0"));
  EXPECT_THAT(message("[1, -9]", "[-1, 1]"), ::testing::HasSubstr(at + "0/0"));
  EXPECT_THAT(message("[1, -9]", "[1, 1.5]"), ::testing::HasSubstr(at + "0/1"));
  EXPECT_THAT(message("[[1, -9], [6, 4294967296]]", "7"), ::testing::HasSubstr("fill/except"));
}

}  // namespace
}  // namespace opconform::cases
