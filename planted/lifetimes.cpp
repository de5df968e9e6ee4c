// Plans that are right once.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr Row kLifetimeBugs[] = {
    {"outputs-of-first-execution",
     "keeps the addresses of the first execution's outputs and writes there again: bindings "
     "recorded in a command list",
     kAll, kMovement,
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (std::size_t i = 0; i < e.outputs.size(); ++i)
           e.outputs[i].first = e.first_outputs[i].data();
       };
     }},
    {"inputs-of-first-execution",
     "keeps the addresses of the first execution's inputs and reads there again", kAll, kMovement,
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (std::size_t i = 0; i < e.inputs.size(); ++i)
           e.inputs[i].first = const_cast<std::byte*>(e.first_inputs[i].data());
       };
     }},
    {"values-of-first-execution",
     "keeps what the first execution's inputs held: constants that are folded when they are first "
     "seen",
     kAll, kMovement,
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (std::size_t i = 0; i < e.inputs.size(); ++i)
           e.inputs[i].first = const_cast<std::byte*>(e.first_values[i].data());
       };
     }},
    {"third-execution-writes-nothing",
     "has two sets of bindings and does nothing where a third is needed", kAll, kMovement,
     [](Seams& s) { s.move = [](const Execution& e, Move&) { return e.number < 3; }; }},
    {"descriptor-not-copied",
     "holds on to the descriptor that it was prepared from, which its caller has changed since",
     kAll, kMovement, [](Seams& s) { s.descriptor = Seams::Descriptor::kCallers; }},
    {"last-prepared-in-force",
     "keeps what belongs to a plan where the next one puts its own: the last prepared is executed",
     kAll, kMovement, [](Seams& s) { s.descriptor = Seams::Descriptor::kLastPrepared; }},
    {"failure-is-kept",
     "fails ever after, once an index was outside: an error that is never taken back",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         return e.has_failed ? std::nullopt : right(e, index, size);
       };
     }},
    {"copy-in-first-execution-only",
     "copies the input in the first execution and takes it for done afterwards", kOnly<Scatter>,
     "scatter.copy-input",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) { return e.number == 1 || move.input != 0; };
     }},
    {"run-start-kept",
     "goes on with the run's start where the last execution ended: a sum that is a member and is "
     "never reset",
     kOnly<Split>, "split.partition",
     [](Seams& s) {
       s.run_start = [](const Execution& e, std::size_t, std::uint64_t right) {
         const Split& op = *e.as<Split>();
         return right + (e.number - 1) * op.input.sizes[op.axis];
       };
     }},
    {"window-consumed",
     "moves the window's start while it copies, so that a second execution begins behind the first",
     kOnly<Slice1>, "slice1.copy-start slice1.copy",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         move.from[0] += (e.number - 1) * e.outputs[0].desc->sizes[0];
         return true;
       };
     }},
    {"axis-normalised-twice",
     "adds the rank to a negative axis in each execution, not once, and clamps what comes out: a "
     "plan that edits its own attributes",
     kOnly<OnnxGather>, "gather.axis-negative",
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (op.axis.value_or(0) < 0 && e.number > 1) axis = op.data.rank() - 1;
       };
     }},
};

}  // namespace

Rows lifetime_bugs() { return kLifetimeBugs; }

}  // namespace opconform::planted
