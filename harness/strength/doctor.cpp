#include "harness/strength/doctor.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/backends/apart.h"
#include "harness/backends/spoiled.h"
#include "harness/base/json_document.h"
#include "harness/base/text.h"
#include "harness/judging/judge.h"
#include "harness/judging/late_rejection.h"
#include "harness/running/runner.h"
#include "harness/strength/faults.h"
#include "spec/validate.h"

namespace opconform::strength {
namespace {

using judging::CaseResult;
using judging::Verdict;

constexpr std::size_t kMostCasesOfAFault = 5;
/// Less than a case of a plug-in may need; a case that is given to a fault has passed in less.
constexpr std::chrono::milliseconds kTimeLimitOfHang{500};

/// Calls `f` for each plain shape whose types and ranks the operator's table lists.
template <class F>
void for_each_listed(std::size_t operator_index, Version version, F&& f) {
  constexpr std::size_t kRanks = 8;
  for (const DataType type : all_data_types())
    for (std::size_t rank = 0; rank <= kRanks; ++rank)
      for (const DataType index_type : {DataType::kInt32, DataType::kUint32}) {
        const PlainShape shape{type, rank, index_type, 1};
        const Operator op = plain_operator(operator_index, shape);
        if (!is_listed(op, version) || !is_valid(op, version)) continue;
        f(shape, op);
        break;
      }
}

/// Why it does not offer this, before or, if so wanted, when it executes it; nothing where it does.
/// What is lost in it is offered: the cases will show what is wrong.
std::optional<std::string> not_offered(backends::Backend& backend, const Operator& op,
                                       Version version, bool executes) {
  backends::Prepared prepared = backend.prepare(op, version);
  std::optional<backends::Rejection> rejection;
  if (auto* const early = std::get_if<backends::Rejection>(&prepared)) {
    rejection = std::move(*early);
  } else if (executes) {
    try {
      rejection = judging::rejection_of_zeros(
          *std::get<std::unique_ptr<backends::Executable>>(prepared), op);
    } catch (const backends::Lost&) {
    }
  }
  if (!rejection || rejection->kind == backends::Rejection::Kind::kRejected) return std::nullopt;
  return rejection->message;
}

base::Json offer_json(backends::Backend& backend, std::size_t operator_index, bool executes) {
  const Version version = versions_of(all_operators()[operator_index]).back();
  base::Json types = base::Json::array();
  base::Json ranks = base::Json::array();
  std::size_t listed = 0;
  std::string reason;
  for_each_listed(operator_index, version, [&](const PlainShape& shape, const Operator& op) {
    ++listed;
    if (const std::optional<std::string> why = not_offered(backend, op, version, executes)) {
      if (reason.empty()) reason = base::words_of_others(*why, 200);
      return;
    }
    types.push_back(static_cast<int>(shape.data_type));
    ranks.push_back(shape.rank);
  });
  return {{"types", types}, {"ranks", ranks}, {"listed", listed}, {"reason", reason}};
}

/// Must every element hold one value? Then a fault cannot hide in what the documents leave open.
bool leaves_nothing_open(const cases::Case& one) {
  const auto is_freedom = [](const std::string& name) {
    const RuleText* const rule = find_rule(name);
    return rule != nullptr && rule->kind == RuleKind::kFreedom;
  };
  return std::none_of(one.rules.begin(), one.rules.end(), is_freedom);
}

std::optional<ShownBy> shown_by(const cases::Case& one) {
  using Kind = cases::Expectation::Kind;
  if (!leaves_nothing_open(one)) return std::nullopt;
  switch (one.expect.kind) {
    case Kind::kRejected:
      return ShownBy::kRejection;
    case Kind::kError:
      return ShownBy::kError;
    case Kind::kAnyOf:
      return std::nullopt;
    case Kind::kOutputs:
    case Kind::kReference:
      break;
  }
  if (!is_valid(one.op, one.version)) return ShownBy::kRejection;
  if (one.expect.kind != Kind::kOutputs) return std::nullopt;
  for (const cases::ExpectedOutput& output : one.expect.outputs)
    if (output.unspecified || !output.open_elements.empty() || output.elements.empty())
      return std::nullopt;
  return ShownBy::kResult;
}

class Examination {
 public:
  Examination(backends::Backend& backend, running::RunOptions options,
              const std::atomic<bool>& stop)
      : backend_(backend), options_(std::move(options)), stop_(stop) {
    options_.isolate = true;
    options_.in_process = false;
  }

  void run_answers(std::span<const cases::Case> cases) {
    std::vector<const cases::Case*> all;
    for (const cases::Case& one : cases) all.push_back(&one);
    running::RunOutcome outcome = run(all, backend_, options_);
    result_.answers = std::move(outcome.results);
    result_.bad_input = std::move(outcome.bad_input);
    for (const CaseResult& answer : result_.answers) {
      const auto found = std::find_if(cases.begin(), cases.end(),
                                      [&](const auto& one) { return one.id == answer.case_id; });
      if (answer.verdict == Verdict::kPass && !answer.weak && found != cases.end())
        passed_.push_back(&*found);
    }
    result_.gives_results = std::any_of(passed_.begin(), passed_.end(), [](const cases::Case* one) {
      return shown_by(*one) == ShownBy::kResult;
    });
  }
  void run_faults() {
    for (const Fault& fault : all_faults())
      if (!stop_) result_.faults.push_back(run_fault(fault));
  }
  DoctorResult take() {
    result_.interrupted = stop_;
    return std::move(result_);
  }

