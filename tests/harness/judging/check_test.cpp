// The comparison, tested with implementations that are wrong on purpose: each fault must get its
// verdict, and what a document permits must pass.

#include "harness/judging/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "harness/base/bad_input.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T>
T& element(const Bindings& bindings, std::size_t i) {
  return reinterpret_cast<T*>(bindings.outputs[0].data())[i];
}

TEST(Check, HonestBackendPasses) {
  test::FakeBackend backend;
  for (const cases::Case& tested : {test::padded_copy(), test::overlapping_scatter(),
                                    test::failing_gather(), test::rejected_slice()}) {
    const CaseResult result = check_case(tested, backend, {});
    EXPECT_EQ(result.verdict, Verdict::kPass) << tested.id << ": " << result.message;
    EXPECT_EQ(result.message, "");
    EXPECT_FALSE(result.weak);
    EXPECT_FALSE(result.unnamed_rule);
  }
}

TEST(Check, WrongElementIsAMismatchThatSaysWhereItCameFrom) {
  test::FakeBackend backend;
  backend.execute = test::then(
      backend, [](const Bindings& bindings) { element<std::uint16_t>(bindings, 5) = 6; });
  const CaseResult result = check_case(test::padded_copy(), backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.rule, "");  // the case shows several: a diagnosis says which it is
  EXPECT_THAT(result.message, AllOf(HasSubstr("OutputTensors[0][1, 1]"), HasSubstr("expected 5"),
                                    HasSubstr("InputTensor[1, 1]"), HasSubstr("found 6"),
                                    HasSubstr("InputTensor[1, 2]")));
}

TEST(Check, UnwrittenElementIsAMismatchWhateverStoodThere) {
  test::FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const CaseResult result = check_case(test::padded_copy(), backend, {.seed = seed});
    EXPECT_EQ(result.verdict, Verdict::kMismatch);
    EXPECT_THAT(result.message,
                AllOf(HasSubstr("never written"), HasSubstr("6 elements are wrong")));
  }
}

TEST(Check, EitherWinnerOfAnOverlapPasses) {
  for (const std::uint32_t winner : {65537U, 131074U}) {
    test::FakeBackend backend;
    backend.execute =
        test::with_own_inputs(backend, test::then(backend, [=](const Bindings& bindings) {
                                element<std::uint32_t>(bindings, 3) = winner;
                              }));
    EXPECT_EQ(check_case(test::overlapping_scatter(), backend, {}).verdict, Verdict::kPass);
  }
}

TEST(Check, ForeignOldOrMixedValueAtAnOverlapFails) {
  // The input's value, another update's, and halves of both winners.
  for (const std::uint32_t wrong : {3U, 6U, 65537U >> 16 | 131074U << 16, 65538U, 131073U}) {
    test::FakeBackend backend;
    backend.execute = test::then(
        backend, [=](const Bindings& bindings) { element<std::uint32_t>(bindings, 3) = wrong; });
    EXPECT_EQ(check_case(test::overlapping_scatter(), backend, {}).verdict, Verdict::kMismatch)
        << wrong;
  }
}

TEST(Check, WriteBehindOrBeforeTheBufferIsAMemoryFault) {
  for (const std::ptrdiff_t distance :
       {std::ptrdiff_t{-1}, std::ptrdiff_t{0}, std::ptrdiff_t{40}}) {
    test::FakeBackend backend;
    backend.execute = test::then(backend, [=](const Bindings& bindings) {
      std::byte* start = bindings.outputs[0].data();
      std::byte* at =
          start + (distance < 0
                       ? distance
                       : static_cast<std::ptrdiff_t>(bindings.outputs[0].size()) + distance);
      *at ^= std::byte{1};
    });
    const CaseResult result = check_case(test::padded_copy(), backend, {});
    EXPECT_EQ(result.verdict, Verdict::kMemoryFault);
    EXPECT_EQ(result.rule, "tensor.outside-intact");
    EXPECT_THAT(result.message, HasSubstr("OutputTensors[0]"));
  }
}

TEST(Check, ChangedInputIsAMemoryFault) {
  test::FakeBackend backend;
  backend.execute = test::then(backend, [](const Bindings& bindings) {
    // Also a gap of an input is its input.
    const_cast<std::byte&>(bindings.inputs[0][7]) ^= std::byte{1};
  });
  const CaseResult result = check_case(test::padded_copy(), backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMemoryFault);
  EXPECT_EQ(result.rule, "tensor.input-intact");
}

