#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <system_error>

#include "harness/bad_input.h"
#include "harness/random.h"
#include "reports/atomic_file.h"
#include "reports/comparison.h"
#include "reports/renderers.h"
#include "reports/report.h"
#include "tests/faulty_backends/registry.h"
#include "tools/certificate.h"
#include "tools/command.h"
#include "tools/corpus_manifest.h"

namespace opconform::tools {
namespace {

namespace fs = std::filesystem;
using harness::Json;

struct CertifyArguments {
  std::string backend = "optimized";
  std::string out_file = "certificate.html";
  std::string json_file;
  std::vector<std::string> with;
  std::uint64_t cases = 1'000'000;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string verify_file;
  std::uint64_t sample = 500;
  std::optional<std::uint64_t> sample_seed;
};

/// A folder for what the steps write, gone with this.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "opconform-certify-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw reports::WriteError(name + ": cannot be made: " + std::strerror(errno));
    path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// The text with names of files instead of their paths in this folder.
  [[nodiscard]] std::string without_path(std::string text) const {
    const std::string path = path_.string() + "/";
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
      text.erase(at, path.size());
    return text;
  }

 private:
  fs::path path_;
};

/// This program once more, as a command of its own: so that a crash costs one step, and its words
/// are those that anybody would type. What it prints goes to a file.
int run_program(const std::vector<std::string>& words, const std::string& log) {
  std::vector<std::string> all = {"opconform"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output >= 0) ::dup2(output, STDOUT_FILENO);
    ::execv("/proc/self/exe", argv.data());
    ::_exit(kHarnessFailed);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kHarnessFailed;
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string text = "opconform";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

/// What this command runs itself is taken from nowhere else. What tools/mutate or tools/coverage
/// found must be of these sources, or it says nothing about this program; what tools/bench measured
/// is of a machine, too.
void demand_earlier_figures(const std::string& path) {
  const Json document = harness::read_json_file(path, reports::kMaxResultFileBytes);
  const reports::JsonNode node(document, path);
  const std::string kind = node.text("kind");
  if (kind == "speed") return;
  if (kind != "code" && kind != "mutation")
    node.fail("kind", "is " + harness::in_quotes(kind) +
                          ", but only \"code\", \"mutation\" and \"speed\" can be taken in");
  if (const std::string hash = node.text("sources_sha256"); hash != source_hash())
    throw harness::BadInput(
        path, "/sources_sha256",
        "is " + harness::in_quotes(hash) +
            ", but this program was built from other sources: " + source_hash());
}

std::string corpus_directory() {
  const fs::path directory = default_case_directory();
  if (directory.empty())
    throw harness::BadInput("corpus", "", "no folder of cases: set OPCONFORM_SPEC_CASES");
  return directory.string();
}

int certify(const CertifyArguments& arguments) {
  demand_distinct({arguments.out_file, arguments.json_file}, arguments.with);
  for (const std::string& output : {arguments.out_file, arguments.json_file})
    if (!output.empty()) reports::demand_writable(output);
  (void)backend_of(arguments.backend);
  for (const std::string& file : arguments.with) demand_earlier_figures(file);
  const std::string corpus = corpus_directory();
  const WorkFolder folder;
  const std::string jobs = std::to_string(arguments.jobs);
  const std::string seed = std::to_string(arguments.seed);
  const std::vector<std::vector<std::string>> steps = {
      {"corpus", "verify", corpus},
      {"run", corpus, "--backend", arguments.backend, "--jobs", jobs, "--seed", seed, "--json",
       folder.file("results.json"), "--coverage", folder.file("covered-by-cases.json")},
      {"fuzz", "--backend", arguments.backend, "--seed", seed, "--cases",
       std::to_string(arguments.cases), "--strength", "3", "--jobs", jobs, "--quiet", "--out",
       folder.file("fuzz"), "--json", folder.file("campaign.json"), "--coverage",
       folder.file("covered-by-campaign.json")},
      {"grid", "--backend", arguments.backend, "--seed", seed, "--json", folder.file("grid.json")},
      {"selftest", corpus, "--jobs", jobs, "--seed", seed, "--json", folder.file("selftest.json")},
  };
  std::vector<CertificateStep> done;
  const std::atomic<bool>& stop = stop_on_signals();
  for (const std::vector<std::string>& words : steps) {
    const std::string command = folder.without_path(shell_text(words));
    std::fprintf(stderr, "==> %s\n", harness::printable(command).c_str());
    done.push_back({command, run_program(words, folder.file("log"))});
    if (stop) {
      complain("interrupted: no certificate");
      return kHarnessFailed;
    }
    if (done.back().exit_code > kNonconformance) {
      complain("no certificate: exit code " + std::to_string(done.back().exit_code) + " of " +
               command);
      return std::max<int>(done.back().exit_code, kHarnessFailed);
    }
  }
  reports::ReportBuilder builder;
  for (const char* name : {"results.json", "covered-by-cases.json", "campaign.json",
                           "covered-by-campaign.json", "grid.json", "selftest.json"})
    builder.add_file(folder.file(name));
  for (const std::string& file : arguments.with) builder.add_file(file);
  Json report = builder.take("Certificate of " + arguments.backend);
  for (Json& input : report["inputs"])  // the steps' files are gone when somebody reads this
    for (Json* text : {&input["file"], input.contains("run") ? &input["run"]["command"] : nullptr})
      if (text != nullptr) *text = folder.without_path(text->get<std::string>());
  report["certificate"] =
      make_certificate(report, {arguments.backend, arguments.seed, arguments.cases}, done, corpus);
  const Json& certificate = report["certificate"];

  ExitCode exit_code = certificate["verdict"] == "conforms" ? kAllAsExpected : kNonconformance;
  const ExitCode written = write_report(report, {.html = arguments.out_file});
  exit_code = std::max(exit_code, written);
  if (!arguments.json_file.empty())
    exit_code = std::max(exit_code, write_or_complain(arguments.json_file, json_text(report)));
  if (arguments.json_file != "-")
    print(certificate_text(certificate) +
          (written == kAllAsExpected ? "certificate: " + arguments.out_file + "\n" : ""));
  return exit_code;
}

/// Collects what does not agree.
class Disagreements {
 public:
  void compare(const std::string& what, const Json& certified, const Json& found) {
    ++compared_;
    if (certified != found)
      list_.push_back(what + ": certified " + harness::words_of_others(certified.dump(), 200) +
                      ", found " + harness::words_of_others(found.dump(), 200));
  }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }
  [[nodiscard]] std::size_t compared() const { return compared_; }

 private:
  std::vector<std::string> list_;
  std::size_t compared_ = 0;
};

/// So many of the items, drawn without repetition.
template <class T>
std::vector<T> drawn(std::vector<T> items, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = 0; i < std::min(count, items.size()); ++i) {
    const std::size_t left = items.size() - i;
    std::swap(items[i], items[i + harness::random_bits(seed, i) % left]);
  }
  items.resize(std::min(count, items.size()));
  return items;
}

