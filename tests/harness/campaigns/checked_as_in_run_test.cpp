// What a campaign sees of the cases that it checks as a run does, and how many bytes it counts.
#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/campaigns/state.h"
#include "tests/harness/fake_backend.h"

namespace opconform::campaigns {
namespace {

ExamplePlace nowhere(const FindingKey& /*key*/, std::size_t /*example*/) { return {}; }

Campaign campaign_of(std::uint64_t cases, backends::Backend& backend, unsigned jobs = 1) {
  static const std::atomic<bool> never = false;
  CampaignOptions options;
  options.cases = {0, cases};
  options.run.timeout = std::chrono::minutes(1);
  options.run.jobs = jobs;
  Campaign campaign;
  run_campaign(options, backend, {}, never, campaign);
  return campaign;
}

/// Nobody sees afterwards that it was read, and written.
void store_again(const std::byte* at) {
  volatile std::byte* const place = const_cast<std::byte*>(at);  // NOLINT: that is what is wrong
  *place = *place;
}

/// That all findings are this one, and that each is shown by cases checked as in a run alone, and
/// shown again by its smallest.
void expect_only(const Campaign& campaign, backends::Backend& faulty, judging::Verdict verdict,
                 std::string_view rule, const judging::CheckOptions& check = {}) {
  const std::map<FindingKey, Finding> findings = campaign.findings.list();
  EXPECT_EQ(findings.size(), std::variant_size_v<Operator>);
  const CaseSource source({});
  SourcedCase made;
  for (const auto& of_key : findings) {  // clang 14 captures no structured binding
    const FindingKey& key = of_key.first;
    const Finding& finding = of_key.second;
    EXPECT_EQ(key.verdict, verdict) << key.name();
    EXPECT_EQ(key.rule, rule) << key.name();
    for (const std::uint64_t number : finding.failing) {
      source.make(number, made);
      EXPECT_TRUE(made.is_checked_as_in_run()) << number;
    }
    const running::Reduction& reduction = finding.examples.front().reduction;
    EXPECT_TRUE(reduction.reproduced) << key.name();
    EXPECT_EQ(judging::check_case(reduction.smallest, faulty, check).verdict, verdict);
    for_each_tensor(reduction.smallest.op, [&](const NamedTensor& tensor) {
      EXPECT_LE(*element_count(tensor.desc.sizes), 8U) << key.name();
    });
  }
}

TEST(CheckedAsInRun, OneOfManyValidCases) {
  const CaseSource source({});
  SourcedCase made;
  unsigned checked = 0;
  for (std::uint64_t n = 0; n < 128'000; ++n) {
    source.make(n, made);
    if (!made.is_checked_as_in_run()) continue;
    ++checked;
    EXPECT_EQ(made.kind, CaseKind::kValid) << n;
  }
  EXPECT_GT(checked, 150U);
  EXPECT_LT(checked, 300U);
}

TEST(CheckedAsInRun, SeesAReadOutside) {
  test::FakeBackend faulty;
  faulty.execute = test::then(faulty, [](const Bindings& bound) {
    (void)*static_cast<const volatile std::byte*>(bound.inputs[0].data() + bound.inputs[0].size());
  });
  for (const unsigned jobs : {1U, 3U})
    expect_only(campaign_of(40'000, faulty, jobs), faulty, judging::Verdict::kMemoryFault,
                "tensor.outside-intact");
}

TEST(CheckedAsInRun, SeesAnInputThatIsChangedAndRestored) {
  test::FakeBackend faulty;
  faulty.execute = test::then(faulty, [](const Bindings& bound) {
    if (!bound.inputs[0].empty()) store_again(bound.inputs[0].data());
  });
  expect_only(campaign_of(40'000, faulty), faulty, judging::Verdict::kMemoryFault,
              "tensor.input-intact");
}

/// As code whose scratch memory is that of the first thread.
class WrongInOtherThreads : public test::FakeBackend {
 public:
  WrongInOtherThreads() {
    execute = [this](const Operator& op, Version version, const Bindings& bound) {
      std::optional<backends::Failure> failure = honest(op, version, bound);
      if (!failure && ::gettid() != ::getpid() && !bound.outputs[0].empty())
        bound.outputs[0][0] ^= std::byte{1};
      return failure;
    };
  }
  [[nodiscard]] backends::AtOnce at_once() const override { return backends::AtOnce::kExecutions; }
};

TEST(CheckedAsInRun, SeesWhatGoesWrongInThreads) {
  WrongInOtherThreads faulty;
  const Campaign campaign = campaign_of(140'000, faulty);
  expect_only(campaign, faulty, judging::Verdict::kMismatch, "",
              {.threads = {judging::kUsualThreads}});
  for (const auto& [key, finding] : campaign.findings.list()) {
    const Example& example = finding.examples.front();
    EXPECT_EQ(example.reduction.result.threads, 2U) << "the least that fails";
    EXPECT_NE(example.reduction.result.message.find("of 2 at once"), std::string::npos);
    const std::optional<Example> read = example_from_json(example_to_json(example));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->reduction.result.threads, 2U);
  }
}

TEST(Bytes, AreThoseOfTheBuffersOfValidCases) {
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  CampaignOptions options;
  options.cases = {0, 3'000};
  const Campaign campaign = campaign_of(3'000, *reference);
  std::uint64_t expected = 0;
  const CaseSource source({});
  SourcedCase made;
  for (std::uint64_t n = 0; n < 3'000; ++n) {
    source.make(n, made);
    if (made.kind != CaseKind::kValid) continue;
    for_each_tensor(made.generated.op, [&](const NamedTensor& tensor) {
      expected += buffer_size_bytes(tensor.desc, made.generated.version.dialect());
    });
  }
  base::Json state = campaign_to_json(campaign, options, "reference", nowhere);
  EXPECT_EQ(state["bytes"], expected);
  EXPECT_GT(state["byte_rate"], 0);
  const auto read = [&] {
    return campaign_from_json(state.dump(), "campaign.json", options, "reference");
  };
  EXPECT_EQ(read().tallies[0].bytes, campaign.tallies[0].bytes);
  // Files of versions that did not count them.
  for (base::Json& tally : state["by_operator"]) tally.erase("bytes");
  EXPECT_EQ(read().tallies[0].bytes, 0U);
  EXPECT_EQ(read().tallies[0].valid, campaign.tallies[0].valid);
}

}  // namespace
}  // namespace opconform::campaigns
