// Elements of a tensor in memory, and walks over coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "spec/fields.h"
#include "spec/tensor.h"

namespace opconform::reference {

using Coordinates = Dims;

/// A tensor and its buffer; Byte is const for an input.
template <class Byte>
class Elements {
 public:
  Elements(const TensorDesc& tensor, std::span<Byte> buffer)
      : first_(buffer.data()),
        strides_(tensor.sizes.size()),
        size_bytes_(tensor.element_size_bytes()) {
    std::uint64_t packed = 1;  // tensor.packed-strides
    for (std::size_t i = tensor.rank(); i-- > 0; packed *= tensor.sizes[i])
      strides_[i] = tensor.strides ? (*tensor.strides)[i] : packed;
  }

  /// tensor.offset: the dot product of coordinates and strides.
  [[nodiscard]] Byte* at(const Coordinates& coordinates) const {
    return first_ + offset(coordinates) * size_bytes_;
  }
  /// The same with another coordinate in one dimension.
  [[nodiscard]] Byte* at(const Coordinates& coordinates, std::size_t dimension,
                         std::uint64_t coordinate) const {
    const std::uint64_t step = coordinate - coordinates[dimension];  // may wrap, and back below
    return first_ + (offset(coordinates) + step * strides_[dimension]) * size_bytes_;
  }
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }

  /// The same elements, counted in one dimension from a coordinate on.
  [[nodiscard]] Elements from(std::size_t dimension, std::uint64_t coordinate) const {
    Elements result = *this;
    result.origin_ += coordinate * strides_[dimension];
    return result;
  }
  /// Those from `start` on, of which each dimension counts so many steps as one.
  [[nodiscard]] Elements in_steps(const Coordinates& start, const IntArray& steps) const {
    Elements result = *this;
    result.origin_ = offset(start);
    for (std::size_t i = 0; i < steps.size(); ++i)
      result.strides_[i] *= static_cast<std::uint64_t>(steps[i]);  // may wrap, and back below
    return result;
  }

 private:
  friend void copy_all(const Dims& sizes, const Elements<std::byte>& to,
                       const Elements<const std::byte>& from);

  [[nodiscard]] std::uint64_t offset(const Coordinates& coordinates) const {
    std::uint64_t offset = origin_;
    for (std::size_t i = 0; i < coordinates.size(); ++i) offset += coordinates[i] * strides_[i];
    return offset;
  }

  Byte* first_;
  std::uint64_t origin_ = 0;  // of coordinates 0, in elements behind the first
  Dims strides_;
  std::size_t size_bytes_;
};
using InputElements = Elements<const std::byte>;
using OutputElements = Elements<std::byte>;

/// Moves the bits of one element (tensor.bits-preserved). Sizes that the compiler knows: campaigns
/// run this by the billion.
inline void copy_element(std::byte* to, const std::byte* from, std::size_t size_bytes) {
  switch (size_bytes) {
    case 1:
      *to = *from;
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    default:
      std::memcpy(to, from, size_bytes);
  }
}

/// All coordinates of a shape, in row-major order: once for rank 0, never where a size is 0.
class AllCoordinates {
 public:
  explicit AllCoordinates(const Dims& sizes) : sizes_(sizes) {}

  class Iterator {
   public:
    explicit Iterator(const Dims& sizes) : sizes_(&sizes), at_(sizes.size()) {
      for (const std::uint64_t size : sizes) done_ |= size == 0;
    }
    const Coordinates& operator*() const { return at_; }
    Iterator& operator++() {
      std::size_t i = at_.size();
      while (i > 0 && ++at_[i - 1] == (*sizes_)[i - 1]) at_[--i] = 0;
      done_ = i == 0;
      return *this;
    }
    friend bool operator!=(const Iterator& iterator, std::nullptr_t) { return !iterator.done_; }

   private:
    const Dims* sizes_;
    Coordinates at_;
    bool done_ = false;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(sizes_); }
  [[nodiscard]] static std::nullptr_t end() { return nullptr; }

 private:
  const Dims& sizes_;
};
inline AllCoordinates all_coordinates(const Dims& sizes) { return AllCoordinates(sizes); }

/// Copies the element at each coordinate of a shape of rank 1 or more.
inline void copy_all(const Dims& sizes, const OutputElements& to, const InputElements& from) {
  // By rows of the last dimension that has several: campaigns run this by the billion.
  std::size_t last = sizes.size() - 1;
  while (last > 0 && sizes[last] == 1) --last;
  const Dims rows(sizes.begin(), sizes.begin() + last);
  for (const Coordinates& row : all_coordinates(rows)) {
    const std::uint64_t to_row = to.offset(row);
    const std::uint64_t from_row = from.offset(row);
    for (std::uint64_t i = 0; i < sizes[last]; ++i)
      copy_element(to.first_ + (to_row + i * to.strides_[last]) * to.size_bytes_,
                   from.first_ + (from_row + i * from.strides_[last]) * from.size_bytes_,
                   from.size_bytes_);
  }
}

/// The row-major number of an element.
inline std::uint64_t element_number(const Coordinates& at, const Dims& sizes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < at.size(); ++i) number = number * sizes[i] + at[i];
  return number;
}

/// An index as it stands in its tensor. Types other than the four of the documents never pass
/// validation.
struct Index {
  std::uint64_t bits;  ///< sign-extended to 64 bits where the type is signed
  bool is_signed;

  [[nodiscard]] bool is_negative() const {
    return is_signed && static_cast<std::int64_t>(bits) < 0;
  }
  /// The coordinate meant in a dimension of that size; negative ones count from the end. Nothing
  /// where it lies outside. Nothing wraps: a size fits in 63 bits.
  [[nodiscard]] std::optional<std::uint64_t> resolve(std::uint64_t size) const {
    const std::uint64_t coordinate = is_negative() ? bits + size : bits;
    // A negative index below -size stays negative, and so above every size.
    if (coordinate >= size) return std::nullopt;
    return coordinate;
  }
  [[nodiscard]] std::string text() const {
    return is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
  }
};

inline Index read_index(DataType type, const std::byte* element) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, element, sizeof value);
    return value;
  };
  switch (type) {
    case DataType::kInt32:
      return {static_cast<std::uint64_t>(std::int64_t{read(std::int32_t{})}), true};
    case DataType::kInt64:
      return {static_cast<std::uint64_t>(read(std::int64_t{})), true};
    case DataType::kUint32:
      return {read(std::uint32_t{}), false};
    default:
      return {read(std::uint64_t{}), false};
  }
}

}  // namespace opconform::reference
