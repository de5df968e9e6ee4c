// Coordinates that become the wrong address.

#include <algorithm>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;
using model::View;

/// Which tensors an implementation takes wrongly.
bool is_input(const View& view) { return !view.is_output && !view.has_indices; }
bool is_output(const View& view) { return view.is_output; }
bool is_indices(const View& view) { return view.has_indices; }

/// Changes the strides of the tensors that `concerns` is true of.
template <bool (*concerns)(const View&), class Change>
void change_strides(Seams& seams, Change change) {
  seams.layout = [change](const Execution&, View& view) {
    if (concerns(view) && !view.strides.empty()) change(view);
  };
}

void innermost_as_1(View& view) { view.strides.back() = 1; }
void as_packed(View& view) { view.strides = packed_strides(view.desc->sizes); }
void rows_as_packed(View& view) {
  const std::size_t rank = view.strides.size();
  if (rank < 2) return;
  const std::uint64_t row = view.desc->sizes[rank - 1] * view.strides[rank - 1];
  if (view.strides[rank - 2] > row) view.strides[rank - 2] = row;
}
void broadcast_as_packed(View& view) {
  const Dims packed = packed_strides(view.desc->sizes);
  for (std::size_t i = 0; i < packed.size(); ++i)
    if (view.strides[i] == 0) view.strides[i] = packed[i];
}
/// Packed in the order of the strides' magnitude, without the gaps.
void gaps_closed(View& view) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < view.strides.size(); ++i)
    if (view.desc->sizes[i] > 1 && view.strides[i] != 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return view.strides[a] < view.strides[b]; });
  std::uint64_t stride = 1;
  for (const std::size_t i : order) {
    view.strides[i] = stride;
    stride *= view.desc->sizes[i];
  }
}
void last_two_exchanged(View& view) {
  const std::size_t rank = view.strides.size();
  if (rank >= 2) std::swap(view.strides[rank - 1], view.strides[rank - 2]);
}
/// Column-major in the last two dimensions, where they lie packed.
void last_two_transposed(View& view) {
  const std::size_t rank = view.strides.size();
  if (rank < 2 || view.strides[rank - 1] != 1) return;
  view.strides[rank - 2] = 1;
  view.strides[rank - 1] = view.desc->sizes[rank - 2];
}
void reversed(View& view) { std::reverse(view.strides.begin(), view.strides.end()); }
void only_last_five(View& view) {
  for (std::size_t i = 0; i + 5 < view.strides.size(); ++i) view.strides[i] = 0;
}
void only_last_four(View& view) {
  for (std::size_t i = 0; i + 4 < view.strides.size(); ++i) view.strides[i] = 0;
}

/// The strides of another tensor of the operator, where the ranks are the same.
void take_strides(View& view, const View& other) {
  if (view.strides.size() == other.strides.size()) view.strides = other.strides;
}

template <std::uint64_t bits>
void offsets_in(Seams& seams) {
  seams.offset = [](const View&, std::uint64_t offset) {
    return offset & ((std::uint64_t{1} << bits) - 1);
  };
}
template <std::uint64_t bits>
void offsets_in_bytes_in(Seams& seams) {
  seams.offset = [](const View& view, std::uint64_t offset) {
    return (offset * view.width() & ((std::uint64_t{1} << bits) - 1)) / view.width();
  };
}
template <std::uint64_t bits>
void strides_in(View& view) {
  for (std::uint64_t& stride : view.strides) stride &= (std::uint64_t{1} << bits) - 1;
}

