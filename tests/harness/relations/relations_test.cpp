// Every relation holds for reference and optimized, applies often enough, and sees an
// implementation that is wrong in the way that the relation is about.

#include "harness/relations/relations.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include "harness/backends/promising.h"
#include "harness/base/layout.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "harness/judging/check.h"
#include "reference/reference.h"
#include "spec/validate.h"
#include "tests/effort.h"
#include "tests/harness/fake_backend.h"

namespace opconform::relations {
namespace {

constexpr std::uint64_t kDraws = test::draws(200'000);  // each one case and one relation
constexpr std::size_t kOperators = std::variant_size_v<Operator>;

generation::Generated case_of_draw(std::uint64_t number) {
  generation::RandomDraws draws(base::random_bits(5, number));
  generation::Generated generated;
  generation::generate(number % kOperators, {}, draws, generated);
  return generated;
}

RelationOutcome check(std::size_t relation, std::uint64_t draw, backends::Backend& backend) {
  generation::RandomDraws draws(base::random_bits(6, draw));
  return check_relation(relation, case_of_draw(draw), draws, backend);
}

std::size_t relation_named(std::string_view name) {
  std::size_t i = 0;
  while (all_relations()[i].name != name) ++i;
  return i;
}

/// A seed says which relation by its place: a new one goes behind them.
TEST(Relations, KeepTheirPlaces) {
  constexpr std::array<std::string_view, 10> kNames{
      "split-join", "slice-slice",  "split-slice",         "scatter-gather", "gather-scatter",
      "layout",     "leading-ones", "permuted-dimensions", "same-width",     "index-type"};
  ASSERT_GE(all_relations().size(), kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(all_relations()[i].name, kNames[i]);
}

/// Every relation on every operator in turn: how often each applied. Fails where one is broken.
std::vector<std::uint64_t> applied_without_fault(backends::Backend& backend, std::uint64_t draws) {
  std::vector<std::uint64_t> applied(all_relations().size());
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const std::size_t relation = draw / kOperators % all_relations().size();
    const RelationOutcome outcome = check(relation, draw, backend);
    EXPECT_NE(outcome.verdict, RelationVerdict::kBroken) << draw << ": " << outcome.message;
    if (outcome.verdict == RelationVerdict::kHolds) ++applied[relation];
  }
  return applied;
}

class OnBackend : public ::testing::TestWithParam<std::string_view> {};

TEST_P(OnBackend, EveryRelationHoldsAndAppliesToAHealthyShare) {
  const std::unique_ptr<backends::Backend> backend = backends::make_backend(GetParam());
  const std::vector<std::uint64_t> applied = applied_without_fault(*backend, kDraws);
  // Of the draws for one relation each operator has an equal share.
  const std::uint64_t of_one_operator = kDraws / all_relations().size() / kOperators;
  for (std::size_t i = 0; i < applied.size(); ++i) {
    RecordProperty(std::string(all_relations()[i].name), static_cast<int>(applied[i]));
    EXPECT_GE(applied[i], of_one_operator / 2) << all_relations()[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Relations, OnBackend, ::testing::ValuesIn(backends::kBuiltInBackends),
                         [](const auto& tested) { return std::string(tested.param); });

// In a process of its own, because the variable is read once.
TEST(RelationsDeathTest, HoldForTheScalarKernels) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_code = [] {
    setenv("OPCONFORM_FORCE_ISA", "scalar", 1);
    const std::unique_ptr<backends::Backend> backend = backends::make_backend("optimized");
    applied_without_fault(*backend, kDraws);
    return ::testing::Test::HasFailure() ? 1 : 0;
  };
  EXPECT_EXIT(std::exit(exit_code()), testing::ExitedWithCode(0), "");
}

// What the documents leave open may come out either way.

/// Where each element of the tensor lies, in bytes.
std::vector<std::size_t> places_of(const TensorDesc& tensor) {
  std::vector<std::size_t> places;
  base::for_each_element(tensor, [&](std::uint64_t, std::uint64_t offset) {
    places.push_back(offset * tensor.element_size_bytes());
  });
  return places;
}

/// Other than the reference wherever it may be: the first of several updates wins, an index out of
/// range spoils the output, Gather 1 counts from the end.
std::optional<backends::Failure> execute_freely(const test::FakeBackend& fake, const Operator& op,
                                                Version version, const Bindings& bindings) {
  const reference::AlsoPermitted also = reference::also_permitted(op, version, bindings.inputs);
  std::optional<backends::Failure> failure =
      fake.honest(op, also.also_as.value_or(version), bindings);
  if (also.outputs_unspecified) bindings.outputs[0][0] ^= std::byte{0xFF};
  if (also.alternatives.empty()) return failure;
  const Scatter& scatter = std::get<Scatter>(op);
  const std::vector<std::size_t> from = places_of(scatter.updates);
  const std::vector<std::size_t> to = places_of(scatter.output);
  for (auto write = also.alternatives.rbegin(); write != also.alternatives.rend(); ++write)
    std::memcpy(bindings.outputs[0].data() + to[write->output_element],
                bindings.inputs[write->input].data() + from[write->input_element],
                scatter.output.element_size_bytes());
  return failure;
}

TEST(Relations, LeaveOpenWhatTheDocumentsLeaveOpen) {
  test::FakeBackend free;
  free.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    return execute_freely(free, op, version, bindings);
  };
  applied_without_fault(free, kDraws / 4);
}

// Faults. Each does what the reference does for a descriptor, or for inputs, that it takes for the
// ones given.

using Execute = test::FakeBackend::Execute;
using Honest = std::function<std::optional<backends::Failure>(const Operator&, const Bindings&)>;

/// The runs of a Split in reverse order.
std::optional<backends::Failure> reversed_runs(Operator op, const Bindings& bindings,
                                               const Honest& honest) {
  if (Split* split = std::get_if<Split>(&op)) {
    std::reverse(split->outputs.begin(), split->outputs.end());
    const std::vector<std::span<std::byte>> outputs(bindings.outputs.rbegin(),
                                                    bindings.outputs.rend());
    return honest(op, {bindings.inputs, outputs});
  }
  return honest(op, bindings);
}
/// A negative stride begins one element before the window's last one, where there is room.
std::optional<backends::Failure> early_copy_start(Operator op, const Bindings& bindings,
                                                  const Honest& honest) {
  if (Slice1* slice = std::get_if<Slice1>(&op)) {
    const std::size_t last = slice->input.rank() - 1;
    const auto magnitude = static_cast<std::uint64_t>(
        std::llabs(static_cast<std::int64_t>(slice->window_strides[last])));
    if (slice->window_strides[last] < 0 &&
        slice->window_sizes[last] >= 2 + (slice->output.sizes[last] - 1) * magnitude)
      --slice->window_sizes[last];
  }
  return honest(op, bindings);
}
std::optional<backends::Failure> no_offset(std::size_t dimension, Operator op,
                                           const Bindings& bindings, const Honest& honest) {
  if (Slice1* slice = std::get_if<Slice1>(&op))
    if (dimension < slice->input.rank()) slice->window_offsets[dimension] = 0;
  return honest(op, bindings);
}
std::optional<backends::Failure> no_first_offset(const Operator& op, const Bindings& bindings,
                                                 const Honest& honest) {
  return no_offset(0, op, bindings, honest);
}
std::optional<backends::Failure> no_sixth_offset(const Operator& op, const Bindings& bindings,
                                                 const Honest& honest) {
  return no_offset(5, op, bindings, honest);
}
/// Updates are taken for packed.
std::optional<backends::Failure> packed_updates(Operator op, const Bindings& bindings,
                                                const Honest& honest) {
  if (Scatter* scatter = std::get_if<Scatter>(&op)) {
    const TensorDesc packed = packed_tensor(scatter->updates.data_type, scatter->updates.sizes);
    if (packed.total_tensor_size_bytes <= scatter->updates.total_tensor_size_bytes)
      scatter->updates = packed;
  }
  return honest(op, bindings);
}
/// The last stride of the input is taken for 1.
std::optional<backends::Failure> dense_rows(Operator op, const Bindings& bindings,
                                            const Honest& honest) {
  TensorDesc& input = *mutable_tensors(op).front().desc;
  if (input.strides && input.strides->back() > 1) input.strides->back() = 1;
  return honest(op, bindings);
}
/// A negative index of Scatter is taken for 0.
std::optional<backends::Failure> no_negative_index(const Operator& op, const Bindings& bindings,
                                                   const Honest& honest) {
  const Scatter* scatter = std::get_if<Scatter>(&op);
  if (scatter == nullptr || scatter->indices.data_type != DataType::kInt32)
    return honest(op, bindings);
  std::vector<std::byte> indices(bindings.inputs[1].begin(), bindings.inputs[1].end());
  for (const std::size_t place : places_of(scatter->indices))
    if ((indices[place + 3] & std::byte{0x80}) != std::byte{0})
      std::memset(indices.data() + place, 0, 4);
  const std::array<std::span<const std::byte>, 3> inputs{bindings.inputs[0], indices,
                                                         bindings.inputs[2]};
  return honest(op, {inputs, bindings.outputs});
}
/// FLOAT32 passes through arithmetic that makes signalling NaNs quiet.
std::optional<backends::Failure> quiet_nans(const Operator& op, const Bindings& bindings,
                                            const Honest& honest) {
  std::optional<backends::Failure> failure = honest(op, bindings);
  if (cases::TensorList(op).outputs.front().desc.data_type != DataType::kFloat32) return failure;
  for (const std::span<std::byte> output : bindings.outputs)
    for (std::size_t at = 0; at + 4 <= output.size(); at += 4) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, output.data() + at, sizeof bits);
      if ((bits & 0x7FFFFFFF) > 0x7F800000) bits |= 0x00400000;
      std::memcpy(output.data() + at, &bits, sizeof bits);
    }
  return failure;
}
/// FLOAT64 moves as two halves, in the wrong order.
std::optional<backends::Failure> swapped_halves(const Operator& op, const Bindings& bindings,
                                                const Honest& honest) {
  std::optional<backends::Failure> failure = honest(op, bindings);
  if (cases::TensorList(op).outputs.front().desc.data_type != DataType::kFloat64) return failure;
  for (const std::span<std::byte> output : bindings.outputs)
    for (std::size_t at = 0; at + 8 <= output.size(); at += 8)
      std::swap_ranges(output.begin() + static_cast<std::ptrdiff_t>(at),
                       output.begin() + static_cast<std::ptrdiff_t>(at + 4),
                       output.begin() + static_cast<std::ptrdiff_t>(at + 4));
  return failure;
}
/// Along the first dimension the last index of a Gather is taken for 0.
std::optional<backends::Failure> lost_last_index(const Operator& op, const Bindings& bindings,
                                                 const Honest& honest) {
  const OnnxGather* gather = std::get_if<OnnxGather>(&op);
  if (gather == nullptr || gather->axis_from_front() != 0) return honest(op, bindings);
  std::vector<std::byte> indices(bindings.inputs[1].begin(), bindings.inputs[1].end());
  std::fill_n(indices.rbegin(), std::min(indices.size(), gather->indices.element_size_bytes()),
              std::byte{0});
  const std::array<std::span<const std::byte>, 2> inputs{bindings.inputs[0], indices};
  return honest(op, {inputs, bindings.outputs});
}

/// A Join puts its inputs in the order from the last to the first.
std::optional<backends::Failure> reversed_inputs(Operator op, const Bindings& bindings,
                                                 const Honest& honest) {
  DmlJoin* join = std::get_if<DmlJoin>(&op);
  if (join == nullptr) return honest(op, bindings);
  std::reverse(join->inputs.begin(), join->inputs.end());
  const std::vector<std::span<const std::byte>> inputs(bindings.inputs.rbegin(),
                                                       bindings.inputs.rend());
  return honest(op, {inputs, bindings.outputs});
}

struct Fault {
  std::string_view relation;
  std::optional<backends::Failure> (*execute)(Operator, const Bindings&, const Honest&);
};
template <auto fault>
std::optional<backends::Failure> planted(Operator op, const Bindings& bindings,
                                         const Honest& honest) {
  return fault(std::move(op), bindings, honest);
}
constexpr std::array kFaults{
    Fault{"split-join", planted<reversed_runs>},
    Fault{"slice-slice", planted<early_copy_start>},
    Fault{"split-slice", planted<no_first_offset>},
    Fault{"split-slice", planted<reversed_runs>},
    Fault{"scatter-gather", planted<no_negative_index>},
    Fault{"gather-scatter", planted<packed_updates>},
    Fault{"layout", planted<dense_rows>},
    Fault{"leading-ones", planted<no_sixth_offset>},
    Fault{"permuted-dimensions", planted<no_first_offset>},
    Fault{"permuted-dimensions", planted<lost_last_index>},
    Fault{"same-width", planted<quiet_nans>},
    Fault{"same-width", planted<swapped_halves>},
    Fault{"index-type", planted<no_negative_index>},
    Fault{"join-split", planted<reversed_inputs>},
    Fault{"split-own-join", planted<reversed_inputs>},
    Fault{"split-own-join", planted<reversed_runs>},
};

TEST(Relations, EachSeesAFaultOfItsKind) {
  std::map<std::string_view, int> seen;
  for (const Fault& fault : kFaults) {
    test::FakeBackend faulty;
    faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
      return fault.execute(op, bindings, [&](const Operator& taken, const Bindings& buffers) {
        return faulty.honest(taken, version, buffers);
      });
    };
    const std::size_t relation = relation_named(fault.relation);
    std::size_t broken = 0;
    for (std::uint64_t draw = 0; draw < 8'000; ++draw) {
      const RelationOutcome outcome = check(relation, draw, faulty);
      if (outcome.verdict != RelationVerdict::kBroken) continue;
      ++broken;
      EXPECT_TRUE(outcome.message.starts_with(std::string(fault.relation) + ": "));
      EXPECT_NE(outcome.message.find("]: expected "), std::string::npos) << outcome.message;
      EXPECT_GE(outcome.cases.size(), 2U - (fault.relation == "split-join" ? 1U : 0U));
    }
    EXPECT_GE(broken, 20U) << fault.relation;
    ++seen[fault.relation];
  }
  EXPECT_EQ(seen.size(), all_relations().size());
}

