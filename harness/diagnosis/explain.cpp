#include "harness/diagnosis/explain.h"

#include <algorithm>

#include "harness/diagnosis/failed_outputs.h"
#include "harness/diagnosis/modelled.h"
#include "harness/diagnosis/reading_backend.h"
#include "harness/judging/check.h"

namespace opconform::diagnosis {
namespace {

using judging::Evidence;
using judging::TensorBytes;

/// What the outcome itself says, behind all readings: those first that say most.
struct Outcome {
  std::string_view name;
  std::string_view rule;
  std::string_view says;
};
constexpr Outcome kOutcomes[] = {
    {kAsDocumented, "", "what the documents say, by the reference: it is the case that is wrong"},
    {kNotAsPromised, "", "what the document says, though its promise says otherwise"},
    {kEarlierInputs, kMovement, "gives what the inputs of an earlier execution ask for"},
    {kOtherDescriptor, kMovement, "does what a descriptor says that it was not prepared for"},
    {kGapRead, "tensor.padding", "takes bytes of an input that belong to no element for elements"},
    {kUnwritten, kMovement, "leaves elements unwritten"},
    {kMisplacedByLayout, "tensor.offset", "takes elements from wrong places, or puts them there"},
    {kMisplaced, kMovement, "takes elements from wrong places, or puts them there"},
    {kAltered, "tensor.bits-preserved", "changes the bits of elements"},
};

template <class Op>
std::string_view movement_rule_of(const Op& /*op*/) {
  return movement_rule(std::type_identity<Op>());
}

}  // namespace

bool is_case_wrong(const cases::Case& tested, const judging::CaseResult& result) {
  using Verdict = judging::Verdict;
  constexpr Verdict kAgainstExpectation[] = {Verdict::kMismatch,       Verdict::kMissedRejection,
                                             Verdict::kWrongRejection, Verdict::kOtherRule,
                                             Verdict::kMissedError,    Verdict::kWrongError};
  const auto is_against = [&](const judging::CaseResult& one) {
    return std::find(std::begin(kAgainstExpectation), std::end(kAgainstExpectation), one.verdict) !=
           std::end(kAgainstExpectation);
  };
  if (!is_against(result) || tested.expect.kind == cases::Expectation::Kind::kReference ||
      result.failed_execution == 3)
    return false;
  judging::CheckOptions options;
  options.most_evidence_bytes = 0;
  return is_against(judging::check_case(tested, *backends::make_backend("reference"), options));
}

std::vector<std::string> explanations(const cases::Case& tested,
                                      const judging::CaseResult& result) {
  std::vector<std::string> names;
  if (is_case_wrong(tested, result)) return {std::string(kAsDocumented)};
  if (result.evidence == nullptr || result.verdict == judging::Verdict::kMemoryFault ||
      !judging::is_nonconformance(result.verdict))
    return names;
  const Evidence& evidence = *result.evidence;
  const FailedOutputs found(tested, evidence);
  const auto explains = [&](const Operator& op, const Reading* reading,
                            const std::vector<TensorBytes>& inputs) {
    const Modelled modelled =
        execute_modelled(op, tested.version, seams_of(reading), inputs, evidence.outputs_before);
    return modelled.has_failed == evidence.has_failed && found.are(modelled.outputs);
  };
  // It reads the document right, so no reading is to blame.
  if (evidence.expected.is_promised && explains(tested.op, nullptr, evidence.inputs))
    return {std::string(kNotAsPromised)};
  for (const Reading* reading : readings_of(tested.op))
    if (explains(tested.op, reading, evidence.inputs)) names.emplace_back(reading->name);
  if (!evidence.first_inputs.empty() && explains(tested.op, nullptr, evidence.first_inputs))
    names.emplace_back(kEarlierInputs);
  if (explains(with_single_elements(tested.op), nullptr, evidence.inputs))
    names.emplace_back(kOtherDescriptor);
  for (const std::string_view outcome : found.outcomes()) names.emplace_back(outcome);
  return names;
}

std::optional<Breach> breach(std::string_view explanation, const Operator& op) {
  for (const Outcome& outcome : kOutcomes) {
    if (outcome.name != explanation) continue;
    return Breach{
        outcome.rule == kMovement
            ? std::visit([](const auto& own) { return std::string(movement_rule_of(own)); }, op)
            : std::string(outcome.rule),
        std::string(outcome.says)};
  }
  const Reading* reading = find_reading(explanation, op);
  if (reading == nullptr) return std::nullopt;
  return Breach{rule_of(*reading, op), std::string(reading->says)};
}

bool contradicts(std::string_view explanation, const cases::Case& tested) {
  const Reading* reading = find_reading(explanation, tested.op);
  if (reading == nullptr) return false;
  judging::CheckOptions options;
  options.most_evidence_bytes = 0;
  return judging::is_nonconformance(
      judging::check_case(tested, *backend_with(*reading), options).verdict);
}

}  // namespace opconform::diagnosis
