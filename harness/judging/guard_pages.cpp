#include "harness/judging/guard_pages.h"

#include <pthread.h>
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
/// More go back as well: after one case of many tensors their guards would fill the addresses that
/// a process may have.
constexpr std::size_t kMostKept = 256;

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

/// Memory of two views is shared with a copy of the process, which takes new one: it may be code
/// under test that has called fork().
std::atomic<unsigned> forks = 0;
void count_forks() {
  [[maybe_unused]] static const int is_set =
      ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
}

/// A file without a name. Throws std::bad_alloc.
class Memory {
 public:
  Memory() : file_(::memfd_create("opconform", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::bad_alloc();
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::close(file_); }

  void resize(std::size_t bytes) const {
    if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
  }
  void write(std::span<const std::byte> bytes) const {
    if (::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      throw std::bad_alloc();
  }
  /// At an address, or anywhere where that is null.
  std::byte* map(std::byte* at, std::size_t bytes, int protection) const {
    void* const mapping =
        ::mmap(at, bytes, protection, MAP_SHARED | (at == nullptr ? 0 : MAP_FIXED), file_, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(mapping);
  }

 private:
  int file_;
};

}  // namespace

/// A mapping and what happened to it. Never freed: a handler of signals may look at it at any time.
struct GuardPages::Slot {
  std::atomic<std::uintptr_t> begin = 0;  ///< guards included; 0 where nothing is mapped
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<std::uintptr_t> read = 0;  ///< where, by the first
  std::atomic<std::uintptr_t> written = 0;
  Rights rights = Rights::kReadAndWrite;
  std::byte* own = nullptr;  ///< the owner's view; null where it is that of others
  unsigned made_after = 0;   ///< forks
  Slot* next = nullptr;      ///< of all that there are

  [[nodiscard]] std::byte* first() const {
    return reinterpret_cast<std::byte*>(begin.load()) + kGuardBytes;  // NOLINT
  }
  [[nodiscard]] std::size_t size_bytes() const { return end - begin - 2 * kGuardBytes; }

  void map(std::size_t bytes, Rights wanted, bool is_sparse) {
    const std::size_t all = bytes + 2 * kGuardBytes;
    // Shared, because a process's limit counts private memory that was never touched, too.
    const int kind = is_sparse ? MAP_SHARED | MAP_NORESERVE : MAP_PRIVATE;
    void* const mapping = ::mmap(nullptr, all, PROT_NONE, kind | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    auto* const inside = static_cast<std::byte*>(mapping) + kGuardBytes;
    rights = wanted;
    const bool has_two_views =
        rights == Rights::kRead && bytes <= kMostKeptBytes && map_two_views(inside, bytes);
    if (!has_two_views && ::mprotect(inside, bytes, PROT_READ | PROT_WRITE) != 0) {
      ::munmap(mapping, all);
      throw std::bad_alloc();
    }
    if (bytes > kMostKeptBytes && !is_sparse) (void)::madvise(inside, bytes, MADV_HUGEPAGE);
    const auto address = reinterpret_cast<std::uintptr_t>(mapping);
    end = address + all;
    begin = address;
  }
  /// False where there is no such memory, as under a small limit on the size of files.
  bool map_two_views(std::byte* others, std::size_t bytes) try {
    count_forks();
    made_after = forks;
    const Memory memory;
    memory.resize(bytes);
    memory.map(others, bytes, PROT_READ);
    own = memory.map(nullptr, bytes, PROT_READ | PROT_WRITE);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
  void unmap() {
    if (own != nullptr) ::munmap(std::exchange(own, nullptr), size_bytes());
    const std::uintptr_t address = begin.exchange(0);
    ::munmap(reinterpret_cast<void*>(address), end - address);  // NOLINT
  }
  [[nodiscard]] bool is_shared() const { return own != nullptr && made_after != forks; }
  /// As it was before anybody touched it.
  void restore() {
    const bool is_touched = read != 0 || written != 0;
    if (rights == Rights::kRead && (is_touched || own == nullptr))
      (void)::mprotect(first(), size_bytes(), PROT_READ | (own == nullptr ? PROT_WRITE : 0));
    if (is_touched) {
      for (std::byte* const guard : {first() - kGuardBytes, first() + size_bytes()}) {
        (void)::mprotect(guard, kGuardBytes, PROT_NONE);
        (void)::madvise(guard, kGuardBytes, MADV_DONTNEED);
      }
    }
    forget();
  }
  void forget() {
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
    for (auto& [kind, slots] : kept_)
      for (Slot* const slot : slots) slot->unmap();
  }

  Slot* take(std::size_t size_bytes, Rights rights, bool is_sparse) {
    std::size_t pages = (size_bytes + page_bytes() - 1) / page_bytes();
    if (pages * page_bytes() <= kMostKeptBytes) pages = std::bit_ceil(pages);
    std::vector<Slot*>& same = kept_[{pages, rights}];
    while (!same.empty() && same.back()->is_shared()) {
      drop(same.back());
      forget_last(same);
    }
    Slot* slot = nullptr;
    if (same.empty() || is_sparse) {
      slot = mapped(pages * page_bytes(), rights, is_sparse);
    } else {
      slot = same.back();
      forget_last(same);
    }
    ++held_;
    return slot;
  }
  void give_back(Slot* slot) {
    --held_;
    if (slot->size_bytes() > kMostKeptBytes || kept_count_ == kMostKept || slot->is_shared())
      return drop(slot);
    slot->restore();
    kept_[{slot->size_bytes() / page_bytes(), slot->rights}].push_back(slot);
    ++kept_count_;
  }
  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  Slot* mapped(std::size_t bytes, Rights rights, bool is_sparse) {
    if (unmapped_.empty()) {
      unmapped_.push_back(new Slot);  // NOLINT(cppcoreguidelines-owning-memory): see Slot
      Faults::add(unmapped_.back());
    }
    Slot* const slot = unmapped_.back();
    slot->map(bytes, rights, is_sparse);
    unmapped_.pop_back();
    return slot;
  }
  void forget_last(std::vector<Slot*>& same) {
    same.pop_back();
    --kept_count_;
  }
  void drop(Slot* slot) {
    slot->forget();
    slot->unmap();
    unmapped_.push_back(slot);
  }

  std::map<std::pair<std::size_t, Rights>, std::vector<Slot*>> kept_;  // by number of pages
  std::size_t kept_count_ = 0;
  std::vector<Slot*> unmapped_;
  std::size_t held_ = 0;
};

GuardPages::Pool& GuardPages::pool() {
  static thread_local Pool pool;
  return pool;
}

GuardPages::GuardPages(std::size_t size_bytes, Rights rights, bool is_sparse)
    : slot_(pool().take(size_bytes, rights, is_sparse)) {}

GuardPages::GuardPages(GuardPages&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}

GuardPages::~GuardPages() {
  if (slot_ != nullptr) pool().give_back(slot_);
}

bool GuardPages::are_too_many() { return pool().held() >= kMostHeld; }

std::span<std::byte> GuardPages::bytes() const { return {slot_->first(), slot_->size_bytes()}; }

std::byte* GuardPages::own_bytes() const {
  return slot_->own == nullptr ? slot_->first() : slot_->own;
}

void GuardPages::release() const {
  if (slot_->rights == Rights::kRead && slot_->own == nullptr)
    (void)::mprotect(slot_->first(), slot_->size_bytes(), PROT_READ);
}

void GuardPages::repeat(std::span<const std::byte> once, std::size_t size_bytes) const {
  const Memory memory;
  memory.write(once);
  const std::size_t whole = size_bytes / page_bytes() * page_bytes();
  for (std::size_t at = 0; at < whole; at += once.size())
    memory.map(bytes().data() + at, std::min(once.size(), whole - at), PROT_READ | PROT_WRITE);
  std::copy_n(once.data() + whole % once.size(), size_bytes - whole, own_bytes() + whole);
}

std::optional<GuardPages::Touch> GuardPages::first_touch() const {
  const bool is_write = slot_->written != 0;
  const std::uintptr_t touched = is_write ? slot_->written : slot_->read;
  if (touched == 0) return std::nullopt;
  return Touch{static_cast<std::ptrdiff_t>(touched - slot_->begin - kGuardBytes), is_write};
}

}  // namespace opconform::judging
