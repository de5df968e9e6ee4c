// Which part of a tensor a picture shows.
#pragma once

#include <cstdint>
#include <span>

#include "spec/tensor.h"

namespace opconform::diagnosis {

struct Window {
  Dims from;   ///< its first element
  Dims shown;  ///< its sizes

  [[nodiscard]] bool holds(const Dims& element) const;
  /// The row-major number of an element that it holds, counted in it.
  [[nodiscard]] std::size_t number_of(const Dims& element) const;
};

/// All of a small tensor. Of a large one a part around the first of the points, with as many of the
/// others as have room beside it.
[[nodiscard]] Window window_of(const Dims& sizes, std::span<const Dims> points);

/// The coordinates of the element with that row-major number.
[[nodiscard]] Dims coordinates_of(std::uint64_t number, const Dims& sizes);

/// Calls `f(element)` for each element of the window, in row-major order.
template <class F>
void for_each_in(const Window& window, F&& f) {
  const std::uint64_t count = element_count(window.shown).value_or(0);
  for (std::uint64_t number = 0; number < count; ++number) {
    Dims element = coordinates_of(number, window.shown);
    for (std::size_t i = 0; i < element.size(); ++i) element[i] += window.from[i];
    f(element);
  }
}

}  // namespace opconform::diagnosis
