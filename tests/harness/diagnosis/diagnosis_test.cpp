#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "harness/backends/backend.h"
#include "harness/diagnosis/failed_outputs.h"
#include "harness/diagnosis/groups.h"
#include "harness/diagnosis/reading_backend.h"
#include "harness/generation/case_memory.h"
#include "harness/generation/draws.h"
#include "harness/generation/generator.h"
#include "harness/judging/check.h"
#include "harness/judging/guard_pages.h"
#include "tests/harness/fake_backend.h"

namespace opconform::test {
namespace {

using diagnosis::explanations;
using diagnosis::Group;
using judging::CaseResult;
using judging::Verdict;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// Cases of one operator, each with its own contents.
std::vector<cases::Case> generated_cases(std::size_t operator_index, std::size_t count) {
  std::vector<cases::Case> made;
  generation::Generated generated;
  for (std::size_t i = 0; i < count; ++i) {
    generation::RandomDraws draws(base::random_bits(17, i));
    generation::generate(operator_index, {}, draws, generated);
    generation::CaseMemory memory;
    memory.make(generated);
    made.push_back(generation::case_of(generated, memory, "generated/" + std::to_string(i)));
  }
  return made;
}

CaseResult checked(const cases::Case& one, backends::Backend& backend) {
  CaseResult result = judging::check_case(one, backend, {});
  result.explained_by = explanations(one, result);
  return result;
}

/// What a run of cases on a backend comes to.
std::vector<Group> diagnosed(const std::vector<cases::Case>& cases, backends::Backend& backend) {
  std::vector<CaseResult> results;
  for (const cases::Case& one : cases) results.push_back(checked(one, backend));
  std::vector<diagnosis::Judged> judged;
  for (std::size_t i = 0; i < cases.size(); ++i) judged.push_back({&cases[i], &results[i]});
  return diagnosis::group(judged);
}

template <class Op>
std::size_t place_of() {
  return Operator(Op()).index();
}
const diagnosis::Reading& reading(std::string_view name, const Operator& op) {
  return *diagnosis::find_reading(name, op);
}

TEST(Readings, BreakRulesThatAreThere) {
  for_each_operator([]<class Op>(std::type_identity<Op>) {
    const Operator op{Op()};
    std::set<std::string_view> names;
    EXPECT_NE(diagnosis::readings_of(op).size(), 0U);
    for (const diagnosis::Reading* one : diagnosis::readings_of(op)) {
      EXPECT_TRUE(names.insert(one->name).second) << one->name;
      EXPECT_NE(find_rule(diagnosis::rule_of(*one, op)), nullptr) << one->name;
      EXPECT_EQ(diagnosis::find_reading(one->name, op), one);
    }
    EXPECT_EQ(diagnosis::find_reading("no such reading", op), nullptr);
  });
}

/// A reading that nothing shows is of no use; one that is not found again neither.
TEST(Readings, ExplainTheFailuresOfAnImplementationThatHasThem) {
  // Numbers in too few bits and long chunks show in tensors of a length that few generated cases
  // have, and no generated string has a NUL. The corpus shows these: selftest/planted-bugs.
  const auto is_seldom = [](std::string_view name) {
    return name.find("-bits") != name.npos || name.find("-float") != name.npos ||
           name == "chunks-of-1025-updates-only" || name == "chunks-of-2048-updates-only" ||
           name == "string-cut-at-nul";
  };
  std::map<std::string_view, bool> is_seen;
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    const std::vector<cases::Case> cases = generated_cases(place_of<Op>(), 400);
    for (const diagnosis::Reading* one : diagnosis::readings_of(Operator(Op()))) {
      const auto backend = diagnosis::backend_with(*one);
      bool& seen = is_seen[one->name];
      for (std::size_t i = 0; i < cases.size() && !seen; ++i) {
        const CaseResult result = checked(cases[i], *backend);
        if (!result.evidence || result.verdict == Verdict::kMemoryFault) continue;
        EXPECT_THAT(result.explained_by, Contains(one->name)) << cases[i].id;
        seen = true;
      }
    }
  });
  for (const auto& [name, seen] : is_seen)
    EXPECT_TRUE(seen || is_seldom(name)) << name << " changes no generated case";
}

TEST(Groups, OneBreachIsOneGroup) {
  const std::vector<cases::Case> cases = generated_cases(place_of<Slice1>(), 300);
  const auto backend = diagnosis::backend_with(reading("reversed-start-at-offset", Slice1()));
  const std::vector<Group> groups = diagnosed(cases, *backend);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].rule, "slice1.copy-start");
  EXPECT_EQ(groups[0].says, "starts at the window's first element where the stride is negative");
  EXPECT_EQ(groups[0].contradicted, 0U);
  EXPECT_GT(groups[0].members.size(), 20U);
}

