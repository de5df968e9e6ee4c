// What an execution was given and what came of it, as a picture.
#pragma once

#include "harness/diagnosis/picture.h"
#include "harness/judging/evidence.h"

namespace opconform::diagnosis {

/// The tensor without its elements.
[[nodiscard]] TensorPicture descriptor_of(const NamedTensor& tensor, Dialect dialect);

/// Without a result, what was found is not looked at. The result's evidence is that evidence.
[[nodiscard]] Picture draw(const cases::Case& tested, const judging::Evidence& evidence,
                           const judging::CaseResult* result);

}  // namespace opconform::diagnosis
