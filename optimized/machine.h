// What differs from machine to machine: the instruction set, and from how many bytes on something
// pays. What is good on all of them stands in tuning.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "opconform/optimized.h"

namespace opconform::optimized {

/// In bytes. Unless a field says of what, something pays for outputs of at least so many.
struct Machine {
  std::string name;
  std::ptrdiff_t fetched_output_bytes;      ///< fetching what the next block reads
  std::ptrdiff_t streamed_output_bytes;     ///< storing past the cache; the next, for some outputs:
  std::ptrdiff_t streamed_runs_bytes;       ///< long runs: kStreamingRunBytes in tuning.h
  std::ptrdiff_t streamed_backward_bytes;   ///< all of the source is read backwards
  std::ptrdiff_t streamed_reversed_bytes;   ///< each line is, which some machines foresee worse
  std::ptrdiff_t streamed_broadcast_bytes;  ///< one element or a long line is read again and again
  std::ptrdiff_t streamed_pattern_bytes;    ///< a pattern or a short line is
  /// Transposes, whose lines of the target lie apart; those of narrow elements, of rows shorter
  /// than kLeastRowBytes, or of few planes; and those whose lines get into each other's way:
  /// kCrowdedPitchBytes.
  std::ptrdiff_t streamed_transpose_bytes;
  std::ptrdiff_t streamed_narrow_bytes;
  std::ptrdiff_t streamed_crowded_bytes;
  std::ptrdiff_t streamed_gather_bytes;  ///< of gathered rows
  /// Of a run: shorter ones are staged before they are stored past the cache, because lines that
  /// their ends share cost more than that.
  std::ptrdiff_t unstaged_run_bytes;
  std::ptrdiff_t fetched_row_bytes;  ///< of a row whose elements are gathered: fetching the next
  /// A scatter stages columns whose lines lie a large power of two apart: a third cache that is as
  /// fast as the second makes two more copies a loss.
  std::ptrdiff_t staged_columns_bytes;
  std::ptrdiff_t least_part_bytes = 384 << 10;  ///< of a thread: to wake one takes as long

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