TEST(Check, GapBytesAreFreeUnlessStrict) {
  test::FakeBackend backend;
  backend.execute = test::then(
      backend, [](const Bindings& bindings) { element<std::uint16_t>(bindings, 3) ^= 1; });
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).verdict, Verdict::kPass);
  const CaseResult strict = check_case(test::padded_copy(), backend, {.strict_gaps = true});
  EXPECT_EQ(strict.verdict, Verdict::kMemoryFault);
  EXPECT_EQ(strict.rule, "tensor.gaps-dont-care");
  EXPECT_THAT(strict.message, HasSubstr("byte 6 of OutputTensors[0]"));
}

TEST(Check, RejectionsAndTheirRules) {
  test::FakeBackend backend;
  backend.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"slice1.output-sizes"}, ""};
  };
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).verdict, Verdict::kWrongRejection);
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kOtherRule);
  EXPECT_EQ(check_case(test::failing_gather(), backend, {}).verdict, Verdict::kWrongRejection);

  backend.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kRejected, {}, ""};
  };
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kOtherRule);
  backend.names_rules_exactly = false;
  const CaseResult unnamed = check_case(test::rejected_slice(), backend, {});
  EXPECT_EQ(unnamed.verdict, Verdict::kPass);
  EXPECT_TRUE(unnamed.unnamed_rule);

  backend.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kMissedRejection);
  backend.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "no such operator here"};
  };
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).verdict, Verdict::kUnsupported);
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kUnsupported);
}

TEST(Check, ARejectionByTheExecutionIsAsGoodAsOneBefore) {
  test::FakeBackend backend;
  backend.names_rules_exactly = false;
  backend.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  const auto reject_late = [&](backends::Rejection::Kind kind) {
    backend.reject_late = [=](const Operator&, Version) {
      return backends::Rejection{kind, {}, "only now"};
    };
  };
  reject_late(backends::Rejection::Kind::kRejected);
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kPass);
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).verdict, Verdict::kWrongRejection);
  for (const auto& tested : {test::rejected_slice(), test::padded_copy()}) {
    reject_late(backends::Rejection::Kind::kNotOffered);
    EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kUnsupported);
    reject_late(backends::Rejection::Kind::kRanElsewhere);
    EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kRanElsewhere);
  }
  backend.reject_late = [](const Operator&, Version) {
    return std::optional<backends::Rejection>();
  };
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional(backends::Failure{"", "no"});
  };
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kPass)
      << "failing is rejecting";
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kMissedRejection);
}

TEST(Check, WhoDoesNotRejectLateIsNotExecutedForWhatBreaksARule) {
  test::FakeBackend backend;
  backend.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  int executed = 0;
  backend.execute = [&](const Operator&, Version, const Bindings&) {
    ++executed;
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(test::rejected_slice(), backend, {}).verdict, Verdict::kMissedRejection);
  EXPECT_EQ(executed, 0);
}

TEST(Check, ErrorsAndTheirRules) {
  test::FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"scatter.index-range", ""};
  };
  EXPECT_EQ(check_case(test::failing_gather(), backend, {}).verdict, Verdict::kOtherRule);
  EXPECT_EQ(check_case(test::padded_copy(), backend, {}).verdict, Verdict::kWrongError);
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(test::failing_gather(), backend, {}).verdict, Verdict::kMissedError);
  backend.execute = [](const Operator&, Version, const Bindings& bindings) {
    bindings.outputs[0][0] ^= std::byte{1};
    return backends::Failure{"gather.index-range", ""};
  };
  EXPECT_EQ(check_case(test::failing_gather(), backend, {}).verdict, Verdict::kMismatch);
  backend.names_rules_exactly = false;
  backend.execute = test::with_own_inputs(
      backend, [](const Operator&, Version, const Bindings&) { return backends::Failure{}; });
  const CaseResult unnamed = check_case(test::failing_gather(), backend, {});
  EXPECT_EQ(unnamed.verdict, Verdict::kPass);
  EXPECT_TRUE(unnamed.unnamed_rule);
}

constexpr const char* kEitherWay = R"({"operator": "ONNX_GATHER", "cases": [{"id": "v1", "opset": 1,
    "desc": {"data": {"type": "int8", "shape": [3], "data": [1, 2, 3]},
             "indices": {"type": "int32", "shape": [], "data": -1},
             "output": {"type": "int8", "shape": []}}%s}]})";

