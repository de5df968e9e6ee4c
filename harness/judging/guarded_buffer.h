// Memory for one tensor, with zones before and behind it that nobody may touch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/guard.h"

namespace opconform::judging {

/// Where a buffer begins, unless a page decides.
enum class Base : std::uint8_t {
  kOdd,   ///< at an odd multiple of its alignment, by chance of the seed: aligned to nothing larger
  kWide,  ///< at a multiple of 64 bytes
};
/// The kinds that a user may ask for, by name.
inline constexpr std::array<std::pair<std::string_view, base::Guard>, 3> kGuards{
    {{"canary", base::Guard::kCanary},
     {"pages", base::Guard::kPagesBehind},
     {"pages-before", base::Guard::kPagesBefore}}};
std::optional<base::Guard> parse_guard(std::string_view name);

/// Zones of kPages* end the process that touches them: run such cases isolated.
class GuardedBuffer {
 public:
  /// With kPagesBehind the buffer ends at the page as closely as its alignment allows; canaries
  /// fill the rest.
  GuardedBuffer(std::size_t size_bytes, std::size_t alignment_bytes, base::Guard guard,
                std::uint64_t seed, Base base = Base::kOdd);
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) = delete;
  ~GuardedBuffer();

  [[nodiscard]] std::span<std::byte> bytes() const { return {start_, size_bytes_}; }
  /// The first canary that changed, as an offset in bytes from the start of the buffer: negative
  /// before it, at least its size behind it.
  [[nodiscard]] std::optional<std::ptrdiff_t> changed_canary() const;
  /// All of them, in ascending order.
  [[nodiscard]] std::vector<std::ptrdiff_t> changed_canaries() const;
  /// Bytes that watch over the buffer: canaries, and inaccessible ones.
  [[nodiscard]] std::size_t guard_size_bytes() const;

 private:
  [[nodiscard]] std::byte canary(const std::byte* at) const;
  template <class F>
  void for_each_canary(F&& f) const;

  std::byte* zone_ = nullptr;  // canaries and buffer; start_ lies in it
  std::size_t zone_size_bytes_ = 0;
  std::byte* start_ = nullptr;
  std::size_t size_bytes_;
  std::uint64_t seed_;
  void* mapping_ = nullptr;  // of kPages*
  std::size_t mapping_size_bytes_ = 0;
  std::vector<std::byte> heap_;  // of the others
};

}  // namespace opconform::judging
