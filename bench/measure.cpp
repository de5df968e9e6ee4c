#include "bench/measure.h"

#include <algorithm>

#include "bench/clock.h"
#include "opconform/optimized.h"

namespace opconform::bench {
namespace {

/// A sample of small work is many calls: shorter ones the clock would blur.
constexpr double kLeastSampleNs = 50'000;
/// Calls of which the shortest says how many make a sample: one alone may be interrupted.
constexpr int kTrialCalls = 5;
/// What fits into the second cache is measured there.
constexpr std::uint64_t kWarmBytes = std::uint64_t{2} << 20;
/// After this a contender sits out, once it has some samples.
constexpr double kMostSpentNs = 1e9;
constexpr std::size_t kLeastSamples = 3;
/// Untimed calls before a sample: a third cache may keep a line only once it was asked for again,
/// and processors that share none first fetch what the other one wrote.
constexpr int kSettlingCalls = 5;
/// Beyond every third cache one call is enough for one thread.
constexpr std::uint64_t kSettlingBytes = std::uint64_t{32} << 20;

double time_of_prepare_ns(const Operator& op) {
  constexpr int kTogether = 20;  // one alone takes as long as a look at the clock
  std::vector<double> times;
  for (int i = 0; i < 9; ++i)
    times.push_back(time_ns([&] {
                      for (int k = 0; k < kTogether; ++k)
                        (void)optimized::prepare(op, version_of(op));
                    }) /
                    kTogether);
  return median(std::move(times));
}

}  // namespace

void compare_outputs(std::span<const Contender> contenders, Buffers& buffers) {
  const auto run = [&](const Contender& contender) {
    buffers.clear_outputs();
    contender.run();
    if (contender.deliver) contender.deliver();
  };
  // Of this project's own the last one is the simplest.
  const auto oracle = std::find_if(contenders.rbegin(), contenders.rend(),
                                   [](const auto& one) { return one.role != Role::kPeer; });
  run(*oracle);
  buffers.keep_outputs_as_expected();
  for (const Contender& contender : contenders) {
    run(contender);
    if (!buffers.outputs_are_as_expected())
      throw Mismatch("the output of " + contender.name + " is not that of " + oracle->name);
  }
}

const Timed* Result::fastest(Role role) const {
  const Timed* best = nullptr;
  for (const Timed& timed : times)
    if (timed.role == role && (best == nullptr || timed.ns.median < best->ns.median)) best = &timed;
  return best;
}

double Result::gain_of(Role ours) const {
  const Timed* peer = fastest(Role::kPeer);
  const Timed* own = fastest(ours);
  return peer == nullptr || own == nullptr ? 0 : peer->ns.median / own->ns.median;
}

Rounds::Rounds(const Operator& op, const MeasureOptions& options)
    : buffers_(op, options.seed, options.aligned_to_element_only),
      traffic_(traffic(op, buffers_)),
      is_steady_(!options.mixed || traffic_.bytes() <= kWarmBytes),
      prepare_ns_(time_of_prepare_ns(op)) {
  std::vector<Contender> contenders = own(op, buffers_);
  for (const Peer& peer : options.peers)
    if (std::optional<Contender> contender = peer.prepare(op, buffers_))
      contenders.push_back(std::move(*contender));
  compare_outputs(contenders, buffers_);
  std::erase_if(contenders, [&](const Contender& one) {
    return std::count(options.untimed.begin(), options.untimed.end(), one.role) > 0;
  });
  for (Contender& copy : copies(traffic_, buffers_)) contenders.push_back(std::move(copy));
  for (Contender& contender : contenders) {
    Lane& lane = lanes_.emplace_back();
    lane.contender = std::move(contender);
    settle(lane);
  }
}

void Rounds::settle(Lane& lane) const {
  lane.contender.run();
  if (traffic_.bytes() > kWarmBytes) return;
  double call_ns = kLeastSampleNs;
  for (int i = 0; i < kTrialCalls; ++i) call_ns = std::min(call_ns, time_ns(lane.contender.run));
  lane.calls = static_cast<std::size_t>(std::clamp(kLeastSampleNs / call_ns, 1.0, 1000.0));
}

int Rounds::settling_calls(bool is_alone) const {
  if (!is_steady_) return 0;
  return is_alone && traffic_.bytes() > kSettlingBytes ? 1 : kSettlingCalls;
}

void Rounds::sample(Lane& lane) const {
  const bool is_alone = lane.contender.role != Role::kThreads;
  lane.spent_ns += time_ns([&] {
    for (int i = 0; i < settling_calls(is_alone); ++i) lane.contender.run();
  });
  const Elapsed total = elapsed([&] {
    for (std::size_t i = 0; i < lane.calls; ++i) lane.contender.run();
  });
  const auto calls = static_cast<double>(lane.calls);
  lane.spent_ns += total.wall_ns;
  lane.samples_ns.push_back((is_alone ? total.processor_ns : total.wall_ns) / calls);
  lane.wall_ns.push_back(total.wall_ns / calls);
}

double Rounds::run() {
  for (const std::size_t i : order_of_round(lanes_.size(), round_++)) {
    Lane& lane = lanes_[i];
    const bool must = lane.contender.role == Role::kOptimized;
    if (must || lane.samples_ns.size() < kLeastSamples || lane.spent_ns < kMostSpentNs)
      sample(lane);
  }
  const auto ours = std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& lane) {
    return lane.contender.role == Role::kOptimized;
  });
  return ours->samples_ns.back() * 1e-9;
}

std::size_t Rounds::enough() const {
  constexpr double kUsualBytesPerNs = 4;
  const double call_ns = static_cast<double>(traffic_.bytes()) / kUsualBytesPerNs;
  const double sample_ns = std::max(call_ns * (1 + settling_calls(true)), kLeastSampleNs);
  return static_cast<std::size_t>(std::clamp(0.5e9 / sample_ns, 21.0, 201.0));
}

Result Rounds::result(const Cell& cell) const {
  Result result{.name = cell.name,
                .family = cell.family,
                .op = describe(cell.op).name,
                .marks = cell.marks,
                .traffic = traffic_,
                .prepare_ns = prepare_ns_,
                .processors_of_others = load_.processors_of_others(),
                .times = {}};
  for (const Lane& lane : lanes_)
    result.times.push_back({lane.contender.name, lane.contender.role, quartiles(lane.samples_ns),
                            median(lane.wall_ns), lane.samples_ns.size()});
  return result;
}

}  // namespace opconform::bench
