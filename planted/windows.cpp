// Slice1's windows and Split's runs.

#include <cstdlib>

#include "planted/registry.h"

namespace opconform::faulty {
namespace {

/// The first dimension that is walked backwards over more than one element, from the innermost on.
std::optional<std::size_t> reversed_dimension(const Slice1& op) {
  for (std::size_t i = op.output.rank(); i-- > 0;)
    if (op.window_strides[i] < 0 && op.output.sizes[i] > 1) return i;
  return std::nullopt;
}

/// Window start as it should be, but for negative strides.
template <class Start>
void start_reversed_at(Seams& seams, Start start) {
  seams.window_start = [start](const Slice1& op, std::size_t i) {
    return op.window_strides[i] < 0 ? start(op, i) : window_start(op, i);
  };
}

constexpr Row kRows[] = {
    {"reversed-start-off-by-one",
     "starts a reversed run behind the window: offset + size without the - 1 (IREE 24584)", kSlice1,
     [](Seams& s) {
       start_reversed_at(s,
                         [](const Slice1& op, std::size_t i) { return window_start(op, i) + 1; });
     }},
    {"reversed-start-at-offset", "starts a reversed run at the window's first element", kSlice1,
     [](Seams& s) {
       start_reversed_at(
           s, [](const Slice1& op, std::size_t i) { return std::uint64_t{op.window_offsets[i]}; });
     }},
    {"reversed-start-from-first-size",
     "adds the first dimension's window size in every dimension, as the worked example is printed "
     "(slice1.example-2-axis)",
     kSlice1,
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i) {
         return std::uint64_t{op.window_offsets[i]} + op.window_sizes[0] - 1;
       });
     }},
    {"reversed-start-at-tensor-end",
     "starts a reversed run at the end of the tensor, not of the window", kSlice1,
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i) { return op.input.sizes[i] - 1; });
     }},
    {"stride-minus-2-as-reverse-of-2",
     "takes a negative stride for the forward slice turned round, which ends elsewhere unless the "
     "stride divides the window: flip after slice (WebNN polyfills)",
     kSlice1,
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i) {
         const auto step = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
         return op.window_offsets[i] + (op.output.sizes[i] - 1) * step;
       });
     }},
    {"stride-sign-ignored", "takes the magnitude of a stride", kSlice1,
     [](Seams& s) {
       s.window_start = [](const Slice1& op, std::size_t i) {
         return std::uint64_t{op.window_offsets[i]};
       };
       s.window_stride = [](const Slice1& op, std::size_t i) {
         return std::int64_t{std::llabs(op.window_strides[i])};
       };
     }},
    {"stride-read-as-unsigned",
     "reads INT strides as the UINT of the member text (slice1.stride-type): -1 becomes 2^32 - 1",
     kSlice1,
     [](Seams& s) {
       s.window_stride = [](const Slice1& op, std::size_t i) {
         return std::int64_t{static_cast<std::uint32_t>(op.window_strides[i])};
       };
     }},
    {"stride-of-innermost-dimension-only", "takes the strides of outer dimensions for 1 or -1",
     kSlice1,
     [](Seams& s) {
       s.window_stride = [](const Slice1& op, std::size_t i) {
         const std::int64_t stride = op.window_strides[i];
         if (i + 1 == op.input.rank()) return stride;
         return stride < 0 ? std::int64_t{-1} : std::int64_t{1};
       };
     }},
    {"partial-window-from-its-end",
     "fills an output that is smaller than the window with the last elements, not the first",
     kSlice1,
     [](Seams& s) {
       s.window_start = [](const Slice1& op, std::size_t i) {
         const std::int64_t stride = op.window_strides[i];
         const std::uint64_t most =
             1 + (op.window_sizes[i] - 1) / static_cast<std::uint64_t>(std::llabs(stride));
         return window_start(op, i) +
                (most - op.output.sizes[i]) * static_cast<std::uint64_t>(stride);
       };
     }},
    {"offset-counted-in-strides", "multiplies the window's offset with the stride", kSlice1,
     [](Seams& s) {
       s.window_start = [](const Slice1& op, std::size_t i) {
         const std::int64_t stride = op.window_strides[i];
         return stride < 0 ? window_start(op, i)
                           : op.window_offsets[i] * static_cast<std::uint64_t>(stride);
       };
     }},
    {"first-of-reversed-run-wrong",
     "gives the second element twice at the start of a reversed run: the scalar step before a "
     "vector loop",
     kSlice1,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const auto& op = *e.as<Slice1>();
         const auto i = reversed_dimension(op);
         if (i && move.to[*i] == 0)
           move.from[*i] += static_cast<std::uint64_t>(std::int64_t{op.window_strides[*i]});
         return true;
       };
     }},
    {"last-of-reversed-run-wrong",
     "gives the last but one element twice at the end of a reversed run: the tail behind a vector "
     "loop",
     kSlice1,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const auto& op = *e.as<Slice1>();
         const auto i = reversed_dimension(op);
         if (i && move.to[*i] + 1 == op.output.sizes[*i])
           move.from[*i] -= static_cast<std::uint64_t>(std::int64_t{op.window_strides[*i]});
         return true;
       };
     }},
    {"runs-of-equal-size",
     "starts output k at k * size / count, so that what an uneven split leaves over goes to the "
     "wrong outputs (ORT 15882, ONNX 5766)",
     kSplit,
     [](Seams& s) {
       s.run_start = [](const Execution&, const Split& op, std::size_t k) {
         return op.input.sizes[op.axis] / op.outputs.size() * k;
       };
     }},
    {"runs-in-reverse", "gives the first run to the last output", kSplit,
     [](Seams& s) {
       s.run_start = [](const Execution&, const Split& op, std::size_t k) {
         return op.input.sizes[op.axis] - run_start(op, k) - op.outputs[k].sizes[op.axis];
       };
     }},
    {"runs-overlap-by-one", "starts each run at the last element of the one before: inclusive ends",
     kSplit,
     [](Seams& s) {
       s.run_start = [](const Execution&, const Split& op, std::size_t k) {
         return run_start(op, k) - (k > 0 ? 1 : 0);
       };
     }},
    {"run-starts-aligned-down",
     "starts runs at multiples of four elements: vector loads from aligned offsets", kSplit,
     [](Seams& s) {
       s.run_start = [](const Execution&, const Split& op, std::size_t k) {
         return run_start(op, k) / 4 * 4;
       };
     }},
    {"single-output-elided",
     "leaves the only output unwritten: an identity that the graph optimizer removed (DirectML "
     "1.9.1, Releases.md)",
     kSplit,
     [](Seams& s) { s.move = [](const Execution& e, Move&) { return e.outputs.size() > 1; }; }},
    {"outputs-beyond-eight-unwritten",
     "writes the first eight outputs only: bind slots of one kernel", kSplit,
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.output < 8; }; }},
};

}  // namespace

Rows window_bugs() { return kRows; }

}  // namespace opconform::faulty