/// Real code reads and writes whatever lies there. That is a fault, and has the same cause as its
/// wrong values, which may be any.
TEST(Groups, FaultsOfAMisreadingAreInItsGroup) {
  std::size_t misread = 0;
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    const std::vector<cases::Case> all = generated_cases(place_of<Op>(), 200);
    for (const diagnosis::Reading* one : diagnosis::readings_of(Operator(Op()))) {
      if (one->is_bounded) continue;
      model::Seams seams = diagnosis::seams_of(one);
      FakeBackend backend;
      std::uint64_t strayed_bytes = 0;
      backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
        model::Execution execution{op, version};
        model::bind(bound, seams, execution);
        const auto rule = model::run(seams, execution);
        strayed_bytes = std::max(strayed_bytes, execution.strayed_bytes);
        return rule ? std::optional(backends::Failure{*rule, ""}) : std::nullopt;
      };
      std::vector<cases::Case> near;  // farther away, it would end this process
      bool leaves = false;
      for (const cases::Case& tested : all) {
        strayed_bytes = 0;
        (void)judging::check_case(tested, backend, {});
        if (strayed_bytes >= judging::GuardPages::kGuardBytes / 2) continue;
        near.push_back(tested);
        leaves = leaves || strayed_bytes > 0;
      }
      if (!leaves) continue;
      seams.leaves_buffers = true;
      const std::vector<Group> groups = diagnosed(near, backend);
      ASSERT_EQ(groups.size(), 1U) << one->name;
      EXPECT_EQ(groups[0].explanation, one->name);
      ++misread;
    }
  });
  EXPECT_GT(misread, 80U);
}

/// Where nothing else shows a reading, a fault by itself does not.
TEST(Groups, FaultsAloneAreNoMisreading) {
  const std::vector<cases::Case> cases = generated_cases(place_of<Slice1>(), 200);
  FakeBackend backend;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    auto failure = backend.honest(op, version, bound);
    (void)*static_cast<const volatile std::byte*>(bound.inputs[0].data() - 1);
    return failure;
  };
  for (const Group& group : diagnosed(cases, backend)) {
    EXPECT_EQ(group.verdict, Verdict::kMemoryFault);
    EXPECT_EQ(group.rule, "tensor.outside-intact");
  }
}

/// A read that is near is noted, and ends no process: something else did.
TEST(Explanations, OfACrashAreReadingsThatReachFar) {
  CaseResult crash;
  crash.verdict = Verdict::kCrash;
  std::set<std::string> far;
  std::set<std::string> watched;
  for (const cases::Case& one : generated_cases(place_of<Slice1>(), 100)) {
    crash.message = "the process was ended by SIGSEGV";
    for (const std::string& name : explanations(one, crash)) far.insert(name);
    crash.message = "its last words: AddressSanitizer: use-after-poison";
    for (const std::string& name : explanations(one, crash)) watched.insert(name);
  }
  EXPECT_THAT(far, Contains("stride-as-unsigned"));
  EXPECT_THAT(far, testing::Not(Contains("reversed-start-at-offset")));
  EXPECT_THAT(watched, Contains("reversed-start-at-offset"));
  EXPECT_THAT(watched, testing::Not(Contains("stride-sign-ignored")));
}

/// Many misreadings end in an error where the right reading does not.
TEST(Groups, AnErrorIsNoMisreadingByChance) {
  const std::vector<cases::Case> cases = generated_cases(place_of<OnnxGather>(), 600);
  const std::vector<std::function<bool(const OnnxGather&)>> conditions{
      [](const OnnxGather& op) { return op.data.rank() == 3; },
      [](const OnnxGather& op) { return element_count(op.indices.sizes) > 6U; },
      [](const OnnxGather& op) { return op.data.data_type == DataType::kInt16; }};
  for (const auto& fails : conditions) {
    FakeBackend lost;
    lost.execute = [&](const Operator& op, Version version, const Bindings& bound) {
      if (fails(std::get<OnnxGather>(op)))
        return std::optional(backends::Failure{"", "device lost"});
      return lost.honest(op, version, bound);
    };
    std::size_t errors = 0;
    for (const Group& group : diagnosed(cases, lost))
      if (group.verdict == Verdict::kWrongError) {
        ++errors;
        EXPECT_EQ(group.explanation, "");
        EXPECT_EQ(group.says, "fails where it must give a result");
      }
    EXPECT_EQ(errors, 1U);
  }
}
TEST(Groups, AMisreadingThatEndsInErrorsIsNamed) {
  const std::vector<cases::Case> cases = generated_cases(place_of<OnnxGather>(), 300);
  const auto backend = diagnosis::backend_with(reading("negative-index-refused", OnnxGather()));
  const std::vector<Group> groups = diagnosed(cases, *backend);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].verdict, Verdict::kWrongError);
  EXPECT_EQ(groups[0].explanation, "negative-index-refused");
}