/// A glob that matches the text alone.
std::string glob_of(const std::string& text) {
  std::string glob;
  for (const char c : text) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) glob += '\\';
    glob += c;
  }
  return glob;
}

class Verification {
 public:
  Verification(const CertifyArguments& arguments, const Json& report)
      : arguments_(arguments),
        report_(report, arguments.verify_file),
        certificate_(report_.object("certificate")),
        backend_(certificate_.text("backend")),
        seed_(std::to_string(certificate_.count("seed"))),
        sample_seed_(arguments.sample_seed.value_or(std::random_device{}())) {}

  int run() {
    (void)backend_of(backend_);
    const std::string corpus = corpus_directory();
    if (manifest_hash(corpus) != certificate_.object("corpus").text("sha256")) {
      complain((fs::path(corpus) / kManifestName).string() +
               " is of another corpus than the certificate's, version " +
               certificate_.object("corpus").text("version"));
      return kBadInput;
    }
    verify_statements();
    verify_cases(corpus);
    verify_campaign();
    verify_grid();
    verify_planted_bugs(corpus);
    if (failed_) return kHarnessFailed;

    std::string text;
    if (certificate_.object("program").text("sources_sha256") != source_hash())
      text += "this program was built from other sources than the certified one\n";
    for (const std::string& one : disagreements_.list())
      text += "differs: " + harness::printable(one) + "\n";
    text +=
        std::to_string(disagreements_.compared()) + " figures compared with " +
        harness::printable(arguments_.verify_file) + ", sample seed " +
        std::to_string(sample_seed_) + ": " +
        (disagreements_.list().empty() ? "all agree"
                                       : std::to_string(disagreements_.list().size()) + " differ") +
        "\nnot run again: what reaches rules, support cells and combinations, mutants, coverage of "
        "the code\n";
    print(text);
    return disagreements_.list().empty() ? kAllAsExpected : kNonconformance;
  }

