// What goes wrong with runs along an axis.

#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr Row kSplitBugs[] = {
    {"runs-of-equal-size",
     "starts output k at k * size / count, so that what an uneven split leaves over goes to the "
     "wrong outputs (ORT 15882, ONNX 5766)",
     kOnly<Split>, "split.partition",
     [](Seams& s) {
       s.run_start = [](const Execution& e, std::size_t k, std::uint64_t) {
         const Split& op = *e.as<Split>();
         return op.input.sizes[op.axis] / op.outputs.size() * k;
       };
     }},
    {"runs-in-reverse", "gives the first run to the last output", kOnly<Split>, "split.partition",
     [](Seams& s) {
       s.run_start = [](const Execution& e, std::size_t k, std::uint64_t right) {
         const Split& op = *e.as<Split>();
         return op.input.sizes[op.axis] - right - op.outputs[k].sizes[op.axis];
       };
     }},
    {"runs-overlap-by-one", "starts each run at the last element of the one before: inclusive ends",
     kOnly<Split>, "split.partition",
     [](Seams& s) {
       s.run_start = [](const Execution&, std::size_t k, std::uint64_t right) {
         return right - (k > 0 ? 1 : 0);
       };
     }},
    {"run-starts-aligned-down",
     "starts runs at multiples of four elements: vector loads from aligned offsets", kOnly<Split>,
     "split.partition",
     [](Seams& s) {
       s.run_start = [](const Execution&, std::size_t, std::uint64_t right) {
         return right / 4 * 4;
       };
     }},
    {"single-output-elided",
     "leaves the only output unwritten: an identity that the graph optimizer removed (DirectML "
     "1.9.1, Releases.md)",
     kOnly<Split>, "split.single-is-copy",
     [](Seams& s) { s.move = [](const Execution& e, Move&) { return e.outputs.size() > 1; }; }},
    {"outputs-beyond-eight-unwritten",
     "writes the first eight outputs only: bind slots of one kernel", kOnly<Split>,
     "split.partition",
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.output < 8; }; }},
};

}  // namespace

Rows bugs_of(std::type_identity<Split> /*op*/) { return kSplitBugs; }

OwnRules own_rules(std::type_identity<Split> /*op*/) {
  return {.movement = "split.partition", .along_axis = "split.partition"};
}

}  // namespace opconform::planted
