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

void demand_room(const cases::Case& tested, const cases::TensorList& tensors,
                 std::uint64_t limit_bytes) {
  // However high the limit: layouts of up to 2 GiB can always be told valid or not
  // (kOverlapWorkLimit).
  limit_bytes = std::min(limit_bytes, kOverlapWorkLimit);
  std::uint64_t left = limit_bytes;
  const auto add = [&](const NamedTensor& tensor) {
    std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, tested.version.dialect());
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
  for (const NamedTensor& tensor : tensors.inputs) add(tensor);
  for (const NamedTensor& tensor : tensors.outputs) add(tensor);
}

}  // namespace

void cannot_run(const cases::Case& tested, const std::string& why) {
  throw base::BadInput(tested.file, tested.id, why);
}

CaseBuffers::CaseBuffers(const cases::Case& tested, const cases::TensorList& tensors,
                         const CheckOptions& options, Base base)
    : tensors_(tensors) {
  const Dialect dialect = tested.version.dialect();
  demand_room(tested, tensors, options.memory_limit_bytes);
  const std::optional<std::uint64_t> index_limit = indexed_size(tested.op);
  // Each case other addresses: together they start at all of them.
  std::uint64_t seed = base::random_bits(base == Base::kOdd ? options.seed : ~options.seed,
                                         base::hash_text(tested.id));
  const auto add = [&](const NamedTensor& tensor) {
    seed = base::random_bits(seed, buffers_.size());
    buffers_.emplace_back(buffer_size_bytes(tensor.desc, dialect), tensor.desc.element_size_bytes(),
                          options.guard, seed, base);
    return buffers_.back().bytes();
  };
  buffers_.reserve(tensors.inputs.size() + tensors.outputs.size());
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    const std::span<std::byte> buffer = add(tensor);
    if (tested.inputs[i].kind == cases::Contents::Kind::kNone && !buffer.empty())
      cannot_run(tested, tensor.path.text() + " has no contents, but the case is to be executed");
    cases::write_contents(tested.inputs[i], tensor.desc,
                          tensor.field.content == Content::kIndices ? index_limit : std::nullopt,
                          *tested.strings, seed, buffer);
    inputs_.emplace_back(buffer);
    inputs_before_.emplace_back(buffer.begin(), buffer.end());
  }
  for (const NamedTensor& tensor : tensors.outputs) outputs_.push_back(add(tensor));
}

void CaseBuffers::prepare_outputs(const cases::Expectation& expected, std::uint64_t seed) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    base::fill_with_noise(outputs_[i], ~seed);
    mark_unwritten(expected, i);
    outputs_before_.emplace_back(outputs_[i].begin(), outputs_[i].end());
  }
}

std::uint64_t CaseBuffers::size_bytes() const {
  std::uint64_t size_bytes = 0;
  for (const GuardedBuffer& buffer : buffers_) size_bytes += buffer.bytes().size();
  return size_bytes;
}

std::vector<ObservedInput> CaseBuffers::observed_inputs() const {
  std::vector<ObservedInput> observed;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    observed.push_back({tensors_.inputs[i], inputs_before_[i], inputs_[i]});
  return observed;
}

std::vector<ObservedOutput> CaseBuffers::observed_outputs() const {
  std::vector<ObservedOutput> observed;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    observed.push_back({tensors_.outputs[i], outputs_before_[i], outputs_[i]});
  return observed;
}

Judgement CaseBuffers::judge_canaries() const {
  Judgement result;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    result.checks += buffers_[i].guard_size_bytes();
    const std::optional<std::ptrdiff_t> changed = buffers_[i].changed_canary();
    if (!changed) continue;
    const NamedTensor& tensor = i < tensors_.inputs.size()
                                    ? tensors_.inputs[i]
                                    : tensors_.outputs[i - tensors_.inputs.size()];
    const std::size_t size_bytes = buffers_[i].bytes().size();
    result.verdict = Verdict::kMemoryFault;
    result.rule = "tensor.outside-intact";
    result.message = "wrote outside " + tensor.path.text() + ": byte " + std::to_string(*changed) +
                     ", where its buffer has " + std::to_string(size_bytes) + " bytes";
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
  for (std::size_t i = 0; i < tensors_.inputs.size(); ++i) {
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
      differ = differ || !cases::same_element(type, first, element);
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
  const bool is_known =
      expected.kind == cases::Expectation::Kind::kOutputs && !expected.outputs[output].unspecified;
  const bool is_string = tensor.data_type == DataType::kString;
  if (!is_known && !is_string) return;
  const StringElement unwritten{kUnwritten.data(), kUnwritten.size()};
  auto open = expected.outputs.empty()
                  ? std::vector<cases::ExpectedOutput::OpenElement>::const_iterator{}
                  : expected.outputs[output].open_elements.begin();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::byte* element = outputs_[output].data() + offset * size_bytes;
    if (is_string) {
      std::memcpy(element, &unwritten, sizeof unwritten);
      return;
    }
    const cases::ExpectedOutput& wanted = expected.outputs[output];
    const std::byte* value = wanted.elements.data() + number * size_bytes;
    for (std::size_t i = 0; i < size_bytes; ++i) element[i] = ~value[i];
    const bool is_open = open != wanted.open_elements.end() && open->element == number;
    if (!is_open && wanted.leeway == cases::Leeway()) return;
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
