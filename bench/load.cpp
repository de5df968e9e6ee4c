#include "bench/load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <string>

namespace opconform::bench {
namespace {

double busy_seconds_now() {
  std::ifstream stat("/proc/stat");
  return busy_seconds(stat);
}

double own_seconds_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

double busy_seconds(std::istream& stat) {
  std::string word;
  // user, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen
  std::array<double, 8> ticks{};
  stat >> word;
  for (double& some : ticks) stat >> some;
  if (!stat || word != "cpu") throw std::runtime_error("/proc/stat does not begin as expected");
  const double all = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
  return all / static_cast<double>(sysconf(_SC_CLK_TCK));
}

Load::Load()
    : busy_s_(busy_seconds_now()),
      own_s_(own_seconds_now()),
      start_(std::chrono::steady_clock::now()) {}

double Load::processors_of_others() const {
  const double busy_s = busy_seconds_now() - busy_s_ - (own_seconds_now() - own_s_);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  return std::max(busy_s, 0.0) / std::max(wall.count(), 1e-3);
}

}  // namespace opconform::bench
