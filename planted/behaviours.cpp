// Implementations that crash, hang, dawdle or flood: what the program makes of them. Most strike in
// splits into more than three, or at elements of 8 bytes, so that a campaign meets them soon and
// has something to shrink.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using backends::Refusal;

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
/// Valid splits into many are refused.
template <class Refuse>
void plant_refusal(Seams& seams, Refuse refuse) {
  seams.judge = [refuse](const Operator& op, Version, Refusal& refusal) {
    if (refusal.rules.empty() && is_large_split(op)) refusal = refuse(std::get<Split>(op));
  };
}

void spoil_first_byte(const View& output) { output.first[0] ^= std::byte{1}; }
void die() {
  (void)std::signal(SIGSEGV, SIG_DFL);  // of which a sanitizer would make a long story
  (void)std::raise(SIGSEGV);
}

std::string hostile_text() {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): hostile on purpose
  return "\033[31m\r\n\xFF\xC3\u202E" + std::string(std::size_t{3} << 20, 'm');
}

constexpr Row kRows[] = {
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
    {"hang", "never comes back from splits into many", kOnly<Split>, "",
     [](Seams& s) {
       plant_in_split(s, [] {
         while (true) ::pause();
       });
     }},
    {"exception", "throws what no terminal should see", kOnly<Split>, "",
     [](Seams& s) { plant_in_split(s, [] { throw std::runtime_error(hostile_text()); }); }},
    {"wrong-rejection", "refuses splits into many", kOnly<Split>, "",
     [](Seams& s) {
       plant_refusal(s, [](const Split&) { return Refusal{false, {"split.support"}, "no"}; });
     }},
    {"hostile-words", "refuses splits into many for a rule that no terminal should see",
     kOnly<Split>, "",
     [](Seams& s) {
       plant_refusal(s, [](const Split&) {
         return Refusal{false, {hostile_text()}, hostile_text()};
       });
     }},
    {"alike-rules",
     "refuses splits into many for three rules that give one and the same file name, were it made "
     "of their letters alone",
     kOnly<Split>, "",
     [](Seams& s) {
       plant_refusal(s, [](const Split& op) {
         const char* const names[] = {"a/b", "a b", "a_b"};
         return Refusal{false, {names[op.outputs.size() % 3]}, ""};
       });
     }},
    {"missed-rejection", "accepts everything and does nothing", kAll, "",
     [](Seams& s) {
       s.judge = [](const Operator&, Version, Refusal& refusal) { refusal.rules.clear(); };
       s.resolve = [](const Execution&, const PlacedIndex&, std::uint64_t) {
         return std::optional<std::uint64_t>(0);
       };
       s.move = [](const Execution&, Move&) { return false; };
     }},
};

}  // namespace

Rows behaviours() { return kRows; }

}  // namespace opconform::planted
