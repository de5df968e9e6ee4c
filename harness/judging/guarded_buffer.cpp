#include "harness/judging/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "harness/base/random.h"

namespace opconform::judging {
namespace {

constexpr std::size_t kCanaryZoneBytes = 64;
constexpr std::size_t kOddBases = 8;  // bases vary over this many odd multiples of the alignment

}  // namespace

std::optional<base::Guard> parse_guard(std::string_view name) {
  for (const auto& [own_name, guard] : kGuards)
    if (own_name == name) return guard;
  return std::nullopt;
}

GuardedBuffer::GuardedBuffer(std::size_t size_bytes, std::size_t alignment_bytes, base::Guard guard,
                             std::uint64_t seed, Base base)
    : size_bytes_(size_bytes), seed_(seed) {
  if (guard == base::Guard::kPagesBehind || guard == base::Guard::kPagesBefore) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    zone_size_bytes_ = base::round_up(size_bytes, page);
    mapping_size_bytes_ = zone_size_bytes_ + 2 * page;
    mapping_ = ::mmap(nullptr, mapping_size_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();
    zone_ = static_cast<std::byte*>(mapping_) + page;
    if (zone_size_bytes_ > 0 && ::mprotect(zone_, zone_size_bytes_, PROT_READ | PROT_WRITE) != 0) {
      ::munmap(mapping_, mapping_size_bytes_);
      throw std::bad_alloc();
    }
    const std::size_t slack = zone_size_bytes_ - size_bytes;
    start_ = zone_ +
             (guard == base::Guard::kPagesBehind ? slack / alignment_bytes * alignment_bytes : 0);
  } else {
    const std::size_t zone = guard == base::Guard::kNone ? 0 : kCanaryZoneBytes;
    const std::size_t shift =
        base == Base::kWide ? 0
                            : (2 * (base::random_bits(seed, 0) % kOddBases) + 1) * alignment_bytes;
    heap_.resize(base::round_up(zone, alignment_bytes) + shift + size_bytes + zone +
                 kCanaryZoneBytes);
    const auto address = reinterpret_cast<std::uintptr_t>(heap_.data());
    const std::size_t to_line = base::round_up(address, kCanaryZoneBytes) - address;
    zone_ = heap_.data() + to_line;
    start_ = zone_ + base::round_up(zone, alignment_bytes) + shift;
    zone_size_bytes_ = static_cast<std::size_t>(start_ - zone_) + size_bytes + zone;
    if (guard == base::Guard::kNone) {
      zone_ = start_;
      zone_size_bytes_ = size_bytes;
    }
  }
  for_each_canary([&](std::byte* at) { *at = canary(at); });
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : zone_(other.zone_),
      zone_size_bytes_(other.zone_size_bytes_),
      start_(other.start_),
      size_bytes_(other.size_bytes_),
      seed_(other.seed_),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_size_bytes_(other.mapping_size_bytes_),
      heap_(std::move(other.heap_)) {}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapping_size_bytes_);
}

std::byte GuardedBuffer::canary(const std::byte* at) const {
  return static_cast<std::byte>(base::random_bits(seed_, static_cast<std::uint64_t>(at - zone_)));
}

template <class F>
void GuardedBuffer::for_each_canary(F&& f) const {
  for (std::byte* at = zone_; at != start_; ++at) f(at);
  for (std::byte* at = start_ + size_bytes_; at != zone_ + zone_size_bytes_; ++at) f(at);
}

std::optional<std::ptrdiff_t> GuardedBuffer::changed_canary() const {
  std::optional<std::ptrdiff_t> changed;
  for_each_canary([&](const std::byte* at) {
    if (!changed && *at != canary(at)) changed = at - start_;
  });
  return changed;
}

std::vector<std::ptrdiff_t> GuardedBuffer::changed_canaries() const {
  std::vector<std::ptrdiff_t> changed;
  for_each_canary([&](const std::byte* at) {
    if (*at != canary(at)) changed.push_back(at - start_);
  });
  return changed;
}

std::size_t GuardedBuffer::guard_size_bytes() const {
  return (mapping_ == nullptr ? zone_size_bytes_ : mapping_size_bytes_) - size_bytes_;
}

}  // namespace opconform::judging
