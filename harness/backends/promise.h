// What an implementation promises of itself, where the documents leave something open or where it
// is made for another contract: a profile. The oracle follows it, so that each implementation is
// tested against its own word. docs/promises.md lists the choices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/operator.h"
#include "spec/support.h"

namespace opconform::backends {

// The first value of each choice is what the document says.
enum class IndexOutOfRange : std::uint8_t {
  kDocument,
  kError,
  kClamp,        ///< means the nearest element
  kZero,         ///< reads zeros
  kDrop,         ///< writes nothing
  kUnspecified,  ///< any value, or an error
};
enum class NegativeIndices : std::uint8_t { kDocument, kCountFromEnd, kError };
enum class OverlappingWrites : std::uint8_t { kAny, kLast, kFirst, kError };
/// Of an index that is an error, where the output has no elements.
enum class IndexWithoutOutput : std::uint8_t { kError, kNothing };
enum class Layouts : std::uint8_t { kAny, kPacked };
enum class Offer : std::uint8_t { kOffered, kNotOffered };
enum class AfterError : std::uint8_t { kUntouched, kAnything };
enum class Bools : std::uint8_t { kKept, kNormalised };
enum class SignallingNans : std::uint8_t { kKept, kQuietened };
enum class NanPayloads : std::uint8_t { kKept, kAny };
enum class MinusZero : std::uint8_t { kKept, kEither };
enum class SecondPlan : std::uint8_t { kWanted, kNotWanted };
enum class Executions : std::uint8_t { kSeveral, kOne };

/// What is promised of one operator.
struct OperatorPromise {
  Offer operation = Offer::kOffered;
  std::optional<DataTypeSet> data_types{};   ///< nothing: all
  std::optional<DataTypeSet> index_types{};  ///< nothing: all
  std::optional<RankRange> ranks{};          ///< of every tensor; nothing: all
  std::optional<Version> from{};
  std::optional<Version> to{};  ///< inclusive
  IndexOutOfRange index_out_of_range = IndexOutOfRange::kDocument;
  NegativeIndices negative_indices = NegativeIndices::kDocument;
  OverlappingWrites overlapping_writes = OverlappingWrites::kAny;
  IndexWithoutOutput index_without_output = IndexWithoutOutput::kError;

  friend bool operator==(const OperatorPromise& a, const OperatorPromise& b);
};

struct Promise {
  std::string name = "document";
  std::string says{};                  ///< one sentence: of whom
  std::vector<std::string> sources{};  ///< where that is from
  std::array<OperatorPromise, std::variant_size_v<Operator>> operators{};
  /// Descriptors that break one of these rules are rejected; those that break another are not
  /// judged. Sorted. Nothing: all rules.
  std::optional<std::vector<std::string>> rejected_rules{};
  Layouts layouts = Layouts::kAny;
  Offer empty_tensors = Offer::kOffered;
  Offer strings = Offer::kOffered;
  AfterError after_error = AfterError::kUntouched;
  Bools bools = Bools::kKept;
  SignallingNans signalling_nans = SignallingNans::kKept;
  NanPayloads nan_payloads = NanPayloads::kKept;
  MinusZero minus_zero = MinusZero::kKept;
  SecondPlan second_plan = SecondPlan::kWanted;
  Executions executions = Executions::kSeveral;

  /// Nothing but what the documents say?
  [[nodiscard]] bool is_document() const;
};

/// The promise of who promises nothing else.
[[nodiscard]] const Promise& document_promise();
/// Why the promise does not offer to run that; nothing where it does. A descriptor whose breach is
/// of a rule that is not promised is not offered, either.
[[nodiscard]] std::optional<std::string> not_offered(const Promise& promise, const Operator& op,
                                                     Version version);

/// What a value of a choice is beside the document.
enum class Effect : std::uint8_t {
  kDocument,  ///< what it says
  kRuled,     ///< what it says, unless the rule is a freedom
  kOpen,      ///< what it says, where the rule is a freedom
  kOther,     ///< something else
  kLess,      ///< less than it wants
};
struct ValueText {
  std::string_view name;  ///< in JSON
  std::string_view says;  ///< what happens: the end of a sentence
  Effect effect;
};
struct PromisedChoice {
  std::string_view key;  ///< in JSON
  /// The document's word for it: a rule; ".index-range" is a rule of the operator's own. Empty
  /// where no rule speaks of it.
  std::string_view rule;
  std::span<const ValueText> values;  ///< in the order of the enumerators
};

// Their texts: promise_text.cpp.
extern const PromisedChoice kIndexOutOfRangeChoice;
extern const PromisedChoice kNegativeIndicesChoice;
extern const PromisedChoice kOverlappingWritesChoice;
extern const PromisedChoice kIndexWithoutOutputChoice;
extern const PromisedChoice kLayoutsChoice;
extern const PromisedChoice kEmptyTensorsChoice;
extern const PromisedChoice kStringsChoice;
extern const PromisedChoice kAfterErrorChoice;
extern const PromisedChoice kBoolsChoice;
extern const PromisedChoice kSignallingNansChoice;
extern const PromisedChoice kNanPayloadsChoice;
extern const PromisedChoice kMinusZeroChoice;
extern const PromisedChoice kSecondPlanChoice;
extern const PromisedChoice kExecutionsChoice;

/// Calls `visit(PromisedChoice, value&)` for each choice of an operator, or of the whole.
template <class Self, class F>
requires std::is_same_v<std::remove_const_t<Self>, OperatorPromise>
void visit_choices(Self& self, F&& visit) {
  visit(kIndexOutOfRangeChoice, self.index_out_of_range);
  visit(kNegativeIndicesChoice, self.negative_indices);
  visit(kOverlappingWritesChoice, self.overlapping_writes);
  visit(kIndexWithoutOutputChoice, self.index_without_output);
}
template <class Self, class F>
requires std::is_same_v<std::remove_const_t<Self>, Promise>
void visit_choices(Self& self, F&& visit) {
  visit(kLayoutsChoice, self.layouts);
  visit(kEmptyTensorsChoice, self.empty_tensors);
  visit(kStringsChoice, self.strings);
  visit(kAfterErrorChoice, self.after_error);
  visit(kBoolsChoice, self.bools);
  visit(kSignallingNansChoice, self.signalling_nans);
  visit(kNanPayloadsChoice, self.nan_payloads);
  visit(kMinusZeroChoice, self.minus_zero);
  visit(kSecondPlanChoice, self.second_plan);
  visit(kExecutionsChoice, self.executions);
}

/// The rule of an operator that the choice is about; null where the operator has no such rule.
[[nodiscard]] const RuleText* rule_of(const PromisedChoice& choice, const OperatorText& op);
/// Does the operator write where its indices say, rather than read there?
[[nodiscard]] bool writes_by_index(const OperatorText& op);

/// Where a promise differs from the documents.
struct Difference {
  enum class Kind : std::uint8_t {
    kOther,  ///< a document says something else
    kLess,   ///< a document wants more
    kMore,   ///< a document leaves it open
  };
  Kind kind;
  std::string says;
};
/// "other", "less", "more"
[[nodiscard]] std::string_view name(Difference::Kind kind);
/// All of them, what is other than the documents first, then what is less.
[[nodiscard]] std::vector<Difference> differences(const Promise& promise);

}  // namespace opconform::backends
