// Each choice of a promise: an implementation that keeps it passes, one that breaks it fails.

#include "harness/judging/promised.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "harness/backends/promise_file.h"
#include "harness/backends/promising.h"
#include "harness/diagnosis/explain.h"
#include "harness/judging/check.h"
#include "harness/judging/siblings.h"
#include "harness/running/differential.h"
#include "planted/registry.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

backends::Promise promise_of(const std::string& choices) {
  const std::string json = "{\"name\": \"mine\", " + choices + "}";
  return backends::read_promise(base::parse_json(json, "mine.json"), "mine.json");
}
std::string of_gather(const std::string& choice) {
  return R"("operators": {"ONNX_GATHER": {)" + choice + "}}";
}
std::string of_scatter(const std::string& choice) {
  return R"("operators": {"DML_SCATTER": {)" + choice + "}}";
}

Verdict verdict_of(const cases::Case& tested, std::unique_ptr<backends::Backend> backend,
                   const std::string& choices) {
  return check_case(tested, *backends::with_promise(std::move(backend), promise_of(choices)), {})
      .verdict;
}
Verdict verdict_of(const cases::Case& tested, const std::string& backend,
                   const std::string& choices) {
  auto made = planted::make_faulty(backend);
  return verdict_of(tested, made ? std::move(made) : backends::make_backend(backend), choices);
}
/// Of an implementation that gives this first output in the executions with the case's own inputs.
template <class T>
Verdict verdict_of_output(const cases::Case& tested, const std::vector<T>& output,
                          const std::string& choices) {
  auto backend = std::make_unique<test::FakeBackend>();
  backend->execute =
      test::with_own_inputs(*backend, [output](const Operator&, Version, const Bindings& bound) {
        if (!output.empty())
          std::memcpy(bound.outputs[0].data(), output.data(), output.size() * sizeof output[0]);
        return std::optional<backends::Failure>();
      });
  return verdict_of(tested, std::move(backend), choices + R"(, "executions": "one")");
}
/// Of one that fails, after it wrote something where it `writes`.
Verdict verdict_of_failure(const cases::Case& tested, const std::string& rule,
                           const std::string& choices, bool writes = false) {
  auto backend = std::make_unique<test::FakeBackend>();
  backend->execute = [=](const Operator&, Version, const Bindings& bound) {
    if (writes) bound.outputs[0][0] = ~bound.outputs[0][0];
    return std::optional(backends::Failure{rule, ""});
  };
  return verdict_of(tested, std::move(backend), choices + R"(, "executions": "one")");
}

/// Data {1, 2, 3} of int8.
cases::Case gather(const std::string& indices, std::size_t count, unsigned opset = 13) {
  return test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "gather", "opset": )" +
                       std::to_string(opset) + R"(,
    "desc": {"data": {"type": "int8", "shape": [3], "data": [1, 2, 3]},
             "indices": {"type": "int32", "shape": [)" +
                       std::to_string(count) + R"(], "data": )" + indices + R"(},
             "output": {"type": "int8", "shape": [)" +
                       std::to_string(count) + "]}}}]}");
}
using Int8s = std::vector<std::int8_t>;

TEST(PromisedGather, OutOfRange) {
  const cases::Case tested = gather("[0, 3, -4, -1]", 4);
  const auto verdict = [&](const char* value, const Int8s& output) {
    return verdict_of_output(tested, output,
                             of_gather(std::string(R"("index_out_of_range": ")") + value + "\""));
  };
  EXPECT_EQ(verdict("clamp", {1, 3, 1, 3}), Verdict::kPass);
  EXPECT_EQ(verdict("clamp", {1, 3, 2, 3}), Verdict::kMismatch);
  EXPECT_EQ(verdict("clamp", {1, 0, 0, 3}), Verdict::kMismatch);
  EXPECT_EQ(verdict("zero", {1, 0, 0, 3}), Verdict::kPass);
  EXPECT_EQ(verdict("zero", {1, 3, 1, 3}), Verdict::kMismatch);
  EXPECT_EQ(verdict("unspecified", {1, 77, 78, 3}), Verdict::kPass);
  EXPECT_EQ(verdict("unspecified", {1, 77, 78, 2}), Verdict::kMismatch);
  EXPECT_EQ(verdict("error", {1, 3, 1, 3}), Verdict::kMissedError);
  EXPECT_EQ(verdict("document", {1, 3, 1, 3}), Verdict::kMissedError);
  const auto verdict_of_error = [&](const char* value) {
    return verdict_of_failure(tested, "gather.index-range",
                              of_gather(std::string(R"("index_out_of_range": ")") + value + "\""));
  };
  EXPECT_EQ(verdict_of_error("error"), Verdict::kPass);
  EXPECT_EQ(verdict_of_error("unspecified"), Verdict::kPass);
  EXPECT_EQ(verdict_of_error("clamp"), Verdict::kWrongError);
}

/// Whether a failure hangs on a promise is said, and of nothing else.
TEST(PromisedGather, SaysWhatIsDueByAPromise) {
  const cases::Case tested = gather("[0, 3, -4, -1]", 4);
  const auto message = [&](const cases::Case& one, const std::string& choice) {
    const auto backend =
        backends::with_promise(std::make_unique<test::FakeBackend>(),
                               promise_of(of_gather(R"("index_out_of_range": ")" + choice + "\"") +
                                          R"(, "executions": "one")"));
    return check_case(one, *backend, {}).message;
  };
  const std::string due = "; due by its promise";
  EXPECT_THAT(message(tested, "clamp"), HasSubstr("failed, but must give a result"));
  EXPECT_THAT(message(tested, "clamp"), EndsWith(due));
  EXPECT_EQ(message(tested, "unspecified"), "");
  EXPECT_EQ(message(gather("[0, 1]", 2), "clamp"), "");

  test::FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_THAT(check_case(tested, idle, {}).message, EndsWith("must fail for gather.index-range"));
}

