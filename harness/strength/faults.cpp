#include "harness/strength/faults.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): for SIGSEGV as POSIX has it
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace opconform::strength {
namespace {

using backends::Ending;
using judging::Verdict;

/// The first output that has bytes at all.
std::span<std::byte> first_output(const Bindings& bindings) {
  for (const std::span<std::byte> output : bindings.outputs)
    if (!output.empty()) return output;
  return {};
}
void flip(std::byte& byte) { byte ^= std::byte{0xFF}; }

void copy_to_outputs(std::span<const std::vector<std::byte>> from, const Bindings& bindings) {
  for (std::size_t i = 0; i < std::min(from.size(), bindings.outputs.size()); ++i)
    std::copy_n(from[i].begin(), std::min(from[i].size(), bindings.outputs[i].size()),
                bindings.outputs[i].begin());
}

void change_element(const Spoiling& spoiling, Ending& /*ending*/) {
  const std::span<std::byte> output = first_output(spoiling.bindings);
  if (!output.empty()) flip(output.front());  // an element begins where a buffer does
}
void write_nothing(const Spoiling& spoiling, Ending& /*ending*/) {
  copy_to_outputs(spoiling.before, spoiling.bindings);
}
void give_last(const Spoiling& spoiling, Ending& /*ending*/) {
  copy_to_outputs(spoiling.last, spoiling.bindings);
}
void write_behind(const Spoiling& spoiling, Ending& /*ending*/) {
  const std::span<std::byte> output = first_output(spoiling.bindings);
  if (!output.empty()) flip(*(output.data() + output.size()));
}
void write_before(const Spoiling& spoiling, Ending& /*ending*/) {
  const std::span<std::byte> output = first_output(spoiling.bindings);
  if (!output.empty()) flip(*(output.data() - 1));
}
void change_input(const Spoiling& spoiling, Ending& /*ending*/) {
  for (const std::span<const std::byte> input : spoiling.bindings.inputs)
    if (!input.empty()) return flip(const_cast<std::byte&>(input.front()));
}
void swallow_error(const Spoiling& /*spoiling*/, Ending& ending) { ending = backends::Done(); }
void fail(const Spoiling& spoiling, Ending& ending) {
  copy_to_outputs(spoiling.before, spoiling.bindings);
  ending = backends::Failure{"", "a fault of the doctor's"};
}
void crash(const Spoiling& /*spoiling*/, Ending& /*ending*/) {
  (void)::signal(SIGSEGV, SIG_DFL);
  (void)::raise(SIGSEGV);
}
void end(const Spoiling& /*spoiling*/, Ending& /*ending*/) { ::_exit(0); }
void hang(const Spoiling& /*spoiling*/, Ending& /*ending*/) {
  while (true) ::pause();
}

constexpr Fault kFaults[] = {
    {"changes an element", ShownBy::kResult, Verdict::kMismatch, change_element},
    {"writes nothing", ShownBy::kResult, Verdict::kMismatch, write_nothing},
    {"gives the outputs of the execution before", ShownBy::kResult, Verdict::kMismatch, give_last},
    {"writes one byte past the end of an output", ShownBy::kResult, Verdict::kMemoryFault,
     write_behind},
    {"writes one byte before an output", ShownBy::kResult, Verdict::kMemoryFault, write_before},
    {"changes an input", ShownBy::kResult, Verdict::kMemoryFault, change_input},
    {"fails where a result is due", ShownBy::kResult, Verdict::kWrongError, fail},
    {"rejects what is valid", ShownBy::kResult, Verdict::kWrongRejection, nullptr, false, true},
    {"accepts what breaks a rule", ShownBy::kRejection, Verdict::kMissedRejection, nullptr, true},
    {"swallows an error", ShownBy::kError, Verdict::kMissedError, swallow_error},
    {"crashes", ShownBy::kResult, Verdict::kCrash, crash},
    {"ends its process", ShownBy::kResult, Verdict::kCrash, end},
    {"hangs", ShownBy::kResult, Verdict::kTimeout, hang, false, false, true},
};

/// A plan of nothing.
class Acceptance : public backends::Executable {
 public:
  Ending execute(const Bindings& /*bindings*/) override { return backends::Done(); }
};

class Spoilt : public backends::Executable {
 public:
  Spoilt(std::unique_ptr<backends::Executable> honest, const Fault& fault)
      : honest_(std::move(honest)), fault_(fault) {}
  Ending execute(const Bindings& bindings) override {
    const std::vector<std::vector<std::byte>> before = outputs_of(bindings);
    Ending ending = honest_->execute(bindings);
    std::vector<std::vector<std::byte>> given = outputs_of(bindings);
    if (fault_.spoil != nullptr) fault_.spoil({bindings, before, last_}, ending);
    last_ = std::move(given);
    return ending;
  }
  [[nodiscard]] bool rejects_late() const override {
    return !fault_.accepts_all && honest_->rejects_late();
  }

 private:
  static std::vector<std::vector<std::byte>> outputs_of(const Bindings& bindings) {
    std::vector<std::vector<std::byte>> outputs;
    for (const std::span<std::byte> output : bindings.outputs)
      outputs.emplace_back(output.begin(), output.end());
    return outputs;
  }

  std::unique_ptr<backends::Executable> honest_;
  const Fault& fault_;
  std::vector<std::vector<std::byte>> last_;
};

class FaultyBackend : public backends::Backend {
 public:
  FaultyBackend(backends::Backend& honest, const Fault& fault) : honest_(honest), fault_(fault) {}
  [[nodiscard]] std::string name() const override { return honest_.name(); }
  [[nodiscard]] bool names_rules() const override { return false; }
  [[nodiscard]] bool needs_isolation() const override { return true; }
  [[nodiscard]] bool has_many_plans() const override { return honest_.has_many_plans(); }
  [[nodiscard]] const backends::Promise& promise() const override { return honest_.promise(); }
  void start() override { honest_.start(); }
  backends::Prepared prepare(const Operator& op, Version version) override {
    if (fault_.rejects_all)
      return backends::Rejection{
          backends::Rejection::Kind::kRejected, {}, "a fault of the doctor's"};
    backends::Prepared prepared = honest_.prepare(op, version);
    if (auto* plan = std::get_if<std::unique_ptr<backends::Executable>>(&prepared))
      return std::make_unique<Spoilt>(std::move(*plan), fault_);
    if (fault_.accepts_all) return std::make_unique<Acceptance>();
    return prepared;
  }

 private:
  backends::Backend& honest_;
  const Fault& fault_;
};

}  // namespace

std::span<const Fault> all_faults() { return kFaults; }

std::unique_ptr<backends::Backend> with_fault(backends::Backend& backend, const Fault& fault) {
  return std::make_unique<FaultyBackend>(backend, fault);
}

}  // namespace opconform::strength