constexpr Reading kLayoutReadings[] = {
    // One property of the layout.
    {"input-innermost-stride-as-1", "tensor.offset", "takes the innermost stride of an input for 1",
     [](Seams& s) { change_strides<is_input>(s, innermost_as_1); }},
    {"output-innermost-stride-as-1", "tensor.offset",
     "takes the innermost stride of an output for 1",
     [](Seams& s) { change_strides<is_output>(s, innermost_as_1); }},
    {"input-broadcast-as-packed", "tensor.broadcast",
     "takes a stride of 0 of an input for the packed stride",
     [](Seams& s) { change_strides<is_input>(s, broadcast_as_packed); }},
    {"indices-broadcast-as-packed", "tensor.broadcast",
     "takes a stride of 0 of the indices for the packed stride",
     [](Seams& s) { change_strides<is_indices>(s, broadcast_as_packed); }},
    {"input-row-padding-ignored", "tensor.padding",
     "reads the rows of an input as if there were no gaps between them",
     [](Seams& s) { change_strides<is_input>(s, rows_as_packed); }},
    {"output-row-padding-ignored", "tensor.padding",
     "writes the rows of an output as if there were no gaps between them",
     [](Seams& s) { change_strides<is_output>(s, rows_as_packed); }},
    {"input-padding-ignored", "tensor.padding", "reads an input as if it had no gaps",
     [](Seams& s) { change_strides<is_input>(s, gaps_closed); }},
    {"output-padding-ignored", "tensor.padding", "writes an output as if it had no gaps",
     [](Seams& s) { change_strides<is_output>(s, gaps_closed); }},
    {"indices-padding-ignored", "tensor.padding", "reads the indices as if they had no gaps",
     [](Seams& s) { change_strides<is_indices>(s, gaps_closed); }},
    // The strides as a whole.
    {"input-permutation-ignored", "tensor.any-layout",
     "reads an input whose dimensions lie in another order as if they lay in that of the sizes",
     [](Seams& s) {
       change_strides<is_input>(s, [](View& view) {
         Dims own = view.strides;
         Dims packed = packed_strides(view.desc->sizes);
         std::sort(own.begin(), own.end());
         std::sort(packed.begin(), packed.end());
         if (own == packed) as_packed(view);
       });
     }},
    {"output-permutation-ignored", "tensor.any-layout",
     "writes an output whose dimensions lie in another order as if they lay in that of the sizes",
     [](Seams& s) {
       change_strides<is_output>(s, [](View& view) {
         Dims own = view.strides;
         Dims packed = packed_strides(view.desc->sizes);
         std::sort(own.begin(), own.end());
         std::sort(packed.begin(), packed.end());
         if (own == packed) as_packed(view);
       });
     }},
    {"input-strides-ignored", "tensor.offset", "reads an input as if it were packed",
     [](Seams& s) { change_strides<is_input>(s, as_packed); }},
    {"output-strides-ignored", "tensor.offset", "writes an output as if it were packed",
     [](Seams& s) { change_strides<is_output>(s, as_packed); }},
    {"indices-strides-ignored", "tensor.offset", "reads the indices as if they were packed",
     [](Seams& s) { change_strides<is_indices>(s, as_packed); }},
    {"all-strides-ignored", "tensor.offset", "takes every tensor for packed",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { as_packed(view); }; }},
    {"input-transposed", "tensor.offset", "reads the last two dimensions in column-major order",
     [](Seams& s) { change_strides<is_input>(s, last_two_transposed); }},
    {"output-transposed", "tensor.offset", "writes the last two dimensions in column-major order",
     [](Seams& s) { change_strides<is_output>(s, last_two_transposed); }},
    {"input-strides-exchanged", "tensor.any-layout", "exchanges the last two strides of an input",
     [](Seams& s) { change_strides<is_input>(s, last_two_exchanged); }},
    {"output-strides-exchanged", "tensor.any-layout", "exchanges the last two strides of an output",
     [](Seams& s) { change_strides<is_output>(s, last_two_exchanged); }},
    {"strides-reversed", "tensor.offset", "counts the strides from the last dimension on",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { reversed(view); }; }},
    {"output-strides-of-input", "tensor.offset",
     "writes the outputs with the strides of the first input",
     [](Seams& s) {
       s.layout = [](const Execution& e, View& view) {
         if (view.is_output && !e.inputs.empty()) take_strides(view, e.inputs[0]);
       };
     }},
    {"inputs-with-strides-of-first", "tensor.offset",
     "reads every input with the strides of the first",
     [](Seams& s) {
       s.layout = [](const Execution& e, View& view) {
         if (is_input(view) && !e.inputs.empty()) take_strides(view, e.inputs[0]);
       };
     }},
    {"inputs-with-strides-of-indices", "tensor.offset",
     "reads an input with the strides of the indices",
     [](Seams& s) {
       s.layout = [](const Execution& e, View& view) {
         if (is_input(view) && e.inputs.size() > 1 && e.inputs[1].has_indices)
           take_strides(view, e.inputs[1]);
       };
     }},
    {"only-five-dimensions", "tensor.offset",
     "knows five dimensions: those before the last five have no stride",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { only_last_five(view); }; }},
    {"only-four-dimensions", "tensor.offset",
     "knows four dimensions: those before the last four have no stride",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { only_last_four(view); }; }},
    // Numbers that are too narrow.
    {"offset-in-8-bits", "tensor.offset", "counts offsets in 8 bits", offsets_in<8>},
    {"offset-in-16-bits", "tensor.offset", "counts offsets in 16 bits", offsets_in<16>},
    {"offset-in-32-bits", "tensor.offset", "counts offsets in 32 bits", offsets_in<32>},
    {"byte-offset-in-16-bits", "tensor.offset", "counts offsets in bytes, in 16 bits",
     offsets_in_bytes_in<16>},
    {"byte-offset-in-32-bits", "tensor.offset", "counts offsets in bytes, in 32 bits",
     offsets_in_bytes_in<32>},
    {"stride-in-8-bits", "tensor.offset", "holds strides in 8 bits",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { strides_in<8>(view); }; }},
    {"output-stride-in-10-bits", "tensor.offset", "holds the strides of an output in 10 bits",
     [](Seams& s) { change_strides<is_output>(s, strides_in<10>); }},
    {"stride-in-16-bits", "tensor.offset", "holds strides in 16 bits",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { strides_in<16>(view); }; }},
    {"stride-in-32-bits", "tensor.offset", "holds strides in 32 bits",
     [](Seams& s) { s.layout = [](const Execution&, View& view) { strides_in<32>(view); }; }},
};

}  // namespace

Readings layout_readings() { return kLayoutReadings; }

}  // namespace opconform::diagnosis
