// What a comparison could forgive, for each data type and beyond each size: nothing is forgiven.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "harness/judging/check.h"
#include "harness/judging/found_element.h"
#include "harness/judging/judge.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

using Kind = cases::Expectation::Kind;
using Bytes = std::vector<std::byte>;

/// Sizes around which loops, blocks and buffers of an implementation, and of a judge, end.
constexpr std::array<std::size_t, 10> kSizes{1,     255,    4096,          65535,   65536,
                                             65537, 131071, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};

/// Of each part of an element: 0, 1, the last bit, the sign, the greatest finite number, infinity,
/// NaNs, a denormal, 1.0. Little endian.
std::vector<std::uint64_t> patterns_of(std::size_t width_bytes) {
  switch (width_bytes) {
    case 1:
      return {0x00, 0x01, 0x02, 0x7F, 0x80, 0xFF};
    case 2:  // FLOAT16 and bfloat16
      return {0x0000, 0x0001, 0x8000, 0x83FF, 0x7BFF, 0x7C00, 0x7C01,
              0x7E00, 0x3C00, 0x7F7F, 0x7F80, 0x7F81, 0x7FC0, 0x3F80};
    case 4:
      return {0x00000000, 0x00000001, 0x80000000, 0x807FFFFF, 0x7F7FFFFF,
              0x7F800000, 0x7F800001, 0x7FC00000, 0xFFC00000, 0x3F800000};
    default:
      return {0x0000000000000000, 0x0000000000000001, 0x8000000000000000, 0x800FFFFFFFFFFFFF,
              0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF0000000000001, 0x7FF8000000000000,
              0xFFF8000000000000, 0x3FF0000000000000};
  }
}

Verdict verdict_of(const TensorDesc& tensor, const Bytes& expected, const Bytes& found) {
  cases::Expectation expectation;
  expectation.kind = Kind::kOutputs;
  expectation.outputs.push_back({false, expected, {}});
  const Bytes before(found.size(), std::byte{0xA5});
  const std::vector<ObservedOutput> outputs{
      {{.field = {"Outputs"}, .path = {"Outputs", 0}, .desc = tensor}, before, found}};
  return judge_outputs(expectation, {}, outputs, false).verdict;
}

