// Memory between inaccessible pages, mapped once and used again. Whoever touches them is noted, and
// goes on: a fault costs no process, and what else is wrong is seen, too.
//
// What others may only read has two views where it is small, one for them and one for its owner, so
// that a case costs no call that changes the rights of pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace opconform::judging {

class GuardPages {
 public:
  /// Inaccessible on each side.
  static constexpr std::size_t kGuardBytes = std::size_t{64} << 10;

  /// What others may do with what lies between the guards. More is noted.
  enum class Rights : std::uint8_t { kRead, kReadAndWrite };

  /// Of whole pages, at least `size_bytes`. What stands there is left over from others; of sparse
  /// ones, pages are there only once somebody writes them, and hold zeros before. Throws
  /// std::bad_alloc.
  GuardPages(std::size_t size_bytes, Rights rights, bool is_sparse);
  GuardPages(GuardPages&& other) noexcept;
  GuardPages& operator=(GuardPages&& other) = delete;
  ~GuardPages();

  /// Does this thread hold as many as a process may well have? Each is a few of its mappings.
  [[nodiscard]] static bool are_too_many();

  [[nodiscard]] std::span<std::byte> bytes() const;
  /// The same memory for its owner, who may write until others may have it.
  [[nodiscard]] std::byte* own_bytes() const;
  /// From now on others may have it.
  void release() const;
  /// Puts the same whole pages there again and again, for so many bytes from the start, in the
  /// memory of one copy. Throws std::bad_alloc.
  void repeat(std::span<const std::byte> once, std::size_t size_bytes) const;

  struct Touch {
    std::ptrdiff_t at;  ///< in bytes from the start of bytes()
    bool is_write;      ///< what the processor does not tell counts as one
  };
  /// The first write that should not have been; else the first read.
  [[nodiscard]] std::optional<Touch> first_touch() const;

  /// To be called before code that may have put its own handler of SIGSEGV there since.
  static void watch();

 private:
  struct Slot;
  class Pool;
  friend struct Faults;
  static Pool& pool();

  Slot* slot_;
};

}  // namespace opconform::judging
