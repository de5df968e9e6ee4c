// The numbers that plans go by, and what the environment may say about them.
#include "optimized/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

namespace opconform::optimized {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Processor kZen{.machine = "zen"};
constexpr Processor kZen3{.machine = "zen3"};
constexpr Processor kZen4{.machine = "zen4"};

Processor with_third_cache(Processor processor, std::ptrdiff_t bytes) {
  processor.third_cache_bytes = bytes;
  return processor;
}

TEST(Machine, VendorAndFamilyChooseUnlessOneIsNamed) {
  EXPECT_EQ(choose_machine(nullptr, {}).name, "intel");
  EXPECT_EQ(choose_machine(nullptr, kZen).name, "zen");
  EXPECT_EQ(choose_machine("", kZen).name, "zen");
  EXPECT_EQ(choose_machine(nullptr, kZen3).name, "zen3");
  EXPECT_EQ(choose_machine(nullptr, kZen4).name, "zen4");
  constexpr std::ptrdiff_t kLargestBefore = 320 << 20;
  EXPECT_EQ(choose_machine(nullptr, with_third_cache({}, kLargestBefore)).name, "intel");
  EXPECT_EQ(choose_machine(nullptr, with_third_cache({}, kLargestBefore + 1)).name, "granite");
  EXPECT_EQ(choose_machine(nullptr, with_third_cache(kZen4, kLargestBefore + 1)).name, "zen4");
  for (const Processor& processor : {Processor{}, kZen, kZen3, kZen4})
    for (const Machine& machine : known_machines())
      EXPECT_EQ(choose_machine(machine.name.c_str(), processor), machine);
}

TEST(Machine, TheThirdCacheDecidesOnThoseOfAmdAlone) {
  constexpr std::ptrdiff_t kNever = std::numeric_limits<std::ptrdiff_t>::max();
  const Machine& zen = known_machines()[1];
  EXPECT_EQ(choose_machine(nullptr, kZen), zen);
  EXPECT_EQ(choose_machine(nullptr, with_third_cache(kZen, 32 << 20)), zen);
  const Machine smaller = choose_machine(nullptr, with_third_cache(kZen, 16 << 20));
  EXPECT_EQ(smaller.streamed_runs_bytes, kNever);
  EXPECT_EQ(smaller.streamed_reversed_bytes, 5 << 20);
  EXPECT_EQ(smaller.streamed_broadcast_bytes, 24 << 20);
  EXPECT_EQ(smaller.streamed_pattern_bytes, 24 << 20);
  EXPECT_EQ(smaller.streamed_crowded_bytes, zen.streamed_crowded_bytes);
  const Machine large = choose_machine(nullptr, with_third_cache(kZen4, std::ptrdiff_t{1} << 30));
  EXPECT_EQ(large.streamed_runs_bytes, 320 << 20);
  EXPECT_EQ(large.streamed_pattern_bytes, kNever);
  EXPECT_EQ(choose_machine(nullptr, with_third_cache({}, 16 << 20)), known_machines()[0]);
  EXPECT_EQ(choose_machine("zen", with_third_cache(kZen, 16 << 20)), zen);
}

TEST(Machine, NumbersMayBeOthers) {
  const Machine all = choose_machine(
      "intel,fetched_output_bytes=1,streamed_output_bytes=2,streamed_runs_bytes=9,"
      "streamed_backward_bytes=10,streamed_reversed_bytes=3,streamed_broadcast_bytes=4,"
      "streamed_pattern_bytes=11,streamed_transpose_bytes=55,streamed_narrow_bytes=66,"
      "streamed_crowded_bytes=6,"
      "streamed_gather_bytes=7,unstaged_run_bytes=14,fetched_row_bytes=13,staged_columns_bytes=12,"
      "least_part_bytes=8",
      kZen);
  EXPECT_EQ(all, (Machine{"intel", 1, 2, 9, 10, 3, 4, 11, 55, 66, 6, 7, 14, 13, 12, 8}));
  Machine one = choose_machine("zen", {});
  one.streamed_output_bytes = 0;
  EXPECT_EQ(choose_machine("zen,streamed_output_bytes=0", {}), one);
  one.streamed_output_bytes = std::numeric_limits<std::ptrdiff_t>::max();
  EXPECT_EQ(choose_machine("zen,streamed_output_bytes=never", {}), one);
}

TEST(Machine, AnythingElseIsAnErrorThatSaysWhatMayStandThere) {
  for (const char* forced :
       {"amd", "zen ", ",", "zen,", "zen,streamed_output_bytes", "zen,streamed_output_bytes=",
        "zen,streamed_output_bytes=-1", "zen,streamed_output_bytes=1x", "zen,streamed=1",
        "zen,streamed_output_bytes=99999999999999999999", "zen,streamed_output_bytes=1,"})
    EXPECT_THAT([&] { (void)choose_machine(forced, kZen); },
                ThrowsMessage<std::runtime_error>(
                    HasSubstr("OPCONFORM_MACHINE is \"" + std::string(forced) +
                              "\", but must be intel or zen or zen4 or zen3 or granite, and any of "
                              ",fetched_output_bytes=N")))
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
