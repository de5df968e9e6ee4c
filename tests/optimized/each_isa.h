// What tests of kernels share: both instruction sets, and numbers drawn at random.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>

#include "optimized/machine.h"

namespace opconform::test {

/// Skipped where the machine lacks the instruction set: its kernels cannot run there.
class EachIsa : public testing::TestWithParam<optimized::Isa> {
 protected:
  void SetUp() override {
    if (!optimized::machine_has(GetParam()))
      GTEST_SKIP() << "this machine has no " << optimized::name(GetParam());
  }
};
inline auto isas() { return testing::Values(optimized::Isa::kScalar, optimized::Isa::kAvx2); }
inline std::string isa_name(const testing::TestParamInfo<optimized::Isa>& tested) {
  return std::string(optimized::name(tested.param));
}

using Random = std::minstd_rand;
inline std::ptrdiff_t choose(Random& random, std::ptrdiff_t least, std::ptrdiff_t most) {
  return std::uniform_int_distribution<std::ptrdiff_t>(least, most)(random);
}

}  // namespace opconform::test
