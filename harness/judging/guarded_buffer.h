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
#include "harness/judging/guard_pages.h"

namespace opconform::judging {

/// Where a buffer begins.
enum class Base : std::uint8_t {
  kOdd,      ///< at an odd multiple of its alignment, by chance of the seed: aligned to nothing
             ///< larger
  kWide,     ///< at a multiple of 64 bytes
  kAtEnd,    ///< so that it ends at inaccessible pages, as closely as its alignment allows; kOdd
             ///< where there are none
  kAtStart,  ///< directly behind inaccessible pages; kWide where there are none
};
/// The kinds that a user may ask for, by name. "pages-before" was one of its own once.
inline constexpr std::array<std::pair<std::string_view, base::Guard>, 3> kGuards{
    {{"canary", base::Guard::kCanary},
     {"pages", base::Guard::kPages},
     {"pages-before", base::Guard::kPages}}};
std::optional<base::Guard> parse_guard(std::string_view name);

class GuardedBuffer {
 public:
  /// More than this is always sparse.
  static constexpr std::size_t kSparseBytes = std::size_t{1} << 30;

  /// Canaries fill a zone on each side, unless pages are there, as they always are around a sparse
  /// buffer. Throws std::bad_alloc.
  GuardedBuffer(std::size_t size_bytes, std::size_t alignment_bytes, base::Guard guard,
                std::uint64_t seed, Base base = Base::kOdd,
                GuardPages::Rights rights = GuardPages::Rights::kReadAndWrite,
                bool is_sparse = false);
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) = delete;
  ~GuardedBuffer();

  /// For an implementation. Where there are pages, what its rights do not cover is noted.
  [[nodiscard]] std::span<std::byte> bytes() const { return {start_, size_bytes_}; }
  /// The same memory, to be written whatever those rights are, until it is released.
  [[nodiscard]] std::span<std::byte> own_bytes() const { return {start_ + to_own_, size_bytes_}; }
  /// Holds nothing but zeros where nobody wrote, in no memory: see GuardPages.
  [[nodiscard]] bool is_sparse() const { return is_sparse_; }
  /// Of what its rights do not cover.
  [[nodiscard]] bool notes_writes() const { return pages_.has_value(); }
  /// As GuardPages, over a sparse buffer at kAtStart.
  void repeat(std::span<const std::byte> once);
  /// From now on an implementation may have it. Where AddressSanitizer's runtime is there, brought
  /// by an implementation, it reports who touches the canaries, until they are looked at.
  void release() const;
  /// The first access to pages, or write that was refused. In bytes from the start of the buffer.
  [[nodiscard]] std::optional<GuardPages::Touch> first_touch() const;
  [[nodiscard]] bool is_outside(std::ptrdiff_t at) const;
  /// The first byte outside that was written, as an offset in bytes from the start of the buffer:
  /// negative before it, at least its size behind it. Of pages, only the first touch is known.
  [[nodiscard]] std::optional<std::ptrdiff_t> changed_canary() const;
  /// All of them, in ascending order.
  [[nodiscard]] std::vector<std::ptrdiff_t> changed_canaries() const;
  /// Bytes that watch over the buffer: canaries, and inaccessible ones.
  [[nodiscard]] std::size_t guard_size_bytes() const;

 private:
  void place_between_pages(std::size_t alignment_bytes, std::uint64_t seed, Base base,
                           GuardPages::Rights rights);
  void place_on_heap(std::size_t alignment_bytes, std::size_t zone_bytes, std::uint64_t seed,
                     Base base);
  void unpoison() const;
  template <class F>
  void for_each_canary_piece(F&& f) const;

  std::byte* zone_ = nullptr;  // canaries and buffer; start_ lies in it
  std::size_t zone_size_bytes_ = 0;
  std::byte* start_ = nullptr;
  std::size_t size_bytes_;
  bool is_sparse_;
  std::ptrdiff_t to_own_ = 0;  // from bytes() to own_bytes()
  std::optional<GuardPages> pages_;
  std::vector<std::byte> heap_;  // of those without pages
};

}  // namespace opconform::judging
