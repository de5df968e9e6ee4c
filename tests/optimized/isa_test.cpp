// The choice of the instruction set, and what the environment may say about it.
#include "optimized/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace opconform::optimized {
namespace {

using testing::HasSubstr;
using testing::Property;
using testing::ThrowsMessage;

TEST(Isa, TheBestOfTheMachineUnlessForced) {
  EXPECT_EQ(choose_isa(nullptr, true), Isa::kAvx2);
  EXPECT_EQ(choose_isa(nullptr, false), Isa::kScalar);
  EXPECT_EQ(choose_isa("scalar", true), Isa::kScalar);
  EXPECT_EQ(choose_isa("avx2", true), Isa::kAvx2);
}

TEST(Isa, AForcedOneThatTheMachineLacksIsAnError) {
  EXPECT_THAT([] { (void)choose_isa("avx2", false); },
              ThrowsMessage<std::runtime_error>(HasSubstr("this machine has no AVX2")));
}

TEST(Isa, AnythingElseIsAnErrorThatSaysWhatMayStandThere) {
  for (const char* forced : {" ", "AVX2", "sse2", "avx2 "})
    EXPECT_THAT([&] { (void)choose_isa(forced, true); },
                ThrowsMessage<std::runtime_error>(HasSubstr(
                    "OPCONFORM_FORCE_ISA is \"" + std::string(forced) + "\", but must be")));
}

TEST(Isa, AnEmptyVariableIsNone) {
  EXPECT_EQ(choose_isa("", true), Isa::kAvx2);
  EXPECT_EQ(choose_isa("", false), Isa::kScalar);
}

TEST(Isa, TheMachineHasWhatTheKernelSaysThatItHas) {
  EXPECT_TRUE(machine_has(Isa::kScalar));
  std::ifstream file("/proc/cpuinfo");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) GTEST_SKIP() << "there is no /proc/cpuinfo";
  EXPECT_EQ(machine_has(Isa::kAvx2), text.find(" avx2 ") != std::string::npos);
}

TEST(Isa, Names) {
  EXPECT_EQ(name(Isa::kScalar), "scalar");
  EXPECT_EQ(name(Isa::kAvx2), "avx2");
}

// In a process of its own, because the variable is read once.
int exit_code_with(const char* forced, Isa expected) {
  setenv("OPCONFORM_FORCE_ISA", forced, 1);
  try {
    return isa_in_use() == expected ? 0 : 1;
  } catch (const std::runtime_error&) {
    return 2;
  }
}

/// A call for few elements looks at the environment before it misses its buffers.
int exit_code_of_one_call_with(const char* forced) {
  setenv("OPCONFORM_FORCE_ISA", forced, 1);
  const Operator op = Slice1::plain({.data_type = DataType::kUint8, .rank = 1});
  try {
    static_cast<void>(execute_once(op, FeatureLevel::k6_4, {.inputs = {}, .outputs = {}}));
    return 0;
  } catch (const std::invalid_argument&) {
    return 1;
  } catch (const std::runtime_error&) {
    return 2;
  }
}

TEST(IsaDeathTest, TheEnvironmentForces) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(exit_code_with("scalar", Isa::kScalar)), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(exit_code_with("nonsense", Isa::kScalar)), testing::ExitedWithCode(2), "");
  EXPECT_EXIT(std::exit(exit_code_of_one_call_with("nonsense")), testing::ExitedWithCode(2), "");
  EXPECT_EXIT(std::exit(exit_code_of_one_call_with("scalar")), testing::ExitedWithCode(1), "");
  if (!machine_has(Isa::kAvx2)) GTEST_SKIP() << "no AVX2 here";
  EXPECT_EXIT(std::exit(exit_code_with("avx2", Isa::kAvx2)), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace opconform::optimized
