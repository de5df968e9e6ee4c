#include "harness/running/reducer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include "harness/base/random.h"
#include "harness/cases/case_writer.h"
#include "harness/generation/generator.h"
#include "harness/judging/check.h"
#include "harness/running/least_size.h"
#include "harness/running/reduced_contents.h"
#include "spec/validate.h"

namespace opconform::running {
namespace {

/// The first bound of what a case costs while sizes are tried, in elements; each further one is so
/// many times as large.
constexpr std::uint64_t kCheap = std::uint64_t{1} << 16;
constexpr std::uint64_t kCheapTimes = 16;
constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

class Reducer {
 public:
  Reducer(const cases::Case& failing, const CheckOne& check, const CheckOne& check_once)
      : check_(check), check_once_(check_once) {
    wanted_ = check_(failing);
    best_ = {failing, wanted_, 1, false};
    if (!judging::is_nonconformance(wanted_.verdict)) return;
    broken_ = rules_of(failing);
    begin(with_inputs_that_fail(failing));
  }

  Reduction take() && { return std::move(best_); }

  void run_all() {
    run_steps();
    if (best_.reproduced && written_out()) run_steps();
  }

 private:
  void run_steps() {
    while (best_.reproduced && (smaller_totals() || smaller() || packed() || simpler_type() ||
                                smaller_indices() || plainer_values())) {
    }
  }

  /// From what fails with the reference as judge, and plain inputs as far as these fail.
  void begin(const cases::Case& failing) {
    for (const LargeInputs kind : kAllLargeInputs) {
      std::optional<cases::Case> candidate =
          broken_.empty() ? with_inputs(kind, failing) : without_inputs(failing);
      if (!candidate) continue;
      best_.smallest = *std::move(candidate);
      rename(best_.smallest);
      best_.reproduced = begins_small() || fails_whole();
      if (best_.reproduced || !broken_.empty()) break;
    }
    if (best_.reproduced) return;
    best_.smallest = failing;
    best_.result = wanted_;
  }
  /// What fails although it is smaller need not be run as a whole.
  bool begins_small() {
    const std::uint64_t elements = total_elements(best_.smallest.op);
    return broken_.empty() && elements > kCheap && wanted_.failed_execution != 3 &&
           smaller(elements - elements / 4);
  }
  bool fails_whole() {
    judging::CaseResult result = run(best_.smallest);
    if (!same_failure(result)) return false;
    best_.result = std::move(result);
    return true;
  }

  /// The patterns of what has become small as the bytes that they stand for.
  bool written_out() {
    const cases::TensorList tensors(best_.smallest.op);
    const auto is_small = [&](std::size_t i) {
      return buffer_size_bytes(tensors.inputs[i].desc, best_.smallest.version.dialect()) <=
             kMostWrittenBytes;
    };
    cases::Case candidate = best_.smallest;
    bool differs = false;
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
      if (!is_pattern(candidate.inputs[i]) || !is_small(i)) continue;
      candidate.inputs[i] = physical_contents(best_.smallest, i);
      differs = true;
    }
    return differs && accept(std::move(candidate));
  }

  static std::vector<std::string> rules_of(const cases::Case& one) {
    const Violations violations = validate(one.op, one.version);
    const auto rules = violations.rules();
    return {rules.begin(), rules.end()};
  }
  /// Where the first execution fails, those behind it say nothing of a smaller case.
  judging::CaseResult run(const cases::Case& one) {
    ++best_.checks;
    const bool is_first =
        best_.result.failed_execution == 1 && !judging::needs_others(best_.result);
    return (is_first && check_once_ ? check_once_ : check_)(one);
  }
  [[nodiscard]] bool same_failure(const judging::CaseResult& result) const {
    return result.verdict == wanted_.verdict && result.rule == wanted_.rule;
  }

  /// What a plan does wrong when it is executed again is not what it does wrong at once, and the
  /// inputs that fail stay the case's.
  [[nodiscard]] bool same_execution(const judging::CaseResult& result) const {
    const auto of = [](const auto& one) {
      return one.plans > 0 ? 5U : one.threads > 0 ? 4U : one.failed_execution;
    };
    return of(result) == of(best_.result) || (of(result) == 2 && of(best_.result) == 1);
  }

