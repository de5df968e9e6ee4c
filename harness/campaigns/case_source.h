// The cases of a campaign. Case number n is a function of the seed and n alone: whichever process
// makes it, and in whatever order, it is the same case.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/generation/generator.h"

namespace opconform::campaigns {

enum class CaseKind : std::uint8_t {
  kValid,     ///< to be executed and compared with the reference
  kBroken,    ///< breaks exactly one rule, and is to be rejected for it
  kRelation,  ///< valid; a relation to cases that are derived from it is to hold
};

/// How large the cases are.
enum class SizeProfile : std::uint8_t {
  kSmall,  ///< of the smallest tier alone
  kMixed,  ///< about a tenth of the time of fast implementations goes into the tiers above it
  kLarge,  ///< nothing but the tiers above it, each about the same time
  kTiers,  ///< the three smallest tiers, as values of one more factor of each operator
};
inline constexpr std::array<std::string_view, 4> kSizeProfileNames{"small", "mixed", "large",
                                                                   "tiers"};

/// By its name, one of these.
[[nodiscard]] SizeProfile size_profile(std::string_view name);

struct SourceOptions {
  std::uint64_t seed = 1;
  std::vector<std::size_t> operators;  ///< places in all_operators(), ascending; empty means all
  std::optional<Version> at_most;      ///< leaves out DirectML cases of higher feature levels
  SizeProfile sizes = SizeProfile::kMixed;
};

/// One case, and what is to be seen of it.
struct SourcedCase {
  CaseKind kind = CaseKind::kValid;
  std::string_view rule;            ///< that a broken case breaks
  std::size_t relation = 0;         ///< that is to hold, by its place in all_relations()
  std::uint64_t relation_seed = 0;  ///< of the draws that derive the other cases
  generation::Generated generated;

  /// Is it valid, and checked as `run` checks its cases, too?
  [[nodiscard]] bool is_checked_as_in_run() const;
};

class CaseSource {
 public:
  /// Throws BadInput where nothing is left to generate.
  explicit CaseSource(SourceOptions options);

  /// The operators that are generated, as places in all_operators().
  [[nodiscard]] const std::vector<std::size_t>& operators() const { return options_.operators; }
  /// Each operator's factors, by its place in all_operators(); what is left out is forbidden there.
  /// Where tiers are a factor, it is the last.
  [[nodiscard]] const std::vector<generation::FactorModel>& models() const { return models_; }

  /// Combinations that are wanted: cases from number `first` on hold one each, in this order.
  struct Wanted {
    std::size_t operator_index;
    generation::Assignment combination;
  };
  void want(std::uint64_t first, std::vector<Wanted> wanted);

  /// What case `number` is to be; a broken one may come out valid, where it cannot be broken so.
  [[nodiscard]] CaseKind kind(std::uint64_t number) const { return start(number).kind; }
  /// Case `number`. What `out` held is overwritten; its memory is kept.
  void make(std::uint64_t number, SourcedCase& out) const;
  /// The operator and factors of a valid case alone, at a fraction of the cost; nothing for others.
  [[nodiscard]] std::optional<Wanted> assignment(std::uint64_t number) const;

 private:
  struct Start {
    std::size_t operator_index;
    generation::Assignment partial;
    CaseKind kind;
    generation::SizeTier tier;
  };
  [[nodiscard]] Start start(std::uint64_t number) const;
  /// Makes the tier and the value of its factor one, where there is such a factor.
  void agree_on_tier(Start& start) const;

  SourceOptions options_;
  std::vector<generation::FactorModel> models_;       // by place in all_operators()
  std::vector<std::vector<std::string_view>> rules_;  // that can be broken, likewise
  std::uint64_t wanted_from_ = 0;
  std::vector<Wanted> wanted_;
};

}  // namespace opconform::campaigns
