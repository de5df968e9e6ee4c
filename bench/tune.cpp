// The program `opconform-tune`: from how many bytes of output on each order of blocks pays on this
// machine. It prints the gains that it measured and what OPCONFORM_MACHINE is to say.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "opconform/optimized.h"
#include "optimized/copy_plan.h"
#include "optimized/machine.h"

namespace opconform::bench {
namespace {

using optimized::AffineCopy;
using optimized::CopyPlan;
using optimized::Machine;

constexpr std::ptrdiff_t kMiB = std::ptrdiff_t{1} << 20;
constexpr std::ptrdiff_t kHalfMiBs[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
constexpr std::ptrdiff_t kRow = 1920;  // elements
constexpr double kWorthwhile = 1.03;   // less is chance

/// A copy of about `n` elements of `w` bytes.
using Make = AffineCopy (*)(std::ptrdiff_t n, std::ptrdiff_t w);

AffineCopy copy_of(std::ptrdiff_t w, const optimized::Loops& loops) {
  return {.width_bytes = static_cast<std::size_t>(w), .loops = loops};
}
AffineCopy every_other(std::ptrdiff_t n, std::ptrdiff_t w) { return copy_of(w, {{n, 2 * w, w}}); }
AffineCopy planes_to_pixels(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / 3, w, 3 * w}, {3, n / 3 * w, w}});
}
AffineCopy reversed_rows(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / kRow, kRow * w, kRow * w}, {kRow, -w, w}});
}
AffineCopy every_other_reversed(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / kRow, 4 * kRow * w, kRow * w}, {kRow, -2 * w, w}});
}
AffineCopy backward(std::ptrdiff_t n, std::ptrdiff_t w) { return copy_of(w, {{n, -w, w}}); }
AffineCopy every_other_backward(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n, -2 * w, w}});
}
AffineCopy long_runs(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / kRow, 2 * kRow * w, kRow * w}, {kRow, w, w}});
}
AffineCopy row_again(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / kRow, 0, kRow * w}, {kRow, w, w}});
}
AffineCopy elements_again(std::ptrdiff_t n, std::ptrdiff_t w) {
  return copy_of(w, {{n / kRow, w, kRow * w}, {kRow, 0, w}});
}
AffineCopy transpose(std::ptrdiff_t side, std::ptrdiff_t w) {
  return copy_of(w, {{side, w, side * w}, {side, side * w, w}});
}
std::ptrdiff_t root(std::ptrdiff_t n) {
  return static_cast<std::ptrdiff_t>(std::sqrt(static_cast<double>(n)));
}
AffineCopy odd_square(std::ptrdiff_t n, std::ptrdiff_t w) { return transpose(root(n) | 1, w); }
AffineCopy crowded_square(std::ptrdiff_t n, std::ptrdiff_t w) {
  return transpose(std::max(root(n) * w / 1024, std::ptrdiff_t{1}) * 1024 / w, w);
}
AffineCopy channels_last(std::ptrdiff_t n, std::ptrdiff_t w) {
  constexpr std::ptrdiff_t kChannels = 64;
  const std::ptrdiff_t plane = n / kChannels | 1;
  return copy_of(w, {{plane, w, kChannels * w}, {kChannels, plane * w, w}});
}

/// What a number of the machine decides: an order, for copies of that kind.
struct Decision {
  std::ptrdiff_t Machine::*number;
  CopyPlan::Order order;
  std::vector<Make> copies;
  std::array<std::ptrdiff_t, 2> widths{1, 4};  ///< bytes of their elements
};
const std::vector<Decision>& decisions() {
  using enum CopyPlan::Order;
  static const std::vector<Decision> all = {
      {&Machine::fetched_output_bytes, kFetched, {every_other, planes_to_pixels}},
      {&Machine::streamed_output_bytes, kStreamed, {every_other, planes_to_pixels}},
      {&Machine::streamed_runs_bytes, kStreamed, {long_runs}},
      {&Machine::streamed_backward_bytes, kStreamed, {backward, every_other_backward}},
      {&Machine::streamed_reversed_bytes, kStreamed, {reversed_rows, every_other_reversed}},
      {&Machine::streamed_broadcast_bytes, kStreamed, {row_again, elements_again}},
      {&Machine::streamed_transpose_bytes, kStreamed, {odd_square, channels_last}, {4, 8}},
      {&Machine::streamed_narrow_bytes, kStreamed, {odd_square, channels_last}, {1, 2}},
      {&Machine::streamed_crowded_bytes, kStreamed, {crowded_square}},
  };
  return all;
}

/// The time of each plan, the median of `rounds`; they take turns, each in another place.
std::vector<double> times_ns(const std::vector<CopyPlan>& plans, const std::byte* source,
                             std::byte* target, std::size_t rounds) {
  std::vector<std::vector<double>> times(plans.size());
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t k : order) {
      plans[k].execute(source, target);  // with the caches as it leaves them itself
      times[k].push_back(time_ns([&] { plans[k].execute(source, target); }));
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& one : times) {
    std::nth_element(one.begin(), one.begin() + std::ssize(one) / 2, one.end());
    medians.push_back(one[one.size() / 2]);
  }
  return medians;
}

