#include "harness/judging/case_buffers.h"

#include <algorithm>
#include <cstring>

#include "harness/base/bad_input.h"
#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/cases/contents.h"
#include "harness/cases/element.h"
#include "harness/judging/wrong_elements.h"
#include "spec/validate.h"

namespace opconform::judging {
namespace {

/// What an unwritten element of type string shows.
constexpr std::string_view kUnwritten = "(never written)";

/// Addresses of one tensor. No machine has more, and most have as many.
constexpr std::uint64_t kMostAddressedBytes = std::uint64_t{1} << 38;
constexpr std::uint64_t kPageBytes = 4096;

/// Of larger cases nobody keeps what stood in the buffers: between pages, who writes into an input
/// is noted, and what an output must not hold follows from what it must.
constexpr std::uint64_t kMostCopiedBytes = std::uint64_t{64} << 20;

bool is_copied(const cases::TensorList& tensors, Dialect dialect) {
  std::uint64_t size_bytes = 0;
  for (const auto* const some : {&tensors.inputs, &tensors.outputs})
    for (const NamedTensor& tensor : *some) size_bytes += buffer_size_bytes(tensor.desc, dialect);
  return size_bytes <= kMostCopiedBytes;
}

/// Can its buffer be made of one period, again and again?
bool repeats_pages(const cases::Contents& contents, const TensorDesc& tensor) {
  return contents.period != 0 && !tensor.strides &&
         contents.period * tensor.element_size_bytes() % kPageBytes == 0;
}

/// What a sparse buffer takes of the memory: the pages that are written.
std::uint64_t touched_bytes(const TensorDesc& tensor, std::uint64_t size_bytes,
                            const cases::Contents* contents) {
  if (contents != nullptr && repeats_pages(*contents, tensor))
    return contents->period * tensor.element_size_bytes();
  const std::uint64_t elements =
      element_count(base::without_repetition(tensor).sizes).value_or(size_bytes);
  return std::min(size_bytes,
                  elements > size_bytes / kPageBytes ? size_bytes : elements * 2 * kPageBytes);
}

void demand_room(const cases::Case& tested, const cases::TensorList& tensors,
                 std::uint64_t limit_bytes) {
  // However high the limit: layouts of up to 2 GiB can always be told valid or not
  // (kOverlapWorkLimit).
  limit_bytes = std::min(limit_bytes, kOverlapWorkLimit);
  std::uint64_t left = limit_bytes;
  const auto add = [&](const NamedTensor& tensor, const cases::Contents* contents) {
    const std::uint64_t all_bytes = buffer_size_bytes(tensor.desc, tested.version.dialect());
    std::uint64_t size_bytes = all_bytes;
    if (all_bytes <= kMostAddressedBytes && is_sparse(tensor.desc, all_bytes, contents))
      size_bytes = touched_bytes(tensor.desc, all_bytes, contents);
    // Every index is read, also where a stride of 0 makes 2^32 of them out of one: what takes
    // time counts.
    if (tensor.field.content == Content::kIndices)
      size_bytes = std::max(size_bytes, element_count(tensor.desc.sizes).value_or(0) *
                                            tensor.desc.element_size_bytes());
    if (size_bytes > left)
      cannot_run(tested, tensor.path.text() + " needs " + std::to_string(size_bytes) +
                             " bytes, more than the memory limit of " +
                             std::to_string(limit_bytes) + " bytes leaves for it");
    left -= size_bytes;
  };
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) add(tensors.inputs[i], &tested.inputs[i]);
  for (const NamedTensor& tensor : tensors.outputs) add(tensor, nullptr);
}

TensorBytes one_period(const cases::Contents& contents, const TensorDesc& tensor,
                       std::optional<std::uint64_t> index_limit, cases::StringPool& strings) {
  TensorDesc part = tensor;
  part.sizes = {contents.period};
  TensorBytes bytes(contents.period * tensor.element_size_bytes());
  cases::write_contents(contents, part, index_limit, strings, std::nullopt, bytes);
  return bytes;
}

void take_outside(Judgement& result, const char* verb, const NamedTensor& tensor, std::ptrdiff_t at,
                  std::size_t size_bytes) {
  result.verdict = Verdict::kMemoryFault;
  result.rule = "tensor.outside-intact";
  result.message = std::string(verb) + " outside " + tensor.path.text() + ": byte " +
                   std::to_string(at) + ", where its buffer has " + std::to_string(size_bytes) +
                   " bytes";
}

}  // namespace

