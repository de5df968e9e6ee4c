// Loops that end too early, and coordinates in too few bits.

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Move;
using model::Seams;

template <std::uint64_t bits>
void coordinates_in(Seams& seams) {
  seams.move = [](const Execution&, Move& move) {
    for (std::uint64_t& coordinate : move.from) coordinate &= (std::uint64_t{1} << bits) - 1;
    return true;
  };
}
/// The last elements of rows that are no multiple of `lanes` stay unwritten.
template <std::uint64_t lanes>
void whole_vectors_only(Seams& seams) {
  seams.move = [](const Execution& e, Move& move) {
    if (move.to.empty()) return true;
    const std::uint64_t row = e.outputs[move.output].desc->sizes.back();
    return move.to.back() < row / lanes * lanes;
  };
}

/// Only the first coordinate of the dimensions before the last `rank` is written.
template <std::size_t rank>
void loops_of(Seams& seams) {
  seams.move = [](const Execution&, Move& move) {
    for (std::size_t i = 0; i + rank < move.to.size(); ++i)
      if (move.to[i] != 0) return false;
    return true;
  };
}

constexpr Reading kExtentReadings[] = {
    {"coordinates-in-7-bits", kMovement, "holds coordinates in 7 bits", coordinates_in<7>},
    {"coordinates-in-8-bits", kMovement, "holds coordinates in 8 bits", coordinates_in<8>},
    {"coordinates-in-16-bits", kMovement, "holds coordinates in 16 bits", coordinates_in<16>},
    {"only-five-loops", kMovement,
     "walks five dimensions: of those before, only the first coordinate is written", loops_of<5>},
    {"only-four-loops", kMovement,
     "walks four dimensions: of those before, only the first coordinate is written", loops_of<4>},
    {"tail-of-2-lost", kMovement, "writes whole vectors of 2 elements only", whole_vectors_only<2>},
    {"tail-of-4-lost", kMovement, "writes whole vectors of 4 elements only", whole_vectors_only<4>},
    {"tail-of-8-lost", kMovement, "writes whole vectors of 8 elements only", whole_vectors_only<8>},
    {"tail-of-16-lost", kMovement, "writes whole vectors of 16 elements only",
     whole_vectors_only<16>},
    {"tail-of-32-lost", kMovement, "writes whole vectors of 32 elements only",
     whole_vectors_only<32>},
};

}  // namespace

Readings extent_readings() { return kExtentReadings; }

}  // namespace opconform::diagnosis
