// Every planted bug under every named profile, shown to the smoke cases: what a profile permits is
// listed here by name, and everything else must be caught. No profile excuses a plain error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "harness/backends/promise_file.h"
#include "harness/backends/promising.h"
#include "harness/base/layout.h"
#include "harness/judging/oracle.h"
#include "harness/judging/promised.h"
#include "harness/strength/selftest.h"
#include "planted/registry.h"
#include "spec/validate.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

using backends::Promise;

/// The cases of spec_cases/smoke.label.
std::vector<cases::Case> smoke_cases() {
  std::ifstream file(OPCONFORM_SPEC_CASES_DIR "/smoke.label");
  std::set<std::string> wanted;
  for (std::string line; std::getline(file, line);)
    if (const std::size_t space = line.find(' '); space != std::string::npos && line[0] != '#')
      wanted.insert(line.substr(space + 1));
  std::vector<cases::Case> cases;
  for (const cases::Case& one : committed().cases)
    if (wanted.contains(one.id)) cases.push_back(one);
  return cases;
}

/// Keeps a promise, whatever it is: where that says something, it does so, and elsewhere what
/// another backend does. So that a planted bug is not caught for a promise that nobody gave.
class Keeper : public backends::Backend {
 public:
  Keeper(std::unique_ptr<backends::Backend> own, const Promise& promise)
      : own_(std::move(own)), promise_(promise) {}
  [[nodiscard]] std::string name() const override { return own_->name(); }
  [[nodiscard]] bool names_rules() const override { return own_->names_rules(); }
  [[nodiscard]] bool needs_isolation() const override { return own_->needs_isolation(); }
  [[nodiscard]] backends::AtOnce at_once() const override { return own_->at_once(); }
  backends::Prepared prepare(const Operator& op, Version version) override {
    backends::Prepared prepared = own_->prepare(op, version);
    auto* const plan = std::get_if<std::unique_ptr<backends::Executable>>(&prepared);
    if (plan != nullptr) *plan = std::make_unique<Plan>(std::move(*plan), promise_, op, version);
    return prepared;
  }

 private:
  class Plan : public backends::Executable {
   public:
    Plan(std::unique_ptr<backends::Executable> own, const Promise& promise, Operator op,
         Version version)
        : own_(std::move(own)), promise_(promise), op_(std::move(op)), version_(version) {}
    backends::Ending execute(const Bindings& bound) override {
      if (!validate(op_, version_).empty() ||
          !judging::is_promised(promise_, op_, version_, bound.inputs))
        return own_->execute(bound);
      const cases::TensorList tensors(op_);
      cases::Expectation due =
          judging::promised_expectation(promise_, {}, op_, version_, tensors, bound.inputs);
      if (due.kind == cases::Expectation::Kind::kAnyOf)
        due = cases::Expectation(due.any_of.front());
      if (due.kind == cases::Expectation::Kind::kError)
        return backends::Failure{due.rules.front(), ""};
      for (std::size_t i = 0; i < bound.outputs.size(); ++i) {
        const TensorDesc& tensor = tensors.outputs[i].desc;
        const std::size_t width = tensor.element_size_bytes();
        base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
          std::memcpy(bound.outputs[i].data() + offset * width,
                      due.outputs[i].elements.data() + number * width, width);
        });
      }
      return backends::Done();
    }
    [[nodiscard]] bool rejects_late() const override { return own_->rejects_late(); }

   private:
    std::unique_ptr<backends::Executable> own_;
    const Promise& promise_;
    Operator op_;
    Version version_;
  };

  std::unique_ptr<backends::Backend> own_;
  const Promise& promise_;
};

/// Does the profile offer no operator that the bug concerns?
bool is_not_offered(const Promise& promise, const planted::Row& row) {
  for (std::size_t i = 0; i < promise.operators.size(); ++i)
    if ((row.operators >> i & 1U) != 0 &&
        promise.operators[i].operation == backends::Offer::kOffered)
      return false;
  return true;
}
/// Does the bug only accept what breaks a rule, under a profile that need not reject it? Layout
/// rules and ranks are other than that.
bool is_not_rejected(const Promise& promise, const planted::Row& row) {
  if (!promise.rejected_rules) return false;
  const std::vector<std::string_view> rules = planted::rules_of(row);
  return std::none_of(rules.begin(), rules.end(), [&](std::string_view name) {
    const RuleText* const rule = find_rule(name);
    const bool is_rejection =
        rule->kind == RuleKind::kConstraint || rule->kind == RuleKind::kSupport;
    return !is_rejection ||
           std::binary_search(promise.rejected_rules->begin(), promise.rejected_rules->end(), name);
  });
}

strength::Suspect suspect_of(const planted::Row& row, const Promise& promise) {
  strength::Suspect suspect{std::string(row.name), std::string(row.says), true, {}, {}};
  for (std::size_t i = 0; i < promise.operators.size(); ++i)
    if ((row.operators >> i & 1U) != 0) suspect.operators.push_back(i);
  suspect.make = [&row, &promise] {
    return backends::with_promise(std::make_unique<Keeper>(planted::make_faulty(row), promise),
                                  promise);
  };
  suspect.until_caught = true;
  return suspect;
}

/// Those that no case catches.
std::vector<strength::Suspect> uncaught(std::vector<strength::Suspect> suspects,
                                        const std::vector<cases::Case>& cases) {
  strength::SelftestOptions options;
  options.fuzz_cases = 0;
  options.fuzz_time = std::chrono::milliseconds(0);
  options.check.most_evidence_bytes = 0;  // nothing to explain, which takes most of the time
  const strength::Selftest selftest =
      strength::run_selftest(suspects, cases, options, {}, std::atomic<bool>(false));
  std::vector<strength::Suspect> survivors;
  for (std::size_t i = 0; i < suspects.size(); ++i)
    if (!selftest.results[i].suite.caught_after) survivors.push_back(std::move(suspects[i]));
  return survivors;
}