TEST(PromisedGather, WhereNothingIsNearest) {
  const cases::Case tested = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "gather",
    "desc": {"data": {"type": "int8", "shape": [0], "data": []},
             "indices": {"type": "int32", "shape": [1], "data": [0]},
             "output": {"type": "int8", "shape": [1]}}}]})");
  const std::string clamp = of_gather(R"("index_out_of_range": "clamp")");
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", clamp), Verdict::kPass);
  EXPECT_EQ(verdict_of_output(tested, Int8s{0}, clamp), Verdict::kMissedError);
}

TEST(PromisedGather, NegativeIndices) {
  const std::string counts = of_gather(R"("negative_indices": "count-from-end")");
  const std::string error = of_gather(R"("negative_indices": "error")");
  const cases::Case version_1 = gather("[-1]", 1, 10);
  const cases::Case version_13 = gather("[-1]", 1);
  EXPECT_EQ(verdict_of_output(version_1, Int8s{3}, counts), Verdict::kPass);
  EXPECT_EQ(verdict_of_failure(version_1, "gather.index-range", counts), Verdict::kWrongError);
  for (const cases::Case& tested : {version_1, version_13}) {
    EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", error), Verdict::kPass);
    EXPECT_EQ(verdict_of_output(tested, Int8s{3}, error), Verdict::kMissedError);
  }
}

TEST(PromisedGather, LeavesOpenWhatTheDocumentLeavesOpen) {
  // An index out of range is promised, the negative one of version 1 is not.
  const cases::Case tested = gather("[-1, 3]", 2, 10);
  const std::string clamp = of_gather(R"("index_out_of_range": "clamp")");
  EXPECT_EQ(verdict_of_output(tested, Int8s{3, 3}, clamp), Verdict::kPass);
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", clamp), Verdict::kPass);
  EXPECT_EQ(verdict_of_output(tested, Int8s{1, 3}, clamp), Verdict::kMismatch);
}

TEST(PromisedGather, WithoutOutput) {
  const cases::Case tested = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "gather",
    "desc": {"data": {"type": "int8", "shape": [3, 0], "data": []},
             "indices": {"type": "int32", "shape": [1], "data": [3]},
             "output": {"type": "int8", "shape": [1, 0]}}}]})");
  const std::string nothing = of_gather(R"("index_without_output": "nothing")");
  EXPECT_EQ(verdict_of_output(tested, Int8s{}, nothing), Verdict::kPass);
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", nothing), Verdict::kWrongError);
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", of_gather("")), Verdict::kPass);
  // Where there is an output, an error stays due.
  EXPECT_EQ(verdict_of_output(test::failing_gather(), Int8s{1, 3}, nothing), Verdict::kMissedError);
}

TEST(PromisedGather, AfterAnError) {
  const cases::Case tested = test::failing_gather();
  const std::string anything = R"("after_error": "anything")";
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", anything, true), Verdict::kPass);
  EXPECT_EQ(verdict_of_failure(tested, "gather.index-range", of_gather(""), true),
            Verdict::kMismatch);
  EXPECT_EQ(verdict_of_output(tested, Int8s{1, 3}, anything), Verdict::kMissedError);
}

