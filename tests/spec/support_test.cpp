// Every cell of the support tables, inside and outside, against the tables typed here straight from
// the documents.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/support_check.h"
#include "tests/spec/matchers.h"
#include "tests/spec/samples.h"

namespace opconform {
namespace {

using Types = std::set<DataType>;

/// A list as it stands in the documents: "FLOAT32, FLOAT16" or "tensor(float), tensor(bool)".
Types types(std::string_view list, Dialect dialect) {
  Types result;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    std::string_view item = list.substr(0, end);
    if (dialect == Dialect::kOnnx) {
      EXPECT_EQ(item.substr(0, 7), "tensor(");
      item = item.substr(7, item.size() - 8);
    }
    const std::optional<DataType> type = parse_data_type(item, dialect);
    EXPECT_TRUE(type.has_value() && result.insert(*type).second) << item;
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return result;
}
Types directml(std::string_view list) { return types(list, Dialect::kDirectml); }

/// "DML_FEATURE_LEVEL_x_y und höher": ranks and types of one tensor.
struct Cells {
  FeatureLevel since;
  std::size_t least_rank;
  std::size_t most_rank;
  Types data_types;

  [[nodiscard]] bool contain(std::size_t rank, DataType type) const {
    return least_rank <= rank && rank <= most_rank && data_types.count(type) == 1;
  }
};
using Table = std::vector<Cells>;  // from the highest level down, as in the documents

/// Null below the lowest row.
const Cells* cells_at(const Table& table, FeatureLevel level) {
  for (const Cells& cells : table)
    if (cells.since <= level) return &cells;
  return nullptr;
}

using enum FeatureLevel;

const Table& scatter_values() {
  static const Table table{
      {k4_1, 1, 8,
       directml("FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, "
                "UINT8")},
      {k3_0, 1, 8, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
      {k2_1, 4, 4, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
      {k1_0, 4, 4, directml("FLOAT32, FLOAT16")},
  };
  return table;
}

const Table& scatter_indices() {
  static const Table table{
      {k4_1, 1, 8, directml("INT64, INT32, UINT64, UINT32")},
      {k3_0, 1, 8, directml("INT64, INT32, UINT64, UINT32")},
      {k2_1, 4, 4, directml("UINT32")},
      {k1_0, 4, 4, directml("UINT32")},
  };
  return table;
}

const Table& split_values() {
  static const Table table{
      {k4_1, 1, 8,
       directml("FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, "
                "UINT8")},
      {k3_0, 1, 8, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
      {k2_1, 4, 4, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
      {k1_0, 4, 4, directml("FLOAT32, FLOAT16, INT32, INT16, UINT32, UINT16")},
  };
  return table;
}

const Table& slice1_values() {
  static const Table table{
      {k4_1, 1, 8,
       directml("FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, "
                "UINT8")},
      {k3_0, 1, 8, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
      {k2_1, 4, 5, directml("FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8")},
  };
  return table;
}

/// The types of data at an opset.
const Types& gather_values(std::uint32_t opset) {
  static const Types from_13 = types(
      "tensor(bfloat16), tensor(bool), tensor(complex128), tensor(complex64), "
      "tensor(double), tensor(float), tensor(float16), tensor(int16), tensor(int32), "
      "tensor(int64), tensor(int8), tensor(string), tensor(uint16), tensor(uint32), "
      "tensor(uint64), tensor(uint8)",
      Dialect::kOnnx);
  static const Types from_11 = types(
      "tensor(bool), tensor(complex128), tensor(complex64), tensor(double), tensor(float), "
      "tensor(float16), tensor(int16), tensor(int32), tensor(int64), tensor(int8), "
      "tensor(string), tensor(uint16), tensor(uint32), tensor(uint64), tensor(uint8)",
      Dialect::kOnnx);
  static const Types from_1 = types(
      "tensor(bool), tensor(complex128), tensor(complex64), tensor(double), tensor(float), "
      "tensor(float16), tensor(int16), tensor(int32), tensor(int64), tensor(int8), "
      "tensor(string), tensor(uint16), tensor(uint32), tensor(uint64), tensor(uint8)",
      Dialect::kOnnx);
  return opset >= 13 ? from_13 : opset >= 11 ? from_11 : from_1;
}

const Types& gather_indices() {
  static const Types table = types("tensor(int32), tensor(int64)", Dialect::kOnnx);
  return table;
}

std::vector<DataType> types_of(Dialect dialect) {
  std::vector<DataType> result;
  for (const DataType type : all_data_types())
    if (!name(type, dialect).empty()) result.push_back(type);
  return result;
}

/// One size of 2, the last one; the others 1.
Dims sizes_of(std::size_t rank) {
  Dims sizes(rank, 1);
  if (rank > 0) sizes[rank - 1] = 2;
  return sizes;
}

constexpr std::size_t kRanks = 10;  // 0 to 9

/// Exactly the support rule, or nothing.
template <class Op>
void expect_support(const Op& op, Version version, std::string_view rule, bool is_supported) {
  const Violations found = validate(op, version);
  const std::vector<std::string_view> expected =
      is_supported ? std::vector<std::string_view>{} : std::vector<std::string_view>{rule};
  ASSERT_EQ(found.rules(), expected)
      << Op::kName << " at " << version.text() << testing::PrintToString(found);
  ASSERT_TRUE(found.undecided().empty());
}

TEST(Support, EveryCellOfScatter) {
  for (const FeatureLevel level : kFeatureLevels) {
    const Cells& values = *cells_at(scatter_values(), level);
    const Cells& indices = *cells_at(scatter_indices(), level);
    for (const DataType type : types_of(Dialect::kDirectml)) {
      for (const DataType index_type : types_of(Dialect::kDirectml)) {
        for (std::size_t rank = 0; rank < kRanks; ++rank) {
          const TensorDesc tensor = packed_tensor(type, sizes_of(rank));
          const Scatter op{.input = tensor,
                           .indices = packed_tensor(index_type, sizes_of(rank)),
                           .updates = tensor,
                           .output = tensor,
                           .axis = 0};
          ASSERT_NO_FATAL_FAILURE(
              expect_support(op, level, "scatter.support",
                             values.contain(rank, type) && indices.contain(rank, index_type)));
        }
      }
    }
  }
}

TEST(Support, EveryCellOfSplit) {
  for (const FeatureLevel level : kFeatureLevels) {
    const Cells& values = *cells_at(split_values(), level);
    for (const DataType type : types_of(Dialect::kDirectml)) {
      for (std::size_t rank = 0; rank < kRanks; ++rank) {
        const TensorDesc tensor = packed_tensor(type, sizes_of(rank));
        const Split op{.input = tensor, .outputs = {tensor}, .axis = 0};
        ASSERT_NO_FATAL_FAILURE(
            expect_support(op, level, "split.support", values.contain(rank, type)));
      }
    }
  }
}

TEST(Support, EveryCellOfSlice1) {
  for (const FeatureLevel level : kFeatureLevels) {
    const Cells* values = cells_at(slice1_values(), level);
    for (const DataType type : types_of(Dialect::kDirectml)) {
      for (std::size_t rank = 0; rank < kRanks; ++rank) {
        const TensorDesc tensor = packed_tensor(type, sizes_of(rank));
        const Slice1 op{.input = tensor,
                        .output = tensor,
                        .window_offsets = UintArray(rank),
                        .window_sizes = UintArray(tensor.sizes.begin(), tensor.sizes.end()),
                        .window_strides = IntArray(rank, 1)};
        ASSERT_NO_FATAL_FAILURE(expect_support(op, level, "slice1.support",
                                               values != nullptr && values->contain(rank, type)));
      }
    }
  }
}

OnnxGather gather_of(DataType type, std::size_t rank, DataType index_type, std::size_t index_rank) {
  Dims output = sizes_of(rank);
  if (rank > 0) output.erase(0);
  for (const std::uint64_t size : sizes_of(index_rank)) output.push_back(size);
  // The axis is the first dimension: those of indices come first.
  std::rotate(output.begin(), output.end() - index_rank, output.end());
  return {.data = packed_tensor(type, sizes_of(rank)),
          .indices = packed_tensor(index_type, sizes_of(index_rank)),
          .output = packed_tensor(type, output),
          .axis = 0};
}

TEST(Support, EveryCellOfGather) {
  for (std::uint32_t opset = 1; opset <= 22; ++opset) {
    for (const DataType type : types_of(Dialect::kOnnx)) {
      for (const DataType index_type : types_of(Dialect::kOnnx)) {
        const bool is_supported =
            gather_values(opset).count(type) == 1 && gather_indices().count(index_type) == 1;
        for (const std::size_t rank : {1U, 4U, 9U}) {
          ASSERT_NO_FATAL_FAILURE(expect_support(gather_of(type, rank, index_type, 2),
                                                 Version::opset(opset), "gather.support",
                                                 is_supported));
        }
      }
    }
  }
}

TEST(Support, OfGatherSpeaksOfNoRank) {
  for (const std::uint32_t opset : {1U, 10U, 11U, 12U, 13U, 22U}) {
    for (std::size_t rank = 1; rank < kRanks; ++rank) {
      for (std::size_t index_rank = 0; index_rank < kRanks; ++index_rank) {
        ASSERT_NO_FATAL_FAILURE(
            expect_support(gather_of(DataType::kFloat32, rank, DataType::kInt64, index_rank),
                           Version::opset(opset), "gather.support", true));
      }
    }
  }
}

TEST(Support, OfGatherLeavesDataOfRank0ToTheDataRank) {
  for (std::uint32_t opset = 1; opset <= 22; ++opset) {
    for (std::size_t index_rank = 0; index_rank < kRanks; ++index_rank) {
      const OnnxGather op = gather_of(DataType::kFloat32, 0, DataType::kInt64, index_rank);
      ASSERT_THAT(validate(op, Version::opset(opset)), BreaksOnly("gather.data-rank"));
    }
  }
}

TEST(Support, OfAllThreeVersionsOfGather) {
  EXPECT_EQ(gather_values(1).size(), 15U);
  EXPECT_EQ(gather_values(11).size(), 15U);
  EXPECT_EQ(gather_values(13).size(), 16U);
  EXPECT_EQ(OnnxGather::support().size(), 3U);
}

/// The tables as the code prints them against those typed here, row by row.
void expect_rows(SupportTable found, std::string_view role, const Table& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Cells& cells = expected[expected.size() - 1 - i];
    EXPECT_EQ(found[i].since, Version(cells.since));
    const TensorSupport* tensor = find_role(found[i], role);
    ASSERT_NE(tensor, nullptr) << role;
    EXPECT_EQ(tensor->ranks.least, cells.least_rank);
    EXPECT_EQ(tensor->ranks.most, cells.most_rank);
    for (const DataType type : all_data_types())
      EXPECT_EQ(tensor->data_types.contains(type), cells.data_types.count(type) == 1);
  }
}

TEST(SupportTables, AreThoseOfTheDocuments) {
  for (const std::string_view role : {"InputTensor", "UpdatesTensor", "OutputTensor"})
    expect_rows(Scatter::support(), role, scatter_values());
  expect_rows(Scatter::support(), "IndicesTensor", scatter_indices());
  for (const std::string_view role : {"InputTensor", "OutputTensors"})
    expect_rows(Split::support(), role, split_values());
  for (const std::string_view role : {"InputTensor", "OutputTensor"})
    expect_rows(Slice1::support(), role, slice1_values());
}

TEST(SupportTables, ARowHoldsUntilTheNext) {
  EXPECT_EQ(row_at(Slice1::support(), k2_0), nullptr);
  EXPECT_EQ(row_at(Slice1::support(), k2_1)->since, Version(k2_1));
  EXPECT_EQ(row_at(Slice1::support(), k4_0)->since, Version(k3_0));
  EXPECT_EQ(row_at(Slice1::support(), k6_4)->since, Version(k4_1));
  EXPECT_EQ(row_at(OnnxGather::support(), Version::opset(10))->since, Version::opset(1));
  EXPECT_EQ(row_at(OnnxGather::support(), Version::opset(12))->since, Version::opset(11));
  EXPECT_EQ(row_at(OnnxGather::support(), Version::opset(22))->since, Version::opset(13));
}

TEST(SupportTables, HaveNoRowForAnUnknownTensor) {
  EXPECT_EQ(find_role(Scatter::support().front(), "OutputTensors"), nullptr);
  EXPECT_EQ(find_role(Scatter::support().front(), ""), nullptr);
}

// Tensor by tensor: one that the table lacks is named, the others are not.
TEST(SupportOfOneTensor, IsNamedAlone) {
  struct Tensor {
    TensorDesc Scatter::*member;
    std::string_view name;
  };
  for (const Tensor& tensor :
       {Tensor{&Scatter::input, "InputTensor"}, Tensor{&Scatter::indices, "IndicesTensor"},
        Tensor{&Scatter::updates, "UpdatesTensor"}, Tensor{&Scatter::output, "OutputTensor"}}) {
    Scatter op = valid_scatter();
    (op.*tensor.member).data_type = DataType::kUint8;
    const Violations found = validate(op, k2_0);
    std::vector<std::string> fields;
    for (const Violation& violation : found.list())
      if (violation.rule == "scatter.support") fields.push_back(violation.field);
    EXPECT_THAT(fields, testing::ElementsAre(std::string(tensor.name) + ".DataType"));
  }
}

TEST(Support, ATensorThatTheRowDoesNotNameIsNotJudged) {
  const TensorSupport input{"InputTensor", {4, 4}, kFloat32And16};
  const SupportRow row{FeatureLevel::k1_0, {&input, 1}};
  const TensorDesc desc = packed_tensor(DataType::kUint8, {1});
  Violations violations;
  violations.judge("split.support");
  const auto judge = [&](std::string_view name) {
    judge_support(row, SupportScope::kTypesAndRanks,
                  {.field = {.name = name}, .path = {name}, .desc = desc}, FeatureLevel::k1_0,
                  violations);
  };
  judge("OutputTensors");
  EXPECT_TRUE(violations.empty());
  judge("InputTensor");
  EXPECT_EQ(violations.list().size(), 2U);  // the type and the rank
}

}  // namespace
}  // namespace opconform
