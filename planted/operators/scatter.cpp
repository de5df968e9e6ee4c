// What goes wrong with a copy and its updates.

#include <cstring>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kUpdates = 2;

constexpr Row kScatterBugs[] = {
    {"scatter-forgets-input",
     "writes the updates into whatever stands in the output: a scatter that was made for in-place "
     "use",
     kOnly<Scatter>, "scatter.copy-input",
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.input != kInput; }; }},
    {"scatter-zeroes-first",
     "scatters into zeros instead of the input: ScatterND-like operators that start from zeros "
     "(tf.scatter_nd)",
     kOnly<Scatter>, "scatter.copy-input",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.input == kInput)
           move.from.back() = e.inputs[kInput].size_bytes;  // stray: reads 0
         return true;
       };
     }},
    {"overlap-keeps-old-value",
     "gives an element that two updates name its old value: compare-and-swap that gives up",
     kOnly<Scatter>, "scatter.overlap-any-winner",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) { copy_element(type, o.target, o.old); };
     }},
    {"overlap-tears-element",
     "mixes two updates of one element, half of each: stores of half the width (emulated 64-bit, "
     "8-bit stores by masking)",
     kOnly<Scatter>, "scatter.overlap-any-winner",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         const std::size_t half = element_size_bytes(type) / 2;
         std::memcpy(o.target, o.update, half);
       };
     }},
    {"overlap-adds",
     "adds the updates of one element up: the reduction of ScatterElements 16 as a default",
     kOnly<Scatter>, "scatter.overlap-any-winner",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         std::uint64_t sum = 0;
         std::uint64_t update = 0;
         std::memcpy(&sum, o.target, element_size_bytes(type));
         std::memcpy(&update, o.update, element_size_bytes(type));
         sum += update;
         std::memcpy(o.target, &sum, element_size_bytes(type));
       };
     }},
    {"scatter-gathers",
     "writes updates[index] to each coordinate instead of the update to the indexed one: the "
     "inverse operator",
     kOnly<Scatter>, "scatter.write-update",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.input == kUpdates) std::swap(move.from, move.to);
         const Dims& sizes = e.outputs[0].desc->sizes;
         for (std::size_t i = 0; i < sizes.size(); ++i)
           if (move.to[i] >= sizes[i]) return false;
         return true;
       };
     }},
    {"indices-beyond-data-unused",
     "stops at as many indices along the axis as the data has elements there: loops over the "
     "data's "
     "sizes",
     kOnly<Scatter>, "scatter.write-update",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const Scatter& op = *e.as<Scatter>();
         return move.input == kInput || move.from[op.axis] < op.input.sizes[op.axis];
       };
     }},
    {"last-update-lost", "leaves out the last update: a loop that ends one too early",
     kOnly<Scatter>, "scatter.write-update",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const Dims& sizes = e.inputs[kUpdates].desc->sizes;
         return move.input == kInput ||
                element_number(move.from, sizes) + 1 < element_count(sizes).value_or(0);
       };
     }},
};

}  // namespace

Rows bugs_of(std::type_identity<Scatter> /*op*/) { return kScatterBugs; }

OwnRules own_rules(std::type_identity<Scatter> /*op*/) {
  return {.movement = "scatter.write-update scatter.copy-input",
          .along_axis = "scatter.write-update",
          .negative_index = "scatter.negative-index"};
}

}  // namespace opconform::planted
