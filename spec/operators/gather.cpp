#include "spec/operators/gather.h"

#include "spec/support_check.h"

namespace opconform {
namespace {

bool axis_in_range(const OnnxGather& op) {
  const auto rank = static_cast<std::int64_t>(op.data.rank());
  const std::int64_t axis = op.axis.value_or(0);
  return -rank <= axis && axis < rank;
}

void output_shape(const OnnxGather& op, Version /*version*/, Violations& violations) {
  if (!axis_in_range(op)) return;  // none is where data has rank 0
  const std::size_t axis = op.axis_from_front();
  const std::size_t index_rank = op.indices.rank();
  const std::size_t rank = index_rank + op.data.rank() - 1;
  if (op.output.rank() != rank) {
    violations.add("output.shape", "output has rank ", op.output.rank(), ", but indices of rank ",
                   index_rank, " and data of rank ", op.data.rank(), " give ", rank);
    return;
  }
  const auto judge = [&](std::size_t i, std::uint64_t size, std::string_view source,
                         std::size_t source_i) {
    if (op.output.sizes[i] == size) return;
    violations.add(printed("output.shape[", i, "]"), "output.shape[", i, "] is ",
                   op.output.sizes[i], ", but ", source, ".shape[", source_i, "] is ", size);
  };
  for (std::size_t i = 0; i < axis; ++i) judge(i, op.data.sizes[i], "data", i);
  for (std::size_t i = 0; i < index_rank; ++i) judge(axis + i, op.indices.sizes[i], "indices", i);
  for (std::size_t i = axis + 1; i < op.data.rank(); ++i)
    judge(index_rank + i - 1, op.data.sizes[i], "data", i);
}

void axis_range(const OnnxGather& op, Version /*version*/, Violations& violations) {
  if (op.data.rank() == 0 || axis_in_range(op)) return;
  violations.add("axis", "axis is ", op.axis.value_or(0), ", but data has rank ", op.data.rank());
}

void data_rank(const OnnxGather& op, Version /*version*/, Violations& violations) {
  if (op.data.rank() == 0)
    violations.add("data.shape", "data has rank 0, but must have at least rank 1");
}

void same_data_type(const OnnxGather& op, Version version, Violations& violations) {
  if (op.output.data_type == op.data.data_type) return;
  violations.add("output.type", "output.type is ", name(op.output.data_type, version.dialect()),
                 ", but data.type is ", name(op.data.data_type, version.dialect()));
}

bool has_scalar_indices(const OnnxGather& op, Version /*version*/) {
  return op.indices.rank() == 0;
}
bool leaves_axis_out(const OnnxGather& op, Version /*version*/) { return !op.axis; }
bool has_negative_axis(const OnnxGather& op, Version /*version*/) {
  return op.axis.value_or(0) < 0;
}
bool counts_negative_back(const OnnxGather& /*op*/, Version version) {
  return version >= OnnxGather::kNegativeIndicesSince;
}
bool leaves_negative_open(const OnnxGather& op, Version version) {
  return !counts_negative_back(op, version);
}

constexpr std::string_view kAllVersions = "ONNX Gather 1, 11, 13";
using enum RuleKind;

constexpr Rule<OnnxGather> kGatherRules[] = {
    {{"gather.semantics", kSemantics, kAllVersions,
      "With k = indices[i...], output[j0...j(axis-1), i..., j(axis)...] = data[j0...j(axis-1), k, "
      "j(axis)...]: the q "
      "index dimensions take the place of the axis dimension."}},
    {{"gather.output-shape", kConstraint, kAllVersions,
      "The output has rank q + r - 1: data's sizes before axis, all sizes of indices, data's sizes "
      "after axis."},
     output_shape},
    {{"gather.scalar-indices", kSemantics, kAllVersions,
      "q = 0 (a scalar) removes the axis dimension."},
     nullptr,
     has_scalar_indices},
    {{"gather.axis-default", kSemantics, kAllVersions, "axis left out is 0."},
     nullptr,
     leaves_axis_out},
    {{"gather.axis-range", kConstraint, kAllVersions, "axis lies in [-r, r-1]."}, axis_range},
    {{"gather.axis-negative", kSemantics, kAllVersions,
      "A negative axis counts from the back. (Version 1 states the range but not the meaning; see "
      "the errata.)"},
     nullptr,
     has_negative_axis},
    {{"gather.data-rank", kConstraint, kAllVersions,
      "data has rank r >= 1; indices have any rank."},
     data_rank},
    {{"gather.index-range", kConstraint, kAllVersions,
      "Every index lies in [-s, s-1], s the size of data along axis. Any index outside is an "
      "error, also where the "
      "output is empty: nothing is written, and the error names the index, its position and the "
      "bound. It is found "
      "at execution, not in the descriptor."}},
    {{"gather.negative-index-v1", kFreedom, "ONNX Gather 1",
      "Version 1 wants indices \"within bounds\" and gives no interval: for an index in [-s, -1] "
      "both an error and "
      "counting from the end conform. The reference errs.",
      ShownBy::kNegativeIndex},
     nullptr,
     leaves_negative_open},
    {{"gather.negative-index", kSemantics, "ONNX Gather 11, 13",
      "Versions 11 and 13: a negative index counts from the end of the axis.",
      ShownBy::kNegativeIndex},
     nullptr,
     counts_negative_back},
    {{"gather.same-data-type", kConstraint, kAllVersions, "Output and data have the same type."},
     same_data_type},
    {{"gather.support", kSupport, kAllVersions,
      "The support table; indices are int32 or int64 in every version. It speaks of types; the "
      "rank of data is "
      "gather.data-rank's business."},
     check_support<OnnxGather, SupportScope::kTypes>},
};

constexpr DataTypeSet kGatherIndexTypes{DataType::kInt32, DataType::kInt64};
constexpr DataTypeSet kGatherTypesFrom1 = kAllDirectml.with(DataType::kBool)
                                              .with(DataType::kComplex64)
                                              .with(DataType::kComplex128)
                                              .with(DataType::kString);
constexpr DataTypeSet kGatherTypesFrom13 = kGatherTypesFrom1.with(DataType::kBfloat16);

// ONNX names no largest rank: these are the ranks that the suite exercises.
constexpr std::array<TensorSupport, 3> gather_tensors(DataTypeSet types) {
  return {{{"data", {1, 8}, types, "gather.data-rank"},
           {"indices", {0, 8}, kGatherIndexTypes},
           {"output", {0, 15}, types}}};
}
constexpr auto kGatherFrom1 = gather_tensors(kGatherTypesFrom1);
constexpr auto kGatherFrom13 = gather_tensors(kGatherTypesFrom13);
constexpr SupportRow kGatherSupport[] = {
    {Version::opset(1), kGatherFrom1},
    {Version::opset(11), kGatherFrom1},
    {Version::opset(13), kGatherFrom13},
};

constexpr Erratum kGatherErrata[] = {
    {"gather.formula-bracket", "output[r, s, q] = data[ [indices[r, s], q]",
     "data[indices[r, s], q]", "the row's shapes", true},
    {"gather.axis-v1",
     "version 1 gives the range [-r, r-1] without saying what a negative axis means",
     "counts from the back, as later versions say", "nothing else gives the range a meaning"},
    {"gather.bounds-v1",
     "version 1 wants indices \"within bounds\" and gives no interval; later versions give [-s, "
     "s-1]; "
     "implementations changed their mind",
     "either, see gather.negative-index-v1", "the three versions side by side"},
};

}  // namespace

std::span<const Rule<OnnxGather>> OnnxGather::rules() { return kGatherRules; }
void OnnxGather::check(const OnnxGather& op, Version version, Violations& violations) {
  check_rules<kGatherRules>(op, version, violations);
}
SupportTable OnnxGather::support() { return kGatherSupport; }
std::span<const Erratum> OnnxGather::errata() { return kGatherErrata; }

OnnxGather OnnxGather::plain(const PlainShape& shape) {
  const Dims data = plain_sizes(shape.rank);
  const Dims indices = plain_sizes(shape.index_rank);
  // Indices take the place of the first dimension, where there is one.
  Dims output = indices;
  for (std::size_t i = 1; i < data.size(); ++i) output.push_back(data[i]);
  return {.data = {shape.data_type, data, {}, 0},
          .indices = {shape.index_type, indices, {}, 0},
          .output = {shape.data_type, output, {}, 0},
          .axis = std::nullopt};
}

ExecutionError OnnxGather::index_error(const Dims& index_sizes, std::uint64_t element,
                                       std::int64_t index, std::uint64_t axis_size,
                                       bool negative_counts_from_end) {
  std::string at = index_sizes.empty() ? "" : "]";
  std::uint64_t left = element;
  for (std::size_t i = index_sizes.size(); i-- > 0; left /= index_sizes[i])
    at.insert(0, (i == 0 ? "[" : ",") + std::to_string(left % index_sizes[i]));
  const std::string size = std::to_string(axis_size);
  const bool reaches_below_0 = negative_counts_from_end && axis_size != 0;
  return {"gather.index-range", "indices" + at + " (element " + std::to_string(element) + ") is " +
                                    std::to_string(index) + ", but must be at least " +
                                    (reaches_below_0 ? "-" + size : "0") + " and less than " +
                                    size + ", the size of data along the axis"};
}

}  // namespace opconform
