#include "harness/running/reducer.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/cases/contents.h"
#include "harness/generation/generator.h"
#include "harness/judging/check.h"
#include "spec/validate.h"

namespace opconform::running {
namespace {

constexpr std::uint64_t kGapSeed = 0;
/// Inputs of more than this become patterns, which cost less and can be read.
constexpr std::size_t kMostWrittenBytes = std::size_t{1} << 12;
/// Each step copies the inputs: those of larger cases stay as they are.
constexpr std::uint64_t kMostInputBytes = std::uint64_t{64} << 20;

bool is_pattern(const cases::Contents& contents) {
  return contents.kind == cases::Contents::Kind::kIota ||
         contents.kind == cases::Contents::Kind::kRandom;
}

/// A tensor's buffer for a descriptor that holds the leading part of it: the same coordinates, or
/// those with 0 in the dimension that was removed.
cases::Contents leading_part(const TensorDesc& old, const cases::Contents& contents,
                             const TensorDesc& tensor, std::size_t removed) {
  if (is_pattern(contents)) return contents;
  const std::size_t size_bytes = tensor.element_size_bytes();
  const std::uint64_t extent = extent_elements(tensor).value_or(0);
  cases::Contents part{cases::Contents::Kind::kPhysical, {}, 0};
  if (tensor.strides) {
    // With its strides kept, every element stays where it is.
    part.bytes.assign(contents.bytes.begin(),
                      contents.bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                   extent * size_bytes, contents.bytes.size())));
    part.bytes.resize(extent * size_bytes);
    return part;
  }
  part.bytes.resize(extent * size_bytes);
  if (has_empty_dimension(old))
    return part;  // without the empty dimension it holds something: zeros
  Dims strides = effective_strides(old);
  if (removed != generation::kNoDimension) strides.erase(removed);
  TensorDesc in_place{tensor.data_type, tensor.sizes, strides, 0};
  base::for_each_element(in_place, [&](std::uint64_t number, std::uint64_t offset) {
    std::memcpy(part.bytes.data() + number * size_bytes,
                contents.bytes.data() + offset * size_bytes, size_bytes);
  });
  return part;
}

class Reducer {
 public:
  Reducer(const cases::Case& failing, const CheckOne& check) : check_(check) {
    wanted_ = run(failing);
    best_.smallest = failing;
    best_.result = wanted_;
    best_.reproduced = false;
    if (is_too_large_to_reduce(failing)) return;
    best_.smallest = with_physical_contents(with_inputs_that_fail(failing));
    rename(best_.smallest);
    broken_ = rules_of(best_.smallest);
    best_.result = run(best_.smallest);
    best_.reproduced = judging::is_nonconformance(wanted_.verdict) && same_failure(best_.result);
    if (best_.reproduced) return;
    best_.smallest = failing;
    best_.result = wanted_;
  }

  Reduction take() && { return std::move(best_); }

  void run_all() {
    if (best_.reproduced) as_patterns();
    run_steps();
    if (best_.reproduced && written_out()) run_steps();
  }

 private:
  void run_steps() {
    while (best_.reproduced && (smaller_totals() || smaller() || packed() || simpler_type() ||
                                smaller_indices() || plainer_values())) {
    }
  }

