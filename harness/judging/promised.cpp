#include "harness/judging/promised.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/base/layout.h"
#include "harness/model/model.h"

namespace opconform::judging {
namespace {

using backends::IndexOutOfRange;
using backends::IndexWithoutOutput;
using backends::NegativeIndices;
using backends::OperatorPromise;
using backends::OverlappingWrites;
using cases::Expectation;
using Buffers = std::span<const std::span<const std::byte>>;

/// What becomes of an index out of range, by the document.
IndexOutOfRange documented_treatment(const OperatorText& op) {
  const RuleText* const rule = backends::rule_of(backends::kIndexOutOfRangeChoice, op);
  return rule != nullptr && rule->kind == RuleKind::kFreedom ? IndexOutOfRange::kUnspecified
                                                             : IndexOutOfRange::kError;
}

/// One execution of the model, which keeps the promise.
class PromisedRun {
 public:
  PromisedRun(const OperatorPromise& own, const Operator& op, Version version, bool counts_back)
      : own_(own),
        text_(describe(op)),
        documented_(documented_treatment(text_)),
        treatment_(own.index_out_of_range == IndexOutOfRange::kDocument ? documented_
                                                                        : own.index_out_of_range),
        counts_back_(counts_back),
        op_(op),
        version_(version) {}

  Expectation run(const cases::TensorList& tensors, Buffers inputs) {
    execute(tensors, inputs);
    if (failed_rule_.empty() || is_excused(tensors)) return results(tensors);
    Expectation expected;
    expected.kind = Expectation::Kind::kError;
    expected.rules = {failed_rule_};
    return expected;
  }
  /// Did the execution come across something of which the promise says other than the document?
  [[nodiscard]] bool found_promised() const {
    const bool counts_back_anyway = own_.negative_indices == NegativeIndices::kCountFromEnd &&
                                    defines_negative_indices(op_, version_);
    return (found_outside_ && (treatment_ != documented_ ||
                               own_.index_without_output != IndexWithoutOutput::kError)) ||
           (found_negative_ && own_.negative_indices != NegativeIndices::kDocument &&
            !counts_back_anyway) ||
           (found_overlap_ && own_.overlapping_writes != OverlappingWrites::kAny);
  }

 private:
  /// An element that is taken from there has no place in the input.
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  void execute(const cases::TensorList& tensors, Buffers inputs) {
    for (const NamedTensor& tensor : tensors.outputs)
      buffers_.emplace_back(buffer_size_bytes(tensor.desc, version_.dialect()));
    const std::vector<std::span<std::byte>> outputs(buffers_.begin(), buffers_.end());
    model::Seams seams;
    seams.resolve = [this](const model::Execution&, const model::PlacedIndex& index,
                           std::uint64_t size) { return resolve(index, size); };
    seams.move = [this](const model::Execution& e, model::Move& move) { return take(e, move); };
    seams.overlap = [this](DataType type, const model::Overlap& overlap) {
      write_again(type, overlap);
    };
    model::Execution execution{op_, version_};
    model::bind({inputs, outputs}, seams, execution);
    if (const std::optional<std::string> rule = model::run(seams, execution)) failed_rule_ = *rule;
  }

  std::optional<std::uint64_t> fail(const backends::PromisedChoice& choice) {
    failed_rule_ = backends::rule_of(choice, text_)->name;
    return std::nullopt;
  }

  std::optional<std::uint64_t> resolve(const model::PlacedIndex& index, std::uint64_t size) {
    const std::optional<std::uint64_t> coordinate = model::resolve(index, size);
    found_negative_ |= coordinate && index.is_negative();
    found_outside_ |= !coordinate;
    if (coordinate && index.is_negative() && !counts_back_)
      return fail(backends::kIndexOutOfRangeChoice);
    if (coordinate) return coordinate;
    switch (treatment_) {
      case IndexOutOfRange::kClamp:
        if (size == 0) break;  // no element is the nearest
        return index.is_negative() ? 0 : size - 1;
      case IndexOutOfRange::kZero:
        return kNowhere;
      case IndexOutOfRange::kDrop:
        return std::nullopt;
      case IndexOutOfRange::kUnspecified:
        is_open_ = true;
        if (backends::writes_by_index(text_)) return std::nullopt;
        return kNowhere;
      default:
        break;
    }
    return fail(backends::kIndexOutOfRangeChoice);
  }

  /// The outputs are zeros before, so what comes from nowhere is zero.
  bool take(const model::Execution& execution, const model::Move& move) {
    const bool is_nowhere =
        std::find(move.from.begin(), move.from.end(), kNowhere) != move.from.end();
    if (is_nowhere && treatment_ == IndexOutOfRange::kUnspecified)
      open_[model::element_number(move.to, execution.outputs[move.output].desc->sizes)].any = true;
    return !is_nowhere;
  }

  void write_again(DataType type, const model::Overlap& overlap) {
    found_overlap_ = true;
    switch (own_.overlapping_writes) {
      case OverlappingWrites::kError:
        (void)fail(backends::kOverlappingWritesChoice);
        return;
      case OverlappingWrites::kFirst:
        return;
      case OverlappingWrites::kAny: {
        std::vector<std::byte>& values = open_[overlap.element].values;
        values.insert(values.end(), overlap.target, overlap.target + element_size_bytes(type));
        break;
      }
      case OverlappingWrites::kLast:
        break;
    }
    model::copy_element(type, overlap.target, overlap.update);
  }

