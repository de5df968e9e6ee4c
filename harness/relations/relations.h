// Metamorphic relations: what two cases have to do with each other, whatever the right result of
// either is. They are checked beside the reference, so that the reference itself is under test:
// nothing here calls it, or knows more of an operator than the relation says.
//
// What each can see that comparing with the reference cannot, is a mistake that reference and
// backend share, because both follow one reading of a document or one rule in spec/. Those between
// operators are told in operators/OPERATOR.cpp, where they stand; of all operators there are
//
//   layout               DirectML: an address that depends on more than coordinates and strides
//   leading-ones         dimensions that are counted from the wrong end; a rank's own path
//   permuted-dimensions  a dimension that is treated like no other, an axis off by one
//   same-width           values that pass through arithmetic (a NaN made quiet, -0 made 0)
//   index-type           where there are indices: a sign extended wrongly, the wrong half of a wide
//                        index
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/case.h"
#include "harness/generation/draws.h"
#include "harness/generation/generator.h"

namespace opconform::relations {

struct RelationText {
  std::string_view name;       ///< "split-join"
  std::string_view statement;  ///< a sentence
};
[[nodiscard]] std::span<const RelationText> all_relations();
/// Null where no relation has that name.
[[nodiscard]] const RelationText* find_relation(std::string_view name);

enum class RelationVerdict : std::uint8_t {
  kHolds,
  kDoesNotApply,  ///< to this case, or the backend says that it does not offer what is needed
  kBroken,        ///< or rejected, or failed, where the cases are valid
};

struct RelationOutcome {
  RelationVerdict verdict = RelationVerdict::kDoesNotApply;
  std::string message;  ///< where broken: relation, tensor, coordinate, expected and found
  std::vector<cases::Case>
      cases;  ///< where broken: what was run, in that order; operators may differ
};

/// Checks one relation, by its place in all_relations(), on a valid case and on what `draws`
/// derive from it. Runs in this process. Cases in which the documents leave the result open (an
/// index out of range, a negative one that no version defines) are not judged, nor are elements
/// that an operator leaves open.
[[nodiscard]] RelationOutcome check_relation(std::size_t relation,
                                             const generation::Generated& generated,
                                             generation::Draws& draws, backends::Backend& backend);

}  // namespace opconform::relations
