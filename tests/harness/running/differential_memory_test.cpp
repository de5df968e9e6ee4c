// Which bytes a Differential looks at: of outputs, of inputs, and around both.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/harness/running/differential_cases.h"

namespace opconform::running {
namespace {

TEST(Differential, OneWrongByteAnywhereIsSeen) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator&, Version) { return std::optional<backends::Rejection>(); };
  enum class Fault { kOutput, kInput, kBehindOutput };
  for (const Fault fault : {Fault::kOutput, Fault::kInput, Fault::kBehindOutput}) {
    faulty.execute = [&faulty, fault](const Operator& op, Version version,
                                      const Bindings& bindings) {
      std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
      const std::span<std::byte> output = bindings.outputs[0];
      if (fault == Fault::kOutput) output[0] ^= std::byte{1};
      if (fault == Fault::kInput) const_cast<std::byte&>(bindings.inputs[0][0]) ^= std::byte{1};
      if (fault == Fault::kBehindOutput) output.data()[output.size()] ^= std::byte{1};
      return failure;
    };
    Differential differential(faulty);
    for (std::uint64_t i = 0; i < 400; ++i) {
      const generation::Generated generated = generated_case(i);
      if (std::holds_alternative<OnnxGather>(generated.op)) continue;  // may be empty
      EXPECT_FALSE(differential.agrees_on_valid(generated)) << i;
    }
  }
}

TEST(Differential, BytesOutsideOfAllBuffersAreToldByTheNearest) {
  const generation::Generated generated = split_case();
  const auto outside = [&](std::size_t input, std::ptrdiff_t distance) {
    test::FakeBackend faulty;
    faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
      std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
      const std::span<const std::byte> buffer =
          input == 0 ? bindings.inputs[0] : std::span<const std::byte>(bindings.outputs.back());
      const auto size = static_cast<std::ptrdiff_t>(buffer.size());
      const_cast<std::byte&>(buffer.data()[distance < 0 ? distance : size + distance]) ^=
          std::byte{1};
      return failure;
    };
    const judging::CaseResult result = judged(faulty, generated);
    EXPECT_EQ(result.verdict, judging::Verdict::kMemoryFault);
    EXPECT_EQ(result.rule, "tensor.outside-intact");
    return result.message;
  };
  const cases::TensorList tensors(generated.op);
  const std::uint64_t size = buffer_size_bytes(tensors.inputs[0].desc, generated.version.dialect());
  const std::string has = ", where its buffer has " + std::to_string(size) + " bytes";
  // In front of the first buffer, right behind it, and at the end of the zone behind it.
  EXPECT_EQ(outside(0, -1), "wrote outside InputTensor: byte -1" + has);
  EXPECT_EQ(outside(0, -64), "wrote outside InputTensor: byte -64" + has);
  EXPECT_EQ(outside(0, 0), "wrote outside InputTensor: byte " + std::to_string(size) + has);
  EXPECT_EQ(outside(0, 63), "wrote outside InputTensor: byte " + std::to_string(size + 63) + has);
  // Behind the last one, up to the end of its zone.
  const std::uint64_t last =
      buffer_size_bytes(tensors.outputs.back().desc, generated.version.dialect());
  for (const std::ptrdiff_t distance : {std::ptrdiff_t{0}, std::ptrdiff_t{63}})
    EXPECT_EQ(outside(1, distance),
              "wrote outside OutputTensors: byte " +
                  std::to_string(static_cast<std::ptrdiff_t>(last) + distance) +
                  ", where its buffer has " + std::to_string(last) + " bytes");
}

TEST(Differential, EveryInputAndOutputIsLookedAt) {
  test::FakeBackend faulty;
  bool input = true;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    (input ? const_cast<std::byte&>(bindings.inputs.back()[0]) : bindings.outputs.back()[0]) ^=
        std::byte{1};
    return failure;
  };
  int inputs = 0;
  int outputs = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const generation::Generated generated = generated_case(i);
    const cases::TensorList tensors(generated.op);
    if (std::holds_alternative<Scatter>(generated.op)) {
      input = true;
      const judging::CaseResult result = judged(faulty, generated);
      EXPECT_EQ(result.rule, "tensor.input-intact");
      EXPECT_NE(result.message.find("UpdatesTensor"), std::string::npos) << result.message;
      ++inputs;
    } else if (std::holds_alternative<Split>(generated.op) && tensors.outputs.size() > 1) {
      input = false;
      EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kMismatch);
      ++outputs;
    }
  }
  EXPECT_GT(inputs, 0);
  EXPECT_GT(outputs, 0);
}

