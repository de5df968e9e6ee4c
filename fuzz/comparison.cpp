#include "fuzz/comparison.h"

#include <cstdio>
#include <cstdlib>

#include "fuzz/finding.h"
#include "fuzz/tested_backend.h"
#include "harness/running/reducer.h"

namespace opconform::fuzz {

using namespace harness;

Comparison::Comparison() : tested_(make_tested_backend()), differential_(*tested_) {}

std::string_view Comparison::run(const Generated& generated) {
  // An implementation that crashes leaves nobody to tell of the case: its input is run again so.
  static const bool shows_all = std::getenv("OPCONFORM_FUZZ_SHOW") != nullptr;
  if (shows_all) {
    CaseMemory memory;
    memory.make(generated);
    show(case_of(generated, memory, "fuzz/shown"));
  }
  if (differential_.agrees_on_valid(generated)) return "agrees";
  const Case found = case_of(generated, differential_.pristine(), "fuzz/found");
  const CheckOne check = [this](const Case& one) { return check_case(one, *tested_, {}); };
  const CaseResult result = check(found);
  if (result.verdict == Verdict::kPass) return "differs as permitted";
  // Said before the case is made smaller, in case that crashes.
  const std::string verdict(name(result.verdict));
  std::fprintf(stderr, "==> %s, making the case smaller\n", verdict.c_str());
  const Reduction reduction = reduce(found, check);
  const std::string& rule = reduction.result.rule;
  fail(tested_->name() + ": " + verdict + (rule.empty() ? "" : " of " + rule) + ": " +
           reduction.result.message,
       reduction.smallest);
}

}  // namespace opconform::fuzz
