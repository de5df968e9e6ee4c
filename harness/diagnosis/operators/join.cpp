// Inputs end to end, misread.

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;

/// Input `k` starts at start(op, k, right) along the axis.
template <class Start>
void start_input_at(Seams& seams, Start start) {
  seams.run_start = [start](const Execution& e, std::size_t k, std::uint64_t right) {
    return start(*e.as<DmlJoin>(), k, right);
  };
}

constexpr Reading kJoinReadings[] = {
    {"inputs-in-reverse", "join.concatenation", "puts the last input first",
     [](Seams& s) {
       start_input_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t right) {
         return op.output.sizes[op.axis] - right - op.inputs[k].sizes[op.axis];
       });
     }},
    {"inputs-of-size-of-first", "join.concatenation", "takes all inputs for as long as the first",
     [](Seams& s) {
       start_input_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t) {
         return op.inputs[0].sizes[op.axis] * k;
       });
     }},
    {"inputs-of-equal-size", "join.concatenation", "takes all inputs for equal",
     [](Seams& s) {
       start_input_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t) {
         return op.output.sizes[op.axis] / op.inputs.size() * k;
       });
     }},
    {"inputs-overlap-by-one", "join.concatenation",
     "starts each input at the last element of the one before",
     [](Seams& s) {
       start_input_at(s, [](const DmlJoin&, std::size_t k, std::uint64_t right) {
         return right - (k > 0 ? 1 : 0);
       });
     }},
    {"inputs-start-at-0", "join.concatenation", "starts every input at the first element",
     [](Seams& s) {
       start_input_at(s,
                      [](const DmlJoin&, std::size_t, std::uint64_t) { return std::uint64_t{0}; });
     }},
    {"input-starts-in-own-strides", "join.concatenation",
     "multiplies the start of an input along the axis by the stride of that input, not by that of "
     "the "
     "output",
     [](Seams& s) {
       start_input_at(s, [](const DmlJoin& op, std::size_t k, std::uint64_t right) {
         const std::uint64_t stride = effective_strides(op.output)[op.axis];
         return stride == 0 ? right : right * effective_strides(op.inputs[k])[op.axis] / stride;
       });
     }},
    {"input-starts-at-multiples-of-4", "join.concatenation",
     "rounds the start of an input down to a multiple of 4",
     [](Seams& s) {
       start_input_at(
           s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right / 4 * 4; });
     }},
    {"input-starts-in-8-bits", "join.concatenation", "holds the start of an input in 8 bits",
     [](Seams& s) {
       start_input_at(
           s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right & 0xFF; });
     }},
    {"input-starts-in-16-bits", "join.concatenation", "holds the start of an input in 16 bits",
     [](Seams& s) {
       start_input_at(
           s, [](const DmlJoin&, std::size_t, std::uint64_t right) { return right & 0xFFFF; });
     }},
    {"single-input-not-copied", "join.single-is-copy", "writes nothing where there is one input",
     [](Seams& s) {
       s.move = [](const Execution& e, model::Move&) { return e.inputs.size() > 1; };
     }},
    {"last-input-lost", "join.concatenation", "leaves the last input out",
     [](Seams& s) {
       s.move = [](const Execution& e, model::Move& move) {
         return e.inputs.size() == 1 || move.input + 1 < e.inputs.size();
       };
     }},
    {"every-input-is-the-first", "join.concatenation", "reads the first input for each",
     [](Seams& s) {
       s.move = [](const Execution& e, model::Move& move) {
         const Dims& sizes = e.inputs[0].desc->sizes;
         move.input = 0;
         for (std::size_t i = 0; i < sizes.size(); ++i) move.from[i] %= sizes[i];
         return true;
       };
     }},
};

}  // namespace

Readings readings_of(std::type_identity<DmlJoin> /*op*/) { return kJoinReadings; }
std::string_view movement_rule(std::type_identity<DmlJoin> /*op*/) { return "join.concatenation"; }

}  // namespace opconform::diagnosis
