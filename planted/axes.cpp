// The wrong axis, the wrong rank, scalars.

#include "planted/registry.h"

namespace opconform::planted {
namespace {

std::size_t rank_of(const Execution& e) { return e.inputs[0].desc->rank(); }

constexpr Row kAxisBugs[] = {
    {"axis-off-by-one", "works along the next dimension, where there is one: axes counted from 1",
     kWithAxis, kAlongAxis,
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         if (axis + 1 < rank_of(e)) ++axis;
       };
     }},
    {"axis-from-the-back",
     "counts the axis from the innermost dimension: libraries that list sizes innermost first "
     "(ggml, cuDNN wrappers)",
     kWithAxis, kAlongAxis,
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) { axis = rank_of(e) - 1 - axis; };
     }},
    {"negative-axis-of-output-rank",
     "counts a negative axis from the back of the output, which has another rank unless the "
     "indices have rank 1",
     kOnly<OnnxGather>, "gather.axis-negative",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         const std::size_t wrong = axis + op.output.rank() - op.data.rank();
         if (op.axis.value_or(0) < 0) axis = std::min(wrong, op.data.rank() - 1);
       };
     }},
    {"negative-axis-of-opset-7-is-0",
     "takes a negative axis for 0 in opsets 7 to 9, and knows it before and after",
     kOnly<OnnxGather>, "gather.axis-negative",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         if (e.version >= Version::opset(7) && e.version < Version::opset(10) &&
             e.as<OnnxGather>()->axis.value_or(0) < 0)
           axis = 0;
       };
     }},
    {"axis-left-out-is-last", "takes an axis that is left out for the last, not for 0",
     kOnly<OnnxGather>, "gather.axis-default",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         if (!e.as<OnnxGather>()->axis) axis = rank_of(e) - 1;
       };
     }},
    {"scalar-indices-keep-their-axis",
     "wants a dimension of size 1 where a scalar index removes it: scalars stored as rank 1 "
     "(Chromium WebNN, NumPy take with keepdims)",
     kOnly<OnnxGather>, "gather.output-shape gather.scalar-indices",
     [](Seams& s) {
       s.judge = [](const Operator& op, Version, backends::Rejection& rejection) {
         const auto* gather = std::get_if<OnnxGather>(&op);
         if (gather != nullptr && gather->indices.rank() == 0 && rejection.rules.empty())
           rejection.rules = {"gather.output-shape"};
       };
     }},
    {"dimensions-beyond-five-forgotten",
     "walks five dimensions and leaves further leading ones at their first coordinate: kernels "
     "with five nested loops (DirectML before feature level 3_0)",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution&, Move& move) {
         for (std::size_t i = 0; i + 5 < move.to.size(); ++i)
           if (move.to[i] != 0) return false;
         return true;
       };
     }},
    {"axis-in-two-bits", "keeps two bits of the axis: constants packed for rank 4", kWithAxis,
     kAlongAxis, [](Seams& s) { s.axis = [](const Execution&, std::size_t& axis) { axis &= 3; }; }},
};

}  // namespace

Rows axis_bugs() { return kAxisBugs; }

}  // namespace opconform::planted
