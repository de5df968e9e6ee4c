// Promises as they are read, written and said.

#include "harness/backends/promise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/backends/promise_file.h"
#include "harness/backends/promising.h"
#include "harness/base/text_file.h"
#include "tests/harness/fake_backend.h"

namespace opconform::backends {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Promise read(const std::string& json) {
  return read_promise(base::parse_json(json, "mine.json"), "mine.json");
}

std::string error_of(const std::string& json) {
  try {
    (void)read(json);
  } catch (const base::BadInput& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> says_of(const Promise& promise, Difference::Kind kind) {
  std::vector<std::string> list;
  for (const Difference& one : differences(promise))
    if (one.kind == kind) list.push_back(one.says);
  return list;
}

TEST(Promise, WithoutChoicesIsTheDocument) {
  const Promise promise = read(R"({"name": "mine"})");
  EXPECT_TRUE(promise.is_document());
  EXPECT_TRUE(document_promise().is_document());
  EXPECT_THAT(differences(promise), IsEmpty());
}

TEST(Promise, AnyChoiceIsNoMoreTheDocument) {
  for (const char* choice : {R"("layouts": "packed")",
                             R"("empty_tensors": "not-offered")",
                             R"("strings": "not-offered")",
                             R"("after_error": "anything")",
                             R"("bools": "normalised")",
                             R"("signalling_nans": "quietened")",
                             R"("nan_payloads": "any")",
                             R"("minus_zero": "either")",
                             R"("second_plan": "not-wanted")",
                             R"("executions": "one")",
                             R"("refusals": "none")",
                             R"("refusals": ["slice1.stride-not-zero"])",
                             R"("operators": {"DML_JOIN": "not-offered"})",
                             R"("operators": {"*": {"ranks": {"most": 4}}})",
                             R"("operators": {"*": {"data_types": ["float"]}})",
                             R"("operators": {"*": {"index_types": ["int64"]}})",
                             R"("operators": {"ONNX_GATHER": {"versions": {"from": "11"}}})",
                             R"("operators": {"ONNX_GATHER": {"versions": {"to": "12"}}})",
                             R"("operators": {"ONNX_GATHER": {"index_out_of_range": "clamp"}})",
                             R"("operators": {"ONNX_GATHER": {"negative_indices": "error"}})",
                             R"("operators": {"ONNX_GATHER": {"index_without_output": "nothing"}})",
                             R"("operators": {"DML_SCATTER": {"overlapping_writes": "first"}})"}) {
    const std::string json = std::string(R"({"name": "mine", )") + choice + "}";
    const Promise promise = read(json);
    EXPECT_FALSE(promise.is_document()) << choice;
    EXPECT_EQ(differences(promise).empty(), false) << choice;
    EXPECT_EQ(to_json(read(to_json(promise).dump())), to_json(promise)) << choice;
  }
}

TEST(Promise, NamesWhatIsWrongWithAFile) {
  EXPECT_THAT(error_of("{}"), AllOf(HasSubstr("mine.json"), HasSubstr("name")));
  EXPECT_THAT(error_of(R"({"name": "mine", "layout": "packed"})"), HasSubstr("layout"));
  EXPECT_THAT(error_of(R"({"name": "mine", "layouts": "pakced"})"),
              AllOf(HasSubstr("/layouts"), HasSubstr("pakced"), HasSubstr("did you mean packed?")));
  EXPECT_THAT(error_of(R"({"name": "mine", "refusals": "some"})"), HasSubstr("all and none"));
  EXPECT_THAT(error_of(R"({"name": "mine", "refusals": ["slice1.stride-not-zer"]})"),
              HasSubstr("slice1.stride-not-zero"));
  EXPECT_THAT(error_of(R"({"name": "mine", "operators": {"DML_SPLITT": {}}})"),
              HasSubstr("did you mean DML_SPLIT?"));
  EXPECT_THAT(error_of(R"({"name": "mine", "operators": {"DML_SPLIT": "offered"}})"),
              AllOf(HasSubstr("/operators/DML_SPLIT"), HasSubstr("not-offered")));
  EXPECT_THAT(error_of(R"({"name": "mine", "operators": {"DML_SPLIT": {}, "Split": {}}})"),
              HasSubstr("has an entry already"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"DML_SPLIT": {"data_types": ["FLOAT31"]}}})"),
      AllOf(HasSubstr("/operators/DML_SPLIT/data_types"), HasSubstr("FLOAT32")));
  EXPECT_THAT(error_of(R"({"name": "mine", "operators": {"*": {"ranks": {"most": 33}}}})"),
              HasSubstr("/operators/*/ranks/most"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"*": {"ranks": {"least": 5, "most": 4}}}})"),
      HasSubstr("no rank"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"DML_SPLIT": {"versions": {"from": "7_0"}}}})"),
      HasSubstr("7_0"));
}

