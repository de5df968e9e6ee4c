// What goes wrong with inputs end to end.

#include <algorithm>

#include "planted/registry.h"
#include "planted/rejection_seams.h"

namespace opconform::planted {
namespace {

/// Of all inputs along the axis.
std::uint64_t size_sum(const DmlJoin& op) {
  std::uint64_t sum = 0;
  for (const TensorDesc& input : op.inputs) sum += input.sizes[op.axis];
  return sum;
}

/// Lets inputs begin where `start(op, k, right)` says.
template <class Start>
void start_at(Seams& seams, Start start) {
  seams.run_start = [start](const Execution& e, std::size_t k, std::uint64_t right) {
    return start(*e.as<DmlJoin>(), k, right);
  };
}

/// Leaves out the moves that `keeps(op, move)` says no of.
template <class Keeps>
void move_only(Seams& seams, Keeps keeps) {
  seams.move = [keeps](const Execution& e, Move& move) { return keeps(*e.as<DmlJoin>(), move); };
}

/// The first input that has the descriptor of input `k`.
std::size_t first_alike(const DmlJoin& op, std::size_t k) {
  return static_cast<std::size_t>(std::find(op.inputs.begin(), op.inputs.end(), op.inputs[k]) -
                                  op.inputs.begin());
}

constexpr Row kJoinBugs[] = {
    // Where inputs begin.
    {"joined-in-reverse", "puts the last input first: arguments taken off a stack", kOnly<DmlJoin>,
     "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t right) {
         return op.output.sizes[op.axis] - right - op.inputs[k].sizes[op.axis];
       });
     }},
    {"joined-at-multiples-of-first",
     "starts input k at k times the size of the first: inputs taken for equal", kOnly<DmlJoin>,
     "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t) {
         return op.inputs[0].sizes[op.axis] * k;
       });
     }},
    {"joined-starts-in-input-strides",
     "counts where an input begins in the strides of that input, not of the output", kOnly<DmlJoin>,
     "join.concatenation tensor.offset",
     [](Seams& s) {
       start_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t right) {
         const std::uint64_t output_stride = effective_strides(op.output)[op.axis];
         return right * effective_strides(op.inputs[k])[op.axis] / output_stride;
       });
     }},
    {"joined-overlap-by-one", "starts each input at the last element of the one before",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin&, std::size_t k, std::uint64_t right) {
         return right - (k > 0 ? 1 : 0);
       });
     }},
    {"joined-starts-aligned-down", "starts inputs at multiples of four elements: aligned stores",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right / 4 * 4; });
     }},
    {"joined-starts-in-8-bits", "keeps where an input begins in 8 bits", kOnly<DmlJoin>,
     "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right & 0xFF; });
     }},
    {"joined-starts-in-16-bits", "keeps where an input begins in 16 bits", kOnly<DmlJoin>,
     "join.concatenation",
     [](Seams& s) {
       start_at(s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right & 0xFFFF; });
     }},

    // What is read.
    {"joined-layout-of-first", "reads all inputs by the strides of the first", kOnly<DmlJoin>,
     "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution& e, View& view) {
         if (!view.is_output && !e.inputs.empty()) view.strides = e.inputs.front().strides;
       };
     }},
    {"joined-alike-read-once",
     "reads inputs whose descriptors are equal from the memory of the first of them: a cache by "
     "descriptor",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, Move& move) {
         move.input = first_alike(op, move.input);
         return true;
       });
     }},
    {"joined-rows-of-first-input-repeated",
     "reads the first row of an input for all of them, where its row is one element: a broadcast",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, Move& move) {
         const Dims& sizes = op.inputs[move.input].sizes;
         if (sizes.size() > 1 && sizes.back() == 1 && op.axis + 1 == sizes.size())
           move.from[sizes.size() - 2] = 0;
         return true;
       });
     }},

    // What is written.
    {"joined-last-lost", "leaves the last of several inputs out: < for <=", kOnly<DmlJoin>,
     "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, const Move& move) {
         return op.inputs.size() == 1 || move.input + 1 < op.inputs.size();
       });
     }},
    {"joined-single-elided",
     "leaves the output of a single input unwritten: an identity that a graph optimizer removed",
     kOnly<DmlJoin>, "join.single-is-copy",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, const Move&) { return op.inputs.size() > 1; });
     }},
    {"joined-beyond-eight-lost", "writes the first eight inputs only: bind slots of one kernel",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin&, const Move& move) { return move.input < 8; });
     }},
    {"joined-beyond-16-lost", "writes the first 16 inputs only: bind slots of one kernel",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin&, const Move& move) { return move.input < 16; });
     }},
    {"joined-beyond-64-lost", "writes the first 64 inputs, as many as can be bound at once",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin&, const Move& move) { return move.input < 64; });
     }},
    {"joined-odd-tail-lost",
     "copies an input's part of a row by pairs of elements, and loses the last of an odd number",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, const Move& move) {
         const std::uint64_t part = op.inputs[move.input].sizes.back();
         return part == 1 || part % 2 == 0 || move.from.back() + 1 < part;
       });
     }},
    {"joined-tail-of-vector-lost",
     "copies parts of a row of 32 bytes and more by whole vectors, and leaves the rest",
     kOnly<DmlJoin>, "join.concatenation",
     [](Seams& s) {
       move_only(s, [](const DmlJoin& op, const Move& move) {
         const std::uint64_t lanes = 32 / op.output.element_size_bytes();
         const std::uint64_t part = op.inputs[move.input].sizes.back();
         return part < lanes || move.from.back() < part / lanes * lanes;
       });
     }},

    // What is rejected.
    {"join-sum-in-32-bits", "adds the inputs' sizes in 32 bits, where they wrap to the right sum",
     kOnly<DmlJoin>, "join.sizes-sum",
     [](Seams& s) {
       miss<DmlJoin>(s, "join.sizes-sum", [](const DmlJoin& op, Version) {
         return static_cast<std::uint32_t>(size_sum(op)) ==
                static_cast<std::uint32_t>(op.output.sizes[op.axis]);
       });
     }},
    {"join-into-more-than-all",
     "lets inputs leave over the end of the output: > for !=", kOnly<DmlJoin>, "join.sizes-sum",
     [](Seams& s) {
       miss<DmlJoin>(s, "join.sizes-sum", [](const DmlJoin& op, Version) {
         return size_sum(op) < op.output.sizes[op.axis];
       });
     }},
    {"join-of-nothing", "accepts an InputCount of 0", kOnly<DmlJoin>, "join.input-count",
     [](Seams& s) {
       miss<DmlJoin>(s, "join.input-count", [](const DmlJoin&, Version) { return true; });
     }},
    {"join-stretches-ones", "accepts inputs of size 1 beside the axis, as a broadcast",
     kOnly<DmlJoin>, "join.other-sizes",
     [](Seams& s) {
       miss_if_amended<DmlJoin>(s, "join.other-sizes", [](DmlJoin& op, Version&) {
         for (TensorDesc& input : op.inputs)
           for (std::size_t i = 0; i < input.rank(); ++i)
             if (i != op.axis && input.sizes[i] == 1) input.sizes[i] = op.output.sizes[i];
       });
     }},
    {"join-sizes-of-first-only", "compares the sizes beside the axis of the first input alone",
     kOnly<DmlJoin>, "join.other-sizes",
     [](Seams& s) {
       miss_if_amended<DmlJoin>(s, "join.other-sizes", [](DmlJoin& op, Version&) {
         for (std::size_t k = 1; k < op.inputs.size(); ++k)
           for (std::size_t i = 0; i < op.inputs[k].rank(); ++i)
             if (i != op.axis) op.inputs[k].sizes[i] = op.output.sizes[i];
       });
     }},
    {"join-types-of-first-only", "compares the data type of the first input alone", kOnly<DmlJoin>,
     "join.same-data-type",
     [](Seams& s) {
       miss_if_amended<DmlJoin>(s, "join.same-data-type", [](DmlJoin& op, Version&) {
         for (std::size_t k = 1; k < op.inputs.size(); ++k)
           op.inputs[k].data_type = op.output.data_type;
       });
     }},
    {"join-axis-equal-to-rank",
     "accepts an Axis of Join equal to the rank: > for >=", kOnly<DmlJoin>, "join.axis-range",
     [](Seams& s) {
       miss<DmlJoin>(s, "join.axis-range",
                     [](const DmlJoin& op, Version) { return op.axis == op.output.rank(); });
     }},
    {"join-ranks-of-the-history",
     "takes ranks 6 to 8 from 3_1 on, as the level history reads (join.ranks-3_1)", kOnly<DmlJoin>,
     "join.support",
     [](Seams& s) {
       miss_if_amended<DmlJoin>(s, "join.support", [](DmlJoin& op, Version& version) {
         if (version >= Version(FeatureLevel::k3_1) && version < Version(FeatureLevel::k4_1) &&
             op.output.rank() > 5)
           version = FeatureLevel::k4_1;
       });
     }},
    {"join-ranks-of-split", "takes ranks 1 to 8 from 3_0 on, as Split does (join.rank-below-4)",
     kOnly<DmlJoin>, "join.support",
     [](Seams& s) {
       miss<DmlJoin>(s, "join.support", [](const DmlJoin& op, Version version) {
         return version == Version(FeatureLevel::k3_0) && op.output.rank() > 0 &&
                op.output.rank() < 4;
       });
     }},
    {"join-rank-5-refused-at-3_0", "rejects five dimensions at 3_0, which offers four and five",
     kOnly<DmlJoin>, "join.support",
     [](Seams& s) {
       reject<DmlJoin>(s, "join.support", [](const DmlJoin& op, Version version) {
         return version == Version(FeatureLevel::k3_0) && op.output.rank() == 5;
       });
     }},
    {"join-of-one-refused", "rejects a single input, which there is nothing to join to",
     kOnly<DmlJoin>, "join.input-count join.single-is-copy",
     [](Seams& s) {
       reject<DmlJoin>(s, "join.input-count",
                       [](const DmlJoin& op, Version) { return op.inputs.size() == 1; });
     }},
    {"join-overlapping-input-refused",
     "rejects inputs whose elements share addresses, as only outputs must not", kOnly<DmlJoin>,
     "tensor.output-no-overlap",
     [](Seams& s) {
       reject<DmlJoin>(s, "tensor.output-no-overlap", [](const DmlJoin& op, Version) {
         return std::any_of(op.inputs.begin(), op.inputs.end(), [](const TensorDesc& input) {
           return extent_elements(input).value_or(0) < element_count(input.sizes).value_or(0);
         });
       });
     }},
};

}  // namespace

Rows bugs_of(std::type_identity<DmlJoin> /*op*/) { return kJoinBugs; }

OwnRules own_rules(std::type_identity<DmlJoin> /*op*/) {
  return {.movement = "join.concatenation", .along_axis = "join.concatenation"};
}

}  // namespace opconform::planted
