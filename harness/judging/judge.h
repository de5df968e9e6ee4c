// Comparison of what a backend did with what conforms. Knows what is permitted; runs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/cases/expectation.h"
#include "harness/judging/observed.h"
#include "harness/judging/verdict.h"

namespace opconform::judging {

/// What came of one case.
struct Judgement {
  Verdict verdict = Verdict::kPass;
  std::string rule;
  std::string message;
  bool unnamed_rule = false;
  std::uint64_t checks = 0;  ///< elements, rejections and errors that were compared with something
};

/// Makes the judgement the result's, unless an earlier one was no pass already.
void take(Judgement judgement, CaseResult& result);

/// The backend rejected the descriptor, or does not run it.
Judgement judge_rejection(const cases::Expectation& expected, const backends::Rejection& rejection,
                          bool names_rules);
/// The backend accepted a descriptor that only `rejected` is expected of.
Judgement judge_acceptance(const cases::Expectation& expected);
/// Does anything but a rejection conform?
bool permits_acceptance(const cases::Expectation& expected);
/// May a conforming execution fail, without having written into an output?
bool may_fail_unwritten(const cases::Expectation& expected);
/// The execution failed.
Judgement judge_failure(const cases::Expectation& expected, const backends::Failure& failure,
                        bool names_rules, std::span<const ObservedOutput> outputs);
/// The execution succeeded. `strict_gaps`: bytes of an output that belong to no element must be
/// intact too.
Judgement judge_outputs(const cases::Expectation& expected, std::span<const ObservedInput> inputs,
                        std::span<const ObservedOutput> outputs, bool strict_gaps);
/// The first byte of an output that belongs to no element and changed.
std::optional<std::size_t> changed_gap(const ObservedOutput& output);
/// No byte of an input may have changed.
Judgement judge_inputs(std::span<const ObservedInput> inputs);

}  // namespace opconform::judging
