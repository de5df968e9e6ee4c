#include "harness/running/differential.h"

#include <algorithm>
#include <cstring>

#include "harness/base/text.h"
#include "harness/generation/generated_contents.h"
#include "harness/judging/judge.h"
#include "harness/judging/oracle.h"
#include "reference/reference.h"

namespace opconform::harness {
namespace {

constexpr std::size_t kGuardBytes = 64;
constexpr std::size_t kBlockAlignmentBytes = 64;
constexpr std::uint64_t kExecutedTwice = 8;  // one of so many plans

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The axis that indices count along, where the operator has one for its index tensor; otherwise
/// none of its own.
std::size_t line_axis(const Operator& op) {
  return std::visit(
      []<class Op>(const Op& o) -> std::size_t {
        if constexpr (requires { o.index_line_dimension(); }) {
          return o.index_line_dimension();
        } else {
          return 0;
        }
      },
      op);
}

}  // namespace

void CaseMemory::take_block(std::size_t size_bytes) {
  size_bytes_ = size_bytes;
  if (block_.size() < size_bytes + kBlockAlignmentBytes)
    block_.resize(2 * size_bytes + kBlockAlignmentBytes);
  const auto address = reinterpret_cast<std::uintptr_t>(block_.data());
  start_ = block_.data() + (round_up(address, kBlockAlignmentBytes) - address);
}

void CaseMemory::bind() {
  inputs_.clear();
  outputs_.clear();
  for (const Place& place : places_) {
    const std::span<std::byte> buffer{start_ + place.offset_bytes, place.size_bytes};
    if (place.field.access == Access::kInput)
      inputs_.emplace_back(buffer);
    else
      outputs_.push_back(buffer);
  }
}

void CaseMemory::lay_out(const Generated& generated) {
  places_.clear();
  std::size_t at = 0;
  for_each_tensor(generated.op, [&](const NamedTensor& tensor) {
    const std::size_t wanted = generated.contents.base_alignment_bytes;
    const std::size_t width = tensor.desc.element_size_bytes();
    at = round_up(at + kGuardBytes, std::max({wanted, width, std::size_t{32}}));
    if (wanted == 1) at += width;  // aligned to the element and to nothing more
    const std::size_t size_bytes = buffer_size_bytes(tensor.desc, generated.version.dialect());
    places_.push_back({&tensor.desc, tensor.field, at, size_bytes});
    at += size_bytes;
  });
  take_block(at + kGuardBytes);
}

void CaseMemory::make_noise(const Generated& generated) {
  lay_out(generated);
  fill_with_noise({start_, size_bytes_}, generated.contents.seed);
  bind();
}

void CaseMemory::make(const Generated& generated) {
  make_noise(generated);
  ContentPlan plan = generated.contents;
  for (const Place& place : places_) {
    if (place.field.access == Access::kOutput) continue;
    const std::span<std::byte> buffer{start_ + place.offset_bytes, place.size_bytes};
    // Each input another seed: an element from the wrong tensor must show.
    plan.seed += 0x9E3779B97F4A7C15;
    if (place.field.content == Content::kValues)
      write_values(*place.tensor, plan, buffer);
    else
      write_indices(*place.tensor, line_axis(generated.op), *indexed_size(generated.op), plan,
                    buffer);
  }
}

void CaseMemory::copy_from(const CaseMemory& other) {
  take_block(other.size_bytes_);
  places_ = other.places_;
  std::memcpy(start_, other.start_, size_bytes_);
  bind();
}

Case case_of(const Generated& generated, std::string id) {
  Case result;
  result.id = std::move(id);
  result.op = generated.op;
  result.version = generated.version;
  result.operator_name = describe(generated.op).name;
  result.strings = std::make_shared<StringPool>();
  result.inputs.resize(TensorList(result.op).inputs.size());
  return result;
}

Case case_of(const Generated& generated, const CaseMemory& memory, std::string id) {
  Case result = case_of(generated, std::move(id));
  const TensorList tensors(result.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const TensorDesc& tensor = tensors.inputs[i].desc;
    // Whole elements, as far as the layout reaches: what lies behind belongs to no element.
    const std::size_t size_bytes =
        extent_elements(tensor).value_or(0) * tensor.element_size_bytes();
    const std::span<const std::byte> input = memory.bindings().inputs[i].first(size_bytes);
    result.inputs[i] = {Contents::Kind::kPhysical, {input.begin(), input.end()}, 0};
  }
  return result;
}

std::string CaseMemory::difference_outside(const CaseMemory& other) const {
  std::size_t from = 0;
  for (std::size_t i = 0; i <= places_.size(); ++i) {
    const bool is_last = i == places_.size();
    const std::size_t to = is_last ? size_bytes_ : places_[i].offset_bytes;
    const auto [here, there] = std::mismatch(start_ + from, start_ + to, other.start_ + from);
    if (here != start_ + to) {
      const Place& place = places_[i == 0 ? 0 : i - 1];
      const std::ptrdiff_t byte = here - (start_ + place.offset_bytes);
      return "wrote outside " + std::string(place.field.name) + ": byte " + std::to_string(byte) +
             ", where its buffer has " + std::to_string(place.size_bytes) + " bytes";
    }
    if (!is_last) from = to + places_[i].size_bytes;
  }
  return "";
}

bool Differential::agrees_on_valid(const Generated& generated) {
  pristine_.make(generated);
  expected_.copy_from(pristine_);
  const ExecutionResult error =
      reference::execute(generated.op, generated.version, expected_.bindings());
  reference_error_ = error ? error->rule : std::string_view();

  refusal_.reset();
  failure_.reset();
  exception_.reset();
  try {
    Prepared prepared = tested_.prepare(generated.op, generated.version);
    if (auto* refusal = std::get_if<Refusal>(&prepared)) {
      refusal_ = std::move(*refusal);
      return false;
    }
    Executable& executable = *std::get<std::unique_ptr<Executable>>(prepared);
    const auto agrees = [&] {
      found_.copy_from(pristine_);
      failure_ = executable.execute(found_.bindings());
      return (error ? failure_ && failure_->rule == error->rule : !failure_) &&
             std::memcmp(expected_.all().data(), found_.all().data(), found_.all().size()) == 0;
    };
    return agrees() && (generated.contents.seed % kExecutedTwice != 0 || agrees());
  } catch (const std::exception& thrown) {
    exception_ = thrown.what();
    return false;
  }
}

bool Differential::refuses(const Generated& generated, std::string_view rule) {
  refusal_.reset();
  exception_.reset();
  try {
    Prepared prepared = tested_.prepare(generated.op, generated.version);
    if (auto* refusal = std::get_if<Refusal>(&prepared)) refusal_ = std::move(*refusal);
  } catch (const std::exception& thrown) {
    exception_ = thrown.what();
  }
  if (!refusal_ || refusal_->unsupported) return false;
  if (refusal_->rules.empty() && !tested_.names_rules()) return true;
  return refusal_->rules.size() == 1 && refusal_->rules.front() == rule;
}

std::optional<CaseResult> Differential::judge_refusal_or_crash(const Expectation& expected) const {
  CaseResult result;
  result.backend = tested_.name();
  result.verdict = Verdict::kPass;
  if (exception_) {
    result.verdict = Verdict::kCrash;
    result.message = "ended by an exception: " + words_of_others(*exception_);
  } else if (!refusal_) {
    return std::nullopt;
  } else if (refusal_->unsupported) {
    result.verdict = Verdict::kUnsupported;
    result.message = words_of_others(refusal_->message);
  } else {
    take(judge_refusal(expected, *refusal_, tested_.names_rules()), result);
  }
  return result;
}

CaseResult Differential::judge_valid(const Generated& generated) const {
  const TensorList tensors(generated.op);
  const Bindings before = pristine_.bindings();
  const Expectation expected =
      reference_expectation(generated.op, generated.version, tensors, before.inputs);
  if (auto result = judge_refusal_or_crash(expected)) return *std::move(result);

  CaseResult result;
  result.backend = tested_.name();
  result.verdict = Verdict::kPass;
  const Bindings after = found_.bindings();
  std::vector<ObservedInput> inputs;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    inputs.push_back({tensors.inputs[i], before.inputs[i], after.inputs[i]});
  std::vector<ObservedOutput> outputs;
  for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
    outputs.push_back({tensors.outputs[i], before.outputs[i], after.outputs[i]});

  if (std::string outside = pristine_.difference_outside(found_); !outside.empty())
    take({Verdict::kMemoryFault, "tensor.outside-intact", std::move(outside)}, result);
  take(judge_inputs(inputs), result);
  take(failure_ ? judge_failure(expected, *failure_, tested_.names_rules(), outputs)
                : judge_outputs(expected, inputs, outputs, false),
       result);
  if (result.verdict == Verdict::kPass)
    result.choices =
        choices_made(generated.op, generated.version, inputs, outputs, failure_.has_value());
  return result;
}

CaseResult Differential::judge_broken(std::string_view rule) const {
  Expectation expected;
  expected.kind = Expectation::Kind::kRejected;
  expected.rules.emplace_back(rule);
  if (auto result = judge_refusal_or_crash(expected)) return *std::move(result);
  CaseResult result;
  result.backend = tested_.name();
  result.verdict = Verdict::kPass;
  take(judge_acceptance(expected), result);
  return result;
}

}  // namespace opconform::harness
