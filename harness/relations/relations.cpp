#include "harness/relations/relations.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

constexpr Relation kOfAll[] = {
    {5, {"layout", "Another layout of any tensor changes no logical value."}, layout},
    {6, {"leading-ones", "Leading dimensions of size 1 change nothing."}, leading_ones},
    {7,
     {"permuted-dimensions",
      "Permuting the dimensions together with the axis permutes the result."},
     permuted_dimensions},
    {8, {"same-width", "Values of types of one width move as the same bits."}, same_width},
    {9,
     {"index-type", "Indices of another type that mean the same give the same result."},
     index_type},
};

struct CollectedRelations {
  std::vector<RelationText> texts;
  std::vector<RelationVerdict (*)(Trial&)> checks;
};

CollectedRelations collect_relations() {
  std::vector<Relation> all(std::begin(kOfAll), std::end(kOfAll));
  for_each_operator([&](auto op) {
    const std::span<const Relation> own = relations(op);
    all.insert(all.end(), own.begin(), own.end());
  });
  std::sort(all.begin(), all.end(),
            [](const Relation& a, const Relation& b) { return a.place < b.place; });
  CollectedRelations collected;
  for (const Relation& relation : all) {
    if (relation.place != collected.texts.size())
      throw std::logic_error("relations: the place of " + std::string(relation.text.name) +
                             " is another's, or leaves one out");
    collected.texts.push_back(relation.text);
    collected.checks.push_back(relation.check);
  }
  return collected;
}

const CollectedRelations& collected_relations() {
  static const CollectedRelations all = collect_relations();
  return all;
}

}  // namespace

std::span<const RelationText> all_relations() { return collected_relations().texts; }

const RelationText* find_relation(std::string_view name) {
  const std::vector<RelationText>& texts = collected_relations().texts;
  const auto found = std::find_if(texts.begin(), texts.end(),
                                  [&](const RelationText& text) { return text.name == name; });
  return found == texts.end() ? nullptr : &*found;
}

RelationOutcome check_relation(std::size_t relation, const generation::Generated& generated,
                               generation::Draws& draws, backends::Backend& backend) {
  Trial trial(collected_relations().texts[relation].name, generated, draws, backend);
  const RelationVerdict verdict = collected_relations().checks[relation](trial);
  return std::move(trial).outcome(verdict);
}

}  // namespace opconform::relations