/// The planted bugs that nothing catches under the profile, but for those that it does not offer or
/// need not reject. Smoke cases are chosen for all operators together: what they do not catch where
/// some are not offered is shown to all cases.
std::set<std::string> survivors(const Promise& promise, const std::vector<cases::Case>& smoke,
                                const std::set<std::string>& known) {
  std::vector<strength::Suspect> suspects;
  for (const planted::Planted& one : planted::all_planted())
    if (one.kind == planted::Kind::kBug && one.row->label.empty() &&
        !is_not_offered(promise, *one.row) && !is_not_rejected(promise, *one.row))
      suspects.push_back(suspect_of(*one.row, promise));
  EXPECT_GE(suspects.size(), 50U) << promise.name;
  std::set<std::string> names;
  std::vector<strength::Suspect> others;
  for (strength::Suspect& one : uncaught(std::move(suspects), smoke))
    if (known.contains(one.name))
      names.insert(one.name);
    else
      others.push_back(std::move(one));
  for (const strength::Suspect& one : uncaught(std::move(others), committed().cases))
    names.insert(one.name);
  return names;
}

struct Survivors {
  /// What the profile permits, or does not let happen.
  std::set<std::string> permitted;
  /// Not permitted: but the committed cases show it only with something that is not offered, or
  /// together with an error that is due.
  std::set<std::string> not_shown{};

  [[nodiscard]] std::set<std::string> all() const {
    std::set<std::string> names = permitted;
    names.insert(not_shown.begin(), not_shown.end());
    return names;
  }
};

/// By name of the profile.
const std::map<std::string, Survivors> kSurvivors{
    {"directml", {}},
    {"onnx", {}},
    // The keeper counts back where the document of version 1 leaves it open.
    {"numpy", {{"negative-index-clamped-in-version-1"}}},
    // Negative indices are errors, and there are no strings.
    {"torch",
     {{"index-int32-not-sign-extended", "least-negative-index-refused",
       "negative-index-clamped-in-version-1", "negative-index-of-first-dimension",
       "negative-index-off-by-one", "negative-index-only-since-13", "negative-index-only-until-13",
       "negative-index-refused", "negative-indices-resolved-in-place", "string-ends-at-nul",
       "strings-copied-shallowly"},
      {"coordinate-of-int32-in-16-bits"}}},
    // Only packed tensors, and no 16-bit integer, bool, double, complex and string; any NaN for a
    // NaN.
    {"webnn",
     {{"bool-normalised",
       "broadcast-read-as-packed",
       "complex-parts-swapped",
       "double-through-float",
       "imaginary-part-lost",
       "index-of-16-bytes-times-8",
       "index-stride-in-16-bits",
       "indices-read-as-packed",
       "last-output-stride-ignored",
       "last-stride-ignored",
       "mirrored-transpose-ends-twice",
       "mirrored-transpose-of-odd-rows",
       "nan-payload-lost",
       "nan-quietened",
       "negative-index-clamped-in-version-1",
       "odd-index-of-16-bytes-lost",
       "padded-rows-read-as-packed",
       "padded-rows-written-as-packed",
       "permuted-input-read-as-packed",
       "permuted-output-written-as-packed",
       "plan-cache-without-input-strides",
       "plan-cache-without-output-strides",
       "rows-rounded-up-to-vectors",
       "denormals-lost-bfloat16",
       "denormals-lost-complex128",
       "denormals-lost-complex64",
       "denormals-lost-float64",
       "last-bit-lost-bfloat16",
       "last-bit-lost-complex128",
       "last-bit-lost-complex64",
       "last-bit-lost-float64",
       "last-bit-lost-int16",
       "last-bit-lost-uint16",
       "minus-zero-lost-bfloat16",
       "minus-zero-lost-complex128",
       "minus-zero-lost-complex64",
       "minus-zero-lost-float64",
       "nan-payload-lost-bfloat16",
       "nan-payload-lost-complex128",
       "nan-payload-lost-complex64",
       "nan-payload-lost-float16",
       "nan-payload-lost-float32",
       "nan-payload-lost-float64",
       "string-ends-at-nul",
       "strings-copied-shallowly",
       "updates-with-strides-of-indices"},
      {"byte-offset-in-16-bits", "joined-beyond-64-lost", "joined-starts-in-16-bits",
       "updates-behind-1024-lost"}}}};

TEST(Profiles, AccuseNobodyWhoKeepsThem) {
  for (const Promise& promise : backends::named_promises()) {
    std::vector<strength::Suspect> innocent;
    for (const planted::Planted& one : planted::all_planted())
      if (one.kind == planted::Kind::kPermitted && one.row->name == std::string_view("plain"))
        innocent.push_back(suspect_of(*one.row, promise));
    ASSERT_EQ(innocent.size(), 1U);
    EXPECT_EQ(uncaught(std::move(innocent), committed().cases).size(), 1U) << promise.name;
  }
}

TEST(Profiles, ExcuseNothingButWhatTheySay) {
  const std::vector<cases::Case> smoke = smoke_cases();
  ASSERT_GE(smoke.size(), 100U);
  for (const Promise& promise : backends::named_promises()) {
    const std::set<std::string> known = kSurvivors.at(promise.name).all();
    EXPECT_THAT(survivors(promise, smoke, known), ::testing::ContainerEq(known)) << promise.name;
  }
}

}  // namespace
}  // namespace opconform::test
