#include "harness/judging/judge.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "harness/base/layout.h"
#include "harness/base/text.h"
#include "harness/cases/element.h"
#include "harness/judging/found_element.h"
#include "harness/judging/wrong_elements.h"

namespace opconform::judging {
namespace {

using Kind = cases::Expectation::Kind;

/// Is every element of every output unspecified? Then an error is as good as any value.
bool promises_nothing(const cases::Expectation& expected) {
  return !expected.outputs.empty() &&
         std::all_of(expected.outputs.begin(), expected.outputs.end(),
                     [](const cases::ExpectedOutput& output) { return output.unspecified; });
}

/// Calls `f` for each alternative of an expectation; a plain one is its own.
template <class F>
void for_each_alternative(const cases::Expectation& expected, F&& f) {
  if (expected.kind != Kind::kAnyOf) return f(expected);
  for (const cases::Expectation& alternative : expected.any_of)
    for_each_alternative(alternative, f);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "no rule" : base::words_of_others(text);
}
/// A rule that the backend names: it may be anything.
std::string named_rule(const std::string& rule) {
  constexpr std::size_t kLongestRule = 100;
  return base::words_of_others(rule, kLongestRule);
}

std::optional<std::size_t> first_difference(std::span<const std::byte> a,
                                            std::span<const std::byte> b) {
  const auto* const first = reinterpret_cast<const unsigned char*>(a.data());
  const auto* const last = first + a.size();
  const auto* const other = reinterpret_cast<const unsigned char*>(b.data());
  // Seldom different, and this is memcmp().
  if (std::equal(first, last, other)) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(first, last, other).first - first);
}

Judgement judgement(Verdict verdict, std::string rule, std::string message) {
  return {verdict, std::move(rule), std::move(message), false, 1};
}

/// Says where what is due is due by a promise.
Judgement with_promise(const cases::Expectation& expected, Judgement result) {
  if (expected.is_promised && result.verdict != Verdict::kPass)
    result.message += "; due by its promise";
  return result;
}

/// Compares one output with what is permitted of it.
class OutputComparison {
 public:
  OutputComparison(const cases::ExpectedOutput& expected, std::span<const ObservedInput> inputs,
                   const ObservedOutput& output)
      : expected_(expected),
        inputs_(inputs),
        output_(output),
        type_(output.tensor.desc.data_type),
        size_bytes_(output.tensor.desc.element_size_bytes()) {}

  /// Judges element by element; says of the first wrong one what it holds, and how many are wrong.
  Judgement run() {
    Judgement result;
    std::uint64_t wrong = 0;
    result.checks = for_each_wrong_element(
        expected_, output_.tensor.desc, output_.after,
        [&](std::uint64_t number, std::uint64_t offset,
            const cases::ExpectedOutput::OpenElement* open) {
          if (wrong++ == 0)
            result.message =
                describe(number, offset, output_.after.data() + offset * size_bytes_, open);
        });
    if (wrong == 0) return result;
    result.verdict = Verdict::kMismatch;
    if (wrong > 1) result.message += "; " + std::to_string(wrong) + " elements are wrong";
    return result;
  }

 private:
  [[nodiscard]] const std::byte* expected_element(std::uint64_t number) const {
    return expected_.elements.data() + number * size_bytes_;
  }
  [[nodiscard]] std::string describe(std::uint64_t number, std::uint64_t offset,
                                     const std::byte* found,
                                     const cases::ExpectedOutput::OpenElement* open) const {
    std::string text = output_.tensor.path.text() +
                       base::coordinates_text(number, output_.tensor.desc.sizes) + ": expected " +
                       cases::element_text(type_, expected_element(number));
    std::set<std::string> named{cases::element_text(type_, expected_element(number))};
    if (open != nullptr)
      for (std::size_t at = 0; at < open->values.size(); at += size_bytes_) {
        const std::string value = cases::element_text(type_, open->values.data() + at);
        if (named.insert(value).second) text += " or " + value;
      }
    text += place_of(expected_element(number)) + ", found " + found_text(type_, found);
    return text + (is_unwritten(number, offset, found) ? ", which stood there before: never written"
                                                       : place_of(found));
  }
  /// Where no copy is kept, what stood there is what differs in each bit (CaseBuffers).
  [[nodiscard]] bool is_unwritten(std::uint64_t number, std::uint64_t offset,
                                  const std::byte* found) const {
    if (!output_.before.empty())
      return std::memcmp(found, output_.before.data() + offset * size_bytes_, size_bytes_) == 0;
    return std::equal(found, found + size_bytes_, expected_element(number),
                      [](std::byte is, std::byte due) { return is == ~due; });
  }
  /// " (InputTensor[0, 3, 1])": where the inputs hold this value; where they hold it more than
  /// once, the first.
  [[nodiscard]] std::string place_of(const std::byte* value) const {
    std::string place;
    std::uint64_t places = 0;
    for (const ObservedInput& input : inputs_) {
      if (input.tensor.field.content != Content::kValues || input.tensor.desc.data_type != type_)
        continue;
      const TensorDesc distinct = base::without_repetition(input.tensor.desc);
      // More elements than places, or very many: naming one coordinate would say little, and
      // finding it take long.
      constexpr std::uint64_t kMostSearched = std::uint64_t{1} << 24;
      const auto count = element_count(distinct.sizes);
      if (count > extent_elements(distinct) || count > kMostSearched) continue;
      base::for_each_element(distinct, [&](std::uint64_t number, std::uint64_t offset) {
        if (!same_found(type_, value, input.before.data() + offset * size_bytes_)) return;
        if (places++ == 0)
          place = input.tensor.path.text() + base::coordinates_text(number, distinct.sizes);
      });
    }
    if (places == 0) return "";
    return " (" + place + (places > 1 ? " and " + std::to_string(places - 1) + " more" : "") + ")";
  }

