#include "harness/judging/guard_pages.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): for sigaction as POSIX has it
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "harness/base/guard.h"

namespace opconform::judging {
namespace {

/// Pages of more than this go back to the system, and are not kept for others.
constexpr std::size_t kMostKeptBytes = std::size_t{4} << 20;
constexpr std::size_t kMostHeld = 2048;

std::size_t page_bytes() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

bool is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  static_cast<void>(context);
  return true;
#endif
}

}  // namespace

/// A mapping and what happened to it. Never freed: a handler of signals may look at it at any time.
struct GuardPages::Slot {
  std::atomic<std::uintptr_t> begin = 0;  ///< guards included; 0 where nothing is mapped
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<std::uintptr_t> read = 0;  ///< where, by the first
  std::atomic<std::uintptr_t> written = 0;
  bool refuses_writes = false;
  Slot* next = nullptr;  ///< of all that there are

  [[nodiscard]] std::byte* first() const {
    return reinterpret_cast<std::byte*>(begin.load()) + kGuardBytes;  // NOLINT
  }
  [[nodiscard]] std::size_t size_bytes() const { return end - begin - 2 * kGuardBytes; }

  void map(std::size_t bytes) {
    const std::size_t all = bytes + 2 * kGuardBytes;
    // Shared, because a process's limit counts private memory that was never touched, too.
    const int kind = bytes > kSparseBytes ? MAP_SHARED | MAP_NORESERVE : MAP_PRIVATE;
    void* const mapping = ::mmap(nullptr, all, PROT_NONE, kind | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    auto* const inside = static_cast<std::byte*>(mapping) + kGuardBytes;
    if (bytes > 0 && ::mprotect(inside, bytes, PROT_READ | PROT_WRITE) != 0) {
      ::munmap(mapping, all);
      throw std::bad_alloc();
    }
    const auto address = reinterpret_cast<std::uintptr_t>(mapping);
    end = address + all;
    begin = address;
  }
  void unmap() {
    const std::uintptr_t address = begin.exchange(0);
    ::munmap(reinterpret_cast<void*>(address), end - address);  // NOLINT
  }
  /// As it was before anybody touched it.
  void restore() {
    if (read != 0 || written != 0) {
      for (std::byte* const guard : {first() - kGuardBytes, first() + size_bytes()}) {
        (void)::mprotect(guard, kGuardBytes, PROT_NONE);
        (void)::madvise(guard, kGuardBytes, MADV_DONTNEED);
      }
    }
    if (refuses_writes) (void)::mprotect(first(), size_bytes(), PROT_READ | PROT_WRITE);
    forget();
  }
  void forget() {
    refuses_writes = false;
    read = 0;
    written = 0;
  }

  /// Is it here that somebody touched? Then they may go on. Called by the handler.
  bool take(std::uintptr_t address, bool wrote) {
    const std::uintptr_t from = begin;
    if (from == 0 || address < from || address >= end) return false;
    std::uintptr_t nowhere = 0;
    (wrote ? written : read).compare_exchange_strong(nowhere, address);
    const std::uintptr_t page = address / page_bytes() * page_bytes();
    return ::mprotect(reinterpret_cast<void*>(page), page_bytes(),  // NOLINT
                      wrote ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
  }
};

/// The handler of all pages, before that of others.
struct Faults {
  static inline std::atomic<GuardPages::Slot*> all = nullptr;
  static inline struct sigaction others = {};

  static void add(GuardPages::Slot* slot) {
    slot->next = all;
    while (!all.compare_exchange_weak(slot->next, slot)) {
    }
  }
  static void handle(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const bool is_fault = info->si_code > 0;  // and nobody's kill()
    for (GuardPages::Slot* slot = all; is_fault && slot != nullptr; slot = slot->next)
      if (slot->take(address, is_write(context))) return;
    if ((others.sa_flags & SA_SIGINFO) != 0) return others.sa_sigaction(signal, info, context);
    if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN)
      return others.sa_handler(signal);
    (void)::sigaction(SIGSEGV, &others, nullptr);
    if (!is_fault) (void)::raise(SIGSEGV);  // a fault comes again by itself
  }
};

void GuardPages::watch() {
  struct sigaction current {};
  (void)::sigaction(SIGSEGV, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == Faults::handle) return;
  Faults::others = current;
  struct sigaction own {};
  own.sa_sigaction = Faults::handle;
  own.sa_flags = SA_SIGINFO | SA_NODEFER;
  (void)::sigaction(SIGSEGV, &own, nullptr);
}

/// What this thread keeps for its next buffers.
class GuardPages::Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (auto& [size, slots] : kept_)
      for (Slot* const slot : slots) slot->unmap();
  }

  Slot* take(std::size_t size_bytes) {
    std::size_t pages = (size_bytes + page_bytes() - 1) / page_bytes();
    if (pages * page_bytes() <= kMostKeptBytes) pages = std::bit_ceil(pages);
    std::vector<Slot*>& same = kept_[pages];
    if (same.empty()) {
      if (unmapped_.empty()) {
        unmapped_.push_back(new Slot);  // NOLINT(cppcoreguidelines-owning-memory): see Slot
        Faults::add(unmapped_.back());
      }
      unmapped_.back()->map(pages * page_bytes());
      same.push_back(unmapped_.back());
      unmapped_.pop_back();
    }
    Slot* const slot = same.back();
    same.pop_back();
    ++held_;
    return slot;
  }
  void give_back(Slot* slot) {
    --held_;
    if (slot->size_bytes() <= kMostKeptBytes) {
      slot->restore();
      kept_[slot->size_bytes() / page_bytes()].push_back(slot);
      return;
    }
    slot->forget();
    slot->unmap();
    unmapped_.push_back(slot);
  }
  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  std::map<std::size_t, std::vector<Slot*>> kept_;  // by pages
  std::vector<Slot*> unmapped_;
  std::size_t held_ = 0;
};

