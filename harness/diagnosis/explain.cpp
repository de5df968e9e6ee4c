#include "harness/diagnosis/explain.h"

#include <algorithm>

#include "harness/base/bad_input.h"
#include "harness/base/random.h"
#include "harness/diagnosis/failed_outputs.h"
#include "harness/diagnosis/modelled.h"
#include "harness/diagnosis/reading_backend.h"
#include "harness/judging/case_buffers.h"
#include "harness/judging/check.h"
#include "harness/judging/guard_pages.h"
#include "spec/validate.h"

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

bool is_against_expectation(const judging::CaseResult& result) {
  using Verdict = judging::Verdict;
  constexpr Verdict kAll[] = {Verdict::kMismatch,       Verdict::kMissedRejection,
                              Verdict::kWrongRejection, Verdict::kOtherRule,
                              Verdict::kMissedError,    Verdict::kWrongError};
  return std::find(std::begin(kAll), std::end(kAll), result.verdict) != std::end(kAll);
}

bool fails_reference(const cases::Case& tested) {
  judging::CheckOptions options;
  options.most_evidence_bytes = 0;
  return is_against_expectation(
      judging::check_case(tested, *backends::make_backend("reference"), options));
}

std::uint64_t digest_of(const Evidence& evidence) {
  std::uint64_t digest = 0;
  for (const std::vector<TensorBytes>* all : {&evidence.inputs, &evidence.outputs_before})
    for (const TensorBytes& bytes : *all) digest = base::hash_bytes(bytes, digest);
  return digest;
}

using Digests = std::vector<std::optional<std::uint64_t>>;

bool reads_foreign(const model::Seams& seams, const Modelled& modelled) {
  return seams.outside == kForeign && modelled.strayed_bytes > 0;
}

/// An execution of a case, and whether what an implementation did instead gives what was found.
class Found {
 public:
  /// Of one that touched memory outside of its buffers, what stays within explains nothing.
  Found(const cases::Case& tested, const Evidence& evidence, bool has_strayed)
      : tested_(tested),
        evidence_(evidence),
        outputs_(tested, evidence),
        has_strayed_(has_strayed) {}

  /// Does the operator, read so, give that of the inputs?
  [[nodiscard]] bool is_from(const Reading* reading, const Operator& op,
                             const std::vector<TensorBytes>& inputs) const {
    model::Seams seams = seams_of(reading);
    const Modelled modelled = execute(seams, op, inputs);
    if (modelled.has_failed != evidence_.has_failed) return false;
    if (!reads_foreign(seams, modelled)) return !has_strayed_ && outputs_.are(modelled.outputs);
    seams.outside = ~kForeign;
    return outputs_.are(modelled.outputs, execute(seams, op, inputs).outputs);
  }
  [[nodiscard]] bool is_from(const Reading* reading) const {
    return is_from(reading, tested_.op, evidence_.inputs);
  }

  /// A digest of what each reading of `all` gives; nothing where that may be anything. Only where
  /// digest() is one.
  [[nodiscard]] Digests digests(const std::vector<const Reading*>& all) const {
    Digests digests;
    for (const Reading* reading : all) {
      const model::Seams seams = seams_of(reading);
      const Modelled modelled = execute(seams, tested_.op, evidence_.inputs);
      digests.push_back(reads_foreign(seams, modelled) ? std::nullopt
                                                       : outputs_.digest(modelled.outputs));
    }
    return digests;
  }
  /// Readings of other digests give something else. Nothing where elements are open.
  [[nodiscard]] std::optional<std::uint64_t> digest() const {
    return outputs_.digest(evidence_.outputs);
  }

  [[nodiscard]] std::vector<std::string_view> outcomes() const { return outputs_.outcomes(); }

 private:
  [[nodiscard]] Modelled execute(const model::Seams& seams, const Operator& op,
                                 const std::vector<TensorBytes>& inputs) const {
    return execute_modelled(op, tested_.version, seams, inputs, evidence_.outputs_before);
  }

  const cases::Case& tested_;
  const Evidence& evidence_;
  FailedOutputs outputs_;
  bool has_strayed_;
};

