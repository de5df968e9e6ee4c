// What becomes of a negative index where version 1 leaves it open.

#include "harness/base/index.h"
#include "harness/judging/freedom.h"
#include "harness/judging/judge.h"

namespace opconform::judging {
namespace {

enum GatherChoice : std::size_t { kNegativeFails, kNegativeCountsBack };
constexpr ChoiceText kGatherChoices[] = {
    // In the order of GatherChoice.
    {"gather.negative-index-v1", "fails"},
    {"gather.negative-index-v1", "counted from the end"},
};

}  // namespace

std::span<const ChoiceText> choices(std::type_identity<OnnxGather> /*op*/) {
  return kGatherChoices;
}

OwnChoice choice_made(const OnnxGather& op, const Conforming& execution) {
  if (execution.version >= OnnxGather::kNegativeIndicesSince) return std::nullopt;
  const std::uint64_t size = op.data.sizes[op.axis_from_front()];
  bool any_negative = false;
  for (const base::Index& index : base::read_indices(op.indices, execution.inputs[1].before)) {
    if (!base::resolve(index, size)) return std::nullopt;  // an error in any case
    any_negative |= index.is_negative;
  }
  if (!any_negative) return std::nullopt;
  return execution.failed ? kNegativeFails : kNegativeCountsBack;
}

}  // namespace opconform::judging
