// Generated cases through reference and optimized: the whole memory must come out the same.

#include "harness/differential.h"

#include <gtest/gtest.h>

#include "harness/case_reader.h"
#include "harness/case_writer.h"
#include "tests/harness/faulty_backends.h"

namespace opconform::harness {
namespace {

constexpr std::uint64_t kCases = 200'000;

Generated generated_case(std::uint64_t number) {
  RandomChoices choices(random_bits(3, number));
  Generated generated;
  generate(number % std::variant_size_v<Operator>, {}, choices, generated);
  return generated;
}

TEST(Differential, OptimizedAgreesWithTheReference) {
  const std::unique_ptr<Backend> optimized = make_backend("optimized");
  Differential differential(*optimized);
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const Generated generated = generated_case(i);
    if (differential.agrees_on_valid(generated)) continue;
    const Case found =
        case_of(generated, differential.pristine(), "generated/" + std::to_string(i));
    const CaseResult result = check_case(found, *optimized, {});
    EXPECT_EQ(result.verdict, Verdict::kPass) << result.message << "\n"
                                              << pretty(cases_to_json({&found, 1}, ""));
  }
}

TEST(Differential, OptimizedRefusesExactlyTheBrokenRule) {
  const std::unique_ptr<Backend> optimized = make_backend("optimized");
  Differential differential(*optimized);
  for (std::uint64_t i = 0; i < kCases / 4; ++i) {
    Generated generated = generated_case(i);
    RandomChoices choices(i);
    const std::vector<std::string_view> rules = breakable_rules(generated.op.index());
    const std::string_view rule = rules[choices.below(rules.size())];
    if (break_rule(rule, choices, generated)) {
      ASSERT_TRUE(differential.refuses(generated, rule)) << i << " " << rule;
    }
  }
}

TEST(Differential, OneWrongByteAnywhereIsSeen) {
  FakeBackend faulty;
  faulty.refuse = [](const Operator&, Version) { return std::optional<Refusal>(); };
  enum class Fault { kOutput, kInput, kBehindOutput };
  for (const Fault fault : {Fault::kOutput, Fault::kInput, Fault::kBehindOutput}) {
    faulty.execute = [&faulty, fault](const Operator& op, Version version,
                                      const Bindings& bindings) {
      std::optional<Failure> failure = faulty.honest(op, version, bindings);
      const std::span<std::byte> output = bindings.outputs[0];
      if (fault == Fault::kOutput) output[0] ^= std::byte{1};
      if (fault == Fault::kInput) const_cast<std::byte&>(bindings.inputs[0][0]) ^= std::byte{1};
      if (fault == Fault::kBehindOutput) output.data()[output.size()] ^= std::byte{1};
      return failure;
    };
    Differential differential(faulty);
    for (std::uint64_t i = 0; i < 400; ++i) {
      const Generated generated = generated_case(i);
      if (std::holds_alternative<Gather>(generated.op)) continue;  // may be empty
      EXPECT_FALSE(differential.agrees_on_valid(generated)) << i;
    }
  }
}

TEST(Differential, GeneratedCasesCanBeWrittenAndReadAgain) {
  const std::unique_ptr<Backend> reference = make_backend("reference");
  Differential differential(*reference);
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Generated generated = generated_case(i);
    ASSERT_TRUE(differential.agrees_on_valid(generated)) << i;
    const Case written = case_of(generated, differential.pristine(), "generated");
    LoadedCases loaded;
    read_cases(parse_json(pretty(cases_to_json({&written, 1}, "")), "written"), "written", loaded);
    ASSERT_TRUE(loaded.bad_input.empty()) << loaded.bad_input.front();
    EXPECT_EQ(loaded.cases.at(0).op, written.op);
    const CaseResult result = check_case(loaded.cases.at(0), *reference, {});
    EXPECT_EQ(result.verdict, Verdict::kPass) << result.message;
  }
}

}  // namespace
}  // namespace opconform::harness
