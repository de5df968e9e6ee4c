#include "bench/report.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "opconform/optimized.h"
#include "reports/run_info.h"

namespace opconform::bench {
namespace {

using nlohmann::ordered_json;

constexpr const char* kRowFormat = "%-34s %8s %8s %8s %7s %6s %-9s %6s %6s %6s %7s %6s %-11s %8s\n";

ordered_json machine() {
  return {{"cpu", reports::processor_text()},
          {"processors", std::thread::hardware_concurrency()},
          {"l1d_bytes", sysconf(_SC_LEVEL1_DCACHE_SIZE)},
          {"l2_bytes", sysconf(_SC_LEVEL2_CACHE_SIZE)},
          {"l3_bytes", sysconf(_SC_LEVEL3_CACHE_SIZE)}};
}

ordered_json versions() {
  return {{"opconform", OPCONFORM_VERSION},
          {"isa", optimized::name(optimized::isa_in_use())},
          {"numbers_of", optimized::machine_name_in_use()},
          {"compiler", OPCONFORM_BENCH_COMPILER}};
}

ordered_json json_of(const Result& result) {
  ordered_json times = ordered_json::object();
  for (const Timed& timed : result.times)
    times[timed.name] = {{"ns", timed.ns.median},
                         {"low_ns", timed.ns.low},
                         {"high_ns", timed.ns.high},
                         {"wall_ns", timed.wall_ns},
                         {"samples", timed.samples}};
  const Timed* peer = result.fastest(Role::kPeer);
  return {{"cell", result.name},
          {"family", result.family},
          {"operator", result.op},
          {"bytes_read", result.traffic.read_bytes},
          {"bytes_written", result.traffic.written_bytes},
          {"ns", result.ns()},
          {"wall_ns", result.fastest(Role::kOptimized)->wall_ns},
          {"prepare_ns", result.prepare_ns},
          {"limit_ns", result.limit_ns()},
          {"over_limit", result.over_limit()},
          {"gb_per_s", result.gb_per_s()},
          {"best_peer", peer == nullptr ? ordered_json() : ordered_json(peer->name)},
          {"gain", peer == nullptr ? ordered_json() : ordered_json(result.gain())},
          {"gain_once", result.gain_once() > 0 ? ordered_json(result.gain_once()) : ordered_json()},
          {"gain_kept", result.gain_kept() > 0 ? ordered_json(result.gain_kept()) : ordered_json()},
          {"marks", {{"gain", result.marks.gain}, {"over_limit", result.marks.over_limit}}},
          {"standing", name(result.standing())},
          {"processors_of_others", result.processors_of_others},
          {"times", times}};
}

}  // namespace

std::string time_text(double ns) {
  if (ns < 1e3) return formatted("%.0f ns", ns);
  if (ns < 1e6) return formatted("%.3g us", ns / 1e3);
  return formatted("%.3g ms", ns / 1e6);
}

std::string ratio_text(double ratio) { return ratio > 0 ? formatted("%.2f", ratio) : ""; }

void print_head(std::ostream& out) {
  out << formatted(kRowFormat, "cell", "time", "wall", "GB/s", "x limit", "mark", "best peer",
                   "gain", "mark", "once", "scalar", "2 thr.", "", "prepare");
}

void print_row(std::ostream& out, const Result& result) {
  const Timed* peer = result.fastest(Role::kPeer);
  const Timed* scalar = result.fastest(Role::kScalar);
  const Timed* threads = result.fastest(Role::kThreads);
  const double wall_ns = result.fastest(Role::kOptimized)->wall_ns;
  out << formatted(
             kRowFormat, result.name.c_str(), time_text(result.ns()).c_str(),
             time_text(wall_ns).c_str(), formatted("%.2f", result.gb_per_s()).c_str(),
             ratio_text(result.over_limit()).c_str(), ratio_text(result.marks.over_limit).c_str(),
             peer == nullptr ? "" : peer->name.c_str(), ratio_text(result.gain()).c_str(),
             ratio_text(result.marks.gain).c_str(), ratio_text(result.gain_once()).c_str(),
             ratio_text(scalar->ns.median / result.ns()).c_str(),
             ratio_text(wall_ns / threads->ns.median).c_str(),
             std::string(name(result.standing())).c_str(), time_text(result.prepare_ns).c_str())
      << std::flush;
}

void print_families(std::ostream& out, const std::vector<Result>& results) {
  std::vector<std::string_view> families;
  for (const Result& result : results)
    if (std::find(families.begin(), families.end(), result.family) == families.end())
      families.push_back(result.family);
  out << formatted("\n%-36s %5s %8s %6s  %-11s %s\n", "family (geometric mean)", "cells", "x limit",
                   "gain", "", "worst against its marks");
  for (const std::string_view family : families) {
    std::vector<double> over_limit;
    std::vector<double> gains;
    const Result* worst = nullptr;
    for (const Result& result : results) {
      if (result.family != family) continue;
      over_limit.push_back(result.over_limit());
      if (result.gain() > 0) gains.push_back(result.gain());
      if (worst == nullptr || result.standing() > worst->standing()) worst = &result;
    }
    out << formatted("%-36s %5zu %8s %6s  %-11s %s\n", std::string(family).c_str(),
                     over_limit.size(), ratio_text(geometric_mean(over_limit)).c_str(),
                     gains.empty() ? "" : ratio_text(geometric_mean(gains)).c_str(),
                     std::string(name(worst->standing())).c_str(),
                     worst->standing() == Standing::kOk ? "" : worst->name.c_str());
  }
}

void print_load(std::ostream& out, double processors_of_others) {
  out << formatted("\nothers used %.2f of %u processors meanwhile\n", processors_of_others,
                   std::thread::hardware_concurrency());
  if (processors_of_others > kSpoilingProcessors)
    out << "warning: that spoils figures. Others share the last cache and the memory: ratios to "
           "peers hold best,\nbecause contenders run in turn; times beyond the second cache and "
           "those of two threads do not.\n";
}

nlohmann::ordered_json surroundings() {
  return {{"kind", "speed"}, {"version", 1}, {"machine", machine()}, {"versions", versions()}};
}

nlohmann::ordered_json to_json(const std::vector<Result>& results) {
  ordered_json cells = ordered_json::array();
  for (const Result& result : results) cells.push_back(json_of(result));
  return cells;
}

}  // namespace opconform::bench
