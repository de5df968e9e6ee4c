// Changes to descriptors that need not make sense.
#pragma once

#include "harness/generation/draws.h"
#include "spec/operator.h"

namespace opconform::fuzz {

/// Changes one field, or the version, in any way that a case file can say.
void edit_anything(generation::Draws& draws, Operator& op, Version& version);

}  // namespace opconform::fuzz
