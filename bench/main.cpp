// The program `opconform_bench`: the optimized implementation beside its scalar twin, the
// reference, plain copies and libraries, in one process, over the same buffers, in turn.
//
// In every round the order is another one, and before each sample stand calls of the same contender
// that are not timed: so each is measured with the caches as it leaves them itself, as where it is
// called again and again. What the one before left there makes up to twice the time for outputs
// that the last cache holds; --mixed measures that way.
//
// Google Benchmark chooses the cells (--benchmark_filter, --benchmark_list_tests) and runs them; an
// iteration is a round in which each contender runs once, and its time is that of the optimized
// implementation.
//
// Columns of the table:
//   time     the processor's, of one call of a prepared plan, the median of the rounds
//   wall     the same by the wall clock
//   GB/s     bytes read and written, in whole cache lines that hold an element in use, over time
//   x limit  time over that of a copy of as many bytes: of glibc's memcpy, or of a linear one with
//            non-temporal stores, whichever is faster, over the same buffers; half of those bytes
//            are read, half are written
//   gain     time of the best peer over ours
//   once     of small cells, time of the best peer over ours with a plan made for each call
//   scalar   time of the scalar twin over ours
//   mark     what is asked of the column to the left; ok, tie (within 1.15), miss, under floor
//   2 thr.   time of ours over that of ours with two threads, by the wall clock
//   prepare  time of making the plan
// All ratios but `2 thr.` are of the processor's times, which leave out what others did meanwhile.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <regex>

#include "bench/compare.h"
#include "bench/families.h"
#include "bench/kernels.h"
#include "bench/neighbours.h"
#include "bench/report.h"
#include "bench/roofline.h"
#include "reports/atomic_file.h"

namespace opconform::bench {
namespace {

constexpr std::size_t kSamples = 31;

struct Options {
  bool is_short = false;
  bool is_mixed = false;
  bool is_roofline = false;
  bool is_kernels = false;
  bool is_neighbours = false;
  std::size_t drawn = 0;  // of each family and size; 0: the cells of the list
  std::uint64_t seed = 1;
  std::size_t rounds = 0;  // 0: as many as the cell's size asks for
  std::string json_path;
  std::vector<std::string> compared;  // an old run, and perhaps a new one
};

class Session {
 public:
  explicit Session(const Options& options) : options_(options) {
    for (const Cell& cell : cells())
      benchmark::RegisterBenchmark(cell.name.c_str(),
                                   [this, cell](benchmark::State& state) { measure(cell, state); })
          ->UseManualTime()
          ->Iterations(1);
  }

  [[nodiscard]] const std::vector<Result>& results() const { return results_; }
  [[nodiscard]] bool is_all_equal() const { return is_all_equal_; }

 private:
  [[nodiscard]] std::vector<Cell> cells() const {
    if (options_.drawn > 0) return cells_of(draw_shapes(options_.seed, options_.drawn));
    return options_.is_short ? short_cells() : all_cells();
  }

  void measure(const Cell& cell, benchmark::State& state) {
    try {
      Rounds rounds(cell.op, {.peers = peers(), .mixed = options_.is_mixed});
      const std::size_t count = options_.rounds > 0 ? options_.rounds : rounds.enough();
      for (auto _ : state) {
        double seconds = 0;
        for (std::size_t i = 0; i < count; ++i) seconds += rounds.run();
        state.SetIterationTime(seconds / static_cast<double>(count));
      }
      results_.push_back(rounds.result(cell));
      state.counters["x_limit"] = results_.back().over_limit();
    } catch (const Mismatch& mismatch) {
      is_all_equal_ = false;
      state.SkipWithError(mismatch.what());
    }
  }

  Options options_;
  std::vector<Result> results_;
  bool is_all_equal_ = true;
};

/// Prints a row a cell, when it is done.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  explicit TableReporter(const Session& session) : session_(session) {}

  bool ReportContext(const Context& /*context*/) override {
    for (const Peer& peer : peers())
      std::cout << "peer: " << peer.name << " " << peer.version << "\n";
    for (const std::string_view missing : missing_peers())
      std::cout << "peer: " << missing << " was not found when this program was built\n";
    print_head(std::cout);
    return true;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.error_occurred)
        std::cout << run.benchmark_name() << ": MISMATCH: " << run.error_message << std::endl;
      else
        print_row(std::cout, session_.results().back());
  }

 private:
  const Session& session_;
};

