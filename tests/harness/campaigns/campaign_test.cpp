// Campaigns over implementations with one planted fault each: what is found, by any number of
// processes, in parts or at once.

#include "harness/campaigns/state.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "harness/base/bad_input.h"
#include "spec/validate.h"
#include "tests/harness/choices.h"
#include "tests/harness/fake_backend.h"

namespace opconform::campaigns {
namespace {

const std::atomic<bool> kNeverStop = false;

CampaignOptions few_cases(std::uint64_t count) {
  CampaignOptions options;
  options.cases = {0, count};
  options.run.timeout = std::chrono::minutes(1);  // nothing seems to hang on a busy machine
  return options;
}

Campaign run(const CampaignOptions& options, backends::Backend& backend) {
  Campaign campaign;
  run_campaign(options, backend, {}, kNeverStop, campaign);
  return campaign;
}

/// All that must not depend on the number of processes.
std::string report(const Campaign& campaign, const CampaignOptions& options) {
  base::Json json = campaign_to_json(campaign, options, "fake",
                                     [](const FindingKey&, std::size_t) { return ExamplePlace(); });
  json.erase("seconds");
  json.erase("rate");
  json.erase("byte_rate");
  return json.dump(1);
}

std::vector<FindingKey> keys(const Campaign& campaign) {
  std::vector<FindingKey> keys;
  for (const auto& [key, finding] : campaign.findings.list()) keys.push_back(key);
  return keys;
}

bool is_wide(const Operator& op) {
  return cases::TensorList(op).outputs.at(0).desc.element_size_bytes() == 8;
}
bool has_rank(const Operator& op, std::size_t rank) {
  return cases::TensorList(op).outputs.at(0).desc.rank() == rank;
}

/// Spoils the first byte of outputs of 8-byte elements.
void plant_wrong_element(test::FakeBackend& faulty) {
  faulty.execute = [&faulty](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    if (is_wide(op) && !bindings.outputs[0].empty() && !failure)
      bindings.outputs[0][0] ^= std::byte{1};
    return failure;
  };
}

TEST(CaseRanges, AddAndGaps) {
  CaseRanges ranges;
  ranges.add({10, 20});
  ranges.add({30, 40});
  ranges.add({5, 5});
  EXPECT_EQ(ranges.gaps({0, 50}), (std::vector<CaseRange>{{0, 10}, {20, 30}, {40, 50}}));
  EXPECT_EQ(ranges.gaps({12, 35}), (std::vector<CaseRange>{{20, 30}}));
  EXPECT_EQ(ranges.gaps({12, 15}), std::vector<CaseRange>{});
  ranges.add({20, 30});
  EXPECT_EQ(ranges.list(), (std::vector<CaseRange>{{10, 40}}));
  ranges.add({50, 60});
  ranges.add({0, 70});
  EXPECT_EQ(ranges.list(), (std::vector<CaseRange>{{0, 70}}));
  EXPECT_EQ(ranges.count(), 70U);
}

TEST(CaseSource, CaseIsAFunctionOfSeedAndNumber) {
  const CaseSource source(SourceOptions{.seed = 5, .operators = {}, .at_most = {}});
  const CaseSource other(SourceOptions{.seed = 6, .operators = {}, .at_most = {}});
  SourcedCase first;
  SourcedCase again;
  std::size_t broken = 0;
  std::size_t differ = 0;
  for (std::uint64_t n = 0; n < 4000; ++n) {
    source.make(n, first);
    source.make(n, again);
    EXPECT_EQ(first.generated.op, again.generated.op) << n;
    EXPECT_EQ(first.rule, again.rule) << n;
    other.make(n, again);
    if (first.generated.op != again.generated.op) ++differ;
    const Violations violations = validate(first.generated.op, first.generated.version);
    if (first.kind == CaseKind::kBroken) {
      ++broken;
      EXPECT_EQ(violations.rules(), std::vector<std::string_view>{first.rule}) << n;
    } else {
      EXPECT_TRUE(violations.empty()) << n;
    }
    const auto assignment = source.assignment(n);
    EXPECT_EQ(assignment.has_value(), first.kind == CaseKind::kValid) << n;
    if (assignment) {
      EXPECT_EQ(assignment->combination, first.generated.assignment) << n;
    }
  }
  EXPECT_GT(broken, 300U);
  EXPECT_GT(differ, 3900U);
}

TEST(CaseSource, LeavesOutWhatIsNotAskedFor) {
  SourceOptions options;
  options.at_most = FeatureLevel::k2_1;
  const CaseSource source(options);
  SourcedCase made;
  for (std::uint64_t n = 0; n < 2000; ++n) {
    source.make(n, made);
    if (made.generated.version.dialect() == Dialect::kDirectml && made.kind == CaseKind::kValid) {
      EXPECT_LE(made.generated.version, Version(FeatureLevel::k2_1)) << n;
    }
  }
  // Slice1 begins at 2_1.
  const std::size_t slice1 = make_operator("DML_SLICE1")->index();
  options.at_most = FeatureLevel::k1_0;
  options.operators = {slice1};
  EXPECT_THROW(CaseSource{options}, base::BadInput);
}

TEST(CaseSource, WantedCombinationsHaveTheSizesOfTheCampaign) {
  const std::size_t slice1 = make_operator("DML_SLICE1")->index();
  const auto most_elements = [&](SizeProfile sizes) {
    SourceOptions options;
    options.sizes = sizes;
    CaseSource source(options);
    generation::Assignment wanted;
    wanted.set(0, 4);
    source.want(0, std::vector<CaseSource::Wanted>(50, {slice1, wanted}));
    std::uint64_t most = 0;
    for (std::uint64_t n = 0; n < 50; ++n) {
      SourcedCase made;
      source.make(n, made);
      EXPECT_EQ(made.generated.assignment[0], 4U);
      EXPECT_EQ(source.assignment(n)->combination, made.generated.assignment);
      for (const NamedTensor& tensor : cases::TensorList(made.generated.op).inputs)
        most = std::max(most, *element_count(tensor.desc.sizes));
    }
    return most;
  };
  EXPECT_LE(most_elements(SizeProfile::kSmall), 4096U);
  EXPECT_GT(most_elements(SizeProfile::kLarge), 4096U);
}

TEST(CaseSource, ATierCanBeAFactor) {
  SourceOptions options;
  options.sizes = SizeProfile::kTiers;
  CaseSource source(options);
  std::map<std::size_t, std::size_t> cases;  // by tier
  std::uint64_t most_bytes = 0;
  SourcedCase made;
  for (std::uint64_t n = 0; n < 2000; ++n) {
    source.make(n, made);
    if (made.kind != CaseKind::kValid) continue;
    const std::size_t factor = source.models()[made.generated.op.index()].factors().size() - 1;
    const auto tier = static_cast<std::size_t>(made.generated.contents.tier);
    EXPECT_EQ(tier, made.generated.assignment[factor]) << n;
    EXPECT_EQ(source.assignment(n)->combination, made.generated.assignment) << n;
    ++cases[tier];
    for (const NamedTensor& tensor : cases::TensorList(made.generated.op).inputs)
      most_bytes = std::max(most_bytes,
                            *element_count(tensor.desc.sizes) * tensor.desc.element_size_bytes());
  }
  EXPECT_EQ(cases.size(), 3U);
  EXPECT_GT(most_bytes, std::uint64_t{1} << 17);
  EXPECT_LE(most_bytes, std::uint64_t{1} << 20);
}

TEST(Campaign, ReachesEachTierWithEachValue) {
  CampaignOptions options = few_cases(1'000'000);
  options.source.sizes = SizeProfile::kTiers;
  options.source.operators = {make_operator("DML_SLICE1")->index()};
  options.strength = 2;
  options.until_covered = true;
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  const Campaign campaign = run(options, *optimized);
  EXPECT_TRUE(campaign.findings.list().empty());
  ASSERT_EQ(campaign.combinations.size(), 1U);
  const generation::CombinationCount& count = campaign.combinations.front().count;
  EXPECT_EQ(count.covered, count.feasible);
  SourceOptions small;
  small.sizes = SizeProfile::kSmall;
  small.operators = options.source.operators;
  const CaseSource source(small);
  const generation::CombinationSpace without(source.models()[small.operators.front()], 2);
  const std::vector<std::uint64_t> none(without.word_count());
  EXPECT_GT(count.feasible, without.count(none).feasible);
}

TEST(Campaign, NothingWrongNothingFound) {
  const CampaignOptions options = few_cases(20'000);
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  const Campaign campaign = run(options, *optimized);
  EXPECT_EQ(keys(campaign), std::vector<FindingKey>{});
  Tally all;
  for (const Tally& tally : campaign.tallies) all += tally;
  EXPECT_EQ(all.cases(), 20'000U);
  EXPECT_GT(all.broken, 1'500U);
  EXPECT_EQ(all.failed, 0U);
  EXPECT_EQ(campaign.done.list(), (std::vector<CaseRange>{{0, 20'000}}));
}

TEST(Campaign, OneFaultIsOneFindingAndSmall) {
  test::FakeBackend faulty;
  plant_wrong_element(faulty);
  const Campaign campaign = run(few_cases(8'000), faulty);
  std::vector<FindingKey> expected;
  for (std::size_t op = 0; op < std::variant_size_v<Operator>; ++op)
    expected.push_back({op, judging::Verdict::kMismatch, ""});
  ASSERT_EQ(keys(campaign), expected);
  for (const auto& [key, finding] : campaign.findings.list()) {
    EXPECT_GT(finding.count, 50U) << key.name();
    EXPECT_EQ(finding.examples.size(), 1U) << key.name() << finding.examples.back().signature;
    const running::Reduction& reduction = finding.examples.front().reduction;
    EXPECT_TRUE(reduction.reproduced);
    EXPECT_EQ(judging::check_case(reduction.smallest, faulty, {}).verdict,
              judging::Verdict::kMismatch);
    for_each_tensor(reduction.smallest.op, [&](const NamedTensor& tensor) {
      EXPECT_LE(*element_count(tensor.desc.sizes), 8U);
    });
  }
}

TEST(Campaign, SameReportForAnyNumberOfJobsAndInParts) {
  test::FakeBackend faulty;
  plant_wrong_element(faulty);
  faulty.reject = [](const Operator& op, Version version) -> std::optional<backends::Rejection> {
    if (has_rank(op, 5))
      return backends::Rejection{backends::Rejection::Kind::kRejected, {"scatter.support"}, ""};
    if (has_rank(op, 2)) return std::nullopt;  // takes what is broken, too
    const Violations violations = validate(op, version);
    if (violations.empty()) return std::nullopt;
    backends::Rejection rejection;
    for (const std::string_view rule : violations.rules()) rejection.rules.emplace_back(rule);
    return rejection;
  };
  // What is broken cannot be executed honestly.
  const auto spoil = faulty.execute;
  faulty.execute = [spoil](const Operator& op, Version version, const Bindings& bindings) {
    return validate(op, version).empty() ? spoil(op, version, bindings) : std::nullopt;
  };
  CampaignOptions options = few_cases(12'000);
  std::string first;
  for (const unsigned jobs : {1U, 2U, 7U}) {
    options.run.jobs = jobs;
    const Campaign campaign = run(options, faulty);
    EXPECT_GT(campaign.findings.list().size(), 12U);
    if (first.empty()) first = report(campaign, options);
    EXPECT_EQ(report(campaign, options), first) << jobs << " jobs";
  }

  // Ended a few times on the way, and gone on with from what was written.
  options.run.jobs = 2;
  std::string state;
  for (int part = 0; part < 50; ++part) {
    std::atomic<bool> stop = false;
    Campaign campaign;
    if (!state.empty()) campaign = campaign_from_json(state, "state", options, "fake");
    const std::uint64_t before = campaign.done.count();
    CampaignWatch watch;
    watch.on_finding = [&](const Campaign& now) { stop = now.done.count() > before; };
    run_campaign(options, faulty, watch, stop, campaign);
    state = campaign_to_json(campaign, options, "fake", [](const FindingKey&, std::size_t) {
              return ExamplePlace();
            }).dump();
    // The last case may be done when it is stopped, and the findings not yet diagnosed.
    if (campaign.done.count() < 12'000 || campaign.interrupted) continue;
    EXPECT_EQ(report(campaign, options), first);
    return;
  }
  FAIL() << "did not get to the end";
}

TEST(Campaign, ACrashAHangAndASilentEndAreFindingsAndTheRestIsRun) {
  enum class End { kCrash, kHang, kExit };
  for (const End end : {End::kCrash, End::kHang, End::kExit}) {
    test::FakeBackend faulty;
    faulty.execute = [&](const Operator& op, Version version,
                         const Bindings& bindings) -> std::optional<backends::Failure> {
      if (std::holds_alternative<Split>(op) && bindings.outputs.size() > 3 && has_rank(op, 4)) {
        if (end == End::kHang)
          while (true) ::usleep(1000);
        if (end == End::kExit) ::_exit(0);
        ::raise(SIGSEGV);
      }
      return faulty.honest(op, version, bindings);
    };
    CampaignOptions options = few_cases(end == End::kHang ? 200 : 1'600);
    options.run.jobs = 2;
    if (end == End::kHang) options.run.timeout = std::chrono::seconds(2);
    const Campaign campaign = run(options, faulty);
    const judging::Verdict verdict =
        end == End::kHang ? judging::Verdict::kTimeout : judging::Verdict::kCrash;
    const std::size_t split = make_operator("DML_SPLIT")->index();
    ASSERT_EQ(keys(campaign), (std::vector<FindingKey>{{split, verdict, ""}}));
    const Finding finding = campaign.findings.list().begin()->second;
    EXPECT_EQ(finding.count, campaign.tallies[split].failed);
    EXPECT_EQ(campaign.done.count(), options.cases.last);
    Tally all;
    for (const Tally& tally : campaign.tallies) all += tally;
    EXPECT_EQ(all.cases(), options.cases.last);
    const cases::Case& smallest = finding.examples.front().reduction.smallest;
    EXPECT_EQ(cases::TensorList(smallest.op).outputs.size(),
              end == End::kHang ? cases::TensorList(smallest.op).outputs.size() : 4U);
  }
}

TEST(Campaign, ReachesEveryCombinationAndEndsThere) {
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  CampaignOptions options;
  options.strength = 2;
  options.until_covered = true;
  options.run.jobs = 2;
  const Campaign campaign = run(options, *optimized);
  ASSERT_EQ(campaign.combinations.size(), std::variant_size_v<Operator>);
  for (const CombinationResult& result : campaign.combinations) {
    EXPECT_EQ(result.strength, 2U);
    EXPECT_GT(result.count.feasible, 1000U);
    EXPECT_EQ(result.count.covered, result.count.feasible);
  }
  EXPECT_LT(campaign.done.count(), 100'000U);

  // With other jobs the same cases, and in parts the same.
  options.run.jobs = 1;
  const Campaign alone = run(options, *optimized);
  EXPECT_EQ(report(alone, options), report(campaign, options));
  std::atomic<bool> stop = false;
  CampaignWatch watch;
  watch.on_tick = [&](const Campaign&, std::uint64_t) { stop = true; };
  Campaign part;
  CampaignOptions limited = options;
  limited.cases.last = 3'000;
  run_campaign(limited, *optimized, watch, kNeverStop, part);
  EXPECT_EQ(part.done.count(), 3'000U);
  run_campaign(options, *optimized, {}, kNeverStop, part);
  EXPECT_EQ(report(part, options), report(campaign, options));
}

TEST(Campaign, UnsupportedAndFreedomAreNoFindings) {
  test::FakeBackend faulty;
  faulty.reject = [](const Operator& op, Version version) -> std::optional<backends::Rejection> {
    if (cases::TensorList(op).outputs.empty() || is_wide(op))
      return backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "no 64 bits"};
    const Violations violations = validate(op, version);
    if (violations.empty()) return std::nullopt;
    backends::Rejection rejection;
    for (const std::string_view rule : violations.rules()) rejection.rules.emplace_back(rule);
    return rejection;
  };
  // Writes the gaps of its outputs, as it may.
  faulty.execute = [&faulty](const Operator& op, Version version, const Bindings& bindings) {
    std::vector<std::vector<std::byte>> before;
    for (const auto& output : bindings.outputs) before.emplace_back(output.begin(), output.end());
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    for (std::size_t k = 0; k < bindings.outputs.size() && !failure; ++k) {
      const TensorDesc& tensor = cases::TensorList(op).outputs[k].desc;
      const std::size_t extent = extent_elements(tensor).value_or(0) * tensor.element_size_bytes();
      for (std::size_t at = extent; at < bindings.outputs[k].size(); ++at)
        bindings.outputs[k][at] = std::byte{0};
    }
    return failure;
  };
  CampaignOptions options = few_cases(8'000);
  Campaign campaign = run(options, faulty);
  EXPECT_EQ(keys(campaign), std::vector<FindingKey>{});
  Tally all;
  for (const Tally& tally : campaign.tallies) all += tally;
  EXPECT_GT(all.unsupported, 500U);
  EXPECT_GT(all.freedom, 500U);

  // It differs from the reference in gaps alone.
  EXPECT_EQ(judging::count_of(test::kGapsOverwritten, campaign.choices), all.freedom);
  EXPECT_EQ(judging::count_of(test::kGapsIntact, campaign.choices), 0U);
  EXPECT_GT(judging::count_of(test::kLastWrite, campaign.choices), 10U);
  EXPECT_EQ(judging::count_of(test::kFirstWrite, campaign.choices), 0U);

  // With more jobs, and in two parts.
  CampaignOptions first_part = few_cases(3'000);
  first_part.run.jobs = 2;
  const std::string state =
      campaign_to_json(run(first_part, faulty), first_part, "fake",
                       [](const FindingKey&, std::size_t) { return ExamplePlace(); })
          .dump();
  Campaign resumed = campaign_from_json(state, "state", options, "fake");
  options.run.jobs = 7;
  run_campaign(options, faulty, {}, kNeverStop, resumed);
  EXPECT_EQ(report(resumed, options), report(campaign, options));
}

TEST(Campaign, StateOfAnotherCampaignIsRejected) {
  const std::unique_ptr<backends::Backend> optimized = backends::make_backend("optimized");
  CampaignOptions options = few_cases(100);
  const Campaign campaign = run(options, *optimized);
  const auto no_place = [](const FindingKey&, std::size_t) { return ExamplePlace(); };
  const std::string text = campaign_to_json(campaign, options, "optimized", no_place).dump();
  const auto read = [&](const std::string& state) {
    return campaign_from_json(state, "campaign.json", options, "optimized");
  };
  EXPECT_EQ(read(text).done.list(), campaign.done.list());
  const auto message_of = [&](const std::string& state) -> std::string {
    try {
      (void)read(state);
    } catch (const base::BadInput& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string& bad :
       {std::string("{"), std::string("[]"), std::string(R"({"version": 2})"),
        text.substr(0, text.size() / 2), std::string(R"({"version": 1, "settings": 3})")})
    EXPECT_TRUE(message_of(bad).starts_with("campaign.json")) << bad << ": " << message_of(bad);
  options.source.seed = 2;
  EXPECT_NE(message_of(text).find("/settings"), std::string::npos) << message_of(text);
}

TEST(Findings, ManyValuesAreLeftOut) {
  Example example;
  example.reduction.smallest = test::padded_copy();
  const cases::Case small = example.reduction.smallest;
  leave_out_many_values(example.reduction.smallest);
  EXPECT_EQ(example.reduction.smallest.inputs[0].bytes, small.inputs[0].bytes);
  EXPECT_TRUE(example.has_values());
  example.reduction.smallest.inputs[0].bytes.resize((std::size_t{1} << 20) + 1);
  leave_out_many_values(example.reduction.smallest);
  EXPECT_EQ(example.reduction.smallest.op, small.op);
  EXPECT_FALSE(example.has_values()) << "its number is to be run";
  const std::optional<Example> again = example_from_json(example_to_json(example));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->has_values());
}

TEST(Findings, KeepTheLowestNumbersWhateverTheOrder) {
  constexpr std::uint64_t kCount = Findings::kLookedAt + 100;
  const FindingKey key{.operator_index = 0, .verdict = judging::Verdict::kMismatch, .rule = ""};
  Findings findings;
  for (std::uint64_t i = 0; i < kCount; ++i) findings.add(key, 3 * (kCount - i));
  const Finding found = findings.list().at(key);
  EXPECT_EQ(found.count, kCount);
  ASSERT_EQ(found.failing.size(), Findings::kLookedAt);
  EXPECT_EQ(found.failing.front(), 3U);
  EXPECT_EQ(found.failing.back(), 3 * Findings::kLookedAt);
}

}  // namespace
}  // namespace opconform::campaigns
