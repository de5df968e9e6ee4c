// The numbers that plans go by, and what the environment may say about them.
#include "optimized/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace opconform::optimized {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Machine, TheVendorChoosesUnlessOneIsNamed) {
  EXPECT_EQ(choose_machine(nullptr, false).name, "intel");
  EXPECT_EQ(choose_machine(nullptr, true).name, "zen");
  EXPECT_EQ(choose_machine("", true).name, "zen");
  for (const bool is_amd : {false, true})
    for (const Machine& machine : known_machines())
      EXPECT_EQ(choose_machine(machine.name.c_str(), is_amd), machine);
}

TEST(Machine, NumbersMayBeOthers) {
  const Machine all = choose_machine(
      "intel,fetched_output_bytes=1,streamed_output_bytes=22,streamed_transpose_bytes=333,"
      "streamed_gather_bytes=4444",
      true);
  EXPECT_EQ(all, (Machine{"intel", 1, 22, 333, 4444}));
  Machine one = choose_machine("zen", false);
  one.streamed_output_bytes = 0;
  EXPECT_EQ(choose_machine("zen,streamed_output_bytes=0", false), one);
}

TEST(Machine, AnythingElseIsAnErrorThatSaysWhatMayStandThere) {
  for (const char* forced :
       {"amd", "zen ", ",", "zen,", "zen,streamed_output_bytes", "zen,streamed_output_bytes=",
        "zen,streamed_output_bytes=-1", "zen,streamed_output_bytes=1x", "zen,streamed=1",
        "zen,streamed_output_bytes=99999999999999999999", "zen,streamed_output_bytes=1,"})
    EXPECT_THAT([&] { (void)choose_machine(forced, true); },
                ThrowsMessage<std::runtime_error>(
                    HasSubstr("OPCONFORM_MACHINE is \"" + std::string(forced) +
                              "\", but must be intel or zen, and any of ,fetched_output_bytes=N")))
        << forced;
}

// In a process of its own, because the variable is read once.
TEST(MachineDeathTest, TheEnvironmentIsAsked) {
  const auto exit_code = [] {
    ::setenv("OPCONFORM_MACHINE", "zen,streamed_gather_bytes=5", 1);
    return machine_in_use().streamed_gather_bytes == 5 ? 0 : 1;
  };
  EXPECT_EXIT(std::exit(exit_code()), testing::ExitedWithCode(0), "");  // NOLINT
}

}  // namespace
}  // namespace opconform::optimized
