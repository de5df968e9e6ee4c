// Elements taken along an axis, misread.

#include <algorithm>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;

constexpr Reading kGatherReadings[] = {
    {"axis-left-out-as-last", "gather.axis-default", "takes an axis that is left out for the last",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (!op.axis) axis = op.data.rank() - 1;
       };
     }},
    {"negative-axis-as-0", "gather.axis-negative", "takes a negative axis for 0",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         if (e.as<OnnxGather>()->axis.value_or(0) < 0) axis = 0;
       };
     }},
    {"negative-axis-of-output", "gather.axis-negative",
     "counts a negative axis from the last dimension of the output, not of the data",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (op.axis.value_or(0) < 0)
           axis = std::min(axis + op.output.rank() - op.data.rank(), op.data.rank() - 1);
       };
     }},
    {"negative-axis-of-indices", "gather.axis-negative",
     "counts a negative axis from the last dimension of the indices, not of the data",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (op.axis.value_or(0) < 0)
           axis = std::min(axis + op.indices.rank() - op.data.rank(), op.data.rank() - 1);
       };
     }},
    {"negative-axis-as-last", "gather.axis-negative", "takes a negative axis for the last",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (op.axis.value_or(0) < 0) axis = op.data.rank() - 1;
       };
     }},
    {"negative-index-as-0-in-version-1", "gather.negative-index-v1",
     "takes a negative index for 0 in versions that do not define it",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const model::PlacedIndex& index,
                                       std::uint64_t size) {
         const bool is_undefined =
             index.is_negative() && !defines_negative_indices(e.op, e.version);
         return is_undefined && model::resolve(index, size) ? std::optional<std::uint64_t>(0)
                                                            : right(e, index, size);
       };
     }},
    {"indices-of-first-row", "gather.semantics", "uses the first row of the indices for every row",
     [](Seams& s) {
       s.layout = [](const Execution&, model::View& view) {
         if (!view.has_indices) return;
         for (std::size_t i = 0; i + 1 < view.strides.size(); ++i) view.strides[i] = 0;
       };
     }},
};

}  // namespace

Readings readings_of(std::type_identity<OnnxGather> /*op*/) { return kGatherReadings; }
std::string_view movement_rule(std::type_identity<OnnxGather> /*op*/) { return "gather.semantics"; }

}  // namespace opconform::diagnosis
