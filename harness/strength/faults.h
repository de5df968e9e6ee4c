// Faults that are injected into the correct results of any implementation.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/judging/verdict.h"

namespace opconform::strength {

/// What a case must expect for a fault to show in it.
enum class ShownBy : std::uint8_t { kResult, kRejection, kError };

/// An execution that has come to an end.
struct Spoiling {
  const Bindings& bindings;
  /// What the outputs held before, and what the execution before this one gave; empty of the first.
  std::span<const std::vector<std::byte>> before;
  std::span<const std::vector<std::byte>> last;
};

struct Fault {
  std::string_view says;  ///< "changes an element of an output"
  ShownBy shown_by;
  judging::Verdict due;
  /// Of executions: changes what came of one.
  void (*spoil)(const Spoiling& spoiling, backends::Ending& ending) = nullptr;
  /// Of preparations: what comes instead of a rejection, or of a plan.
  bool accepts_all = false;
  bool rejects_all = false;
  bool takes_long = false;  ///< runs into the time limit: one case is enough
};
[[nodiscard]] std::span<const Fault> all_faults();

/// The backend must outlive what is returned, and has its name.
[[nodiscard]] std::unique_ptr<backends::Backend> with_fault(backends::Backend& backend,
                                                            const Fault& fault);

}  // namespace opconform::strength
