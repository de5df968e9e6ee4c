#include "spec/tensor_rules.h"

#include <limits>

namespace opconform {
namespace {

std::string braced(const Dims& dims) {
  std::string text;
  for (const std::uint64_t dim : dims) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "{" + text + "}";
}

void buffer_size(const MeasuredTensor& tensor, Version version, Violations& violations) {
  if (version.dialect() != Dialect::kDirectml) return;
  const std::uint64_t least = tensor.buffer_bytes.value_or(0);
  const std::uint64_t given = tensor.desc.total_tensor_size_bytes;
  if (given >= least) return;
  violations.add(printed(tensor.path, ".TotalTensorSizeInBytes"), tensor.path,
                 ".TotalTensorSizeInBytes is ", given, ", but its elements need ", least, " bytes");
}

void buffer_granularity(const MeasuredTensor& tensor, Version version, Violations& violations) {
  if (version.dialect() != Dialect::kDirectml || tensor.desc.total_tensor_size_bytes % 4 == 0)
    return;
  violations.add(printed(tensor.path, ".TotalTensorSizeInBytes"), tensor.path,
                 ".TotalTensorSizeInBytes is ", tensor.desc.total_tensor_size_bytes,
                 ", but must be a multiple of 4");
}

void stride_count(const MeasuredTensor& tensor, Version /*version*/, Violations& violations) {
  if (stride_count_matches(tensor.desc)) return;
  violations.add(printed(tensor.path, ".Strides"), tensor.path, ".Strides has ",
                 tensor.desc.strides->size(), " elements, but ", tensor.path, ".Sizes has ",
                 tensor.desc.rank());
}

void sizes_positive(const MeasuredTensor& tensor, Version version, Violations& violations) {
  if (version.dialect() != Dialect::kDirectml || tensor.elements != 0U) return;
  for (std::size_t i = 0; i < tensor.desc.rank(); ++i) {
    if (tensor.desc.sizes[i] != 0) continue;
    violations.add(printed(tensor.path, ".Sizes[", i, "]"), tensor.path, ".Sizes[", i,
                   "] is 0, but must be at least 1");
  }
}

void size_overflow(const MeasuredTensor& tensor, Version version, Violations& violations) {
  if (!stride_count_matches(tensor.desc)) return;
  if (version.dialect() == Dialect::kDirectml) {
    if (tensor.buffer_bytes) return;
  } else {
    // The buffer of an ONNX tensor holds its elements, whatever strides it has here, unrounded.
    if (tensor.elements && *tensor.elements <= std::numeric_limits<std::uint64_t>::max() /
                                                   tensor.desc.element_size_bytes())
      return;
  }
  violations.add(printed(tensor.path), tensor.path, " needs more than ",
                 std::numeric_limits<std::uint64_t>::max(),
                 " bytes, the most that 64 bits can say");
}

void output_no_overlap(const MeasuredTensor& tensor, Version /*version*/, Violations& violations) {
  if (tensor.field.access != Access::kOutput || !tensor.desc.strides) return;
  if (tensor.buffer_bytes.value_or(0) == 0) return;  // no layout: another rule speaks
  switch (overlap(tensor.desc)) {
    case Overlap::kNone:
      return;
    case Overlap::kSome:
      violations.add(printed(tensor.path, ".Strides"), tensor.path, ".Strides ",
                     braced(*tensor.desc.strides), " give two elements of its Sizes ",
                     braced(tensor.desc.sizes), " one address");
      return;
    case Overlap::kUndecided:
      violations.add_undecided(printed(tensor.path, ".Strides"), "whether ", tensor.path,
                               ".Strides give two elements one address takes more work to decide "
                               "than the limit allows");
      return;
  }
}

void element_limit(const MeasuredTensor& tensor, Version version, Violations& violations) {
  if (version.dialect() != Dialect::kDirectml) return;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::optional<std::uint64_t>& count = tensor.elements;
  if (count && *count <= kMost) return;
  violations.add(printed(tensor.path, ".Sizes"), tensor.path, ".Sizes hold ",
                 count ? std::to_string(*count) : "more than 18446744073709551615",
                 " elements, but at most ", kMost, " are allowed");
}

constexpr std::string_view kStridesPage = "tensor sizes and strides";
using enum RuleKind;

constexpr Rule<MeasuredTensor> kTensorRules[] = {
    {{"tensor.offset", kSemantics, kStridesPage,
      "The offset of an element, counted in elements from the start of the buffer, is the dot "
      "product of its "
      "coordinates and the strides."}},
    {{"tensor.packed-strides", kSemantics, kStridesPage,
      "The packed stride of a dimension is the product of the sizes of all dimensions after it; "
      "the last is 1."}},
    {{"tensor.implicit-strides", kSemantics, kStridesPage,
      "Strides left out (null) mean the packed strides of the sizes in the order given.",
      ShownBy::kPackedLayout}},
    {{"tensor.any-layout", kSemantics, kStridesPage,
      "Any order of strides is a layout: the sizes stay in the order N, C, (D,) H, W, and NHWC or "
      "column-major "
      "data is said with strides alone.",
      ShownBy::kPermutedLayout}},
    {{"tensor.broadcast", kSemantics, kStridesPage,
      "A stride of 0 repeats the elements of the later dimensions along that dimension; the "
      "physical size is then "
      "smaller than the logical one.",
      ShownBy::kBroadcastLayout}},
    {{"tensor.padding", kSemantics, kStridesPage,
      "Strides may leave gaps. Gap elements are never part of the tensor and never reach a "
      "result.",
      ShownBy::kPaddedLayout}},
    {{"tensor.gaps-dont-care", kFreedom, "implied; DML_BUFFER_TENSOR_DESC",
      "Bytes of an output's own buffer that belong to no element (stride gaps, the rounding to 4) "
      "may be "
      "overwritten. They are compared only when strictness is asked for; this project's own "
      "implementations leave "
      "them alone.",
      ShownBy::kOutputGaps}},
    {{"tensor.outside-intact", kMemory, "implied",
      "Not one byte outside an output's buffer is written, and none outside any buffer is read.",
      ShownBy::kAnyExecution}},
    {{"tensor.size-one-stride", kSemantics, "implied",
      "A dimension of size 1 may have any stride: its only coordinate is 0. It does not broadcast "
      "by itself; only "
      "stride 0 repeats.",
      ShownBy::kSizeOneStride}},
    {{"tensor.leading-ones", kSemantics, kStridesPage,
      "Data of a lower rank enters an operator that wants 4 or 5 dimensions with leading sizes of "
      "1; the result is "
      "that of the lower rank.",
      ShownBy::kLeadingOnes}},
    {{"tensor.buffer-size", kConstraint, kStridesPage,
      "TotalTensorSizeInBytes is at least what holds the element furthest from the start: (1 + sum "
      "of (size - 1) * "
      "stride) elements, in bytes, rounded up to a multiple of 4 (what DMLCalcBufferTensorSize "
      "computes). More is "
      "allowed."},
     buffer_size},
    {{"tensor.buffer-granularity", kConstraint, "implied; DirectML helper functions",
      "TotalTensorSizeInBytes is a multiple of 4 (the helper's page wants it of every bound "
      "buffer)."},
     buffer_granularity},
    {{"tensor.stride-count", kConstraint, "implied",
      "Strides, where given, are as many as the sizes.", ShownBy::kGivenStrides},
     stride_count},
    {{"tensor.sizes-positive", kConstraint, "implied; DML_BUFFER_TENSOR_DESC",
      "No size is 0 in a DirectML tensor. (ONNX tensors may have a size of 0, and rank 0.)"},
     sizes_positive},
    {{"tensor.size-overflow", kConstraint, "implied",
      "A buffer size in bytes that does not fit in 64 bits is an error, never a wrapped number; "
      "all size arithmetic "
      "is checked or wide enough.",
      ShownBy::kAnyExecution},
     size_overflow},
    {{"tensor.output-no-overlap", kConstraint, "implied",
      "No two elements of an output share an address (so no stride of 0 on a size above 1, and "
      "also no strides such "
      "as {1,1}): the document knows broadcast as a way to read, and two writes to one address "
      "have no defined "
      "result. Equal extents do not prove it: sizes {2,3} with strides {5,0} have an extent of 6 "
      "elements, gaps and "
      "overlaps at once. Decided exactly for everything that a run could execute; a layout whose "
      "decision would "
      "pass a stated work limit is its own error (undecided), never a guess."},
     output_no_overlap},
    {{"tensor.element-limit", kConstraint, "implied; DML_BUFFER_TENSOR_DESC",
      "At most 2^32-1 logical elements in a DirectML tensor."},
     element_limit},
    {{"tensor.input-intact", kMemory, "implied", "An operator does not change its inputs.",
      ShownBy::kAnyExecution}},
    {{"tensor.bits-preserved", kSemantics, "implied",
      "These operators move elements: every bit pattern arrives as it left (NaN payloads, "
      "signalling NaNs, -0, "
      "denormals, values that are no valid bool).",
      ShownBy::kFragileBits}},
};

constexpr Erratum kTensorErrata[] = {
    {"strides.letter-I", "element 8 of the 2x2x3 table reads \"Ben\"", "I",
     "translation of the letter as a word", true},
    {"strides.column-major-width",
     "says the width stride is 2, \"the stride of the width dimension\"",
     "the size of the height dimension", "the stored order A D B E C F"},
    {"strides.padding-size",
     "the text calls the product of the sizes (6) the minimum where nothing overlaps; the picture "
     "has 10 elements; "
     "the furthest element needs 8",
     "8 is the minimum, 10 is allowed", "tensor.buffer-size"},
    {"strides.packed-definition",
     "first defines packed as equal physical and logical size \"in other words\" without gaps or "
     "overlap; sizes "
     "{2,3}, strides {5,0} has both and still 6 = 6",
     "packed means equal extent and unique addresses, as the page says later", "tensor.offset"},
    {"strides.planes",
     "the 2x2x3 tensor is printed as four rows without a break between its planes",
     "two planes of two rows", "the stride table below it", true},
    {"strides.layout-usual", "says that it is not usual to change the layout for speed",
     "it is usual (meaning inverted in translation)", "the sentence's own argument", true},
    {"strides.nhwc-one-channel",
     "the NHWC example has one channel, so its C stride and W stride are both 1",
     "correct, and no overlap: a dimension of size 1 has no second element", "tensor.offset"},
};

}  // namespace

std::span<const Rule<MeasuredTensor>> tensor_rules() { return kTensorRules; }
void check_tensor(const NamedTensor& tensor, Version version, Violations& violations) {
  check_rules<kTensorRules>(MeasuredTensor(tensor), version, violations);
}
std::span<const Erratum> tensor_errata() { return kTensorErrata; }

}  // namespace opconform
