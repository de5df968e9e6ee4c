// Descriptors as the structs that other interfaces have.

#include <gmock/gmock.h>
#include <opconform/plugin_directml.h>
#include <opconform/plugin_dlpack.h>

#include "harness/backends/plugin_descriptor.h"

namespace opconform::plugins {
namespace {

using backends::PluginDescriptor;
using testing::ElementsAre;
using testing::ElementsAreArray;

// As DirectML.h declares them.
struct DmlTensorDesc {
  std::uint32_t Type;
  const opconform_dml_buffer_tensor_desc* Desc;
};
struct Slice1Desc {
  const DmlTensorDesc* InputTensor;
  const DmlTensorDesc* OutputTensor;
  std::uint32_t DimensionCount;
  const std::uint32_t* InputWindowOffsets;
  const std::uint32_t* InputWindowSizes;
  const std::int32_t* InputWindowStrides;
};
struct SplitDesc {
  const DmlTensorDesc* InputTensor;
  std::uint32_t OutputCount;
  const DmlTensorDesc* OutputTensors;
  std::uint32_t Axis;
};
struct JoinDesc {
  std::uint32_t InputCount;
  const DmlTensorDesc* InputTensors;
  const DmlTensorDesc* OutputTensor;
  std::uint32_t Axis;
};
struct ScatterDesc {
  const DmlTensorDesc* InputTensor;
  const DmlTensorDesc* IndicesTensor;
  const DmlTensorDesc* UpdatesTensor;
  const DmlTensorDesc* OutputTensor;
  std::uint32_t Axis;
};

/// The struct, freed at the end of its life.
class View {
 public:
  explicit View(const Operator& op) : descriptor_(op, FeatureLevel::k6_4, 0) {
    is_made_ = opconform_dml_make(&descriptor_.get(), &made_) != 0;
  }
  ~View() { opconform_dml_free(&made_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  [[nodiscard]] bool is_made() const { return is_made_; }
  template <class Desc>
  const Desc& as() const {
    EXPECT_EQ(made_.desc_size_bytes, sizeof(Desc));
    return *static_cast<const Desc*>(made_.desc);
  }

 private:
  PluginDescriptor descriptor_;
  opconform_dml_operator made_{};
  bool is_made_ = false;
};

void expect_tensor(const DmlTensorDesc& found, const TensorDesc& due, std::uint32_t type) {
  EXPECT_EQ(found.Type, 1U);
  EXPECT_EQ(found.Desc->DataType, type);
  EXPECT_EQ(found.Desc->Flags, 0U);
  EXPECT_THAT(std::span(found.Desc->Sizes, found.Desc->DimensionCount),
              ElementsAreArray(due.sizes.begin(), due.sizes.end()));
  ASSERT_EQ(found.Desc->Strides != nullptr, due.strides.has_value());
  if (due.strides) {
    EXPECT_THAT(std::span(found.Desc->Strides, found.Desc->DimensionCount),
                ElementsAreArray(due.strides->begin(), due.strides->end()));
  }
  EXPECT_EQ(found.Desc->TotalTensorSizeInBytes, due.total_tensor_size_bytes);
}

TEST(DirectmlView, IsTheDocumentedStruct) {
  const TensorDesc large = strided_tensor(DataType::kFloat16, {2, 3}, {5, 1});
  const TensorDesc small = packed_tensor(DataType::kFloat16, {2, 2});
  Slice1 slice;
  slice.input = large;
  slice.output = small;
  slice.window_offsets = {0, 1};
  slice.window_sizes = {2, 2};
  slice.window_strides = {-1, 1};
  const View view(slice);
  ASSERT_TRUE(view.is_made());
  const auto& desc = view.as<Slice1Desc>();
  expect_tensor(*desc.InputTensor, large, 2);
  expect_tensor(*desc.OutputTensor, small, 2);
  EXPECT_EQ(desc.DimensionCount, 2U);
  EXPECT_THAT(std::span(desc.InputWindowOffsets, 2), ElementsAre(0U, 1U));
  EXPECT_THAT(std::span(desc.InputWindowSizes, 2), ElementsAre(2U, 2U));
  EXPECT_THAT(std::span(desc.InputWindowStrides, 2), ElementsAre(-1, 1));
}

TEST(DirectmlView, CountsArraysOfTensorsWhereverTheCountStands) {
  const TensorDesc large = packed_tensor(DataType::kUint8, {5, 4});
  const TensorDesc first = packed_tensor(DataType::kUint8, {3, 4});
  const TensorDesc second = strided_tensor(DataType::kUint8, {2, 4}, {8, 2});
  Split split;
  split.input = large;
  split.outputs = {first, second};
  split.axis = 7;
  const View split_view(split);
  ASSERT_TRUE(split_view.is_made());
  const auto& split_desc = split_view.as<SplitDesc>();
  expect_tensor(*split_desc.InputTensor, large, 5);
  EXPECT_EQ(split_desc.OutputCount, 2U);
  expect_tensor(split_desc.OutputTensors[0], first, 5);
  expect_tensor(split_desc.OutputTensors[1], second, 5);
  EXPECT_EQ(split_desc.Axis, 7U);

  DmlJoin join;
  join.inputs = {first, second};
  join.output = large;
  join.axis = 1;
  const View join_view(join);
  ASSERT_TRUE(join_view.is_made());
  const auto& join_desc = join_view.as<JoinDesc>();
  EXPECT_EQ(join_desc.InputCount, 2U);
  expect_tensor(join_desc.InputTensors[1], second, 5);
  expect_tensor(*join_desc.OutputTensor, large, 5);
  EXPECT_EQ(join_desc.Axis, 1U);
}

TEST(DirectmlView, KnowsEveryTypeOfDirectml) {
  const std::pair<DataType, std::uint32_t> kTypes[] = {
      {DataType::kFloat32, 1}, {DataType::kFloat16, 2}, {DataType::kUint32, 3},
      {DataType::kUint16, 4},  {DataType::kUint8, 5},   {DataType::kInt32, 6},
      {DataType::kInt16, 7},   {DataType::kInt8, 8},    {DataType::kFloat64, 9},
      {DataType::kUint64, 10}, {DataType::kInt64, 11},  {DataType::kBool, 0}};
  for (const auto& [type, number] : kTypes) {
    Scatter scatter;
    scatter.input = packed_tensor(type, {3});
    const View view(scatter);
    ASSERT_TRUE(view.is_made());
    EXPECT_EQ(view.as<ScatterDesc>().InputTensor->Desc->DataType, number);
  }
}

TEST(DirectmlView, IsNotMadeOfWhatTheStructCannotSay) {
  Split split;
  split.input = packed_tensor(DataType::kUint8, {std::uint64_t{1} << 32});
  EXPECT_FALSE(View(split).is_made());
  split.input = strided_tensor(DataType::kUint8, {2, 2}, {std::uint64_t{1} << 32, 1});
  EXPECT_FALSE(View(split).is_made());
  split.input = strided_tensor(DataType::kUint8, {2, 2}, {1});
  EXPECT_FALSE(View(split).is_made());
  EXPECT_FALSE(View(OnnxGather()).is_made());
  split.input = packed_tensor(DataType::kUint8, {~std::uint32_t{0}});
  EXPECT_TRUE(View(split).is_made());
}

TEST(DlpackView, HasTypeSizesAndStrides) {
  Split split;
  split.input = strided_tensor(DataType::kFloat16, {2, 3}, {5, 1});
  split.outputs = {split.input};
  PluginDescriptor descriptor(split, FeatureLevel::k6_4, 0);
  std::byte bytes[16];
  const std::span<const std::byte> input(bytes);
  const std::span<std::byte> output(bytes);
  descriptor.bind_all({{&input, 1}, {&output, 1}});
  const opconform_tensor& from = *opconform_find_tensor(&descriptor.get(), "InputTensor");
  std::int64_t dimensions[4];
  DLTensor to;
  ASSERT_TRUE(opconform_to_dlpack(&from, dimensions, &to));
  EXPECT_EQ(to.data, bytes);
  EXPECT_EQ(to.byte_offset, 0U);
  EXPECT_EQ(to.device.device_type, kDLCPU);
  EXPECT_THAT(std::span(to.shape, 2), ElementsAre(2, 3));
  EXPECT_THAT(std::span(to.strides, 2), ElementsAre(5, 1));
  EXPECT_EQ(to.dtype.code, kDLFloat);
  EXPECT_EQ(to.dtype.bits, 16);
  EXPECT_EQ(to.dtype.lanes, 1);
}

TEST(DlpackView, KnowsEveryTypeButStrings) {
  const std::pair<DataType, int> kCodes[] = {{DataType::kInt8, kDLInt},
                                             {DataType::kUint64, kDLUInt},
                                             {DataType::kFloat64, kDLFloat},
                                             {DataType::kBfloat16, kDLBfloat},
                                             {DataType::kComplex64, kDLComplex},
                                             {DataType::kComplex128, kDLComplex},
                                             {DataType::kBool, 6}};
  OnnxGather gather;
  for (const auto& [type, code] : kCodes) {
    gather.data = packed_tensor(type, {2});
    const PluginDescriptor descriptor(gather, Version::opset(13), 0);
    std::int64_t dimensions[2];
    DLTensor to;
    ASSERT_TRUE(
        opconform_to_dlpack(opconform_find_tensor(&descriptor.get(), "data"), dimensions, &to));
    EXPECT_EQ(to.dtype.code, code);
    EXPECT_EQ(to.dtype.bits, 8 * element_size_bytes(type));
  }
  gather.data = packed_tensor(DataType::kString, {2});
  const PluginDescriptor strings(gather, Version::opset(13), 0);
  std::int64_t dimensions[2];
  DLTensor to;
  EXPECT_FALSE(opconform_to_dlpack(opconform_find_tensor(&strings.get(), "data"), dimensions, &to));
}

}  // namespace
}  // namespace opconform::plugins
