// Shrinking, over generated cases and implementations with one planted fault each.

#include "harness/running/reducer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

#include "harness/base/layout.h"
#include "harness/running/differential.h"
#include "spec/validate.h"
#include "tests/harness/fake_backend.h"

namespace opconform::running {
namespace {

std::uint64_t largest_tensor(const cases::Case& one) {
  std::uint64_t most = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    most = std::max(most, *element_count(tensor.desc.sizes));
  });
  return most;
}

/// What is true of a case is not true of a smaller one.
TEST(Reduction, HasAnIdAndASentenceOfItsOwn) {
  test::FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  cases::Case failing = test::padded_copy();
  failing.says = "a padded row";
  failing.document = "directml-split";
  const Reduction reduction =
      reduce(failing, [&](const cases::Case& one) { return judging::check_case(one, idle, {}); });
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_EQ(reduction.smallest.id, failing.id + "/smallest");
  EXPECT_EQ(reduction.result.case_id, reduction.smallest.id);
  EXPECT_NE(reduction.smallest.says, failing.says);
  EXPECT_EQ(reduction.smallest.document, "");
}

/// Else nobody could see the failure again.
TEST(Reduction, HasTheInputsThatFail) {
  test::FakeBackend faulty;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    auto failure = faulty.honest(op, version, bound);
    for (std::byte& one : bound.outputs[0])
      if (std::to_integer<unsigned>(one) > 100) one = std::byte{0};
    return failure;
  };
  const cases::Case failing = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "small",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [8], "data": [1, 2, 3, 4, 5, 6, 7, 8]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [8]}]}}]})");
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, faulty, {});
  };
  ASSERT_EQ(check(failing).failed_execution, 3U);
  const Reduction reduction = reduce(failing, check);
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_EQ(reduction.result.failed_execution, 1U);
  EXPECT_LE(largest_tensor(reduction.smallest), 2U);
}

/// What small cases do wrong at once is another failure than what a plan does wrong that was
/// executed before.
TEST(Reduction, FailsInTheExecutionThatFailed) {
  test::FakeBackend faulty;
  unsigned executions = 0;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    auto failure = faulty.honest(op, version, bound);
    const std::uint64_t elements = *element_count(std::get<Split>(op).outputs[0].sizes);
    if (++executions == 2 ? elements >= 4 : elements <= 2) bound.outputs[0][0] ^= std::byte{1};
    return failure;
  };
  const cases::Case failing = test::case_of(R"({"operator": "DML_SPLIT", "cases": [{"id": "small",
    "desc": {"Axis": 0, "InputTensor": {"DataType": "UINT8", "Sizes": [8], "data": [1, 2, 3, 4, 5, 6, 7, 8]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [8]}]}}]})");
  const Reduction reduction = reduce(failing, [&](const cases::Case& one) {
    executions = 0;
    return judging::check_case(one, faulty, {});
  });
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_EQ(reduction.result.failed_execution, 2U);
  EXPECT_EQ(largest_tensor(reduction.smallest), 4U);
}

/// The totals that are left of 4096 bytes, where the failure needs the output's to be at least so
/// large.
std::vector<std::uint64_t> totals_left(std::uint64_t needed, const std::string& axis) {
  test::FakeBackend faulty;
  const auto fails = [=](const Operator& op) {
    const Split& split = std::get<Split>(op);
    return split.outputs.front().total_tensor_size_bytes >= needed;
  };
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    return fails(op) ? std::nullopt : faulty.honest(op, version, bound);
  };
  const cases::Case failing = test::case_of(
      R"({"operator": "DML_SPLIT", "cases": [{"id": "large",
    "desc": {"Axis": )" +
      axis + R"(, "InputTensor": {"DataType": "UINT8", "Sizes": [2, 3], "Strides": [5, 1],
                             "TotalTensorSizeInBytes": 4096, "data": [[1, 2, 3], [4, 5, 6]]},
             "OutputTensors": [{"DataType": "UINT8", "Sizes": [2, 3], "TotalTensorSizeInBytes": 4096}]}}]})");
  const Reduction reduction = reduce(failing, [&](const cases::Case& one) {
    if (!validate(one.op, one.version).empty()) {
      judging::CaseResult missed;
      missed.verdict = fails(one.op) ? judging::Verdict::kMissedRejection : judging::Verdict::kPass;
      return missed;
    }
    return judging::check_case(one, faulty, {});
  });
  EXPECT_TRUE(reduction.reproduced);
  std::vector<std::uint64_t> totals;
  for_each_tensor(reduction.smallest.op, [&](const NamedTensor& tensor) {
    totals.push_back(tensor.desc.total_tensor_size_bytes);
  });
  return totals;
}

