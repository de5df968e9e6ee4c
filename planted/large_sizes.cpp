// Wrong from sizes on that only the cases of the label `large` have: ends of caches, counters of 20
// and 24 bits, chunks of a million. Whoever adds one sees that no small case shows it; else it
// belongs into sizes.cpp.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr std::string_view kLarge = "large";
constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;

/// Changes where windows and parts start.
template <class Change>
void change_starts(Seams& seams, Change change) {
  seams.window_start = [change](const Execution&, std::size_t, std::uint64_t right) {
    return change(right);
  };
  seams.run_start = seams.window_start;
}
/// Changes an index that is in range.
template <class Change>
void change_coordinate(Seams& seams, Change change) {
  seams.resolve = [right = seams.resolve, change](const Execution& e, const PlacedIndex& index,
                                                  std::uint64_t size) {
    std::optional<std::uint64_t> at = right(e, index, size);
    if (at) *at = change(*at);
    return at;
  };
}
/// Writes only the elements of which `keeps` says so: it is asked with the output, the coordinates
/// there and the byte of the packed output.
template <class Keeps>
void keep_only(Seams& seams, Keeps keeps) {
  seams.move = [keeps](const Execution& e, Move& move) {
    const View& output = e.outputs[move.output];
    return move.to.empty() ||
           keeps(output, move.to, element_number(move.to, output.desc->sizes) * output.width());
  };
}
/// Leaves out what `is_left` says: it is asked with the bytes of the packed output, and with the
/// element's first byte there.
template <class IsLeft>
void leave_last_piece(Seams& seams, IsLeft is_left) {
  keep_only(seams, [is_left](const View& output, const Coordinates&, std::uint64_t byte) {
    return !is_left(element_count(output.desc->sizes).value_or(0) * output.width(), byte);
  });
}
/// Moves the first so many inputs and outputs.
template <std::size_t kCount>
void keep_parts(Seams& seams) {
  seams.move = [](const Execution&, Move& move) {
    return move.input < kCount && move.output < kCount;
  };
}

