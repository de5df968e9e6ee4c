#include "bench/kernels.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "bench/buffers.h"
#include "bench/clock.h"
#include "bench/statistics.h"
#include "optimized/copy_plan.h"
#include "optimized/indexed_move.h"

namespace opconform::bench {
namespace {

using optimized::AffineCopy;
using optimized::CopyPlan;
using optimized::IndexedMove;
using optimized::IndexedPlan;
using optimized::IndexedShape;
using optimized::Isa;
using optimized::Loop;
using optimized::Loops;
using optimized::PlaneShape;

constexpr std::ptrdiff_t kOutputBytes = std::ptrdiff_t{64} << 10;
/// No source or target reaches further.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::ptrdiff_t kCallsPerSample = 16;

template <class Shape>
struct Named {
  Shape shape;
  std::string_view name;
};
constexpr std::array kPlanes{
#define OPCONFORM_PLANE_KERNEL(shape, scalar, avx2) Named<PlaneShape>{PlaneShape::shape, #shape},
#include "optimized/kernels/kernels.def"
};
constexpr std::array kIndexed{
#define OPCONFORM_INDEXED_KERNEL(shape, scalar, avx2) \
  Named<IndexedShape>{IndexedShape::shape, #shape},
#include "optimized/kernels/kernels.def"
};

Loop loop(std::ptrdiff_t count, std::ptrdiff_t source, std::ptrdiff_t target,
          std::ptrdiff_t index = 0) {
  return {.count = count, .source_stride = source, .target_stride = target, .index_stride = index};
}

/// Loops that the kernel serves, with about kOutputBytes of output; none where it has none of that
/// width.
Loops loops_of(PlaneShape shape, std::ptrdiff_t w) {
  const std::ptrdiff_t count = kOutputBytes / w;
  switch (shape) {
    case PlaneShape::kRuns:
      return {loop(kOutputBytes / 256, 512, 256), loop(256 / w, w, w)};
    case PlaneShape::kFill:
      return {loop(kOutputBytes / 256, w, 256), loop(256 / w, 0, w)};
    case PlaneShape::kTranspose:
      return {loop(64, w, kOutputBytes / 64), loop(count / 64, 64 * w, w)};
    case PlaneShape::kSquares: {  // pixels to planes; wider ones make squares of their own
      const std::ptrdiff_t channels = w == 1 ? 9 : 5;
      if (w > 2) return {};
      return {loop(channels, w, count / channels * w), loop(count / channels, channels * w, w)};
    }
    case PlaneShape::kShuffle:  // every second element
      return {loop(count, 2 * w, w)};
    case PlaneShape::kRepeat:
      return {loop(count / 300, 3 * w, 300 * w), loop(100, 0, 3 * w), loop(3, w, w)};
    case PlaneShape::kElements:
      return {loop(count / 6, 9 * w, 12 * w), loop(3, 4 * w, 4 * w), loop(2, w, 2 * w)};
    case PlaneShape::kStrided:
      return {loop(count, w, 2 * w)};
  }
  throw std::logic_error("a kernel without loops");
}

/// Rows that the kernel serves: their bytes; 0 where it has none of that width.
std::ptrdiff_t row_bytes_of(IndexedShape shape, std::ptrdiff_t w) {
  switch (shape) {
    case IndexedShape::kGatherElements:
    case IndexedShape::kScatterElements:
      return w;
    case IndexedShape::kGatherShortRows:
      return w == 1 ? 0 : w + w / 2;
    case IndexedShape::kGatherRows:
      return 48 * w;
    case IndexedShape::kScatterRows:
      return 3 * w;
  }
  throw std::logic_error("a kernel without rows");
}

/// Picks the rows of a table in another order, or puts them there.
IndexedMove move_of(IndexedShape shape, std::ptrdiff_t row_bytes) {
  const bool scatters =
      shape == IndexedShape::kScatterElements || shape == IndexedShape::kScatterRows;
  const std::ptrdiff_t rows = kOutputBytes / row_bytes / 4;
  IndexedMove move{.width_bytes = 1, .loops = {}, .checked_indices = std::nullopt};
  move.gathers = !scatters;
  move.axis_size = static_cast<std::uint64_t>(rows);
  move.axis_stride_bytes = row_bytes;
  // Four times, so that no index is used once alone.
  move.loops = {loop(4, rows * row_bytes, rows * row_bytes),
                loop(rows, scatters ? row_bytes : 0, scatters ? 0 : row_bytes, 8),
                loop(row_bytes, 1, 1)};
  return move;
}

class Memory {
 public:
  Memory() : source_(kBufferBytes), target_(kBufferBytes), indices_(kBufferBytes) {
    std::ranges::fill(source_.bytes(), std::byte{1});
    std::ranges::fill(target_.bytes(), std::byte{2});
  }
  /// All of [0, count), far from each other.
  void set_indices(std::size_t count) {
    std::size_t step = count / 2 + 1;
    while (std::gcd(step, count) != 1) ++step;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t index = i * step % count;
      std::memcpy(indices_.bytes().data() + i * sizeof index, &index, sizeof index);
    }
  }
  double run(const CopyPlan& plan, std::size_t samples) const {
    return gb_per_s(kOutputBytes, samples, [&] {
      plan.execute(source_.bytes().data(), target_.bytes().data(), 0, plan.cut().count, nullptr);
    });
  }
  double run(const IndexedPlan& plan, std::ptrdiff_t output_bytes, std::size_t samples) const {
    return gb_per_s(output_bytes, samples, [&] {
      plan.execute(indices_.bytes().data(), source_.bytes().data(), target_.bytes().data());
    });
  }

 private:
  template <class Call>
  static double gb_per_s(std::ptrdiff_t bytes, std::size_t samples, const Call& call) {
    call();
    std::vector<double> times_ns;
    for (std::size_t sample = 0; sample < samples; ++sample)
      times_ns.push_back(time_ns([&] {
        for (std::ptrdiff_t i = 0; i < kCallsPerSample; ++i) call();
      }));
    return static_cast<double>(bytes * kCallsPerSample) / median(std::move(times_ns));
  }

  Block source_;
  Block target_;
  Block indices_;
};

template <class Plan, class Shape>
const Plan& checked(const Plan& plan, const Named<Shape>& kernel) {
  if (plan.shape() != kernel.shape)
    throw std::logic_error("the loops for " + std::string(kernel.name) + " get another kernel");
  return plan;
}

}  // namespace

std::vector<KernelRow> measure_kernels(std::size_t samples) {
  std::vector<KernelRow> rows;
  Memory memory;
  const Isa best = optimized::isa_in_use();
  for (const auto& kernel : kPlanes)
    for (const std::size_t width : optimized::kWidths) {
      const bool is_for_avx2 =
          kernel.shape == PlaneShape::kShuffle || kernel.shape == PlaneShape::kSquares;
      if (is_for_avx2 && best == Isa::kScalar) continue;
      const Loops loops = loops_of(kernel.shape, static_cast<std::ptrdiff_t>(width));
      if (loops.empty()) continue;
      const AffineCopy copy{.width_bytes = width, .loops = loops};
      const auto plan = [&](Isa isa) { return CopyPlan(copy, isa, CopyPlan::Order::kPlain); };
      rows.push_back({kernel.name, width, memory.run(checked(plan(best), kernel), samples),
                      memory.run(plan(Isa::kScalar), samples)});
    }
  for (const auto& kernel : kIndexed)
    for (const std::size_t width : optimized::kWidths) {
      const std::ptrdiff_t row_bytes =
          row_bytes_of(kernel.shape, static_cast<std::ptrdiff_t>(width));
      if (row_bytes == 0) continue;
      const IndexedMove move = move_of(kernel.shape, row_bytes);
      memory.set_indices(move.axis_size);
      const std::ptrdiff_t bytes = 4 * static_cast<std::ptrdiff_t>(move.axis_size) * row_bytes;
      const auto plan = [&](Isa isa) { return IndexedPlan(move, isa); };
      rows.push_back({kernel.name, width, memory.run(checked(plan(best), kernel), bytes, samples),
                      memory.run(plan(Isa::kScalar), bytes, samples)});
    }
  return rows;
}

void print(std::ostream& out, const std::vector<KernelRow>& rows) {
  std::array<char, 96> line;
  out << "GB/s of output, one thread, in the second cache\n"
         "kernel            width  optimized   scalar    gain\n";
  for (const KernelRow& row : rows) {
    std::snprintf(line.data(), line.size(), "%-16s %6zu %10.1f %8.1f %7.2f\n",
                  std::string(row.kernel).c_str(), row.width_bytes, row.optimized, row.scalar,
                  row.optimized / row.scalar);
    out << line.data();
  }
}

nlohmann::ordered_json to_json(const std::vector<KernelRow>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const KernelRow& row : rows)
    json.push_back({{"kernel", row.kernel},
                    {"width_bytes", row.width_bytes},
                    {"gb_per_s", {{"optimized", row.optimized}, {"scalar", row.scalar}}}});
  return json;
}

}  // namespace opconform::bench
