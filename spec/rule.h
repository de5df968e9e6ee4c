// A rule is the spine of the suite: the row here, the name that a rejection reports, the tag of
// cases, the unit of coverage. The ledger of all rules is the sum of the tables beside the
// operators and the tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/version.h"

namespace opconform {

enum class RuleKind : std::uint8_t {
  kSemantics,   ///< broken by a wrong value in an output
  kConstraint,  ///< broken by a descriptor; where no check finds it, by an execution
  kSupport,     ///< broken by a type, a rank or an operator that the version lacks
  kFreedom,     ///< cannot be broken: the document leaves it open
  kMemory,      ///< broken by a byte read or written that is not an element, or by a changed input
};
[[nodiscard]] std::string_view name(RuleKind kind);

/// What a case must hold, beside being executed, so that an implementation that breaks the rule can
/// be seen to.
enum class ShownBy : std::uint8_t {
  kExecution,        ///< nothing more; a rule of tensors: a case of a DirectML operator
  kAnyExecution,     ///< nothing more, whatever the dialect
  kPackedLayout,     ///< of any tensor, as are the next five
  kPermutedLayout,   ///< packed in another order
  kBroadcastLayout,  ///< strides of 0
  kPaddedLayout,     ///< gaps
  kSizeOneStride,    ///< a dimension of size 1 with a stride that no packed layout has
  kGivenStrides,     ///< strides that are not left out
  kOutputGaps,       ///< bytes of an output's buffer that belong to no element
  kLeadingOnes,      ///< a tensor of rank 4 or 5 that begins with a size of 1
  kFragileBits,      ///< values that a conversion on the way would change
  kDuplicateIndex,   ///< two indices that name one element
  kNegativeIndex,
  kIndexOutside,
  kAlias,  ///< the operator named by its alias
};

struct RuleText {
  std::string_view name;
  RuleKind kind;
  std::string_view source;  ///< document and place; "implied" where no seed document spells it out
  std::string_view statement;
  ShownBy shown_by = ShownBy::kExecution;
};

/// A field of a descriptor, for messages: "OutputTensors[2]". No string is made until one is asked
/// for.
struct FieldPath {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
  std::string_view name;
  std::size_t index = kNoIndex;
  [[nodiscard]] std::string text() const;
};
std::ostream& operator<<(std::ostream& out, const FieldPath& path);

/// The parts one after the other, as `<<` prints them in the "C" locale. Never inlined: a check
/// whose rule holds stays short.
template <class... Parts>
[[nodiscard, gnu::cold, gnu::noinline]] std::string printed(const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << parts);
  return text.str();
}

struct Violation {
  std::string_view rule;
  std::string field;    ///< "InputWindowOffsets[3]", "OutputTensor.Sizes[0]", "Axis"
  std::string message;  ///< names the field and both values
};

/// What validate() found. Empty means valid.
class Violations {
 public:
  Violations() = default;
  /// Whose messages stay empty, for whoever asks only whether there is a violation.
  static Violations without_messages() {
    Violations violations;
    violations.has_messages_ = false;
    return violations;
  }

  /// The rule that the following add() calls speak of.
  void judge(std::string_view rule) { rule_ = rule; }

  template <class... Parts>
  [[gnu::cold, gnu::noinline]] void add(const std::string& field, const Parts&... message) {
    list_.push_back({rule_, field, has_messages_ ? printed(message...) : std::string()});
  }
  /// The rule could not be decided within its work limit: the descriptor is neither valid nor
  /// rejected.
  template <class... Parts>
  [[gnu::cold, gnu::noinline]] void add_undecided(const std::string& field,
                                                  const Parts&... message) {
    undecided_.push_back({rule_, field, has_messages_ ? printed(message...) : std::string()});
  }

  [[nodiscard]] bool empty() const { return list_.empty() && undecided_.empty(); }
  [[nodiscard]] const std::vector<Violation>& list() const { return list_; }
  [[nodiscard]] const std::vector<Violation>& undecided() const { return undecided_; }
  /// "rule: message" of the first, or of what is undecided where all else holds. Precondition: not
  /// empty().
  [[nodiscard]] std::string first_text() const;
  [[nodiscard]] bool breaks(std::string_view rule) const;
  /// The broken rules, sorted, each once.
  [[nodiscard]] std::vector<std::string_view> rules() const;

 private:
  bool has_messages_ = true;
  std::string_view rule_;
  std::vector<Violation> list_;
  std::vector<Violation> undecided_;
};

/// A row of a rule table.
template <class Subject>
struct Rule {
  RuleText text;
  /// Null where no descriptor can break the rule.
  void (*check)(const Subject& subject, Version version, Violations& violations) = nullptr;
  /// What of a valid descriptor itself it takes, besides text.shown_by, to show the rule; null
  /// where any will do.
  bool (*shows)(const Subject& subject, Version version) = nullptr;
};

/// Judges by the rules of a constant table. The compiler sees each check, and takes it in: a call
/// takes longer than most of them.
template <const auto& kRules, class Subject>
[[gnu::flatten]] void check_rules(const Subject& subject, Version version, Violations& violations) {
  const auto check_rule = [&]<std::size_t i>() {
    if (kRules[i].check == nullptr) return;
    violations.judge(kRules[i].text.name);
    kRules[i].check(subject, version, violations);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (check_rule.template operator()<i>(), ...); }
  (std::make_index_sequence<std::size(kRules)>{});
}

}  // namespace opconform
