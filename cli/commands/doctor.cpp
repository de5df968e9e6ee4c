#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/loading.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "harness/backends/apart.h"
#include "harness/base/text.h"
#include "harness/strength/doctor.h"

namespace opconform::cli {
namespace {

struct DoctorArguments {
  std::string backend;
  std::string profile;
  std::chrono::milliseconds timeout{10'000};
};

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

std::string ranks_text(const std::set<std::size_t>& ranks) {
  const bool is_row = *ranks.rbegin() - *ranks.begin() + 1 == ranks.size();
  if (ranks.size() > 2 && is_row)
    return "ranks " + std::to_string(*ranks.begin()) + " to " + std::to_string(*ranks.rbegin());
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (const std::size_t rank : ranks) text += " " + std::to_string(rank);
  return text;
}

std::string offer_text(const strength::Offer& offer) {
  const OperatorText op = all_operators()[offer.operator_index];
  std::string text = "  " + padded(std::string(op.name), 14);
  const std::string reason =
      offer.reason.empty() ? "" : ": " + base::words_of_others(offer.reason, 200);
  if (offer.offered == 0) return text + "not offered" + reason + "\n";
  text += ranks_text(offer.ranks) + " of ";
  if (offer.offered == offer.listed)
    return text + "all " + std::to_string(offer.types.size()) + " types\n";
  for (const DataType type : offer.types) text += std::string(name(type, op.dialect)) + " ";
  return text + "(" + std::to_string(offer.listed - offer.offered) +
         " of the listed pairs of type and rank are not offered" + reason + ")\n";
}

std::string count_text(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what;
}

std::string answers_text(const strength::DoctorResult& result) {
  using judging::Verdict;
  std::string text;
  for (const Verdict verdict : judging::kVerdicts)
    if (const std::size_t count = result.count(verdict); count > 0)
      text += (text.empty() ? "  " : ", ") + count_text(count, judging::name(verdict).data());
  text += "\n";
  std::size_t told = 0;
  for (const judging::CaseResult& answer : result.answers) {
    if (!judging::is_nonconformance(answer.verdict)) continue;
    if (++told > kMostNamed) break;
    text += "  " + std::string(judging::name(answer.verdict)) + " " + answer.case_id + ": " +
            answer.message + "\n";
  }
  return text;
}

std::string fault_text(const strength::FaultResult& fault) {
  std::string text = "  " + padded(std::string(fault.says), 43);
  if (fault.is_hidden) return text + "cannot be seen: it has copies of the buffers\n";
  if (fault.tried == 0) return text + "not tried: it passes no case that could show it\n";
  text += fault.due + " in " + std::to_string(fault.seen) + " of " + std::to_string(fault.tried) +
          (fault.tried == 1 ? " case" : " cases");
  return text + (fault.otherwise.empty() ? "" : "; not seen: " + fault.otherwise) + "\n";
}

/// `backend` as a shell reads it, with its profile.
std::string verdict_text(const strength::DoctorResult& result, bool survives,
                         const std::string& backend) {
  if (!survives && result.is_healthy()) return "not healthy: it does not survive what it offers\n";
  if (result.is_healthy())
    return std::string("healthy: what it does wrong will be seen") +
           (result.hides_memory() ? ", but for what it does to memory outside of its tensors"
                                  : "") +
           "\n\nnext\n  opconform run --backend " + backend + "\n  opconform run --backend " +
           backend + " --html report.html\n  opconform fuzz --backend " + backend + "\n";
  if (!result.gives_results) return "not healthy: no case passes, so a run would show nothing\n";
  const auto is_missed = [](const strength::FaultResult& fault) {
    return fault.seen < fault.tried;
  };
  if (std::any_of(result.faults.begin(), result.faults.end(), is_missed))
    return "not healthy: a fault was not seen, so that no pass can be believed\n";
  return "not healthy: its answers are wrong\n";
}

/// Prints what it offers. False where it is lost when it is asked.
bool print_offers(backends::Backend& backend, std::chrono::milliseconds timeout,
                  const std::atomic<bool>& stop) {
  constexpr int kCases = 30;  // many short ones, and the first may take longer
  print("offers, at the last version of each operator\n");
  try {
    const strength::Offers offers = strength::ask_for_offers(backend, kCases * timeout, stop);
    for (const strength::Offer& offer : offers.list) print(offer_text(offer));
    if (offers.lost.empty()) return true;
    print("  lost when it executed zeros of these: " + offers.lost + "\n");
  } catch (const backends::DoesNotStart& error) {
    if (!stop) print("  unknown: " + std::string(error.what()) + "\n");
  }
  return false;
}

int doctor_command(const DoctorArguments& arguments) {
  int exit_code = kAllAsExpected;
  Backends backends = backends_of(arguments.backend);
  apply_profile(arguments.profile, backends);
  const cases::LoadedCases loaded = load_labelled("smoke", {}, exit_code);
  running::RunOptions options;
  options.timeout = arguments.timeout;
  const std::atomic<bool>& stop = stop_on_signals();
  for (const std::unique_ptr<backends::Backend>& backend : backends) {
    const std::string who = backend->implementation();
    print(backend->name() + (who.empty() ? "" : " is " + base::words_of_others(who, 200)) + "\n\n");
    const bool survives = print_offers(*backend, arguments.timeout, stop);
    const strength::DoctorResult result = strength::examine(*backend, loaded.cases, options, stop);
    for (const std::string& message : result.bad_input) complain(message);
    print("\ncases of the label smoke, whose answers are known\n" + answers_text(result));
    print("\nfaults injected into its correct results\n");
    for (const strength::FaultResult& fault : result.faults) print(fault_text(fault));
    print("\n" + verdict_text(result, survives,
                              shell_word(backend->name()) + profile_option(arguments.profile)));
    if (!survives || !result.is_healthy()) raise_to(exit_code, kNonconformance);
    if (result.interrupted) {
      complain("interrupted: these are the results so far");
      return kHarnessFailed;
    }
  }
  return exit_code;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* doctor = app.add_subcommand(
      "doctor",
      "Show whether the results of an implementation can be believed: what it offers, whether it "
      "passes known cases, and whether the suite would see faults in its results");
  doctor->add_option("backend", arguments->backend, "Examine this implementation")
      ->type_name(kBackendType)
      ->required();
  add_profile(*doctor, arguments->profile);
  add_seconds(*doctor, "--timeout", arguments->timeout,
              "Set the time limit of a case (default: 10)");
  doctor->callback([arguments, &exit_code] { exit_code = doctor_command(*arguments); });
}

}  // namespace opconform::cli