  const cases::ExpectedOutput& expected_;
  std::span<const ObservedInput> inputs_;
  const ObservedOutput& output_;
  DataType type_;
  std::size_t size_bytes_;
};

Judgement compare_all(const cases::Expectation& expected, std::span<const ObservedInput> inputs,
                      std::span<const ObservedOutput> outputs) {
  Judgement result;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Judgement one = OutputComparison(expected.outputs[i], inputs, outputs[i]).run();
    result.checks += one.checks;
    if (one.verdict == Verdict::kPass) continue;
    one.checks = result.checks;
    return one;
  }
  return result;
}

}  // namespace

void take(Judgement judgement, CaseResult& result) {
  if (result.verdict != Verdict::kPass) return;
  result.verdict = judgement.verdict;
  result.rule = std::move(judgement.rule);
  result.message = std::move(judgement.message);
  result.unnamed_rule |= judgement.unnamed_rule;
}

bool permits_acceptance(const cases::Expectation& expected) {
  bool permits = false;
  for_each_alternative(
      expected, [&](const cases::Expectation& one) { permits |= one.kind != Kind::kRejected; });
  return permits;
}

bool may_fail_unwritten(const cases::Expectation& expected) {
  bool may = false;
  for_each_alternative(expected, [&](const cases::Expectation& one) {
    may |= one.kind == Kind::kError && !one.outputs_are_open;
  });
  return may;
}

namespace {

/// Of two lists of rules that differ: one that is expected and not named, else one that is named
/// and not expected.
std::string differing_rule(const std::vector<std::string>& expected,
                           const std::vector<std::string>& named) {
  const auto first_besides = [](const std::vector<std::string>& some,
                                const std::vector<std::string>& others) -> std::string {
    for (const std::string& rule : some)
      if (std::find(others.begin(), others.end(), rule) == others.end()) return rule;
    return "";
  };
  const std::string missing = first_besides(expected, named);
  return missing.empty() ? named_rule(first_besides(named, expected)) : missing;
}

/// Of the first that is none: "; no rule is called ..."; empty where there are all of them.
std::string unknown_text(const std::vector<std::string>& rules) {
  for (const std::string& rule : rules)
    if (find_rule(rule) == nullptr)
      return "; no rule is called " + base::in_quotes(named_rule(rule));
  return "";
}

}  // namespace

Judgement judge_rejection(const cases::Expectation& expected, const backends::Rejection& rejection,
                          bool names_rules) {
  if (rejection.kind != backends::Rejection::Kind::kRejected)
    return judgement(rejection.kind == backends::Rejection::Kind::kNotOffered
                         ? Verdict::kUnsupported
                         : Verdict::kRanElsewhere,
                     "", base::words_of_others(rejection.message));
  Judgement result = judgement(
      Verdict::kWrongRejection, rejection.rules.empty() ? "" : named_rule(rejection.rules.front()),
      "rejected for " + joined(rejection.rules) + ", but must be accepted" +
          (rejection.message.empty() ? "" : ": " + base::words_of_others(rejection.message)));
  for_each_alternative(expected, [&](const cases::Expectation& one) {
    if (one.kind != Kind::kRejected || result.verdict == Verdict::kPass) return;
    if (rejection.rules == one.rules) {
      result = judgement(Verdict::kPass, "", "");
    } else if (rejection.rules.empty() && !names_rules) {
      result = judgement(Verdict::kPass, "", "");
      result.unnamed_rule = true;
    } else {
      result = judgement(Verdict::kOtherRule, differing_rule(one.rules, rejection.rules),
                         "rightly rejected, but for " + joined(rejection.rules) + "; broken is " +
                             joined(one.rules) + ": name all that are broken" +
                             unknown_text(rejection.rules));
    }
  });
  return result;
}

