#include "reports/run_info.h"

#include <sys/utsname.h>

#include <cmath>
#include <ctime>
#include <fstream>

#include "opconform/optimized.h"

namespace opconform::reports {

std::string program_text() { return "opconform " OPCONFORM_VERSION; }

std::string processor_text() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown";
}

std::string system_text() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string time_text(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  (void)std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

base::Json run_info_to_json(const std::string& command,
                            std::chrono::system_clock::time_point started) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::system_clock::now() - started).count();
  return {{"program", program_text()},
          {"command", command},
          {"started", time_text(started)},
          {"seconds", std::round(seconds * 1000) / 1000},
          {"system", system_text()},
          {"processor", processor_text()},
          {"kernels", optimized::name(optimized::isa_in_use())},
          {"compiler", OPCONFORM_COMPILER}};
}

}  // namespace opconform::reports
