// A copy and its updates, misread.

#include <algorithm>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Move;
using model::Overlap;
using model::Seams;

constexpr std::size_t kInput = 0;
constexpr std::size_t kUpdates = 2;

/// Threads of one group: the updates of the others are lost.
template <std::uint64_t count>
void first_updates_only(Seams& seams) {
  seams.move = [](const Execution& e, Move& move) {
    return move.input == kInput ||
           model::element_number(move.from, e.inputs[kUpdates].desc->sizes) < count;
  };
}
/// As many updates as fill chunks, where there are that many.
template <std::uint64_t chunk>
void whole_chunks_only(Seams& seams) {
  seams.move = [](const Execution& e, Move& move) {
    const Dims& sizes = e.inputs[kUpdates].desc->sizes;
    const std::uint64_t count = element_count(sizes).value_or(0);
    return move.input == kInput || count < chunk ||
           model::element_number(move.from, sizes) < count / chunk * chunk;
  };
}

constexpr Reading kScatterReadings[] = {
    {"input-not-copied", "scatter.copy-input",
     "leaves the elements that no update names as they stood in the output",
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.input != kInput; }; }},
    {"input-as-zeros", "scatter.copy-input", "starts from zeros, not from the input",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.input == kInput) move.from.back() = e.inputs[kInput].size_bytes;  // reads zeros
         return true;
       };
     },
     kBounded},
    {"updates-not-written", "scatter.write-update", "copies the input and writes no update",
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.input == kInput; }; }},
    {"last-update-lost", "scatter.write-update", "leaves the last update out",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const Dims& sizes = e.inputs[kUpdates].desc->sizes;
         return move.input == kInput ||
                model::element_number(move.from, sizes) + 1 < element_count(sizes).value_or(0);
       };
     }},
    {"updates-behind-256-lost", "scatter.write-update", "writes the first 256 updates only",
     first_updates_only<256>},
    {"updates-behind-1024-lost", "scatter.write-update", "writes the first 1,024 updates only",
     first_updates_only<1024>},
    {"chunks-of-64-updates-only", "scatter.write-update",
     "writes whole chunks of 64 updates where there are as many", whole_chunks_only<64>},
    {"chunks-of-1025-updates-only", "scatter.write-update",
     "writes whole chunks of 1,025 updates where there are as many", whole_chunks_only<1025>},
    {"chunks-of-2048-updates-only", "scatter.write-update",
     "writes whole chunks of 2,048 updates where there are as many", whole_chunks_only<2048>},
    {"updates-beyond-input-lost", "scatter.write-update",
     "leaves out the updates whose coordinate along the axis the input does not have",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const Scatter& op = *e.as<Scatter>();
         return move.input == kInput || move.from[op.axis] < op.input.sizes[op.axis];
       };
     }},
    {"updates-by-place-in-input", "scatter.write-update",
     "takes the update at the coordinate that is written, not at that of the index",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.input == kInput) return true;
         move.from = move.to;
         const Dims& sizes = e.inputs[kUpdates].desc->sizes;
         for (std::size_t i = 0; i < sizes.size(); ++i)
           if (move.from[i] >= sizes[i]) return false;
         return true;
       };
     }},
    {"gathers-updates", "scatter.write-update",
     "gathers: writes to each coordinate of the indices the update that its index names",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.input == kUpdates) std::swap(move.from, move.to);
         const Dims& sizes = e.outputs[0].desc->sizes;
         for (std::size_t i = 0; i < sizes.size(); ++i)
           if (move.to[i] >= sizes[i]) return false;
         return true;
       };
     }},
    // What becomes of an element that several updates name.
    {"overlap-keeps-input", "scatter.overlap-any-winner",
     "gives an element that several updates name the value of the input",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         model::copy_element(type, o.target, o.old);
       };
     }},
    {"overlap-mixes-halves", "scatter.overlap-any-winner",
     "mixes the halves of several updates of one element",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         std::copy_n(o.update, element_size_bytes(type) / 2, o.target);
       };
     }},
    {"overlap-adds-integers", "scatter.overlap-any-winner",
     "adds the updates of one element, as integers",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         unsigned carry = 0;
         for (std::size_t i = 0; i < element_size_bytes(type); ++i) {
           carry += std::to_integer<unsigned>(o.target[i]) + std::to_integer<unsigned>(o.update[i]);
           o.target[i] = static_cast<std::byte>(carry & 0xFF);
           carry >>= 8;
         }
       };
     }},
};

}  // namespace

Readings readings_of(std::type_identity<Scatter> /*op*/) { return kScatterReadings; }
std::string_view movement_rule(std::type_identity<Scatter> /*op*/) {
  return "scatter.write-update";
}

}  // namespace opconform::diagnosis
