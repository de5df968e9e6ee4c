// Joins of large tensors.

#include "harness/strength/large_parts.h"

namespace opconform::strength {
namespace {

Operator joined(TensorDesc whole, std::vector<TensorDesc> parts, std::uint32_t axis) {
  return DmlJoin{.inputs = std::move(parts), .output = std::move(whole), .axis = axis};
}

constexpr PartTexts kJoinTexts{
    .rule = "join.concatenation",
    .parts = "inputs",
    .counts_hunt = "inputs behind a limit of bindings or of a counter are lost",
    .starts_hunt = "where an input goes is kept in 16, 20 or 24 bits, or as float",
    .tensor = "one element, {extent} and three are joined",
    .rows = "to each of {count} rows of one element, {extent} and two are joined",
    .padded_rows =
        "to each of {count} rows of one element, {extent} and two are joined, with gaps behind "
        "both",
    .table =
        "two tables that are stored by rows are joined along axis {axis} to {extent} that is "
        "stored by columns",
    .stack = "two tensors that are packed are joined to {extent} that are stored column by column",
    .interleaved =
        "rows of runs that lie between those of other rows are joined, and written so again",
    .counts = "{count} inputs of two and one in turn are joined along axis {axis}",
    .start = "the second input goes to {place}",
    .columns = "{count} rows are joined to rows of 4 bytes",
    .far_columns = "{count} rows are joined to rows of four elements of uint32",
    .middle = "a dimension of {count} elements between two others is joined",
    .make = joined,
};

}  // namespace

void add_large_cases(std::type_identity<DmlJoin> /*op*/, LargeFiles& files) {
  add_large_parts(kJoinTexts, files);
}

std::vector<BoundaryWalk> boundary_walks(std::type_identity<DmlJoin> /*op*/) {
  return part_walks<joined>(
      {.rule = "join.concatenation",
       .parts = "inputs",
       .elements = "{n} elements and two are joined",
       .bytes = "two inputs are joined to {n} bytes, or one of them reaches over as many",
       .rows = "to each of {n} rows of one element two are joined",
       .counts = "{n} inputs of one element are joined",
       .are_rows_unwritable = true});
}

}  // namespace opconform::strength
