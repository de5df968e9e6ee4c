// The suite's own strength, measured: implementations that are wrong in one known way each must be
// caught, those that only use what the documents leave open must not be accused.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json_document.h"
#include "harness/cases/case.h"
#include "harness/judging/check.h"

namespace opconform::strength {

/// An implementation of which is known what must come of it.
struct Suspect {
  std::string name;
  std::string says;                      ///< what is special about it, in a sentence
  bool is_bug = true;                    ///< must be caught; otherwise it must not be
  std::vector<std::size_t> operators{};  ///< whose results it can change, as places in
                                         ///< all_operators(); only their cases are run
  std::function<std::unique_ptr<backends::Backend>()> make;
  std::vector<std::string> rules{};  ///< that it breaks
  bool until_caught = false;  ///< as if SelftestOptions::enough were 1: where cases take long
};

/// What one kind of cases made of a suspect.
struct Stage {
  std::uint64_t cases = 0;                    ///< that were run
  std::optional<std::uint64_t> caught_after;  ///< cases, the first that caught it included
  std::vector<std::string> caught_by;         ///< ids of all that were run and catch it; of
                                              ///< generated cases the first alone
};

/// What a diagnosis says of failures that it puts together.
struct Diagnosed {
  std::string rule;  ///< that is said to be broken; empty where none is named
  std::string says;
  std::uint64_t failures = 0;
  std::uint64_t contradicted = 0;
  bool is_explained = false;  ///< by a reading, or by what the outcome shows
};

struct SuspectResult {
  Stage documents;  ///< the examples of the documents: cases of a folder of that name
  Stage suite;      ///< all cases, those of the documents included
  Stage fuzz;
  std::string first_message;         ///< of the first case that caught it
  std::vector<Diagnosed> diagnosed;  ///< of the cases of `suite`, the largest group first
  bool is_complete = false;          ///< all that is to be tried was tried

  [[nodiscard]] bool is_caught() const { return suite.caught_after || fuzz.caught_after; }
};

struct SelftestOptions {
  judging::CheckOptions check;
  unsigned jobs = 1;
  /// Of each operator, cases are run until so many catch the bug. Eight are enough for those of
  /// more than 32 KiB, which are run last.
  std::optional<std::uint64_t> enough{};
  std::uint64_t seed = 1;  ///< of generated cases
  /// Generated cases for each suspect; where nothing has caught a bug by then, they go on for this
  /// time.
  std::uint64_t fuzz_cases = 10'000;
  std::chrono::milliseconds fuzz_time{10'000};
};

struct Selftest {
  std::vector<SuspectResult> results;  ///< in the order of the suspects
  std::vector<std::string> bad_input;  ///< cases that could not be run
  bool interrupted = false;
};

/// Is the suspect as it should be: a bug caught, or one that is none not accused?
[[nodiscard]] bool is_as_it_should(const Suspect& suspect, const SuspectResult& result);

/// Does a diagnosis name the rule that a bug breaks?
enum class Naming : std::uint8_t {
  kRight,  ///< of the largest group it is one of the bug's rules
  kWrong,  ///< another
  kNone,   ///< no rule is named, or no committed case fails
};
[[nodiscard]] Naming naming_of(const Suspect& suspect, const SuspectResult& result);

/// Shows every suspect to the cases, and to generated ones until one catches it: each in a worker
/// process, for it may crash. Same results, whatever the number of jobs. To be called while this
/// process has one thread. Ends soon after `stop` becomes true.
Selftest run_selftest(std::span<const Suspect> suspects, std::span<const cases::Case> cases,
                      const SelftestOptions& options, const std::function<void()>& on_suspect,
                      const std::atomic<bool>& stop);

/// With the ids of all cases that catch each suspect, of those that were run: without `enough`,
/// what a smallest suite is computed from. Of suspects that were not tried to the end nothing is
/// said.
base::Json selftest_to_json(std::span<const Suspect> suspects, const Selftest& selftest,
                            const SelftestOptions& options);

}  // namespace opconform::strength
