// Which elements of an output are wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "harness/base/layout.h"
#include "harness/cases/expectation.h"
#include "harness/judging/found_element.h"
#include "harness/judging/leeway.h"

namespace opconform::judging {

/// Is what was found one of the permitted values? `open` is of the element, or null.
inline bool is_permitted(DataType type, const std::byte* found, const std::byte* expected,
                         const cases::ExpectedOutput::OpenElement* open,
                         const cases::Leeway& leeway = {}) {
  const auto passes_for = [&](const std::byte* value) {
    return same_found(type, found, value) ||
           (leeway != cases::Leeway() && stands_for(type, found, value, leeway));
  };
  if (passes_for(expected)) return true;
  if (open == nullptr) return false;
  const std::size_t size_bytes = element_size_bytes(type);
  const std::span<const std::byte> values = open->values;
  for (std::size_t at = 0; at < values.size(); at += size_bytes)
    if (passes_for(values.subspan(at, size_bytes).data())) return true;
  return false;
}

/// Calls `f(number, offset_elements, open)` for each element that holds no permitted value, in
/// row-major order; `open` is as above. Says how many elements were compared.
template <class F>
std::uint64_t for_each_wrong_element(const cases::ExpectedOutput& expected,
                                     const TensorDesc& output, std::span<const std::byte> found,
                                     F&& f) {
  if (expected.unspecified) return 0;
  const std::size_t size_bytes = output.element_size_bytes();
  std::uint64_t compared = 0;
  auto next_open = expected.open_elements.begin();
  base::for_each_run(output, [&](std::uint64_t number, std::uint64_t offset, std::uint64_t count) {
    const bool has_open =
        next_open != expected.open_elements.end() && next_open->element < number + count;
    const std::byte* one = found.data() + offset * size_bytes;
    const std::byte* due = expected.elements.data() + number * size_bytes;
    if (!has_open && std::memcmp(one, due, count * size_bytes) == 0) {
      compared += count;
      return;
    }
    for (const std::uint64_t end = number + count; number < end;
         ++number, ++offset, one += size_bytes, due += size_bytes) {
      const cases::ExpectedOutput::OpenElement* open = nullptr;
      if (next_open != expected.open_elements.end() && next_open->element == number)
        open = &*next_open++;
      if (open != nullptr && open->any) continue;
      ++compared;
      if (!is_permitted(output.data_type, one, due, open, expected.leeway)) f(number, offset, open);
    }
  });
  return compared;
}

}  // namespace opconform::judging
