// Memory with an inaccessible page directly before or behind it: a byte read or written there ends
// the test.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <span>

namespace opconform::test {

enum class GuardSide { kBefore, kBehind };

class GuardedMemory {
 public:
  GuardedMemory(std::size_t size_bytes, GuardSide side) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (size_bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    void* map = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    map_ = static_cast<std::byte*>(map);
    if (inner != 0 && mprotect(map_ + page, inner, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
    bytes_ = {map_ + page + (side == GuardSide::kBehind ? inner - size_bytes : 0), size_bytes};
  }
  GuardedMemory(GuardedMemory&& other) noexcept
      : map_(other.map_), size_(other.size_), bytes_(other.bytes_) {
    other.map_ = nullptr;
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory() {
    if (map_ != nullptr) munmap(map_, size_);
  }

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::byte* begin() const { return bytes_.data(); }

 private:
  std::byte* map_ = nullptr;
  std::size_t size_ = 0;
  std::span<std::byte> bytes_;
};

template <class Random>
void fill_randomly(std::span<std::byte> bytes, Random& random) {
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
}

}  // namespace opconform::test
