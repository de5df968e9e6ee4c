// Shapes beside their neighbours: adding one to a number or doubling it costs what the bytes grow
// by, unless there is a cliff.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "bench/families.h"

namespace opconform::bench {

/// Growing by more than this times what the bytes grow by is a cliff.
inline constexpr double kMostGrowth = 1.5;

struct Neighbour {
  std::string from;  ///< names of the two shapes
  std::string to;
  double from_ns;
  double to_ns;
  double bytes_growth;
  double limit_growth;  ///< of the time of a plain copy of as many bytes

  [[nodiscard]] double growth() const { return to_ns / from_ns / bytes_growth; }
  [[nodiscard]] bool is_cliff() const { return growth() > kMostGrowth; }
  /// More than a plain copy has, which falls out of a cache at the same place.
  [[nodiscard]] bool is_own_cliff() const {
    return is_cliff() && to_ns / from_ns / limit_growth > kMostGrowth;
  }
};

/// The shape with one added to its length or to one of its numbers, or with that twice as large, as
/// far as the family's numbers go.
[[nodiscard]] std::vector<Shape> neighbours_of(const Shape& shape);

/// All neighbours of each shape but those of the last tier, whose time is memory's; so many samples
/// each. What looks like a cliff is measured again, and the smaller growth counts.
[[nodiscard]] std::vector<Neighbour> measure_neighbours(const std::vector<Shape>& shapes,
                                                        std::size_t samples);
/// How many there are, and every cliff.
void print(std::ostream& out, const std::vector<Neighbour>& neighbours);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Neighbour>& neighbours);

}  // namespace opconform::bench
