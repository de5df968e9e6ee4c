// Implementations that crash, hang, dawdle, flood or spoil their process: what the program makes of
// them. Most strike in splits into more than three, or at elements of 8 bytes, so that a campaign
// meets them soon and has something to shrink.

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): for kill(), of POSIX
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using backends::Rejection;

bool is_large_split(const Operator& op) {
  const auto* split = std::get_if<Split>(&op);
  return split != nullptr && split->outputs.size() > 3;
}

/// `spoil` acts on outputs of 8-byte elements, once they are right.
template <class Spoil>
void plant_in_wide(Seams& seams, Spoil spoil) {
  seams.after = [spoil](Execution& e) {
    if (e.outputs[0].width() == 8 && e.outputs[0].size_bytes > 0) spoil(e.outputs[0]);
  };
}
/// `strike` comes before a split into many is executed.
template <class Strike>
void plant_in_split(Seams& seams, Strike strike) {
  seams.before = [strike](Execution& e) {
    if (is_large_split(e.op)) strike();
  };
}
/// As that, and the first output is wrong: what strikes leaves no other trace in its results.
template <class Strike>
void plant_in_wrong_split(Seams& seams, Strike strike) {
  plant_in_split(seams, strike);
  seams.after = [](Execution& e) {
    if (is_large_split(e.op) && e.outputs[0].size_bytes > 0) e.outputs[0].first[0] ^= std::byte{1};
  };
}
/// Valid splits into many are rejected.
template <class Reject>
void plant_rejection(Seams& seams, Reject reject) {
  seams.judge = [reject](const Operator& op, Version, Rejection& rejection) {
    if (rejection.rules.empty() && is_large_split(op)) rejection = reject(std::get<Split>(op));
  };
}

void spoil_first_byte(const View& output) { output.first[0] ^= std::byte{1}; }
void die() {
  (void)::signal(SIGSEGV, SIG_DFL);  // of which a sanitizer would make a long story
  (void)::raise(SIGSEGV);
}

void hang() {
  while (true) ::pause();
}
void hang_behind_blocked_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) (void)::signal(signal, SIG_IGN);
  hang();
}

/// Uses the stack until there is none.
std::size_t descend(std::size_t depth) {  // NOLINT(misc-no-recursion): that is what is wrong
  std::array<volatile char, 4096> frame;
  frame[depth % frame.size()] = 1;
  return depth == ~std::size_t{0} ? 0 : descend(depth + 1) + static_cast<std::size_t>(frame[0]);
}
void overflow_the_stack() {
  (void)::signal(SIGSEGV, SIG_DFL);  // of which a sanitizer would make a long story
  if (descend(0) == 1) hang();
}

/// Takes memory until there is none, and touches little of it.
void take_all_memory() {
  constexpr std::size_t kBlock = std::size_t{64} << 20;
  std::vector<std::unique_ptr<char[]>> blocks;
  while (true) {
    blocks.push_back(std::make_unique_for_overwrite<char[]>(kBlock));
    blocks.back()[0] = 1;
  }
}

constexpr int kMostFiles = 1024;

void close_all_files() {
  for (int file = 0; file < kMostFiles; ++file) ::close(file);
}
/// As a debugging aid does that was forgotten, with the number of another file.
void write_into_all_files() {
  constexpr std::string_view kGarbage = "{\"verdict\": \"pass\"}\n\x1b[31mgarbage\n";
  for (int file = 0; file < kMostFiles; ++file)
    if (::fcntl(file, F_GETFL) >= 0) (void)(::write(file, kGarbage.data(), kGarbage.size()) < 0);
}

/// Where that is its own: otherwise somebody runs this where it must not strike.
void kill_own_group() {
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  die();
}
void kill_own_parent() {
  const std::string parent = "/proc/" + std::to_string(::getppid()) + "/exe";
  std::error_code error;
  if (std::filesystem::equivalent(parent, "/proc/self/exe", error)) ::kill(::getppid(), SIGKILL);
  hang();
}

/// Two processes stay, one of them in a session of its own.
void leave_children() {
  for (const bool in_own_session : {false, true}) {
    if (::fork() != 0) continue;
    if (in_own_session) ::setsid();
    hang();
  }
}

std::string hostile_text() {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): hostile on purpose
  return "\033[31m\r\n\xFF\xC3\u202E" + std::string(std::size_t{3} << 20, 'm');
}

