// The grid's classes against the ledger's tables, typed here once more; and one wrong edge of a
// backend is one wrong cell.

#include "harness/campaigns/support_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <set>
#include <tuple>

#include "tests/harness/fake_backend.h"

namespace opconform::campaigns {
namespace {

const std::atomic<bool> kNeverStop = false;

// Places in all_operators().
constexpr std::size_t kScatter = 0;
constexpr std::size_t kSplit = 1;
constexpr std::size_t kSlice1 = 2;
constexpr std::size_t kGather = 3;
constexpr std::size_t kJoin = 4;

using Types = std::set<std::string>;
const Types kHalves{"FLOAT32", "FLOAT16"};
const Types kNoBytes{"FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"};
const Types kTo32{"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"};
const Types kAll{"FLOAT64", "FLOAT32", "FLOAT16", "INT64",  "INT32", "INT16",
                 "INT8",    "UINT64",  "UINT32",  "UINT16", "UINT8"};
const Types kIndices{"INT64", "INT32", "UINT64", "UINT32"};
const Types kOnnx1{"bool",    "complex128", "complex64", "double", "float",
                   "float16", "int16",      "int32",     "int64",  "int8",
                   "string",  "uint16",     "uint32",    "uint64", "uint8"};

/// What a table lists at one version.
struct Listed {
  Types types;
  Types index_types;  ///< one, where there are no indices
  int least_rank;
  int most_rank;
  int least_index_rank = 0;  ///< both 0 where indices have no rank of their own
  int most_index_rank = 0;
};

bool has_indices(std::size_t operator_index) {
  return operator_index == kScatter || operator_index == kGather;
}

/// The fifteen levels, or Gather's three versions, in ascending order.
std::vector<Listed> listed(std::size_t operator_index) {
  std::vector<Listed> result;
  const auto add = [&](int levels, const Listed& cells) {
    for (int i = 0; i < levels; ++i) result.push_back(cells);
  };
  const Types none{""};
  if (operator_index == kScatter) {
    add(2, {kHalves, {"UINT32"}, 4, 4});  // 1_0, 2_0
    add(1, {kTo32, {"UINT32"}, 4, 4});    // 2_1
    add(3, {kTo32, kIndices, 1, 8});      // 3_0, 3_1, 4_0
    add(9, {kAll, kIndices, 1, 8});       // 4_1 to 6_4
  } else if (operator_index == kSplit) {
    add(2, {kNoBytes, none, 4, 4});
    add(1, {kTo32, none, 4, 4});
    add(3, {kTo32, none, 1, 8});
    add(9, {kAll, none, 1, 8});
  } else if (operator_index == kSlice1) {
    add(2, {{}, none, 1, 0});
    add(1, {kTo32, none, 4, 5});
    add(3, {kTo32, none, 1, 8});
    add(9, {kAll, none, 1, 8});
  } else if (operator_index == kJoin) {
    add(2, {kNoBytes, none, 4, 4});
    add(1, {kTo32, none, 4, 4});
    add(3, {kTo32, none, 4, 5});
    add(9, {kAll, none, 1, 8});
  } else {
    add(2, {kOnnx1, {"int32", "int64"}, 1, 8, 0, 8});
    Types with_bfloat16 = kOnnx1;
    with_bfloat16.insert("bfloat16");
    add(1, {with_bfloat16, {"int32", "int64"}, 1, 8, 0, 8});
  }
  return result;
}

using Place = std::tuple<int, std::string, std::string, int, int>;  // version, types, ranks

std::set<Place> inside_places(std::size_t operator_index) {
  std::set<Place> inside;
  int version = 0;
  for (const Listed& cells : listed(operator_index)) {
    for (const std::string& type : cells.types)
      for (const std::string& index_type : cells.index_types)
        for (int rank = cells.least_rank; rank <= cells.most_rank; ++rank)
          for (int q = cells.least_index_rank; q <= cells.most_index_rank; ++q)
            inside.emplace(version, type, index_type, rank, q);
    ++version;
  }
  return inside;
}

/// Every step from an inside place to one that is not inside, within the grid.
std::set<Place> places_beside(std::size_t operator_index, const std::set<Place>& inside) {
  const bool is_gather = operator_index == kGather;
  const int versions = is_gather ? 3 : 15;
  Types types = kAll;
  if (is_gather) {
    types = kOnnx1;
    types.insert("bfloat16");
  }
  const Types index_types = has_indices(operator_index) ? types : Types{""};
  std::set<Place> beside;
  const auto add = [&](const Place& place) {
    if (inside.count(place) == 0) beside.insert(place);
  };
  for (const auto& [version, type, index_type, rank, q] : inside) {
    for (const int step : {-1, 1}) {
      if (version + step >= 0 && version + step < versions)
        add({version + step, type, index_type, rank, q});
      if (rank + step >= 0 && rank + step <= 9) add({version, type, index_type, rank + step, q});
      if (is_gather && q + step >= 0 && q + step <= 9)
        add({version, type, index_type, rank, q + step});
    }
    for (const std::string& other : types) add({version, other, index_type, rank, q});
    for (const std::string& other : index_types) add({version, type, other, rank, q});
  }
  return beside;
}

/// ONNX has no largest rank: supported types with data of a rank above 0 are valid.
bool is_unbounded(std::size_t operator_index, const Place& place) {
  if (operator_index != kGather) return false;
  const auto& [version, type, index_type, rank, q] = place;
  return rank > 0 && (rank > 8 || q > 8) && (type != "bfloat16" || version == 2) &&
         (index_type == "int32" || index_type == "int64");
}

std::string name_of(std::size_t operator_index) {
  return std::string(all_operators()[operator_index].name);
}

class GridOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GridOf, ClassesAreThoseOfTheLedger) {
  const std::size_t op = GetParam();
  const std::set<Place> inside = inside_places(op);
  const std::set<Place> beside = places_beside(op, inside);
  const Dialect dialect = all_operators()[op].dialect;
  std::set<Place> seen;
  int version = -1;
  std::optional<Version> last;
  for (const GridCell& cell : grid_cells(op)) {
    if (last != cell.version) ++version;
    last = cell.version;
    const Place place{version, std::string(name(cell.shape.data_type, dialect)),
                      has_indices(op) ? std::string(name(cell.shape.index_type, dialect)) : "",
                      static_cast<int>(cell.shape.rank), static_cast<int>(cell.shape.index_rank)};
    ASSERT_TRUE(seen.insert(place).second) << text(cell);
    const CellClass expected = inside.count(place) == 1   ? CellClass::kInside
                               : is_unbounded(op, place)  ? CellClass::kUnbounded
                               : beside.count(place) == 1 ? CellClass::kNeighbour
                                                          : CellClass::kFarther;
    ASSERT_EQ(static_cast<int>(cell.cell_class), static_cast<int>(expected)) << text(cell);
    const bool is_valid = expected == CellClass::kInside || expected == CellClass::kUnbounded;
    ASSERT_EQ(cell.rules.empty(), is_valid) << text(cell);
  }
  EXPECT_EQ(version, op == kGather ? 2 : 14);
  constexpr std::array<std::size_t, 5> kCells{15 * 11 * 11 * 10, 15 * 11 * 10, 15 * 11 * 10,
                                              3 * 16 * 16 * 10 * 10, 15 * 11 * 10};
  EXPECT_EQ(seen.size(), kCells[op]);
}

// Counted by hand from the ledger's tables: levels x types x index types x ranks.
TEST_P(GridOf, CountsAreThoseCountedByHand) {
  constexpr std::array<std::size_t, 5> kInside{
      2 * 2 * 1 * 1 + 8 * 1 * 1 + 3 * 8 * 4 * 8 + 9 * 11 * 4 * 8,
      2 * 6 + 8 + 3 * 8 * 8 + 9 * 11 * 8, 8 * 2 + 3 * 8 * 8 + 9 * 11 * 8,
      2 * 15 * 2 * 8 * 9 + 16 * 2 * 8 * 9, 2 * 6 + 8 + 3 * 8 * 2 + 9 * 11 * 8};
  // Beside an inside rank 9, or indices of rank 9: 9 x 10 - 8 x 9 pairs of ranks.
  constexpr std::size_t kUnbounded = (2 * 15 + 16) * 2 * 18;
  for (const std::string_view name : backends::kBuiltInBackends) {
    const std::unique_ptr<backends::Backend> backend = backends::make_backend(name);
    GridCount total;
    const GridResult grid = run_grid(GetParam(), *backend, {}, kNeverStop);
    for (const GridRow& row : grid.rows) total += row.count;
    EXPECT_EQ(grid.rows.size(), GetParam() == kGather ? 3U : 15U);
    EXPECT_EQ(total.inside, kInside[GetParam()]) << name;
    EXPECT_EQ(total.unbounded, GetParam() == kGather ? kUnbounded : 0U) << name;
    EXPECT_EQ(total.unsupported, 0U);
    EXPECT_EQ(total.wrong, 0U);
    for (const WrongCell& wrong : grid.wrong) ADD_FAILURE() << text(wrong.cell) << wrong.message;
  }
}

INSTANTIATE_TEST_SUITE_P(SupportGrid, GridOf,
                         ::testing::Values(kScatter, kSplit, kSlice1, kGather, kJoin),
                         [](const auto& tested) { return name_of(tested.param); });

const GridCell& cell_named(const std::vector<GridCell>& cells, const std::string& wanted) {
  for (const GridCell& cell : cells)
    if (text(cell) == wanted) return cell;
  throw std::out_of_range(wanted);
}

TEST(SupportGrid, FactsOfTheDocuments) {
  const std::map<std::size_t, std::map<std::string, CellClass>> facts{
      {kScatter,
       {{"DML_SCATTER at 1_0: FLOAT32, indices UINT32, rank 4", CellClass::kInside},
        {"DML_SCATTER at 1_0: FLOAT32, indices INT32, rank 4", CellClass::kNeighbour},
        {"DML_SCATTER at 2_0: UINT8, indices UINT32, rank 4", CellClass::kNeighbour},
        {"DML_SCATTER at 1_0: UINT8, indices INT64, rank 4", CellClass::kFarther},
        {"DML_SCATTER at 4_0: INT64, indices INT64, rank 1", CellClass::kNeighbour},
        {"DML_SCATTER at 6_4: INT64, indices INT64, rank 8", CellClass::kInside},
        {"DML_SCATTER at 6_4: INT64, indices INT64, rank 9", CellClass::kNeighbour},
        {"DML_SCATTER at 6_4: INT64, indices INT64, rank 0", CellClass::kNeighbour},
        {"DML_SCATTER at 6_4: INT64, indices INT8, rank 9", CellClass::kFarther}}},
      {kSplit,
       {{"DML_SPLIT at 1_0: INT8, rank 4", CellClass::kNeighbour},
        {"DML_SPLIT at 1_0: UINT16, rank 4", CellClass::kInside}}},
      {kSlice1,
       {{"DML_SLICE1 at 2_0: FLOAT32, rank 5", CellClass::kNeighbour},
        {"DML_SLICE1 at 1_0: FLOAT32, rank 5", CellClass::kFarther},
        {"DML_SLICE1 at 2_1: FLOAT32, rank 5", CellClass::kInside},
        {"DML_SLICE1 at 2_1: FLOAT32, rank 6", CellClass::kNeighbour}}},
      {kJoin,
       {{"DML_JOIN at 3_1: FLOAT32, rank 5", CellClass::kInside},
        {"DML_JOIN at 3_1: FLOAT32, rank 6", CellClass::kNeighbour},
        {"DML_JOIN at 3_1: FLOAT32, rank 3", CellClass::kNeighbour},
        {"DML_JOIN at 4_1: FLOAT32, rank 1", CellClass::kInside}}},
      {kGather,
       {{"ONNX_GATHER at 11: bfloat16, indices int64, rank 1, of indices 0", CellClass::kNeighbour},
        {"ONNX_GATHER at 13: bfloat16, indices int64, rank 1, of indices 0", CellClass::kInside},
        {"ONNX_GATHER at 13: string, indices uint32, rank 1, of indices 0", CellClass::kNeighbour},
        {"ONNX_GATHER at 13: float, indices int64, rank 9, of indices 9", CellClass::kUnbounded},
        {"ONNX_GATHER at 13: float, indices int64, rank 0, of indices 1", CellClass::kNeighbour}}}};
  for (const auto& [op, of_operator] : facts) {
    const std::vector<GridCell> cells = grid_cells(op);
    for (const auto& [wanted, cell_class] : of_operator)
      EXPECT_EQ(static_cast<int>(cell_named(cells, wanted).cell_class),
                static_cast<int>(cell_class))
          << wanted;
  }
}

TEST(SupportGrid, DataOfRank0IsRejectedByItsOwnRule) {
  using Rules = std::vector<std::string_view>;
  const std::vector<GridCell> cells = grid_cells(kGather);
  EXPECT_EQ(
      cell_named(cells, "ONNX_GATHER at 13: float, indices int64, rank 0, of indices 1").rules,
      Rules{"gather.data-rank"});
  EXPECT_EQ(cell_named(cells, "ONNX_GATHER at 13: float, indices int8, rank 0, of indices 1").rules,
            (Rules{"gather.data-rank", "gather.support"}));
}

// One wrong edge each.

/// Is it a Split of INT8 at 3_0 with rank 8, which is inside?
bool is_chosen_split(const Operator& op, Version version) {
  const Split* split = std::get_if<Split>(&op);
  return split != nullptr && version == Version(FeatureLevel::k3_0) &&
         split->input.data_type == DataType::kInt8 && split->input.rank() == 8;
}
/// Is it a Slice1 of UINT16 at 2_1 with rank 6, which is just outside?
bool is_chosen_slice(const Operator& op, Version version) {
  const Slice1* slice = std::get_if<Slice1>(&op);
  return slice != nullptr && version == Version(FeatureLevel::k2_1) &&
         slice->input.data_type == DataType::kUint16 && slice->input.rank() == 6;
}

std::optional<backends::Rejection> honest_rejection(const Operator& op, Version version) {
  static const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  backends::Prepared prepared = reference->prepare(op, version);
  if (backends::Rejection* rejection = std::get_if<backends::Rejection>(&prepared))
    return std::move(*rejection);
  return std::nullopt;
}

/// The only wrong cell.
std::string wrong_cell(std::size_t operator_index, backends::Backend& backend) {
  const GridResult grid = run_grid(operator_index, backend, {}, kNeverStop);
  EXPECT_EQ(grid.wrong.size(), 1U);
  std::size_t counted = 0;
  for (const GridRow& row : grid.rows) counted += row.count.wrong;
  EXPECT_EQ(counted, grid.wrong.size());
  return grid.wrong.empty() ? ""
                            : text(grid.wrong.front().cell) + "; " + grid.wrong.front().message;
}

TEST(SupportGrid, SeesOneCellInsideThatIsRejected) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version version) {
    if (is_chosen_split(op, version))
      return std::optional(
          backends::Rejection{backends::Rejection::Kind::kRejected, {"split.support"}, ""});
    return honest_rejection(op, version);
  };
  EXPECT_EQ(wrong_cell(kSplit, faulty),
            "DML_SPLIT at 3_0: INT8, rank 8; must be accepted, but is rejected with split.support");
}