TEST(Reduction, KeepsNoTotalThatIsLargerThanTheFailureNeeds) {
  EXPECT_EQ(totals_left(0, "0"), (std::vector<std::uint64_t>{4, 4}));
  EXPECT_EQ(totals_left(1000, "0"), (std::vector<std::uint64_t>{4, 1000}));
  EXPECT_EQ(totals_left(998, "0"), (std::vector<std::uint64_t>{4, 1000}));
}
TEST(Reduction, DoesSoWhereTheDescriptorBreaksAnotherRule) {
  // The sizes stay: nobody knows which of them are parts along an axis that is not there.
  EXPECT_EQ(totals_left(0, "7"), (std::vector<std::uint64_t>{8, 8}));
}

std::size_t dimensions_above_one(const cases::Case& one) {
  std::size_t most = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    const auto above = std::count_if(tensor.desc.sizes.begin(), tensor.desc.sizes.end(),
                                     [](auto size) { return size > 1; });
    most = std::max(most, static_cast<std::size_t>(above));
  });
  return most;
}
template <class T>
T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Shrinks what the backend gets wrong among generated cases and looks at what is left.
void expect_small_findings(test::FakeBackend& faulty, judging::Verdict verdict,
                           std::size_t wanted = 60) {
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, faulty, {});
  };
  Differential differential(faulty);
  std::vector<std::uint64_t> sizes;
  std::vector<std::size_t> dimensions;
  std::vector<double> milliseconds;
  for (std::uint64_t i = 0; i < 20'000 && sizes.size() < wanted; ++i) {
    generation::RandomDraws draws(base::random_bits(4, i));
    generation::Generated generated;
    generation::generate(i % std::variant_size_v<Operator>, {}, draws, generated);
    if (differential.agrees_on_valid(generated)) continue;
    const cases::Case found = generation::case_of(generated, differential.pristine(), "found");
    if (check(found).verdict != verdict) continue;
    const auto start = std::chrono::steady_clock::now();
    const Reduction reduction = reduce(found, check);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
    ASSERT_TRUE(reduction.reproduced);
    EXPECT_EQ(check(reduction.smallest).verdict, verdict) << "the smallest case fails no more";
    EXPECT_TRUE(validate(reduction.smallest.op, reduction.smallest.version).empty());
    sizes.push_back(largest_tensor(reduction.smallest));
    dimensions.push_back(dimensions_above_one(reduction.smallest));
  }
  ASSERT_EQ(sizes.size(), wanted);
  EXPECT_LE(median(sizes), 8U);
  EXPECT_LE(median(dimensions), 2U);
  ::testing::Test::RecordProperty("median_ms_times_1000",
                                  static_cast<int>(median(milliseconds) * 1000));
  std::printf("median: %llu elements, %zu dimensions above 1, %.2f ms\n",
              static_cast<unsigned long long>(median(sizes)), median(dimensions),
              median(milliseconds));
}

TEST(Reducer, WrongElement) {
  test::FakeBackend faulty;
  // The last element of every output of more than three keeps what stood there.
  faulty.execute = [&faulty](const Operator& op, Version version, const Bindings& bindings) {
    const cases::TensorList tensors(op);
    std::vector<std::vector<std::byte>> before;
    for (const auto& output : bindings.outputs) before.emplace_back(output.begin(), output.end());
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    for (std::size_t k = 0; k < bindings.outputs.size(); ++k) {
      const TensorDesc& tensor = tensors.outputs[k].desc;
      if (*element_count(tensor.sizes) <= 3) continue;
      std::uint64_t last = 0;
      base::for_each_element(tensor, [&](std::uint64_t, std::uint64_t offset) { last = offset; });
      const std::size_t width = tensor.element_size_bytes();
      std::memcpy(bindings.outputs[k].data() + last * width, before[k].data() + last * width,
                  width);
    }
    return failure;
  };
  expect_small_findings(faulty, judging::Verdict::kMismatch);
}

