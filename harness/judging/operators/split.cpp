// The document leaves nothing open.

#include "harness/judging/freedom.h"

namespace opconform::judging {

std::span<const ChoiceText> choices(std::type_identity<Split> /*op*/) { return {}; }

OwnChoice choice_made(const Split& /*op*/, const Conforming& /*execution*/) { return std::nullopt; }

}  // namespace opconform::judging