  /// What fails with other inputs alone is shown with these, unless it takes a plan that has seen
  /// the case's own.
  cases::Case with_inputs_that_fail(const cases::Case& failing) {
    if (wanted_.failed_execution != 3) return failing;
    cases::Case other = failing;
    cases::Case made = judging::with_other_inputs(failing);
    other.inputs = std::move(made.inputs);
    other.strings = std::move(made.strings);
    other.expect = {};
    const judging::CaseResult result = run(other);
    return same_failure(result) && result.failed_execution != 3 ? other : failing;
  }

  /// What the case says of itself is not true of a smaller one, but that it shows the rule.
  void rename(cases::Case& one) const {
    one.id += "/smallest";
    const RuleText* rule = find_rule(wanted_.rule);
    one.says = rule == nullptr ? "gives what the reference gives" : std::string(rule->statement);
    if (rule != nullptr) one.rules = {std::string(rule->name)};
    one.label.clear();
    one.factors.clear();
    one.errata.clear();
    one.document.clear();
    one.section.clear();
  }

  /// Takes the candidate if it fails as it should.
  bool accept(cases::Case candidate) {
    if (rules_of(candidate) != broken_ || takes_more_memory(candidate, best_.smallest))
      return false;
    const std::uint64_t hash = hash_of(candidate);
    if (passing_.contains(hash)) return false;
    judging::CaseResult result = run(candidate);
    if (!same_failure(result) || !same_execution(result)) {
      passing_.insert(hash);
      return false;
    }
    best_.smallest = std::move(candidate);
    best_.result = std::move(result);
    return true;
  }
  static std::uint64_t hash_of(const cases::Case& one) {
    std::uint64_t hash = base::hash_text(cases::descriptor_text(one.op));
    for (const cases::Contents& contents : one.inputs)
      hash = base::random_bits(hash, running::hash_of(contents));
    return hash;
  }

