#include "harness/campaigns/case_source.h"

#include <algorithm>
#include <span>

#include "harness/base/bad_input.h"
#include "harness/relations/relations.h"

namespace opconform::campaigns {
namespace {

// Of each operator in turn: seven valid cases, then a broken one; each eighth time the first of the
// seven is put into a relation instead, which takes ten times as long.
constexpr std::uint64_t kRound = 8;
constexpr std::uint64_t kRelationRound = 8;

/// Of so many cases, one is of each tier above the smallest. Such a case takes as long as 12, 270,
/// 12,000 and 80,000 small ones: each tier some 2 to 4 % of the time, together a tenth.
constexpr std::array<std::uint64_t, 4> kOneInMixed{320, 5120, 524288, 4194304};
constexpr std::array<std::uint64_t, 4> kOneInLarge{1, 24, 600, 4800};
/// Where combinations with each tier are wanted, most of the time goes into the last.
constexpr std::array<std::uint64_t, 2> kOneInTiers{4, 16};
/// Of so many valid cases, one is checked as in a run, which takes as long as some fifteen others.
constexpr std::uint64_t kAsInRun = 512;
/// Which: others are executed twice, or beside another plan.
constexpr std::uint64_t kAsInRunRest = 2;

/// Of how many cases one is of each tier above the smallest.
std::span<const std::uint64_t> one_in(SizeProfile profile) {
  switch (profile) {
    case SizeProfile::kSmall:
      break;
    case SizeProfile::kMixed:
      return kOneInMixed;
    case SizeProfile::kLarge:
      return kOneInLarge;
    case SizeProfile::kTiers:
      return kOneInTiers;
  }
  return {};
}

/// The largest tier whose turn it is.
generation::SizeTier tier_of(SizeProfile profile, std::uint64_t seed, std::uint64_t number) {
  const std::span<const std::uint64_t> turns = one_in(profile);
  if (turns.empty()) return generation::SizeTier::kSmall;
  const std::uint64_t bits = base::random_bits(~seed, number);
  for (std::size_t i = turns.size(); i-- > 0;)
    if (bits % turns[i] == 0) return static_cast<generation::SizeTier>(i + 1);
  return generation::SizeTier::kSmall;
}

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

bool SourcedCase::is_checked_as_in_run() const {
  return kind == CaseKind::kValid && generated.contents.seed % kAsInRun == kAsInRunRest;
}

SizeProfile size_profile(std::string_view name) {
  const auto* const place = std::find(kSizeProfileNames.begin(), kSizeProfileNames.end(), name);
  return static_cast<SizeProfile>(place - kSizeProfileNames.begin());
}

CaseSource::CaseSource(SourceOptions options) : options_(std::move(options)) {
  const std::size_t count = std::variant_size_v<Operator>;
  if (options_.operators.empty())
    for (std::size_t i = 0; i < count; ++i) options_.operators.push_back(i);
  for (std::size_t i = 0; i < count; ++i) {
    models_.push_back(generation::factor_model(i));
    rules_.push_back(generation::breakable_rules(i));
    if (options_.at_most && all_operators()[i].dialect == options_.at_most->dialect())
      leave_out_above(*options_.at_most, models_.back());
    if (options_.sizes == SizeProfile::kTiers)
      models_.back().add(generation::kTierFactor,
                         {generation::kSizeTierNames.begin(),
                          generation::kSizeTierNames.begin() + kOneInTiers.size() + 1});
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
    Start start{wanted.operator_index, wanted.combination, CaseKind::kValid,
                tier_of(options_.sizes, options_.seed, number)};
    agree_on_tier(start);
    return start;
  }
  const std::vector<std::size_t>& all = options_.operators;
  const std::uint64_t round = number / kRound;
  const std::uint64_t place = number % kRound;
  const CaseKind kind = place == kRound - 1 ? CaseKind::kBroken
                        : place == 0 && round / all.size() % kRelationRound == 0
                            ? CaseKind::kRelation
                            : CaseKind::kValid;
  // What is rejected has no contents, and relations show what they show in small.
  const generation::SizeTier tier = kind == CaseKind::kValid
                                        ? tier_of(options_.sizes, options_.seed, number)
                                        : generation::SizeTier::kSmall;
  Start start{all[round % all.size()], {}, kind, tier};
  agree_on_tier(start);
  return start;
}

void CaseSource::agree_on_tier(Start& start) const {
  if (options_.sizes != SizeProfile::kTiers) return;
  const std::size_t factor = models_[start.operator_index].factors().size() - 1;
  if (start.partial.has(factor))
    start.tier = static_cast<generation::SizeTier>(start.partial[factor]);
  else
    start.partial.set(factor, static_cast<std::size_t>(start.tier));
}

void CaseSource::make(std::uint64_t number, SourcedCase& out) const {
  const Start start = this->start(number);
  generation::RandomDraws draws(base::random_bits(options_.seed, number));
  const auto make_valid = [&] {
    generation::Assignment assignment = start.partial;
    const generation::FactorModel& model = models_[start.operator_index];
    if (start.tier != generation::SizeTier::kSmall) model.prefer_large(assignment, draws);
    model.complete(assignment, draws);
    generation::generate(start.operator_index, assignment, draws, out.generated, start.tier);
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
  if (start.tier != generation::SizeTier::kSmall)
    models_[start.operator_index].prefer_large(result.combination, draws);
  models_[start.operator_index].complete(result.combination, draws);
  return result;
}

}  // namespace opconform::campaigns