/// Into {50, 51, 52, 53, 54}, updates 60, 61, 62.
cases::Case scatter(const std::string& indices) {
  return test::case_of(R"({"operator": "DML_SCATTER", "cases": [{"id": "scatter",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT32", "Sizes": [5], "data": [50, 51, 52, 53, 54]},
      "IndicesTensor": {"DataType": "INT32", "Sizes": [3], "data": )" +
                       indices + R"(},
      "UpdatesTensor": {"DataType": "UINT32", "Sizes": [3], "data": [60, 61, 62]},
      "OutputTensor": {"DataType": "UINT32", "Sizes": [5]}}}]})");
}

TEST(PromisedScatter, OutOfRange) {
  const cases::Case tested = scatter("[1, 7, -9]");
  const auto promise = [](const char* value) {
    return of_scatter(std::string(R"("index_out_of_range": ")") + value + "\"");
  };
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-clamps", promise("clamp")), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-wraps", promise("clamp")), Verdict::kMismatch);
  EXPECT_EQ(verdict_of(tested, "reference", promise("clamp")), Verdict::kMismatch);
  EXPECT_EQ(verdict_of(tested, "reference", promise("drop")), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-clamps", promise("drop")), Verdict::kMismatch);
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-outside-gives-noise", promise("unspecified")),
            Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-outside-gives-noise", promise("drop")),
            Verdict::kMismatch);
  EXPECT_EQ(verdict_of_failure(tested, "scatter.index-range", promise("error")), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "reference", promise("error")), Verdict::kMissedError);
  EXPECT_EQ(verdict_of_failure(tested, "scatter.index-range", promise("drop")),
            Verdict::kWrongError);
  // It fails with half of the updates written.
  const std::string dirty = promise("error") + R"(, "after_error": "anything")";
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-fails-outside", promise("error")),
            Verdict::kMismatch);
  EXPECT_EQ(verdict_of(tested, "faulty:scatter-fails-outside", dirty), Verdict::kPass);
}

TEST(PromisedScatter, NegativeIndices) {
  const cases::Case tested = scatter("[1, -1, 2]");
  const std::string error = of_scatter(R"("negative_indices": "error")");
  EXPECT_EQ(verdict_of_failure(tested, "scatter.index-range", error), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "reference", error), Verdict::kMissedError);
  EXPECT_EQ(verdict_of(scatter("[1, 0, 2]"), "reference", error), Verdict::kPass);
}

TEST(PromisedScatter, OverlappingWrites) {
  const cases::Case tested = scatter("[3, 1, 3]");
  const auto promise = [](const char* value) {
    return of_scatter(std::string(R"("overlapping_writes": ")") + value + "\"");
  };
  EXPECT_EQ(verdict_of(tested, "reference", promise("last")), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "faulty:first-update-wins", promise("last")), Verdict::kMismatch);
  EXPECT_EQ(verdict_of(tested, "faulty:first-update-wins", promise("first")), Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "reference", promise("first")), Verdict::kMismatch);
  EXPECT_EQ(verdict_of_failure(tested, "scatter.overlap-any-winner", promise("error")),
            Verdict::kPass);
  EXPECT_EQ(verdict_of(tested, "reference", promise("error")), Verdict::kMissedError);
  // Elsewhere it must give a result, and does: its own indices stay in the third execution.
  EXPECT_EQ(verdict_of(scatter("[3, 1, 2]"), "reference", promise("error")), Verdict::kPass);
}

TEST(PromisedScatter, WhatIsClampedMayOverlap) {
  using Values = std::vector<std::uint32_t>;
  const cases::Case tested = scatter("[4, 9, 7]");
  const std::string clamp = of_scatter(R"("index_out_of_range": "clamp")");
  for (const std::uint32_t writer : {60U, 61U, 62U})
    EXPECT_EQ(verdict_of_output(tested, Values{50, 51, 52, 53, writer}, clamp), Verdict::kPass);
  EXPECT_EQ(verdict_of_output(tested, Values{50, 51, 52, 53, 54}, clamp), Verdict::kMismatch);
}

/// A copy by DML_SPLIT, or of bools by ONNX_GATHER.
cases::Case copy_of(const std::string& type, const std::string& element) {
  if (type == "bool" || type == "complex64")
    return test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "copy",
      "desc": {"data": {"type": ")" +
                         type + R"(", "shape": [1], "data": [)" + element + R"(]},
               "indices": {"type": "int32", "shape": [1], "data": [0]},
               "output": {"type": ")" +
                         type + R"(", "shape": [1]}}}]})");
  return test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "copy", "desc": {"Axis": 0,
      "InputTensor": {"DataType": ")" +
                       type + R"(", "Sizes": [1], "data": [)" + element + R"(]},
      "OutputTensors": [{"DataType": ")" +
                       type + R"(", "Sizes": [1]}]}}]})");
}

