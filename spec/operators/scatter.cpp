#include "spec/operators/scatter.h"

#include "spec/support_check.h"

namespace opconform {
namespace {

bool ranks_agree(const Scatter& op) {
  const std::size_t rank = op.input.rank();
  return op.indices.rank() == rank && op.updates.rank() == rank && op.output.rank() == rank;
}
/// A size of 0 is tensor.sizes-positive's business.
bool sizes_differ(std::uint64_t a, std::uint64_t b) { return a != b && a != 0 && b != 0; }

void add_size_mismatch(std::string_view tensor, std::size_t i, std::uint64_t size,
                       std::string_view other, std::uint64_t other_size, Violations& violations) {
  violations.add(printed(tensor, ".Sizes[", i, "]"), tensor, ".Sizes[", i, "] is ", size, ", but ",
                 other, ".Sizes[", i, "] is ", other_size);
}

void same_rank(const Scatter& op, Version /*version*/, Violations& violations) {
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.desc.rank() != op.input.rank())
      violations.add(printed(tensor.path, ".Sizes"), tensor.path, " has rank ", tensor.desc.rank(),
                     ", but InputTensor has rank ", op.input.rank());
  });
}

void same_data_type(const Scatter& op, Version version, Violations& violations) {
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.content == Content::kValues && tensor.desc.data_type != op.input.data_type)
      violations.add(printed(tensor.path, ".DataType"), tensor.path, ".DataType is ",
                     name(tensor.desc.data_type, version.dialect()),
                     ", but InputTensor.DataType is ", name(op.input.data_type, version.dialect()));
  });
}

void indices_sizes(const Scatter& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || op.axis >= op.output.rank()) return;
  for (std::size_t i = 0; i < op.input.rank(); ++i)
    if (i != op.axis && sizes_differ(op.indices.sizes[i], op.input.sizes[i]))
      add_size_mismatch("IndicesTensor", i, op.indices.sizes[i], "InputTensor", op.input.sizes[i],
                        violations);
}

void updates_sizes(const Scatter& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op)) return;
  for (std::size_t i = 0; i < op.input.rank(); ++i)
    if (sizes_differ(op.updates.sizes[i], op.indices.sizes[i]))
      add_size_mismatch("UpdatesTensor", i, op.updates.sizes[i], "IndicesTensor",
                        op.indices.sizes[i], violations);
}

void output_sizes(const Scatter& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op)) return;
  for (std::size_t i = 0; i < op.input.rank(); ++i)
    if (sizes_differ(op.output.sizes[i], op.input.sizes[i]))
      add_size_mismatch("OutputTensor", i, op.output.sizes[i], "InputTensor", op.input.sizes[i],
                        violations);
}

void axis_range(const Scatter& op, Version /*version*/, Violations& violations) {
  if (!ranks_agree(op) || op.output.rank() == 0 || op.axis < op.output.rank()) return;
  violations.add("Axis", "Axis is ", op.axis, ", but OutputTensor has rank ", op.output.rank());
}

constexpr std::string_view kScatterPage = "DML_SCATTER_OPERATOR_DESC";
using enum RuleKind;

constexpr Rule<Scatter> kScatterRules[] = {
    {{"scatter.copy-input", kSemantics, kScatterPage,
      "The output first equals the input in every element."}},
    {{"scatter.write-update", kSemantics, kScatterPage,
      "Then, for every coordinate of the updates tensor, the output element at that coordinate, "
      "with the Axis "
      "coordinate replaced by the index found there, takes the update's value."}},
    {{"scatter.overlap-any-winner", kFreedom, kScatterPage,
      "Where two indices name one output element (which the document calls invalid) there is no "
      "guarantee of which "
      "write wins: any of the writers' values is right, and nothing else is (neither the input's "
      "value nor a mix of "
      "two).",
      ShownBy::kDuplicateIndex}},
    {{"scatter.negative-index", kSemantics, kScatterPage,
      "From feature level 3_0 an index of a signed type may be negative and counts from the end of "
      "the Axis "
      "dimension: -1 is the last element.",
      ShownBy::kNegativeIndex}},
    {{"scatter.index-range", kFreedom, "implied; the page is silent",
      "An index outside [-size, size) of the Axis dimension (outside [0, size) for an unsigned "
      "type, or below 3_0): "
      "the document promises no value: with such an index in the tensor the whole output is "
      "unspecified, but no byte "
      "outside it may be touched.",
      ShownBy::kIndexOutside}},
    {{"scatter.same-rank", kConstraint, kScatterPage,
      "Indices, input, output and updates have the same DimensionCount."},
     same_rank},
    {{"scatter.same-data-type", kConstraint, kScatterPage,
      "Input, output and updates have the same DataType."},
     same_data_type},
    {{"scatter.indices-sizes", kConstraint, kScatterPage,
      "IndicesTensor.Sizes equals InputTensor.Sizes in every dimension but Axis; along Axis it may "
      "be smaller, equal "
      "or larger."},
     indices_sizes},
    {{"scatter.updates-sizes", kConstraint, kScatterPage,
      "UpdatesTensor.Sizes equals IndicesTensor.Sizes."},
     updates_sizes},
    {{"scatter.output-sizes", kConstraint, kScatterPage,
      "OutputTensor.Sizes equals InputTensor.Sizes."},
     output_sizes},
    {{"scatter.axis-range", kConstraint, kScatterPage,
      "Axis lies in [0, OutputTensor.DimensionCount)."},
     axis_range},
    {{"scatter.alias", kSemantics, kScatterPage, "Both names are the same operator.",
      ShownBy::kAlias}},
    {{"scatter.support", kSupport, kScatterPage, "The support table. Introduced in 1_0."},
     check_support<Scatter>},
};

