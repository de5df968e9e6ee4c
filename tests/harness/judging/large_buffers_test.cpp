// What check_case() puts around an execution of more than 64 MiB: no copies, and of what is read
// and written here and there no memory but there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "harness/base/bad_input.h"
#include "harness/base/random.h"
#include "harness/judging/check.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Rows of 2^31 - 1 bytes in the memory of 768 KiB, whose ends are read.
cases::Case huge_window() {
  return test::case_of(
      R"({"operator": "DML_SLICE1", "cases": [{"id": "huge", "rules": ["slice1.copy"], "desc": {
      "InputTensor": {"DataType": "UINT8", "Sizes": [1, 1, 2, 2147483647],
                      "fill": {"pattern": "random", "seed": 5, "period": 786432}},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [1, 1, 2, 2], "Strides": [0, 0, 4294967295, 1]},
      "InputWindowOffsets": [0, 0, 0, 2147483644], "InputWindowSizes": [1, 1, 2, 3],
      "InputWindowStrides": [1, 1, 1, 2]}}]})");
}
std::byte pattern_at(std::uint64_t offset) {
  return static_cast<std::byte>(base::random_bits(5, offset % 786432));
}

TEST(LargeBuffers, MoreThanAMachineHasIsThereWhereItIsTouched) {
  test::FakeBackend backend;
  backend.execute = test::then(backend, [](const Bindings& bindings) {
    constexpr std::uint64_t kRow = 2147483647;
    EXPECT_EQ(bindings.inputs[0].size(), 2 * kRow + 2);
    for (const std::uint64_t at : {std::uint64_t{0}, kRow - 1, 2 * kRow - 1, std::uint64_t{786432}})
      EXPECT_EQ(bindings.inputs[0][at], pattern_at(at)) << at;
    EXPECT_EQ(bindings.outputs[0][4294967295], pattern_at(kRow + 2147483644));
  });
  EXPECT_EQ(check_case(huge_window(), backend, {}).verdict, Verdict::kPass);
  EXPECT_EQ(check_case(huge_window(), backend, {.guard = base::Guard::kCanary}).verdict,
            Verdict::kPass);
  backend.execute = test::then(backend, [](const Bindings& bindings) {
    std::swap(bindings.outputs[0][4294967295], bindings.outputs[0][0]);
  });
  const CaseResult wrong = check_case(huge_window(), backend, {});
  EXPECT_EQ(wrong.verdict, Verdict::kMismatch);
  EXPECT_THAT(wrong.message, HasSubstr("OutputTensor[0, 0, 0, 0]: expected"));
}

TEST(LargeBuffers, InputsWithoutACopyAreWatchedAllTheSame) {
  test::FakeBackend backend;
  backend.execute = test::then(backend, [](const Bindings& bindings) {
    const_cast<std::byte&>(bindings.inputs[0][2147483648]) ^= std::byte{1};
  });
  const CaseResult result = check_case(huge_window(), backend, {});
  EXPECT_EQ(result.verdict, Verdict::kMemoryFault);
  EXPECT_EQ(result.rule, "tensor.input-intact");
  EXPECT_THAT(result.message, HasSubstr("byte 2147483648 of InputTensor was written"));
}

TEST(LargeBuffers, AddressesHaveALimitAndSoHasWhatIsWritten) {
  test::FakeBackend backend;
  cases::Case one = huge_window();
  one.inputs[0].period = 0;
  EXPECT_THROW(check_case(one, backend, {}), base::BadInput);
  one.inputs[0].period = std::uint64_t{1} << 31;
  EXPECT_THROW(check_case(one, backend, {}), base::BadInput);
}

/// Two rows of 4 bytes, the second one from byte 96 Mi on: copied from such rows into such rows.
cases::Case rows_far_apart() {
  return test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "far", "desc": {
      "InputTensor": {"DataType": "UINT8", "Sizes": [2, 4], "Strides": [100663296, 1],
                      "fill": {"pattern": "random", "seed": 3}},
      "OutputTensor": {"DataType": "UINT8", "Sizes": [2, 4], "Strides": [100663296, 1]},
      "InputWindowOffsets": [0, 0], "InputWindowSizes": [2, 4], "InputWindowStrides": [1, 1]}}]})");
}
constexpr std::size_t kFar = std::size_t{96} << 20;

TEST(LargeBuffers, RowsFarApartTakeThePagesTheyLieIn) {
  test::FakeBackend backend;
  for (const base::Guard guard : {base::Guard::kPages, base::Guard::kCanary})
    EXPECT_EQ(check_case(rows_far_apart(), backend,
                         {.guard = guard, .memory_limit_bytes = std::size_t{1} << 20})
                  .verdict,
              Verdict::kPass);
}