TEST(Differential, BytesOfNoElementAreFree) {
  test::FakeBackend faulty;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    bindings.outputs[0].back() ^= std::byte{1};
    return failure;
  };
  int cases = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const generation::Generated generated = generated_case(i);
    if (!std::holds_alternative<Slice1>(generated.op)) continue;
    const TensorDesc& output = std::get<Slice1>(generated.op).output;
    if (extent_elements(output).value() * output.element_size_bytes() ==
        output.total_tensor_size_bytes)
      continue;
    EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kPass);
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

TEST(Differential, AFailedExecutionMayHaveWrittenNothing) {
  const generation::Generated generated = failing_gather_case();
  test::FakeBackend faulty;
  std::function<void(const Bindings&)> spoil;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    spoil(bindings);
    return failure;
  };
  const auto verdict = [&] { return judged(faulty, generated).verdict; };
  for (const bool is_last : {false, true}) {
    const auto at = [&](auto buffer) -> std::byte& {
      return const_cast<std::byte&>(is_last ? buffer.back() : buffer.front());
    };
    spoil = [&](const Bindings& bound) { at(bound.outputs[0]) ^= std::byte{1}; };
    EXPECT_EQ(verdict(), judging::Verdict::kMismatch);
    for (const std::size_t input : {0U, 1U}) {
      spoil = [&](const Bindings& bound) { at(bound.inputs[input]) ^= std::byte{1}; };
      EXPECT_EQ(verdict(), judging::Verdict::kMemoryFault);
    }
  }
  spoil = [](const Bindings& bound) { *(bound.outputs[0].data() - 1) ^= std::byte{1}; };
  EXPECT_EQ(verdict(), judging::Verdict::kMemoryFault);
  spoil = [](const Bindings&) {};
  EXPECT_TRUE(Differential(faulty).agrees_on_valid(generated));
}

TEST(Differential, LooksAtTheLastByteOfLargeTensors) {
  for (const std::uint64_t size :
       {std::uint64_t{8'193}, std::uint64_t{20'001}, std::uint64_t{140'001}}) {
    Split op;
    op.input = packed_tensor(DataType::kFloat64, {1, 1, 1, size});
    op.outputs = {op.input};
    op.axis = 3;
    generation::Generated generated;
    generated.op = op;
    test::FakeBackend faulty;
    EXPECT_TRUE(Differential(faulty).agrees_on_valid(generated)) << size;
    faulty.execute = test::then(
        faulty, [](const Bindings& bound) { bound.outputs[0].back() ^= std::byte{0x01}; });
    EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kMismatch) << size;
    faulty.execute = test::then(faulty, [](const Bindings& bound) {
      const_cast<std::byte&>(bound.inputs[0].back()) ^= std::byte{0x01};
    });
    EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kMemoryFault) << size;
  }
}

TEST(Differential, NoBitOfAnyTypeIsForgiven) {
  test::FakeBackend faulty;
  std::size_t bit = 0;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    bindings.outputs[0][bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    return failure;
  };
  std::set<DataType> seen;
  for (std::uint64_t i = 0; i < 4'000 && seen.size() < kDataTypeCount; ++i) {
    const generation::Generated generated = generated_case(i);
    // Of others, some elements are open.
    const bool is_gather = std::holds_alternative<OnnxGather>(generated.op);
    if (is_gather ? generated.version < OnnxGather::kNegativeIndicesSince
                  : !std::holds_alternative<Split>(generated.op))
      continue;
    const cases::TensorList tensors(generated.op);
    const TensorDesc& output = tensors.outputs[0].desc;
    // Its first element lies at its beginning. A view of a string may point anywhere.
    if (has_empty_dimension(output) || output.data_type == DataType::kString ||
        !seen.insert(output.data_type).second)
      continue;
    for (bit = 0; bit < output.element_size_bytes() * 8; ++bit) {
      EXPECT_EQ(judged(faulty, generated).verdict, judging::Verdict::kMismatch)
          << name(output.data_type, Dialect::kOnnx) << ", bit " << bit << ", case " << i;
    }
  }
  EXPECT_EQ(seen.size(), kDataTypeCount - 1);
}

}  // namespace
}  // namespace opconform::running
