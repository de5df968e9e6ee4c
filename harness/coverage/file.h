// Coverage as a file: what one process collected, or many together. Merging adds counters and joins
// combinations, so that any number of shards in any order gives what one run gives.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "harness/coverage/model.h"

namespace opconform::coverage {

/// The combinations of so many factors of an operator's generator.
struct CombinationKey {
  std::string operator_name;  ///< as documented
  unsigned strength;
  friend auto operator<=>(const CombinationKey&, const CombinationKey&) = default;
};

/// Far above what all combinations of five factors take.
inline constexpr std::size_t kMaxCoverageFileBytes = std::size_t{64} << 20;

struct CollectedCoverage {
  std::vector<std::uint64_t> counters =
      std::vector<std::uint64_t>(coverage_model().counter_count());
  /// A bit for each combination that was reached.
  std::map<CombinationKey, std::vector<std::uint64_t>> combinations;

  /// Counters stop at the largest number, rather than to wrap.
  void merge(const CollectedCoverage& other);
};

/// `program` is its name and version. Only what was reached stands in the file.
base::Json coverage_to_json(const CollectedCoverage& coverage, std::string_view program);

/// Reads the files and merges them. Throws BadInput, also where they were written for different
/// models, or for another one than this build's.
CollectedCoverage read_coverage_files(std::span<const std::string> files);

/// Words as text: hexadecimal, one behind the other, "0*12" for a word that is there 12 times.
std::string words_to_text(std::span<const std::uint64_t> words);
/// Nothing where the text is not of that form or not of so many words.
std::optional<std::vector<std::uint64_t>> words_from_text(std::string_view text, std::size_t count);

}  // namespace opconform::coverage
