#pragma once

#include "harness/cases/case_reader.h"

namespace opconform::test {

/// The cases of spec_cases/, read once in a process.
inline const cases::LoadedCases& committed() {
  static const cases::LoadedCases loaded = cases::load_cases({OPCONFORM_SPEC_CASES_DIR});
  return loaded;
}

}  // namespace opconform::test
