#include "cli/certificate/verification.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "cli/certificate/certificate.h"
#include "cli/certificate/own_commands.h"
#include "cli/certificate/signature.h"
#include "cli/certificate/statements.h"
#include "cli/corpus_manifest.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/base/bad_input.h"
#include "harness/base/random.h"
#include "planted/registry.h"
#include "reports/comparison.h"
#include "reports/json_node.h"
#include "reports/renderers.h"
#include "reports/report.h"
#include "reports/report_view.h"

namespace opconform::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// As docs/certificates.md has it.
constexpr std::string_view kNotCheckedAgain =
    "not checked again:\n"
    "  cases and generated cases outside of the sample, and messages of failures\n"
    "  which rules, support cells and combinations were reached, and the choices\n"
    "  the campaign's columns: valid, broken and related cases of each operator, but for their "
    "sum\n"
    "  how planted bugs outside of the sample were caught, and which cases show those of threads\n"
    "  mutants, coverage of the code, speed\n"
    "  times, system, processor, kernels, compiler, versions of implementations, the program's "
    "hash\n";

/// Collects what does not agree.
class Disagreements {
 public:
  void compare(const std::string& what, const Json& certified, const Json& found) {
    ++compared_;
    if (certified != found)
      list_.push_back(what + ": certified " + base::words_of_others(certified.dump(), 200) +
                      ", found " + base::words_of_others(found.dump(), 200));
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
    std::swap(items[i], items[i + base::random_bits(seed, i) % left]);
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
  Verification(const VerificationSettings& settings, const CertifiedReport& certified)
      : settings_(settings),
        page_(certified.page),
        report_(certified.report, settings.file),
        certificate_(report_.object("certificate")),
        backend_(certificate_.text("backend")),
        profile_(certificate_.text_or("profile", "")),
        seed_(std::to_string(certificate_.count("seed"))) {}

  int run() {
    if (!is_as_written()) return kNonconformance;
    (void)backend_of(backend_, profile_);
    if (!has_its_cases()) return kBadInput;
    verify_page();
    verify_statements();
    verify_cases();
    verify_campaign();
    verify_grid();
    verify_planted_bugs();
    if (is_asked_to_stop()) {
      complain("interrupted: not everything was verified");
      return kHarnessFailed;
    }
    if (failed_) return kHarnessFailed;

    std::string text;
    if (!is_of_these_sources())
      text += "the certified program was built from other sources than this one\n";
    for (const std::string& one : disagreements_.list())
      text += "differs: " + base::printable(one) + "\n";
    text +=
        std::to_string(disagreements_.compared()) + " figures compared with " +
        base::printable(settings_.file) + ", sample seed " + std::to_string(settings_.sample_seed) +
        ": " +
        (disagreements_.list().empty() ? "all agree"
                                       : std::to_string(disagreements_.list().size()) + " differ") +
        "\n" + std::string(kNotCheckedAgain);
    if (!is_protected_)
      text += "unprotected: neither a digest nor a signature that was checked protects these\n";
    print(text);
    return disagreements_.list().empty() && is_protected_ ? kAllAsExpected : kNonconformance;
  }

 private:
  [[nodiscard]] bool is_of_these_sources() const {
    return certificate_.object("program").text("sources_sha256") == source_hash();
  }

  /// Says how the file is kept from changes, and whether it has any. A digest says nothing of who
  /// made it: whoever forges the data makes that, too.
  bool is_as_written() {
    std::string signature = "not checked: --allowed-signers tells whose to accept";
    bool is_good = true;
    if (!settings_.allowed_signers.empty()) {
      const SignatureCheck check = check_signature(settings_.file, settings_.allowed_signers);
      is_protected_ = is_good = !check.signer.empty();
      signature = is_good ? "by " + base::printable(check.signer)
                          : "differs: by nobody in " + base::printable(settings_.allowed_signers) +
                                ": " + check.message;
    }
    std::string digest = is_of_these_sources()
                             ? "none: somebody took it out, for this program writes one"
                             : "none: an older version wrote this, or somebody took it out";
    if (certificate_.has("sha256")) {
      const bool is_same = certificate_.text("sha256") == digest_of(report_.value());
      is_good = is_good && is_same;
      is_protected_ = is_protected_ || is_same;
      digest = is_same ? "of this data: nobody changed it by mistake"
                       : "differs: of other data, so something was changed";
    }
    print("signature  " + signature + "\ndigest     " + digest + "\n");
    return is_good;
  }

  [[nodiscard]] fs::path corpus() const { return settings_.corpus_directory; }

  /// Whether the cases here are those of the certificate, file by file.
  [[nodiscard]] bool has_its_cases() const {
    const reports::JsonNode certified = certificate_.object("corpus");
    if (manifest_hash(corpus()) != certified.text("sha256")) {
      complain((corpus() / kManifestName).string() +
               " holds another corpus than the certificate's, version " +
               base::printable(certified.text("version")));
      return false;
    }
    std::vector<std::string> changed;
    CorpusManifest now = take_stock(corpus(), changed);
    const CorpusManifest manifest = read_manifest(corpus());
    now.superseded = manifest.superseded;
    for (std::string& one : differences(manifest, now)) changed.push_back(std::move(one));
    if (!changed.empty())
      complain(corpus().string() +
               " is not as its manifest has it: " + base::printable(changed.front()));
    return changed.empty();
  }

  /// Around its data a page has what each page of this program has.
  void verify_page() {
    if (page_.empty()) return;
    const bool is_same = page_ == reports::page_around(report_.value());
    disagreements_.compare(
        "the page around its data (if another version wrote the page, verify its JSON file)",
        is_same ? "as this program makes it" : "something else", "as this program makes it");
  }

  /// The JSON that the command writes; null, with a complaint, where it fails.
  Json output_of(std::vector<std::string> words) {
    const std::string file = folder_.file("output.json");
    words.insert(words.end(), {"--json", file});
    const int code = run_program(words, folder_.file("log"));
    if (is_asked_to_stop()) {
      failed_ = true;
      return {};
    }
    if (code > kNonconformance) {
      complain("exit code " + std::to_string(code) + " of " + shell_text(words));
      failed_ = true;
      return {};
    }
    return base::read_json_file(file, reports::kMaxResultFileBytes);
  }

  /// The certificate says what the rest of the page says.
  void verify_statements() {
    disagreements_.compare("version of the corpus", certificate_.object("corpus").text("version"),
                           read_manifest(corpus()).version);
    try {
      for (const Statement& one : statements_of(report_.value()))
        disagreements_.compare(one.what, one.certified, one.found);
    } catch (const Json::exception& error) {
      report_.fail("", std::string("is not a complete report: ") + error.what());
    }
  }

  void verify_cases() {
    int exit_code = kAllAsExpected;
    std::vector<std::string> ids;
    for (const cases::Case& one : load({settings_.corpus_directory}, exit_code).cases)
      ids.push_back(one.id);
    const reports::JsonNode certified = certificate_.object("figures").object("cases");
    disagreements_.compare("cases", certified.count("total"), ids.size());
    std::map<std::string, std::string> verdict_of;  // of those that did not pass
    for (const reports::JsonNode& one : certified.objects("not_passed"))
      verdict_of[one.text("case")] = one.text("verdict");
    const auto verdict_certified = [&](const std::string& id) {
      const auto found = verdict_of.find(id);
      return found == verdict_of.end() ? "pass" : found->second;
    };
    const std::map<std::string, Json> rows = rows_of(report_.value());
    const std::set<std::string> known(ids.begin(), ids.end());
    for (const auto& [id, row] : rows)
      if (!known.contains(id)) disagreements_.compare("case listed", id, nullptr);

    std::vector<std::string> words =
        tested({"run", settings_.corpus_directory, "--backend", backend_});
    std::set<std::string> sample;
    for (const std::string& id : drawn(ids, settings_.sample, settings_.sample_seed)) {
      words.insert(words.end(), {"--filter", glob_of(id)});
      sample.insert(id);
    }
    if (sample.empty()) return;
    const Json output = output_of(words);
    if (output.is_null()) return;
    for (const Json& result : output["results"]) {
      const std::string id = result["case"];
      disagreements_.compare("case " + id, verdict_certified(id), result["verdict"]);
      sample.erase(id);
    }
    for (const std::string& id : sample)
      disagreements_.compare("case " + id, verdict_certified(id), nullptr);
    for (const auto& [id, row] : rows_of(report_from(output)))
      if (const auto found = rows.find(id); found != rows.end())
        disagreements_.compare("row of case " + id, found->second, row);
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
    const std::uint64_t stretches = all > kCases ? kStretches : 1;
    for (std::uint64_t i = 0; i < stretches && !failed_; ++i) {
      const std::uint64_t first =
          all > kCases ? base::random_bits(settings_.sample_seed + 1, i) % (all - kCases) : 0;
      const Json output =
          output_of(tested({"fuzz", "--backend", backend_, "--seed", seed_, "--first",
                            std::to_string(first), "--cases", std::to_string(std::min(kCases, all)),
                            "--quiet", "--out", folder_.file("fuzz-" + std::to_string(i))}));
      if (output.is_null()) return;
      for (const std::string& kind : kinds(output["findings"]))
        disagreements_.compare("generated cases from " + std::to_string(first) + ", " + kind,
                               certified.contains(kind), true);
      disagreements_.compare("generated cases from " + std::to_string(first), output["cases"],
                             std::min(kCases, all));
    }
  }

  /// The command, with the certificate's profile.
  [[nodiscard]] std::vector<std::string> tested(std::vector<std::string> words) const {
    if (!profile_.empty()) words.insert(words.end(), {"--profile", profile_});
    return words;
  }

  void verify_grid() {
    const Json output = output_of(tested({"grid", "--backend", backend_, "--seed", seed_}));
    if (output.is_null()) return;
    const Json found = report_from(output)["grids"][0];
    const Json& certified = report_.objects("grids").front().value();
    for (const char* part : {"total", "rows"})
      disagreements_.compare(std::string("support grid, ") + part, certified[part], found[part]);
  }

  void verify_planted_bugs() {
    constexpr std::size_t kBugs = 8;
    const std::vector<reports::JsonNode> suspects = report_.object("selftest").objects("suspects");
    std::vector<std::string> names;
    names.reserve(suspects.size());
    for (const reports::JsonNode& suspect : suspects) names.push_back(suspect.text("name"));
    std::vector<std::string_view> planted;
    for (const planted::Planted& one : planted::all_planted())
      if (one.kind != planted::Kind::kBehaviour && one.row->label.empty())
        planted.push_back(one.row->name);
    disagreements_.compare("planted bugs", names, planted);

    std::vector<std::size_t> places(suspects.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::vector<std::string> words = {"selftest", settings_.corpus_directory, "--seed", seed_};
    std::map<std::string, const reports::JsonNode*> certified;
    for (const std::size_t place : drawn(places, kBugs, settings_.sample_seed + 2)) {
      words.insert(words.end(), {"--only", glob_of(names[place])});
      certified[names[place]] = &suspects[place];
    }
    const Json output = output_of(words);
    if (output.is_null()) return;
    const Json found = report_from(output);
    for (Json suspect : found["selftest"]["suspects"]) {
      const auto one = certified.find(suspect["name"]);
      if (one == certified.end()) continue;
      Json known = one->second->value();
      // Which cases show what goes wrong between threads is chance.
      if (planted::make_faulty("faulty:" + one->first)->at_once() != backends::AtOnce::kNothing)
        for (Json* const which : {&known, &suspect}) which->erase("caught");
      disagreements_.compare("planted bug " + one->first, known, suspect);
    }
  }

  /// As the steps' outputs became the certified report.
  static Json report_from(const Json& output) {
    reports::ReportBuilder builder;
    builder.add(output, "output.json");
    return reports::with_numbers(builder.take("A sample"));
  }

  /// What the report lists of each case, but for its file and its verdict.
  static std::map<std::string, Json> rows_of(const Json& report) {
    const Json& results = report.at("results");
    std::map<std::string, Json> rows;
    for (const Json& row : results.at("rows")) {
      Json named = reports::row_with_texts(results, row);
      named["file"] = nullptr;
      named["verdicts"] = nullptr;
      const std::string id = named["id"];
      rows[id] = std::move(named);
    }
    return rows;
  }

  const VerificationSettings& settings_;
  const std::string& page_;
  const reports::JsonNode report_;
  const reports::JsonNode certificate_;
  std::string backend_;
  std::string profile_;
  std::string seed_;
  WorkFolder folder_;
  Disagreements disagreements_;
  bool is_protected_ = false;  // from single changes: by a digest or a signature
  bool failed_ = false;
};

}  // namespace

int verify_certificate(const VerificationSettings& settings) {
  const CertifiedReport certified = read_certified_report(settings.file);
  return Verification(settings, certified).run();
}

}  // namespace opconform::cli
