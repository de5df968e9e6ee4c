#include "spec/fields.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/spec/samples.h"

namespace opconform {
namespace {

using testing::ElementsAre;

/// The names of an operator's fields, in the order of visit_fields.
template <class Op>
std::vector<std::string> field_names(const Op& op) {
  std::vector<std::string> names;
  Op::visit_fields(
      op, [&](const auto& field, const auto&... /*value*/) { names.emplace_back(field.name); });
  return names;
}

std::vector<std::string> tensor_paths(const Operator& op) {
  std::vector<std::string> paths;
  for_each_tensor(op, [&](const NamedTensor& tensor) { paths.push_back(tensor.path.text()); });
  return paths;
}

TEST(Fields, AreThoseOfTheDocumentInItsOrder) {
  EXPECT_THAT(field_names(Scatter{}),
              ElementsAre("InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor", "Axis"));
  EXPECT_THAT(field_names(Split{}),
              ElementsAre("InputTensor", "OutputCount", "OutputTensors", "Axis"));
  EXPECT_THAT(field_names(Slice1{}),
              ElementsAre("InputTensor", "OutputTensor", "DimensionCount", "InputWindowOffsets",
                          "InputWindowSizes", "InputWindowStrides"));
  EXPECT_THAT(field_names(OnnxGather{}), ElementsAre("data", "indices", "output", "axis"));
}

TEST(Fields, EachTensorHasItsPath) {
  EXPECT_THAT(tensor_paths(valid_scatter()),
              ElementsAre("InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor"));
  EXPECT_THAT(tensor_paths(valid_split()), ElementsAre("InputTensor", "OutputTensors[0]",
                                                       "OutputTensors[1]", "OutputTensors[2]"));
  EXPECT_THAT(tensor_paths(valid_slice1()), ElementsAre("InputTensor", "OutputTensor"));
  EXPECT_THAT(tensor_paths(valid_gather()), ElementsAre("data", "indices", "output"));
}

TEST(Fields, TensorsCanBeChangedInTheSameOrder) {
  for (Operator op : {Operator(valid_scatter()), Operator(valid_split()), Operator(valid_slice1()),
                      Operator(valid_gather())}) {
    const std::vector<MutableTensor> tensors = mutable_tensors(op);
    for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].desc->sizes = {i + 40};
    std::size_t i = 0;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      ASSERT_LT(i, tensors.size());
      EXPECT_EQ(tensors[i].field.name, tensor.field.name);
      EXPECT_EQ(tensor.desc.sizes, Dims{i + 40});
      ++i;
    });
    EXPECT_EQ(i, tensors.size());
  }
}

TEST(Fields, OutputsAndIndicesAreMarkedAsSuch) {
  std::vector<std::string> outputs;
  std::vector<std::string> indices;
  for (const Operator& op : {Operator(valid_scatter()), Operator(valid_split()),
                             Operator(valid_slice1()), Operator(valid_gather())}) {
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      if (tensor.field.access == Access::kOutput) outputs.push_back(tensor.path.text());
      if (tensor.field.content == Content::kIndices) indices.push_back(tensor.path.text());
    });
  }
  EXPECT_THAT(outputs, ElementsAre("OutputTensor", "OutputTensors[0]", "OutputTensors[1]",
                                   "OutputTensors[2]", "OutputTensor", "output"));
  EXPECT_THAT(indices, ElementsAre("IndicesTensor", "indices"));
}

TEST(IndexedSize, IsTheSizeAlongTheAxis) {
  EXPECT_EQ(valid_scatter().indexed_size(), 3U);
  EXPECT_EQ(valid_gather().indexed_size(), 4U);
}

TEST(IndexedSize, CountsANegativeAxisFromTheBack) {
  OnnxGather op = valid_gather();
  op.axis = -1;
  EXPECT_EQ(op.axis_from_front(), 2U);
  EXPECT_EQ(op.indexed_size(), 5U);
}

TEST(IndexedSize, OfAnAxisLeftOutIsThatOfTheFirst) {
  OnnxGather op = valid_gather();
  op.axis.reset();
  EXPECT_EQ(op.indexed_size(), 3U);
}

TEST(IndexedSize, IsNothingWhereThereIsNoSuchAxis) {
  Scatter scatter = valid_scatter();
  scatter.axis = 4;
  EXPECT_EQ(scatter.indexed_size(), std::nullopt);
  OnnxGather gather = valid_gather();
  for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, INT64_MAX, INT64_MIN}) {
    gather.axis = axis;
    EXPECT_EQ(gather.indexed_size(), std::nullopt) << axis;
  }
}

}  // namespace
}  // namespace opconform
