// What the memory of this machine gives, by size: the roof over every figure of the table.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

namespace opconform::bench {

/// Gigabytes a second, read and written, of one thread over buffers of so many bytes each.
struct RooflineRow {
  std::size_t buffer_bytes;
  double read;
  double write;
  double streaming_write;
  double memcpy;
  double streaming_copy;
  double four_page_streaming_copy;
};

/// From the first cache to memory; each figure is the median of so many samples.
[[nodiscard]] std::vector<RooflineRow> measure_roofline(std::size_t samples);
void print(std::ostream& out, const std::vector<RooflineRow>& rows);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<RooflineRow>& rows);

}  // namespace opconform::bench
