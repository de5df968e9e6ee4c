// What is wrong with a tensor, seen wrongly: overlaps, buffer sizes, limits.

#include <limits>
#include <numeric>

#include "planted/rejection_seams.h"

namespace opconform::planted {
namespace {

bool repeats_outputs(const NamedTensor& tensor) {
  if (tensor.field.access == Access::kInput || !tensor.desc.strides) return false;
  for (std::size_t i = 0; i < tensor.desc.rank(); ++i)
    if ((*tensor.desc.strides)[i] == 0 && tensor.desc.sizes[i] > 1) return true;
  return false;
}

/// Do the dimensions, from the smallest stride on, each begin behind what the ones before cover?
bool is_nested(const TensorDesc& tensor) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dimensions;  // stride, size
  const Dims strides = effective_strides(tensor);
  for (std::size_t i = 0; i < tensor.rank(); ++i)
    if (tensor.sizes[i] > 1) dimensions.emplace_back(strides[i], tensor.sizes[i]);
  std::sort(dimensions.begin(), dimensions.end());
  std::uint64_t covered = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride < covered) return false;
    covered = stride * size;
  }
  return true;
}

/// Are any two dimensions apart, whatever the others add?
bool is_disjoint_by_pairs(const TensorDesc& tensor) {
  const Dims strides = effective_strides(tensor);
  const Dims& sizes = tensor.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] == 0 && sizes[i] > 1) return false;
    for (std::size_t k = 0; k < i; ++k) {
      const std::uint64_t common = std::gcd(strides[i], strides[k]);
      // The smallest steps of both that come to the same place.
      if (common == 0 || (strides[k] / common < sizes[i] && strides[i] / common < sizes[k]))
        return false;
    }
  }
  return true;
}

constexpr Row kTensorRejectionBugs[] = {
    {"overlap-judged-by-extent",
     "takes an output for free of overlaps where its extent is as large as its elements are many "
     "(strides.packed-definition)",
     kDirectml, "tensor.output-no-overlap",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.output-no-overlap", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kInput ||
                extent_elements(tensor.desc) >= element_count(tensor.desc.sizes);
       });
     }},
    {"overlap-judged-by-zero-strides", "looks for strides of 0 alone", kDirectml,
     "tensor.output-no-overlap",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.output-no-overlap",
                       [](const NamedTensor& tensor) { return !repeats_outputs(tensor); });
     }},
    {"overlap-judged-pairwise",
     "compares an output's dimensions two by two: that two strides add up to a third goes unseen",
     kDirectml, "tensor.output-no-overlap",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.output-no-overlap", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kInput || is_disjoint_by_pairs(tensor.desc);
       });
     }},
    {"interleaved-output-refused",
     "rejects outputs whose dimensions interleave without meeting: the quick test of PyTorch's "
     "memory overlap check as the whole answer",
     kDirectml, "tensor.output-no-overlap",
     [](Seams& s) {
       reject_tensor(s, "tensor.output-no-overlap", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kOutput && !is_nested(tensor.desc);
       });
     }},
    {"size-one-stride-counted",
     "counts the stride of a dimension of size 1 as if it had a second element", kDirectml,
     "tensor.buffer-size tensor.size-one-stride",
     [](Seams& s) {
       reject_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         for (std::size_t i = 0; tensor.desc.strides && i < tensor.desc.rank(); ++i)
           if (tensor.desc.sizes[i] == 1 &&
               (*tensor.desc.strides)[i] > tensor.desc.total_tensor_size_bytes)
             return true;
         return false;
       });
     }},
    {"buffer-size-as-if-packed",
     "wants bytes for the product of the sizes only, as the page's padding section says "
     "(strides.padding-size)",
     kDirectml, "tensor.buffer-size",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         const std::uint64_t count = element_count(tensor.desc.sizes).value_or(0);
         return tensor.desc.total_tensor_size_bytes >= count * tensor.desc.element_size_bytes();
       });
     }},
    {"buffer-of-whole-rows-wanted",
     "wants the padding behind the last row, too: size * stride for (size - 1) * stride + 1",
     kDirectml, "tensor.buffer-size",
     [](Seams& s) {
       reject_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         for (std::size_t i = 0; tensor.desc.strides && i < tensor.desc.rank(); ++i)
           if (tensor.desc.sizes[i] > 1 &&
               tensor.desc.sizes[i] * (*tensor.desc.strides)[i] * tensor.desc.element_size_bytes() >
                   tensor.desc.total_tensor_size_bytes)
             return true;
         return false;
       });
     }},
    {"larger-buffer-refused", "wants exactly what the helper computes, not at least that",
     kDirectml, "tensor.buffer-size",
     [](Seams& s) {
       reject_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         return tensor.desc.total_tensor_size_bytes > buffer_tensor_size(tensor.desc);
       });
     }},
    {"buffer-of-any-granularity", "does not want sizes in bytes to be multiples of 4", kDirectml,
     "tensor.buffer-granularity",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-granularity", [](const NamedTensor&) { return true; });
     }},
    {"buffer-size-not-rounded",
     "wants room for the elements, but not the rounding up to a multiple of 4", kDirectml,
     "tensor.buffer-size",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         const auto extent = extent_elements(tensor.desc);
         return extent &&
                *extent * tensor.desc.element_size_bytes() <= tensor.desc.total_tensor_size_bytes;
       });
     }},
    {"buffer-size-in-32-bits", "computes what a buffer must hold modulo 2^32", kDirectml,
     "tensor.buffer-size",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         const auto least = buffer_tensor_size(tensor.desc);
         return least && static_cast<std::uint32_t>(*least) <= tensor.desc.total_tensor_size_bytes;
       });
     }},
    {"size-in-bytes-wraps",
     "computes buffer sizes modulo 2^64 (modulo 2^32 in DMLCalcBufferTensorSize before DirectML "
     "296)",
     kDirectml, "tensor.size-overflow",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.size-overflow", [](const NamedTensor&) { return true; });
     }},
    {"element-limit-of-places",
     "limits the elements in memory, not the logical ones: broadcasts pass", kDirectml,
     "tensor.element-limit",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.element-limit", [](const NamedTensor& tensor) {
         return extent_elements(tensor.desc) < std::uint64_t{1} << 32;
       });
     }},
    {"element-limit-in-32-bits", "counts elements modulo 2^32: never too many", kDirectml,
     "tensor.element-limit",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.element-limit", [](const NamedTensor&) { return true; });
     }},
    {"element-limit-of-inputs-only", "does not count the elements of outputs", kDirectml,
     "tensor.element-limit",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.element-limit", [](const NamedTensor& tensor) {
         constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
         return tensor.field.access == Access::kOutput ||
                element_count(tensor.desc.sizes).value_or(kMost + 1) <= kMost;
       });
     }},
    {"size-overflow-of-inputs-only", "computes the sizes of outputs without looking for overflow",
     kDirectml, "tensor.size-overflow",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.size-overflow", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kOutput || buffer_tensor_size(tensor.desc);
       });
     }},
};

}  // namespace

Rows tensor_rejection_bugs() { return kTensorRejectionBugs; }

}  // namespace opconform::planted
