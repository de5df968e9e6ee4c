#include "optimized/machine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "opconform/optimized.h"

namespace opconform::optimized {
namespace {

constexpr std::ptrdiff_t kMiB = std::ptrdiff_t{1} << 20;

constexpr std::pair<std::string_view, std::ptrdiff_t Machine::*> kFields[] = {
    {"fetched_output_bytes", &Machine::fetched_output_bytes},
    {"streamed_output_bytes", &Machine::streamed_output_bytes},
    {"streamed_transpose_bytes", &Machine::streamed_transpose_bytes},
    {"streamed_gather_bytes", &Machine::streamed_gather_bytes},
};

[[noreturn]] void refuse(std::string_view forced) {
  std::string text = "OPCONFORM_MACHINE is \"" + std::string(forced) + "\", but must be";
  for (const Machine& machine : known_machines()) text += " " + machine.name + " or";
  text.resize(text.size() - 3);
  text += ", and any of";
  for (const auto& [name, field] : kFields) text += " ," + std::string(name) + "=N";
  throw std::runtime_error(text);
}

bool set_field(std::string_view setting, Machine& machine) {
  for (const auto& [name, field] : kFields) {
    if (!setting.starts_with(name) || !setting.substr(name.size()).starts_with('=')) continue;
    const std::string_view number = setting.substr(name.size() + 1);
    const char* const end = number.data() + number.size();
    std::ptrdiff_t bytes = 0;
    const auto read = std::from_chars(number.data(), end, bytes);
    if (read.ec != std::errc{} || read.ptr != end || bytes < 0) return false;
    machine.*field = bytes;
    return true;
  }
  return false;
}

bool is_amd() {
#if defined(__x86_64__)
  // An int to g++. NOLINTNEXTLINE(readability-implicit-bool-conversion)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

}  // namespace

std::span<const Machine> known_machines() {
  static const std::array<Machine, 2> all{{
      {.name = "intel",
       .fetched_output_bytes = 2 * kMiB,
       .streamed_output_bytes = 32 * kMiB,
       .streamed_transpose_bytes = 2 * kMiB,
       .streamed_gather_bytes = 64 * kMiB},
      {.name = "zen",  // not measured yet
       .fetched_output_bytes = 2 * kMiB,
       .streamed_output_bytes = 32 * kMiB,
       .streamed_transpose_bytes = 2 * kMiB,
       .streamed_gather_bytes = 64 * kMiB},
  }};
  return all;
}

Machine choose_machine(const char* forced, bool is_amd) {
  const std::span<const Machine> all = known_machines();
  if (forced == nullptr || *forced == '\0') return all[is_amd ? 1 : 0];
  const std::string_view text = forced;
  std::size_t end = std::min(text.find(','), text.size());
  const auto named = std::find_if(all.begin(), all.end(), [&](const Machine& machine) {
    return machine.name == text.substr(0, end);
  });
  if (named == all.end()) refuse(text);
  Machine machine = *named;
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(',', begin), text.size());
    if (!set_field(text.substr(begin, end - begin), machine)) refuse(text);
  }
  return machine;
}

const Machine& machine_in_use() {
  static const Machine machine =
      choose_machine(std::getenv("OPCONFORM_MACHINE"), is_amd());  // NOLINT(concurrency-mt-unsafe)
  return machine;
}

std::string_view machine_name_in_use() { return machine_in_use().name; }

}  // namespace opconform::optimized
