#include "harness/judging/found_element.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>

#include "harness/base/layout.h"

namespace opconform::judging {
namespace {

/// Can the bytes behind a string be read?
bool is_readable(const std::byte* string) {
  StringElement view{};
  std::memcpy(&view, string, sizeof view);
  static const std::array<int, 2> probe = [] {
    std::array<int, 2> ends{-1, -1};
    // Leaves them as they are if it fails.
    (void)(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    return ends;
  }();
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 30;
  constexpr std::uint64_t kPage = 4096;
  if (view.size_bytes > kLongest) return false;
  for (std::uint64_t at = 0; at < view.size_bytes;
       at = std::min(at + kPage, std::max(at + 1, view.size_bytes - 1))) {
    // The kernel says EFAULT where this process would die.
    if (::write(probe[1], view.bytes + at, 1) != 1 && errno == EFAULT) return false;
    char drained = 0;
    (void)(::read(probe[0], &drained, 1) == 1);
  }
  return true;
}

}  // namespace

bool same_found(DataType type, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, element_size_bytes(type)) == 0) return true;
  return type == DataType::kString && is_readable(a) && is_readable(b) &&
         cases::same_element(type, a, b);
}

std::string found_text(DataType type, const std::byte* found) {
  if (type == DataType::kString && !is_readable(found))
    return "a string view of memory that cannot be read";
  return cases::element_text(type, found);
}

std::string short_found_text(DataType type, const std::byte* found) {
  if (type == DataType::kString && !is_readable(found)) return "unreadable";
  return cases::short_element_text(type, found);
}

void keep_strings(std::span<const ObservedInput> inputs, const ObservedOutput& output,
                  cases::StringPool& pool, std::span<std::byte> kept) {
  if (output.tensor.desc.data_type != DataType::kString) return;
  constexpr std::uint64_t kLongestKept = std::uint64_t{1} << 16;
  const auto view_at = [](const std::byte* element) {
    StringElement view{};
    std::memcpy(&view, element, sizeof view);
    return view;
  };
  std::map<const char*, std::uint64_t, std::less<>> staying;  // where it begins, and how long it is
  const auto stay = [&](const std::byte* element) {
    const StringElement view = view_at(element);
    std::uint64_t& size = staying[view.bytes];
    size = std::max(size, view.size_bytes);
  };
  for (const ObservedInput& input : inputs)
    if (input.tensor.desc.data_type == DataType::kString)
      base::for_each_element(input.tensor.desc, [&](std::uint64_t, std::uint64_t offset) {
        stay(input.before.data() + offset * sizeof(StringElement));
      });
  base::for_each_element(output.tensor.desc, [&](std::uint64_t, std::uint64_t offset) {
    stay(output.before.data() + offset * sizeof(StringElement));
  });
  base::for_each_element(output.tensor.desc, [&](std::uint64_t, std::uint64_t offset) {
    std::byte* element = kept.data() + offset * sizeof(StringElement);
    const StringElement view = view_at(element);
    auto owner = staying.upper_bound(view.bytes);
    if (owner != staying.begin()) {
      --owner;
      const auto skipped = static_cast<std::uint64_t>(view.bytes - owner->first);
      if (skipped <= owner->second && view.size_bytes <= owner->second - skipped) return;
    }
    if (view.size_bytes > kLongestKept || !is_readable(element)) return;
    const StringElement copy = pool.add(std::string(view.bytes, view.size_bytes));
    std::memcpy(element, &copy, sizeof copy);
  });
}

}  // namespace opconform::judging
