#include "bench/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>

#include "opconform/optimized.h"
#include "reports/run_info.h"

namespace opconform::bench {
namespace {

using nlohmann::ordered_json;

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::string text(256, '\0');
  const int length = std::snprintf(text.data(), text.size(), format, values...);
  text.resize(std::min<std::size_t>(static_cast<std::size_t>(length), text.size() - 1));
  return text;
}

/// Three digits, with the unit that fits.
std::string time_text(double ns) {
  if (ns < 1e3) return formatted("%.0f ns", ns);
  if (ns < 1e6) return formatted("%.3g us", ns / 1e3);
  return formatted("%.3g ms", ns / 1e6);
}
/// Nothing where there is nothing to say.
std::string ratio_text(double ratio) { return ratio > 0 ? formatted("%.2f", ratio) : ""; }

constexpr const char* kRowFormat = "%-34s %8s %8s %7s %6s %-9s %6s %6s %7s %6s %-11s %8s\n";

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
    times[timed.name] = {{"ns", timed.median_ns}, {"samples", timed.samples}};
  const Timed* peer = result.fastest(Role::kPeer);
  return {{"cell", result.name},
          {"family", result.family},
          {"operator", result.op},
          {"bytes_read", result.traffic.read_bytes},
          {"bytes_written", result.traffic.written_bytes},
          {"ns", result.ns()},
          {"prepare_ns", result.prepare_ns},
          {"limit_ns", result.limit_ns()},
          {"over_limit", result.over_limit()},
          {"gb_per_s", result.gb_per_s()},
          {"best_peer", peer == nullptr ? ordered_json() : ordered_json(peer->name)},
          {"gain", peer == nullptr ? ordered_json() : ordered_json(result.gain())},
          {"marks", {{"gain", result.marks.gain}, {"over_limit", result.marks.over_limit}}},
          {"standing", name(result.standing())},
          {"times", times}};
}

}  // namespace

void print_head(std::ostream& out) {
  out << formatted(kRowFormat, "cell", "time", "GB/s", "x limit", "mark", "best peer", "gain",
                   "mark", "scalar", "2 thr.", "", "prepare");
}

void print_row(std::ostream& out, const Result& result) {
  const Timed* peer = result.fastest(Role::kPeer);
  const Timed* scalar = result.fastest(Role::kScalar);
  const Timed* threads = result.fastest(Role::kThreads);
  out << formatted(
             kRowFormat, result.name.c_str(), time_text(result.ns()).c_str(),
             formatted("%.2f", result.gb_per_s()).c_str(), ratio_text(result.over_limit()).c_str(),
             ratio_text(result.marks.over_limit).c_str(), peer == nullptr ? "" : peer->name.c_str(),
             ratio_text(result.gain()).c_str(), ratio_text(result.marks.gain).c_str(),
             ratio_text(scalar->median_ns / result.ns()).c_str(),
             ratio_text(result.ns() / threads->median_ns).c_str(),
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

nlohmann::ordered_json surroundings() {
  return {{"kind", "speed"}, {"version", 1}, {"machine", machine()}, {"versions", versions()}};
}

nlohmann::ordered_json to_json(const std::vector<Result>& results) {
  ordered_json cells = ordered_json::array();
  for (const Result& result : results) cells.push_back(json_of(result));
  return cells;
}

}  // namespace opconform::bench