 private:
  running::RunOutcome run(const std::vector<const cases::Case*>& cases, backends::Backend& backend,
                          const running::RunOptions& options) const {
    // Of a list of owners; this one owns nothing.
    class Borrowed : public backends::Backend {
     public:
      explicit Borrowed(backends::Backend& backend) : backend_(backend) {}
      [[nodiscard]] std::string name() const override { return backend_.name(); }
      [[nodiscard]] bool names_rules() const override { return backend_.names_rules(); }
      [[nodiscard]] bool needs_isolation() const override { return true; }
      [[nodiscard]] bool has_many_plans() const override { return backend_.has_many_plans(); }
      [[nodiscard]] backends::AtOnce at_once() const override { return backend_.at_once(); }
      [[nodiscard]] const backends::Promise& promise() const override { return backend_.promise(); }
      void start() override { backend_.start(); }
      backends::Prepared prepare(const Operator& op, Version version) override {
        return backend_.prepare(op, version);
      }

     private:
      backends::Backend& backend_;
    };
    std::vector<std::unique_ptr<backends::Backend>> backends;
    backends.push_back(std::make_unique<Borrowed>(backend));
    return running::run(cases, backends, options, nullptr, stop_);
  }

  FaultResult run_fault(const Fault& fault) {
    FaultResult found{.says = fault.says, .due = std::string(judging::name(fault.due))};
    // Laid over its answers it would be seen: in buffers that the implementation never had.
    found.is_hidden = fault.due == Verdict::kMemoryFault && !backend_.has_bound_memory();
    if (found.is_hidden) return found;
    std::vector<const cases::Case*> cases;
    const std::size_t most = fault.takes_long ? 1 : kMostCasesOfAFault;
    for (const cases::Case* one : passed_)
      if (cases.size() < most && shown_by(*one) == fault.shown_by) cases.push_back(one);
    running::RunOptions options = options_;
    if (fault.takes_long) options.timeout = kTimeLimitOfHang;
    const std::unique_ptr<backends::Backend> faulty = with_fault(backend_, fault);
    for (const CaseResult& result : run(cases, *faulty, options).results) {
      ++found.tried;
      if (result.verdict == fault.due)
        ++found.seen;
      else if (found.otherwise.empty())
        found.otherwise = result.case_id + ": " + std::string(judging::name(result.verdict));
    }
    return found;
  }

  backends::Backend& backend_;
  running::RunOptions options_;
  const std::atomic<bool>& stop_;
  DoctorResult result_;
  std::vector<const cases::Case*> passed_;
};

}  // namespace

Offers ask_for_offers(backends::Backend& backend, std::chrono::milliseconds timeout,
                      const std::atomic<bool>& stop) {
  const auto ask = [&](bool executes) {
    return backends::ask_apart(
        "while it was asked what it offers",
        [&] {
          base::Json json = base::Json::array();
          for (std::size_t i = 0; i < all_operators().size(); ++i)
            json.push_back(offer_json(backend, i, executes));
          return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
        },
        timeout, &stop);
  };
  Offers offers;
  std::string answer;
  try {
    answer = ask(true);
  } catch (const backends::DoesNotStart& error) {
    if (stop) throw;
    answer = ask(false);
    offers.lost = error.what();
  }
  for (const base::Json& json : base::Json::parse(answer)) {
    Offer offer{.operator_index = offers.list.size()};
    for (const base::Json& type : json["types"])
      offer.types.insert(static_cast<DataType>(type.get<int>()));
    for (const base::Json& rank : json["ranks"]) offer.ranks.insert(rank.get<std::size_t>());
    offer.offered = json["types"].size();
    offer.listed = json["listed"];
    offer.reason = json["reason"];
    offers.list.push_back(std::move(offer));
  }
  return offers;
}

std::size_t DoctorResult::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(answers.begin(), answers.end(),
                    [&](const CaseResult& answer) { return answer.verdict == verdict; }));
}

bool DoctorResult::hides_memory() const {
  return std::any_of(faults.begin(), faults.end(),
                     [](const FaultResult& fault) { return fault.is_hidden; });
}

bool DoctorResult::is_healthy() const {
  const auto fails = [](const CaseResult& answer) {
    return judging::is_nonconformance(answer.verdict);
  };
  const auto is_missed = [](const FaultResult& fault) { return fault.seen < fault.tried; };
  return !interrupted && bad_input.empty() && gives_results &&
         std::none_of(answers.begin(), answers.end(), fails) &&
         std::none_of(faults.begin(), faults.end(), is_missed);
}

DoctorResult examine(backends::Backend& backend, std::span<const cases::Case> cases,
                     const running::RunOptions& options, const std::atomic<bool>& stop) {
  Examination examination(backend, options, stop);
  examination.run_answers(cases);
  examination.run_faults();
  return examination.take();
}

}  // namespace opconform::strength
