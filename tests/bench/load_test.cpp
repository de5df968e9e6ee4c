#include "bench/load.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <sstream>
#include <stdexcept>

#include "bench/clock.h"

namespace opconform::bench {
namespace {

TEST(Load, CountsWhatWasBusyOrStolenNotWhatWasIdle) {
  std::istringstream stat("cpu  1000 200 30 99999 88888 4 5 600 7 8\ncpu0 1 2\n");
  EXPECT_DOUBLE_EQ(busy_seconds(stat) * static_cast<double>(sysconf(_SC_CLK_TCK)), 1839);
}

TEST(Load, AnotherFormatIsAnError) {
  std::istringstream stat("intr 5 6\n");
  EXPECT_THROW((void)busy_seconds(stat), std::runtime_error);
}

TEST(Load, OfOthersIsNeverNegative) { EXPECT_GE(Load().processors_of_others(), 0); }

TEST(Elapsed, SleepingTakesNoProcessor) {
  const Elapsed time = elapsed([] { usleep(20'000); });
  EXPECT_GE(time.wall_ns, 20e6);
  EXPECT_LT(time.processor_ns, 10e6);
}

}  // namespace
}  // namespace opconform::bench