TEST(Reducer, WrongRejection) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version) -> std::optional<backends::Rejection> {
    std::uint64_t rank = 0;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      rank = std::max<std::uint64_t>(rank, tensor.desc.rank());
    });
    if (rank < 6) return std::nullopt;
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"scatter.support"}, ""};
  };
  expect_small_findings(faulty, judging::Verdict::kWrongRejection);
}

TEST(Reducer, MemoryFault) {
  test::FakeBackend faulty;
  faulty.execute = [&faulty](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    const std::span<std::byte> output = bindings.outputs[0];
    if (output.size() % 16 != 0) output.data()[output.size()] ^= std::byte{1};
    return failure;
  };
  expect_small_findings(faulty, judging::Verdict::kMemoryFault);
}

TEST(Reducer, WhatDoesNotFailIsGivenBack) {
  test::FakeBackend honest;
  const cases::Case fine = test::padded_copy();
  // Fails only because its own expectation is wrong: the reference cannot show it.
  cases::Case wrong = fine;
  wrong.expect.outputs[0].elements[0] ^= std::byte{1};
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, honest, {});
  };
  const Reduction reduction = reduce(wrong, check);
  EXPECT_FALSE(reduction.reproduced);
  EXPECT_EQ(reduction.result.verdict, judging::Verdict::kMismatch);
  EXPECT_EQ(reduction.smallest.op, fine.op);
}

TEST(Reducer, BrokenDescriptorKeepsItsBrokenRules) {
  test::FakeBackend accepts;
  accepts.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, accepts, {});
  };
  for (std::uint64_t i = 0; i < 200; ++i) {
    generation::RandomDraws draws(base::random_bits(5, i));
    generation::Generated generated;
    generation::generate(i % std::variant_size_v<Operator>, {}, draws, generated);
    const std::vector<std::string_view> rules = generation::breakable_rules(generated.op.index());
    const std::string_view rule = rules[draws.below(rules.size())];
    if (!generation::break_rule(rule, draws, generated)) continue;
    cases::Case broken;
    broken.id = "broken";
    broken.op = generated.op;
    broken.version = generated.version;
    broken.inputs.resize(cases::TensorList(broken.op).inputs.size());
    broken.strings = std::make_shared<cases::StringPool>();
    const Reduction reduction = reduce(broken, check);
    ASSERT_TRUE(reduction.reproduced) << rule;
    EXPECT_EQ(reduction.result.verdict, judging::Verdict::kMissedRejection);
    EXPECT_EQ(validate(reduction.smallest.op, reduction.smallest.version).rules(),
              std::vector<std::string_view>{rule});
  }
}

/// Ended at a huge size, or not at all, when a part was larger than the whole.
TEST(Reducer, PartsThatDoNotAddUp) {
  test::FakeBackend accepts;
  accepts.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, accepts, {});
  };
  Split split;
  split.input = packed_tensor(DataType::kUint8, {3});
  split.outputs = {packed_tensor(DataType::kUint8, {10}), packed_tensor(DataType::kUint8, {2})};
  cases::Case broken;
  broken.id = "broken";
  broken.op = split;
  broken.inputs.resize(1);
  broken.strings = std::make_shared<cases::StringPool>();
  ASSERT_EQ(validate(broken.op, broken.version).rules().size(), 1U);
  const Reduction reduction = reduce(broken, check);
  EXPECT_LE(largest_tensor(reduction.smallest), 8U);
  EXPECT_LT(reduction.checks, 200U);
}