/// 1 where a cell is slower by more than the noise.
int compare(const nlohmann::ordered_json& old_run, const nlohmann::ordered_json& new_run,
            const Options& options) {
  const Comparison comparison =
      compare_runs({old_run, options.compared.front()},
                   {new_run, options.compared.size() > 1 ? options.compared[1] : "this run"});
  print(std::cout, comparison);
  return comparison.count(Change::kSlower) > 0 ? 1 : 0;
}

void add_options(CLI::App& app, Options& options) {
  app.name("opconform_bench");
  app.description("Measures the optimized implementation against its peers");
  app.add_flag("--short", options.is_short, "A few small cells, to show that everything works");
  app.add_flag("--mixed", options.is_mixed,
               "No calls that are not timed before each sample: each contender finds the caches as "
               "the one before left them");
  app.add_flag("--roofline", options.is_roofline,
               "No cells, but how much memory can be read, written and copied, by size");
  app.add_flag("--kernels", options.is_kernels,
               "No cells, but every kernel by itself, beside its scalar twin");
  app.add_option("--drawn", options.drawn,
                 "Cells drawn over types, sizes and shapes: so many of each family and size");
  app.add_flag("--neighbours", options.is_neighbours,
               "No cells, but drawn shapes beside those that have one more, or twice as much, of "
               "something: where that costs too much is a cliff");
  app.add_option("--seed", options.seed, "Of what is drawn")->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds a cell; left out, as its size asks for");
  app.add_option("--json", options.json_path, "Write the results to this file");
  app.add_option("--compare", options.compared,
                 "An older run's file: lists what is faster or slower now; with a second file "
                 "nothing is measured, and the two are compared")
      ->expected(1, 2);
  app.footer(
      "Cells are chosen with --benchmark_filter=REGEX, listed with --benchmark_list_tests.\n"
      "Exit code: 0; 1 if a contender's output differs from the others', or with --compare a cell "
      "is slower by more than the noise; 2 for bad usage or a file that is none; 3 if the program "
      "fails.");
}

void print_help() {
  CLI::App app;
  Options options;
  add_options(app, options);
  std::cout << app.help() << "\n";
  benchmark::PrintDefaultHelp();
}

int run(int argc, char** argv) {
  // Google Benchmark takes its options out of the list; --help is one of them.
  benchmark::Initialize(&argc, argv, print_help);
  CLI::App app;
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::vector<nlohmann::ordered_json> compared;
  for (const std::string& path : options.compared) compared.push_back(base::read_json_file(path));
  if (compared.size() == 2) return compare(compared[0], compared[1], options);

  // What a library frees it gets again: it is measured at moving, not at faulting pages in.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);

  nlohmann::ordered_json json = surroundings();
  for (const Peer& peer : peers()) json["versions"][std::string(peer.name)] = peer.version;
  for (const std::string_view missing : missing_peers())
    json["versions"][std::string(missing)] = nullptr;
  const auto write_json = [&] {
    if (!options.json_path.empty()) reports::write_file(options.json_path, json.dump(2) + "\n");
  };
  const std::size_t samples = options.rounds > 0 ? options.rounds : kSamples;
  const auto show = [&](const char* key, const auto& rows) {
    print(std::cout, rows);
    json[key] = to_json(rows);
    write_json();
    return 0;
  };
  if (options.is_roofline) return show("roofline", measure_roofline(samples));
  if (options.is_kernels) return show("kernels", measure_kernels(samples));
  if (options.is_neighbours) {
    std::vector<Shape> shapes = draw_shapes(options.seed, std::max<std::size_t>(options.drawn, 1));
    const std::regex wanted(benchmark::GetBenchmarkFilter());
    std::erase_if(shapes, [&](const Shape& one) { return !regex_search(one.name(), wanted); });
    return show("neighbours", measure_neighbours(shapes, samples));
  }

  const Load load;
  Session session(options);
  TableReporter reporter(session);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (!session.results().empty()) {
    print_families(std::cout, session.results());
    print_load(std::cout, load.processors_of_others());
    json["machine"]["processors_of_others"] = load.processors_of_others();
    json["cells"] = to_json(session.results());
    write_json();
  }
  if (!session.is_all_equal()) return 1;
  return compared.empty()
             ? 0
             : compare(compared.front(), base::parse_json(json.dump(), "this run"), options);
}

}  // namespace
}  // namespace opconform::bench

int main(int argc, char** argv) {
  try {
    return opconform::bench::run(argc, argv);
  } catch (const opconform::base::BadInput& error) {
    std::cerr << "opconform_bench: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "opconform_bench: " << error.what() << "\n";
    return 3;
  }
}
