#include "harness/generation/case_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/base/guard.h"
#include "harness/generation/generated_contents.h"

namespace opconform::generation {
namespace {

constexpr std::size_t kGuardBytes = 64;
constexpr std::size_t kBlockAlignmentBytes = 64;
constexpr std::size_t kAroundBytes = 4096;  // on each side of the block

const std::array<std::byte, kAroundBytes>& canaries() {
  static const auto all = [] {
    std::array<std::byte, kAroundBytes> made{};
    base::fill_with_noise(made, kAroundBytes);
    return made;
  }();
  return all;
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
  // Small cases follow each other in one block; a large one has one of its own, and no more.
  constexpr std::size_t kKept = std::size_t{1} << 20;
  size_bytes_ = size_bytes;
  if (size_bytes > kKept || block_.size() > 4 * kKept) block_ = {};
  constexpr std::size_t kMore = kBlockAlignmentBytes + 2 * kAroundBytes;
  if (block_.size() < size_bytes + kMore)
    block_.resize((size_bytes > kKept ? 1 : 2) * size_bytes + kMore);
  const auto address = reinterpret_cast<std::uintptr_t>(block_.data());
  start_ = block_.data() + (base::round_up(address, kBlockAlignmentBytes) - address) + kAroundBytes;
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
    at = base::round_up(at + kGuardBytes, std::max({wanted, width, std::size_t{32}}));
    if (wanted == 1) at += width;  // aligned to the element and to nothing more
    const std::size_t size_bytes = buffer_size_bytes(tensor.desc, generated.version.dialect());
    places_.push_back({&tensor.desc, tensor.field, at, size_bytes});
    at += size_bytes;
  });
  take_block(at + kGuardBytes);
}

void CaseMemory::make_noise(const Generated& generated) {
  lay_out(generated);
  base::fill_with_noise({start_, size_bytes_}, generated.contents.seed);
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

std::uint64_t CaseMemory::buffer_bytes() const {
  std::uint64_t size_bytes = 0;
  for (const Place& place : places_) size_bytes += place.size_bytes;
  return size_bytes;
}

void CaseMemory::surround() {
  for (std::byte* const zone : {start_ - kAroundBytes, start_ + size_bytes_})
    std::memcpy(zone, canaries().data(), kAroundBytes);
}

const std::byte* CaseMemory::first_change_around() const {
  for (const std::byte* const zone : {start_ - kAroundBytes, start_ + size_bytes_}) {
    if (std::memcmp(zone, canaries().data(), kAroundBytes) == 0) continue;
    return std::mismatch(zone, zone + kAroundBytes, canaries().data()).first;
  }
  return nullptr;
}

cases::Case case_of(const Generated& generated, std::string id) {
  cases::Case result;
  result.id = std::move(id);
  result.op = generated.op;
  result.version = generated.version;
  result.operator_name = describe(generated.op).name;
  result.strings = std::make_shared<cases::StringPool>();
  result.inputs.resize(cases::TensorList(result.op).inputs.size());
  return result;
}

cases::Case case_of(const Generated& generated, const CaseMemory& memory, std::string id) {
  cases::Case result = case_of(generated, std::move(id));
  const cases::TensorList tensors(result.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const TensorDesc& tensor = tensors.inputs[i].desc;
    // Whole elements, as far as the layout reaches: what lies behind belongs to no element.
    const std::size_t size_bytes = extent_bytes(tensor).value_or(0);
    const std::span<const std::byte> input = memory.bindings().inputs[i].first(size_bytes);
    result.inputs[i] = {cases::Contents::Kind::kPhysical, {input.begin(), input.end()}, 0};
  }
  return result;
}

std::string CaseMemory::difference_outside(const CaseMemory& other) const {
  std::size_t from = 0;
  for (std::size_t i = 0; i <= places_.size(); ++i) {
    const bool is_last = i == places_.size();
    const std::size_t to = is_last ? size_bytes_ : places_[i].offset_bytes;
    const auto [here, there] = std::mismatch(start_ + from, start_ + to, other.start_ + from);
    if (here != start_ + to) return outside_text(places_[i == 0 ? 0 : i - 1], here - start_);
    if (!is_last) from = to + places_[i].size_bytes;
  }
  const std::byte* const around = other.first_change_around();
  if (around == nullptr) return "";
  return outside_text(around < other.start_ ? places_.front() : places_.back(),
                      around - other.start_);
}

std::string CaseMemory::outside_text(const Place& nearest, std::ptrdiff_t at) {
  return "wrote outside " + std::string(nearest.field.name) + ": byte " +
         std::to_string(at - static_cast<std::ptrdiff_t>(nearest.offset_bytes)) +
         ", where its buffer has " + std::to_string(nearest.size_bytes) + " bytes";
}

}  // namespace opconform::generation
