// Reference against tested implementation, on valid cases.
#pragma once

#include <memory>
#include <string_view>

#include "harness/running/differential.h"

namespace opconform::fuzz {

class Comparison {
 public:
  Comparison();
  /// Runs both and compares all of the memory. Where it differs in more than the document permits,
  /// tells of the smallest such case and ends the process. Returns what it came to: "agrees", or
  /// "differs as permitted".
  std::string_view run(const generation::Generated& generated);
  [[nodiscard]] backends::Backend& tested() { return *tested_; }

 private:
  std::unique_ptr<backends::Backend> tested_;
  running::Differential differential_;
};

}  // namespace opconform::fuzz
