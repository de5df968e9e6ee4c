#include "spec/operators/slice1.h"

#include <cstdlib>

#include "spec/support_check.h"

namespace opconform {
namespace {

bool counts_agree(const Slice1& op) {
  const std::size_t count = op.window_offsets.size();
  return op.window_sizes.size() == count && op.window_strides.size() == count &&
         op.input.rank() == count && op.output.rank() == count;
}

void window_not_empty(const Slice1& op, Version /*version*/, Violations& violations) {
  for (std::size_t i = 0; i < op.window_sizes.size(); ++i) {
    if (op.window_sizes[i] != 0) continue;
    const FieldPath path{"InputWindowSizes", i};
    violations.add(printed(path), path, " is 0, but must be at least 1");
  }
}

void window_in_bounds(const Slice1& op, Version /*version*/, Violations& violations) {
  if (!counts_agree(op)) return;
  for (std::size_t i = 0; i < op.input.rank(); ++i) {
    // 64 bits: the sum of two UINTs may wrap.
    const std::uint64_t end = std::uint64_t{op.window_offsets[i]} + op.window_sizes[i];
    if (op.input.sizes[i] == 0 || end <= op.input.sizes[i]) continue;
    violations.add(FieldPath{"InputWindowOffsets", i}.text(), "InputWindowOffsets[", i,
                   "] + InputWindowSizes[", i, "] is ", end, ", but InputTensor.Sizes[", i, "] is ",
                   op.input.sizes[i]);
  }
}

void stride_not_zero(const Slice1& op, Version /*version*/, Violations& violations) {
  for (std::size_t i = 0; i < op.window_strides.size(); ++i) {
    if (op.window_strides[i] != 0) continue;
    const FieldPath path{"InputWindowStrides", i};
    violations.add(printed(path), path, " is 0, but must not be");
  }
}

/// The elements that a window gives in that dimension.
std::uint64_t most_copied(const Slice1& op, std::size_t i) {
  // The magnitude of INT_MIN is a UINT, but no INT, and 1 more than the largest UINT is none. The
  // page divides by the signed stride: slice1.max-copied-sign.
  const auto magnitude = static_cast<std::uint32_t>(std::llabs(op.window_strides[i]));
  return std::uint64_t{(op.window_sizes[i] - 1) / magnitude} + 1;
}

void output_sizes(const Slice1& op, Version /*version*/, Violations& violations) {
  if (!counts_agree(op)) return;
  for (std::size_t i = 0; i < op.output.rank(); ++i) {
    if (op.window_strides[i] == 0 || op.window_sizes[i] == 0) continue;
    const std::uint64_t most = most_copied(op, i);
    if (op.output.sizes[i] <= most) continue;
    violations.add(printed("OutputTensor.Sizes[", i, "]"), "OutputTensor.Sizes[", i, "] is ",
                   op.output.sizes[i], ", but InputWindowSizes[", i, "] = ", op.window_sizes[i],
                   " and InputWindowStrides[", i, "] = ", op.window_strides[i], " give at most ",
                   most);
  }
}

void dimension_count(const Slice1& op, Version /*version*/, Violations& violations) {
  if (counts_agree(op)) return;
  const std::size_t count = op.window_offsets.size();
  const auto judge = [&](std::string_view what, std::string_view measure, std::size_t found) {
    if (found != count)
      violations.add(printed(what), what, measure, found,
                     ", but DimensionCount (the length of "
                     "InputWindowOffsets) is ",
                     count);
  };
  judge("InputWindowSizes", " has length ", op.window_sizes.size());
  judge("InputWindowStrides", " has length ", op.window_strides.size());
  judge("InputTensor.Sizes", " has length ", op.input.rank());
  judge("OutputTensor.Sizes", " has length ", op.output.rank());
}

void same_data_type(const Slice1& op, Version version, Violations& violations) {
  if (op.output.data_type == op.input.data_type) return;
  violations.add("OutputTensor.DataType", "OutputTensor.DataType is ",
                 name(op.output.data_type, version.dialect()), ", but InputTensor.DataType is ",
                 name(op.input.data_type, version.dialect()));
}

bool starts_behind_0(const Slice1& op, Version /*version*/) {
  for (std::size_t i = 0; i < op.input.rank(); ++i)
    if (op.window_offsets[i] > 0 || (op.window_strides[i] < 0 && op.window_sizes[i] > 1))
      return true;
  return false;
}
bool is_partial(const Slice1& op, Version /*version*/) {
  for (std::size_t i = 0; i < op.input.rank(); ++i)
    if (op.output.sizes[i] < most_copied(op, i)) return true;
  return false;
}

constexpr std::string_view kSlice1Page = "DML_SLICE1_OPERATOR_DESC";
using enum RuleKind;

constexpr Rule<Slice1> kSlice1Rules[] = {
    {{"slice1.copy", kSemantics, kSlice1Page,
      "Output[c] = Input[CopyStart + InputWindowStrides * c], dimension by dimension."}},
    {{"slice1.copy-start", kSemantics, kSlice1Page,
      "CopyStart is the window's offset where the stride is positive, and offset + window size - 1 "
      "where it is "
      "negative."},
     nullptr,
     starts_behind_0},
    {{"slice1.partial", kSemantics, kSlice1Page,
      "The output may be smaller than what the window can give; it then holds the first elements, "
      "counted from "
      "CopyStart."},
     nullptr,
     is_partial},
    {{"slice1.window-not-empty", kConstraint, kSlice1Page,
      "Every InputWindowSizes[i] is at least 1."},
     window_not_empty},
    {{"slice1.window-in-bounds", kConstraint, kSlice1Page,
      "InputWindowOffsets[i] + InputWindowSizes[i] <= InputTensor.Sizes[i], added without "
      "wrapping."},
     window_in_bounds},
    {{"slice1.stride-not-zero", kConstraint, kSlice1Page, "No InputWindowStrides[i] is 0."},
     stride_not_zero},
    {{"slice1.output-sizes", kConstraint, kSlice1Page,
      "1 <= OutputSizes[i] <= 1 + (InputWindowSizes[i] - 1) / abs(InputWindowStrides[i]), rounded "
      "down."},
     output_sizes},
    {{"slice1.dimension-count", kConstraint, kSlice1Page,
      "DimensionCount equals that of both tensors."},
     dimension_count},
    {{"slice1.same-data-type", kConstraint, kSlice1Page,
      "Input and output have the same DataType."},
     same_data_type},
    {{"slice1.support", kSupport, kSlice1Page,
      "The support table. Introduced in 2_1: below it the operator does not exist."},
     check_support<Slice1>},
};

constexpr std::array<TensorSupport, 2> slice1_tensors(RankRange ranks, DataTypeSet types) {
  return {{{"InputTensor", ranks, types}, {"OutputTensor", ranks, types}}};
}
constexpr auto kSlice1From2_1 = slice1_tensors({4, 5}, kUpTo32Bits);
constexpr auto kSlice1From3_0 = slice1_tensors({1, 8}, kUpTo32Bits);
constexpr auto kSlice1From4_1 = slice1_tensors({1, 8}, kAllDirectml);
constexpr SupportRow kSlice1Support[] = {
    {FeatureLevel::k2_1, kSlice1From2_1},
    {FeatureLevel::k3_0, kSlice1From3_0},
    {FeatureLevel::k4_1, kSlice1From4_1},
};

constexpr Erratum kSlice1Errata[] = {
    {"slice1.max-copied-sign",
     "MaxCopiedElements divides by InputWindowStrides[i], which may be negative; with unsigned "
     "sizes the quotient is "
     "nonsense",
     "divide by the absolute value", "example 2 (stride -2, window 4, output 2) is valid only so"},
    {"slice1.example-2-axis",
     "the walk through axis 2 adds InputWindowSizes[0], yet uses its value as 4",
     "InputWindowSizes[2]", "InputWindowSizes[0] is 1"},
    {"slice1.dimension-count-before-3_0",
     "the text wants 4 or 5 below 3_0, and the table begins at 2_1",
     "at 2_1 to below 3_0: 4 or 5; below 2_1: no such operator", "the availability section"},
    {"slice1.full-stop", "\".1 <= OutputSizes[i]\"", "1 <= OutputSizes[i]",
     "a full stop moved in translation", true},
    {"slice1.stride-type",
     "the member text and the struct disagree in places on UINT and INT for the strides",
     "INT: strides may be negative", "the page's purpose"},
    {"slice1.window-end",
     "the end of the window is offset + size - 1, and reads beyond the tensor are not allowed",
     "inclusive end", "consistent with slice1.window-in-bounds"},
};

}  // namespace

std::span<const Rule<Slice1>> Slice1::rules() { return kSlice1Rules; }
void Slice1::check(const Slice1& op, Version version, Violations& violations) {
  check_rules<kSlice1Rules>(op, version, violations);
}
SupportTable Slice1::support() { return kSlice1Support; }
std::span<const Erratum> Slice1::errata() { return kSlice1Errata; }

Slice1 Slice1::plain(const PlainShape& shape) {
  const TensorDesc values = packed_tensor(shape.data_type, plain_sizes(shape.rank));
  Slice1 op;
  op.input = op.output = values;
  for (const std::uint64_t size : values.sizes) {
    op.window_offsets.push_back(0);
    op.window_sizes.push_back(static_cast<std::uint32_t>(size));
    op.window_strides.push_back(-1);
  }
  return op;
}

}  // namespace opconform
