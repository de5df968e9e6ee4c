#include "harness/diagnosis/trace.h"

#include <functional>

#include "harness/diagnosis/modelled.h"

namespace opconform::diagnosis {
namespace {

/// The offset of an address in a tensor's buffer; nothing where it is not in it.
std::optional<std::uint64_t> offset_in(const model::View& view, const std::byte* at) {
  const std::less<> before;
  if (before(at, view.first) || !before(at, view.first + view.size_bytes)) return std::nullopt;
  return static_cast<std::uint64_t>(at - view.first);
}

}  // namespace

void trace(const Operator& op, Version version, const Reading* reading,
           const judging::Evidence& evidence, Arrivals& arrivals) {
  model::Seams seams = seams_of(reading);
  const model::Execution* execution = nullptr;
  model::Move last{};
  std::optional<std::uint64_t> index;
  seams.before = [&, own = seams.before](model::Execution& begun) {
    execution = &begun;
    if (own) own(begun);
  };
  seams.read_index = [&, own = seams.read_index](model::PlacedIndex& read) {
    index = read.number;
    if (own) own(read);
  };
  seams.move = [&, own = seams.move](const model::Execution& e, model::Move& move) {
    if (own && !own(e, move)) return false;
    last = move;
    return true;
  };
  seams.copy = [&, own = seams.copy](DataType type, std::byte* to, const std::byte* from) {
    own ? own(type, to, from) : model::copy_element(type, to, from);
    const auto offset = offset_in(execution->outputs[last.output], to);
    const auto wanted = offset ? arrivals.find({last.output, *offset}) : arrivals.end();
    if (wanted != arrivals.end())
      wanted->second =
          Arrival{last.input, last.from, offset_in(execution->inputs[last.input], from), index};
  };
  (void)execute_modelled(op, version, seams, evidence.inputs, evidence.outputs_before);
}

}  // namespace opconform::diagnosis