/// Wrong from a size on, in the last byte alone.
TEST(Reducer, ALargeCaseBecomesTheBoundaryThatItNeeds) {
  constexpr std::size_t kBoundary = 40'961;
  test::FakeBackend faulty;
  faulty.execute = test::then(faulty, [](const Bindings& bindings) {
    const std::span<std::byte> output = bindings.outputs[0];
    if (output.size() >= kBoundary) output[kBoundary - 1] ^= std::byte{1};
  });
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, faulty, {});
  };
  const cases::Case failing = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "large",
    "desc": {"data": {"type": "uint8", "shape": [700, 300], "fill": {"pattern": "random", "seed": 1}},
             "indices": {"type": "int32", "shape": [650], "fill": {"pattern": "iota"}},
             "output": {"type": "uint8", "shape": [650, 300]}}}]})");
  const Reduction reduction = reduce(failing, check);
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_GE(largest_tensor(reduction.smallest), kBoundary);
  EXPECT_LE(largest_tensor(reduction.smallest), kBoundary + 300);
  EXPECT_LE(reduction.checks, 450U);
  // What is large is a pattern, or nobody could read the case; what has become small is not.
  for (const cases::Contents& input : reduction.smallest.inputs)
    EXPECT_LE(input.bytes.size(), 4096U);
  EXPECT_EQ(reduction.smallest.inputs[1].kind, cases::Contents::Kind::kPhysical);
}

/// A copy of bytes in one dimension, whose values are written out.
cases::Case large_copy(std::uint64_t size_bytes) {
  Split split;
  split.input = packed_tensor(DataType::kUint8, {size_bytes});
  split.outputs = {split.input};
  cases::Case failing;
  failing.id = "large";
  failing.op = split;
  std::vector<std::byte> bytes(size_bytes, std::byte{7});
  failing.inputs = {{cases::Contents::Kind::kPhysical, std::move(bytes), 0}};
  failing.strings = std::make_shared<cases::StringPool>();
  return failing;
}

/// 64 MiB, and nothing of that size is executed: it would take as long as all other tests.
TEST(Reducer, ACaseOf64MiBBecomesTheSmallestThatFails) {
  constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
  const cases::Case failing = large_copy(64 * kMebi + 36);
  const auto smallest_of = [&](const std::function<bool(std::uint64_t)>& fails) {
    std::uint64_t elements_checked = 0;
    const Reduction reduction = reduce(failing, [&](const cases::Case& one) {
      judging::CaseResult result;
      const std::uint64_t size = largest_tensor(one);
      elements_checked += size;
      result.verdict = fails(size) ? judging::Verdict::kMismatch : judging::Verdict::kPass;
      return result;
    });
    EXPECT_TRUE(reduction.reproduced);
    EXPECT_LE(reduction.smallest.inputs[0].bytes.size(), 4096U) << "written out";
    EXPECT_LE(reduction.checks, 140U);
    // What takes time: as much as a few checks of the whole.
    EXPECT_LE(elements_checked, 16 * failing.inputs[0].bytes.size());
    return largest_tensor(reduction.smallest);
  };
  const auto from = [&](std::uint64_t boundary) {
    return smallest_of([=](std::uint64_t size) { return size >= boundary; });
  };
  for (const std::uint64_t boundary :
       {std::uint64_t{1}, std::uint64_t{1000}, kMebi - 1, kMebi, kMebi + 1, 3 * kMebi + 5,
        32 * kMebi, 64 * kMebi, 64 * kMebi + 1, 64 * kMebi + 36})
    EXPECT_EQ(from(boundary), boundary);
  EXPECT_EQ(smallest_of([](std::uint64_t size) { return size % kMebi != 0 && size > kMebi; }),
            kMebi + 1);
  EXPECT_EQ(smallest_of([&](std::uint64_t size) { return size == 64 * kMebi + 36; }),
            64 * kMebi + 36);
}

/// Beyond 4 GiB of address, what is there of memory is one period.
TEST(Reducer, ASparseCaseBecomesNoDenseOne) {
  constexpr std::uint64_t kBoundary = (std::uint64_t{1} << 31) + 1;
  constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
  cases::Case failing = large_copy(0);
  std::get<Split>(failing.op).input = packed_tensor(DataType::kUint8, {kBoundary + 7654321});
  std::get<Split>(failing.op).outputs = {std::get<Split>(failing.op).input};
  failing.inputs = {{cases::Contents::Kind::kRandom, {}, 1, 4096}};
  const Reduction reduction = reduce(failing, [&](const cases::Case& one) {
    const std::uint64_t size = largest_tensor(one);
    EXPECT_TRUE(size <= 64 * kMebi || size > 1024 * kMebi) << size;
    judging::CaseResult result;
    result.verdict = size >= kBoundary ? judging::Verdict::kMismatch : judging::Verdict::kPass;
    return result;
  });
  EXPECT_EQ(largest_tensor(reduction.smallest), kBoundary);
  EXPECT_EQ(reduction.smallest.inputs[0].period, 4096U);
}