 private:
  /// The JSON that the command writes; null, with a complaint, where it fails.
  Json output_of(std::vector<std::string> words) {
    const std::string file = folder_.file("output.json");
    words.insert(words.end(), {"--json", file});
    const int code = run_program(words, folder_.file("log"));
    if (code > kNonconformance) {
      complain("exit code " + std::to_string(code) + " of " + shell_text(words));
      failed_ = true;
      return {};
    }
    return harness::read_json_file(file, reports::kMaxResultFileBytes);
  }

  /// The certificate says what the rest of the page says.
  void verify_statements() {
    try {
      for (const Statement& one : statements_of(reports::with_numbers(report_.value())))
        disagreements_.compare(one.what, one.certified, one.found);
    } catch (const Json::exception& error) {
      report_.fail("", std::string("is no whole report: ") + error.what());
    }
  }

  void verify_cases(const std::string& corpus) {
    int exit_code = kAllAsExpected;
    std::vector<std::string> ids;
    for (const harness::Case& one : load({corpus}, exit_code).cases) ids.push_back(one.id);
    const reports::JsonNode certified = certificate_.object("figures").object("cases");
    disagreements_.compare("cases", certified.count("total"), ids.size());
    std::map<std::string, std::string> verdict_of;  // of those that did not pass
    for (const reports::JsonNode& one : certified.objects("not_passed"))
      verdict_of[one.text("case")] = one.text("verdict");
    const auto verdict_certified = [&](const std::string& id) {
      const auto found = verdict_of.find(id);
      return found == verdict_of.end() ? "pass" : found->second;
    };
    std::vector<std::string> words = {"run", corpus, "--backend", backend_};
    std::set<std::string> sample;
    for (const std::string& id : drawn(ids, arguments_.sample, sample_seed_)) {
      words.insert(words.end(), {"--filter", glob_of(id)});
      sample.insert(id);
    }
    const Json output = output_of(words);
    if (output.is_null()) return;
    for (const Json& result : output["results"]) {
      const std::string id = result["case"];
      disagreements_.compare("case " + id, verdict_certified(id), result["verdict"]);
      sample.erase(id);
    }
    for (const std::string& id : sample)
      disagreements_.compare("case " + id, verdict_certified(id), nullptr);
  }

  /// Some stretches of the campaign: what they find must be among what was found.
  void verify_campaign() {
    constexpr std::uint64_t kStretches = 10;
    constexpr std::uint64_t kCases = 2000;
    const auto kinds = [](const Json& findings) {
      std::set<std::string> names;
      for (const Json& one : findings)
        names.insert(one["operator"].get<std::string>() + " " + one["verdict"].get<std::string>() +
                     " " + one["rule"].get<std::string>());
      return names;
    };
    const std::vector<reports::JsonNode> campaigns = report_.objects("campaigns");
    if (campaigns.empty()) report_.fail("campaigns", "holds none");
    const std::set<std::string> certified = kinds(campaigns.front().value()["findings"]);
    const std::uint64_t all = certificate_.count("generated_cases");
    for (std::uint64_t i = 0; i < kStretches && !failed_; ++i) {
      const std::uint64_t first =
          all > kCases ? harness::random_bits(sample_seed_ + 1, i) % (all - kCases) : 0;
      const Json output = output_of(
          {"fuzz", "--backend", backend_, "--seed", seed_, "--first", std::to_string(first),
           "--cases", std::to_string(std::min(kCases, all)), "--strength", "3", "--quiet", "--out",
           folder_.file("fuzz-" + std::to_string(i))});
      if (output.is_null()) return;
      for (const std::string& kind : kinds(output["findings"]))
        disagreements_.compare("generated cases from " + std::to_string(first) + ", " + kind,
                               certified.count(kind) != 0, true);
      disagreements_.compare("generated cases from " + std::to_string(first), output["cases"],
                             std::min(kCases, all));
    }
  }