  [[nodiscard]] bool is_excused(const cases::TensorList& tensors) const {
    return own_.index_without_output == IndexWithoutOutput::kNothing &&
           std::all_of(tensors.outputs.begin(), tensors.outputs.end(),
                       [](const NamedTensor& tensor) { return has_empty_dimension(tensor.desc); });
  }

  Expectation results(const cases::TensorList& tensors) {
    Expectation expected;
    expected.kind = Expectation::Kind::kOutputs;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      expected.outputs.push_back(
          {false, base::logical_elements(tensors.outputs[i].desc, buffers_[i]), {}});
    for (auto& [element, open] : open_) {
      open.element = element;
      expected.outputs.front().open_elements.push_back(std::move(open));
    }
    if (!is_open_) return expected;
    // Where the update went, nobody knows.
    if (backends::writes_by_index(text_))
      for (cases::ExpectedOutput& output : expected.outputs) output = {true, {}, {}};
    Expectation error;
    error.kind = Expectation::Kind::kError;
    error.rules = {std::string(backends::rule_of(backends::kIndexOutOfRangeChoice, text_)->name)};
    Expectation either;
    either.kind = Expectation::Kind::kAnyOf;
    either.any_of = {std::move(expected), std::move(error)};
    return either;
  }

  const OperatorPromise& own_;
  OperatorText text_;
  IndexOutOfRange documented_;
  IndexOutOfRange treatment_;
  bool counts_back_;
  const Operator& op_;
  Version version_;
  std::vector<std::vector<std::byte>> buffers_;
  std::string failed_rule_;
  bool is_open_ = false;  // an index out of range gave any value
  std::map<std::uint64_t, cases::ExpectedOutput::OpenElement> open_;
  bool found_outside_ = false;
  bool found_negative_ = false;
  bool found_overlap_ = false;
};

/// May a negative index of that operator be an error, may it count from the end?
std::vector<bool> ways_to_count_back(const OperatorPromise& own, const Operator& op,
                                     Version version) {
  if (own.negative_indices == NegativeIndices::kError) return {false};
  if (own.negative_indices == NegativeIndices::kCountFromEnd) return {true};
  if (defines_negative_indices(op, version)) return {true};
  return {false, true};
}

/// Does it say anything of what an execution gives?
bool speaks_of_results(const OperatorPromise& own) {
  bool speaks = false;
  backends::visit_choices(own, [&](const backends::PromisedChoice&, auto value) {
    speaks |= value != decltype(value){};
  });
  return speaks;
}

/// Nothing where the promise says nothing of these inputs.
std::optional<Expectation> promised_outcome(const OperatorPromise& own, const Operator& op,
                                            Version version, const cases::TensorList& tensors,
                                            Buffers inputs) {
  if (!speaks_of_results(own)) return std::nullopt;
  bool found = false;
  Expectation either;
  either.kind = Expectation::Kind::kAnyOf;
  for (const bool counts_back : ways_to_count_back(own, op, version)) {
    PromisedRun run(own, op, version, counts_back);
    Expectation one = run.run(tensors, inputs);
    found |= run.found_promised();
    const bool is_new = either.any_of.empty() || one.kind != Expectation::Kind::kError ||
                        either.any_of.back().kind != Expectation::Kind::kError;
    if (is_new) either.any_of.push_back(std::move(one));
  }
  if (!found) return std::nullopt;
  return either.any_of.size() > 1 ? std::move(either) : std::move(either.any_of.front());
}

void give_leeway(const cases::Leeway& leeway, bool outputs_are_open, Expectation& expected) {
  expected.outputs_are_open = outputs_are_open;
  for (cases::ExpectedOutput& output : expected.outputs) output.leeway = leeway;
  for (Expectation& one : expected.any_of) give_leeway(leeway, outputs_are_open, one);
}

}  // namespace

bool is_promised(const backends::Promise& promise, const Operator& op, Version version,
                 Buffers inputs) {
  const OperatorPromise& own = promise.operators[op.index()];
  return speaks_of_results(own) &&
         promised_outcome(own, op, version, cases::TensorList(op), inputs).has_value();
}

Expectation promised_expectation(const backends::Promise& promise, Expectation documented,
                                 const Operator& op, Version version,
                                 const cases::TensorList& tensors, Buffers inputs) {
  if (promise.is_document()) return documented;
  std::optional<Expectation> promised =
      promised_outcome(promise.operators[op.index()], op, version, tensors, inputs);
  const bool is_promised = promised.has_value();
  Expectation expected = is_promised ? *std::move(promised) : std::move(documented);
  expected.is_promised = is_promised;
  give_leeway(leeway_of(promise), promise.after_error == backends::AfterError::kAnything, expected);
  return expected;
}

cases::Leeway leeway_of(const backends::Promise& promise) {
  return {promise.nan_payloads == backends::NanPayloads::kAny,
          promise.signalling_nans == backends::SignallingNans::kQuietened,
          promise.minus_zero == backends::MinusZero::kEither,
          promise.bools == backends::Bools::kNormalised};
}

}  // namespace opconform::judging
