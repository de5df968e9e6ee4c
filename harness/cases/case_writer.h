// Cases into case files: what a finding is written as, and what a person reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/base/json_document.h"
#include "harness/cases/case.h"

namespace opconform::cases {

/// How lists of elements are written: each by itself in rows, or with patterns.
enum class Lists : std::uint8_t { kWrittenOut, kPatterns };

/// What a case without contents has in "desc", as JSON on one line: the same as case_to_json()
/// gives, ten times as fast.
std::string descriptor_text(const Operator& op);

/// The case as an element of "cases". Reading it again gives an equal case.
base::Json case_to_json(const Case& one, Lists lists = Lists::kWrittenOut);

/// A whole file. All cases must be of one operator, and have one label or none.
base::Json cases_to_json(std::span<const Case> cases, const std::string& schema);

/// What a generated file says of itself, besides the number of its cases.
struct GeneratedHeader {
  std::string by{};                    ///< what made it
  std::vector<std::uint64_t> seeds{};  ///< of what was drawn; none where nothing is
  std::string corpus{};                ///< the version of the corpus that it was made for
  std::string hunts{};                 ///< the kind of bug that its cases are there for
};
/// A generated file: one case a line, with patterns. All cases must be of one operator, and have
/// one label or none.
std::string generated_text(std::span<const Case> cases, const GeneratedHeader& header,
                           const std::string& schema);

}  // namespace opconform::cases
