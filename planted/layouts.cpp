// Coordinates that become the wrong address.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

bool is_permuted(const View& view) {
  Dims strides = view.strides;
  Dims packed = packed_strides(view.desc->sizes);
  if (strides == packed) return false;
  std::sort(strides.begin(), strides.end());
  std::sort(packed.begin(), packed.end());
  return strides == packed;
}

constexpr Row kLayoutBugs[] = {
    {"last-stride-ignored", "takes the innermost stride of an input for 1: kernels that copy rows",
     kDirectml, "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (!view.is_output && !view.strides.empty()) view.strides.back() = 1;
       };
     }},
    {"last-output-stride-ignored",
     "takes the innermost stride of an output for 1: stores of whole rows", kDirectml,
     "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (view.is_output && !view.strides.empty()) view.strides.back() = 1;
       };
     }},
    {"padded-rows-read-as-packed",
     "runs through the last two dimensions of an input as through one, so that the padding behind "
     "each row is read as elements (DirectML 1.13.0 GEMM with padding)",
     kDirectml, "tensor.padding tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         const std::size_t rank = view.strides.size();
         if (view.is_output || view.has_indices || rank < 2 || view.strides[rank - 1] != 1) return;
         const std::uint64_t packed = view.desc->sizes[rank - 1];
         if (view.strides[rank - 2] > packed) view.strides[rank - 2] = packed;
       };
     }},
    {"padded-rows-written-as-packed",
     "writes the rows of an output one behind the other, whatever padding is between them "
     "(DirectML 1.10.0 HARDMAX with some output strides)",
     kDirectml, "tensor.padding tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         const std::size_t rank = view.strides.size();
         if (!view.is_output || rank < 2 || view.strides[rank - 1] != 1) return;
         const std::uint64_t packed = view.desc->sizes[rank - 1];
         if (view.strides[rank - 2] > packed) view.strides[rank - 2] = packed;
       };
     }},
    {"permuted-input-read-as-packed",
     "reads NHWC and column-major inputs as if they were packed in the order of their sizes: only "
     "the total size is compared",
     kDirectml, "tensor.any-layout tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (!view.is_output && is_permuted(view)) view.strides = packed_strides(view.desc->sizes);
       };
     }},
    {"permuted-output-written-as-packed",
     "gives a column-major output in row-major order: right but transposed", kDirectml,
     "tensor.any-layout tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (view.is_output && is_permuted(view)) view.strides = packed_strides(view.desc->sizes);
       };
     }},
    {"output-transposed",
     "gives the last two dimensions of a packed output in column-major order: BLAS conventions",
     kAll, "tensor.packed-strides tensor.implicit-strides tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         const std::size_t rank = view.strides.size();
         if (!view.is_output || rank < 2 || view.strides != packed_strides(view.desc->sizes))
           return;
         view.strides[rank - 2] = 1;
         view.strides[rank - 1] = view.desc->sizes[rank - 2];
       };
     }},
    {"broadcast-read-as-packed",
     "reads a stride of 0 as one that was left out, and so walks instead of repeating: 0 as the "
     "default value",
     kDirectml, "tensor.broadcast tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         const Dims packed = packed_strides(view.desc->sizes);
         for (std::size_t i = 0; !view.is_output && i < packed.size(); ++i)
           if (view.strides[i] == 0) view.strides[i] = packed[i];
       };
     }},
    {"output-with-strides-of-input",
     "addresses the output with the input's strides: one layout for both sides of a copy",
     kDirectml, "tensor.offset",
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (View& output : e.outputs)
           if (output.desc->strides) output.strides = e.inputs[0].strides;
       };
     }},
    {"updates-with-strides-of-indices",
     "addresses the updates with the strides of the indices, which have the same sizes",
     kOnly<Scatter>, "tensor.offset",
     [](Seams& s) { s.before = [](Execution& e) { e.inputs[2].strides = e.inputs[1].strides; }; }},
    {"indices-read-as-packed", "ignores the strides of the indices alone", kOnly<Scatter>,
     "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (view.has_indices) view.strides = packed_strides(view.desc->sizes);
       };
     }},
    {"rows-rounded-up-to-vectors",
     "takes rows for a multiple of four elements long where they are padded: leaks the gap of one "
     "row into the next",
     kDirectml, "tensor.padding tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         const std::size_t rank = view.strides.size();
         if (view.is_output || view.has_indices || rank < 2) return;
         std::uint64_t& row = view.strides[rank - 2];
         if (row > view.desc->sizes[rank - 1]) row = (row + 3) / 4 * 4;
       };
     }},
    {"offset-in-16-bits",
     "computes offsets in 16 bits: wrong from 65,536 elements on (shaders with 16-bit address "
     "arithmetic)",
     kAll, "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View& view, std::uint64_t offset) {
         return view.is_output ? offset : offset & 0xFFFF;
       };
     }},
    {"elements-beyond-65535-groups",
     "writes the first 65,535 elements only: the largest dispatch of one dimension on D3D12, "
     "without a second",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         return element_number(move.to, e.outputs[move.output].desc->sizes) < 65535;
       };
     }},
};

}  // namespace

Rows layout_bugs() { return kLayoutBugs; }

}  // namespace opconform::planted