/// Every check of the judge is one of a case that can be executed.
TEST(Reducer, ACaseOf64MiBIsExecutedAFewTimes) {
  constexpr std::size_t kBoundary = (std::size_t{1} << 20) + 1;
  test::FakeBackend faulty;
  std::uint64_t bytes_executed = 0;
  faulty.execute = test::then(faulty, [&](const Bindings& bindings) {
    const std::span<std::byte> output = bindings.outputs[0];
    bytes_executed += output.size();
    if (output.size() >= kBoundary) output[kBoundary - 1] ^= std::byte{1};
  });
  const auto check_with = [&](std::uint64_t most_executed_again) -> CheckOne {
    judging::CheckOptions options;
    options.most_executed_again_bytes = most_executed_again;
    return [&faulty, options](const cases::Case& one) {
      return judging::check_case(one, faulty, options);
    };
  };
  const cases::Case failing = large_copy(std::uint64_t{64} << 20);
  const Reduction reduction =
      reduce(failing, check_with(judging::CheckOptions().most_executed_again_bytes), check_with(0));
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_EQ(largest_tensor(reduction.smallest), kBoundary);
  EXPECT_LE(bytes_executed, 80'000'000U) << "the whole, and what is far smaller";
}

/// What no pattern has, and fails by itself, stays beside one.
TEST(Reducer, AnIndexOutOfRangeStaysInAPattern) {
  test::FakeBackend faulty;
  // Does not look behind the first 3,000 indices.
  faulty.execute = [&faulty](const Operator& op, Version version, const Bindings& bindings) {
    const auto failure = faulty.honest(op, version, bindings);
    const std::uint64_t indices = *element_count(std::get<OnnxGather>(op).indices.sizes);
    return indices > 3000 ? std::nullopt : failure;
  };
  cases::Case failing = test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "large",
    "desc": {"data": {"type": "uint8", "shape": [100, 1], "fill": {"pattern": "iota"}},
             "indices": {"type": "int64", "shape": [90000], "fill": {"pattern": "iota"}},
             "output": {"type": "uint8", "shape": [90000, 1]}}}]})");
  std::vector<std::byte> indices(90'000 * sizeof(std::int64_t));
  indices[5000 * sizeof(std::int64_t)] = std::byte{100};
  failing.inputs[1] = {cases::Contents::Kind::kPhysical, std::move(indices), 0};
  const Reduction reduction =
      reduce(failing, [&](const cases::Case& one) { return judging::check_case(one, faulty, {}); });
  ASSERT_TRUE(reduction.reproduced);
  EXPECT_EQ(reduction.result.verdict, judging::Verdict::kMissedError);
  EXPECT_EQ(largest_tensor(reduction.smallest), 5001U);
  EXPECT_EQ(reduction.smallest.inputs[1].except, (std::vector<std::uint64_t>{5000}));
}

TEST(Reducer, TheLeastSizeThatFailsIsMetAfterFewChecks) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version) -> std::optional<backends::Rejection> {
    if (*element_count(std::get<Slice1>(op).input.sizes) < 300'000) return std::nullopt;
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"slice1.support"}, ""};
  };
  const CheckOne check = [&](const cases::Case& one) {
    return judging::check_case(one, faulty, {});
  };
  Slice1 slice;
  slice.input = packed_tensor(DataType::kUint8, {1'600'000});
  slice.output = packed_tensor(DataType::kUint8, {1});
  slice.window_offsets = {0};
  slice.window_sizes = {1};
  slice.window_strides = {1};
  cases::Case rejected;
  rejected.id = "rejected";
  rejected.op = slice;
  rejected.inputs = {{cases::Contents::Kind::kIota, {}, 0}};
  rejected.strings = std::make_shared<cases::StringPool>();
  const Reduction reduction = reduce(rejected, check);
  EXPECT_EQ(largest_tensor(reduction.smallest), 300'000U);
  EXPECT_LT(reduction.checks, 200U);
}

}  // namespace
}  // namespace opconform::running
