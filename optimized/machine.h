// What differs from machine to machine: the instruction set, and from how many bytes on something
// pays. What is good on all of them stands in tuning.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "opconform/optimized.h"

namespace opconform::optimized {

struct Machine {
  std::string name;
  /// From this many bytes of output on, what is read next is fetched while the block before it is
  /// copied. Below, all stays in the second cache.
  std::ptrdiff_t fetched_output_bytes;
  /// From this many bytes of output on, they are stored past the cache.
  std::ptrdiff_t streamed_output_bytes;
  /// Where runs are long: kStreamingRunBytes in tuning.h.
  std::ptrdiff_t streamed_runs_bytes;
  /// Where all of the source is read backwards.
  std::ptrdiff_t streamed_backward_bytes;
  /// Where each line of it is, which some machines foresee worse.
  std::ptrdiff_t streamed_reversed_bytes;
  /// Where little is read, again and again, and written in long lines.
  std::ptrdiff_t streamed_broadcast_bytes;
  /// Where it is a pattern, or another line of less than kStreamingRunBytes.
  std::ptrdiff_t streamed_pattern_bytes;
  /// Transposes gain by it sooner: their lines of the target lie apart.
  std::ptrdiff_t streamed_transpose_bytes;
  /// Not so those of narrow elements, of rows shorter than kLeastRowBytes, or of few planes.
  std::ptrdiff_t streamed_narrow_bytes;
  /// And those soonest whose lines get into each other's way: tuning.h, kCrowdedPitchBytes.
  std::ptrdiff_t streamed_crowded_bytes;
  /// From this many bytes of output on, gathered rows are stored past the cache.
  std::ptrdiff_t streamed_gather_bytes;
  /// Different runs of at least this many bytes are stored past the cache from where they are:
  /// shorter ones cost more by the lines that their ends share than by a stage in between.
  std::ptrdiff_t unstaged_run_bytes;
  /// From this many bytes of a row on, where elements are gathered from rows, the next are fetched.
  std::ptrdiff_t fetched_row_bytes;
  /// From this many bytes of output on, a scatter stages columns whose lines lie a large power of
  /// two apart: a third cache that is as fast as the second makes two more copies a loss.
  std::ptrdiff_t staged_columns_bytes;
  /// A thread gets at least this many bytes of output: to wake it takes as long as to copy them.
  std::ptrdiff_t least_part_bytes = 384 << 10;

  friend bool operator==(const Machine&, const Machine&) = default;
};

struct MachineField {
  std::string_view name;
  std::ptrdiff_t Machine::*number;
};
#define OPCONFORM_FIELD(name) \
  { #name, &Machine::name }
inline constexpr MachineField kMachineFields[] = {
    OPCONFORM_FIELD(fetched_output_bytes),    OPCONFORM_FIELD(streamed_output_bytes),
    OPCONFORM_FIELD(streamed_runs_bytes),     OPCONFORM_FIELD(streamed_backward_bytes),
    OPCONFORM_FIELD(streamed_reversed_bytes), OPCONFORM_FIELD(streamed_broadcast_bytes),
    OPCONFORM_FIELD(streamed_pattern_bytes),  OPCONFORM_FIELD(streamed_transpose_bytes),
    OPCONFORM_FIELD(streamed_narrow_bytes),   OPCONFORM_FIELD(streamed_crowded_bytes),
    OPCONFORM_FIELD(streamed_gather_bytes),   OPCONFORM_FIELD(unstaged_run_bytes),
    OPCONFORM_FIELD(fetched_row_bytes),       OPCONFORM_FIELD(staged_columns_bytes),
    OPCONFORM_FIELD(least_part_bytes)};
#undef OPCONFORM_FIELD

/// docs/kernels.md says on what each was measured.
[[nodiscard]] std::span<const Machine> known_machines();

struct Processor {
  std::string_view machine = "intel";           ///< the known one of that vendor and family
  std::ptrdiff_t third_cache_bytes = 32 << 20;  ///< that a core reaches; as zen's, if unknown
};
/// `forced` is the value of OPCONFORM_MACHINE, or null where it is not set: the name of a known
/// machine, then numbers that are other there, or never: "zen,streamed_output_bytes=8388608".
/// Without it, the processor's, or granite, whose third cache is larger than any of Intel before
/// it; what the third cache decides on those of AMD is as its size.
/// Throws std::runtime_error.
[[nodiscard]] Machine choose_machine(const char* forced, const Processor& processor);

/// By this processor and the environment, which is read once. Throws as choose_machine().
[[nodiscard]] const Machine& machine_in_use();

[[nodiscard]] bool machine_has(Isa isa);

/// Behind isa_in_use(). `forced` is the value of OPCONFORM_FORCE_ISA, or null where it is not set.
/// Throws std::runtime_error.
[[nodiscard]] Isa choose_isa(const char* forced, bool machine_has_avx2);

}  // namespace opconform::optimized
