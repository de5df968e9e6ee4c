#pragma once

#include "harness/cases/case_reader.h"

namespace opconform::harness {

/// The cases of spec_cases/, read once in a process.
inline const LoadedCases& committed() {
  static const LoadedCases loaded = load_cases({OPCONFORM_SPEC_CASES_DIR});
  return loaded;
}

}  // namespace opconform::harness
