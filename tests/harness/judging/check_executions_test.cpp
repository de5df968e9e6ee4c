// How check_case() executes what is accepted: three times, each with what the others had not, and
// with the descriptor gone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "harness/base/layout.h"
#include "harness/judging/check.h"
#include "harness/judging/siblings.h"
#include "spec/validate.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

/// A backend that notes the addresses of its outputs, and may be wrong in its second execution.
struct Recorder {
  test::FakeBackend backend;
  std::vector<const std::byte*> outputs;
  bool spoils_second = false;

  Recorder() {
    backend.execute = [this](const Operator& op, Version version, const Bindings& bound) {
      outputs.push_back(bound.outputs[0].data());
      std::optional<backends::Failure> failure = backend.honest(op, version, bound);
      if (spoils_second && outputs.size() == 2) bound.outputs[0][0] ^= std::byte{1};
      return failure;
    };
  }
};

TEST(CheckExecutions, PlansAreExecutedAtEitherEndOfPagesAndAtOddBases) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Recorder recorder;
    EXPECT_EQ(check_case(test::padded_copy(), recorder.backend, {.seed = seed}).verdict,
              Verdict::kPass);
    ASSERT_EQ(recorder.outputs.size(), 3U);
    const std::uint64_t size_bytes =
        buffer_tensor_size(std::get<Split>(test::padded_copy().op).outputs[0]).value();
    EXPECT_EQ((reinterpret_cast<std::uintptr_t>(recorder.outputs[0]) + size_bytes) % 4096, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(recorder.outputs[1]) % 4096, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(recorder.outputs[2]) % 4, 2U) << "of UINT16";
  }
}

TEST(CheckExecutions, WithoutPagesBasesAreOddAndWide) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Recorder recorder;
    const CheckOptions options{.guard = base::Guard::kCanary, .seed = seed};
    EXPECT_EQ(check_case(test::padded_copy(), recorder.backend, options).verdict, Verdict::kPass);
    ASSERT_EQ(recorder.outputs.size(), 3U);
    EXPECT_NE(recorder.outputs[0], recorder.outputs[1]);
    EXPECT_NE(recorder.outputs[1], recorder.outputs[2]);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(recorder.outputs[0]) % 4, 2U) << "of UINT16";
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(recorder.outputs[1]) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(recorder.outputs[2]) % 4, 2U);
  }
}

TEST(CheckExecutions, WrongSecondExecutionFails) {
  Recorder recorder;
  recorder.spoils_second = true;
  const CaseResult result = check_case(test::padded_copy(), recorder.backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.failed_execution, 2U);
  EXPECT_THAT(result.message,
              AllOf(HasSubstr("OutputTensors[0][0, 0]"), EndsWith(" (in the second execution)")));
}

/// The limit is on all buffers together, and is permitted itself.
TEST(CheckExecutions, EvidenceIsKeptWhereAllBuffersAreSmallEnough) {
  const cases::Case tested = test::padded_copy();
  std::uint64_t size_bytes = 0;
  for_each_tensor(tested.op, [&](const NamedTensor& tensor) {
    size_bytes += buffer_size_bytes(tensor.desc, tested.version.dialect());
  });
  for (const bool is_kept : {true, false}) {
    test::FakeBackend idle;
    idle.execute = [](const Operator&, Version, const Bindings&) {
      return std::optional<backends::Failure>();
    };
    const CaseResult result =
        check_case(tested, idle, {.most_evidence_bytes = is_kept ? size_bytes : size_bytes - 1});
    EXPECT_EQ(result.verdict, Verdict::kMismatch);
    EXPECT_EQ(result.evidence != nullptr, is_kept);
  }
}

TEST(CheckExecutions, ThirdExecutionHasOtherInputs) {
  for (const cases::Case& tested : {test::padded_copy(), test::overlapping_scatter()}) {
    test::FakeBackend backend;
    std::vector<std::vector<std::vector<std::byte>>> seen;
    const auto look = [&](const Operator& op, Version version, const Bindings& bound) {
      const cases::TensorList tensors(op);
      std::vector<std::vector<std::byte>>& elements = seen.emplace_back();
      for (std::size_t i = 0; i < bound.inputs.size(); ++i) {
        const std::size_t width = tensors.inputs[i].desc.element_size_bytes();
        std::vector<std::byte>& input = elements.emplace_back();
        base::for_each_element(tensors.inputs[i].desc, [&](std::uint64_t, std::uint64_t offset) {
          const auto element = bound.inputs[i].subspan(offset * width, width);
          input.insert(input.end(), element.begin(), element.end());
        });
      }
      return backend.honest(op, version, bound);
    };
    backend.execute = look;
    EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kPass);
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen[0], seen[1]);
    for (std::size_t i = 0; i < seen[0].size(); ++i)
      EXPECT_NE(seen[0][i], seen[2][i]) << tested.id << ", input " << i;
    EXPECT_TRUE(seen[2].size() < 2 || seen[2][0] != seen[2].back()) << "each has its own";
  }
}