/// What all copies read and write: none reads more than four times what it writes.
struct Buffers {
  explicit Buffers(std::ptrdiff_t most_bytes)
      : source(static_cast<std::size_t>(4 * most_bytes + kMiB), std::byte{1}),
        target(static_cast<std::size_t>(most_bytes + kMiB), std::byte{2}) {}
  std::vector<std::byte> source;
  std::vector<std::byte> target;
};

/// The time of the best other order over that of `order`.
double gain(const AffineCopy& copy, CopyPlan::Order order, std::size_t rounds, Buffers& buffers) {
  using enum CopyPlan::Order;
  std::vector<CopyPlan> plans;
  for (const CopyPlan::Order one : {order, kPlain, kFetched})
    if (plans.empty() || one != order)
      plans.emplace_back(normalised(copy), optimized::isa_in_use(), one);
  std::ptrdiff_t first = 0;  // what is read backwards begins at its end
  for (const optimized::Loop& loop : copy.loops)
    first -= std::min(loop.source_stride, std::ptrdiff_t{0}) * (loop.count - 1);
  const std::vector<double> times =
      times_ns(plans, buffers.source.data() + first, buffers.target.data(), rounds);
  return *std::min_element(times.begin() + 1, times.end()) / times.front();
}

/// The place from which on the gains are worth most together; their count where they are never.
std::size_t first_worthwhile(std::span<const double> gains) {
  std::size_t best = gains.size();
  double best_sum = 0;
  double sum = 0;
  for (std::size_t k = gains.size(); k-- > 0;) {
    sum += std::log(gains[k] / kWorthwhile);
    if (sum <= best_sum) continue;
    best = k;
    best_sum = sum;
  }
  return best;
}

struct Options {
  std::size_t rounds = 9;
  std::ptrdiff_t most_mib = 64;
};

/// The geometric mean over the decision's copies, of two widths of elements.
double mean_gain(const Decision& decision, std::ptrdiff_t bytes, const Options& options,
                 Buffers& buffers) {
  double logarithms = 0;
  double count = 0;
  for (const Make make : decision.copies)
    for (const std::ptrdiff_t width : decision.widths) {
      logarithms +=
          std::log(gain(make(bytes / width, width), decision.order, options.rounds, buffers));
      ++count;
    }
  return std::exp(logarithms / count);
}

std::string name_of(std::ptrdiff_t Machine::*number) {
  for (const optimized::MachineField& field : optimized::kMachineFields)
    if (field.number == number) return std::string(field.name);
  return "";
}

int tune(const Options& options) {
  if (optimized::isa_in_use() != optimized::Isa::kAvx2) {
    std::cerr << "opconform-tune: without AVX2 there is one order, and nothing to choose\n";
    return 2;
  }
  std::string text(optimized::machine_name_in_use());
  Buffers buffers(options.most_mib * kMiB);
  std::vector<std::ptrdiff_t> sizes;
  for (const std::ptrdiff_t half : kHalfMiBs)
    if (half <= 2 * options.most_mib) sizes.push_back(half * kMiB / 2);
  std::printf("Gain of an order over the best other one, by MiB of output\n%-26s", "");
  for (const std::ptrdiff_t size : sizes)
    std::printf(" %5.1f", static_cast<double>(size) / static_cast<double>(kMiB));
  for (const Decision& decision : decisions()) {
    const std::string name = name_of(decision.number);
    std::printf("\n%-26s", name.c_str());
    std::vector<double> gains;
    for (const std::ptrdiff_t size : sizes) {
      gains.push_back(mean_gain(decision, size, options, buffers));
      std::printf(" %5.2f", gains.back());
      (void)std::fflush(stdout);
    }
    const std::size_t first = first_worthwhile(gains);
    text += "," + name + "=" + (first == sizes.size() ? "never" : std::to_string(sizes[first]));
  }
  std::printf("\nOPCONFORM_MACHINE=%s\n", text.c_str());
  return 0;
}

}  // namespace
}  // namespace opconform::bench

int main(int argc, char** argv) {
  CLI::App app(
      "Measures from how many bytes of output on each order of blocks pays on this machine, and\n"
      "prints the value of OPCONFORM_MACHINE that makes opconform::optimized go by that. Takes\n"
      "about a minute; let nothing else run meanwhile.\n\n"
      "Exit code: 0; 2 without AVX2 or with unknown arguments.",
      "opconform-tune");
  opconform::bench::Options options;
  app.add_option("--most", options.most_mib, "Measure outputs of at most N MiB (default: 64)")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  app.add_option("--rounds", options.rounds, "Time each copy N times (default: 9)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return opconform::bench::tune(options);
  } catch (const std::exception& error) {
    std::cerr << "opconform-tune: " << error.what() << "\n";
    return 2;
  }
}
