// Memory that a process shares with the children that it forks.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <span>
#include <system_error>

namespace opconform::base {

/// Zeroed memory that children share with their parent.
template <class T>
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t count) : count_(std::max<std::size_t>(count, 1)) {
    void* memory = ::mmap(nullptr, count_ * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    first_ = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(first_, count_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::munmap(first_, count_ * sizeof(T)); }
  T& operator[](std::size_t i) const { return first_[i]; }
  [[nodiscard]] std::span<T> all() const { return {first_, count_}; }

 private:
  T* first_;
  std::size_t count_;
};

}  // namespace opconform::base