TEST(Promise, RejectsChoicesThatMakeNoSense) {
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"DML_SPLIT": {"index_out_of_range": "clamp"}}})"),
      HasSubstr("makes no sense for DML_SPLIT"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"DML_SCATTER": {"index_out_of_range": "zero"}}})"),
      HasSubstr("makes no sense for DML_SCATTER"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"ONNX_GATHER": {"index_out_of_range": "drop"}}})"),
      HasSubstr("makes no sense for ONNX_GATHER"));
  EXPECT_THAT(
      error_of(R"({"name": "mine", "operators": {"ONNX_GATHER": {"overlapping_writes": "last"}}})"),
      HasSubstr("makes no sense for ONNX_GATHER"));
  // Of all operators, those for which it makes sense.
  const Promise promise =
      read(R"({"name": "mine", "operators": {"*": {"index_out_of_range": "clamp"}}})");
  EXPECT_EQ(std::count_if(promise.operators.begin(), promise.operators.end(),
                          [](const OperatorPromise& own) {
                            return own.index_out_of_range == IndexOutOfRange::kClamp;
                          }),
            2);
}

TEST(Promise, SaysWhereItIsOtherThanADocument) {
  const Promise promise = read(R"({"name": "mine", "layouts": "packed", "minus_zero": "either",
      "operators": {"ONNX_GATHER": {"index_out_of_range": "clamp"},
                    "DML_SCATTER": {"index_out_of_range": "error", "overlapping_writes": "last"}}})");
  EXPECT_THAT(says_of(promise, Difference::Kind::kOther),
              ElementsAre(AllOf(HasSubstr("ONNX_GATHER: an index out of range means the nearest "
                                          "element; the document says: "),
                                HasSubstr(std::string(find_rule("gather.index-range")->statement))),
                          HasSubstr("a zero may arrive with either sign; the document says: ")));
  EXPECT_THAT(says_of(promise, Difference::Kind::kLess),
              ElementsAre(HasSubstr("only packed tensors are offered")));
  EXPECT_THAT(says_of(promise, Difference::Kind::kMore),
              ElementsAre(HasSubstr("DML_SCATTER: an index out of range is an error; the document "
                                    "leaves it open: "),
                          HasSubstr("DML_SCATTER: the last of several writes")));
  EXPECT_EQ(differences(promise).front().kind, Difference::Kind::kOther);
  // What the document says anyway is no difference.
  EXPECT_THAT(
      differences(read(
          R"({"name": "mine", "operators": {"ONNX_GATHER": {"index_out_of_range": "error"}}})")),
      IsEmpty());
}

TEST(Promise, SchemaAndPageNameEveryChoice) {
  const std::filesystem::path root = OPCONFORM_SOURCE_DIR;
  const base::Json schema = base::read_json_file(root / "profiles/promise.schema.json");
  const std::string page = base::read_text_file(root / "docs/promises.md");
  const auto check = [&](const base::Json& properties, const PromisedChoice& choice) {
    std::vector<std::string> names;
    for (const ValueText& value : choice.values) {
      names.emplace_back(value.name);
      EXPECT_THAT(page, HasSubstr("`" + std::string(value.name) + "`")) << choice.key;
    }
    EXPECT_THAT(page, HasSubstr("`" + std::string(choice.key) + "`"));
    ASSERT_TRUE(properties.contains(std::string(choice.key))) << choice.key;
    EXPECT_EQ(properties[std::string(choice.key)]["enum"], base::Json(names)) << choice.key;
  };
  visit_choices(document_promise(),
                [&](const PromisedChoice& choice, auto) { check(schema["properties"], choice); });
  visit_choices(document_promise().operators[0], [&](const PromisedChoice& choice, auto) {
    check(schema["$defs"]["operator"]["properties"], choice);
  });
}