TEST(Groups, APassIsInNone) {
  const std::vector<cases::Case> cases = generated_cases(place_of<Split>(), 20);
  EXPECT_THAT(diagnosed(cases, *backends::make_backend("reference")), IsEmpty());
}

TEST(Groups, TwoBreachesAreTwoGroups) {
  std::vector<cases::Case> cases = generated_cases(place_of<Slice1>(), 200);
  std::vector<cases::Case> splits = generated_cases(place_of<Split>(), 200);
  const auto slices_wrongly =
      diagnosis::backend_with(reading("reversed-start-at-offset", Slice1()));
  const auto splits_wrongly = diagnosis::backend_with(reading("runs-in-reverse", Split()));
  FakeBackend both;
  both.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    const bool is_slice = std::holds_alternative<Slice1>(op);
    auto prepared = (is_slice ? slices_wrongly : splits_wrongly)->prepare(op, version);
    (void)std::get<std::unique_ptr<backends::Executable>>(prepared)->execute(bound);
    return std::optional<backends::Failure>();
  };
  cases.insert(cases.end(), std::make_move_iterator(splits.begin()),
               std::make_move_iterator(splits.end()));
  std::set<std::string> rules;
  for (const Group& group : diagnosed(cases, both)) rules.insert(group.rule);
  EXPECT_THAT(rules, ElementsAre("slice1.copy-start", "split.partition"));
}

/// What the outcome says where no reading explains it.
TEST(Explanations, OfOutcomes) {
  const std::vector<cases::Case> cases = generated_cases(place_of<Slice1>(), 40);
  FakeBackend backend;
  const auto names_of = [&](auto spoil) {
    backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
      const std::vector<std::byte> before(bound.outputs[0].begin(), bound.outputs[0].end());
      auto failure = backend.honest(op, version, bound);
      spoil(std::get<Slice1>(op), bound, before);
      return failure;
    };
    std::set<std::string> all;
    for (const cases::Case& one : cases)
      for (const std::string& name : checked(one, backend).explained_by) all.insert(name);
    return all;
  };
  const auto first = [](const Bindings& bound, const Slice1& op) {
    return bound.outputs[0].first(op.output.element_size_bytes());
  };
  EXPECT_THAT(names_of([&](const Slice1& op, const Bindings& bound, const auto& before) {
                const auto element = first(bound, op);
                std::copy_n(before.begin(), element.size(), element.begin());
              }),
              Contains(diagnosis::kUnwritten));
  EXPECT_THAT(names_of([&](const Slice1& op, const Bindings& bound, const auto&) {
                for (std::byte& one : first(bound, op)) one ^= std::byte{0x5A};
              }),
              Contains(diagnosis::kAltered));
  EXPECT_THAT(names_of([&](const Slice1& op, const Bindings& bound, const auto&) {
                const auto element = first(bound, op);
                std::copy_n(bound.inputs[0].begin(), element.size(), element.begin());
              }),
              Contains(diagnosis::kMisplaced));
}

TEST(Explanations, ACaseThatExpectsSomethingElseIsWrongItself) {
  cases::Case wrong = padded_copy();
  ASSERT_EQ(wrong.expect.kind, cases::Expectation::Kind::kOutputs);
  wrong.expect.outputs[0].elements[0] ^= std::byte{1};
  const auto backend = backends::make_backend("reference");
  const CaseResult result = checked(wrong, *backend);
  ASSERT_EQ(result.verdict, Verdict::kMismatch);
  ASSERT_THAT(result.explained_by, Contains(diagnosis::kAsDocumented));
  EXPECT_EQ(diagnosis::breach(diagnosis::kAsDocumented, wrong.op)->rule, "");
}

TEST(Explanations, AWrongCaseIsBlamedForARejection) {
  cases::Case wrong = padded_copy();
  wrong.expect = {};
  wrong.expect.kind = cases::Expectation::Kind::kRejected;
  wrong.expect.rules = {"split.axis-range"};
  const auto backend = backends::make_backend("reference");
  const CaseResult result = checked(wrong, *backend);
  ASSERT_EQ(result.verdict, Verdict::kMissedRejection);
  const diagnosis::Judged judged{&wrong, &result};
  const std::vector<Group> groups = diagnosis::group({&judged, 1});
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].explanation, diagnosis::kAsDocumented);
  EXPECT_EQ(groups[0].rule, "");
}