TEST(LargeBuffers, RowsFarApartAreJudgedLikeOthers) {
  const auto result_of = [](const std::function<void(const Bindings&)>& spoil) {
    test::FakeBackend backend;
    backend.execute = test::then(backend, spoil);
    return check_case(rows_far_apart(), backend, {});
  };
  const CaseResult wrong =
      result_of([](const Bindings& bound) { bound.outputs[0][kFar + 3] ^= std::byte{1}; });
  EXPECT_EQ(wrong.verdict, Verdict::kMismatch);
  EXPECT_THAT(wrong.message, HasSubstr("OutputTensor[1, 3]: expected"));
  const CaseResult changed = result_of([](const Bindings& bound) {
    const_cast<std::byte&>(bound.inputs[0][kFar / 2]) ^= std::byte{1};
  });
  EXPECT_EQ(changed.verdict, Verdict::kMemoryFault);
  EXPECT_THAT(changed.message, HasSubstr("byte 50331648 of InputTensor was written"));
  const CaseResult outside =
      result_of([](const Bindings& bound) { bound.outputs[0].data()[kFar + 4] = std::byte{1}; });
  EXPECT_EQ(outside.verdict, Verdict::kMemoryFault);
  EXPECT_EQ(outside.rule, "tensor.outside-intact");
  test::FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings&) { return std::nullopt; };
  EXPECT_THAT(check_case(rows_far_apart(), idle, {}).message, HasSubstr("never written"));
}

// Beyond 64 MiB, of which no copy is kept.
class BuffersWithoutCopies : public ::testing::TestWithParam<base::Guard> {
 protected:
  static constexpr std::size_t kElements = (std::size_t{22} << 20) / 8 + 5;

  /// Between its elements the output has gaps.
  static cases::Case window() {
    const std::string size = std::to_string(kElements);
    return test::case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "large", "desc": {
      "InputTensor": {"DataType": "UINT64", "Sizes": [)" +
                         size + R"(], "fill": {"pattern": "random", "seed": 1}},
      "OutputTensor": {"DataType": "UINT64", "Sizes": [)" +
                         size + R"(], "Strides": [2]},
      "InputWindowOffsets": [0], "InputWindowSizes": [)" +
                         size + R"(], "InputWindowStrides": [1]}}]})");
  }
  [[nodiscard]] CheckOptions options() const {
    return {.guard = GetParam(), .most_executed_again_bytes = 0};
  }
  CaseResult spoiled(const std::function<void(const Bindings&)>& spoil, CheckOptions own) {
    faulty_.execute = test::then(faulty_, spoil);
    return check_case(window(), faulty_, own);
  }

  test::FakeBackend faulty_;
};
INSTANTIATE_TEST_SUITE_P(Guards, BuffersWithoutCopies,
                         ::testing::Values(base::Guard::kPages, base::Guard::kCanary));

TEST_P(BuffersWithoutCopies, WhatConformsPasses) {
  EXPECT_EQ(spoiled([](const Bindings&) {}, options()).verdict, Verdict::kPass);
}

TEST_P(BuffersWithoutCopies, AChangedInputIsSeen) {
  const CaseResult result = spoiled(
      [](const Bindings& bound) {
        const_cast<std::byte&>(bound.inputs[0][8 * kElements - 1]) ^= std::byte{1};
      },
      options());
  EXPECT_EQ(result.verdict, Verdict::kMemoryFault);
  EXPECT_EQ(result.rule, "tensor.input-intact");
  EXPECT_THAT(result.message,
              HasSubstr("byte " + std::to_string(8 * kElements - 1) + " of InputTensor"));
}

TEST_P(BuffersWithoutCopies, AnUnwrittenElementIsSaidToBeUnwritten) {
  faulty_.execute = [](const Operator&, Version, const Bindings&) { return std::nullopt; };
  const CaseResult result = check_case(window(), faulty_, options());
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_THAT(result.message, HasSubstr("never written"));
  EXPECT_THAT(result.message, HasSubstr(std::to_string(kElements) + " elements are wrong"));
  const CaseResult wrong =
      spoiled([](const Bindings& bound) { bound.outputs[0][16 * kElements - 16] ^= std::byte{1}; },
              options());
  EXPECT_EQ(wrong.verdict, Verdict::kMismatch);
  EXPECT_THAT(wrong.message, Not(HasSubstr("never written")));
}

TEST_P(BuffersWithoutCopies, GapsAreJudgedWhereThatIsAskedFor) {
  const auto write_gap = [](const Bindings& bound) {
    bound.outputs[0][16 * kElements - 17] ^= std::byte{1};
  };
  EXPECT_EQ(spoiled(write_gap, options()).verdict, Verdict::kPass);
  CheckOptions strict = options();
  strict.strict_gaps = true;
  EXPECT_EQ(spoiled(write_gap, strict).verdict, Verdict::kMemoryFault);
}

TEST_P(BuffersWithoutCopies, WhatFailsAsItMustHasNotWritten) {
  const std::string size = std::to_string(kElements);
  const cases::Case outside =
      test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "outside", "opset": 13,
    "desc": {"data": {"type": "uint64", "shape": [2, )" +
                    size + R"(], "fill": {"pattern": "iota"}},
             "indices": {"type": "int32", "shape": [1], "data": [2]},
             "output": {"type": "uint64", "shape": [1, )" +
                    size + R"(]}, "axis": 0}}]})");
  EXPECT_EQ(check_case(outside, faulty_, options()).verdict, Verdict::kPass);
  faulty_.execute = test::then(
      faulty_, [](const Bindings& bound) { bound.outputs[0][8 * kElements - 1] ^= std::byte{1}; });
  EXPECT_EQ(check_case(outside, faulty_, options()).verdict, Verdict::kMismatch);
}

}  // namespace
}  // namespace opconform::judging
