// A vector of at most N small values that lives where it stands, without the heap: sizes, strides
// and coordinates are made and copied millions of times a second. (C++26 calls it
// std::inplace_vector.) And one that goes to the heap where there are more.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace opconform {

template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  // Not "= default": with that, InlineVector{} would set all N elements to 0.
  InlineVector() noexcept {}  // NOLINT(modernize-use-equals-default): see above
  /// `count` copies of `value`. Throws std::length_error above the capacity, as all that grow do.
  explicit InlineVector(std::size_t count, T value = T{}) { resize(count, value); }
  InlineVector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) InlineVector(Iterator first, Iterator last) {
    assign(first, last);
  }
  // Few more elements are copied than are in use: the capacity is many times the usual rank.
  InlineVector(const InlineVector& other) noexcept { copy(other); }
  InlineVector& operator=(const InlineVector& other) noexcept {
    if (this != &other) copy(other);
    return *this;
  }
  ~InlineVector() = default;

  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    size_ = 0;
    append(first, last);
  }
  /// At the end. The values must not be its own.
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    if (count > N - size_) throw std::length_error("InlineVector: more elements than its capacity");
    std::transform(first, last, end(), [](const auto& value) { return static_cast<T>(value); });
    size_ += count;
  }
  void push_back(T value) {
    if (size_ == N) throw std::length_error("InlineVector: more elements than its capacity");
    elements_[size_++] = value;
  }
  void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  void resize(std::size_t count, T value = T{}) {
    if (count > N) throw std::length_error("InlineVector: more elements than its capacity");
    for (std::size_t i = size_; i < count; ++i) elements_[i] = value;
    size_ = count;
  }
  void clear() { size_ = 0; }
  void insert(std::size_t position, T value) {
    push_back(value);
    std::rotate(begin() + position, end() - 1, end());
  }
  void erase(std::size_t position) {
    std::copy(begin() + position + 1, end(), begin() + position);
    pop_back();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  static constexpr std::size_t capacity() { return N; }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return elements_[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return elements_[i];
  }
  T& back() { return (*this)[size_ - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }
  T* data() { return elements_.data(); }
  [[nodiscard]] const T* data() const { return elements_.data(); }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  [[nodiscard]] const_iterator begin() const { return data(); }
  [[nodiscard]] const_iterator end() const { return data() + size_; }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)  // std::equal would call memcmp for the few there are
      if (!(a.elements_[i] == b.elements_[i])) return false;
    return true;
  }

 private:
  void copy(const InlineVector& other) noexcept {
    size_ = other.size_;
    if constexpr (N % 4 == 0) {
      // Four at a time: a call for the few that there are takes longer.
      for (std::size_t i = 0; i < size_; i += 4)
        std::memcpy(elements_.data() + i, other.elements_.data() + i, 4 * sizeof(T));
    } else {
      std::copy_n(other.elements_.data(), size_, elements_.data());
    }
  }

  std::size_t size_ = 0;
  // The first size_ are set. In a union, because the rest of a large capacity is not even to be
  // given its defaults.
  union {
    std::array<T, N> elements_;
  };
};

/// Any number of small values, up to N of them without the heap: for lists that seldom have more.
/// (Boost's small_vector does as much, but Boost would be the largest thing that this library
/// needs.)
template <class T, std::size_t N>
class SmallVector {
 public:
  void clear() {
    few_.clear();
    many_.clear();
  }
  void push_back(const T& value) {
    if (many_.empty() && few_.size() < N) return few_.push_back(value);
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(value);
  }
  [[nodiscard]] std::span<T> all() {
    return many_.empty() ? std::span<T>(few_.begin(), few_.size()) : std::span<T>(many_);
  }
  [[nodiscard]] std::span<const T> all() const {
    return many_.empty() ? std::span<const T>(few_.begin(), few_.size())
                         : std::span<const T>(many_);
  }

 private:
  InlineVector<T, N> few_;
  std::vector<T> many_;  // all, where there are more
};

}  // namespace opconform
