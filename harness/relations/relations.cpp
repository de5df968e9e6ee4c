#include "harness/relations/relations.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "harness/relations/trial.h"

namespace opconform::harness {
namespace {

constexpr std::array kTexts = std::to_array<RelationText>({
    {"split-join", "Joining the outputs of a Split along its axis gives the input."},
    {"slice-slice", "A slice of a slice is the slice with combined start and strides."},
    {"split-slice", "An output of a Split is the Slice1 whose window is that run."},
    {"scatter-gather", "Gathering at the places that were scattered to gives the updates."},
    {"gather-scatter", "Scattering what was gathered from the same places changes nothing."},
    {"layout", "Another layout of any tensor changes no logical value."},
    {"leading-ones", "Leading dimensions of size 1 change nothing."},
    {"permuted-dimensions", "Permuting the dimensions together with the axis permutes the result."},
    {"same-width", "Values of types of one width move as the same bits."},
    {"index-type", "Indices of another type that mean the same give the same result."},
});

using Check = RelationVerdict (*)(Trial&);
constexpr std::array<Check, kTexts.size()> kChecks{
    split_join, slice_slice,  split_slice,         scatter_gather, gather_scatter,
    layout,     leading_ones, permuted_dimensions, same_width,     index_type};

}  // namespace

std::span<const RelationText> all_relations() { return kTexts; }

const RelationText* find_relation(std::string_view name) {
  const auto found = std::find_if(std::begin(kTexts), std::end(kTexts),
                                  [&](const RelationText& text) { return text.name == name; });
  return found == std::end(kTexts) ? nullptr : &*found;
}

RelationOutcome check_relation(std::size_t relation, const Generated& generated, Choices& choices,
                               Backend& backend) {
  Trial trial(kTexts[relation].name, generated, choices, backend);
  const RelationVerdict verdict = kChecks[relation](trial);
  return std::move(trial).outcome(verdict);
}

}  // namespace opconform::harness
