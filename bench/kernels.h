// Each kernel of the table by itself, beside its scalar twin.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>
#include <vector>

namespace opconform::bench {

/// Gigabytes a second of output, one thread, all operands in the second cache.
struct KernelRow {
  std::string_view kernel;
  std::size_t width_bytes;
  double optimized;
  double scalar;  ///< the scalar twin, of the same loops
};

/// For all kernels and widths that optimized/kernels/kernels.def lists; each figure is the median
/// of so many samples. Throws std::logic_error where a kernel's loops are planned otherwise: then
/// they are none of that kernel any more.
[[nodiscard]] std::vector<KernelRow> measure_kernels(std::size_t samples);
void print(std::ostream& out, const std::vector<KernelRow>& rows);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<KernelRow>& rows);

}  // namespace opconform::bench