  bool smaller() {
    return broken_.empty() ? smaller(total_elements(best_.smallest.op)) : smaller_within(kAny);
  }
  /// By cases of at most so many elements. First what costs little, so that a large case is not run
  /// again and again.
  bool smaller(std::uint64_t most) {
    for (std::uint64_t bound = kCheap;
         bound<most; bound = bound> kAny / kCheapTimes ? kAny : bound * kCheapTimes)
      if (smaller_within(bound)) return true;
    return smaller_within(most);
  }
  bool smaller_within(std::uint64_t most) {
    const auto tried = [&](Operator&& op, const generation::Proposal& proposal) {
      if (total_elements(op) > most) return Tried::kTooLarge;
      return accept(with_operator(std::move(op), proposal)) ? Tried::kFails : Tried::kPasses;
    };
    // The other proposals were made from what is no longer the smallest.
    for (generation::Proposal& proposal : smaller_operators()) {
      if (proposal.size == 0) {
        if (tried(std::move(proposal.op), proposal) == Tried::kFails) return true;
        continue;
      }
      const std::uint64_t least = least_failing_size(proposal.size, [&](std::uint64_t size) {
        std::optional<Operator> op = proposal.resized(size);
        return op ? tried(*std::move(op), proposal) : Tried::kPasses;
      });
      if (least < proposal.size) return true;
    }
    return false;
  }
  /// Of a large case, first those that make the most of it smaller.
  std::vector<generation::Proposal> smaller_operators() {
    std::vector<generation::Proposal> proposals;
    std::visit([&](const auto& op) { generation::propose_smaller(op, proposals); },
               best_.smallest.op);
    if (!broken_.empty() || total_elements(best_.smallest.op) <= kCheap) return proposals;
    const auto cost = [](const generation::Proposal& one) {
      const auto op = one.size == 0 ? one.op : one.resized((one.size + 1) / 2);
      return op ? total_elements(*op) : kAny;
    };
    std::stable_sort(proposals.begin(), proposals.end(),
                     [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    return proposals;
  }
  /// The smallest case with a smaller operator.
  [[nodiscard]] cases::Case with_operator(Operator&& op,
                                          const generation::Proposal& proposal) const {
    cases::Case candidate = best_.smallest;
    candidate.op = std::move(op);
    const cases::TensorList old(best_.smallest.op);
    if (proposal.removed_input != generation::kNoTensor)
      candidate.inputs.erase(candidate.inputs.begin() +
                             static_cast<std::ptrdiff_t>(proposal.removed_input));
    for (const MutableTensor& tensor : mutable_tensors(candidate.op)) shrink_total(*tensor.desc);
    const cases::TensorList now(candidate.op);
    for (std::size_t i = 0; i < now.inputs.size(); ++i) {
      cases::Contents& contents = candidate.inputs[i];
      if (contents.kind == cases::Contents::Kind::kNone) continue;
      const std::size_t old_place = i < proposal.removed_input ? i : i + 1;
      contents =
          leading_part(old.inputs[old_place].desc, contents, now.inputs[i].desc,
                       proposal.removed.empty() ? generation::kNoDimension : proposal.removed[i]);
    }
    return candidate;
  }

  /// The total of a smaller tensor: the least, unless the failure needs more.
  void shrink_total(TensorDesc& tensor) const {
    if (!broken_.empty() || !stride_count_matches(tensor)) return;
    const std::uint64_t now = tensor.total_tensor_size_bytes;
    const std::uint64_t least = buffer_tensor_size(tensor).value_or(now);
    tensor.total_tensor_size_bytes = needs_larger_total_ ? std::max(now, least) : least;
  }

  /// A total that is larger than the layout needs: the least, else half of what is too much, else
  /// 4 bytes less, which a total is a multiple of.
  bool smaller_totals() {
    if (best_.smallest.version.dialect() != Dialect::kDirectml) return false;
    const std::size_t count = mutable_tensors(best_.smallest.op).size();
    needs_larger_total_ = false;
    for (std::size_t i = 0; i < count; ++i) {
      const TensorDesc now = *mutable_tensors(best_.smallest.op)[i].desc;
      const std::uint64_t total = now.total_tensor_size_bytes;
      const std::uint64_t least =
          stride_count_matches(now) ? buffer_tensor_size(now).value_or(total) : total;
      if (total <= least) continue;
      const std::uint64_t excess = total - least;
      for (const std::uint64_t smaller :
           {least, least + excess / 8 * 4, total - std::min<std::uint64_t>(excess, 4)}) {
        cases::Case candidate = best_.smallest;
        mutable_tensors(candidate.op)[i].desc->total_tensor_size_bytes = smaller;
        if (accept(std::move(candidate))) return true;
      }
      needs_larger_total_ = true;
    }
    return false;
  }

  bool packed() {
    Operator op = best_.smallest.op;
    const std::size_t count = mutable_tensors(op).size();
    for (std::size_t i = 0; i < count; ++i) {
      cases::Case candidate = best_.smallest;
      TensorDesc& tensor = *mutable_tensors(candidate.op)[i].desc;
      if (!tensor.strides || !stride_count_matches(tensor)) continue;
      const TensorDesc old = tensor;
      tensor.strides.reset();
      shrink_total(tensor);
      const cases::TensorList now(candidate.op);
      for (std::size_t k = 0; k < now.inputs.size(); ++k)
        if (&now.inputs[k].desc == &tensor &&
            candidate.inputs[k].kind != cases::Contents::Kind::kNone)
          candidate.inputs[k] =
              leading_part(old, candidate.inputs[k], tensor, generation::kNoDimension);
      if (accept(std::move(candidate))) return true;
    }
    return false;
  }

  /// One byte an element, else what is nearest to it.
  bool simpler_type() {
    const DataType now = value_type(best_.smallest.op);
    for (const DataType type :
         {DataType::kUint8, DataType::kUint16, DataType::kUint32, DataType::kUint64}) {
      if (type == now || element_size_bytes(type) > element_size_bytes(now) ||
          now == DataType::kString)
        continue;
      cases::Case candidate = best_.smallest;
      change_value_type(type, candidate);
      if (accept(std::move(candidate))) return true;
      if (element_size_bytes(type) == element_size_bytes(now)) break;
    }
    return false;
  }
  static DataType value_type(const Operator& op) {
    const cases::TensorList tensors(op);
    return tensors.outputs.empty() ? DataType::kUint8 : tensors.outputs.front().desc.data_type;
  }
  void change_value_type(DataType type, cases::Case& candidate) const {
    const cases::TensorList tensors(candidate.op);
    for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
      if (tensors.inputs[i].field.content != Content::kValues) continue;
      narrow(tensors.inputs[i].desc.element_size_bytes(), element_size_bytes(type),
             candidate.inputs[i]);
    }
    for (const MutableTensor& tensor : mutable_tensors(candidate.op)) {
      if (tensor.field.content != Content::kValues) continue;
      tensor.desc->data_type = type;
      shrink_total(*tensor.desc);
    }
  }

  /// `plainer(bits, place)` in the place of each element of the tensors of that kind: all at once
  /// if that still fails, else halves of them, down to single elements.
  template <class Plainer>
  bool replace_elements(Content content, const Plainer& plainer) {
    bool any = false;
    for (std::size_t i = 0; i < best_.smallest.inputs.size(); ++i) {
      const cases::TensorList tensors(best_.smallest.op);
      const NamedTensor& tensor = tensors.inputs[i];
      const std::size_t width = tensor.desc.element_size_bytes();
      if (tensor.field.content != content || tensor.desc.data_type == DataType::kString ||
          width > 8)
        continue;
      const std::size_t count = best_.smallest.inputs[i].bytes.size() / width;
      any |= count > 0 && replace_range(i, width, 0, count, plainer);
    }
    return any;
  }
  template <class Plainer>
  bool replace_range(std::size_t input, std::size_t width, std::size_t first, std::size_t last,
                     const Plainer& plainer) {
    cases::Case candidate = best_.smallest;
    bool differs = false;
    for (std::size_t k = first; k < last; ++k) {
      std::byte* element = candidate.inputs[input].bytes.data() + k * width;
      std::uint64_t bits = 0;
      std::memcpy(&bits, element, width);
      const std::uint64_t plain = plainer(bits, k);
      differs |= plain != bits;
      std::memcpy(element, &plain, width);
    }
    if (!differs) return false;
    if (accept(std::move(candidate))) return true;
    if (last - first == 1) return false;
    const std::size_t middle = first + (last - first) / 2;
    const bool before = replace_range(input, width, first, middle, plainer);
    return replace_range(input, width, middle, last, plainer) || before;
  }
  bool smaller_indices() {
    const auto is_small = [](std::uint64_t bits) { return bits > 0 && bits >> 31 == 0; };
    return replace_elements(Content::kIndices,
                            [](std::uint64_t, std::size_t) { return std::uint64_t{0}; }) ||
           replace_elements(
               Content::kIndices,
               [&](std::uint64_t bits, std::size_t) { return is_small(bits) ? bits / 2 : bits; }) ||
           replace_elements(Content::kIndices, [&](std::uint64_t bits, std::size_t) {
             return is_small(bits) ? bits - 1 : bits;
           });
  }
  bool plainer_values() {
    return replace_elements(Content::kValues,
                            [](std::uint64_t, std::size_t k) { return (k + 1) & 0xFF; });
  }

  const CheckOne& check_;
  const CheckOne& check_once_;
  std::vector<std::string> broken_;
  std::set<std::uint64_t> passing_;  // hashes of what does not fail as it should
  bool needs_larger_total_ = false;  // some tensor, than its layout does
  judging::CaseResult wanted_;
  Reduction best_;
};

}  // namespace

bool is_too_large_to_reduce(const cases::Case& one) {
  return is_valid(one.op, one.version) && has_too_many_values(one);  // else it has no contents
}

Reduction reduce(const cases::Case& failing, const CheckOne& check, const CheckOne& check_once) {
  Reducer reducer(failing, check, check_once);
  reducer.run_all();
  return std::move(reducer).take();
}

}  // namespace opconform::running