template <class Bits>
void expect_arrival(const cases::Case& tested, Bits arrived, const std::string& choices,
                    Verdict verdict) {
  EXPECT_EQ(verdict_of_output(tested, std::vector<Bits>{arrived}, choices), verdict)
      << std::hex << +arrived << " under " << choices;
}

TEST(PromisedValues, Nans) {
  const std::string any = R"("nan_payloads": "any")";
  const std::string quiet = R"("signalling_nans": "quietened")";
  const std::string kept = R"("nan_payloads": "kept")";
  const cases::Case tested = copy_of("FLOAT32", "\"0x7f800123\"");
  expect_arrival(tested, 0x7f800123U, kept, Verdict::kPass);
  expect_arrival(tested, 0x7fc00123U, kept, Verdict::kMismatch);
  expect_arrival(tested, 0x7fc00123U, quiet, Verdict::kPass);
  expect_arrival(tested, 0x7fc00000U, quiet, Verdict::kMismatch);
  expect_arrival(tested, 0xffc00123U, quiet, Verdict::kMismatch);
  expect_arrival(tested, 0xffc00000U, any, Verdict::kPass);
  expect_arrival(tested, 0x7f800000U, any, Verdict::kMismatch);  // an infinity
  expect_arrival(copy_of("FLOAT32", "1.5"), 0x7fc00000U, any, Verdict::kMismatch);
  expect_arrival(copy_of("FLOAT16", "\"0x7c01\""), std::uint16_t{0x7e01}, quiet, Verdict::kPass);
  expect_arrival(copy_of("FLOAT64", "\"0x7ff0000000000001\""), 0x7ff8000000000001U, quiet,
                 Verdict::kPass);
  // No float.
  expect_arrival(copy_of("UINT32", "\"0x7f800123\""), 0x7fc00123U, any, Verdict::kMismatch);
  expect_arrival(copy_of("complex64", "[\"0x7f800001\", 1.0]"), 0x3f8000007fc00001U, quiet,
                 Verdict::kPass);
  expect_arrival(copy_of("complex64", "[\"0x7f800001\", 1.0]"), 0x3f8000017fc00001U, quiet,
                 Verdict::kMismatch);
}

TEST(PromisedValues, Zeros) {
  const std::string either = R"("minus_zero": "either")";
  const cases::Case minus = copy_of("FLOAT32", "-0.0");
  expect_arrival(minus, 0U, either, Verdict::kPass);
  expect_arrival(minus, 0U, R"("minus_zero": "kept")", Verdict::kMismatch);
  expect_arrival(minus, 1U, either, Verdict::kMismatch);
  expect_arrival(copy_of("FLOAT32", "0.0"), 0x80000000U, either, Verdict::kPass);
  expect_arrival(copy_of("INT32", "0"), 0x80000000U, either, Verdict::kMismatch);
}

TEST(PromisedValues, Bools) {
  const std::string normalised = R"("bools": "normalised")";
  const cases::Case tested = copy_of("bool", "\"0x02\"");
  expect_arrival(tested, std::uint8_t{2}, normalised, Verdict::kPass);
  expect_arrival(tested, std::uint8_t{1}, normalised, Verdict::kPass);
  expect_arrival(tested, std::uint8_t{1}, R"("bools": "kept")", Verdict::kMismatch);
  expect_arrival(tested, std::uint8_t{0}, normalised, Verdict::kMismatch);
  expect_arrival(tested, std::uint8_t{3}, normalised, Verdict::kMismatch);
  expect_arrival(copy_of("bool", "false"), std::uint8_t{1}, normalised, Verdict::kMismatch);
}

TEST(PromisedValues, WhatWasNeverWrittenShows) {
  // What stands there before is nothing that could pass: 1 is the complement of the bool.
  for (const auto& [type, element, choices] :
       {std::tuple("FLOAT32", "\"0x00000001\"", R"("nan_payloads": "any")"),
        {"bool", "\"0xfe\"", R"("bools": "normalised")"}})
    EXPECT_EQ(verdict_of_output<std::byte>(copy_of(type, element), {}, choices), Verdict::kMismatch)
        << type;
}

/// Counts what it is asked for.
class CountingBackend : public test::FakeBackend {
 public:
  unsigned plans = 0;
  unsigned executions = 0;
  CountingBackend() {
    execute = [this](const Operator& op, Version version, const Bindings& bound) {
      ++executions;
      return honest(op, version, bound);
    };
  }
  backends::Prepared prepare(const Operator& op, Version version) override {
    ++plans;
    return test::FakeBackend::prepare(op, version);
  }
};

