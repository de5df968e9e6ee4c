// Splits of large tensors.

#include "harness/strength/large_parts.h"

namespace opconform::strength {
namespace {

Operator split_up(TensorDesc whole, std::vector<TensorDesc> parts, std::uint32_t axis) {
  return Split{.input = std::move(whole), .outputs = std::move(parts), .axis = axis};
}

constexpr PartTexts kSplitTexts{
    .rule = "split.partition",
    .parts = "outputs",
    .counts_hunt = "outputs behind a limit of bindings or of a counter are lost",
    .starts_hunt = "where an output starts is kept in 16, 20 or 24 bits, or as float",
    .tensor = "one element, {extent} and three become outputs",
    .rows = "{count} rows are split into one element, {extent} and two",
    .padded_rows =
        "{count} rows with gaps behind them are split into one element, {extent} and two, with "
        "gaps as well",
    .table =
        "{extent} that is stored by columns is split along axis {axis} into two that are stored by "
        "rows",
    .stack = "{extent} that are stored column by column are split into two tensors that are packed",
    .interleaved =
        "rows of runs that lie between those of other rows are split, and written so again",
    .counts = "a table is split along axis {axis} into {count} outputs of two and one in turn",
    .start = "the second output starts at {place}",
    .columns = "{count} rows of 4 bytes are split",
    .far_columns = "{count} rows of four elements of uint32 are split",
    .middle = "a dimension of {count} elements between two others is split",
    .make = split_up,
};

}  // namespace

void add_large_cases(std::type_identity<Split> /*op*/, LargeFiles& files) {
  add_large_parts(kSplitTexts, files);
}

std::vector<BoundaryWalk> boundary_walks(std::type_identity<Split> /*op*/) {
  return part_walks<split_up>(
      {.rule = "split.partition",
       .parts = "outputs",
       .elements = "{n} elements and two become outputs",
       .bytes = "outputs are made of {n} bytes, or one of them reaches over as many",
       .rows = "{n} rows are split into one element and two",
       .counts = "a row is split into {n} outputs",
       .are_rows_unwritable = false});
}

}  // namespace opconform::strength