constexpr DataTypeSet kUint32{DataType::kUint32};
constexpr DataTypeSet kScatterIndexTypes{DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                         DataType::kUint32};

constexpr std::array<TensorSupport, 4> scatter_tensors(RankRange ranks, DataTypeSet values,
                                                       DataTypeSet indices) {
  return {{{"InputTensor", ranks, values},
           {"IndicesTensor", ranks, indices},
           {"UpdatesTensor", ranks, values},
           {"OutputTensor", ranks, values}}};
}
constexpr auto kScatterFrom1_0 = scatter_tensors({4, 4}, kFloat32And16, kUint32);
constexpr auto kScatterFrom2_1 = scatter_tensors({4, 4}, kUpTo32Bits, kUint32);
constexpr auto kScatterFrom3_0 = scatter_tensors({1, 8}, kUpTo32Bits, kScatterIndexTypes);
constexpr auto kScatterFrom4_1 = scatter_tensors({1, 8}, kAllDirectml, kScatterIndexTypes);
constexpr SupportRow kScatterSupport[] = {
    {FeatureLevel::k1_0, kScatterFrom1_0},
    {FeatureLevel::k2_1, kScatterFrom2_1},
    {FeatureLevel::k3_0, kScatterFrom3_0},
    {FeatureLevel::k4_1, kScatterFrom4_1},
};

constexpr Erratum kScatterErrata[] = {
    {"scatter.example-2-sizes", "InputTensor declares Sizes {2,3}; three rows of three follow",
     "{3,3}",
     "the output declares {3,3} and scatter.output-sizes makes them equal; index 2 along axis 0 "
     "needs three rows"},
    {"scatter.example-1-overlap",
     "indices [3,1,3,0] name element 3 twice, which the text calls invalid, yet the expected "
     "output shows the later "
     "write (7)",
     "both 5 and 7 conform at element 3", "scatter.overlap-any-winner"},
    {"scatter.introduced",
     "the page's table begins at 1_0; DirectML's header and level history introduce Scatter with "
     "2_0",
     "the page's 1_0 row stands, and the report names the disagreement",
     "minimum Windows version 2004 on the same page is DirectML 1.1.0, which is 2_0"},
    {"scatter.example-ranks", "examples 1 and 2 have rank 1 and 2", "they run at 3_0 and above",
     "scatter.support"},
    {"scatter.last-write",
     "an older revision of the page promised that the last write wins; this one withdrew it",
     "unspecified", "\"no guarantee\""},
    {"scatter.off-axis-sizes",
     "DirectML wants equal sizes off the axis; ONNX ScatterElements has no such rule, and "
     "implementations differ",
     "the DirectML operator rejects; an ONNX operator, where added, accepts", "the two documents"},
    {"scatter.inverse-name",
     "calls itself the inverse of GATHER, then says that it is not symmetric to it but to "
     "GATHER_ELEMENTS",
     "the inverse of GATHER_ELEMENTS", "the remarks of the same page", true},
};

}  // namespace

std::span<const Rule<Scatter>> Scatter::rules() { return kScatterRules; }
void Scatter::check(const Scatter& op, Version version, Violations& violations) {
  check_rules<kScatterRules>(op, version, violations);
}
SupportTable Scatter::support() { return kScatterSupport; }
std::span<const Erratum> Scatter::errata() { return kScatterErrata; }

Scatter Scatter::plain(const PlainShape& shape) {
  const TensorDesc values = packed_tensor(shape.data_type, plain_sizes(shape.rank));
  return {.input = values,
          .indices = packed_tensor(shape.index_type, values.sizes),
          .updates = values,
          .output = values};
}

}  // namespace opconform
