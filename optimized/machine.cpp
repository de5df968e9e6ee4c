#include "optimized/machine.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace opconform::optimized {
namespace {

constexpr std::ptrdiff_t kM = std::ptrdiff_t{1} << 20;  // MiB
constexpr std::ptrdiff_t kNever = std::numeric_limits<std::ptrdiff_t>::max();

/// What is decided by when input and output overflow it: of 32 MiB, in the table below.
constexpr std::ptrdiff_t Machine::*kOfThirdCache[] = {
    &Machine::streamed_runs_bytes, &Machine::streamed_reversed_bytes,
    &Machine::streamed_broadcast_bytes, &Machine::streamed_pattern_bytes,
    &Machine::streamed_transpose_bytes};

[[noreturn]] void reject(std::string_view forced) {
  std::string text = "OPCONFORM_MACHINE is \"" + std::string(forced) + "\", but must be";
  for (const Machine& machine : known_machines()) text += " " + machine.name + " or";
  text.resize(text.size() - 3);
  text += ", and any of";
  for (const auto& [name, field] : kMachineFields) text += " ," + std::string(name) + "=N";
  throw std::runtime_error(text);
}

bool set_field(std::string_view setting, Machine& machine) {
  for (const auto& [name, field] : kMachineFields) {
    if (!setting.starts_with(name) || !setting.substr(name.size()).starts_with('=')) continue;
    const std::string_view number = setting.substr(name.size() + 1);
    machine.*field = kNever;
    if (number == "never") return true;
    const char* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, machine.*field);
    return read.ec == std::errc{} && read.ptr == end && machine.*field >= 0;
  }
  return false;
}

Processor this_processor() {
  Processor processor;
#if defined(__x86_64__)
  const auto is_amd = static_cast<bool>(__builtin_cpu_is("amd"));
  if (is_amd) processor.machine = "zen";
  if (__builtin_cpu_is("amdfam19h"))  // of its two generations, the second has AVX-512
    processor.machine = __builtin_cpu_supports("avx512f") ? "zen4" : "zen3";
  if (__builtin_cpu_is("amdfam17h")) processor.machine = "zen3";  // its predecessors
  // AMD's manual, volume 3, appendix E, and Intel's, leaf 4: the third cache that a core reaches.
  // The type, 0 where there is none; ways, partitions and line, and sets, each less 1.
  unsigned is[4] = {};
  const unsigned leaf = is_amd ? 0x8000001D : 4;
  if (__get_cpuid_count(leaf, 3, &is[0], &is[1], &is[2], &is[3]) == 1 && (is[0] & 0x1F) != 0)
    processor.third_cache_bytes = std::ptrdiff_t{(is[1] >> 22) + 1} * ((is[1] >> 12 & 0x3FF) + 1) *
                                  ((is[1] & 0xFFF) + 1) * (std::ptrdiff_t{is[2]} + 1);
#endif
  return processor;
}

}  // namespace

std::span<const Machine> known_machines() {
  static const std::array<Machine, 5> all{{
      {"intel", 2 * kM, 32 * kM, 32 * kM, 32 * kM, 32 * kM, 32 * kM, 32 * kM, 2 * kM, 2 * kM,
       2 * kM, 64 * kM, 1024, 0, 0},
      {"zen", kNever, kNever, kNever, kNever, 10 * kM, 48 * kM, 48 * kM, kNever, kNever, 2 * kM,
       64 * kM, 1024, 768, kNever},
      {"zen4", kNever, kNever, 10 * kM, kNever, 10 * kM, 32 * kM, kNever, kNever, kNever, 2 * kM,
       64 * kM, 1024, 0, kNever},
      {"zen3", kNever, kNever, 8 * kM, kNever, 8 * kM, 6 * kM, 10 * kM, 8 * kM, kNever, 4 * kM,
       64 * kM, 16 << 10, 0, kNever},
      {"granite", kNever, 48 * kM, 24 * kM, 32 * kM, 32 * kM, 48 * kM, 48 * kM, 2 * kM, 2 * kM,
       2 * kM, 64 * kM, 1024, 0, 0},
  }};
  return all;
}

Machine choose_machine(const char* forced, const Processor& processor) {
  const bool is_forced = forced != nullptr && *forced != '\0';
  const bool is_granite = processor.machine == "intel" && processor.third_cache_bytes > 320 * kM;
  const std::string_view text = is_forced ? forced : is_granite ? "granite" : processor.machine;
  std::size_t end = std::min(text.find(','), text.size());
  const auto named = std::ranges::find(known_machines(), text.substr(0, end), &Machine::name);
  if (named == known_machines().end()) reject(text);
  Machine machine = *named;
  if (!is_forced && processor.machine != "intel")
    for (const auto number : kOfThirdCache)
      if (machine.*number != kNever)
        machine.*number = machine.*number * (processor.third_cache_bytes >> 10) / (32 << 10);
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(',', begin), text.size());
    if (!set_field(text.substr(begin, end - begin), machine)) reject(text);
  }
  return machine;
}

const Machine& machine_in_use() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  static const Machine machine = choose_machine(std::getenv("OPCONFORM_MACHINE"), this_processor());
  return machine;
}

std::string_view machine_name_in_use() { return machine_in_use().name; }

std::string_view name(Isa isa) { return isa == Isa::kAvx2 ? "avx2" : "scalar"; }

bool machine_has(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return static_cast<bool>(__builtin_cpu_supports("avx2"));
#endif
  return isa == Isa::kScalar;
}

Isa choose_isa(const char* forced, bool machine_has_avx2) {
  if (forced == nullptr || *forced == '\0') return machine_has_avx2 ? Isa::kAvx2 : Isa::kScalar;
  if (forced == name(Isa::kScalar)) return Isa::kScalar;
  if (forced != name(Isa::kAvx2))
    throw std::runtime_error("OPCONFORM_FORCE_ISA is \"" + std::string(forced) +
                             "\", but must be \"scalar\" or \"avx2\"");
  if (!machine_has_avx2)
    throw std::runtime_error(R"(OPCONFORM_FORCE_ISA is "avx2", but this machine has no AVX2)");
  return Isa::kAvx2;
}

Isa isa_in_use() {
  static const Isa isa = choose_isa(std::getenv("OPCONFORM_FORCE_ISA"),
                                    machine_has(Isa::kAvx2));  // NOLINT(concurrency-mt-unsafe)
  return isa;
}

}  // namespace opconform::optimized