TEST(Leniency, NoBitOfAnElementIsForgiven) {
  for (const DataType type : all_data_types()) {
    if (type == DataType::kString) continue;
    const std::size_t width = element_size_bytes(type);
    const std::size_t parts = kind(type) == DataTypeKind::kComplex ? 2 : 1;
    const TensorDesc tensor = packed_tensor(type, {3});
    for (const std::uint64_t pattern : patterns_of(width / parts)) {
      Bytes right(3 * width);
      for (std::size_t at = 0; at < right.size(); at += width / parts)
        std::memcpy(right.data() + at, &pattern, width / parts);
      ASSERT_EQ(verdict_of(tensor, right, right), Verdict::kPass);
      for (std::size_t bit = 0; bit < right.size() * 8; ++bit) {
        Bytes found = right;
        found[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        ASSERT_EQ(verdict_of(tensor, right, found), Verdict::kMismatch)
            << name(type, Dialect::kOnnx) << " " << std::hex << pattern << ", bit " << std::dec
            << bit;
      }
    }
  }
}

/// Values that a comparison of numbers takes for equal, or for as good as equal.
TEST(Leniency, NoValueStandsForAnother) {
  for (const DataType type : all_data_types()) {
    if (type == DataType::kString) continue;
    const std::size_t width = element_size_bytes(type);
    const std::size_t part = width / (kind(type) == DataTypeKind::kComplex ? 2 : 1);
    const std::vector<std::uint64_t> patterns = patterns_of(part);
    const TensorDesc tensor = packed_tensor(type, {1});
    for (std::size_t place = 0; place < width; place += part)
      for (const std::uint64_t right : patterns)
        for (const std::uint64_t wrong : patterns) {
          Bytes expected(width);
          Bytes found(width);
          std::memcpy(expected.data() + place, &right, part);
          std::memcpy(found.data() + place, &wrong, part);
          ASSERT_EQ(verdict_of(tensor, expected, found),
                    right == wrong ? Verdict::kPass : Verdict::kMismatch)
              << name(type, Dialect::kOnnx) << " " << std::hex << right << " " << wrong;
        }
  }
}

TEST(Leniency, NoByteOfAStringIsForgiven) {
  const auto same = [](std::string_view a, std::string_view b) {
    const StringElement first{a.data(), a.size()};
    const StringElement second{b.data(), b.size()};
    Bytes one(sizeof first);
    Bytes other(sizeof second);
    std::memcpy(one.data(), &first, sizeof first);
    std::memcpy(other.data(), &second, sizeof second);
    const bool is_pass =
        verdict_of(packed_tensor(DataType::kString, {1}), one, other) == Verdict::kPass;
    EXPECT_EQ(is_pass, same_found(DataType::kString, one.data(), other.data()));
    return is_pass;
  };
  for (const std::size_t size : {1U, 2U, 15U, 16U, 23U, 255U, 4097U, 65537U}) {
    for (const char fill : {'a', '\0'}) {
      const std::string right(size, fill);
      EXPECT_TRUE(same(right, std::string(right)));
      for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
        std::string wrong = right;
        wrong[at] ^= 1;
        EXPECT_FALSE(same(right, wrong)) << size << " " << at;
        wrong[at] = '\0';
        EXPECT_EQ(same(right, wrong), fill == '\0');
      }
      EXPECT_FALSE(same(right, right + '\0'));
      EXPECT_FALSE(same(right, right.substr(1)));
    }
  }
  EXPECT_FALSE(same(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
  EXPECT_FALSE(same("A", "a"));
  EXPECT_FALSE(same("", std::string_view("\0", 1)));
}

TEST(Leniency, NoElementOfALongOutputIsForgiven) {
  for (const DataType type : {DataType::kUint8, DataType::kFloat16, DataType::kFloat32,
                              DataType::kFloat64, DataType::kComplex128})
    for (const std::size_t size : kSizes) {
      const std::size_t width = element_size_bytes(type);
      const TensorDesc tensor = packed_tensor(type, {size});
      const Bytes right(size * width, std::byte{0x3F});
      ASSERT_EQ(verdict_of(tensor, right, right), Verdict::kPass);
      for (const std::size_t at : {std::size_t{0}, size * width / 2, size * width - 1}) {
        Bytes found = right;
        found[at] ^= std::byte{0x01};
        ASSERT_EQ(verdict_of(tensor, right, found), Verdict::kMismatch)
            << name(type, Dialect::kOnnx) << " " << size << " " << at;
      }
    }
}

TEST(Leniency, NoElementOfManyRowsIsForgiven) {
  // 1,025 rows of 1,025 elements, each with a gap behind.
  constexpr std::size_t kRows = 1025;
  const TensorDesc tensor = strided_tensor(DataType::kUint8, {kRows, kRows}, {kRows + 3, 1});
  const Bytes expected(kRows * kRows, std::byte{1});
  const Bytes right(tensor.total_tensor_size_bytes, std::byte{1});
  ASSERT_EQ(verdict_of(tensor, expected, right), Verdict::kPass);
  for (const std::size_t row : {std::size_t{0}, std::size_t{63}, std::size_t{64}, kRows - 1}) {
    Bytes found = right;
    found[row * (kRows + 3) + kRows - 1] = std::byte{2};
    ASSERT_EQ(verdict_of(tensor, expected, found), Verdict::kMismatch) << row;
  }
}

TEST(Leniency, NoByteOfALongInputMayChange) {
  for (const std::size_t size : kSizes) {
    const Bytes before(size, std::byte{7});
    const auto judged = [&](const Bytes& after) {
      const std::vector<ObservedInput> inputs{{{.field = {"Inputs"},
                                                .path = {"Inputs", 0},
                                                .desc = packed_tensor(DataType::kUint8, {size})},
                                               before,
                                               after}};
      return judge_inputs(inputs);
    };
    EXPECT_EQ(judged(before).verdict, Verdict::kPass);
    EXPECT_EQ(judged(before).checks, size);
    for (std::size_t at = 0; at < size;
         at += at + 1 < size ? std::max<std::size_t>(1, (size - 1 - at) / 2) : 1) {
      Bytes after = before;
      after[at] ^= std::byte{0x80};
      const Judgement result = judged(after);
      ASSERT_EQ(result.verdict, Verdict::kMemoryFault) << size << " " << at;
      ASSERT_NE(result.message.find("byte " + std::to_string(at) + " of"), std::string::npos);
    }
  }
}

TEST(Leniency, AFailedExecutionMayWriteNoByteOfALongOutput) {
  cases::Expectation expected;
  expected.kind = Kind::kError;
  expected.rules = {"a"};
  for (const std::size_t size : kSizes) {
    const Bytes before(size, std::byte{7});
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      Bytes after = before;
      const std::vector<ObservedOutput> outputs{{{.field = {"Outputs"},
                                                  .path = {"Outputs", 0},
                                                  .desc = packed_tensor(DataType::kUint8, {size})},
                                                 before,
                                                 after}};
      const auto verdict = [&] {
        return judge_failure(expected, {"a", ""}, true, outputs).verdict;
      };
      ASSERT_EQ(verdict(), Verdict::kPass);
      after[at] ^= std::byte{0x01};
      ASSERT_EQ(verdict(), Verdict::kMismatch) << size << " " << at;
    }
  }
}

// The whole check: buffers, executions and judgements.

/// A gather of one row, or of an index that is out of range, with so many bytes of each tensor.
cases::Case gather_of(std::size_t size, int index) {
  return test::case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "g", "opset": 13, "desc": {
    "data": {"type": "uint8", "shape": [2, )" +
                       std::to_string(size) + R"(], "fill": {"pattern": "iota"}},
    "indices": {"type": "int32", "shape": [1], "data": [)" +
                       std::to_string(index) + R"(]},
    "output": {"type": "uint8", "shape": [1, )" +
                       std::to_string(size) + R"(]}, "axis": 0}}]})");
}

TEST(Leniency, TheWholeCheckLooksAtTheLastByteOfEverything) {
  for (const std::size_t size : {std::size_t{4096}, std::size_t{65537}, std::size_t{1 << 20} + 3})
    for (const int index : {1, 7}) {
      test::FakeBackend faulty;
      const cases::Case tested = gather_of(size, index);
      EXPECT_EQ(check_case(tested, faulty, {}).verdict, Verdict::kPass);
      faulty.execute = test::then(
          faulty, [](const Bindings& bound) { bound.outputs[0].back() ^= std::byte{0x01}; });
      EXPECT_EQ(check_case(tested, faulty, {}).verdict, Verdict::kMismatch) << size << index;
      faulty.execute = test::then(faulty, [](const Bindings& bound) {
        const_cast<std::byte&>(bound.inputs[0].back()) ^= std::byte{0x01};
      });
      const CaseResult result = check_case(tested, faulty, {});
      EXPECT_EQ(result.verdict, Verdict::kMemoryFault) << size << " " << index;
      EXPECT_EQ(result.rule, "tensor.input-intact");
    }
}

}  // namespace
}  // namespace opconform::judging
