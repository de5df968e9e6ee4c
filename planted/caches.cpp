// Plans that are taken for others: caches whose keys leave a field out, and memory of a plan that
// is another's.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

/// Calls `f(field, value)` for each field of the operator that is a `Field`.
template <class Field, class F>
void change_fields(Operator& op, F f) {
  std::visit(
      [&](auto& o) {
        o.visit_fields(o, [&](const auto& field, auto&... value) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Field>)
            (f(field, value), ...);
        });
      },
      op);
}
void forget_numbers(Operator& op, ArrayRole role) {
  change_fields<ArrayField>(op, [&](const ArrayField& field, auto& numbers) {
    if (field.role == role) std::fill(numbers.begin(), numbers.end(), 0);
  });
}
void forget_strides(Operator& op, Access access) {
  for (const MutableTensor& tensor : mutable_tensors(op)) {
    if (tensor.field.access != access) continue;
    tensor.desc->strides.reset();
    tensor.desc->total_tensor_size_bytes = 0;
  }
}
void forget_type(Operator& op, Content content) {
  for (const MutableTensor& tensor : mutable_tensors(op)) {
    if (tensor.field.content != content) continue;
    tensor.desc->data_type = DataType::kUint8;
    tensor.desc->total_tensor_size_bytes = 0;
  }
}
void forget_axis(Operator& op) {
  change_fields<ScalarField>(op, [](const ScalarField& field, auto& number) {
    if (field.role == ScalarRole::kAxis) number = 0;
  });
}

template <std::size_t kPlans>
void ring_of(Seams& s) {
  s.descriptor = Seams::Descriptor::kSlot;
  s.plans = kPlans;
}

constexpr Row kCacheBugs[] = {
    {"plan-cache-without-offset", "looks for a plan by everything but the window's offsets",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_numbers(op, ArrayRole::kOffset); };
     }},
    {"plan-cache-without-window", "looks for a plan by everything but the window's sizes",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_numbers(op, ArrayRole::kWindow); };
     }},
    {"plan-cache-without-stride", "looks for a plan by everything but the window's strides",
     kOnly<Slice1>, "slice1.copy slice1.copy-start",
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_numbers(op, ArrayRole::kStride); };
     }},
    {"predecessor-where-offset-differs",
     "takes the plan before for its own where only the window's offsets differ: a cache of one "
     "plan",
     kOnly<Slice1>, "slice1.copy-start",
     [](Seams& s) {
       s.cached = 1;
       s.cache_key = [](Operator& op, Version&) { forget_numbers(op, ArrayRole::kOffset); };
     }},
    // Without indices, an operator that has the same sizes along another axis does the same there.
    {"plan-cache-without-axis", "looks for a plan by everything but the axis", kIndexed, kMovement,
     [](Seams& s) { s.cache_key = [](Operator& op, Version&) { forget_axis(op); }; }},
    {"plan-cache-without-input-strides",
     "looks for a plan by everything but where an input's elements lie", kDirectml, "tensor.offset",
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_strides(op, Access::kInput); };
     }},
    {"plan-cache-without-output-strides",
     "looks for a plan by everything but where an output's elements lie", kDirectml,
     "tensor.offset",
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_strides(op, Access::kOutput); };
     }},
    {"plan-cache-without-type", "looks for a plan by everything but the type of the values", kAll,
     kMovement,
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_type(op, Content::kValues); };
     }},
    {"plan-cache-without-index-type", "looks for a plan by everything but the type of the indices",
     kIndexed, kAlongAxis,
     [](Seams& s) {
       s.cache_key = [](Operator& op, Version&) { forget_type(op, Content::kIndices); };
     }},
    {"plan-cache-without-level",
     "looks for a plan by everything but the version, before it looks at the descriptor: what one "
     "level has, every other has too",
     kAll, kAnyConstraint,
     [](Seams& s) {
       s.cache_comes_first = true;
       s.cache_key = [](Operator&, Version& version) {
         version = Version::standard(version.dialect());
       };
     }},
    {"plan-memory-of-released",
     "shares its plan's memory with others that are like it, and the first release leaves there "
     "what the released plan held",
     kAll, kMovement, [](Seams& s) { s.descriptor = Seams::Descriptor::kLastReleased; }},
    {"state-of-last-executed",
     "sets up the device in a plan's first execution, and takes it for set up in the second, "
     "whatever plan was executed in between",
     kAll, kMovement, [](Seams& s) { s.descriptor = Seams::Descriptor::kLastExecuted; }},
    {"ring-of-eight-plans", "has eight slots for plans: a ninth takes the first one's place", kAll,
     kMovement, ring_of<8>},
    {"ring-of-sixteen-plans",
     "has sixteen slots for plans: a seventeenth takes the first one's place", kAll, kMovement,
     ring_of<16>},
    {"ring-of-thirty-two-plans", "has 32 slots for plans: a 33rd takes the first one's place", kAll,
     kMovement, ring_of<32>},
    {"plan-table-grown",
     "keeps pointers into a table of plans that moves when it has more than twelve: each plan is "
     "then its neighbour's",
     kAll, kMovement,
     [](Seams& s) {
       s.descriptor = Seams::Descriptor::kGrown;
       s.plans = 12;
     }},
    {"hole-in-plan-table",
     "fills the place of a released plan with the last of more than sixteen, which still looks for "
     "itself elsewhere: a plan that breaks when a sibling is released",
     kAll, kMovement,
     [](Seams& s) {
       s.descriptor = Seams::Descriptor::kHole;
       s.plans = 16;
     }},
    {"equal-descriptor-rejected",
     "rejects a descriptor while a plan of an equal one is there: a name that is taken", kAll,
     kMovement, [](Seams& s) { s.rejects_equal = true; }},
};

}  // namespace

Rows cache_bugs() { return kCacheBugs; }

}  // namespace opconform::planted