TEST(CheckExecutions, WrongThirdExecutionFails) {
  test::FakeBackend backend;
  unsigned executions = 0;
  backend.execute = test::then(backend, [&](const Bindings& bindings) {
    if (++executions == 3) bindings.outputs[0][0] ^= std::byte{1};
  });
  const CaseResult result = check_case(test::padded_copy(), backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_THAT(result.message, AllOf(HasSubstr("OutputTensors[0][0, 0]"),
                                    HasSubstr("(in the third execution, with other inputs)")));
}

TEST(CheckExecutions, ErrorOfTheFirstInputsIsNoneOfOthers) {
  test::FakeBackend backend;
  const cases::Case tested = test::failing_gather();
  bool has_failed = false;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    std::optional<backends::Failure> failure = backend.honest(op, version, bound);
    has_failed = has_failed || failure;
    return has_failed ? std::optional(backends::Failure{"gather.index-range", "as before"})
                      : failure;
  };
  const CaseResult result = check_case(tested, backend, {});
  EXPECT_EQ(result.verdict, Verdict::kWrongError) << result.message;
  EXPECT_THAT(result.message, HasSubstr("third execution"));
}

/// A backend whose plans look at the descriptor of whoever had them prepared.
class DescriptorKeeper : public backends::Backend {
 public:
  [[nodiscard]] std::string name() const override { return "keeper"; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  backends::Prepared prepare(const Operator& op, Version version) override {
    prepared.push_back(op);
    if (prepared.size() == 2 && at_second) return at_second();
    return std::make_unique<Plan>(*this, op, version);
  }

  std::vector<Operator> prepared;
  std::vector<Operator> executed;
  std::function<backends::Prepared()> at_second;

 private:
  class Plan : public backends::Executable {
   public:
    Plan(DescriptorKeeper& keeper, const Operator& op, Version version)
        : keeper_(keeper), given_(op), own_(op), version_(version) {}
    backends::Ending execute(const Bindings& bound) override {
      keeper_.executed.push_back(given_);
      backends::Prepared honest = keeper_.reference_->prepare(own_, version_);
      return std::get<std::unique_ptr<backends::Executable>>(honest)->execute(bound);
    }

   private:
    DescriptorKeeper& keeper_;
    const Operator& given_;
    Operator own_;
    Version version_;
  };
  std::unique_ptr<backends::Backend> reference_ = backends::make_backend("reference");
};

TEST(CheckExecutions, DescriptorChangesAndAnotherPlanIsPreparedBeforeExecution) {
  const cases::Case sliced = test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "sliced",
    "desc": {"InputTensor": {"DataType": "UINT8", "Sizes": [1, 1, 1, 4], "data": [1, 2, 3, 4]},
             "OutputTensor": {"DataType": "UINT8", "Sizes": [1, 1, 1, 2]},
             "InputWindowOffsets": [0, 0, 0, 1], "InputWindowSizes": [1, 1, 1, 3],
             "InputWindowStrides": [1, 1, 1, -2]}}]})");
  const cases::Case halves = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "halves",
    "desc": {"Axis": 1,
      "InputTensor": {"DataType": "UINT8", "Sizes": [1, 4], "Strides": [8, 2], "data": [1, 2, 3, 4]},
      "OutputTensors": [{"DataType": "UINT8", "Sizes": [1, 2]},
                        {"DataType": "UINT8", "Sizes": [1, 2]}]}}]})");
  for (const cases::Case& tested :
       {sliced, halves, test::overlapping_scatter(), test::failing_gather()}) {
    DescriptorKeeper backend;
    EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kPass) << tested.id;
    // Siblings, the case, a sibling once more, and the other.
    const std::size_t place = siblings(tested.op, tested.version, 0).size();
    ASSERT_GT(place, 3U);
    ASSERT_EQ(backend.prepared.size(), place + 3);
    EXPECT_EQ(backend.prepared[place], tested.op);
    EXPECT_EQ(backend.prepared[place + 1], backend.prepared[0]);
    const Operator& other = backend.prepared[place + 2];
    EXPECT_EQ(other.index(), tested.op.index());
    EXPECT_TRUE(validate(other, tested.version).empty()) << tested.id;
    for_each_tensor(other, [&](const NamedTensor& tensor) {
      EXPECT_EQ(tensor.desc.sizes, Dims(tensor.desc.rank(), 1)) << tensor.path.text();
      EXPECT_EQ(tensor.desc.strides, std::nullopt);
    });
    ASSERT_EQ(backend.executed.size(), 4U);
    for (const std::size_t i : {0U, 2U, 3U}) EXPECT_EQ(backend.executed[i], other) << tested.id;
    EXPECT_EQ(backend.executed[1], backend.prepared[0]) << tested.id;
  }
}

