#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>

#include "cli/case_folder.h"
#include "cli/certificate/certificate.h"
#include "cli/certificate/own_commands.h"
#include "cli/certificate/signature.h"
#include "cli/certificate/verification.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/base/bad_input.h"
#include "reports/atomic_file.h"
#include "reports/json_node.h"
#include "reports/renderers.h"
#include "reports/report.h"

namespace opconform::cli {
namespace {

using base::Json;

struct CertifyArguments {
  std::string backend = "optimized";
  std::string profile;
  std::string out_file = "certificate.html";
  std::string json_file;
  std::vector<std::string> with;
  std::string signing_key;
  std::uint64_t cases = 1'000'000;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string verify_file;
  std::uint64_t sample = 500;
  std::optional<std::uint64_t> sample_seed;
  std::string allowed_signers;
  bool quiet = false;
};

/// What this command runs itself is taken from nowhere else. What tools/mutate or tools/coverage
/// found must be of these sources, or it says nothing about this program; what tools/bench measured
/// is of a machine, too.
void demand_earlier_figures(const std::string& path) {
  const Json document = base::read_json_file(path, reports::kMaxResultFileBytes);
  const reports::JsonNode node(document, path);
  const std::string kind = node.text("kind");
  if (kind != "code" && kind != "mutation" && kind != "speed")
    node.fail("kind", "is " + base::in_quotes(kind) +
                          ", but --with takes only \"code\", \"mutation\" and \"speed\"");
  if (kind != "speed")
    if (const std::string hash = node.text("sources_sha256"); hash != source_hash())
      node.fail("sources_sha256",
                "is " + base::in_quotes(hash) +
                    ", but this program was built from other sources: " + source_hash());
  reports::ReportBuilder().add(document, path);  // it will be a part of one
}

/// The steps' files are gone when somebody reads this: their names stay, what would run them goes.
/// The case that they hold stands in the report.
void forget(Json& report, const WorkFolder& folder) {
  for (Json& input : report["inputs"])
    for (Json* text : {&input["file"], input.contains("run") ? &input["run"]["command"] : nullptr})
      if (text != nullptr) *text = folder.without_path(text->get<std::string>());
  for (Json& campaign : report["campaigns"]) {
    campaign["file"] = folder.without_path(campaign["file"].get<std::string>());
    for (Json& finding : campaign["findings"])
      for (Json& example : finding["examples"])
        for (const char* key : {"file", "repro"}) example.erase(key);
  }
}

/// Runs the steps, and adds each to `done`. Complains of the one that ends it all, and gives its
/// exit code.
int run_steps(const std::vector<std::vector<std::string>>& steps, const WorkFolder& folder,
              bool quiet, const std::atomic<bool>& stop, std::vector<CertificateStep>& done) {
  for (const std::vector<std::string>& words : steps) {
    const std::string command = folder.without_path(shell_text(words));
    if (!quiet) (void)std::fprintf(stderr, "==> %s\n", base::printable(command).c_str());
    const int exit_code = run_program(words, folder.file("log"));
    done.push_back({command, exit_code});
    if (stop) {
      complain("interrupted: no certificate");
      return kHarnessFailed;
    }
    if (exit_code > kNonconformance) {
      complain("no certificate: exit code " + std::to_string(exit_code) + " of " + command);
      return std::max<int>(exit_code, kHarnessFailed);
    }
  }
  return kAllAsExpected;
}

Json report_of(const CertifyArguments& arguments, const WorkFolder& folder) {
  reports::ReportBuilder builder;
  for (const auto& [name, kind] : kStepFiles) builder.add_file(folder.file(std::string(name)));
  for (const std::string& file : arguments.with) builder.add_file(file);
  Json report = builder.take(certificate_title(arguments.backend, arguments.profile));
  forget(report, folder);
  return report;
}

/// Each file has the digest of what stands in it.
Json with_digest(Json report) {
  report["certificate"]["sha256"] = digest_of(report);
  return report;
}

/// Everything that can be known to go wrong before hours of work.
void demand_usable(const CertifyArguments& arguments) {
  std::vector<std::string> outputs = {arguments.out_file, arguments.json_file};
  std::vector<std::string> inputs = arguments.with;
  if (!arguments.signing_key.empty()) {
    for (const std::string& file : {arguments.out_file, arguments.json_file})
      if (!file.empty()) outputs.push_back(signature_file(file));
    inputs.push_back(arguments.signing_key);
  }
  demand_distinct(outputs, inputs);
  for (const std::string& output : {arguments.out_file, arguments.json_file})
    if (!output.empty()) reports::demand_writable(output);
  (void)backend_of(arguments.backend, arguments.profile);
  if (std::filesystem::path(arguments.profile).has_extension())
    throw CLI::ValidationError("--profile", "must be a name: nobody else has the file");
  for (const std::string& file : arguments.with) demand_earlier_figures(file);
  if (arguments.signing_key.empty()) return;
  for (const std::string& output : {arguments.out_file, arguments.json_file})
    if (output == "-")
      throw CLI::ValidationError("--sign",
                                 "writes its signature beside a file, but standard "
                                 "output is none");
  demand_signing_key(arguments.signing_key);
}

/// Each file gets its own signature. Says where they are.
std::string sign(const CertifyArguments& arguments) {
  std::string text;
  if (arguments.signing_key.empty()) return text;
  for (const std::string& file : {arguments.out_file, arguments.json_file}) {
    if (file.empty()) continue;
    sign_file(file, arguments.signing_key);
    text += "signature: " + signature_file(file) + "\n";
  }
  return text;
}

int certify(const CertifyArguments& arguments) {
  demand_usable(arguments);
  const std::string corpus = case_folder().string();
  const WorkFolder folder;
  const CertificateSettings settings{arguments.backend, arguments.profile, arguments.seed,
                                     arguments.cases};
  const auto steps = steps_of(settings, corpus, std::to_string(arguments.jobs),
                              [&](const std::string& name) { return folder.file(name); });
  std::vector<CertificateStep> done;
  if (const int failed = run_steps(steps, folder, arguments.quiet, stop_on_signals(), done);
      failed != 0)
    return failed;
  Json report = report_of(arguments, folder);
  report["certificate"] = make_certificate(report, settings, done, corpus);
  const Json& certificate = report["certificate"];

  int exit_code = certificate["verdict"] == "conforms" ? kAllAsExpected : kNonconformance;
  const ExitCode written = write_or_complain(
      arguments.out_file, reports::page_around(with_digest(reports::cut_for_page(report))));
  raise_to(exit_code, written);
  if (!arguments.json_file.empty())
    raise_to(exit_code, write_or_complain(arguments.json_file, json_text(with_digest(report))));
  const std::string signatures = exit_code <= kNonconformance ? sign(arguments) : "";
  const std::string text = certificate_text(certificate);
  if (arguments.json_file != "-")
    print((arguments.quiet ? text.substr(0, text.find('\n') + 1) : text) +
          (written == kAllAsExpected ? "certificate: " + arguments.out_file + "\n" : "") +
          signatures);
  return exit_code;
}

}  // namespace

void add_certify(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CertifyArguments>();
  CLI::App* certify_app = app.add_subcommand(
      "certify",
      "Test everything on one implementation and write a certificate that anybody can verify");
  add_backend(*certify_app, arguments->backend, "Certify this implementation (default: optimized)");
  add_profile(*certify_app, arguments->profile);
  add_file(*certify_app, "--out", arguments->out_file,
           "Write the page to this file (default: certificate.html)");
  add_file(*certify_app, "--json", arguments->json_file,
           "Write the certificate as JSON; - is standard output");
  certify_app
      ->add_option("--with", arguments->with,
                   "Include a file of tools/mutate, tools/coverage or tools/bench; the first two "
                   "must come from the sources of this program; repeatable")
      ->type_name(kFileType)
      ->allow_extra_args(false);
  add_number(*certify_app, "--cases", arguments->cases, "Run N generated cases (default: 1000000)",
             "N");
  add_number(*certify_app, "--seed", arguments->seed,
             "Set the seed of contents and of generated cases (default: 1)", "N");
  add_file(*certify_app, "--sign", arguments->signing_key,
           "Sign each written FILE with this SSH key, by ssh-keygen; the signature is FILE.sig");
  add_jobs(*certify_app, arguments->jobs, "Run N cases at a time (default: 1)");
  add_quiet(*certify_app, arguments->quiet);
  const std::vector<CLI::Option*> certifying = certify_app->get_options();
  CLI::Option& verify =
      add_file(*certify_app, "--verify", arguments->verify_file,
               "Run a random sample of this certificate again, and compare the results with it; "
               "fails if neither a digest nor a checked signature protects it");
  for (CLI::Option* const one : certifying) verify.excludes(one);  // the certificate says
  add_number(*certify_app, "--sample", arguments->sample,
             "Put N cases into the sample (default: 500), in addition to generated cases, the grid "
             "and planted bugs",
             "N")
      .needs(&verify);
  const auto set_seed = [arguments](const std::uint64_t& seed) { arguments->sample_seed = seed; };
  certify_app
      ->add_option_function<std::uint64_t>("--sample-seed", set_seed,
                                           "Draw the sample of an earlier verification again")
      ->type_name("N")
      ->needs(&verify);
  add_file(*certify_app, "--allowed-signers", arguments->allowed_signers,
           "Demand that FILE.sig is a signature by somebody in this list, in ssh-keygen's format")
      .needs(&verify);
  certify_app->callback([arguments, &exit_code] {
    if (arguments->verify_file.empty()) {
      exit_code = certify(*arguments);
      return;
    }
    exit_code = verify_certificate(
        {arguments->verify_file, case_folder().string(), arguments->sample,
         arguments->sample_seed.value_or(std::random_device{}()), arguments->allowed_signers});
  });
}

}  // namespace opconform::cli