std::string either_way(const std::string& expect) {
  std::string text = kEitherWay;
  return text.replace(text.find("%s"), 2, expect);
}

TEST(Check, AnyOfPassesAsAWholeOnly) {
  // Written out, and as the reference gives it.
  for (const std::string expect :
       {R"(, "expect": {"any_of": [{"error": "gather.index-range"}, {"outputs": {"output": 3}}]})",
        ""}) {
    const cases::Case tested = test::case_of(either_way(expect));
    test::FakeBackend errs;
    EXPECT_EQ(check_case(tested, errs, {}).verdict, Verdict::kPass);
    test::FakeBackend counts_back;
    counts_back.execute =
        test::with_own_inputs(counts_back, [](const Operator&, Version, const Bindings& bindings) {
          bindings.outputs[0][0] = std::byte{3};
          return std::optional<backends::Failure>();
        });
    EXPECT_EQ(check_case(tested, counts_back, {}).verdict, Verdict::kPass);
    test::FakeBackend clamps;
    clamps.execute = [](const Operator&, Version, const Bindings& bindings) {
      bindings.outputs[0][0] = std::byte{1};
      return std::optional<backends::Failure>();
    };
    EXPECT_EQ(check_case(tested, clamps, {}).verdict, Verdict::kMismatch);
    test::FakeBackend rejects;
    rejects.reject = [](const Operator&, Version) {
      return backends::Rejection{backends::Rejection::Kind::kRejected, {"gather.support"}, ""};
    };
    EXPECT_EQ(check_case(tested, rejects, {}).verdict, Verdict::kWrongRejection);
  }
}

TEST(Check, NothingButAnyPassesWhereMemoryIsIntact) {
  const std::string desc = R"({"operator": "DML_SCATTER", "cases": [{"id": "any",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [2], "data": [1, 2]},
      "IndicesTensor": {"DataType": "UINT32", "Sizes": [1], "data": [2]},
      "UpdatesTensor": {"DataType": "UINT8", "Sizes": [1], "data": [3]},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2]}})";
  // What the reference says, and the same written out.
  for (const std::string expect :
       {"", R"(, "expect": {"outputs": {"OutputTensor": [{"any": true}, {"any": true}]}})"}) {
    const cases::Case tested = test::case_of(desc + expect + "}]}");
    test::FakeBackend backend;
    backend.execute =
        test::with_own_inputs(backend, [](const Operator&, Version, const Bindings& bindings) {
          bindings.outputs[0][0] = std::byte{77};
          return std::optional<backends::Failure>();
        });
    EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kPass);
    test::FakeBackend fails;
    fails.execute = test::with_own_inputs(fails, [](const Operator&, Version, const Bindings&) {
      return backends::Failure{"", "outside"};
    });
    EXPECT_EQ(check_case(tested, fails, {}).verdict, Verdict::kPass);
  }
  const cases::Case partly = test::case_of(desc + R"(, "expect": {"outputs": {"OutputTensor":
      [{"any": true}, {"one_of": [2, 3]}]}}}]})");
  test::FakeBackend fails;
  fails.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"", "outside"};
  };
  EXPECT_EQ(check_case(partly, fails, {}).verdict, Verdict::kWrongError);
}

TEST(Check, NothingCheckedIsVacuous) {
  const cases::Case empty = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "empty",
    "desc": {"data": {"type": "int8", "shape": [0], "data": []},
             "indices": {"type": "int32", "shape": [0], "data": []},
             "output": {"type": "int8", "shape": [0]}},
    "expect": {"outputs": {"output": []}}}]})");
  test::FakeBackend backend;
  EXPECT_EQ(check_case(empty, backend, {.guard = base::Guard::kNone}).verdict, Verdict::kVacuous);
  EXPECT_EQ(check_case(empty, backend, {}).verdict, Verdict::kPass) << "shape and guards hold";
}

TEST(Check, EqualContentsAreMarkedWeak) {
  const cases::Case weak = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "weak",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "INT8", "Sizes": [2], "data": [7, 7]},
             "OutputTensors": [{"DataType": "INT8", "Sizes": [2]}]},
    "expect": {"outputs": {"OutputTensors": [[7, 7]]}}}]})");
  test::FakeBackend backend;
  const CaseResult result = check_case(weak, backend, {});
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_TRUE(result.weak);
  EXPECT_TRUE(check_case(weak, backend, {.most_executed_again_bytes = 0}).weak);

  unsigned executions = 0;
  backend.execute = test::then(backend, [&](const Bindings& bindings) {
    if (++executions == 2) bindings.outputs[0][0] ^= std::byte{1};
  });
  const CaseResult wrong = check_case(weak, backend, {});
  EXPECT_EQ(wrong.verdict, Verdict::kMismatch);
  EXPECT_FALSE(wrong.weak) << "only passes are";
  EXPECT_TRUE(wrong.choices.empty());
}

