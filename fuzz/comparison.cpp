#include "fuzz/comparison.h"

#include <cstdio>

#include "fuzz/finding.h"
#include "fuzz/tested_backend.h"
#include "harness/reducer.h"

namespace opconform::fuzz {

using namespace harness;

Comparison::Comparison() : tested_(make_tested_backend()), differential_(*tested_) {}

std::string_view Comparison::run(const Generated& generated) {
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
