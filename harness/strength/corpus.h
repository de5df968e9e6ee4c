// The generated part of the committed cases: what they are to cover, and cases for what is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/generation/combinations.h"
#include "harness/generation/factors.h"

namespace opconform::strength {

/// The operator's factors, as far as a case file can hold them: where buffers start in memory is
/// the run's affair (`opconform run --seed`).
[[nodiscard]] generation::FactorModel committed_factors(std::size_t operator_index);

/// The factors of a case, in the order of the model: {"data type", "UINT8"}, …
using NamedFactors = decltype(cases::Case::factors);
[[nodiscard]] NamedFactors named_factors(const generation::FactorModel& model,
                                         const generation::Assignment& assignment);
/// The other way; nothing where they are not those of this model, or do not go together.
[[nodiscard]] std::optional<generation::Assignment> assignment_of(
    const generation::FactorModel& model, const NamedFactors& named);

/// What committed cases of one operator hold.
struct CorpusCount {
  std::size_t executed = 0;  ///< with a result or an error
  std::size_t strided = 0;   ///< of the executed: those in which a tensor has strides
  std::size_t rejected = 0;
  generation::CombinationCount pairs;  ///< of factors, by the cases that were generated for them
  generation::CombinationCount triples;
  /// Rules alone broken, with each version and with each data type of the first tensor.
  std::uint64_t broken_cells = 0;
};
[[nodiscard]] CorpusCount count_corpus(std::size_t operator_index,
                                       const std::vector<cases::Case>& cases);

/// Cases for every triple of factors and every broken rule, version and data type that no case of
/// `present` has, by the file that they belong into ("PREFIX/generated/combinations-uint8.json"),
/// each with what conforms, and with an id that is not in `taken`. Empty where nothing is missing.
[[nodiscard]] std::map<std::string, std::vector<cases::Case>> missing_cases(
    const std::vector<cases::Case>& present, const std::set<std::string>& taken,
    std::uint64_t seed);

/// Gives a case that has factors its sentence, and the rules that it shows. What conforms may be
/// left to the reference.
void describe_generated(cases::Case& one);

/// The kind of bug that the cases of such a file hunt.
[[nodiscard]] std::string_view hunted_by(const std::string& file);

/// Below the folder of an operator: what no person wrote.
inline constexpr std::string_view kGeneratedFolder = "generated";

}  // namespace opconform::strength
