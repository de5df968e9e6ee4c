// The choices of a promise in words, and where a promise differs from the documents.

#include <algorithm>

#include "harness/backends/promise.h"

namespace opconform::backends {
namespace {

using enum Effect;

constexpr ValueText kIndexOutOfRangeValues[] = {
    {"document", "", kDocument},
    {"error", "an index out of range is an error", kRuled},
    {"clamp", "an index out of range means the nearest element", kOther},
    {"zero", "an index out of range reads zeros", kOther},
    {"drop", "an index out of range writes nothing", kOther},
    {"unspecified", "an index out of range gives any value, or an error", kOpen},
};
constexpr ValueText kNegativeIndicesValues[] = {
    {"document", "", kDocument},
    {"count-from-end", "a negative index counts from the end, in every version", kRuled},
    {"error", "a negative index is an error", kOther},
};
constexpr ValueText kOverlappingWritesValues[] = {
    {"any", "", kDocument},
    {"last", "the last of several writes to one element wins", kOther},
    {"first", "the first of several writes to one element wins", kOther},
    {"error", "several writes to one element are an error", kOther},
};
constexpr ValueText kIndexWithoutOutputValues[] = {
    {"error", "", kDocument},
    {"nothing", "an index out of range is no error where the output is empty", kOther},
};
constexpr ValueText kLayoutsValues[] = {
    {"any", "", kDocument},
    {"packed", "only packed tensors are offered", kLess},
};
constexpr ValueText kEmptyTensorsValues[] = {
    {"offered", "", kDocument},
    {"not-offered", "tensors without elements are not offered", kLess},
};
constexpr ValueText kStringsValues[] = {
    {"offered", "", kDocument},
    {"not-offered", "strings are not offered", kLess},
};
constexpr ValueText kAfterErrorValues[] = {
    {"untouched", "", kDocument},
    {"anything", "outputs may hold anything after an error", kOther},
};
constexpr ValueText kBoolsValues[] = {
    {"kept", "", kDocument},
    {"normalised", "a bool byte other than 0 and 1 may arrive as 1", kOther},
};
constexpr ValueText kSignallingNansValues[] = {
    {"kept", "", kDocument},
    {"quietened", "a signalling NaN may arrive as a quiet one", kOther},
};
constexpr ValueText kNanPayloadsValues[] = {
    {"kept", "", kDocument},
    {"any", "a NaN may arrive as any NaN", kOther},
};
constexpr ValueText kMinusZeroValues[] = {
    {"kept", "", kDocument},
    {"either", "a zero may arrive with either sign", kOther},
};
constexpr ValueText kSecondPlanValues[] = {
    {"wanted", "", kDocument},
    {"not-wanted", "no second plan is made while the first is in use", kLess},
};
constexpr ValueText kExecutionsValues[] = {
    {"several", "", kDocument},
    {"one", "each plan is executed once only", kLess},
};

/// A sentence, with the document's word where a rule speaks of it.
Difference difference(Difference::Kind kind, std::string says, const RuleText* rule) {
  if (rule == nullptr) return {kind, std::move(says)};
  const char* const document =
      kind == Difference::Kind::kMore ? "; the document leaves it open: " : "; the document says: ";
  return {kind, std::move(says) + document + std::string(rule->statement)};
}

/// Nothing where the value is what the document says.
template <class Value>
void add_choice(const PromisedChoice& choice, Value value, const std::string& owner,
                const RuleText* rule, std::vector<Difference>& list) {
  const ValueText& text = choice.values[static_cast<std::size_t>(value)];
  const bool is_open = rule != nullptr && rule->kind == RuleKind::kFreedom;
  if (text.effect == kDocument || text.effect == (is_open ? kOpen : kRuled)) return;
  const Difference::Kind kind = is_open                ? Difference::Kind::kMore
                                : text.effect == kLess ? Difference::Kind::kLess
                                                       : Difference::Kind::kOther;
  list.push_back(difference(kind, owner + std::string(text.says), rule));
}

std::string type_list(const DataTypeSet& types, Dialect dialect) {
  std::string text;
  for (const DataType type : types.types())
    if (const std::string_view one = opconform::name(type, dialect); !one.empty())
      text += (text.empty() ? "" : ", ") + std::string(one);
  return text.empty() ? "none" : text;
}

void add_offers(const OperatorPromise& own, const OperatorText& op, std::vector<Difference>& list) {
  const std::string owner = std::string(op.name) + ": ";
  const auto add = [&](const std::string& says) {
    list.push_back({Difference::Kind::kLess, owner + says});
  };
  if (own.operation == Offer::kNotOffered) return add("not offered");
  if (own.data_types)
    add("only these types are offered: " + type_list(*own.data_types, op.dialect));
  if (own.index_types)
    add("only these types of indices are offered: " + type_list(*own.index_types, op.dialect));
  if (own.ranks)
    add("only ranks from " + std::to_string(own.ranks->least) + " to " +
        std::to_string(own.ranks->most) + " are offered");
  if (own.from) add("not offered before version " + own.from->text());
  if (own.to) add("not offered after version " + own.to->text());
}

void add_rejections(const Promise& promise, std::vector<Difference>& list) {
  if (!promise.rejected_rules) return;
  const std::size_t count = promise.rejected_rules->size();
  list.push_back({Difference::Kind::kLess,
                  count == 0 ? "a descriptor that breaks a rule may be accepted"
                             : "only descriptors that break one of " + std::to_string(count) +
                                   (count == 1 ? " rule" : " rules") + " are rejected"});
}

}  // namespace

const PromisedChoice kIndexOutOfRangeChoice{"index_out_of_range", ".index-range",
                                            kIndexOutOfRangeValues};
const PromisedChoice kNegativeIndicesChoice{"negative_indices", ".negative-index",
                                            kNegativeIndicesValues};
const PromisedChoice kOverlappingWritesChoice{"overlapping_writes", ".overlap-any-winner",
                                              kOverlappingWritesValues};
const PromisedChoice kIndexWithoutOutputChoice{"index_without_output", ".index-range",
                                               kIndexWithoutOutputValues};
const PromisedChoice kLayoutsChoice{"layouts", "tensor.any-layout", kLayoutsValues};
const PromisedChoice kEmptyTensorsChoice{"empty_tensors", "", kEmptyTensorsValues};
const PromisedChoice kStringsChoice{"strings", "", kStringsValues};
const PromisedChoice kAfterErrorChoice{"after_error", "", kAfterErrorValues};
const PromisedChoice kBoolsChoice{"bools", "tensor.bits-preserved", kBoolsValues};
const PromisedChoice kSignallingNansChoice{"signalling_nans", "tensor.bits-preserved",
                                           kSignallingNansValues};
const PromisedChoice kNanPayloadsChoice{"nan_payloads", "tensor.bits-preserved",
                                        kNanPayloadsValues};
const PromisedChoice kMinusZeroChoice{"minus_zero", "tensor.bits-preserved", kMinusZeroValues};
const PromisedChoice kSecondPlanChoice{"second_plan", "", kSecondPlanValues};
const PromisedChoice kExecutionsChoice{"executions", "", kExecutionsValues};

const RuleText* rule_of(const PromisedChoice& choice, const OperatorText& op) {
  if (choice.rule.empty()) return nullptr;
  return find_rule(choice.rule.front() == '.' ? std::string(op.prefix) + std::string(choice.rule)
                                              : std::string(choice.rule));
}

bool writes_by_index(const OperatorText& op) {
  return rule_of(kOverlappingWritesChoice, op) != nullptr;
}

std::string_view name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::kOther:
      return "other";
    case Difference::Kind::kLess:
      return "less";
    case Difference::Kind::kMore:
      return "more";
  }
  return "";
}

std::vector<Difference> differences(const Promise& promise) {
  std::vector<Difference> list;
  const std::vector<OperatorText> operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const OperatorPromise& own = promise.operators[i];
    add_offers(own, operators[i], list);
    if (own.operation == Offer::kNotOffered) continue;
    visit_choices(own, [&](const PromisedChoice& choice, auto value) {
      add_choice(choice, value, std::string(operators[i].name) + ": ",
                 rule_of(choice, operators[i]), list);
    });
  }
  visit_choices(promise, [&](const PromisedChoice& choice, auto value) {
    add_choice(choice, value, "", find_rule(choice.rule), list);
  });
  add_rejections(promise, list);
  std::stable_sort(list.begin(), list.end(),
                   [](const Difference& a, const Difference& b) { return a.kind < b.kind; });
  return list;
}

}  // namespace opconform::backends
