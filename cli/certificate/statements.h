// What a certificate and the report around it say more than once, or what follows from what they
// say: whoever changes one place of it must change all.
#pragma once

#include <string>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::cli {

/// Something that a certificate or its report says, and what another part of it, or this program,
/// says of the same.
struct Statement {
  std::string what{};
  base::Json certified{};
  base::Json found{};
};

/// Of a report with its certificate. Throws Json::exception where the report is not as
/// reports/report.schema.json has it.
std::vector<Statement> statements_of(const base::Json& report);

}  // namespace opconform::cli
