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
};

/// Prints what differs, and how much was compared. Returns the exit code: kNonconformance where
/// something differs, kBadInput where the committed cases are other ones. Throws BadInput where the
/// file holds no certificate, or one of an implementation that this program does not have.
int verify_certificate(const VerificationSettings& settings);

}  // namespace opconform::cli
