// The program `opconform_bench`: the optimized implementation beside its scalar twin, the
// reference, plain copies and libraries, in one process, over the same buffers, in turn.
//
// In every round the order is another one, and before each sample stands a call of the same
// contender that is not timed: so each is measured with the caches as it leaves them itself, as
// where it is called again and again. What the one before left there makes up to twice the time for
// outputs that the last cache holds; --mixed measures that way.
//
// Google Benchmark chooses the cells (--benchmark_filter, --benchmark_list_tests) and runs them; an
// iteration is a round in which each contender runs once, and its time is that of the optimized
// implementation.
//
// Columns of the table:
//   time     of one call of a prepared plan, the median of the rounds
//   GB/s     bytes read and written, in whole cache lines that hold an element in use, over time
//   x limit  time over that of a copy of as many bytes: of glibc's memcpy, or of a linear one with
//            non-temporal stores, whichever is faster, over the same buffers; half of those bytes
//            are read, half are written
//   gain     time of the best peer over ours
//   scalar   time of the scalar twin over ours
//   mark     what is asked of the column to the left; ok, tie (within 1.15), miss, under floor
//   2 thr.   time of ours over that of ours with two threads
//   prepare  time of making the plan
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "bench/kernels.h"
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
  std::size_t rounds = 0;  // 0: as many as the cell's size asks for
  std::string json_path;
};

class Session {
 public:
  explicit Session(const Options& options) : options_(options) {
    for (const Cell& cell : options.is_short ? short_cells() : all_cells())
      benchmark::RegisterBenchmark(cell.name.c_str(),
                                   [this, cell](benchmark::State& state) { measure(cell, state); })
          ->UseManualTime()
          ->Iterations(1);
  }

  [[nodiscard]] const std::vector<Result>& results() const { return results_; }
  [[nodiscard]] bool is_all_equal() const { return is_all_equal_; }

 private:
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

int run(int argc, char** argv) {
  // Google Benchmark takes its options out of the list.
  benchmark::Initialize(&argc, argv);
  Options options;
  CLI::App app("Measures the optimized implementation against its peers", "opconform_bench");
  app.add_flag("--short", options.is_short, "A few small cells, to show that everything works");
  app.add_flag("--mixed", options.is_mixed,
               "No call that is not timed before each sample: each contender finds the caches as "
               "the one before left them");
  app.add_flag("--roofline", options.is_roofline,
               "No cells, but how much memory can be read, written and copied, by size");
  app.add_flag("--kernels", options.is_kernels,
               "No cells, but every kernel by itself, beside its scalar twin");
  app.add_option("--rounds", options.rounds, "Rounds a cell; left out, as its size asks for");
  app.add_option("--json", options.json_path, "Write the results to this file");
  app.footer("Cells are chosen with --benchmark_filter=REGEX, listed with --benchmark_list_tests.");
  CLI11_PARSE(app, argc, argv);

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

  Session session(options);
  TableReporter reporter(session);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (!session.results().empty()) {
    print_families(std::cout, session.results());
    json["cells"] = to_json(session.results());
    write_json();
  }
  return session.is_all_equal() ? 0 : 1;
}

}  // namespace
}  // namespace opconform::bench

int main(int argc, char** argv) {
  try {
    return opconform::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "opconform_bench: " << error.what() << "\n";
    return 3;
  }
}
