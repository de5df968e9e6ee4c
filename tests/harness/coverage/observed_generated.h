// Generated cases, valid and broken, as a campaign would observe them.
#pragma once

#include "harness/coverage/coverage.h"
#include "harness/running/differential.h"

namespace opconform::harness {

/// Every fifth case is broken.
inline void observe_generated(std::uint64_t number, Generated& generated, CaseMemory& memory,
                              Coverage& coverage) {
  RandomChoices choices(random_bits(11, number));
  const std::size_t op = number % std::variant_size_v<Operator>;
  generate(op, {}, choices, generated);
  if (number % 5 == 0) {
    const std::vector<std::string_view> rules = breakable_rules(op);
    const std::string_view rule = rules[choices.below(rules.size())];
    if (!break_rule(rule, choices, generated)) return;
    const std::string_view broken[] = {rule};
    return coverage.observe({.op = generated.op,
                             .version = generated.version,
                             .origin = Origin::kFuzzed,
                             .outcome = Outcome::kRefused,
                             .rules = broken});
  }
  memory.make(generated);
  coverage.observe({.op = generated.op,
                    .version = generated.version,
                    .origin = Origin::kFuzzed,
                    .outcome = Outcome::kAccepted,
                    .inputs = memory.bindings().inputs});
}

}  // namespace opconform::harness
