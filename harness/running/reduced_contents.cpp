#include "harness/running/reduced_contents.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/cases/contents.h"
#include "harness/generation/generator.h"
#include "harness/judging/guarded_buffer.h"
#include "spec/validate.h"

namespace opconform::running {
namespace {

using cases::Contents;

constexpr std::uint64_t kGapSeed = 0;
/// Each step copies the values of inputs that are no patterns.
constexpr std::uint64_t kMostValueBytes = std::uint64_t{16} << 20;
/// Indices that stay in a pattern.
constexpr std::size_t kMostBadIndices = 64;

bool holds_indices(const NamedTensor& tensor) { return tensor.field.content == Content::kIndices; }

std::uint64_t size_of(const NamedTensor& tensor, const cases::Case& one) {
  return buffer_size_bytes(tensor.desc, one.version.dialect());
}
bool must_change(const NamedTensor& tensor, const Contents& contents, const cases::Case& one) {
  return contents.kind != Contents::Kind::kNone && !is_pattern(contents) &&
         size_of(tensor, one) > kMostWrittenBytes;
}
/// What large inputs hold that are no patterns: indices, or all.
std::uint64_t value_bytes(const cases::Case& one, bool all) {
  const cases::TensorList tensors(one.op);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i)
    if ((all || holds_indices(tensors.inputs[i])) &&
        must_change(tensors.inputs[i], one.inputs[i], one))
      sum += size_of(tensors.inputs[i], one);
  return sum;
}

/// Negative ones too: as bits they are large.
void keep_bad_indices(const Contents& physical, const TensorDesc& tensor, std::uint64_t limit,
                      Contents& pattern) {
  const std::size_t width = tensor.element_size_bytes();
  base::for_each_address_run(tensor, [&](std::uint64_t offset, std::uint64_t count) {
    for (std::uint64_t at = offset; at < offset + count; ++at) {
      const std::byte* const element = physical.bytes.data() + at * width;
      std::uint64_t bits = 0;
      std::memcpy(&bits, element, std::min(width, sizeof bits));
      if (bits < limit || pattern.except.size() == kMostBadIndices) continue;
      if (!pattern.except.empty() && at <= pattern.except.back()) continue;  // they ascend
      pattern.except.push_back(at);
      pattern.bytes.insert(pattern.bytes.end(), element, element + width);
    }
  });
}

Contents large_contents(LargeInputs kind, const cases::Case& failing, const NamedTensor& tensor,
                        std::size_t input) {
  const bool is_index = holds_indices(tensor);
  if (kind == LargeInputs::kAsTheyAre || (kind == LargeInputs::kWithIndices && is_index))
    return physical_contents(failing, input);
  Contents pattern{Contents::Kind::kRandom, {}, input};
  if (kind == LargeInputs::kWithBadIndices && is_index)
    keep_bad_indices(physical_contents(failing, input), tensor.desc,
                     indexed_size(failing.op).value_or(0), pattern);
  return pattern;
}

std::uint64_t input_bytes(const cases::Case& one) {
  std::uint64_t sum = 0;
  for (const NamedTensor& tensor : cases::TensorList(one.op).inputs) sum += size_of(tensor, one);
  return sum;
}

}  // namespace

bool has_too_many_values(const cases::Case& one) {
  return value_bytes(one, true) > kMostValueBytes;
}

std::optional<cases::Case> with_inputs(LargeInputs kind, const cases::Case& failing) {
  if (kind != LargeInputs::kPatterns) {
    const std::uint64_t stay = value_bytes(failing, kind == LargeInputs::kAsTheyAre);
    if (stay == 0 || stay > kMostValueBytes) return std::nullopt;
  }
  cases::Case result = without_inputs(failing);
  const cases::TensorList tensors(failing.op);
  for (std::size_t i = 0; i < result.inputs.size(); ++i) {
    const Contents& contents = failing.inputs[i];
    if (contents.kind == Contents::Kind::kNone) continue;
    if (must_change(tensors.inputs[i], contents, failing))
      result.inputs[i] = large_contents(kind, failing, tensors.inputs[i], i);
    else if (size_of(tensors.inputs[i], failing) <= kMostWrittenBytes)
      result.inputs[i] = physical_contents(failing, i);
    else
      result.inputs[i] = contents;
  }
  return result;
}

cases::Case without_inputs(const cases::Case& failing) {
  cases::Case result = failing;
  result.expect = {};
  result.twin.clear();
  for (Contents& contents : result.inputs) contents = {};
  return result;
}

bool is_pattern(const Contents& contents) {
  return contents.kind == Contents::Kind::kIota || contents.kind == Contents::Kind::kRandom;
}

Contents physical_contents(const cases::Case& one, std::size_t input) {
  const cases::TensorList tensors(one.op);
  const NamedTensor& tensor = tensors.inputs[input];
  // What the case says may reach further than the layout: it is cut afterwards.
  std::vector<std::byte> buffer(size_of(tensor, one));
  cases::write_contents(one.inputs[input], tensor.desc,
                        holds_indices(tensor) ? indexed_size(one.op) : std::nullopt, *one.strings,
                        kGapSeed, buffer);
  buffer.resize(extent_bytes(tensor.desc).value_or(0));
  return {Contents::Kind::kPhysical, std::move(buffer), 0};
}

Contents leading_part(const TensorDesc& old, const Contents& contents, const TensorDesc& tensor,
                      std::size_t removed) {
  const std::size_t size_bytes = tensor.element_size_bytes();
  const std::uint64_t extent = extent_elements(tensor).value_or(0);
  if (is_pattern(contents)) {
    Contents part = contents;
    while (!part.except.empty() && part.except.back() >= extent) part.except.pop_back();
    part.bytes.resize(part.except.size() * size_bytes);
    return part;
  }
  Contents part{Contents::Kind::kPhysical, {}, 0};
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

void narrow(std::size_t old_size_bytes, std::size_t size_bytes, Contents& contents) {
  std::vector<std::byte> narrowed;
  for (std::size_t at = 0; at + old_size_bytes <= contents.bytes.size(); at += old_size_bytes)
    for (std::size_t k = 0; k < size_bytes; ++k) narrowed.push_back(contents.bytes[at + k]);
  contents.bytes = std::move(narrowed);
}

bool takes_more_memory(const cases::Case& one, const cases::Case& other) {
  constexpr std::uint64_t kMuch = std::uint64_t{64} << 20;
  constexpr std::uint64_t kSparse = judging::GuardedBuffer::kSparseBytes;
  const std::uint64_t size_bytes = input_bytes(one);
  const std::uint64_t other_bytes = input_bytes(other);
  return size_bytes > kMuch &&
         (size_bytes > other_bytes || (size_bytes <= kSparse && other_bytes > kSparse)) &&
         is_valid(one.op, one.version);  // else nothing is executed
}

std::uint64_t hash_of(const Contents& contents) {
  std::uint64_t hash = base::random_bits(static_cast<std::uint64_t>(contents.kind), contents.seed);
  hash = base::random_bits(hash, contents.period);
  hash = base::hash_bytes(std::as_bytes(std::span(contents.except)), hash);
  return base::hash_bytes(contents.bytes, base::random_bits(hash, contents.bytes.size()));
}

}  // namespace opconform::running
