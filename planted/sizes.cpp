// Wrong from a size on: vectors, tiles and groups of threads that lose what is left over, and
// numbers of too few bits. Small cases show none of it.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using Coordinate = std::optional<std::uint64_t>;

/// Leaves out the elements that `keeps` says no of. It is asked with the output and the coordinates
/// there; rank 0 has nothing to leave out.
template <class Keeps>
void write_only(Seams& seams, Keeps keeps) {
  seams.move = [keeps](const Execution& e, Move& move) {
    return move.to.empty() || keeps(e.outputs[move.output], move.to);
  };
}
/// Changes an index that is in range.
template <class Change>
void change_resolved(Seams& seams, Change change) {
  seams.resolve = [right = seams.resolve, change](const Execution& e, const PlacedIndex& index,
                                                  std::uint64_t size) -> Coordinate {
    const Coordinate coordinate = right(e, index, size);
    return coordinate ? Coordinate(change(index, *coordinate)) : coordinate;
  };
}

constexpr Row kSizeBugs[] = {
    // Rows.
    {"long-row-tail-lost", "copies rows of 4096 bytes and more by 4096 bytes, and leaves the rest",
     kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         const std::uint64_t block = 4096 / output.width();
         const std::uint64_t row = output.desc->sizes.back();
         return row < block || to.back() < row / block * block;
       });
     }},
    {"rows-of-16-kib-tail-lost",
     "copies rows of more than 16 KiB by 16 KiB, and leaves the rest: less than half of a cache",
     kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         const std::uint64_t block = 16384 / output.width();
         const std::uint64_t row = output.desc->sizes.back();
         return row < block || to.back() < row / block * block;
       });
     }},
    {"four-vectors-tail-lost",
     "copies rows of 128 bytes and more by four vectors of 32 at once, and leaves the rest: "
     "elements of 8 bytes alone",
     kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         const std::uint64_t row = output.desc->sizes.back();
         return output.width() != 8 || row < 16 || to.back() < row / 16 * 16;
       });
     }},
    {"group-of-256-tail-lost",
     "starts a thread for each of 256 elements in whole groups alone: elements of 2 bytes", kAll,
     kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         const std::uint64_t count = element_count(output.desc->sizes).value_or(0);
         return output.width() != 2 || count < 256 ||
                element_number(to, output.desc->sizes) < count / 256 * 256;
       });
     }},
    {"gather-block-tail-lost",
     "copies what is behind the axis by 64 elements where there are as many, and leaves the rest",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const OnnxGather& op = *e.as<OnnxGather>();
         const auto behind = static_cast<std::ptrdiff_t>(op.axis_from_front()) + 1;
         const Dims sizes(op.data.sizes.begin() + behind, op.data.sizes.end());
         const Coordinates at(move.from.begin() + behind, move.from.end());
         const std::uint64_t count = element_count(sizes).value_or(0);
         return count < 64 || element_number(at, sizes) < count / 64 * 64;
       };
     }},

    {"elements-behind-64-ki-lost", "moves the first 65,536 elements of an output", kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         return element_number(to, output.desc->sizes) < 65536;
       });
     }},

    // Two dimensions and more.
    {"corner-tile-lost",
     "walks the last two dimensions by tiles of 16 x 16; the tile that is partial in both is lost",
     kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         if (to.size() < 2) return true;
         const auto is_left_over = [&](std::size_t i) {
           const std::uint64_t size = output.desc->sizes[i];
           return size > 16 && to[i] >= size / 16 * 16;
         };
         return !is_left_over(to.size() - 2) || !is_left_over(to.size() - 1);
       });
     }},
    {"corner-of-rank-4-lost",
     "of rank 4 and more, loses the corner where two dimensions are longer than 8", kAll, kMovement,
     [](Seams& s) {
       write_only(s, [](const View& output, const Coordinates& to) {
         if (to.size() < 4) return true;
         int longer = 0;
         bool at_end = true;
         for (std::size_t i = 0; i < to.size(); ++i) {
           if (output.desc->sizes[i] <= 8) continue;
           ++longer;
           at_end = at_end && to[i] + 1 == output.desc->sizes[i];
         }
         return longer < 2 || !at_end;
       });
     }},
    {"first-dimension-cut-at-64",
     "walks the first of several dimensions by the third number of a dispatch, which ends at 64",
     kAll, kMovement,
     [](Seams& s) {
       write_only(s,
                  [](const View&, const Coordinates& to) { return to.size() < 2 || to[0] < 64; });
     }},
    {"middle-dimension-cut-at-96", "a dimension that is neither first nor last ends at 96", kAll,
     kMovement,
     [](Seams& s) {
       write_only(s, [](const View&, const Coordinates& to) {
         return to.size() < 3 || std::none_of(to.begin() + 1, to.end() - 1,
                                              [](std::uint64_t at) { return at >= 96; });
       });
     }},
    {"coordinates-in-7-bits",
     "of rank 2 and more, keeps the coordinates of what it reads in 7 bits", kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution&, Move& move) {
         if (move.from.size() > 1)
           for (std::uint64_t& at : move.from) at &= 0x7F;
         return true;
       };
     }},

    // Offsets.
    {"byte-offset-in-16-bits", "counts the bytes before an element of 8 bytes in 16 bits: outputs",
     kDirectml, "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View& view, std::uint64_t offset) {
         return view.is_output && view.width() == 8 ? offset & 0x1FFF : offset;
       };
     }},
    {"output-stride-in-10-bits", "packs an output's strides into fields of 10 bits", kDirectml,
     "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (view.is_output)
           for (std::uint64_t& stride : view.strides) stride &= 0x3FF;
       };
     }},
    {"index-stride-in-16-bits", "packs the strides of the indices into fields of 16 bits",
     kOnly<Scatter>, "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         if (view.has_indices)
           for (std::uint64_t& stride : view.strides) stride &= 0xFFFF;
       };
     }},

    // Indices.
    {"coordinate-in-8-bits", "keeps 8 bits of an index that is in range", kIndexed, kAlongAxis,
     [](Seams& s) {
       change_resolved(s, [](const PlacedIndex&, std::uint64_t at) { return at & 0xFF; });
     }},
    {"coordinate-of-int32-in-16-bits", "keeps 16 bits of an int32 index that is in range", kIndexed,
     kAlongAxis,
     [](Seams& s) {
       change_resolved(s, [](const PlacedIndex& index, std::uint64_t at) {
         return index.type == DataType::kInt32 ? at & 0xFFFF : at;
       });
     }},
    {"indices-behind-64-unchecked",
     "checks the range of 64 indices, one a thread; outside, element 0 is read", kOnly<OnnxGather>,
     "gather.index-range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) -> Coordinate {
         const Coordinate coordinate = right(e, index, size);
         return coordinate || index.number < 64 || size == 0 ? coordinate : Coordinate(0);
       };
     }},
    {"updates-behind-1024-lost", "follows the first 1024 updates", kOnly<Scatter>,
     "scatter.write-update",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         return move.input != 2 || element_number(move.from, e.inputs[2].desc->sizes) < 1024;
       };
     }},

    // Windows and runs.
    {"window-offset-in-16-bits", "keeps window offsets in 16 bits", kOnly<Slice1>,
     "slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution& e, std::size_t i, std::uint64_t right) {
         const std::uint64_t offset = e.as<Slice1>()->window_offsets[i];
         return right - offset + (offset & 0xFFFF);
       };
     }},
    {"window-stride-in-16-bits", "keeps window strides in 16 bits, one of them the sign",
     kOnly<Slice1>, "slice1.copy",
     [](Seams& s) {
       s.window_stride = [](const Execution&, std::size_t, std::int64_t right) {
         return std::int64_t{static_cast<std::int16_t>(right)};
       };
     }},
    {"window-stride-in-8-bits", "keeps window strides in 8 bits, one of them the sign",
     kOnly<Slice1>, "slice1.copy",
     [](Seams& s) {
       s.window_stride = [](const Execution&, std::size_t, std::int64_t right) {
         return std::int64_t{static_cast<std::int8_t>(right)};
       };
     }},
    {"outputs-beyond-64-unwritten", "writes the first 64 outputs, as many as can be bound at once",
     kOnly<Split>, "split.partition",
     [](Seams& s) { s.move = [](const Execution&, Move& move) { return move.output < 64; }; }},
};

}  // namespace

Rows size_bugs() { return kSizeBugs; }

}  // namespace opconform::planted
