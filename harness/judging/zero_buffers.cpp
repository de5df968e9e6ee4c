#include "harness/judging/zero_buffers.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace opconform::judging {
namespace {

/// Bytes that hold the tensor whichever of its fields somebody goes by; nothing where that is more
/// than such a case is worth.
std::optional<std::uint64_t> generous_size_bytes(const TensorDesc& tensor) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  const std::optional<std::uint64_t> elements = element_count(tensor.sizes);
  const std::optional<std::uint64_t> extent =
      stride_count_matches(tensor) ? extent_elements(tensor) : elements;
  if (!elements || !extent) return std::nullopt;
  const std::uint64_t most = std::max(*elements, *extent);
  if (most > kMostBytes || tensor.total_tensor_size_bytes > kMostBytes) return std::nullopt;
  const std::uint64_t bytes = most * tensor.element_size_bytes();
  return bytes > kMostBytes ? std::nullopt
                            : std::optional(std::max(bytes, tensor.total_tensor_size_bytes));
}

}  // namespace

ZeroBuffers::ZeroBuffers(const Operator& op) {
  std::vector<std::optional<std::uint64_t>> sizes;
  for_each_tensor(
      op, [&](const NamedTensor& tensor) { sizes.push_back(generous_size_bytes(tensor.desc)); });
  are_made_ =
      std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.has_value(); });
  buffers_.resize(sizes.size());
  constexpr std::size_t kMargin = 4096;
  if (are_made_)
    for (std::size_t i = 0; i < sizes.size(); ++i) buffers_[i].resize(*sizes[i] + 2 * kMargin);
  std::size_t next = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const std::span<std::byte> buffer =
        are_made_ ? std::span(buffers_[next]).subspan(kMargin, *sizes[next])
                  : std::span<std::byte>();
    ++next;
    if (tensor.field.access == Access::kInput)
      inputs_.emplace_back(buffer);
    else
      outputs_.emplace_back(buffer);
  });
}

}  // namespace opconform::judging