/// What passes contradict is not how the backend fails.
TEST(Groups, PassesTellReadingsApart) {
  const std::vector<cases::Case> cases = generated_cases(place_of<OnnxGather>(), 600);
  const auto backend = diagnosis::backend_with(reading("negative-axis-as-last", OnnxGather()));
  const std::vector<Group> groups = diagnosed(cases, *backend);
  ASSERT_FALSE(groups.empty());
  EXPECT_EQ(groups[0].rule, "gather.axis-negative");
  EXPECT_EQ(groups[0].contradicted, 0U);
}

TEST(Groups, EachBackendHasItsOwn) {
  const std::vector<cases::Case> cases = generated_cases(place_of<Slice1>(), 60);
  const auto one = diagnosis::backend_with(reading("reversed-start-at-offset", Slice1()));
  std::vector<CaseResult> results;
  for (const char* name : {"a", "b"})
    for (const cases::Case& tested : cases) {
      results.push_back(checked(tested, *one));
      results.back().backend = name;
    }
  std::vector<diagnosis::Judged> judged;
  for (std::size_t i = 0; i < results.size(); ++i)
    judged.push_back({&cases[i % cases.size()], &results[i]});
  const std::vector<Group> groups = diagnosis::group(judged);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].backend, "a");
  EXPECT_EQ(groups[1].backend, "b");
  for (const std::size_t member : groups[1].members) EXPECT_EQ(results[member].backend, "b");
  EXPECT_EQ(results[groups[1].example].backend, "b");
}

/// Where threads meet, readings fit what one left of another's work by chance.
TEST(Groups, WhatThreadsBreakIsOneGroupThatNoReadingExplains) {
  std::vector<cases::Case> cases;
  for (const std::size_t op : {place_of<Slice1>(), place_of<Split>()})
    for (cases::Case& one : generated_cases(op, 60)) cases.push_back(std::move(one));
  const auto backend = diagnosis::backend_with(reading("tail-of-4-lost", Slice1()));
  std::vector<CaseResult> results;
  std::vector<diagnosis::Judged> judged;
  results.reserve(cases.size());
  std::set<std::size_t> operators;
  for (const cases::Case& one : cases) {
    CaseResult result = judging::check_case(one, *backend, {});
    if (result.verdict != Verdict::kMismatch) continue;
    EXPECT_THAT(explanations(one, result), testing::Not(IsEmpty()));
    result.threads = 3;
    result.explained_by = explanations(one, result);
    EXPECT_THAT(result.explained_by, IsEmpty());
    results.push_back(std::move(result));
    judged.push_back({&one, &results.back()});
    operators.insert(one.op.index());
  }
  ASSERT_EQ(operators.size(), 2U);
  std::vector<Group> groups = diagnosis::group(judged);
  diagnosis::describe(judged, groups);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].says, "fails only where several threads execute at once");
  EXPECT_EQ(groups[0].rule, "");
  EXPECT_THAT(groups[0].rules_shown, IsEmpty());
  EXPECT_THAT(groups[0].common.conditions, IsEmpty());
}

TEST(Explanations, NoneWithoutEvidence) {
  const cases::Case tested = padded_copy();
  FakeBackend idle;
  idle.execute = [](const Operator&, Version, const Bindings&) {
    return std::optional<backends::Failure>();
  };
  const CaseResult result = judging::check_case(tested, idle, {.most_evidence_bytes = 0});
  EXPECT_EQ(result.verdict, Verdict::kMismatch);
  EXPECT_EQ(result.evidence, nullptr);
  EXPECT_THAT(explanations(tested, result), IsEmpty());
  EXPECT_EQ(diagnosis::breach("no such explanation", tested.op), std::nullopt);
}

TEST(Explainer, SaysOfEachFailureWhatIsSaidOfItAlone) {
  for_each_operator([]<class Op>(std::type_identity<Op>) {
    const Operator op{Op()};
    const std::vector<cases::Case> all = generated_cases(op.index(), 12);
    diagnosis::Explainer explainer;
    std::size_t explained = 0;
    for (const diagnosis::Reading* one : diagnosis::readings_of(op)) {
      const auto backend = diagnosis::backend_with(*one);
      for (const cases::Case& tested : all) {
        const CaseResult result = judging::check_case(tested, *backend, {});
        const std::vector<std::string> names = explainer.explanations(tested, result);
        EXPECT_EQ(names, explanations(tested, result)) << one->name << ", " << tested.id;
        if (result.evidence != nullptr) explained += names.empty() ? 0U : 1U;
      }
    }
    EXPECT_GT(explained, all.size()) << "each is to fail more than once";
  });
}

}  // namespace
}  // namespace opconform::test