constexpr Row kLargeSizeBugs[] = {
    {"starts-in-20-bits", "keeps where a window or a part starts in 20 bits",
     kOnly<Slice1, Split, DmlJoin>, "slice1.copy-start split.partition join.concatenation",
     [](Seams& s) { change_starts(s, [](std::uint64_t at) { return at % kMebi; }); }, kLarge},
    {"starts-as-float",
     "computes where a window or a part starts in FLOAT32, which knows no odd number above 2^24",
     kOnly<Slice1, Split, DmlJoin>, "slice1.copy-start split.partition join.concatenation",
     [](Seams& s) {
       change_starts(
           s, [](std::uint64_t at) { return static_cast<std::uint64_t>(static_cast<float>(at)); });
     },
     kLarge},
    {"starts-in-24-bits", "keeps where a window or a part starts in 24 bits",
     kOnly<Slice1, Split, DmlJoin>, "slice1.copy-start split.partition join.concatenation",
     [](Seams& s) { change_starts(s, [](std::uint64_t at) { return at % (16 * kMebi); }); },
     kLarge},
    {"offset-as-float",
     "computes the offset of an element in FLOAT32, which knows no odd number above 2^24", kAll,
     "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View&, std::uint64_t offset) {
         return static_cast<std::uint64_t>(static_cast<float>(offset));
       };
     },
     kLarge},
    {"index-in-20-bits", "keeps 20 bits of an index that is in range", kIndexed, kAlongAxis,
     [](Seams& s) { change_coordinate(s, [](std::uint64_t at) { return at % kMebi; }); }, kLarge},
    {"index-in-24-bits", "keeps 24 bits of an index that is in range", kIndexed, kAlongAxis,
     [](Seams& s) { change_coordinate(s, [](std::uint64_t at) { return at % (16 * kMebi); }); },
     kLarge},
    {"parts-beyond-255-lost", "counts inputs and outputs in 8 bits: those behind 255 are lost",
     kOnly<Split, DmlJoin>, kMovement, keep_parts<255>, kLarge},
    {"parts-beyond-1023-lost", "has room for the bindings of 1,023 inputs and outputs",
     kOnly<Split, DmlJoin>, kMovement, keep_parts<1023>, kLarge},
    {"strip-of-1-mib-lost",
     "copies outputs of more than 1 MiB by strips of 1 MiB, and leaves the rest", kAll, kMovement,
     [](Seams& s) {
       keep_only(s, [](const View& output, const Coordinates&, std::uint64_t byte) {
         const std::uint64_t all = element_count(output.desc->sizes).value_or(0) * output.width();
         return all < kMebi || byte < all / kMebi * kMebi;
       });
     },
     kLarge},
    {"short-piece-of-512-kib-lost",
     "copies outputs of more than 512 KiB by pieces of 512 KiB, and leaves a last one of less than "
     "64 bytes",
     kAll, kMovement,
     [](Seams& s) {
       leave_last_piece(s, [](std::uint64_t all, std::uint64_t byte) {
         const std::uint64_t whole = all / (kMebi / 2) * (kMebi / 2);
         return whole > 0 && all - whole < 64 && byte >= whole;
       });
     },
     kLarge},
    {"short-piece-of-8-mib-cut",
     "copies outputs of more than 8 MiB by pieces of 8 MiB, the last one by whole vectors alone",
     kAll, kMovement,
     [](Seams& s) {
       leave_last_piece(s, [](std::uint64_t all, std::uint64_t byte) {
         return all > 8 * kMebi && byte >= all / 32 * 32;
       });
     },
     kLarge},
    {"short-piece-of-32-mib-lost",
     "copies outputs of more than 32 MiB by pieces of 32 MiB, and leaves the rest", kAll, kMovement,
     [](Seams& s) {
       leave_last_piece(s, [](std::uint64_t all, std::uint64_t byte) {
         return all > 32 * kMebi && byte >= all / (32 * kMebi) * (32 * kMebi);
       });
     },
     kLarge},
    {"wrong-at-1-mib-and-3-bytes", "loses an element where a tensor has exactly 1 MiB and 3 bytes",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const auto has_that_size = [](const View& view) {
           return element_count(view.desc->sizes).value_or(0) * view.width() == kMebi + 3;
         };
         const View& output = e.outputs[move.output];
         return move.to.empty() || element_number(move.to, output.desc->sizes) != 1000 ||
                !(has_that_size(output) || has_that_size(e.inputs[move.input]));
       };
     },
     kLarge},
    {"rows-of-256-kib-tail-lost",
     "copies rows of 256 KiB and more by 256 KiB, and leaves the rest: a whole second cache", kAll,
     kMovement,
     [](Seams& s) {
       keep_only(s, [](const View& output, const Coordinates& to, std::uint64_t) {
         const std::uint64_t block = kMebi / 4 / output.width();
         const std::uint64_t row = output.desc->sizes.back();
         return row < block || to.back() < row / block * block;
       });
     },
     kLarge},
    {"bytes-behind-64-mib-lost",
     "writes past the caches from 64 MiB on, and there forgets the last elements", kAll, kMovement,
     [](Seams& s) {
       keep_only(s, [](const View&, const Coordinates&, std::uint64_t byte) {
         return byte < 64 * kMebi;
       });
     },
     kLarge},
    {"corner-tile-of-256-lost",
     "walks the last two dimensions by tiles of 256 x 256; the tile that is partial in both is "
     "lost",
     kDirectml, kMovement,
     [](Seams& s) {
       keep_only(s, [](const View& output, const Coordinates& to, std::uint64_t) {
         if (to.size() < 2) return true;
         const auto is_left_over = [&](std::size_t i) {
           const std::uint64_t size = output.desc->sizes[i];
           return size > 256 && to[i] >= size / 256 * 256;
         };
         return !is_left_over(to.size() - 2) || !is_left_over(to.size() - 1);
       });
     },
     kLarge},
    {"indices-behind-2-to-20-unchecked",
     "checks the range of the first 2^20 indices; behind them, element 0 is read where one is "
     "outside",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) -> std::optional<std::uint64_t> {
         const auto at = right(e, index, size);
         return at || index.number < kMebi || size == 0 ? at : std::optional<std::uint64_t>(0);
       };
     },
     kLarge},
    {"updates-behind-2-to-20-lost", "follows the first 2^20 updates", kOnly<Scatter>,
     "scatter.write-update",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         return move.input != 2 || element_number(move.from, e.inputs[2].desc->sizes) < kMebi;
       };
     },
     kLarge},
};

}  // namespace

Rows large_size_bugs() { return kLargeSizeBugs; }

}  // namespace opconform::planted
