// Indices read, wrapped or bounded wrongly.

#include <cmath>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using Coordinate = std::optional<std::uint64_t>;

/// The right coordinate, or else what `outside` makes of the index.
template <class Outside>
void resolve_outside_by(Seams& seams, Outside outside) {
  seams.resolve = [right = seams.resolve, outside](const Execution& e, const PlacedIndex& index,
                                                   std::uint64_t size) -> Coordinate {
    const Coordinate coordinate = right(e, index, size);
    return coordinate ? coordinate : outside(e, index, size);
  };
}

/// A coordinate that no element has: it reads as 0.
constexpr std::uint64_t kNowhere = ~std::uint64_t{0} >> 8;

/// The largest step of a half at that magnitude.
std::uint64_t through_half(std::uint64_t bits) {
  const auto value = static_cast<double>(static_cast<std::int64_t>(bits));
  if (std::abs(value) < 2048 || std::abs(value) > 65504) return bits;
  const double step = std::exp2(std::floor(std::log2(std::abs(value))) - 10);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(value / step) * step));
}

constexpr Row kIndexBugs[] = {
    {"index-truncated-to-32-bits",
     "keeps the low 32 bits of a 64-bit index, so that 2^32 + 1 passes for 1: kernels that take "
     "int32 (ORT DirectML before native 64-bit indices)",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.read_index = [](PlacedIndex& index) {
         index.bits = static_cast<std::uint64_t>(
             std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(index.bits))});
       };
     }},
    {"index-truncated-to-16-bits",
     "keeps the low 16 bits of an index: 16-bit lanes of mobile GPUs and NPUs", kIndexed,
     "(along-axis) (index-range)",
     [](Seams& s) {
       s.read_index = [](PlacedIndex& index) {
         index.bits = static_cast<std::uint64_t>(
             std::int64_t{static_cast<std::int16_t>(static_cast<std::uint16_t>(index.bits))});
       };
     }},
    {"index-through-half",
     "holds indices as halves, which count exactly to 2048 only: WebGL and fp16 NPU back ends",
     kIndexed, kAlongAxis,
     [](Seams& s) {
       s.read_index = [](PlacedIndex& index) { index.bits = through_half(index.bits); };
     }},
    {"index-low-half-unsigned",
     "reads an int64 index as the uint32 of its low half, so that -1 is far out of range: 64-bit "
     "tensors emulated with doubled strides (ORT DirectML, tensorflow-directml)",
     kIndexed, "(negative-index) (index-range)",
     [](Seams& s) {
       s.read_index = [](PlacedIndex& index) {
         if (index.type == DataType::kInt64) index.bits &= 0xFFFFFFFF;
       };
     }},
    {"index-int32-not-sign-extended",
     "widens an int32 index without its sign: a shared uint32 path for all 32-bit indices",
     kIndexed, kNegativeIndex,
     [](Seams& s) {
       s.read_index = [](PlacedIndex& index) {
         if (index.type == DataType::kInt32) index.bits &= 0xFFFFFFFF;
       };
     }},
    {"negative-index-refused",
     "knows no negative indices at all: reads every index as unsigned (ORT before issue 1533; ORT "
     "DirectML Gather at ranks up to 4)",
     kIndexed, kNegativeIndex,
     [](Seams& s) {
       s.resolve = [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         return index.bits < size ? Coordinate(index.bits) : std::nullopt;
       };
     }},
    {"negative-index-only-since-13",
     "counts negative indices from the end in opset 13 only, not in 11 and 12: one kernel "
     "registered for both old versions",
     kOnly<OnnxGather>, "gather.negative-index",
     [](Seams& s) {
       s.resolve = [](const Execution& e, const PlacedIndex& index, std::uint64_t size) {
         return index.is_negative() && e.version < Version::opset(13) ? std::nullopt
                                                                      : resolve(index, size);
       };
     }},
    {"negative-index-only-until-13",
     "counts negative indices from the end in opsets 11 to 13: newer ones have a kernel of their "
     "own",
     kOnly<OnnxGather>, "gather.negative-index",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         return index.is_negative() && e.version > Version::opset(13) ? std::nullopt
                                                                      : right(e, index, size);
       };
     }},
    {"negative-index-wrapped-twice",
     "adds the size as often as it takes below 0, so that -size - 1 passes: four spellings of one "
     "negative index (TVM 20297)",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         const std::uint64_t again = index.bits + 2 * size;
         return index.is_negative() && again < size ? Coordinate(again) : std::nullopt;
       });
     }},
    {"negative-index-off-by-one", "takes -1 for the element before the last: size - 1 + index",
     kIndexed, kNegativeIndex,
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         const Coordinate coordinate = right(e, index, size);
         return coordinate && index.is_negative() ? (*coordinate + size - 1) % size : coordinate;
       };
     }},
    {"negative-index-of-first-dimension",
     "adds the first dimension's size to a negative index, not the axis's: right for axis 0 only",
     kIndexed, kNegativeIndex,
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         const Coordinate coordinate = right(e, index, size);
         if (!coordinate || !index.is_negative()) return coordinate;
         return Coordinate(*coordinate - size + e.inputs[0].desc->sizes[0]);
       };
     }},
    {"least-negative-index-refused",
     "rejects the index -size, which is the first element: a bound tested with <= (CPU kernels)",
     kIndexed, "(index-range) (negative-index)",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         const bool is_least = index.is_negative() && index.bits + size == 0;
         return is_least ? std::nullopt : right(e, index, size);
       };
     }},
    {"negative-index-clamped-in-version-1",
     "makes a negative index of Gather 1 the first element, which neither reading of version 1 "
     "allows",
     kOnly<OnnxGather>, "gather.negative-index-v1",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution& e, const PlacedIndex& index, std::uint64_t size) {
         const bool is_old = e.version < OnnxGather::kNegativeIndicesSince;
         return is_old && resolve(index, size) ? Coordinate(0) : std::nullopt;
       });
     }},
    {"index-size-accepted", "lets the index equal the size: a bound tested with > for >=",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         return index.bits == size ? Coordinate(size) : std::nullopt;
       });
     }},
    {"index-clamped",
     "clamps an index where an error is due: shaders that keep reads inside (DirectML, WebNN, "
     "StableHLO)",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         if (size == 0) return Coordinate();
         return Coordinate(index.is_negative() ? 0 : size - 1);
       });
     }},
    {"index-outside-gives-zero",
     "gives 0 for an index out of range where an error is due (ORT CUDA, MIGraphX 4363)",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex&, std::uint64_t) {
         return Coordinate(kNowhere);
       });
     }},
    {"index-modulo-size",
     "takes every index modulo the size, far outside too: numpy.take with mode wrap",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         if (size == 0) return Coordinate();
         const auto signed_size = static_cast<std::int64_t>(size);
         const std::int64_t rest = index.value() % signed_size;
         return Coordinate(static_cast<std::uint64_t>(rest < 0 ? rest + signed_size : rest));
       });
     }},
    {"only-first-index-checked",
     "checks the first index alone and clamps the others: a check hoisted out of the loop",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         return index.number == 0 || size == 0 ? Coordinate() : Coordinate(size - 1);
       });
     }},
    {"indices-unchecked-for-empty-output",
     "returns before the indices are checked where the output is empty: an early return for "
     "nothing to do",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       resolve_outside_by(s, [](const Execution& e, const PlacedIndex&, std::uint64_t) {
         return has_empty_dimension(*e.outputs[0].desc) ? Coordinate(0) : std::nullopt;
       });
     }},
    {"indices-checked-while-writing",
     "finds an index out of range when half of the output is written: no pass over the indices "
     "beforehand",
     kOnly<OnnxGather>, "gather.index-range", [](Seams& s) { s.checks_indices_first = false; }},
    {"bound-of-first-dimension", "compares indices with the first dimension's size, not the axis's",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         const std::uint64_t bound = e.inputs[0].desc->sizes[0];
         const bool passes = index.is_negative() ? index.bits + bound < bound : index.bits < bound;
         const Coordinate coordinate = right(e, index, size);
         if (!passes) return Coordinate();
         return coordinate ? coordinate : Coordinate(kNowhere);
       };
     }},
    {"error-of-another-rule",
     "fails for an index out of range, but blames the shape: one error code for all",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) { s.failure_rule = [](std::string_view) { return "gather.output-shape"; }; }},
    {"empty-indices-fail",
     "fails where there are no indices, though an empty output is due: devices without empty "
     "tensors (ORT DirectML)",
     kOnly<OnnxGather>, "gather.support",
     [](Seams& s) {
       s.judge = [](const Operator& op, Version, backends::Rejection& rejection) {
         const auto* gather = std::get_if<OnnxGather>(&op);
         if (gather != nullptr && has_empty_dimension(gather->indices) && rejection.rules.empty())
           rejection.rules = {"gather.support"};
       };
     }},
    {"first-row-of-indices-for-all",
     "reads one row of a table of indices and uses it for all rows: an NPU driver (DirectML 685)",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         for (std::size_t i = 0; view.has_indices && i + 1 < view.strides.size(); ++i)
           view.strides[i] = 0;
       };
     }},
};

}  // namespace

Rows index_bugs() { return kIndexBugs; }

}  // namespace opconform::planted