constexpr Row kBehaviours[] = {
    {"wrong-element", "spoils the first of 8-byte elements", kAll, "",
     [](Seams& s) { plant_in_wide(s, spoil_first_byte); }},
    {"writes-behind", "writes behind outputs of 8-byte elements", kAll, "",
     [](Seams& s) {
       plant_in_wide(s,
                     [](const View& output) { output.first[output.size_bytes] ^= std::byte{1}; });
     }},
    {"slow", "takes a tenth of a second for 8-byte elements, and spoils the first", kAll, "",
     [](Seams& s) {
       plant_in_wide(s, [](const View& output) {
         std::this_thread::sleep_for(std::chrono::milliseconds(100));
         spoil_first_byte(output);
       });
     }},
    {"sometimes",
     "is right most of the time, so that no failure is seen again where it is looked at", kAll, "",
     [](Seams& s) {
       plant_in_wide(s, [calls = std::make_shared<int>()](const View& output) {
         if (++*calls % 100 == 0) spoil_first_byte(output);
       });
     }},
    {"crash", "ends by SIGSEGV in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, die); }},
    {"silent-end", "ends the process without a word in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, [] { ::_exit(0); }); }},
    {"exit", "ends the process as one does that has done its work, in splits into many",
     kOnly<Split>, "", [](Seams& s) { plant_in_split(s, [] { std::exit(0); }); }},
    {"abort", "aborts in splits into many, as a failed assertion does", kOnly<Split>, "",
     [](Seams& s) {
       plant_in_split(s, [] {
         (void)::signal(SIGABRT, SIG_DFL);  // of which a sanitizer would make a long story
         std::abort();
       });
     }},
    {"stack-overflow", "calls itself without an end in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, overflow_the_stack); }},
    {"memory-hog", "takes memory without an end in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, take_all_memory); }},
    {"hang", "never comes back from splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, hang); }},
    {"hang-without-signals",
     "blocks and ignores all signals, and never comes back from splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, hang_behind_blocked_signals); }},
    {"kills-its-group", "kills the group of its process in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, kill_own_group); }},
    {"kills-its-parent", "kills the process that started its own, and never comes back",
     kOnly<Split>, "", [](Seams& s) { plant_in_split(s, kill_own_parent); }},
    {"files-closed", "closes all files of its process in splits into many", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, close_all_files); }},
    {"garbage-in-files", "writes garbage into all files of its process in splits into many",
     kOnly<Split>, "", [](Seams& s) { plant_in_split(s, write_into_all_files); }},
    {"directory-changed", "changes the working directory, and spoils splits into many",
     kOnly<Split>, "", [](Seams& s) { plant_in_wrong_split(s, [] { (void)(::chdir("/") < 0); }); }},
    {"children-left", "starts processes that live on, and spoils splits into many", kOnly<Split>,
     "", [](Seams& s) { plant_in_wrong_split(s, leave_children); }},
    {"comes-back-twice",
     "forks and comes back in both processes, with splits into many spoilt: an exec() that failed",
     kOnly<Split>, "", [](Seams& s) { plant_in_wrong_split(s, [] { (void)::fork(); }); }},
    {"crash-after-others", "ends by SIGSEGV in splits into many, behind one into two", kOnly<Split>,
     "",
     [](Seams& s) {
       // Which no plan of the same case is.
       s.before = [has_halved = std::make_shared<bool>()](Execution& e) {
         const auto* const split = std::get_if<Split>(&e.op);
         if (split != nullptr && split->outputs.size() == 2) *has_halved = true;
         if (*has_halved && is_large_split(e.op)) die();
       };
     }},
    {"exception", "throws what no terminal should see", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, [] { throw std::runtime_error(hostile_text()); }); }},
    {"wrong-rejection", "rejects splits into many", kOnly<Split>, "",
     [](Seams& s) {
       plant_rejection(s, [](const Split&) {
         return Rejection{Rejection::Kind::kRejected, {"split.support"}, "no"};
       });
     }},
    {"hostile-words", "rejects splits into many for a rule that no terminal should see",
     kOnly<Split>, "",
     [](Seams& s) {
       plant_rejection(s, [](const Split&) {
         return Rejection{Rejection::Kind::kRejected, {hostile_text()}, hostile_text()};
       });
     }},
    {"alike-rules",
     "rejects splits into many for three rules that give one and the same file name, were it made "
     "of their letters alone",
     kOnly<Split>, "",
     [](Seams& s) {
       plant_rejection(s, [](const Split& op) {
         const char* const names[] = {"a/b", "a b", "a_b"};
         return Rejection{Rejection::Kind::kRejected, {names[op.outputs.size() % 3]}, ""};
       });
     }},
    {"missed-rejection", "accepts everything and does nothing", kAll, "",
     [](Seams& s) {
       s.judge = [](const Operator&, Version, Rejection& rejection) { rejection.rules.clear(); };
       s.resolve = [](const Execution&, const PlacedIndex&, std::uint64_t) {
         return std::optional<std::uint64_t>(0);
       };
       s.move = [](const Execution&, Move&) { return false; };
     }},
};

}  // namespace

Rows behaviours() { return kBehaviours; }

}  // namespace opconform::planted