TEST(Check, OneElementAloneIsNotWeak) {
  const cases::Case single = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "single",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "INT8", "Sizes": [1], "data": [7]},
             "OutputTensors": [{"DataType": "INT8", "Sizes": [1]}]},
    "expect": {"outputs": {"OutputTensors": [[7]]}}}]})");
  test::FakeBackend backend;
  const CaseResult result = check_case(single, backend, {});
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_FALSE(result.weak) << "there is no other element to take for it";
}

TEST(Check, StringsAreComparedByContentAndTornViewsDoNotCrash) {
  const cases::Case strings =
      test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "strings",
    "desc": {"data": {"type": "string", "shape": [2], "data": ["", "a longer text than any small buffer"]},
             "indices": {"type": "int64", "shape": [2], "data": [1, 0]},
             "output": {"type": "string", "shape": [2]}},
    "expect": {"outputs": {"output": ["a longer text than any small buffer", ""]}}}]})");
  test::FakeBackend honest;
  EXPECT_EQ(check_case(strings, honest, {}).verdict, Verdict::kPass);

  std::string copy;
  test::FakeBackend copies;
  copies.execute = test::then(copies, [&](const Bindings& bindings) {
    auto& view = element<StringElement>(bindings, 0);
    copy.assign(view.bytes, view.size_bytes);
    view.bytes = copy.data();
  });
  EXPECT_EQ(check_case(strings, copies, {}).verdict, Verdict::kPass);

  test::FakeBackend tears;
  tears.execute = test::then(tears, [](const Bindings& bindings) {
    element<StringElement>(bindings, 0) = {reinterpret_cast<const char*>(std::uintptr_t{64}), 35};
  });
  const CaseResult result = check_case(strings, tears, {});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_THAT(result.message, HasSubstr("cannot be read"));

  test::FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  EXPECT_EQ(check_case(strings, idle, {}).verdict, Verdict::kMismatch);
}

TEST(Check, ResultExpectedOfABrokenDescriptorIsAWrongRejection) {
  cases::Case tested = test::rejected_slice();
  tested.expect = {};
  tested.expect.kind = cases::Expectation::Kind::kOutputs;
  tested.expect.outputs.resize(1);
  test::FakeBackend honest;
  EXPECT_EQ(check_case(tested, honest, {}).verdict, Verdict::kWrongRejection);
  test::FakeBackend accepts;
  accepts.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  EXPECT_EQ(check_case(tested, accepts, {}).verdict, Verdict::kWrongRejection);
}

TEST(Check, WhatCannotBeRunIsBadInput) {
  test::FakeBackend backend;
  EXPECT_THROW(check_case(test::padded_copy(), backend, {.memory_limit_bytes = 10}),
               base::BadInput);
  cases::Case empty = test::padded_copy();
  empty.inputs[0].kind = cases::Contents::Kind::kNone;
  EXPECT_THROW(check_case(empty, backend, {}), base::BadInput);
}

// slice1.example-2-axis: the page's walk adds InputWindowSizes[0] where it means
// InputWindowSizes[2]. Taken as printed, the copy would start at 0 and the comparison must reject
// what that gives. Axis 2 of the example alone, offset so that the printed reading stays inside the
// tensor: start 2 + 1 - 1, step -2, elements 2 and 0.
TEST(Errata, PrintedReadingOfSlice1Example2IsRejected) {
  const cases::Case printed =
      test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "printed",
    "rules": ["slice1.copy-start"], "errata": ["slice1.example-2-axis"],
    "desc": {"InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 6, 1], "data": [0, 1, 2, 3, 4, 5]},
             "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 1]},
             "InputWindowOffsets": [0, 0, 2, 0], "InputWindowSizes": [1, 1, 4, 1],
             "InputWindowStrides": [1, 1, -2, 1]},
    "expect": {"outputs": {"OutputTensor": [2, 0]}}}]})");
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  EXPECT_EQ(check_case(printed, *reference, {}).verdict, Verdict::kMismatch);
}

}  // namespace
}  // namespace opconform::judging