TEST(PromisedEffort, NoMorePlansAndExecutionsThanAreWanted) {
  const auto count = [](const std::string& choices) {
    auto backend = std::make_unique<CountingBackend>();
    CountingBackend* const counted = backend.get();
    const auto promising = backends::with_promise(std::move(backend), promise_of(choices));
    EXPECT_EQ(check_case(test::padded_copy(), *promising, {}).verdict, Verdict::kPass);
    return std::pair(counted->plans, counted->executions);
  };
  // Each sibling, the case, a sibling once more and another; the sibling is executed once.
  const cases::Case tested = test::padded_copy();
  const auto plans = static_cast<unsigned>(siblings(tested.op, tested.version, 0).size()) + 3;
  EXPECT_EQ(count(R"("second_plan": "wanted")"), std::pair(plans, 4U));
  EXPECT_EQ(count(R"("second_plan": "not-wanted")"), std::pair(1U, 3U));
  EXPECT_EQ(count(R"("executions": "one")"), std::pair(plans, 1U));
}

TEST(PromisedEffort, OneExecutionEndsAtAPageInEverySecondCase) {
  // By the case's id: what shows only there, or only at an odd address, shows in half of the cases.
  cases::Case tested = test::padded_copy();
  std::size_t at_a_page = 0;
  std::size_t elsewhere = 0;
  for (const char* const id : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    tested.id = id;
    auto backend = std::make_unique<test::FakeBackend>();
    backend->execute = [&, &honest = *backend](const Operator& op, Version version,
                                               const Bindings& bound) {
      const std::span<std::byte> output = bound.outputs[0];
      const auto end = reinterpret_cast<std::uintptr_t>(output.data() + output.size());
      ++(end % 4096 == 0 ? at_a_page : elsewhere);
      return honest.honest(op, version, bound);
    };
    EXPECT_EQ(verdict_of(tested, std::move(backend), R"("executions": "one")"), Verdict::kPass);
  }
  EXPECT_GT(at_a_page, 0U);
  EXPECT_GT(elsewhere, 0U);
}

TEST(PromisedRejections, AreJudgedOnlyWherePromised) {
  auto blind = [] {
    auto backend = std::make_unique<test::FakeBackend>();
    backend->reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
    return backend;
  };
  const cases::Case rejected = test::rejected_slice();
  EXPECT_EQ(verdict_of(rejected, blind(), R"("refusals": "all")"), Verdict::kMissedRejection);
  EXPECT_EQ(verdict_of(rejected, blind(), R"("refusals": ["slice1.stride-not-zero"])"),
            Verdict::kMissedRejection);
  EXPECT_EQ(verdict_of(rejected, blind(), R"("refusals": "none")"), Verdict::kUnsupported);
  EXPECT_EQ(verdict_of(rejected, blind(), R"("refusals": ["slice1.output-sizes"])"),
            Verdict::kUnsupported);
  // What is valid must be accepted, whatever is promised of rejections.
  auto timid = std::make_unique<test::FakeBackend>();
  timid->reject = [](const Operator&, Version) {
    return std::optional(
        backends::Rejection{backends::Rejection::Kind::kRejected, {"slice1.stride-not-zero"}, ""});
  };
  EXPECT_EQ(verdict_of(test::padded_copy(), std::move(timid), R"("refusals": "none")"),
            Verdict::kWrongRejection);
}

TEST(PromisedExpectation, IsNamedInTheMessage) {
  const auto backend =
      backends::with_promise(backends::make_backend("reference"),
                             promise_of(of_gather(R"("index_out_of_range": "clamp")")));
  const CaseResult result = check_case(test::failing_gather(), *backend, {});
  EXPECT_THAT(result.message, HasSubstr("due by its promise"));
  EXPECT_THAT(diagnosis::explanations(test::failing_gather(), result),
              ::testing::ElementsAre(diagnosis::kNotAsPromised));
}

TEST(PromisedExpectation, OfTheDocumentStaysAsItIs) {
  const cases::Case tested = test::overlapping_scatter();
  const cases::TensorList tensors(tested.op);
  cases::Expectation expected = tested.expect;
  expected = promised_expectation(backends::document_promise(), expected, tested.op, tested.version,
                                  tensors, {});  // does not look at the inputs
  EXPECT_EQ(expected.outputs.front().elements, tested.expect.outputs.front().elements);
  EXPECT_EQ(expected.outputs.front().open_elements.size(), 1U);
}

}  // namespace
}  // namespace opconform::judging
