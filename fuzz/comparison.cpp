#include "fuzz/comparison.h"

#include <cstdio>
#include <cstdlib>

#include "fuzz/finding.h"
#include "fuzz/tested_backend.h"
#include "harness/running/reducer.h"

namespace opconform::fuzz {

Comparison::Comparison() : tested_(make_tested_backend()), differential_(*tested_) {}

std::string_view Comparison::run(const generation::Generated& generated) {
  // An implementation that crashes leaves nobody to tell of the case: its input is run again so.
  static const bool shows_all = std::getenv("OPCONFORM_FUZZ_SHOW") != nullptr;
  if (shows_all) {
    generation::CaseMemory memory;
    memory.make(generated);
    show(generation::case_of(generated, memory, "fuzz/shown"));
  }
  if (differential_.agrees_on_valid(generated)) return "agrees";
  const cases::Case found = generation::case_of(generated, differential_.pristine(), "fuzz/found");
  const running::CheckOne check = [this](const cases::Case& one) {
    return judging::check_case(one, *tested_, {});
  };
  const judging::CaseResult result = check(found);
  if (result.verdict == judging::Verdict::kPass) return "differs as permitted";
  // Said before the case is made smaller, in case that crashes.
  const std::string verdict(judging::name(result.verdict));
  std::fprintf(stderr, "==> %s, making the case smaller\n", verdict.c_str());
  const running::Reduction reduction = running::reduce(found, check);
  const std::string& rule = reduction.result.rule;
  fail(tested_->name() + ": " + verdict + (rule.empty() ? "" : " of " + rule) + ": " +
           reduction.result.message,
       reduction.smallest);
}

}  // namespace opconform::fuzz
