#include "harness/judging/guarded_buffer.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "harness/base/random.h"

#if defined(__SANITIZE_ADDRESS__)
#define OPCONFORM_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OPCONFORM_ADDRESS_SANITIZER
#endif
#endif

// Of AddressSanitizer's runtime, where an implementation brought it along.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t size);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace opconform::judging {
namespace {

constexpr std::size_t kCanaryZoneBytes = 4096;
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kOddBases = 8;  // bases vary over this many odd multiples of the alignment

/// What all zones hold, again and again.
using Canaries = std::array<std::byte, kCanaryZoneBytes>;
const Canaries& canaries() {
  static const Canaries all = [] {
    Canaries made{};
    base::fill_with_noise(made, base::hash_text("canaries"));
    return made;
  }();
  return all;
}

/// Not where the program is watched itself: what its own faulty implementations do is told there by
/// the canaries.
bool can_poison() {
#if defined(OPCONFORM_ADDRESS_SANITIZER)
  return false;
#else
  return __asan_poison_memory_region != nullptr && __asan_unpoison_memory_region != nullptr;
#endif
}

/// From a multiple of the alignment to the base.
std::size_t shift_of(Base base, std::size_t alignment_bytes, std::uint64_t seed) {
  if (base == Base::kWide || base == Base::kAtStart) return 0;
  return (2 * (base::random_bits(seed, 0) % kOddBases) + 1) * alignment_bytes;
}

}  // namespace

std::optional<base::Guard> parse_guard(std::string_view name) {
  for (const auto& [own_name, guard] : kGuards)
    if (own_name == name) return guard;
  return std::nullopt;
}

GuardedBuffer::GuardedBuffer(std::size_t size_bytes, std::size_t alignment_bytes, base::Guard guard,
                             std::uint64_t seed, Base base, GuardPages::Rights rights,
                             bool is_sparse)
    : size_bytes_(size_bytes), is_sparse_(is_sparse || size_bytes > kSparseBytes) {
  // However it is to be guarded: no heap has that much.
  if ((guard == base::Guard::kPages && !GuardPages::are_too_many()) || is_sparse_)
    place_between_pages(alignment_bytes, seed, base, rights);
  else
    place_on_heap(alignment_bytes, guard == base::Guard::kNone ? 0 : kCanaryZoneBytes, seed, base);
  for_each_canary_piece([&](std::byte* at, const std::byte* canary, std::size_t count) {
    std::memcpy(at + to_own_, canary, count);
  });
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : zone_(other.zone_),
      zone_size_bytes_(std::exchange(other.zone_size_bytes_, 0)),
      start_(other.start_),
      size_bytes_(other.size_bytes_),
      is_sparse_(other.is_sparse_),
      to_own_(other.to_own_),
      pages_(std::move(other.pages_)),
      heap_(std::move(other.heap_)) {}

GuardedBuffer::~GuardedBuffer() { unpoison(); }

void GuardedBuffer::release() const {
  if (pages_) pages_->release();
  if (!can_poison()) return;
  __asan_poison_memory_region(zone_, static_cast<std::size_t>(start_ - zone_));
  const std::byte* const end = start_ + size_bytes_;
  __asan_poison_memory_region(end, static_cast<std::size_t>(zone_ + zone_size_bytes_ - end));
}

void GuardedBuffer::unpoison() const {
  if (can_poison() && zone_size_bytes_ != 0) __asan_unpoison_memory_region(zone_, zone_size_bytes_);
}

void GuardedBuffer::place_between_pages(std::size_t alignment_bytes, std::uint64_t seed, Base base,
                                        GuardPages::Rights rights) {
  const std::size_t most = 2 * kCanaryZoneBytes + 2 * kOddBases * alignment_bytes;
  if (size_bytes_ > SIZE_MAX - most) throw std::bad_alloc();
  pages_.emplace(size_bytes_ + most, rights, is_sparse_);
  const std::span<std::byte> all = pages_->bytes();
  to_own_ = pages_->own_bytes() - all.data();
  std::size_t before = 0;
  if (base == Base::kAtEnd)
    before = (all.size() - size_bytes_) / alignment_bytes * alignment_bytes;
  else if (base != Base::kAtStart)
    before = kCanaryZoneBytes + shift_of(base, alignment_bytes, seed);
  start_ = all.data() + before;
  zone_ = start_ - std::min(before, kCanaryZoneBytes);
  const std::size_t behind = std::min(all.size() - before - size_bytes_, kCanaryZoneBytes);
  zone_size_bytes_ = static_cast<std::size_t>(start_ - zone_) + size_bytes_ + behind;
}

void GuardedBuffer::place_on_heap(std::size_t alignment_bytes, std::size_t zone_bytes,
                                  std::uint64_t seed, Base base) {
  const std::size_t before = zone_bytes + shift_of(base, alignment_bytes, seed);
  heap_.resize(kLineBytes + before + size_bytes_ + zone_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(heap_.data());
  start_ = heap_.data() + (base::round_up(address, kLineBytes) - address) + before;
  zone_ = start_ - zone_bytes;
  zone_size_bytes_ = size_bytes_ + 2 * zone_bytes;
}

void GuardedBuffer::repeat(std::span<const std::byte> once) { pages_->repeat(once, size_bytes_); }

std::optional<GuardPages::Touch> GuardedBuffer::first_touch() const {
  if (!pages_) return std::nullopt;
  std::optional<GuardPages::Touch> touch = pages_->first_touch();
  if (touch) touch->at -= start_ - pages_->bytes().data();
  return touch;
}

bool GuardedBuffer::is_outside(std::ptrdiff_t at) const {
  return at < 0 || static_cast<std::size_t>(at) >= size_bytes_;
}

/// f(bytes, what they should be, how many)
template <class F>
void GuardedBuffer::for_each_canary_piece(F&& f) const {
  const auto walk = [&](std::byte* from, const std::byte* to) {
    while (from != to) {
      const std::size_t place = static_cast<std::size_t>(from - zone_) % kCanaryZoneBytes;
      const std::size_t count =
          std::min(static_cast<std::size_t>(to - from), kCanaryZoneBytes - place);
      f(from, canaries().data() + place, count);
      from += count;
    }
  };
  walk(zone_, start_);
  walk(start_ + size_bytes_, zone_ + zone_size_bytes_);
}

std::vector<std::ptrdiff_t> GuardedBuffer::changed_canaries() const {
  std::vector<std::ptrdiff_t> changed;
  unpoison();
  for_each_canary_piece([&](const std::byte* at, const std::byte* canary, std::size_t count) {
    if (std::memcmp(at, canary, count) == 0) return;
    for (std::size_t i = 0; i < count; ++i)
      if (at[i] != canary[i]) changed.push_back(at + i - start_);
  });
  const std::optional<GuardPages::Touch> touch = first_touch();
  if (touch && touch->is_write && is_outside(touch->at)) {
    const auto place = std::lower_bound(changed.begin(), changed.end(), touch->at);
    if (place == changed.end() || *place != touch->at) changed.insert(place, touch->at);
  }
  return changed;
}

std::optional<std::ptrdiff_t> GuardedBuffer::changed_canary() const {
  const std::vector<std::ptrdiff_t> changed = changed_canaries();
  return changed.empty() ? std::nullopt : std::optional(changed.front());
}

std::size_t GuardedBuffer::guard_size_bytes() const {
  return zone_size_bytes_ - size_bytes_ + (pages_ ? 2 * GuardPages::kGuardBytes : 0);
}

}  // namespace opconform::judging