/// The readings that reach beyond the pages around a buffer: there a touch is noted, and ends
/// nothing. Any that leave a buffer, if somebody else watches.
std::vector<std::string> explanations_of_crash(const cases::Case& tested,
                                               const judging::CaseResult& result) try {
  std::vector<std::string> names;
  if (!is_valid(tested.op, tested.version)) return names;
  const bool is_watched = result.message.find("AddressSanitizer") != std::string::npos;
  const std::uint64_t beyond = is_watched ? 0 : judging::GuardPages::kGuardBytes;
  const judging::CheckOptions options;
  const cases::TensorList tensors(tested.op);
  std::uint64_t size_bytes = 0;
  for_each_tensor(tested.op, [&](const NamedTensor& tensor) {
    size_bytes += buffer_size_bytes(tensor.desc, tested.version.dialect());
  });
  if (size_bytes > options.most_evidence_bytes) return names;
  const judging::CaseBuffers buffers(tested, tensors, options, judging::Base::kAtEnd);
  std::vector<TensorBytes> inputs;
  for (const auto& input : buffers.inputs()) inputs.emplace_back(input.begin(), input.end());
  std::vector<TensorBytes> outputs;
  for (const NamedTensor& output : tensors.outputs)
    outputs.emplace_back(buffer_size_bytes(output.desc, tested.version.dialect()));
  for (const Reading* reading : readings_of(tested.op)) {
    const model::Seams seams = seams_of(reading);
    const Modelled modelled = execute_modelled(tested.op, tested.version, seams, inputs, outputs);
    if (reads_foreign(seams, modelled) && modelled.strayed_bytes > beyond)
      names.emplace_back(reading->name);
  }
  return names;
} catch (const base::BadInput&) {  // it has no contents: nothing was executed
  return {};
}

}  // namespace

bool Explainer::is_case_wrong(const cases::Case& tested, const judging::CaseResult& result) {
  if (!is_against_expectation(result) ||
      tested.expect.kind == cases::Expectation::Kind::kReference || result.failed_execution == 3)
    return false;
  const auto [known, is_new] = fails_reference_.try_emplace(&tested);
  if (is_new) known->second = fails_reference(tested);
  return known->second;
}

std::vector<std::string> Explainer::explanations(const cases::Case& tested,
                                                 const judging::CaseResult& result) {
  // What a thread or plan does alone is right: no reading is to blame, whatever another left there.
  if (result.threads > 0 || result.plans > 0) return {};
  // Then it expects something else than the documents say, and no backend is to blame.
  if (is_case_wrong(tested, result)) return {std::string(kAsDocumented)};
  std::vector<std::string> names;
  if (result.verdict == judging::Verdict::kCrash) return explanations_of_crash(tested, result);
  const bool is_fault = result.verdict == judging::Verdict::kMemoryFault;
  const bool has_strayed = is_fault && result.rule == "tensor.outside-intact";
  if (result.evidence == nullptr || is_fault != has_strayed ||
      !judging::is_nonconformance(result.verdict))
    return names;
  const Evidence& evidence = *result.evidence;
  const Found found(tested, evidence, has_strayed);
  // It reads the document right, so no reading is to blame.
  if (evidence.expected.is_promised && found.is_from(nullptr)) return {std::string(kNotAsPromised)};
  const std::vector<const Reading*>& readings = readings_of(tested.op);
  const std::optional<std::uint64_t> digest = found.digest();
  Digests& given = digests_[{&tested, digest_of(evidence)}];
  if (digest && given.empty()) given = found.digests(readings);
  for (std::size_t i = 0; i < readings.size(); ++i)
    if ((!digest || given[i].value_or(*digest) == *digest) && found.is_from(readings[i]))
      names.emplace_back(readings[i]->name);
  if (has_strayed) return names;
  if (!evidence.first_inputs.empty() && found.is_from(nullptr, tested.op, evidence.first_inputs))
    names.emplace_back(kEarlierInputs);
  if (found.is_from(nullptr, with_single_elements(tested.op), evidence.inputs))
    names.emplace_back(kOtherDescriptor);
  for (const std::string_view outcome : found.outcomes()) names.emplace_back(outcome);
  return names;
}

std::optional<Breach> breach(std::string_view explanation, const Operator& op) {
  for (const Outcome& outcome : kOutcomes) {
    if (outcome.name != explanation) continue;
    return Breach{
        outcome.rule == kMovement ? std::string(movement_rule(op)) : std::string(outcome.rule),
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