TEST(SupportGrid, SeesOneCellOutsideThatIsAccepted) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version version) {
    return is_chosen_slice(op, version) ? std::nullopt : honest_rejection(op, version);
  };
  EXPECT_EQ(
      wrong_cell(kSlice1, faulty),
      "DML_SLICE1 at 2_1: UINT16, rank 6; must be rejected with slice1.support, but is accepted");
}

TEST(SupportGrid, SeesOneCellThatIsRejectedForAnotherReason) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version version) {
    std::optional<backends::Rejection> rejection = honest_rejection(op, version);
    if (is_chosen_slice(op, version)) rejection->rules = {"slice1.dimension-count"};
    return rejection;
  };
  EXPECT_EQ(wrong_cell(kSlice1, faulty),
            "DML_SLICE1 at 2_1: UINT16, rank 6; must be rejected with slice1.support, but is "
            "rejected with slice1.dimension-count");
}

TEST(SupportGrid, SeesOneCellThatComesOutWrong) {
  test::FakeBackend faulty;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    if (is_chosen_split(op, version)) bindings.outputs[0][0] ^= std::byte{1};
    return failure;
  };
  EXPECT_TRUE(wrong_cell(kSplit, faulty).starts_with("DML_SPLIT at 3_0: INT8, rank 8; mismatch: "));
}