GuardPages::Pool& GuardPages::pool() {
  static thread_local Pool pool;
  return pool;
}

GuardPages::GuardPages(std::size_t size_bytes) : slot_(pool().take(size_bytes)) {}

GuardPages::GuardPages(GuardPages&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}

GuardPages::~GuardPages() {
  if (slot_ != nullptr) pool().give_back(slot_);
}

bool GuardPages::are_too_many() { return pool().held() >= kMostHeld; }

std::span<std::byte> GuardPages::bytes() const { return {slot_->first(), slot_->size_bytes()}; }

void GuardPages::repeat(std::span<const std::byte> once, std::size_t size_bytes) {
  const int file = ::memfd_create("opconform", MFD_CLOEXEC);
  const auto size = static_cast<ssize_t>(once.size());
  bool is_there = file >= 0 && ::write(file, once.data(), once.size()) == size;
  const std::size_t whole = size_bytes / page_bytes() * page_bytes();
  for (std::size_t at = 0; is_there && at < whole; at += once.size())
    is_there = ::mmap(bytes().data() + at, std::min(once.size(), whole - at),
                      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  if (file >= 0) ::close(file);
  if (!is_there) throw std::bad_alloc();
  std::copy_n(once.data() + whole % once.size(), size_bytes - whole, bytes().data() + whole);
}

void GuardPages::refuse_writes() {
  if (slot_->size_bytes() == 0) return;
  slot_->refuses_writes = ::mprotect(slot_->first(), slot_->size_bytes(), PROT_READ) == 0;
}

std::optional<GuardPages::Touch> GuardPages::first_touch() const {
  const bool is_write = slot_->written != 0;
  const std::uintptr_t touched = is_write ? slot_->written : slot_->read;
  if (touched == 0) return std::nullopt;
  return Touch{static_cast<std::ptrdiff_t>(touched - slot_->begin - kGuardBytes), is_write};
}

}  // namespace opconform::judging
