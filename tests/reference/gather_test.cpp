#include <gmock/gmock.h>

#include <complex>
#include <cstdint>

#include "tests/reference/buffers.h"

namespace opconform::reference {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Version k10 = Version::opset(10);
constexpr Version k11 = Version::opset(11);
constexpr Version k13 = Version::opset(13);

OnnxGather gather_of(DataType type, const Dims& data, DataType index_type, const Dims& indices,
                     std::optional<std::int64_t> axis, const Dims& output) {
  return {.data = packed_tensor(type, data),
          .indices = packed_tensor(index_type, indices),
          .output = packed_tensor(type, output),
          .axis = axis};
}
OnnxGather gather_of(const Dims& data, const Dims& indices, std::optional<std::int64_t> axis,
                     const Dims& output) {
  return gather_of(kFloat, data, DataType::kInt64, indices, axis, output);
}

Bytes indices(std::initializer_list<std::int64_t> values) { return bytes_of(values); }

TEST(GatherReference, TheExampleOfAxis0) {
  const Bytes data = bytes_of({1.0F, 1.2F, 2.3F, 3.4F, 4.5F, 5.7F});
  for (const std::optional<std::int64_t> axis : {std::optional<std::int64_t>(), {0}, {-2}})
    EXPECT_THAT(run_well(gather_of({3, 2}, {2, 2}, axis, {2, 2, 2}), {data, indices({0, 1, 1, 2})})
                    .values<float>(),
                ElementsAre(1.0F, 1.2F, 2.3F, 3.4F, 2.3F, 3.4F, 4.5F, 5.7F));
}

TEST(GatherReference, TheExampleOfAxis1) {
  const Bytes data = bytes_of({1.0F, 1.2F, 1.9F, 2.3F, 3.4F, 3.9F, 4.5F, 5.7F, 5.9F});
  for (const std::int64_t axis : {1, -1})
    EXPECT_THAT(run_well(gather_of({3, 3}, {1, 2}, axis, {3, 1, 2}), {data, indices({0, 2})}, k10)
                    .values<float>(),
                ElementsAre(1.0F, 1.9F, 2.3F, 3.9F, 4.5F, 5.9F));
}

TEST(GatherReference, AScalarIndexRemovesTheAxis) {
  const Bytes data = bytes_of(numbered<float>(12));
  EXPECT_THAT(run_well(gather_of({3, 4}, {}, 0, {4}), {data, indices({1})}).values<float>(),
              ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(run_well(gather_of({2, 3, 2}, {}, 1, {2, 2}), {data, indices({2})}).values<float>(),
              ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(run_well(gather_of({12}, {}, 0, {}), {data, indices({7})}).values<float>(),
              ElementsAre(7));
}

TEST(GatherReference, IndicesInOrderGiveTheData) {
  const Bytes data = bytes_of(numbered<float>(24));
  EXPECT_THAT(
      run_well(gather_of({2, 3, 4}, {3}, 1, {2, 3, 4}), {data, indices({0, 1, 2})}).values<float>(),
      ElementsAreArray(numbered<float>(24)));
}

TEST(GatherReference, TheDimensionsOfIndicesTakeThePlaceOfTheAxis) {
  // By offsets alone: outer * (axis * inner) + index * inner + inner coordinate.
  const std::vector<float> data = numbered<float>(24);
  const std::vector<std::int64_t> wanted{2, 0, 1, 2, 1, 1};
  std::vector<float> expected;
  for (std::size_t outer = 0; outer < 2; ++outer)
    for (const std::int64_t index : wanted)
      for (std::size_t inner = 0; inner < 4; ++inner)
        expected.push_back(data[outer * 12 + static_cast<std::size_t>(index) * 4 + inner]);
  EXPECT_THAT(
      run_well(gather_of({2, 3, 4}, {2, 3}, 1, {2, 2, 3, 4}), {bytes_of(data), bytes_of(wanted)})
          .values<float>(),
      ElementsAreArray(expected));
}

TEST(GatherReference, ANegativeAxisCountsFromTheBackInAllVersions) {
  const Bytes data = bytes_of(numbered<float>(24));
  const std::vector<Bytes> inputs{data, indices({1, 0})};
  for (const Version version : {Version::opset(1), k11, k13}) {
    EXPECT_EQ(run_well(gather_of({2, 3, 4}, {2}, -3, {2, 3, 4}), inputs, version).values<float>(),
              run_well(gather_of({2, 3, 4}, {2}, 0, {2, 3, 4}), inputs, version).values<float>());
    EXPECT_EQ(run_well(gather_of({2, 3, 4}, {2}, -1, {2, 3, 2}), inputs, version).values<float>(),
              run_well(gather_of({2, 3, 4}, {2}, 2, {2, 3, 2}), inputs, version).values<float>());
  }
}

TEST(GatherReference, ANegativeIndexCountsFromTheEndFromVersion11On) {
  const std::vector<Bytes> inputs{bytes_of(numbered<float>(5)), indices({-1, -5, 4, 0})};
  for (const Version version : {k11, Version::opset(12), k13})
    EXPECT_THAT(run_well(gather_of({5}, {4}, 0, {4}), inputs, version).values<float>(),
                ElementsAre(4, 0, 4, 0));
}

TEST(GatherReference, ANegativeIndexIsAnErrorInVersion1AndMayCountFromTheEnd) {
  const OnnxGather op = gather_of({5}, {3}, 0, {3});
  const std::vector<Bytes> inputs{bytes_of(numbered<float>(5)), indices({0, -1, 2})};
  for (const Version version : {Version::opset(1), k10}) {
    Execution result = run(op, inputs, version);
    ASSERT_TRUE(result.error.has_value());
    EXPECT_EQ(result.error->rule, "gather.index-range");
    EXPECT_THAT(result.error->message, AllOf(HasSubstr("indices[1] (element 1) is -1"),
                                             HasSubstr("at least 0 and less than 5")));
    EXPECT_TRUE(result.outputs[0].is_untouched());
    const AlsoPermitted also = also_permitted_of(op, inputs, version);
    ASSERT_TRUE(also.also_as.has_value());
    EXPECT_THAT(run_well(op, inputs, *also.also_as).values<float>(), ElementsAre(0, 4, 2));
  }
}

TEST(GatherReference, AnotherErrorInVersion1IsOneInEveryReading) {
  const OnnxGather op = gather_of({5}, {2}, 0, {2});
  const std::vector<Bytes> inputs{bytes_of(numbered<float>(5)), indices({-1, 5})};
  EXPECT_TRUE(run(op, inputs, k10).error.has_value());
  EXPECT_TRUE(
      run(op, inputs, also_permitted_of(op, inputs, k10).also_as.value_or(k10)).error.has_value());
}

TEST(GatherReference, LeavesNoOtherFreedom) {
  const OnnxGather op = gather_of({5}, {2}, 0, {2});
  for (const Version version : {k10, k11, k13}) {
    const AlsoPermitted also =
        also_permitted_of(op, {bytes_of(numbered<float>(5)), indices({0, 4})}, version);
    EXPECT_FALSE(also.outputs_unspecified);
    EXPECT_THAT(also.alternatives, IsEmpty());
    EXPECT_FALSE(also.also_as.has_value());
  }
  // From 11 on a negative index has one meaning, and one outside is an error for everyone.
  for (const std::int64_t index : {-1, -6, 5})
    EXPECT_FALSE(also_permitted_of(op, {bytes_of(numbered<float>(5)), indices({0, index})}, k11)
                     .also_as.has_value());
}

template <class Index>
void expect_out_of_range(DataType index_type, Index outside) {
  SCOPED_TRACE(outside);
  const OnnxGather op = gather_of(kFloat, {2, 5}, index_type, {2, 2}, 1, {2, 2, 2});
  const std::vector<Index> values{0, 1, outside, 4};
  Execution result = run(op, {bytes_of(numbered<float>(10)), bytes_of(values)});
  ASSERT_TRUE(result.error.has_value());
  EXPECT_EQ(result.error->rule, "gather.index-range");
  EXPECT_THAT(result.error->message,
              AllOf(HasSubstr("indices[1,0] (element 2) is " + std::to_string(outside)),
                    HasSubstr("at least -5 and less than 5")));
  EXPECT_TRUE(result.outputs[0].is_untouched());
}

TEST(GatherReference, AnIndexOutOfRangeIsNamedAndNothingIsWritten) {
  for (const std::int32_t outside : {5, -6, INT32_MAX, INT32_MIN})
    expect_out_of_range<std::int32_t>(DataType::kInt32, outside);
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  for (const std::int64_t outside : {std::int64_t{5}, std::int64_t{-6}, kTwoTo32 + 1, -kTwoTo32 + 1,
                                     kTwoTo32 - 1, INT64_MAX, INT64_MIN})
    expect_out_of_range<std::int64_t>(DataType::kInt64, outside);
}

TEST(GatherReference, TheFirstIndexOutOfRangeIsNamed) {
  Execution result =
      run(gather_of({3}, {4}, 0, {4}), {bytes_of(numbered<float>(3)), indices({2, 3, -4, 9})});
  ASSERT_TRUE(result.error.has_value());
  EXPECT_THAT(result.error->message, HasSubstr("indices[1] (element 1) is 3"));
}

TEST(GatherReference, AScalarIndexOutOfRangeIsNamed) {
  Execution result = run(gather_of({3}, {}, 0, {}), {bytes_of(numbered<float>(3)), indices({-4})});
  ASSERT_TRUE(result.error.has_value());
  EXPECT_THAT(result.error->message,
              AllOf(HasSubstr("-4"), HasSubstr("at least -3 and less than 3")));
  EXPECT_TRUE(result.outputs[0].is_untouched());
}

TEST(GatherReference, EmptyIndicesGiveAnEmptyOutput) {
  EXPECT_THAT(
      run_well(gather_of({3, 2}, {0}, 0, {0, 2}), {bytes_of(numbered<float>(6)), indices({})})
          .values<float>(),
      IsEmpty());
  EXPECT_THAT(
      run_well(gather_of({3, 2}, {4, 0}, 1, {3, 4, 0}), {bytes_of(numbered<float>(6)), indices({})})
          .values<float>(),
      IsEmpty());
}

TEST(GatherReference, EmptyIndicesOfAnEmptyAxisAreNoError) {
  EXPECT_THAT(run_well(gather_of({0, 2}, {0}, 0, {0, 2}), {Bytes{}, indices({})}).values<float>(),
              IsEmpty());
}

TEST(GatherReference, AnEmptyAxisHasNoValidIndex) {
  for (const std::int64_t index : {0, -1, 1}) {
    Execution result = run(gather_of({0, 2}, {1}, 0, {1, 2}), {Bytes{}, indices({index})});
    ASSERT_TRUE(result.error.has_value());
    EXPECT_EQ(result.error->rule, "gather.index-range");
    EXPECT_THAT(result.error->message,
                AllOf(HasSubstr("indices[0] (element 0) is " + std::to_string(index)),
                      HasSubstr("at least 0 and less than 0")));
    EXPECT_TRUE(result.outputs[0].is_untouched());
  }
}

TEST(GatherReference, AnIndexOutOfRangeIsAnErrorAlsoWhereTheOutputIsEmpty) {
  const OnnxGather op = gather_of({3, 0}, {2}, 0, {2, 0});
  EXPECT_TRUE(run(op, {Bytes{}, indices({0, 3})}).error.has_value());
  EXPECT_TRUE(run(op, {Bytes{}, indices({-4, 0})}).error.has_value());
  EXPECT_FALSE(run(op, {Bytes{}, indices({-3, 2})}).error.has_value());
}

TEST(GatherReference, SixteenByteElements) {
  using Complex = std::complex<double>;
  const std::vector<Complex> data{{1, 2}, {3, 4}, {5, 6}};
  EXPECT_THAT(run_well(gather_of(DataType::kComplex128, {3}, DataType::kInt32, {4}, 0, {4}),
                       {bytes_of(data), bytes_of<std::int32_t>({2, 0, -1, 1})})
                  .values<Complex>(),
              ElementsAre(data[2], data[0], data[2], data[1]));
}

TEST(GatherReference, StringsMoveAsViews) {
  const std::vector<StringElement> data{{"alpha", 5}, {"", 0}, {nullptr, 0}, {"x\0y", 3}};
  const OnnxGather op = gather_of(DataType::kString, {4}, DataType::kInt64, {4}, 0, {4});
  const std::vector<StringElement> found =
      run_well(op, {bytes_of(data), indices({3, 2, 1, 0})}).values<StringElement>();
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(static_cast<const void*>(found[i].bytes), data[3 - i].bytes);
    EXPECT_EQ(found[i].size_bytes, data[3 - i].size_bytes);
  }
}

TEST(GatherReference, BitPatternsArriveAsTheyLeft) {
  // Values that are no valid bool, in elements of one byte: the output is no multiple of 4.
  EXPECT_THAT(run_well(gather_of(DataType::kBool, {3}, DataType::kInt64, {5}, 0, {5}),
                       {bytes_of<std::uint8_t>({0x02, 0x00, 0xFF}), indices({0, 2, 1, 0, 2})})
                  .values<std::uint8_t>(),
              ElementsAre(0x02, 0xFF, 0x00, 0x02, 0xFF));
  EXPECT_THAT(run_well(gather_of(DataType::kBfloat16, {2}, DataType::kInt64, {2}, 0, {2}),
                       {bytes_of<std::uint16_t>({0x7F81, 0x8000}), indices({1, 0})})
                  .values<std::uint16_t>(),
              ElementsAre(0x8000, 0x7F81));
}

TEST(GatherReference, TheLargestRanks) {
  const OnnxGather op =
      gather_of(Dims(8, 2), Dims(8, 1), 4, {2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2});
  const Bytes data = bytes_of(numbered<float>(256));
  std::vector<float> expected;
  for (std::size_t i = 0; i < 256; ++i)
    if ((i & 8U) != 0) expected.push_back(static_cast<float>(i));  // the fifth coordinate is 1
  EXPECT_THAT(run_well(op, {data, indices({-1})}).values<float>(), ElementsAreArray(expected));
}

}  // namespace
}  // namespace opconform::reference