  /// The large inputs as patterns: all, else those that hold no indices, which may be what fails.
  void as_patterns() {
    const cases::TensorList tensors(best_.smallest.op);
    for (const bool keeps_indices : {false, true}) {
      cases::Case candidate = best_.smallest;
      bool differs = false;
      for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
        const bool is_kept = keeps_indices && tensors.inputs[i].field.content == Content::kIndices;
        if (is_kept || candidate.inputs[i].bytes.size() <= kMostWrittenBytes) continue;
        candidate.inputs[i] = {cases::Contents::Kind::kRandom, {}, i};
        differs = true;
      }
      if (!differs || accept(std::move(candidate))) return;
    }
  }
  /// The patterns of what has become small as the bytes that they stand for.
  bool written_out() {
    const cases::TensorList tensors(best_.smallest.op);
    const auto is_small = [&](std::size_t i) {
      return buffer_size_bytes(tensors.inputs[i].desc, best_.smallest.version.dialect()) <=
             kMostWrittenBytes;
    };
    const cases::Case physical = with_physical_contents(best_.smallest);
    cases::Case candidate = best_.smallest;
    bool differs = false;
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
      if (!is_pattern(candidate.inputs[i]) || !is_small(i)) continue;
      candidate.inputs[i] = physical.inputs[i];
      differs = true;
    }
    candidate.strings = physical.strings;
    return differs && accept(std::move(candidate));
  }

  static std::vector<std::string> rules_of(const cases::Case& one) {
    const Violations violations = validate(one.op, one.version);
    const auto rules = violations.rules();
    return {rules.begin(), rules.end()};
  }
  judging::CaseResult run(const cases::Case& one) {
    ++best_.checks;
    return check_(one);
  }
  [[nodiscard]] bool same_failure(const judging::CaseResult& result) const {
    return result.verdict == wanted_.verdict && result.rule == wanted_.rule;
  }

  /// What a plan does wrong when it is executed again is not what it does wrong at once, and the
  /// inputs that fail stay the case's.
  [[nodiscard]] bool same_execution(const judging::CaseResult& result) const {
    const auto of = [](const auto& one) { return one.threads > 0 ? 4U : one.failed_execution; };
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

  /// Contents as bytes of buffers, and the reference as judge.
  static cases::Case with_physical_contents(const cases::Case& failing) {
    cases::Case result = failing;
    result.expect = {};
    result.twin.clear();
    if (!rules_of(failing).empty()) {
      for (cases::Contents& contents : result.inputs) contents = {};
      return result;
    }
    const cases::TensorList tensors(failing.op);
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      cases::Contents& contents = result.inputs[i];
      if (contents.kind == cases::Contents::Kind::kNone) continue;
      const TensorDesc& tensor = tensors.inputs[i].desc;
      // What the case says may reach further than the layout: it is cut afterwards.
      std::vector<std::byte> buffer(buffer_size_bytes(tensor, failing.version.dialect()));
      cases::write_contents(contents, tensor,
                            tensors.inputs[i].field.content == Content::kIndices
                                ? indexed_size(failing.op)
                                : std::nullopt,
                            *result.strings, kGapSeed, buffer);
      buffer.resize(extent_elements(tensor).value_or(0) * tensor.element_size_bytes());
      contents = {cases::Contents::Kind::kPhysical, std::move(buffer), 0};
    }
    return result;
  }

  /// Takes the candidate if it fails as it should.
  bool accept(cases::Case candidate) {
    if (rules_of(candidate) != broken_) return false;
    judging::CaseResult result = run(candidate);
    if (!same_failure(result) || !same_execution(result)) return false;
    best_.smallest = std::move(candidate);
    best_.result = std::move(result);
    return true;
  }

  bool smaller() {
    std::vector<generation::Proposal> proposals;
    std::visit([&](const auto& op) { generation::propose_smaller(op, proposals); },
               best_.smallest.op);
    for (generation::Proposal& proposal : proposals) {
      cases::Case candidate = best_.smallest;
      candidate.op = std::move(proposal.op);
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
      // The other proposals were made from what is no longer the smallest.
      if (accept(std::move(candidate))) return true;
    }
    return false;
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
      if (is_too_large_to_reduce(candidate)) continue;  // what was broadcast would be written out
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
      std::vector<std::byte>& bytes = candidate.inputs[i].bytes;
      const std::size_t old_size = tensors.inputs[i].desc.element_size_bytes();
      std::vector<std::byte> narrowed;
      for (std::size_t at = 0; at + old_size <= bytes.size(); at += old_size)
        for (std::size_t k = 0; k < element_size_bytes(type); ++k)
          narrowed.push_back(bytes[at + k]);
      bytes = std::move(narrowed);
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
  std::vector<std::string> broken_;
  bool needs_larger_total_ = false;  // some tensor, than its layout does
  judging::CaseResult wanted_;
  Reduction best_;
};

}  // namespace

bool is_too_large_to_reduce(const cases::Case& one) {
  if (!is_valid(one.op, one.version)) return false;  // it has no contents
  std::uint64_t total = 0;
  for (const NamedTensor& tensor : cases::TensorList(one.op).inputs)
    total += buffer_size_bytes(tensor.desc, one.version.dialect());
  return total > kMostInputBytes;
}

Reduction reduce(const cases::Case& failing, const CheckOne& check) {
  Reducer reducer(failing, check);
  reducer.run_all();
  return std::move(reducer).take();
}

}  // namespace opconform::running
