#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/selection.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/campaigns/support_grid.h"
#include "reports/atomic_file.h"
#include "reports/promise_text.h"

namespace opconform::cli {
namespace {

using base::Json;
using campaigns::GridCount;
using campaigns::GridResult;

struct GridArguments {
  std::string backend = "optimized";
  std::string profile;
  std::vector<std::size_t> operators;  ///< places in all_operators(); none means all
  std::optional<Version> feature_level;
  std::string json_file;
  std::uint64_t seed = 1;
  std::chrono::milliseconds timeout{10'000};
  bool quiet = false;
};

GridCount total_of(const GridResult& grid) {
  GridCount total;
  for (const campaigns::GridRow& row : grid.rows) total += row.count;
  return total;
}

std::string line(std::string_view name, std::string_view version, const GridCount& count) {
  char text[160];
  (void)std::snprintf(text, sizeof text, "%-12.*s %-7.*s %7zu %8zu %11zu %9zu %10zu %12zu %6zu\n",
                      static_cast<int>(name.size()), name.data(), static_cast<int>(version.size()),
                      version.data(), count.cells(), count.inside, count.neighbours, count.farther,
                      count.unbounded, count.unsupported, count.wrong);
  return text;
}

constexpr const char* kHead =
    "operator     version   cells   inside  neighbours   farther  unbounded  unsupported  wrong\n";

std::string grid_summary_text(const GridResult& grid) {
  return kHead + line("total", "", total_of(grid));
}

std::string grid_text(const GridResult& grid, std::string_view backend) {
  std::string text = kHead;
  for (const campaigns::GridRow& row : grid.rows)
    text += line(all_operators()[row.operator_index].name, row.version.text(), row.count);
  text += line("total", "", total_of(grid));
  text += "\ninside: listed by the support tables, run on " + std::string(backend) +
          " and equal to the reference in the whole memory\n"
          "neighbours, farther: not listed, rejected for exactly that; neighbours are one version, "
          "one rank or one type away from inside\n"
          "unbounded: ONNX names no largest rank; runs like inside\n";
  const std::size_t named = std::min(grid.wrong.size(), kMostNamed);
  for (std::size_t i = 0; i < named; ++i)
    text += "wrong: " + campaigns::text(grid.wrong[i].cell) + ": " +
            base::printable(grid.wrong[i].message) + "\n";
  if (grid.wrong.size() > named)
    text += "and " + std::to_string(grid.wrong.size() - named) + " more\n";
  return text;
}

Json count_json(const GridCount& count) {
  return {{"cells", count.cells()},
          {"inside", count.inside},
          {"neighbours", count.neighbours},
          {"farther", count.farther},
          {"unbounded", count.unbounded},
          {"unsupported", count.unsupported},
          {"wrong", count.wrong}};
}

Json grid_json(const GridResult& grid, const GridArguments& arguments, const Json& promises) {
  Json json = {{"kind", "grid"},
               {"version", 1},
               {"backend", arguments.backend},
               {"seed", arguments.seed},
               {"run", run_info()}};
  if (!promises.empty()) json["promises"] = promises;
  json["total"] = count_json(total_of(grid));
  json["rows"] = Json::array();
  for (const campaigns::GridRow& row : grid.rows) {
    Json object = count_json(row.count);
    object["operator"] = all_operators()[row.operator_index].name;
    object["version"] = row.version.text();
    json["rows"].push_back(std::move(object));
  }
  json["wrong"] = Json::array();
  for (const campaigns::WrongCell& wrong : grid.wrong)
    json["wrong"].push_back(
        {{"cell", campaigns::text(wrong.cell)}, {"message", base::printable(wrong.message)}});
  return json;
}

int grid_command(const GridArguments& arguments) {
  demand_distinct({arguments.json_file});
  const std::vector<OperatorText> operators = all_operators();
  const std::unique_ptr<backends::Backend> backend =
      backend_of(arguments.backend, arguments.profile);
  const Json promises = promises_json({&backend, 1});
  const std::atomic<bool>& stop = stop_on_signals();
  campaigns::GridOptions options;
  options.seed = arguments.seed;
  options.at_most = arguments.feature_level;
  options.run.timeout = arguments.timeout;
  GridResult grid;
  write_interrupted(arguments.json_file, grid_json(grid, arguments, promises));
  for (std::size_t i = 0; i < operators.size() && !stop; ++i) {
    const std::vector<std::size_t>& wanted = arguments.operators;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), i) == wanted.end()) continue;
    GridResult one = campaigns::run_grid(i, *backend, options, stop);
    std::move(one.rows.begin(), one.rows.end(), std::back_inserter(grid.rows));
    std::move(one.wrong.begin(), one.wrong.end(), std::back_inserter(grid.wrong));
  }
  ExitCode exit_code = grid.wrong.empty() ? kAllAsExpected : kNonconformance;
  Json json = grid_json(grid, arguments, promises);
  if (stop) json["interrupted"] = true;
  if (!arguments.json_file.empty())
    exit_code = std::max(exit_code, write_or_complain(arguments.json_file, json_text(json)));
  if (arguments.json_file != "-")
    print(reports::promises_text(promises, arguments.quiet) +
          (arguments.quiet ? grid_summary_text(grid) : grid_text(grid, arguments.backend)));
  if (stop) {
    complain("interrupted: these are the counts so far");
    exit_code = kHarnessFailed;
  }
  return exit_code;
}

}  // namespace

void add_grid(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<GridArguments>();
  CLI::App* grid = app.add_subcommand(
      "grid", "Try every cell of the support tables, inside and outside, and print the counts");
  add_backend(*grid, arguments->backend,
              "Test this implementation: reference, optimized, faulty:NAME, plugin:PATH, "
              "process:COMMAND or adapter:NAME (default: optimized)");
  add_profile(*grid, arguments->profile);
  add_operators(*grid, arguments->operators, "Test only this operator");
  add_feature_level(*grid, arguments->feature_level);
  add_file(*grid, "--json", arguments->json_file,
           "Write the counts and the wrong cells as JSON; - is standard output");
  add_seconds(*grid, "--timeout", arguments->timeout, "Set the time limit of a cell (default: 10)");
  add_number(*grid, "--seed", arguments->seed, "Set the seed of the generated cases (default: 1)");
  add_quiet(*grid, arguments->quiet);
  grid->callback([arguments, &exit_code] { exit_code = grid_command(*arguments); });
}

}  // namespace opconform::cli
