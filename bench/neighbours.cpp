#include "bench/neighbours.h"

#include <algorithm>
#include <utility>

#include "bench/measure.h"
#include "bench/report.h"

namespace opconform::bench {
namespace {

Result measure(const Shape& shape, std::size_t samples) {
  const Cell cell{shape.name(), shape.family->name, shape.op(), {}};
  Rounds rounds(cell.op, {.untimed = {Role::kReference, Role::kScalar, Role::kThreads, Role::kOnce,
                                      Role::kKept}});
  for (std::size_t i = 0; i < samples; ++i) rounds.run();
  return rounds.result(cell);
}

Neighbour between(const Result& from, const Result& to) {
  return {.from = from.name,
          .to = to.name,
          .from_ns = from.ns(),
          .to_ns = to.ns(),
          .bytes_growth =
              static_cast<double>(to.traffic.bytes()) / static_cast<double>(from.traffic.bytes()),
          .limit_growth = to.limit_ns() / from.limit_ns()};
}

}  // namespace

std::vector<Shape> neighbours_of(const Shape& shape) {
  std::vector<Shape> result;
  const auto add = [&](auto&& number_of, std::uint64_t most) {
    Shape next = shape;
    std::uint64_t& number = number_of(next);
    const std::uint64_t start = number;
    for (const std::uint64_t value : {start + 1, 2 * start}) {
      number = value;
      // From 1 on both are the same.
      if (value <= most && (result.empty() || result.back().name() != next.name()))
        result.push_back(next);
    }
  };
  add([](Shape& one) -> std::uint64_t& { return one.length; }, 2 * shape.length);
  for (std::size_t i = 0; i < shape.numbers.size(); ++i)
    add([i](Shape& one) -> std::uint64_t& { return one.numbers[i]; },
        shape.family->numbers[i].most);
  return result;
}

std::vector<Neighbour> measure_neighbours(const std::vector<Shape>& shapes, std::size_t samples) {
  std::vector<Neighbour> result;
  for (const Shape& shape : shapes) {
    if (shape.tier == &all_tiers().back()) continue;
    const Result from = measure(shape, samples);
    for (const Shape& other : neighbours_of(shape)) {
      Neighbour neighbour = between(from, measure(other, samples));
      if (neighbour.is_cliff()) {
        const Neighbour again = between(measure(shape, samples), measure(other, samples));
        if (again.growth() < neighbour.growth()) neighbour = again;
      }
      result.push_back(neighbour);
    }
  }
  return result;
}

void print(std::ostream& out, const std::vector<Neighbour>& neighbours) {
  std::vector<Neighbour> cliffs;
  std::copy_if(neighbours.begin(), neighbours.end(), std::back_inserter(cliffs),
               [](const Neighbour& one) { return one.is_cliff(); });
  const auto rank = [](const Neighbour& one) {
    return std::pair(one.is_own_cliff(), one.growth());
  };
  std::stable_sort(cliffs.begin(), cliffs.end(),
                   [&](const Neighbour& a, const Neighbour& b) { return rank(a) > rank(b); });
  out << formatted("%8s %8s %8s %8s %8s  %s\n", "growth", "bytes", "copy", "from", "to",
                   "shape and neighbour");
  for (const Neighbour& one : cliffs)
    out << formatted("%8.2f %8.2f %8.2f %8s %8s  %s -> %s\n", one.growth(), one.bytes_growth,
                     one.limit_growth, time_text(one.from_ns).c_str(), time_text(one.to_ns).c_str(),
                     one.from.c_str(), one.to.c_str());
  out << cliffs.size() << " of " << neighbours.size() << " neighbours cost more than "
      << formatted("%.1f", kMostGrowth) << " times what the bytes grow by; "
      << std::count_if(cliffs.begin(), cliffs.end(),
                       [](const Neighbour& one) { return one.is_own_cliff(); })
      << " of these, the first ones, more than that of a plain copy too\n";
}

nlohmann::ordered_json to_json(const std::vector<Neighbour>& neighbours) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Neighbour& one : neighbours)
    json.push_back({{"from", one.from},
                    {"to", one.to},
                    {"from_ns", one.from_ns},
                    {"to_ns", one.to_ns},
                    {"bytes_growth", one.bytes_growth},
                    {"limit_growth", one.limit_growth},
                    {"growth", one.growth()},
                    {"is_cliff", one.is_cliff()},
                    {"is_own_cliff", one.is_own_cliff()}});
  return json;
}

}  // namespace opconform::bench
