#include "harness/campaigns/findings.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "harness/base/bad_input.h"
#include "harness/base/child_process.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/diagnosis/common_denominator.h"
#include "harness/diagnosis/groups.h"
#include "harness/running/isolation.h"
#include "harness/running/result_json.h"

namespace opconform::campaigns {
namespace {

using Clock = std::chrono::steady_clock;

/// For all the checks that shrinking takes, together: usually a few milliseconds.
constexpr auto kMostTime = std::chrono::seconds(30);
/// How long a child may take to say what it has.
constexpr auto kGrace = std::chrono::seconds(1);

/// Of a check that was not made: no failure.
judging::CaseResult unchecked() {
  judging::CaseResult result;
  result.verdict = judging::Verdict::kPass;
  return result;
}

/// A flag that a child sees, too.
class SharedFlag {
 public:
  SharedFlag() {
    void* memory = ::mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    flag_ = new (memory) std::atomic<bool>(false);
  }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;
  ~SharedFlag() { ::munmap(flag_, sizeof *flag_); }
  [[nodiscard]] std::atomic<bool>& get() const { return *flag_; }

 private:
  std::atomic<bool>* flag_;
};

/// One check in a child of its own.
judging::CaseResult check_isolated(const cases::Case& one, backends::Backend& backend,
                                   const running::RunOptions& options,
                                   const std::atomic<bool>& stop) {
  const running::Job job{0, &one, &backend};
  running::JobOutcome found;
  running::run_isolated(
      {&job, 1}, options,
      [&](const running::Job& j) { return running::run_here(j, options.check); },
      [&](const running::Job&, running::JobOutcome outcome) { found = std::move(outcome); }, stop);
  return found.result.value_or(unchecked());
}

/// All that a child writes until it ends, or nothing where it did not end well, or soon after it
/// was told that it is enough.
std::optional<std::string> hear_out(const base::ChildProcess& child, const std::atomic<bool>& stop,
                                    std::atomic<bool>& enough) {
  Clock::time_point deadline = Clock::now() + kMostTime;
  std::string text;
  bool ended = false;
  while (!ended) {
    const bool is_late = Clock::now() >= deadline;
    if (enough && is_late) break;
    if (!enough && (stop || is_late)) {
      enough = true;
      deadline = Clock::now() + kGrace;
    }
    pollfd end{child.result_end, POLLIN, 0};
    if (::poll(&end, 1, 100) <= 0) continue;
    char chunk[4096];
    const ssize_t length = ::read(child.result_end, chunk, sizeof chunk);
    if (length > 0) text.append(chunk, static_cast<std::size_t>(length));
    ended = length == 0;
  }
  if (!ended) ::kill(child.pid, SIGKILL);
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  ::close(child.result_end);
  if (!ended || !WIFEXITED(status)) return std::nullopt;
  return text;
}

}  // namespace

base::Json example_to_json(const Example& example) {
  const running::Reduction& reduction = example.reduction;
  base::Json json = {{"case", example.number},
                     {"signature", example.signature},
                     {"smallest", cases::cases_to_json({&reduction.smallest, 1}, "")},
                     {"result", running::result_to_json(reduction.result)},
                     {"checks", reduction.checks},
                     {"shrunk", reduction.reproduced}};
  json["result"].erase("seconds");  // a campaign is the same whenever it is run
  if (example.again != example.number) json["again"] = example.again;
  return json;
}

std::optional<Example> example_from_json(const base::Json& json) {
  try {
    Example example;
    for (const char* key : {"case", "again", "checks"})
      if (json.contains(key) && !json[key].is_number_unsigned()) return std::nullopt;
    example.number = json.at("case");
    example.again = json.value("again", example.number);
    example.signature = json.at("signature");
    cases::LoadedCases loaded;
    cases::read_cases(json.at("smallest"), "smallest", loaded);
    const std::optional<running::JobOutcome> outcome =
        running::outcome_from_json(json.at("result").dump());
    if (loaded.cases.size() != 1 || !outcome || !outcome->result) return std::nullopt;
    example.reduction.smallest = std::move(loaded.cases.front());
    example.reduction.smallest.file.clear();
    example.reduction.result = *outcome->result;
    example.reduction.checks = json.at("checks");
    example.reduction.reproduced = json.at("shrunk").get_ref<const bool&>();
    return example;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<Example> in_child(const ChildWork& work, const running::RunOptions& options,
                                const std::atomic<bool>& stop) {
  const SharedFlag enough;
  const base::ChildProcess child = base::start_child(options.room_bytes(), [&](int result_end) {
    const std::string text = example_to_json(work(enough.get()))
                                 .dump(-1, ' ', false, base::Json::error_handler_t::replace);
    base::write_all(result_end, std::as_bytes(std::span(text)));
  });
  const std::optional<std::string> text = hear_out(child, stop, enough.get());
  if (!text) return std::nullopt;
  try {
    return example_from_json(base::parse_json(*text, "child"));
  } catch (const base::BadInput&) {
    return std::nullopt;  // it did not live to say all
  }
}

running::Reduction reduce_safely(const cases::Case& failing, backends::Backend& backend,
                                 const running::RunOptions& options, const std::atomic<bool>& stop,
                                 std::string_view explanation) {
  const auto explained = [&](const cases::Case& one, judging::CaseResult result) {
    diagnosis::name_rule(explanation, one, result);
    return result;
  };
  const auto work = [&](const std::atomic<bool>& enough) {
    const running::CheckOne check = [&](const cases::Case& one) {
      if (enough) return unchecked();
      const running::JobOutcome outcome = running::run_here({0, &one, &backend}, options.check);
      return explained(one, outcome.result.value_or(unchecked()));
    };
    return Example{0, 0, "", running::reduce(failing, check)};
  };
  if (!options.isolate)
    if (auto example = in_child(work, options, stop)) return std::move(example->reduction);
  const auto deadline = Clock::now() + kMostTime;
  return running::reduce(failing, [&](const cases::Case& one) {
    // What comes too late counts as no failure, and so ends the shrinking.
    return Clock::now() > deadline ? unchecked()
                                   : explained(one, check_isolated(one, backend, options, stop));
  });
}

std::string FindingKey::name() const {
  std::string text = std::string(all_operators()[operator_index].name) + "-" +
                     std::string(judging::name(verdict)) + (rule.empty() ? "" : "-" + rule);
  // The rule may be the backend's own word. What is said of it otherwise tells it from its likes.
  const auto is_fit = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  };
  constexpr std::size_t kMost = 120;
  if (text.size() <= kMost && std::all_of(text.begin(), text.end(), is_fit)) return text;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return !is_fit(c); }, '_');
  text.resize(std::min(text.size(), kMost));
  return text + "-" + std::to_string(hash);
}

bool Findings::probe(const FindingKey& key, std::uint64_t number, const Shrink& shrink) {
  std::map<std::uint64_t, Example>& probed = groups_[key].probed;
  if (probed.size() == kProbed) {
    if (number > probed.rbegin()->first) return false;
  }
  if (probed.contains(number)) return false;
  Example example = shrink(number);
  example.number = number;
  example.signature = diagnosis::signature_of(diagnosis::traits_of(example.reduction.smallest));
  probed.emplace(number, std::move(example));
  if (probed.size() > kProbed) probed.erase(std::prev(probed.end()));
  return true;
}

std::map<FindingKey, Finding> Findings::list() const {
  std::map<FindingKey, Finding> all;
  for (const auto& [key, group] : groups_) {
    Finding& finding = all[key];
    finding.count = group.count;
    std::set<std::string_view> known;
    for (const auto& [number, example] : group.probed)
      (known.insert(example.signature).second ? finding.examples : finding.alike)
          .push_back(example);
  }
  return all;
}

}  // namespace opconform::campaigns
