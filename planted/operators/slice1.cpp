// What goes wrong with windows.

#include <cstdlib>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

/// The first dimension that is walked backwards over more than one element, from the innermost on.
std::optional<std::size_t> reversed_dimension(const Slice1& op) {
  for (std::size_t i = op.output.rank(); i-- > 0;)
    if (op.window_strides[i] < 0 && op.output.sizes[i] > 1) return i;
  return std::nullopt;
}

/// Window start as it should be, but for negative strides: there start(op, i, right).
template <class Start>
void start_reversed_at(Seams& seams, Start start) {
  seams.window_start = [start](const Execution& e, std::size_t i, std::uint64_t right) {
    const Slice1& op = *e.as<Slice1>();
    return op.window_strides[i] < 0 ? start(op, i, right) : right;
  };
}

constexpr Row kSlice1Bugs[] = {
    {"reversed-start-off-by-one",
     "starts a reversed run behind the window: offset + size without the - 1 (IREE 24584)",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       start_reversed_at(s,
                         [](const Slice1&, std::size_t, std::uint64_t right) { return right + 1; });
     }},
    {"reversed-start-at-offset", "starts a reversed run at the window's first element",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return std::uint64_t{op.window_offsets[i]};
       });
     }},
    {"reversed-start-from-first-size",
     "adds the first dimension's window size in every dimension, as the worked example is printed "
     "(slice1.example-2-axis)",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return std::uint64_t{op.window_offsets[i]} + op.window_sizes[0] - 1;
       });
     }},
    {"reversed-start-at-tensor-end",
     "starts a reversed run at the end of the tensor, not of the window", kOnly<Slice1>,
     "slice1.copy-start",
     [](Seams& s) {
       start_reversed_at(
           s, [](const Slice1& op, std::size_t i, std::uint64_t) { return op.input.sizes[i] - 1; });
     }},
    {"stride-minus-2-as-reverse-of-2",
     "takes a negative stride for the forward slice turned round, which ends elsewhere unless the "
     "stride divides the window: flip after slice (WebNN polyfills)",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         const auto step = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
         return op.window_offsets[i] + (op.output.sizes[i] - 1) * step;
       });
     }},
    {"stride-sign-ignored", "takes the magnitude of a stride", kOnly<Slice1>,
     "slice1.copy slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, auto) {
         const Slice1& op = *e.as<Slice1>();
         return std::uint64_t{op.window_offsets[i]};
       };
       s.window_stride = [](const Execution& e, std::size_t i, auto) {
         const Slice1& op = *e.as<Slice1>();
         return std::int64_t{std::llabs(op.window_strides[i])};
       };
     }},
    {"stride-read-as-unsigned",
     "reads INT strides as the UINT of the member text (slice1.stride-type): -1 becomes 2^32 - 1",
     kOnly<Slice1>, "slice1.copy",
     [](Seams& s) {
       s.window_stride = [](const Execution& e, std::size_t i, auto) {
         const Slice1& op = *e.as<Slice1>();
         return std::int64_t{static_cast<std::uint32_t>(op.window_strides[i])};
       };
     }},
    {"stride-of-innermost-dimension-only", "takes the strides of outer dimensions for 1 or -1",
     kOnly<Slice1>, "slice1.copy",
     [](Seams& s) {
       s.window_stride = [](const Execution& e, std::size_t i, auto) {
         const Slice1& op = *e.as<Slice1>();
         const std::int64_t stride = op.window_strides[i];
         if (i + 1 == op.input.rank()) return stride;
         return stride < 0 ? std::int64_t{-1} : std::int64_t{1};
       };
     }},
    {"partial-window-from-its-end",
     "fills an output that is smaller than the window with the last elements, not the first",
     kOnly<Slice1>, "slice1.partial",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         const Slice1& op = *e.as<Slice1>();
         const std::int64_t stride = op.window_strides[i];
         const std::uint64_t most =
             1 + (op.window_sizes[i] - 1) / static_cast<std::uint64_t>(std::llabs(stride));
         return right + (most - op.output.sizes[i]) * static_cast<std::uint64_t>(stride);
       };
     }},
    {"window-offset-ignored",
     "cuts every window from the first element on: an offset that a code generator lost (IREE "
     "8825)",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         return right - e.as<Slice1>()->window_offsets[i];
       };
     }},
    {"window-offset-0-as-left-out",
     "takes an offset of 0 for one that was left out, and the window for the last one (ncnn 1326)",
     kOnly<Slice1>, "slice1.copy slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         const Slice1& op = *e.as<Slice1>();
         return op.window_offsets[i] != 0 ? right : right + op.input.sizes[i] - op.window_sizes[i];
       };
     }},
    {"window-offset-of-next-dimension",
     "takes the next dimension's offset where that lies inside: copy and paste (ncnn 1730)",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         const Slice1& op = *e.as<Slice1>();
         const std::uint64_t other = op.window_offsets[(i + 1) % op.input.rank()];
         return other + op.window_sizes[i] > op.input.sizes[i]
                    ? right
                    : right - op.window_offsets[i] + other;
       };
     }},
    {"offset-counted-in-strides", "multiplies the window's offset with the stride", kOnly<Slice1>,
     "slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         const Slice1& op = *e.as<Slice1>();
         const std::int64_t stride = op.window_strides[i];
         return stride < 0 ? right : op.window_offsets[i] * static_cast<std::uint64_t>(stride);
       };
     }},
    {"first-of-reversed-run-wrong",
     "gives the second element twice at the start of a reversed run: the scalar step before a "
     "vector loop",
     kOnly<Slice1>, "slice1.copy",
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
     kOnly<Slice1>, "slice1.copy",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const auto& op = *e.as<Slice1>();
         const auto i = reversed_dimension(op);
         if (i && move.to[*i] + 1 == op.output.sizes[*i])
           move.from[*i] -= static_cast<std::uint64_t>(std::int64_t{op.window_strides[*i]});
         return true;
       };
     }},
};

}  // namespace

Rows bugs_of(std::type_identity<Slice1> /*op*/) { return kSlice1Bugs; }

OwnRules own_rules(std::type_identity<Slice1> /*op*/) { return {.movement = "slice1.copy"}; }

}  // namespace opconform::planted
