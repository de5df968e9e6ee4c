// What the result of check_case() says beside its verdict: whose it is, which rule, whether weak.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "harness/judging/check.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::HasSubstr;

TEST(CheckResult, AnExceptionIsACrashWithItsWords) {
  test::FakeBackend throws;
  throws.reject = [](const Operator&, Version) -> std::optional<backends::Rejection> {
    throw std::runtime_error("on fire");
  };
  for (int i = 0; i < 2; ++i) {
    const CaseResult result = check_case(test::padded_copy(), throws, {});
    EXPECT_EQ(result.verdict, Verdict::kCrash);
    EXPECT_EQ(result.case_id, "padded-copy");
    EXPECT_EQ(result.backend, "fake");
    EXPECT_THAT(result.message, HasSubstr("on fire"));
    throws.reject = nullptr;
    throws.execute = [](const Operator&, Version,
                        const Bindings&) -> std::optional<backends::Failure> {
      throw std::runtime_error("on fire");
    };
  }
}

TEST(CheckResult, AMismatchIsAboutTheCasesFirstRuleUnlessItHasItsOwn) {
  test::FakeBackend backend;
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).rule, "") << "a pass is about none";
  backend.execute = [](const Operator&, Version, const Bindings& bindings) {
    bindings.outputs[0][0] ^= std::byte{1};
    return backends::Failure{"gather.index-range", ""};
  };
  cases::Case tested = test::failing_gather();
  tested.rules = {"gather.semantics"};
  EXPECT_EQ(check_case(tested, backend, {}).rule, "gather.index-range");
}

TEST(CheckResult, WeakAreTheValuesOfAllInputsTogether) {
  test::FakeBackend backend;
  // Indices do not count, whatever their type.
  EXPECT_TRUE(check_case(test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "alike",
    "desc": {"data": {"type": "int32", "shape": [2], "data": [7, 7]},
             "indices": {"type": "int32", "shape": [2], "data": [0, 1]},
             "output": {"type": "int32", "shape": [2]}}}]})"),
                         backend, {})
                  .weak);
  const auto scatter = [](const std::string& update) {
    return test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "scatter",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [7, 7]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [1]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [)" +
                         update + R"(]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2]}}}]})");
  };
  EXPECT_TRUE(check_case(scatter("7"), backend, {}).weak);
  EXPECT_FALSE(check_case(scatter("8"), backend, {}).weak);
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_FALSE(check_case(scatter("7"), backend, {}).weak) << "it failed";
}

}  // namespace
}  // namespace opconform::judging
