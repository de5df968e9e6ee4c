#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "cli/case_folder.h"
#include "cli/commands.h"
#include "cli/corpus_manifest.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"
#include "harness/cases/case_writer.h"
#include "harness/strength/boundary_cases.h"
#include "harness/strength/corpus.h"
#include "harness/strength/large_cases.h"
#include "reports/atomic_file.h"

namespace opconform::cli {
namespace {

namespace fs = std::filesystem;

struct CorpusArguments {
  std::string directory;
  std::string version;
  std::vector<std::string> supersede;
  std::uint64_t seed = 1;
  bool quiet = false;
};

fs::path directory_of(const CorpusArguments& arguments) {
  fs::path directory = arguments.directory.empty() ? case_folder() : fs::path(arguments.directory);
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw base::BadInput(directory.string(), "", "is not a folder");
  return directory;
}

void complain_of(const std::vector<std::string>& sentences) {
  for (std::size_t i = 0; i < std::min(sentences.size(), kMostNamed); ++i) complain(sentences[i]);
  if (sentences.size() > kMostNamed)
    complain("and " + std::to_string(sentences.size() - kMostNamed) + " more");
}

std::string of(std::uint64_t part, std::uint64_t all) {
  return std::to_string(part) + " of " + std::to_string(all);
}

std::string count_text(const std::vector<cases::Case>& cases) {
  std::string text =
      "              executed  with strides rejected              pairs                triples\n";
  for (std::size_t i = 0; i < std::variant_size_v<Operator>; ++i) {
    const strength::CorpusCount count = strength::count_corpus(i, cases);
    char line[160];
    (void)std::snprintf(line, sizeof line, "%-13s %8zu %13zu %8zu %18s %22s\n",
                        std::string(all_operators()[i].name).c_str(), count.executed, count.strided,
                        count.rejected, of(count.pairs.covered, count.pairs.feasible).c_str(),
                        of(count.triples.covered, count.triples.feasible).c_str());
    text += line;
  }
  return text;
}

/// ", 90 cases labelled large": those that are run only where their label is asked for.
std::string labelled_text(const std::vector<cases::Case>& cases) {
  std::string text;
  for (const std::string_view label : cases::kCaseLabels) {
    const auto count = std::count_if(cases.begin(), cases.end(),
                                     [&](const cases::Case& one) { return one.label == label; });
    if (count > 0) text += ", " + std::to_string(count) + " cases labelled " + std::string(label);
  }
  return text;
}

/// Has the changelog a heading for the version?
bool tells_of(const fs::path& directory, const std::string& version) {
  const std::string text =
      "\n" + base::read_text_file(directory / kChangelogName, base::kMaxFileBytes);
  const std::size_t at = text.find("\n## " + version);
  return at != std::string::npos &&
         std::string(" \n").find(text[std::min(at + 4 + version.size(), text.size() - 1)]) !=
             std::string::npos;
}

/// Throws BadInput where the version lies before that of the manifest. The same one again takes in
/// files whose cases stay as they are.
void demand_no_earlier(const fs::path& directory, const std::string& before,
                       const std::string& version) {
  const std::string file = (directory / kManifestName).string();
  const auto numbers = version_numbers(version);
  if (!numbers)
    throw CLI::ValidationError("--version", base::in_quotes(version) + " is no version: 1.10.0");
  const auto numbers_before = version_numbers(before);
  if (!numbers_before)
    throw base::BadInput(file, "/version", base::in_quotes(before) + " is no version: 1.10.0");
  if (*numbers < *numbers_before)
    throw base::BadInput(
        file, "/version",
        "is " + before + ", but --version is " + version + ": a new version must be greater");
}

CorpusManifest manifest_if_any(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / kManifestName, error) ? read_manifest(directory) : CorpusManifest{};
}

int verify_command(const CorpusArguments& arguments) {
  int exit_code = kAllAsExpected;
  const fs::path directory = directory_of(arguments);
  const CorpusManifest manifest = read_manifest(directory);
  const cases::LoadedCases loaded = load_all({directory.string()}, exit_code);
  std::vector<std::string> bad_input;  // told by load() already
  CorpusManifest now = take_stock(directory, bad_input);
  now.superseded = manifest.superseded;
  std::vector<std::string> found = differences(manifest, now);
  if (!tells_of(directory, manifest.version))
    found.push_back(std::string(kChangelogName) + " does not describe version " + manifest.version);
  complain_of(found);
  print("corpus " + manifest.version + ": " + std::to_string(now.cases.size()) + " cases in " +
        std::to_string(now.files.size()) + " files" + labelled_text(loaded.cases) + ", " +
        (found.empty() ? "all as the manifest has them"
                       : std::to_string(found.size()) + " differences from the manifest") +
        "\n" + (arguments.quiet ? "" : count_text(loaded.cases)));
  return std::max<int>(exit_code, found.empty() ? kAllAsExpected : kNonconformance);
}

int update_command(const CorpusArguments& arguments) {
  int exit_code = kAllAsExpected;
  const fs::path directory = directory_of(arguments);
  const CorpusManifest before = manifest_if_any(directory);
  demand_no_earlier(directory, before.version.empty() ? "0" : before.version, arguments.version);
  (void)load_all({directory.string()}, exit_code);
  if (exit_code != kAllAsExpected) return exit_code;
  std::vector<std::string> bad_input;  // load() found none
  CorpusManifest now = take_stock(directory, bad_input);
  now.version = arguments.version;
  now.superseded = before.superseded;
  for (const std::string& pair : arguments.supersede) {
    const std::size_t at = pair.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == pair.size())
      throw CLI::ValidationError("--supersede", "not of the form OLD-ID=NEW-ID: " + pair);
    now.superseded[pair.substr(0, at)] = pair.substr(at + 1);
  }
  std::vector<std::string> broken = broken_promises(before, now);
  const bool loses_cases = !broken.empty();
  if (now.cases != before.cases && now.version == before.version)
    broken.push_back("version " + now.version + " holds other cases: name a new version");
  if (!tells_of(directory, now.version))
    broken.push_back(std::string(kChangelogName) + " does not describe version " + now.version);
  if (!broken.empty()) {
    complain_of(broken);
    if (loses_cases)
      complain(
          "a case never changes: give the new case another id, and name both ids with "
          "--supersede");
    return kNonconformance;
  }
  reports::write_file((directory / kManifestName).string(), manifest_text(now));
  print("corpus " + now.version + ": " + std::to_string(now.cases.size()) + " cases in " +
        std::to_string(now.files.size()) + " files\n");
  return kAllAsExpected;
}

