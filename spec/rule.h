// A rule is the spine of the suite: the row here, the name that a rejection reports, the tag of
// cases, the unit of coverage. The ledger of all rules is the sum of the tables beside the
// operators and the tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spec/version.h"

namespace opconform {

enum class RuleKind : std::uint8_t {
  kSemantics,   ///< broken by a wrong value in an output
  kConstraint,  ///< broken by a descriptor (gather.index-range: by an execution)
  kSupport,     ///< broken by a type, a rank or an operator that the version lacks
  kFreedom,     ///< cannot be broken: the document leaves it open
  kMemory,      ///< broken by a byte read or written that is not an element, or by a changed input
};
[[nodiscard]] std::string_view name(RuleKind kind);

struct RuleText {
  std::string_view name;
  RuleKind kind;
  std::string_view source;  ///< document and place; "implied" where no seed document spells it out
  std::string_view statement;
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

struct Violation {
  std::string_view rule;
  std::string field;    ///< "InputWindowOffsets[3]", "OutputTensor.Sizes[0]", "Axis"
  std::string message;  ///< names the field and both values
};

/// What validate() found. Empty means valid.
class Violations {
 public:
  /// The rule that the following add() calls speak of.
  void judge(std::string_view rule) { rule_ = rule; }

  template <class... Parts>
  void add(const std::string& field, const Parts&... message) {
    std::ostringstream text;
    (text << ... << message);
    list_.push_back({rule_, field, text.str()});
  }
  /// The rule could not be decided within its work limit: the descriptor is neither valid nor
  /// refused.
  template <class... Parts>
  void add_undecided(const std::string& field, const Parts&... message) {
    std::ostringstream text;
    (text << ... << message);
    undecided_.push_back({rule_, field, text.str()});
  }

  [[nodiscard]] bool empty() const { return list_.empty() && undecided_.empty(); }
  [[nodiscard]] const std::vector<Violation>& list() const { return list_; }
  [[nodiscard]] const std::vector<Violation>& undecided() const { return undecided_; }
  [[nodiscard]] bool breaks(std::string_view rule) const;
  /// The broken rules, sorted, each once.
  [[nodiscard]] std::vector<std::string_view> rules() const;

 private:
  std::string_view rule_;
  std::vector<Violation> list_;
  std::vector<Violation> undecided_;
};

/// A row of a rule table. `check` is null where no descriptor can break the rule.
template <class Subject>
struct Rule {
  RuleText text;
  void (*check)(const Subject& subject, Version version, Violations& violations) = nullptr;
};

}  // namespace opconform
