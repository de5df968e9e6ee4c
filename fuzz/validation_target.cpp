// Descriptors of all operators, most of them wrong: what is rejected, for which rules, and that
// nobody disagrees about it. What is still valid is executed.

#include <opconform/optimized.h>

#include <algorithm>
#include <map>

#include "fuzz/comparison.h"
#include "fuzz/descriptor_edit.h"
#include "fuzz/draw_target.h"
#include "fuzz/effort.h"
#include "fuzz/finding.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/case_writer.h"
#include "spec/validate.h"

namespace opconform::fuzz {
namespace {

constexpr std::uint64_t kMostEdits = 5;
using RuleNames = std::vector<std::string_view>;

/// Can it be executed? No index can be made that counts in nothing.
bool can_be_executed(const generation::Generated& generated) {
  return is_small(generated.op, generated.version) && indexed_size(generated.op) != 0;
}

/// Case files have one count for several arrays: those that differ in length cannot be written.
template <class Op>
bool can_be_written(const Op& op) {
  std::map<std::string_view, std::size_t> lengths;
  std::vector<CountField> counts;
  Op::visit_fields(op, [&](const auto& field, const auto&... value) {
    if constexpr (std::is_same_v<decltype(field), const ArrayField&>)
      (lengths.emplace(field.name, value.size()), ...);
    if constexpr (std::is_same_v<decltype(field), const CountField&>) counts.push_back(field);
  });
  return std::all_of(counts.begin(), counts.end(), [&](const CountField& count) {
    return std::all_of(count.arrays.begin(), count.arrays.end(), [&](std::string_view array) {
      return array.empty() || lengths[array] == lengths[count.arrays[0]];
    });
  });
}

/// The rules that a backend rejects the descriptor for; none where it accepts.
RuleNames rejection_of(backends::Backend& backend, const backends::Prepared& prepared) {
  const backends::Rejection* rejection = std::get_if<backends::Rejection>(&prepared);
  if (rejection == nullptr) return {};
  if (rejection->rules.empty()) fail(backend.name() + " rejects a descriptor and names no rule");
  return {rejection->rules.begin(), rejection->rules.end()};
}

class ValidationTarget final : public DrawTarget {
 public:
  void draw(generation::Draws& draws) override {
    const std::size_t op = draws.below(std::variant_size_v<Operator>);
    generated_ = {};  // no generator need undo what edits did
    generation::generate(op, {}, draws, generated_);
    broken_rule_ = {};
    if (draws.below(3) == 1) {  // not 0: the plainest input is valid
      const RuleNames rules = generation::breakable_rules(op);
      const std::string_view rule = rules[draws.below(rules.size())];
      // Where it cannot be broken, what came of the attempt is as good as any other edit.
      if (generation::break_rule(rule, draws, generated_)) broken_rule_ = rule;
      return;
    }
    for (std::uint64_t edits = draws.below(kMostEdits + 1); edits > 0; --edits)
      edit_anything(draws, generated_.op, generated_.version);
  }

  void judge(Statistics& statistics) override {
    if (!is_quick_to_judge(generated_.op))
      return statistics.reject("left out: whether the output overlaps takes long to decide");
    const Violations violations = validate(generated_.op, generated_.version);
    const RuleNames rules = violations.rules();
    judge_violations(violations);
    if (!broken_rule_.empty() && rules != RuleNames{broken_rule_})
      tell("it should break " + std::string(broken_rule_) + " and nothing else");
    judge_backends(rules);
    judge_writing();
    if (!rules.empty()) return statistics.reject_for_all(rules);
    statistics.accept(can_be_executed(generated_) ? comparison_.run(generated_)
                                                  : "valid, too large to be executed");
  }

  [[nodiscard]] std::vector<std::string> features() const override {
    const std::string op(describe(generated_.op).name);
    if (!is_quick_to_judge(generated_.op)) return {op + " long to decide"};
    std::vector<std::string> features{op};
    for (const std::string_view rule : validate(generated_.op, generated_.version).rules())
      features.push_back(op + " " + std::string(rule));
    return features;
  }

 private:
  [[noreturn]] void tell(const std::string& why) const { fail(why, as_case()); }

  [[nodiscard]] cases::Case as_case() const {
    cases::Case result;
    result.id = "fuzz/found";
    result.op = generated_.op;
    result.version = generated_.version;
    result.operator_name = describe(generated_.op).name;
    result.inputs.resize(cases::TensorList(result.op).inputs.size());
    result.strings = std::make_shared<cases::StringPool>();
    return result;
  }

  /// Every violation is of a rule that a descriptor of this operator can break, and says something.
  void judge_violations(const Violations& violations) const {
    if (!violations.undecided().empty()) tell("a small limit decides what the full one does not");
    for (const Violation& violation : violations.list()) {
      const RuleText* rule = find_rule(violation.rule);
      if (rule == nullptr ||
          (rule->kind != RuleKind::kConstraint && rule->kind != RuleKind::kSupport))
        tell(std::string(violation.rule) + " is no rule that a descriptor can break");
      if (violation.field.empty() || violation.message.empty())
        tell(std::string(violation.rule) + " is broken without a field or a message");
    }
  }

  /// Both implementations reject what validate() does, for the same rules; so does the library's
  /// own door.
  void judge_backends(const RuleNames& rules) {
    for (backends::Backend* backend : {reference_.get(), &comparison_.tested()}) {
      const backends::Prepared prepared = backend->prepare(generated_.op, generated_.version);
      if (rejection_of(*backend, prepared) != rules)
        tell(backend->name() + " rejects it for other rules than those it breaks");
    }
    RuleNames rejected;
    try {
      (void)optimized::prepare(generated_.op, generated_.version);
    } catch (const optimized::InvalidOperator& error) {
      rejected = error.violations().rules();
    }
    if (rejected != rules) tell("optimized::prepare rejects it for other rules");
  }

  /// A wrong descriptor, too, can be written into a case file and read from it.
  void judge_writing() const {
    if (!std::visit([](const auto& op) { return can_be_written(op); }, generated_.op)) return;
    const cases::Case written = as_case();
    cases::LoadedCases loaded;
    cases::read_cases(cases::cases_to_json({&written, 1}, ""), "written", loaded);
    if (!loaded.bad_input.empty()) tell("written, it cannot be read: " + loaded.bad_input.front());
    const cases::Case& again = loaded.cases.front();
    if (again.op != written.op || again.version != written.version)
      tell("written and read, it is another descriptor");
  }

  generation::Generated generated_;
  std::string_view broken_rule_;  // empty where none is to be broken
  std::unique_ptr<backends::Backend> reference_ = backends::make_backend("reference");
  Comparison comparison_;
};

}  // namespace

DrawTarget& draw_target() {
  static ValidationTarget target;
  return target;
}

}  // namespace opconform::fuzz
