#include "harness/campaigns/findings.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "harness/base/bad_input.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/diagnosis/common_denominator.h"
#include "harness/diagnosis/groups.h"
#include "harness/diagnosis/packed_picture.h"
#include "harness/running/expected_failures.h"
#include "harness/running/isolation.h"
#include "harness/running/least_at_once.h"
#include "harness/running/result_json.h"
#include "spec/validate.h"

namespace opconform::campaigns {
namespace {

using Clock = std::chrono::steady_clock;

/// For all the checks that shrinking takes, together: usually a few milliseconds.
constexpr auto kMostTime = std::chrono::seconds(10);

/// What the file of a finding holds of values.
constexpr std::size_t kMostWrittenBytes = std::size_t{1} << 20;

/// Of a check that was not made: no failure.
judging::CaseResult unchecked() {
  judging::CaseResult result;
  result.verdict = judging::Verdict::kPass;
  return result;
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
  if (example.interrupted) json["interrupted"] = true;
  if (reduction.result.threads > 0) json["threads"] = reduction.result.threads;
  if (reduction.result.plans > 0) json["plans"] = reduction.result.plans;
  return json;
}

std::optional<Example> example_from_json(const base::Json& json) {
  try {
    Example example;
    for (const char* key : {"case", "again", "checks", "threads", "plans"})
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
    example.reduction.result.threads = json.value("threads", 0U);
    example.reduction.result.plans = json.value("plans", 0U);
    example.reduction.checks = json.at("checks");
    example.reduction.reproduced = json.at("shrunk").get_ref<const bool&>();
    example.interrupted = json.contains("interrupted");
    return example;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<Example> in_worker(const WorkerTask& task, const running::RunOptions& options,
                                 const std::atomic<bool>& stop) {
  const Clock::time_point deadline = Clock::now() + kMostTime;
  const running::RangeWork work = [&](running::NumberRange, running::WorkerChannel& channel) {
    Example example = task([&] {
      channel.begin(0);
      return channel.is_stopped() || Clock::now() > deadline;
    });
    running::Reduction& reduction = example.reduction;
    if (options.pictures && reduction.result.evidence)
      reduction.result.picture =
          diagnosis::packed(diagnosis::picture_of(reduction.smallest, reduction.result));
    base::Json json = example_to_json(example);
    json["result"] = running::outcome_to_json({reduction.result, ""});
    return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
  };
  std::optional<Example> example;
  running::WorkerEvents events;
  events.on_done = [&](std::size_t, running::NumberRange, std::string_view text) {
    try {
      example = example_from_json(base::parse_json(text, "worker"));
    } catch (const base::BadInput&) {  // whoever wrote that
    }
  };
  events.on_death = [](std::size_t, running::NumberRange, std::uint64_t,
                       const running::WorkerDeath&) { return false; };
  events.on_tick = [&](std::uint64_t) { return !stop; };
  running::WorkerOptions one = running::worker_options(options);
  one.workers = 1;
  running::run_in_workers(one, running::ranges_of(1, 1), work, events);
  return example;
}

namespace {

/// Checks a case with these options.
using CheckWith =
    std::function<judging::CaseResult(const cases::Case&, const judging::CheckOptions&)>;

running::Reduction reduce_with(const cases::Case& failing, const CheckWith& check,
                               const judging::CheckOptions& options) {
  judging::CheckOptions once = options;
  once.most_executed_again_bytes = 0;
  return running::reduce(
      failing, [&](const cases::Case& one) { return check(one, options); },
      [&](const cases::Case& one) { return check(one, once); });
}

}  // namespace

running::Reduction reduce_safely(const cases::Case& failing, backends::Backend& backend,
                                 const running::RunOptions& options, const std::atomic<bool>& stop,
                                 std::string_view explanation) {
  const auto explained = [&](const cases::Case& one, const running::JobOutcome& outcome) {
    judging::CaseResult result = outcome.result.value_or(unchecked());
    diagnosis::name_rule(explanation, one, result);
    return result;
  };
  const WorkerTask task = [&](const std::function<bool()>& enough) {
    const CheckWith check = [&](const cases::Case& one, const judging::CheckOptions& how) {
      return enough() ? unchecked() : explained(one, running::run_here({0, &one, &backend}, how));
    };
    Example example{0, 0, "", reduce_with(failing, check, options.check)};
    // Who asked has it, and it may be too large to be sent.
    if (!example.reduction.reproduced) leave_out_many_values(example.reduction.smallest);
    return example;
  };
  if (!options.isolate) {
    if (auto example = in_worker(task, options, stop)) {
      if (!example->reduction.reproduced) example->reduction.smallest = failing;
      return std::move(example->reduction);
    }
  }
  if (stop) return {failing, unchecked(), 0, false};
  const auto deadline = Clock::now() + kMostTime;
  running::RunOptions plain = options;
  plain.pictures = false;
  const CheckWith check = [&](const cases::Case& one, const judging::CheckOptions& how) {
    // What comes too late counts as no failure, and so ends the shrinking.
    if (stop || Clock::now() > deadline) return unchecked();
    plain.check = how;
    return explained(one, running::run_alone(one, backend, plain, stop));
  };
  running::Reduction reduction = reduce_with(failing, check, options.check);
  if (options.pictures && !stop)
    if (const auto last = running::run_alone(reduction.smallest, backend, options, stop).result)
      reduction.result.picture = last->picture;
  return reduction;
}

void add_least_at_once(Example& example, backends::Backend& backend, running::RunOptions options,
                       const std::atomic<bool>& stop) {
  constexpr auto kMostTimeForLeast = std::chrono::seconds(5);
  if (!example.has_values()) return;
  const auto deadline = Clock::now() + kMostTimeForLeast;
  options.jobs = 1;
  judging::CaseResult& result = example.reduction.result;
  judging::CaseResult least = running::with_least_at_once(
      example.reduction.smallest, backend, options, result, [&] { return Clock::now() > deadline; },
      stop);
  // Of what hangs, the message says for how long.
  if (result.verdict == judging::Verdict::kTimeout) least.message = result.message;
  result = std::move(least);
}

void leave_out_many_values(cases::Case& one) {
  std::size_t size_bytes = 0;
  for (const cases::Contents& contents : one.inputs) size_bytes += contents.bytes.size();
  if (size_bytes <= kMostWrittenBytes) return;
  for (cases::Contents& contents : one.inputs) contents = {};
}

bool Example::has_values() const {
  const cases::Case& smallest = reduction.smallest;
  const auto is_left_out = [](const cases::Contents& contents) {
    return contents.kind == cases::Contents::Kind::kNone;
  };
  return !is_valid(smallest.op, smallest.version) ||
         std::none_of(smallest.inputs.begin(), smallest.inputs.end(), is_left_out);
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

std::string FindingKey::case_id() const { return std::string(running::kFound) + name(); }

bool Findings::probe(const FindingKey& key, std::uint64_t number, const Shrink& shrink) {
  std::map<std::uint64_t, Example>& probed = groups_[key].probed;
  if (probed.size() == kProbed) {
    if (number > probed.rbegin()->first) return false;
  }
  if (const auto known = probed.find(number); known != probed.end() && !known->second.interrupted)
    return false;
  Example example = shrink(number);
  example.number = number;
  example.signature = diagnosis::signature_of(diagnosis::traits_of(example.reduction.smallest));
  probed.insert_or_assign(number, std::move(example));
  if (probed.size() > kProbed) probed.erase(std::prev(probed.end()));
  return true;
}

void Findings::add(const FindingKey& key, std::uint64_t number) { restore(key, 1, {number}); }

void Findings::restore(const FindingKey& key, std::uint64_t count,
                       const std::vector<std::uint64_t>& failing) {
  if (count == 0) return;
  Group& group = groups_[key];
  group.count += count;
  group.failing.insert(failing.begin(), failing.end());
  while (group.failing.size() > kLookedAt) group.failing.erase(std::prev(group.failing.end()));
}

bool Findings::is_interrupted(const FindingKey& key, std::uint64_t number) const {
  const auto group = groups_.find(key);
  if (group == groups_.end()) return false;
  const auto probed = group->second.probed.find(number);
  return probed != group->second.probed.end() && probed->second.interrupted;
}

std::map<FindingKey, Finding> Findings::list() const {
  std::map<FindingKey, Finding> all;
  for (const auto& [key, group] : groups_) {
    Finding& finding = all[key];
    finding.count = group.count;
    finding.failing.assign(group.failing.begin(), group.failing.end());
    std::set<std::string_view> known;
    for (const auto& [number, example] : group.probed)
      (known.insert(example.signature).second ? finding.examples : finding.alike)
          .push_back(example);
  }
  return all;
}

}  // namespace opconform::campaigns
