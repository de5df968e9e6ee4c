#include "harness/judging/late_refusal.h"

#include <algorithm>
#include <vector>

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

/// Buffers of zeros for all tensors of an operator, or empty ones for all.
class ZeroBuffers {
 public:
  explicit ZeroBuffers(const Operator& op) {
    std::vector<std::optional<std::uint64_t>> sizes;
    for_each_tensor(
        op, [&](const NamedTensor& tensor) { sizes.push_back(generous_size_bytes(tensor.desc)); });
    const bool can_be_made =
        std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.has_value(); });
    buffers_.resize(sizes.size());
    for (std::size_t i = 0; can_be_made && i < sizes.size(); ++i) buffers_[i].resize(*sizes[i]);
    std::size_t next = 0;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      std::vector<std::byte>& buffer = buffers_[next++];
      if (tensor.field.access == Access::kInput)
        inputs_.emplace_back(buffer);
      else
        outputs_.emplace_back(buffer);
    });
  }
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }

 private:
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace

std::optional<backends::Refusal> late_refusal(backends::Executable& plan, const Operator& op) {
  if (!plan.refuses_late()) return std::nullopt;
  const ZeroBuffers buffers(op);
  backends::Ending ending = plan.execute(buffers.bindings());
  if (auto* refusal = std::get_if<backends::Refusal>(&ending)) return std::move(*refusal);
  // Whoever fails at a descriptor that must be refused does refuse it, in the words it has.
  if (auto* failure = std::get_if<backends::Failure>(&ending)) {
    backends::Refusal refusal{backends::Refusal::Kind::kRefused, {}, std::move(failure->message)};
    if (!failure->rule.empty()) refusal.rules.push_back(std::move(failure->rule));
    return refusal;
  }
  return std::nullopt;
}

}  // namespace opconform::judging
