// The dimension that an operator works along, taken for another.

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;

/// The rank of the dimensions that the axis counts.
std::size_t rank_of(const Execution& e) { return e.inputs[0].desc->rank(); }

template <class Change>
void change_axis(Seams& seams, Change change) {
  seams.axis = [change](const Execution& e, std::size_t& axis) {
    const std::size_t rank = rank_of(e);
    if (rank > 0) axis = change(axis, rank) % rank;
  };
}

constexpr Reading kAxisReadings[] = {
    {"axis-from-the-back", kMovement, "counts the axis from the last dimension",
     [](Seams& s) {
       change_axis(s, [](std::size_t axis, std::size_t rank) { return rank - 1 - axis; });
     }},
    {"axis-one-too-low", kMovement, "works along the dimension before the axis",
     [](Seams& s) {
       change_axis(s, [](std::size_t axis, std::size_t) { return axis == 0 ? 0 : axis - 1; });
     }},
    {"axis-one-too-high", kMovement, "works along the dimension behind the axis",
     [](Seams& s) {
       change_axis(
           s, [](std::size_t axis, std::size_t rank) { return axis + 1 < rank ? axis + 1 : axis; });
     }},
    {"axis-as-0", kMovement, "works along dimension 0, whatever the axis",
     [](Seams& s) { change_axis(s, [](std::size_t, std::size_t) { return std::size_t{0}; }); }},
    {"axis-as-last", kMovement, "works along the last dimension, whatever the axis",
     [](Seams& s) { change_axis(s, [](std::size_t, std::size_t rank) { return rank - 1; }); }},
    {"axis-in-two-bits", kMovement, "keeps two bits of the axis",
     [](Seams& s) { change_axis(s, [](std::size_t axis, std::size_t) { return axis & 3; }); }},
};

}  // namespace

Readings axis_readings() { return kAxisReadings; }

}  // namespace opconform::diagnosis
