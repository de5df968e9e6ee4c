// Where each element of an output comes from, if an implementation does what the documents say, or
// what a reading makes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/diagnosis/reading.h"
#include "harness/judging/evidence.h"

namespace opconform::diagnosis {

/// What went to a place of an output's buffer last.
struct Arrival {
  std::size_t input;        ///< its number
  model::Coordinates from;  ///< as the reading counts
  /// Where it was read, from the start of the input's buffer; nothing where that is not in it.
  std::optional<std::uint64_t> offset_bytes;
  std::optional<std::uint64_t> index;  ///< the row-major number of the index that sent it there
};

/// Of places of outputs, by the output's number and the offset in its buffer in bytes: what went
/// there; nothing where nothing did.
using Arrivals = std::map<std::pair<std::size_t, std::uint64_t>, std::optional<Arrival>>;

/// Follows an execution by the model with what the evidence says was given; without a reading, one
/// as documented. Sets the places that `arrivals` holds.
void trace(const Operator& op, Version version, const Reading* reading,
           const judging::Evidence& evidence, Arrivals& arrivals);

}  // namespace opconform::diagnosis