Judgement judge_acceptance(const cases::Expectation& expected) {
  Judgement result;
  for_each_alternative(expected, [&](const cases::Expectation& one) {
    result = judgement(Verdict::kMissedRejection, one.rules.front(),
                       "accepted, but must be rejected for " + joined(one.rules));
  });
  return result;
}

Judgement judge_failure(const cases::Expectation& expected, const backends::Failure& failure,
                        bool names_rules, std::span<const ObservedOutput> outputs) {
  Judgement result =
      judgement(Verdict::kWrongError, named_rule(failure.rule),
                "failed, but must give a result" +
                    (failure.message.empty() ? "" : ": " + base::words_of_others(failure.message)));
  for_each_alternative(expected, [&](const cases::Expectation& one) {
    if (result.verdict == Verdict::kPass) return;
    if (promises_nothing(one)) result = judgement(Verdict::kPass, "", "");
    if (one.kind != Kind::kError) return;
    const bool unnamed = failure.rule.empty() && !names_rules;
    if (failure.rule != one.rules.front() && !unnamed) {
      result = judgement(Verdict::kOtherRule, one.rules.front(),
                         "rightly failed, but for " +
                             (failure.rule.empty() ? "no rule" : named_rule(failure.rule)) +
                             "; broken is " + one.rules.front() + ": name that");
      return;
    }
    result = judgement(Verdict::kPass, "", "");
    result.unnamed_rule = unnamed;
    if (one.outputs_are_open) return;
    for (const ObservedOutput& output : outputs) {
      if (output.before.empty()) continue;
      result.checks += output.after.size();
      if (const auto written = first_difference(output.before, output.after))
        result = judgement(Verdict::kMismatch, one.rules.front(),
                           "failed as it must, but wrote byte " + std::to_string(*written) +
                               " of " + output.tensor.path.text());
    }
  });
  return with_promise(expected, std::move(result));
}

Judgement judge_outputs(const cases::Expectation& expected, std::span<const ObservedInput> inputs,
                        std::span<const ObservedOutput> outputs, bool strict_gaps) {
  Judgement result;
  bool is_first = true;
  for_each_alternative(expected, [&](const cases::Expectation& one) {
    if (!is_first && result.verdict == Verdict::kPass) return;
    Judgement candidate;
    if (one.kind == Kind::kOutputs) {
      candidate = compare_all(one, inputs, outputs);
    } else {
      // A wrong value says more than an alternative that was not taken.
      if (!is_first && result.verdict == Verdict::kMismatch) return;
      candidate = one.kind == Kind::kError
                      ? judgement(Verdict::kMissedError, one.rules.front(),
                                  "executed, but must fail for " + one.rules.front())
                      : judge_acceptance(one);
    }
    result = std::move(candidate);
    is_first = false;
  });
  if (result.verdict != Verdict::kPass || !strict_gaps)
    return with_promise(expected, std::move(result));
  for (const ObservedOutput& output : outputs) {
    if (output.before.empty()) continue;
    result.checks += output.after.size();
    if (const auto gap = changed_gap(output))
      return judgement(Verdict::kMemoryFault, "tensor.gaps-dont-care",
                       "byte " + std::to_string(*gap) + " of " + output.tensor.path.text() +
                           " belongs to no element, but was written (strict)");
  }
  return result;
}

std::optional<std::size_t> changed_gap(const ObservedOutput& output) {
  std::vector<std::byte> intact(output.before.begin(), output.before.end());
  const std::size_t size_bytes = output.tensor.desc.element_size_bytes();
  base::for_each_run(
      output.tensor.desc, [&](std::uint64_t, std::uint64_t offset, std::uint64_t count) {
        const std::size_t at = offset * size_bytes;
        std::memcpy(intact.data() + at, output.after.data() + at, count * size_bytes);
      });
  return first_difference(intact, output.after);
}

Judgement judge_inputs(std::span<const ObservedInput> inputs) {
  Judgement result;
  for (const ObservedInput& input : inputs) {
    result.checks += input.after.size();
    if (input.before.data() == input.after.data()) continue;
    if (const auto changed = first_difference(input.before, input.after))
      return judgement(
          Verdict::kMemoryFault, "tensor.input-intact",
          "byte " + std::to_string(*changed) + " of " + input.tensor.path.text() + " was changed");
  }
  return result;
}

}  // namespace opconform::judging
