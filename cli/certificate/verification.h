// Somebody else's certificate: does a random sample of what it rests on come out as it says?
#pragma once

#include <cstdint>
#include <string>

namespace opconform::cli {

struct VerificationSettings {
  std::string file{};              ///< a page or JSON of `opconform certify`
  std::string corpus_directory{};  ///< has the frozen cases
  std::uint64_t sample = 500;      ///< cases; generated ones, the grid and planted bugs besides
  std::uint64_t sample_seed = 0;
  std::string allowed_signers{};  ///< one of whom must have signed the file; empty: nobody need
};

/// Looks first whether the file is as it was signed, and its data as its digest has it: where not,
/// that is all. Then prints what differs, and how much was compared. Returns the exit code:
/// kNonconformance where something differs, kBadInput where the committed cases are other ones.
/// Throws BadInput where the file holds no certificate, or one of an implementation that this
/// program does not have, and reports::WriteError where ssh-keygen does not run.
int verify_certificate(const VerificationSettings& settings);

}  // namespace opconform::cli