bool is_sparse(const TensorDesc& tensor, std::uint64_t size_bytes,
               const cases::Contents* contents) {
  constexpr std::uint64_t kMostTouched = 16;  // one of so many bytes
  return size_bytes > GuardedBuffer::kSparseBytes ||
         (size_bytes > kMostCopiedBytes &&
          touched_bytes(tensor, size_bytes, contents) <= size_bytes / kMostTouched);
}

void cannot_run(const cases::Case& tested, const std::string& why) {
  throw base::BadInput(tested.file, tested.id, why);
}

CaseBuffers::CaseBuffers(const cases::Case& tested, const cases::TensorList& tensors,
                         const CheckOptions& options, Base base)
    : tensors_(tensors), strict_gaps_(options.strict_gaps) {
  const Dialect dialect = tested.version.dialect();
  demand_room(tested, tensors, options.memory_limit_bytes);
  is_copied_ = is_copied(tensors, dialect);
  const std::optional<std::uint64_t> index_limit = indexed_size(tested.op);
  // Each case other addresses: together they start at all of them.
  std::uint64_t seed =
      base::random_bits(base == Base::kOdd || base == Base::kAtEnd ? options.seed : ~options.seed,
                        base::hash_text(tested.id));
  using Rights = GuardPages::Rights;
  const auto add = [&](const NamedTensor& tensor, Base own_base, Rights rights,
                       const cases::Contents* contents) {
    seed = base::random_bits(seed, buffers_.size());
    const std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, dialect);
    buffers_.emplace_back(size_bytes, tensor.desc.element_size_bytes(), options.guard, seed,
                          own_base, rights, is_sparse(tensor.desc, size_bytes, contents));
    return buffers_.back().bytes();
  };
  buffers_.reserve(tensors.inputs.size() + tensors.outputs.size());
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    const cases::Contents& contents = tested.inputs[i];
    const std::span<std::byte> buffer =
        add(tensor, contents.period != 0 ? Base::kAtStart : base, Rights::kRead, &contents);
    if (contents.kind == cases::Contents::Kind::kNone && !buffer.empty())
      cannot_run(tested, tensor.path.text() + " has no contents, but the case is to be executed");
    const auto limit = tensor.field.content == Content::kIndices ? index_limit : std::nullopt;
    if (buffers_.back().is_sparse() && repeats_pages(contents, tensor.desc)) {
      const TensorBytes once = one_period(contents, tensor.desc, limit, *tested.strings);
      buffers_.back().repeat(once);
    } else {
      cases::write_contents(contents, tensor.desc, limit, *tested.strings,
                            buffers_.back().is_sparse() ? std::nullopt : std::optional(seed),
                            buffers_.back().own_bytes());
    }
    inputs_.emplace_back(buffer);
    inputs_before_.emplace_back();
    if (is_copied_ || !buffers_.back().notes_writes())
      inputs_before_.back().assign(buffer.begin(), buffer.end());
  }
  for (const NamedTensor& tensor : tensors.outputs)
    outputs_.push_back(add(tensor, base, Rights::kReadAndWrite, nullptr));
}

void CaseBuffers::prepare_outputs(const cases::Expectation& expected, std::uint64_t seed) {
  outputs_before_.clear();
  const bool are_copied = is_copied_ || strict_gaps_ || may_fail_unwritten(expected);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const bool is_sparse = buffers_[inputs_.size() + i].is_sparse();
    if (!is_sparse) base::fill_with_noise(outputs_[i], ~seed);
    mark_unwritten(expected, i);
    outputs_before_.emplace_back();
    if (are_copied && !is_sparse)
      outputs_before_.back().assign(outputs_[i].begin(), outputs_[i].end());
  }
  for (const GuardedBuffer& buffer : buffers_) buffer.release();
  GuardPages::watch();
}

std::uint64_t CaseBuffers::size_bytes() const {
  std::uint64_t size_bytes = 0;
  for (const GuardedBuffer& buffer : buffers_) size_bytes += buffer.bytes().size();
  return size_bytes;
}

std::vector<ObservedInput> CaseBuffers::observed_inputs() const {
  std::vector<ObservedInput> observed;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    observed.push_back({tensors_.inputs[i],
                        inputs_before_[i].empty() ? inputs_[i] : inputs_before_[i], inputs_[i]});
  return observed;
}

std::vector<ObservedOutput> CaseBuffers::observed_outputs() const {
  std::vector<ObservedOutput> observed;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    observed.push_back({tensors_.outputs[i], outputs_before_[i], outputs_[i]});
  return observed;
}