  void verify_grid() {
    const Json output = output_of({"grid", "--backend", backend_, "--seed", seed_});
    if (output.is_null()) return;
    disagreements_.compare("support grid", certificate_.object("figures").object("grid").value(),
                           output["total"]);
  }

  void verify_planted_bugs(const std::string& corpus) {
    constexpr std::size_t kBugs = 8;
    const std::vector<reports::JsonNode> suspects = report_.object("selftest").objects("suspects");
    std::vector<std::string> names;
    for (const reports::JsonNode& suspect : suspects) names.push_back(suspect.text("name"));
    std::vector<std::string_view> planted;
    for (const faulty::Planted& one : faulty::all_planted())
      if (one.kind != faulty::Kind::kBehaviour) planted.push_back(one.row->name);
    disagreements_.compare("planted bugs", names, planted);

    std::vector<std::size_t> places(suspects.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::vector<std::string> words = {"selftest", corpus, "--seed", seed_};
    std::map<std::string, const reports::JsonNode*> certified;
    for (const std::size_t place : drawn(places, kBugs, sample_seed_ + 2)) {
      const std::string& name = names[place];
      words.insert(words.end(), {"--only", glob_of(name)});
      certified[name] = &suspects[place];
    }
    const Json output = output_of(words);
    if (output.is_null()) return;
    for (const Json& suspect : output["suspects"]) {
      const std::string name = suspect["name"];
      const auto found = certified.find(name);
      if (found == certified.end()) continue;
      const reports::JsonNode caught = found->second->object("caught");
      for (const char* stage : {"documents", "suite", "fuzz"})
        disagreements_.compare("planted bug " + name + ", " + stage,
                               caught.object(stage).value()["after"],
                               suspect[stage]["caught_after"]);
    }
  }

  const CertifyArguments& arguments_;
  const reports::JsonNode report_;
  const reports::JsonNode certificate_;
  std::string backend_;
  std::string seed_;
  std::uint64_t sample_seed_;
  WorkFolder folder_;
  Disagreements disagreements_;
  bool failed_ = false;
};

}  // namespace

void add_certify(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CertifyArguments>();
  CLI::App* certify_app = app.add_subcommand(
      "certify", "Run everything on an implementation and write one page that others can verify");
  certify_app
      ->add_option("--backend", arguments->backend,
                   "Implementation to certify (default: optimized)")
      ->type_name("B");
  add_file(*certify_app, "--out", arguments->out_file,
           "Write the page there (default certificate.html)");
  add_file(*certify_app, "--json", arguments->json_file,
           "Write the same as JSON; - is standard output");
  certify_app
      ->add_option("--with", arguments->with,
                   "A file of tools/mutate, tools/coverage or tools/bench to take in, repeatable; "
                   "it must be of the sources of this program")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_number(*certify_app, "--cases", arguments->cases, "Generated cases (default 1000000)", "N");
  add_number(*certify_app, "--seed", arguments->seed, "Of contents and generated cases (default 1)",
             "N");
  certify_app->add_option("--jobs,-j", arguments->jobs, "At once (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  const std::vector<CLI::Option*> certifying = certify_app->get_options();
  CLI::Option& verify = add_file(*certify_app, "--verify", arguments->verify_file,
                                 "Instead of all that, run a random sample of a certificate again, "
                                 "and tell whether it agrees");
  for (CLI::Option* const one : certifying) verify.excludes(one);  // the certificate says
  add_number(
      *certify_app, "--sample", arguments->sample,
      "Cases of the sample (default 500); generated cases, the grid and planted bugs besides", "N")
      .needs(&verify);
  const auto set_seed = [arguments](const std::uint64_t& seed) { arguments->sample_seed = seed; };
  certify_app
      ->add_option_function<std::uint64_t>("--sample-seed", set_seed, "Draws the sample again")
      ->type_name("N")
      ->needs(&verify);
  certify_app->callback([arguments, &exit_code] {
    if (arguments->verify_file.empty()) {
      exit_code = certify(*arguments);
      return;
    }
    const Json report = read_certified_report(arguments->verify_file);
    exit_code = Verification(*arguments, report).run();
  });
}

}  // namespace opconform::tools
