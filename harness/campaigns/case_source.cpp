#include "harness/campaigns/case_source.h"

#include "harness/base/bad_input.h"
#include "harness/relations/relations.h"

namespace opconform::campaigns {
namespace {

// Of each operator in turn: seven valid cases, then a broken one; each eighth time the first of the
// seven is put into a relation instead, which takes ten times as long.
constexpr std::uint64_t kRound = 8;
constexpr std::uint64_t kRelationRound = 8;

constexpr std::string_view kLevelFactor = "feature level";
constexpr std::string_view kLeftOut = "--feature-level";

void leave_out_above(Version most, generation::FactorModel& model) {
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
    if (model.factors()[factor].name != kLevelFactor) continue;
    for (std::size_t level = 0; level < kFeatureLevels.size(); ++level)
      if (Version(kFeatureLevels[level]) > most) model.forbid(factor, level, kLeftOut);
  }
}

}  // namespace

CaseSource::CaseSource(SourceOptions options) : options_(std::move(options)) {
  const std::size_t count = std::variant_size_v<Operator>;
  if (options_.operators.empty())
    for (std::size_t i = 0; i < count; ++i) options_.operators.push_back(i);
  for (std::size_t i = 0; i < count; ++i) {
    models_.push_back(generation::factor_model(i));
    rules_.push_back(generation::breakable_rules(i));
    if (options_.at_most && all_operators()[i].dialect == options_.at_most->dialect())
      leave_out_above(*options_.at_most, models_.back());
  }
  std::erase_if(options_.operators,
                [&](std::size_t i) { return !models_[i].is_feasible(generation::Assignment()); });
  if (options_.operators.empty())
    throw base::BadInput("--feature-level", "", "no operator is left to generate at these levels");
}

void CaseSource::want(std::uint64_t first, std::vector<Wanted> wanted) {
  wanted_from_ = first;
  wanted_ = std::move(wanted);
}

CaseSource::Start CaseSource::start(std::uint64_t number) const {
  if (number >= wanted_from_ && number - wanted_from_ < wanted_.size()) {
    const Wanted& wanted = wanted_[number - wanted_from_];
    return {wanted.operator_index, wanted.combination, CaseKind::kValid};
  }
  const std::vector<std::size_t>& all = options_.operators;
  const std::uint64_t round = number / kRound;
  const std::uint64_t place = number % kRound;
  return {all[round % all.size()],
          {},
          place == kRound - 1                                      ? CaseKind::kBroken
          : place == 0 && round / all.size() % kRelationRound == 0 ? CaseKind::kRelation
                                                                   : CaseKind::kValid};
}

void CaseSource::make(std::uint64_t number, SourcedCase& out) const {
  const Start start = this->start(number);
  generation::RandomDraws draws(base::random_bits(options_.seed, number));
  const auto make_valid = [&] {
    generation::Assignment assignment = start.partial;
    models_[start.operator_index].complete(assignment, draws);
    generation::generate(start.operator_index, assignment, draws, out.generated);
  };
  make_valid();
  out.kind = start.kind;
  out.rule = {};
  if (start.kind == CaseKind::kRelation) {
    out.relation = draws.below(relations::all_relations().size());
    out.relation_seed = draws.below(~std::uint64_t{0});
  }
  if (start.kind != CaseKind::kBroken) return;
  const std::vector<std::string_view>& rules = rules_[start.operator_index];
  const std::string_view rule = rules[draws.below(rules.size())];
  if (generation::break_rule(rule, draws, out.generated)) {
    out.rule = rule;
  } else {
    out.kind = CaseKind::kValid;
    make_valid();  // this one cannot be broken so, and may have been changed
  }
}

std::optional<CaseSource::Wanted> CaseSource::assignment(std::uint64_t number) const {
  const Start start = this->start(number);
  if (start.kind == CaseKind::kRelation) return std::nullopt;
  if (start.kind == CaseKind::kBroken) {
    SourcedCase made;
    make(number, made);
    if (made.kind == CaseKind::kBroken) return std::nullopt;
    return Wanted{start.operator_index, made.generated.assignment};
  }
  generation::RandomDraws draws(base::random_bits(options_.seed, number));
  Wanted result{start.operator_index, start.partial};
  models_[start.operator_index].complete(result.combination, draws);
  return result;
}

}  // namespace opconform::campaigns
