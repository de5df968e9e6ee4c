#include "harness/judging/found_element.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "harness/cases/element.h"

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

}  // namespace opconform::judging
