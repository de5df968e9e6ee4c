// What differs from machine to machine: from how many bytes on an order of blocks pays. What is
// good on all of them stands in tuning.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace opconform::optimized {

struct Machine {
  std::string name;
  /// From this many bytes of output on, what is read next is fetched while the block before it is
  /// copied. Below, all stays in the second cache.
  std::ptrdiff_t fetched_output_bytes;
  /// From this many bytes of output on, they are stored past the cache.
  std::ptrdiff_t streamed_output_bytes;
  /// Transposes gain by it sooner: their lines of the target lie apart.
  std::ptrdiff_t streamed_transpose_bytes;
  /// From this many bytes of output on, gathered rows are stored past the cache.
  std::ptrdiff_t streamed_gather_bytes;

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// The numbers of intel were measured; zen has the same until they are measured there.
[[nodiscard]] std::span<const Machine> known_machines();

/// `forced` is the value of OPCONFORM_MACHINE, or null where it is not set: the name of a known
/// machine, then numbers that are other there: "zen,streamed_output_bytes=8388608". Without it, the
/// machine of that vendor, or else the first. Throws std::runtime_error.
[[nodiscard]] Machine choose_machine(const char* forced, bool is_amd);

/// By this processor and the environment, which is read once. Throws as choose_machine().
[[nodiscard]] const Machine& machine_in_use();

}  // namespace opconform::optimized