const NamedTensor& CaseBuffers::tensor_of(std::size_t buffer) const {
  return buffer < tensors_.inputs.size() ? tensors_.inputs[buffer]
                                         : tensors_.outputs[buffer - tensors_.inputs.size()];
}

Judgement CaseBuffers::judge_canaries() const {
  Judgement result;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    result.checks += buffers_[i].guard_size_bytes();
    const std::optional<std::ptrdiff_t> changed = buffers_[i].changed_canary();
    if (!changed) continue;
    take_outside(result, "wrote", tensor_of(i), *changed, buffers_[i].bytes().size());
    break;
  }
  return result;
}

Judgement CaseBuffers::judge_touches() const {
  Judgement result;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const std::optional<GuardPages::Touch> touch = buffers_[i].first_touch();
    if (!touch) continue;
    const std::size_t size_bytes = buffers_[i].bytes().size();
    if (buffers_[i].is_outside(touch->at)) {
      take_outside(result, "read", tensor_of(i), touch->at, size_bytes);
      break;
    }
    result.verdict = Verdict::kMemoryFault;
    result.rule = "tensor.input-intact";
    result.message =
        "byte " + std::to_string(touch->at) + " of " + tensor_of(i).path.text() +
        (inputs_before_[i].empty() ? " was written" : " was written, and is as it was before");
    break;
  }
  return result;
}

std::vector<std::vector<std::ptrdiff_t>> CaseBuffers::changed_outside() const {
  std::vector<std::vector<std::ptrdiff_t>> changed;
  for (const GuardedBuffer& buffer : buffers_) changed.push_back(buffer.changed_canaries());
  return changed;
}

bool CaseBuffers::contents_are_weak() const {
  const std::byte* first = nullptr;
  DataType type{};
  std::uint64_t count = 0;
  bool differ = false;
  for (std::size_t i = 0; !differ && i < tensors_.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors_.inputs[i];
    if (tensor.field.content != Content::kValues) continue;
    const std::byte* buffer = inputs_[i].data();
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    count += element_count(tensor.desc.sizes).value_or(0);
    base::for_each_address(tensor.desc, [&](std::uint64_t offset) {
      const std::byte* element = buffer + offset * size_bytes;
      if (first == nullptr) {
        first = element;
        type = tensor.desc.data_type;
      }
      differ = !cases::same_element(type, first, element);
      return !differ;
    });
  }
  return count > 1 && !differ;
}

void CaseBuffers::mark_unwritten(const cases::Expectation& expected, std::size_t output) {
  if (expected.kind == cases::Expectation::Kind::kAnyOf) {
    for (const cases::Expectation& one : expected.any_of) mark_unwritten(one, output);
    return;
  }
  const TensorDesc& tensor = tensors_.outputs[output].desc;
  const std::size_t size_bytes = tensor.element_size_bytes();
  std::byte* const buffer = outputs_[output].data();
  if (tensor.data_type == DataType::kString) {
    const StringElement unwritten{kUnwritten.data(), kUnwritten.size()};
    base::for_each_element(tensor, [&](std::uint64_t /*number*/, std::uint64_t offset) {
      std::memcpy(buffer + offset * size_bytes, &unwritten, sizeof unwritten);
    });
    return;
  }
  if (expected.kind != cases::Expectation::Kind::kOutputs || expected.outputs[output].unspecified)
    return;
  const cases::ExpectedOutput& wanted = expected.outputs[output];
  base::for_each_run(tensor, [&](std::uint64_t number, std::uint64_t offset, std::uint64_t count) {
    const std::byte* values = wanted.elements.data() + number * size_bytes;
    std::transform(values, values + count * size_bytes, buffer + offset * size_bytes,
                   [](std::byte value) { return ~value; });
  });
  if (wanted.open_elements.empty() && wanted.leeway == cases::Leeway()) return;
  auto open = wanted.open_elements.begin();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::byte* element = buffer + offset * size_bytes;
    const std::byte* value = wanted.elements.data() + number * size_bytes;
    const bool is_open = open != wanted.open_elements.end() && open->element == number;
    // Step through values until none that is permitted stands there.
    const cases::ExpectedOutput::OpenElement* const values = is_open ? &*open++ : nullptr;
    const auto is_right = [&] {
      return is_permitted(tensor.data_type, element, value, values, wanted.leeway);
    };
    for (int step = 0; step < 256 && is_right(); ++step)
      element[0] = static_cast<std::byte>(std::to_integer<unsigned>(element[0]) + 1U);
  });
}

}  // namespace opconform::judging
