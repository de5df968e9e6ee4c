// Tensor descriptors and the arithmetic of their layout, in 64 bits throughout.
// Source: the page on tensor sizes and strides; DML_BUFFER_TENSOR_DESC; DMLCalcBufferTensorSize.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "spec/data_type.h"
#include "spec/inline_vector.h"

namespace opconform {

/// Dimensions that a descriptor can hold. The documents name at most 8 (DirectML) and none (ONNX);
/// what a rule rejects must still be representable, and ONNX outputs reach rank 15 from the ranks
/// promised.
inline constexpr std::size_t kMaxRank = 32;

/// Sizes, strides or coordinates, one a dimension, in elements.
using Dims = InlineVector<std::uint64_t, kMaxRank>;

/// One tensor. A DirectML tensor has UINT sizes and strides and a buffer size; an ONNX tensor is
/// packed, may have sizes of 0 and may have rank 0.
struct TensorDesc {
  DataType data_type = DataType::kFloat32;
  Dims sizes;
  std::optional<Dims> strides;                ///< elements; none means packed
  std::uint64_t total_tensor_size_bytes = 0;  ///< of the buffer; DirectML only

  [[nodiscard]] std::size_t rank() const { return sizes.size(); }
  [[nodiscard]] std::size_t element_size_bytes() const {
    return opconform::element_size_bytes(data_type);
  }
  friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

/// A packed tensor of just the bytes it needs (0 where that number does not exist: see
/// buffer_tensor_size).
TensorDesc packed_tensor(DataType data_type, const Dims& sizes);
TensorDesc strided_tensor(DataType data_type, const Dims& sizes, const Dims& strides);

/// Product of the sizes; nothing where it does not fit in 64 bits. 0 where a size is 0.
[[nodiscard]] std::optional<std::uint64_t> element_count(const Dims& sizes);

/// The product of all later sizes, for each dimension (tensor.packed-strides). Wraps where
/// element_count fails.
[[nodiscard]] Dims packed_strides(const Dims& sizes);

/// The strides in force: the given ones, or the packed ones (tensor.implicit-strides).
[[nodiscard]] Dims effective_strides(const TensorDesc& tensor);

/// Elements from the start of the buffer to behind the furthest element: 1 + sum of (size - 1) *
/// stride; 0 if a size is 0; nothing where it does not fit in 64 bits. Needs as many strides as
/// sizes.
[[nodiscard]] std::optional<std::uint64_t> extent_elements(const TensorDesc& tensor);

/// The same in bytes, which need not be a multiple of 4.
[[nodiscard]] std::optional<std::uint64_t> extent_bytes(const TensorDesc& tensor);

/// What DMLCalcBufferTensorSize computes, without its 32-bit wrap: the extent in bytes, rounded up
/// to a multiple of 4. Nothing where that does not fit in 64 bits. Needs as many strides as sizes.
[[nodiscard]] std::optional<std::uint64_t> buffer_tensor_size(const TensorDesc& tensor);

/// All three in the time of one: to count them takes much of the time of a small call. The last two
/// are missing, too, where there are not as many strides as sizes.
struct TensorCounts {
  std::optional<std::uint64_t> elements;      ///< element_count()
  std::optional<std::uint64_t> extent_bytes;  ///< extent_bytes()
  std::optional<std::uint64_t> buffer_bytes;  ///< buffer_tensor_size()
};
[[nodiscard]] TensorCounts counts_of(const TensorDesc& tensor);

/// Bytes that a buffer for this tensor holds: the total of a DirectML tensor, the elements of an
/// ONNX tensor. For valid tensors only.
[[nodiscard]] std::uint64_t buffer_size_bytes(const TensorDesc& tensor, Dialect dialect);

[[nodiscard]] inline bool has_empty_dimension(const TensorDesc& tensor) {
  return std::find(tensor.sizes.begin(), tensor.sizes.end(), 0U) != tensor.sizes.end();
}
[[nodiscard]] inline bool stride_count_matches(const TensorDesc& tensor) {
  return !tensor.strides || tensor.strides->size() == tensor.rank();
}

/// Do two elements of a tensor share an address?
enum class Overlap : std::uint8_t {
  kNone,
  kSome,
  kUndecided,  ///< the exact answer would take more work than the limit
};
/// Extent in elements up to which overlap() decides every layout. Larger ones are decided too
/// unless they were made to be hard: then the search ends after a 32nd of this many steps.
inline constexpr std::uint64_t kOverlapWorkLimit = std::uint64_t{1} << 31;

/// Decides exactly, or says that it did not. Needs as many strides as sizes, no size of 0, and an
/// extent that fits in 64 bits. `work_limit` is for tests of the limit itself.
[[nodiscard]] Overlap overlap(const TensorDesc& tensor,
                              std::uint64_t work_limit = kOverlapWorkLimit);

}  // namespace opconform