TEST(Relations, HoldWhereAPromisePermitsWhatOneOfTwoTypesDoes) {
  auto quietening = std::make_unique<test::FakeBackend>();
  const test::FakeBackend& own = *quietening;
  quietening->execute = [&own](const Operator& op, Version version, const Bindings& bindings) {
    return quiet_nans(op, bindings, [&](const Operator& taken, const Bindings& buffers) {
      return own.honest(taken, version, buffers);
    });
  };
  backends::Promise promise;
  promise.signalling_nans = backends::SignallingNans::kQuietened;
  const auto backend = backends::with_promise(std::move(quietening), std::move(promise));
  const std::size_t relation = relation_named("same-width");
  for (std::uint64_t draw = 0; draw < 8'000; ++draw) {
    const RelationOutcome outcome = check(relation, draw, *backend);
    EXPECT_NE(outcome.verdict, RelationVerdict::kBroken) << draw << ": " << outcome.message;
  }
}

TEST(Relations, BrokenOnesCanBeWrittenReadAndRun) {
  test::FakeBackend faulty;
  std::uint8_t executions = 0;
  faulty.execute = [&](const Operator& op, Version version, const Bindings& bindings) {
    std::optional<backends::Failure> failure = faulty.honest(op, version, bindings);
    ++executions;
    for (const std::span<std::byte> output : bindings.outputs)
      for (std::byte& byte : output) byte ^= std::byte{executions};
    return failure;
  };
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  std::vector<int> written(all_relations().size());
  for (std::uint64_t draw = 0; draw < 4'000; ++draw) {
    const std::size_t relation = draw / kOperators % all_relations().size();
    for (const cases::Case& one : check(relation, draw, faulty).cases) {
      EXPECT_TRUE(one.id.starts_with(std::string(all_relations()[relation].name) + "/"));
      cases::LoadedCases loaded;
      cases::read_cases(
          base::parse_json(cases::pretty(cases::cases_to_json({&one, 1}, "")), "written"),
          "written", loaded);
      ASSERT_TRUE(loaded.bad_input.empty()) << loaded.bad_input.front();
      const judging::CaseResult result = judging::check_case(loaded.cases.at(0), *reference, {});
      EXPECT_EQ(result.verdict, judging::Verdict::kPass) << result.message;
      ++written[relation];
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_GT(written[i], 0) << i;
}

TEST(Relations, AreBrokenByARejectionOrAnErrorButNotByWhatIsNotOffered) {
  for (std::uint64_t draw = 0; draw < 4'000; ++draw) {
    const std::size_t relation = draw / kOperators % all_relations().size();
    test::FakeBackend fake;
    if (check(relation, draw, fake).verdict == RelationVerdict::kDoesNotApply) continue;
    fake.reject = [](const Operator&, Version) {
      return backends::Rejection{backends::Rejection::Kind::kNotOffered, {}, "not built"};
    };
    EXPECT_EQ(check(relation, draw, fake).verdict, RelationVerdict::kDoesNotApply);
    fake.reject = [](const Operator&, Version) {
      return backends::Rejection{
          backends::Rejection::Kind::kRejected, {"split.support"}, "too wide"};
    };
    const RelationOutcome rejected = check(relation, draw, fake);
    EXPECT_EQ(rejected.verdict, RelationVerdict::kBroken);
    EXPECT_NE(rejected.message.find(": rejected split.support: too wide"), std::string::npos);
    EXPECT_EQ(rejected.cases.size(), 1U);
    fake.reject = {};
    fake.execute = [](const Operator&, Version, const Bindings&) {
      return backends::Failure{"gather.index-range", "no"};
    };
    EXPECT_NE(check(relation, draw, fake).message.find(": failed with gather.index-range: no"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace opconform::relations
