// Runs misread.

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;

/// Output `k` starts at start(op, k, right) along the axis.
template <class Start>
void start_run_at(Seams& seams, Start start) {
  seams.run_start = [start](const Execution& e, std::size_t k, std::uint64_t right) {
    return start(*e.as<Split>(), k, right);
  };
}

constexpr Reading kSplitReadings[] = {
    {"runs-of-equal-size", "split.partition",
     "starts each run as if all had the same size: the whole divided by their number",
     [](Seams& s) {
       start_run_at(s, [](const Split& op, std::size_t k, std::uint64_t) {
         return op.input.sizes[op.axis] / op.outputs.size() * k;
       });
     }},
    {"runs-of-size-of-first", "split.partition", "takes all runs for as long as the first",
     [](Seams& s) {
       start_run_at(s, [](const Split& op, std::size_t k, std::uint64_t) {
         return op.outputs[0].sizes[op.axis] * k;
       });
     }},
    {"runs-in-reverse", "split.partition", "gives the first run to the last output",
     [](Seams& s) {
       start_run_at(s, [](const Split& op, std::size_t k, std::uint64_t right) {
         return op.input.sizes[op.axis] - right - op.outputs[k].sizes[op.axis];
       });
     }},
    {"runs-overlap-by-one", "split.partition",
     "starts each run at the last element of the one before",
     [](Seams& s) {
       start_run_at(s, [](const Split&, std::size_t k, std::uint64_t right) {
         return right - (k > 0 ? 1 : 0);
       });
     }},
    {"runs-with-a-gap", "split.partition", "leaves an element out between two runs",
     [](Seams& s) {
       start_run_at(s, [](const Split&, std::size_t k, std::uint64_t right) { return right + k; });
     }},
    {"runs-start-at-0", "split.partition", "gives the first elements to every output",
     [](Seams& s) {
       start_run_at(s, [](const Split&, std::size_t, std::uint64_t) { return std::uint64_t{0}; });
     }},
    {"run-starts-at-multiples-of-4", "split.partition",
     "rounds the start of a run down to a multiple of 4",
     [](Seams& s) {
       start_run_at(s,
                    [](const Split&, std::size_t, std::uint64_t right) { return right / 4 * 4; });
     }},
    {"run-starts-at-multiples-of-8", "split.partition",
     "rounds the start of a run down to a multiple of 8",
     [](Seams& s) {
       start_run_at(s,
                    [](const Split&, std::size_t, std::uint64_t right) { return right / 8 * 8; });
     }},
    {"run-starts-in-8-bits", "split.partition", "holds the start of a run in 8 bits",
     [](Seams& s) {
       start_run_at(s, [](const Split&, std::size_t, std::uint64_t right) { return right & 0xFF; });
     }},
    {"run-starts-in-16-bits", "split.partition", "holds the start of a run in 16 bits",
     [](Seams& s) {
       start_run_at(s,
                    [](const Split&, std::size_t, std::uint64_t right) { return right & 0xFFFF; });
     }},
    {"single-output-unwritten", "split.single-is-copy", "leaves a single output unwritten",
     [](Seams& s) {
       s.move = [](const Execution& e, model::Move&) { return e.outputs.size() > 1; };
     }},
};

}  // namespace

Readings readings_of(std::type_identity<Split> /*op*/) { return kSplitReadings; }
std::string_view movement_rule(std::type_identity<Split> /*op*/) { return "split.partition"; }

}  // namespace opconform::diagnosis
