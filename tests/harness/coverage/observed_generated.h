// Generated cases, valid and broken, as a campaign would observe them.
#pragma once

#include "harness/coverage/coverage.h"
#include "harness/running/differential.h"

namespace opconform::coverage {

/// Every fifth case is broken.
inline void observe_generated(std::uint64_t number, generation::Generated& generated,
                              generation::CaseMemory& memory, Coverage& coverage) {
  generation::RandomDraws draws(base::random_bits(11, number));
  const std::size_t op = number % std::variant_size_v<Operator>;
  generation::generate(op, {}, draws, generated);
  if (number % 5 == 0) {
    const std::vector<std::string_view> rules = generation::breakable_rules(op);
    const std::string_view rule = rules[draws.below(rules.size())];
    if (!generation::break_rule(rule, draws, generated)) return;
    const std::string_view broken[] = {rule};
    return coverage.observe({.op = generated.op,
                             .version = generated.version,
                             .origin = Origin::kFuzzed,
                             .due = Due::kRejected,
                             .rules = broken});
  }
  memory.make(generated);
  coverage.observe({.op = generated.op,
                    .version = generated.version,
                    .origin = Origin::kFuzzed,
                    .due = Due::kAccepted,
                    .inputs = memory.bindings().inputs});
}

}  // namespace opconform::coverage
