// The self-test, tested: it must notice a bug that nobody catches and an innocent that is accused.

#include "harness/strength/selftest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/harness/fake_backend.h"

namespace opconform::strength {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr std::size_t kSplit = 1;
constexpr std::size_t kGather = 3;

std::vector<cases::Case> some_cases() {
  std::vector<cases::Case> cases{test::overlapping_scatter(), test::padded_copy(),
                                 test::rejected_slice(), test::failing_gather()};
  cases[1].document = "an example";
  return cases;
}

Suspect honest(bool is_bug) {
  return {"honest", "does it right", is_bug, {0, 1, 2, 3}, [] {
            return backends::make_backend("reference");
          }};
}
/// Spoils the first byte of whatever has one.
Suspect spoiler(bool is_bug, std::vector<std::size_t> operators = {0, 1, 2, 3}) {
  const auto make = [] {
    auto backend = std::make_unique<test::FakeBackend>();
    backend->execute = [fake = backend.get()](const Operator& op, Version version,
                                              const Bindings& bound) {
      std::optional<backends::Failure> failure = fake->honest(op, version, bound);
      if (!bound.outputs[0].empty() && !failure) bound.outputs[0][0] ^= std::byte{1};
      return failure;
    };
    return backend;
  };
  return {"spoiler", "spoils a byte", is_bug, std::move(operators), make};
}

Selftest examine(std::vector<Suspect> suspects, unsigned jobs = 1) {
  SelftestOptions options;
  options.jobs = jobs;
  options.fuzz_cases = 200;
  options.fuzz_time = 1ms;
  return run_selftest(suspects, some_cases(), options, {}, false);
}
SuspectResult examine_one(Suspect suspect) {
  std::vector<Suspect> suspects;
  suspects.push_back(std::move(suspect));
  return examine(std::move(suspects)).results.at(0);
}

TEST(Selftest, ABugThatIsCaughtIsAsItShouldBe) {
  const SuspectResult result = examine_one(spoiler(true));
  EXPECT_TRUE(is_as_it_should(spoiler(true), result));
  EXPECT_EQ(result.suite.cases, 4U);
  EXPECT_EQ(result.suite.caught_after, 1U);
  EXPECT_THAT(result.suite.caught_by, ElementsAre("overlap", "padded-copy", "out-of-range"))
      << "the last by what it writes with other inputs";
  EXPECT_EQ(result.documents.cases, 1U);
  EXPECT_EQ(result.documents.caught_after, 1U);
  EXPECT_THAT(result.documents.caught_by, ElementsAre("padded-copy"));
  ASSERT_TRUE(result.fuzz.caught_after);
  EXPECT_EQ(result.fuzz.caught_after, result.fuzz.cases) << "stops at the first";
  EXPECT_THAT(result.first_message, HasSubstr("mismatch: OutputTensor[0]"));
}

TEST(Selftest, ABugThatNobodyCatchesSurvives) {
  const SuspectResult result = examine_one(honest(true));
  EXPECT_FALSE(is_as_it_should(honest(true), result));
  EXPECT_FALSE(result.is_caught());
  EXPECT_THAT(result.suite.caught_by, IsEmpty());
  EXPECT_GE(result.fuzz.cases, 200U);
}

TEST(Selftest, AnInnocentThatIsWrongIsAccused) {
  EXPECT_FALSE(is_as_it_should(spoiler(false), examine_one(spoiler(false))));
}

TEST(Selftest, AnInnocentThatIsRightIsNot) {
  const SuspectResult result = examine_one(honest(false));
  EXPECT_TRUE(is_as_it_should(honest(false), result));
  EXPECT_EQ(result.fuzz.cases, 200U);
}

TEST(Selftest, RunsTheCasesOfItsOperatorsAlone) {
  const SuspectResult result = examine_one(spoiler(true, {kSplit, kGather}));
  EXPECT_EQ(result.suite.cases, 2U);
  EXPECT_THAT(result.suite.caught_by, ElementsAre("padded-copy", "out-of-range"));
}

TEST(Selftest, EnoughIsSoManyOfEachOperator) {
  std::vector<cases::Case> cases{test::padded_copy(), test::padded_copy(), test::padded_copy(),
                                 test::failing_gather()};
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].id = "case " + std::to_string(i);
  const std::vector<Suspect> suspects{spoiler(true, {kSplit, kGather})};
  SelftestOptions options;
  options.fuzz_cases = 0;
  options.enough = 2;
  const SuspectResult result = run_selftest(suspects, cases, options, {}, false).results.at(0);
  EXPECT_THAT(result.suite.caught_by, ElementsAre("case 0", "case 1", "case 3"));
  EXPECT_EQ(result.suite.cases, 3U);
}

TEST(Selftest, ReadsOutsideAreSeenAndEndNoWorker) {
  Suspect reader = spoiler(true, {kSplit});
  reader.make = [] {
    auto backend = std::make_unique<test::FakeBackend>();
    backend->execute = [fake = backend.get()](const Operator& op, Version version,
                                              const Bindings& bound) {
      const std::span<const std::byte> input = bound.inputs[0];
      (void)*static_cast<const volatile std::byte*>(input.data() + input.size() + 15);
      return fake->honest(op, version, bound);
    };
    return backend;
  };
  const SuspectResult result = examine_one(reader);
  EXPECT_THAT(result.suite.caught_by, ElementsAre("padded-copy"));
  EXPECT_THAT(result.first_message, HasSubstr("read outside"));
}

TEST(Selftest, ResultsDoNotDependOnJobs) {
  std::vector<Suspect> suspects;
  for (int i = 0; i < 6; ++i) suspects.push_back(i % 2 == 0 ? honest(false) : spoiler(true));
  const std::string one = selftest_to_json(suspects, examine(suspects, 1), {}).dump();
  EXPECT_EQ(one, selftest_to_json(suspects, examine(suspects, 4), {}).dump());
}

TEST(Selftest, TellsWhatCouldNotBeRunOnce) {
  std::vector<cases::Case> cases = some_cases();
  cases[1].inputs[0].kind = cases::Contents::Kind::kNone;
  const std::vector<Suspect> suspects{honest(false), spoiler(true)};
  SelftestOptions options;
  options.fuzz_cases = 0;
  const Selftest result = run_selftest(suspects, cases, options, {}, false);
  EXPECT_THAT(result.bad_input, ElementsAre(HasSubstr("has no contents")));
  EXPECT_EQ(result.results[0].suite.cases, 3U);
}

TEST(Selftest, JsonHoldsEveryCaseThatCatches) {
  std::vector<Suspect> suspects{spoiler(true)};
  suspects[0].rules = {"split.partition", "tensor.offset"};
  const base::Json json = selftest_to_json(suspects, examine(suspects), {});
  const base::Json& suspect = json["suspects"][0];
  EXPECT_EQ(suspect["name"], "spoiler");
  EXPECT_EQ(suspect["kind"], "bug");
  EXPECT_EQ(suspect["as_it_should"], true);
  EXPECT_EQ(suspect["operators"],
            base::Json::parse(R"(["DML_SCATTER", "DML_SPLIT", "DML_SLICE1", "ONNX_GATHER"])"));
  EXPECT_EQ(suspect["rules"], base::Json::parse(R"(["split.partition", "tensor.offset"])"));
  EXPECT_EQ(suspect["suite"]["caught_by"],
            base::Json::parse(R"(["overlap", "padded-copy", "out-of-range"])"));
  EXPECT_EQ(suspect["suite"]["cases"], 4);
}

}  // namespace
}  // namespace opconform::strength