TEST(SupportGrid, ACellThatEndsItsProcessIsWrongAndTheRestIsRun) {
  test::FakeBackend faulty;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    if (is_chosen_split(op, version)) ::raise(SIGKILL);
    return faulty.honest(op, version, bindings);
  };
  EXPECT_THAT(wrong_cell(kSplit, faulty),
              ::testing::StartsWith("DML_SPLIT at 3_0: INT8, rank 8; crash: the process was ended "
                                    "by signal 9"));
}

TEST(SupportGrid, AnExceptionIsWrong) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version version) {
    if (is_chosen_split(op, version)) throw std::runtime_error("no");
    return honest_rejection(op, version);
  };
  EXPECT_EQ(wrong_cell(kSplit, faulty),
            "DML_SPLIT at 3_0: INT8, rank 8; ended by an exception: no");
}

TEST(SupportGrid, ABareRejectionIsEnoughOfWhoNeedNotNameRules) {
  test::FakeBackend bare;
  bare.names_rules_exactly = false;
  bare.reject = [](const Operator& op, Version version) {
    std::optional<backends::Rejection> rejection = honest_rejection(op, version);
    if (rejection) rejection->rules.clear();
    return rejection;
  };
  EXPECT_TRUE(run_grid(kSplit, bare, {}, kNeverStop).wrong.empty());
  bare.names_rules_exactly = true;
  EXPECT_FALSE(run_grid(kSplit, bare, {}, kNeverStop).wrong.empty());
}

TEST(SupportGrid, WhatIsNotOfferedIsCountedAndNotJudged) {
  test::FakeBackend partial;
  partial.reject = [](const Operator& op, Version version) {
    if (is_chosen_split(op, version))
      return std::optional(
          backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "not built"});
    return honest_rejection(op, version);
  };
  const GridResult grid = run_grid(kSplit, partial, {}, kNeverStop);
  EXPECT_TRUE(grid.wrong.empty());
  GridCount total;
  for (const GridRow& row : grid.rows) total += row.count;
  EXPECT_EQ(total.unsupported, 1U);
}

}  // namespace
}  // namespace opconform::campaigns