TEST(CheckExecutions, WhatBecomesOfTheOtherPlanIsNoMatterUnlessItCrashes) {
  DescriptorKeeper rejecting;
  rejecting.at_second = [] {
    return backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "one at a time"};
  };
  EXPECT_EQ(check_case(test::padded_copy(), rejecting, {}).verdict, Verdict::kPass);

  DescriptorKeeper throwing;
  throwing.at_second = []() -> backends::Prepared { throw std::runtime_error("one at a time"); };
  const CaseResult result = check_case(test::padded_copy(), throwing, {});
  EXPECT_EQ(result.verdict, Verdict::kCrash);
  EXPECT_THAT(result.message, HasSubstr("one at a time"));
  EXPECT_TRUE(throwing.executed.empty());
}

TEST(CheckExecutions, WhatFailsAtFirstIsNotExecutedAgain) {
  Recorder wrong;
  wrong.backend.execute = [&, honest = wrong.backend.execute](const Operator& op, Version version,
                                                              const Bindings& bound) {
    std::optional<backends::Failure> failure = honest(op, version, bound);
    bound.outputs[0][0] ^= std::byte{1};
    return failure;
  };
  const CaseResult result = check_case(test::padded_copy(), wrong.backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_THAT(result.message, Not(HasSubstr("second execution")));
  EXPECT_EQ(wrong.outputs.size(), 1U);

  test::FakeBackend throwing;
  int executions = 0;
  throwing.execute = [&](const Operator&, Version,
                         const Bindings&) -> std::optional<backends::Failure> {
    ++executions;
    throw std::runtime_error("no");
  };
  EXPECT_EQ(check_case(test::padded_copy(), throwing, {}).verdict, Verdict::kCrash);
  EXPECT_EQ(executions, 1);
}

TEST(CheckExecutions, ExecutionsDifferInWhatIsNotTheCase) {
  test::FakeBackend backend;
  std::vector<std::vector<std::byte>> gaps;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    // Behind the last element of the only input.
    gaps.emplace_back(bound.inputs[0].begin() + 16, bound.inputs[0].end());
    return backend.honest(op, version, bound);
  };
  const cases::Case padded = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "padded",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [16], "TotalTensorSizeInBytes": 64,
                      "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]},
      "OutputTensors": [{"DataType": "UINT8", "Sizes": [16]}]}}]})");
  EXPECT_EQ(check_case(padded, backend, {}).verdict, Verdict::kPass);
  ASSERT_EQ(gaps.size(), 3U);
  EXPECT_NE(gaps[0], gaps[1]);
}

TEST(CheckExecutions, LargePlansAreExecutedOnceAndNoChoiceIsTold) {
  static_assert(CheckOptions{}.most_executed_again_bytes == 67'108'864);
  // 20 bytes of data, one index of 4 and one element.
  const cases::Case tested = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "large",
    "desc": {"data": {"type": "uint8", "shape": [20], "fill": {"pattern": "iota"}},
             "indices": {"type": "int32", "shape": [1], "data": [7]},
             "output": {"type": "uint8", "shape": [1]}}}]})");
  for (const std::uint64_t most : {24U, 25U}) {
    Recorder recorder;
    const CaseResult result =
        check_case(tested, recorder.backend, {.most_executed_again_bytes = most});
    EXPECT_EQ(result.verdict, Verdict::kPass);
    EXPECT_EQ(recorder.outputs.size(), most == 24 ? 1U : 3U);
  }
  const cases::Case gapped = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "gapped",
    "desc": {"Axis": 0,
      "InputTensor": {"DataType": "UINT8", "Sizes": [4], "data": [1, 2, 3, 4]},
      "OutputTensors": [{"DataType": "UINT8", "Sizes": [4], "TotalTensorSizeInBytes": 8}]}}]})");
  test::FakeBackend backend;
  EXPECT_FALSE(check_case(gapped, backend, {}).choices.empty());
  EXPECT_TRUE(check_case(gapped, backend, {.most_executed_again_bytes = 11}).choices.empty())
      << "what it made of its gaps is not looked at";
}

}  // namespace
}  // namespace opconform::judging
