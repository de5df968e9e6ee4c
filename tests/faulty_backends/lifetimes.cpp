// Plans that are right once.

#include <algorithm>

#include "tests/faulty_backends/registry.h"

namespace opconform::faulty {
namespace {

constexpr Row kRows[] = {
    {"outputs-of-first-execution",
     "keeps the addresses of the first execution's outputs and writes there again: bindings "
     "recorded in a command list",
     kAll,
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (std::size_t i = 0; i < e.outputs.size(); ++i)
           e.outputs[i].first = e.first_outputs[i].data();
       };
     }},
    {"copy-in-first-execution-only",
     "copies the input in the first execution and takes it for done afterwards", kScatter,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) { return e.number == 1 || move.input != 0; };
     }},
    {"run-start-kept",
     "goes on with the run's start where the last execution ended: a sum that is a member and is "
     "never reset",
     kSplit,
     [](Seams& s) {
       s.run_start = [](const Execution& e, const Split& op, std::size_t k) {
         return run_start(op, k) + (e.number - 1) * op.input.sizes[op.axis];
       };
     }},
    {"window-consumed",
     "moves the window's start while it copies, so that a second execution begins behind the first",
     kSlice1,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         move.from[0] += (e.number - 1) * e.outputs[0].desc->sizes[0];
         return true;
       };
     }},
    {"axis-normalised-twice",
     "adds the rank to a negative axis in each execution, not once, and clamps what comes out: a "
     "plan that edits its own attributes",
     kGather,
     [](Seams& s) {
       s.axis = [](const Execution& e, std::size_t& axis) {
         const Gather& op = *e.as<Gather>();
         if (op.axis.value_or(0) < 0 && e.number > 1) axis = op.data.rank() - 1;
       };
     }},
};

}  // namespace

Rows lifetime_bugs() { return kRows; }

}  // namespace opconform::faulty
