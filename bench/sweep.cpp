// The program `opconform_sweep`: shapes that nobody chose, so that cliffs show. Each is timed
// beside its scalar twin and plain copies of as many bytes, all bases aligned to their element
// only.
//
// Prints the slowest tenth against the limit, every shape slower than kCliff times the limit, and
// every one that the scalar twin beats. A shape's number makes the same shape again: --only.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "bench/report.h"
#include "bench/shapes.h"
#include "harness/cases/case_writer.h"
#include "reports/atomic_file.h"

namespace opconform::bench {
namespace {

constexpr double kCliff = 8;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t shapes = 200;
  std::vector<std::uint64_t> only;
  std::size_t rounds = 31;
  std::string json_path;
};

struct Swept {
  std::uint64_t number;
  Result result;
  std::string descriptor;
  [[nodiscard]] double over_scalar() const {
    return result.ns() / result.fastest(Role::kScalar)->ns.median;
  }
};

/// The fields, as a case file has them.
std::string descriptor_text(const Operator& op) {
  cases::Case one;
  one.op = op;
  one.version = version_of(op);
  return cases::case_to_json(one)["desc"].dump();
}

Swept measure(const Options& options, std::uint64_t number) {
  const Cell cell{"#" + std::to_string(number), "sweep", draw_shape(options.seed, number), {}};
  Rounds rounds(cell.op, {.seed = options.seed + number,
                          .aligned_to_element_only = true,
                          .untimed = {Role::kReference}});
  for (std::size_t i = 0; i < options.rounds; ++i) rounds.run();
  return {number, rounds.result(cell), descriptor_text(cell.op)};
}

void print(const std::string& title, std::span<const Swept> shapes) {
  std::cout << "\n" << title << ": " << shapes.size() << "\n";
  for (const Swept& shape : shapes) {
    char line[128];
    std::snprintf(line, sizeof line, "  #%-6llu %7.2f x limit %6.2f x scalar %10.0f ns  ",
                  static_cast<unsigned long long>(shape.number), shape.result.over_limit(),
                  shape.over_scalar(), shape.result.ns());
    std::cout << line << shape.result.op << " " << shape.descriptor << "\n";
  }
}

template <class Wanted>
std::vector<Swept> those(const std::vector<Swept>& shapes, Wanted&& wanted) {
  std::vector<Swept> result;
  std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(result), wanted);
  return result;
}

nlohmann::ordered_json to_json(const Options& options, const std::vector<Swept>& shapes) {
  std::vector<Result> results;
  for (const Swept& shape : shapes) results.push_back(shape.result);
  nlohmann::ordered_json json = surroundings();
  json["seed"] = options.seed;
  json["cells"] = to_json(results);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    json["cells"][i]["descriptor"] = nlohmann::ordered_json::parse(shapes[i].descriptor);
  return json;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Times operators of any shape, to find those that are slow", "opconform_sweep");
  app.add_option("--seed", options.seed, "Of everything that is drawn")->capture_default_str();
  app.add_option("--shapes", options.shapes, "How many")->capture_default_str();
  app.add_option("--only", options.only, "Only the shapes of these numbers");
  app.add_option("--rounds", options.rounds, "Rounds a shape")->capture_default_str();
  app.add_option("--json", options.json_path, "Write all results to this file");
  CLI11_PARSE(app, argc, argv);
  mallopt(M_MMAP_MAX, 0);

  std::vector<std::uint64_t> numbers = options.only;
  for (std::uint64_t number = 0; options.only.empty() && number < options.shapes; ++number)
    numbers.push_back(number);
  std::vector<Swept> shapes;
  for (const std::uint64_t number : numbers) {
    try {
      shapes.push_back(measure(options, number));
    } catch (const Mismatch& mismatch) {
      std::cout << "#" << number << ": MISMATCH: " << mismatch.what() << " "
                << descriptor_text(draw_shape(options.seed, number)) << std::endl;
      return 1;
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(), [](const Swept& a, const Swept& b) {
    return a.result.over_limit() > b.result.over_limit();
  });
  print("the slowest tenth", std::span(shapes).first((shapes.size() + 9) / 10));
  print("slower than 8x the limit",
        those(shapes, [](const Swept& shape) { return shape.result.over_limit() > kCliff; }));
  print("slower than 1.15x of the scalar twin",
        those(shapes, [](const Swept& shape) { return shape.over_scalar() > kTieRatio; }));
  if (!options.json_path.empty())
    reports::write_file(options.json_path, to_json(options, shapes).dump(2) + "\n");
  return 0;
}

}  // namespace
}  // namespace opconform::bench

int main(int argc, char** argv) {
  try {
    return opconform::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "opconform_sweep: " << error.what() << "\n";
    return 3;
  }
}
