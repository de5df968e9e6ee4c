// What the tests of Differential share: generated cases, and what is said of a wrong backend.
#pragma once

#include <gtest/gtest.h>

#include "harness/running/differential.h"
#include "tests/harness/fake_backend.h"

namespace opconform::running {

inline generation::Generated generated_case(std::uint64_t number) {
  generation::RandomDraws draws(base::random_bits(3, number));
  generation::Generated generated;
  generation::generate(number % std::variant_size_v<Operator>, {}, draws, generated);
  return generated;
}

/// Valid, with something in its first input and output, and with a result.
inline generation::Generated split_case() {
  for (std::uint64_t i = 0;; ++i) {
    generation::Generated generated = generated_case(i);
    if (std::holds_alternative<Split>(generated.op)) return generated;
  }
}
/// An index of it lies outside.
inline generation::Generated failing_gather_case() {
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  Differential differential(*reference);
  for (std::uint64_t i = 0;; ++i) {
    generation::Generated generated = generated_case(i);
    if (!std::holds_alternative<OnnxGather>(generated.op) ||
        generated.version < OnnxGather::kNegativeIndicesSince)
      continue;
    EXPECT_TRUE(differential.agrees_on_valid(generated));
    if (differential.reference_error() == "gather.index-range") return generated;
  }
}

/// What is wrong with the backend, and what is said of it.
inline judging::CaseResult judged(test::FakeBackend& faulty,
                                  const generation::Generated& generated) {
  Differential differential(faulty);
  EXPECT_FALSE(differential.agrees_on_valid(generated));
  return differential.judge_valid(generated);
}

}  // namespace opconform::running