TEST(Promise, EveryNamedOneIsWhatItsFileSays) {
  std::vector<std::string> names;
  for (const Promise& promise : named_promises()) {
    names.push_back(promise.name);
    EXPECT_FALSE(promise.says.empty()) << promise.name;
    EXPECT_FALSE(promise.sources.empty()) << promise.name;
    EXPECT_EQ(find_promise(promise.name).name, promise.name);
  }
  EXPECT_THAT(names, ElementsAre("directml", "numpy", "onnx", "torch", "webnn"));
}

TEST(Promise, IsANameOrAFile) {
  try {
    (void)find_promise("numpi");
    FAIL() << "found it";
  } catch (const base::BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean numpy?"));
  }
}

/// Why the reference is not asked to run the case's descriptor; empty where it is.
std::string rejection_of(const std::string& json, const cases::Case& one) {
  const auto backend = with_promise(make_backend("reference"), read(json));
  const Prepared prepared = backend->prepare(one.op, one.version);
  const Rejection* const rejection = std::get_if<Rejection>(&prepared);
  if (rejection == nullptr || rejection->kind != Rejection::Kind::kNotOffered) return "";
  return rejection->message;
}

TEST(Promise, OffersNoMoreThanItSays) {
  const cases::Case gather = test::failing_gather();  // int8 by int32, opset 13, rank 1
  const auto of_gather = [&](const std::string& own) {
    return rejection_of(R"({"name": "mine", "operators": {"ONNX_GATHER": )" + own + "}}", gather);
  };
  EXPECT_EQ(of_gather("{}"), "");
  EXPECT_THAT(of_gather("\"not-offered\""),
              HasSubstr("the promise mine does not offer ONNX_GATHER"));
  EXPECT_EQ(of_gather(R"({"data_types": ["int8"]})"), "");
  EXPECT_THAT(of_gather(R"({"data_types": ["int16"]})"), HasSubstr("int8 for data"));
  EXPECT_EQ(of_gather(R"({"index_types": ["int32"]})"), "");
  EXPECT_THAT(of_gather(R"({"index_types": ["int64"]})"), HasSubstr("int32 for indices"));
  EXPECT_EQ(of_gather(R"({"ranks": {"least": 1, "most": 1}})"), "");
  EXPECT_THAT(of_gather(R"({"ranks": {"least": 2}})"), HasSubstr("rank 1 for data"));
  EXPECT_EQ(of_gather(R"({"versions": {"from": "13", "to": "13"}})"), "");
  EXPECT_THAT(of_gather(R"({"versions": {"to": "12"}})"), HasSubstr("version 13"));
  EXPECT_THAT(of_gather(R"({"versions": {"from": "14"}})"), HasSubstr("version 13"));

  const cases::Case padded = test::padded_copy();
  EXPECT_EQ(rejection_of(R"({"name": "mine"})", padded), "");
  EXPECT_THAT(rejection_of(R"({"name": "mine", "layouts": "packed"})", padded),
              HasSubstr("this layout for InputTensor"));
}

TEST(Promise, LeavesBreachesOfOtherRulesAlone) {
  const cases::Case rejected = test::rejected_slice();
  EXPECT_EQ(rejection_of(R"({"name": "mine"})", rejected), "");
  EXPECT_EQ(rejection_of(R"({"name": "mine", "refusals": ["slice1.stride-not-zero"]})", rejected),
            "");
  EXPECT_THAT(rejection_of(R"({"name": "mine", "refusals": "none"})", rejected),
              HasSubstr("slice1.stride-not-zero"));
  EXPECT_THAT(rejection_of(R"({"name": "mine", "refusals": ["slice1.output-sizes"]})", rejected),
              HasSubstr("slice1.stride-not-zero"));
}

TEST(Promise, TheLastOneHolds) {
  auto backend =
      with_promise(make_backend("reference"), read(R"({"name": "first", "layouts": "packed"})"));
  backend = with_promise(std::move(backend), read(R"({"name": "second"})"));
  EXPECT_EQ(backend->promise().name, "second");
  const cases::Case padded = test::padded_copy();
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<Executable>>(
      backend->prepare(padded.op, padded.version)));
}

}  // namespace
}  // namespace opconform::backends