/// Puts the seeds that the file's cases were drawn with before those of new ones.
void add_former_seeds(const std::string& file, std::vector<std::uint64_t>& seeds) {
  const base::Json document =
      base::parse_json(base::read_text_file(file, base::kMaxFileBytes), file);
  std::vector<std::uint64_t> all = cases::seeds_of(document, file);
  for (const std::uint64_t seed : seeds)
    if (std::find(all.begin(), all.end(), seed) == all.end()) all.push_back(seed);
  seeds = std::move(all);
}

int grow_command(const CorpusArguments& arguments) {
  int exit_code = kAllAsExpected;
  const fs::path directory = directory_of(arguments);
  const cases::LoadedCases loaded = load_all({directory.string()}, exit_code);
  if (exit_code != kAllAsExpected) return exit_code;
  // Nor does an id come back that a former case had.
  std::set<std::string> taken;
  for (const cases::Case& one : loaded.cases) taken.insert(one.id);
  const CorpusManifest manifest = manifest_if_any(directory);
  for (const auto* ids : {&manifest.cases, &manifest.superseded})
    for (const auto& [id, value] : *ids) taken.insert(id);
  std::size_t added = 0;
  const auto add = [&](const std::string& name, const std::vector<cases::Case>& new_cases,
                       cases::GeneratedHeader header) {
    const fs::path file = directory / name;
    added += new_cases.size();
    // Cases that the file has keep their place before the new ones, and their seeds in the header.
    std::vector<cases::Case> all;
    for (const cases::Case& one : loaded.cases)
      if (fs::path(one.file) == file) all.push_back(one);
    all.insert(all.end(), new_cases.begin(), new_cases.end());
    fs::create_directories(file.parent_path());
    if (fs::exists(file)) add_former_seeds(file.string(), header.seeds);
    header.by = "opconform corpus grow";
    header.corpus = arguments.version.empty() ? manifest.version : arguments.version;
    reports::write_file(file.string(),
                        cases::generated_text(all, header, "../../case.schema.json"));
  };
  for (const auto& [name, cases] : strength::missing_cases(loaded.cases, taken, arguments.seed))
    add(name, cases, {.seeds = {arguments.seed}, .hunts = std::string(strength::hunted_by(name))});
  for (std::vector<strength::LargeFile> files :
       {strength::large_files(), strength::boundary_files()})
    for (strength::LargeFile& file : files) {
      std::erase_if(file.cases, [&](const cases::Case& one) { return taken.contains(one.id); });
      if (!file.cases.empty()) add(file.path, file.cases, {.hunts = file.hunts});
    }
  print(std::to_string(added) + " cases added\n");
  return kAllAsExpected;
}

CLI::App& add_action(CLI::App& corpus, const std::string& name, const std::string& description,
                     const std::shared_ptr<CorpusArguments>& arguments) {
  CLI::App* action = corpus.add_subcommand(name, description);
  tell_case_folder(*action);
  action
      ->add_option("directory", arguments->directory,
                   "The folder of cases (default: the committed cases)")
      ->type_name("DIR");
  return *action;
}

}  // namespace

void add_corpus(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CorpusArguments>();
  CLI::App* corpus = app.add_subcommand("corpus", "Check and extend the committed cases");
  corpus->require_subcommand(1);
  CLI::App& verify = add_action(
      *corpus, "verify", "Check files and cases against the manifest, and count them", arguments);
  add_quiet(verify, arguments->quiet);
  verify.callback([arguments, &exit_code] { exit_code = verify_command(*arguments); });

  CLI::App& update = add_action(*corpus, "update",
                                "Add new cases to the manifest, under a new version", arguments);
  update
      .add_option(
          "--version", arguments->version,
          "Name the new version, greater than the manifest's, which CHANGELOG.md must describe")
      ->type_name("V")
      ->required();
  update
      .add_option("--supersede", arguments->supersede,
                  "Name a case that is gone and the case that supersedes it; repeatable")
      ->type_name("OLD-ID=NEW-ID")
      ->allow_extra_args(false);
  update.callback([arguments, &exit_code] { exit_code = update_command(*arguments); });

  CLI::App& grow = add_action(*corpus, "grow",
                              "Add the missing cases: for each triple of factors, and for each "
                              "rule, broken at each version and with each type",
                              arguments);
  grow.add_option("--version", arguments->version,
                  "Write this version into the headers of the new files (default: the manifest's)")
      ->type_name("V");
  add_number(grow, "--seed", arguments->seed, "Set the seed of the new cases (default: 1)", "N");
  grow.callback([arguments, &exit_code] { exit_code = grow_command(*arguments); });
}

}  // namespace opconform::cli
