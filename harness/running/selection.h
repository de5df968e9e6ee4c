// Which cases of those loaded are run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"

namespace opconform::running {

/// Each list holds alternatives; an empty one lets all cases pass.
struct Selection {
  std::vector<std::string> filters{};    ///< globs over ids
  std::vector<std::size_t> operators{};  ///< places in all_operators()
  std::vector<std::string> rules{};      ///< globs over the rules that a case shows or breaks
  std::vector<DataType> data_types{};    ///< of the first tensor of values
  std::optional<Version> at_most{};      ///< DirectML cases of higher feature levels are left out
  std::size_t shard = 0;                 ///< every shard_count-th case, from this one on
  std::size_t shard_count = 1;
};
std::vector<const cases::Case*> select(const std::vector<cases::Case>& cases,
                                       const Selection& selection);

/// fnmatch over the whole text: * also passes slashes.
bool matches_glob(const std::string& glob, const std::string& text);

}  // namespace opconform::running
