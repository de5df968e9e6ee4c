// Indices that are taken by chunks, elements of 16 bytes, and tables that are turned: kernels that
// are chosen for a shape, and lose what their shape leaves over.

#include <algorithm>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

/// The number of the index by which an element moves; none where no index moves it.
std::optional<std::uint64_t> index_number(const Execution& e, const Move& move) {
  const auto gathered = std::visit(
      [&](const auto& op) -> std::optional<std::uint64_t> {
        if constexpr (requires { op.data.rank() + op.axis_from_front(); }) {
          const auto* const first =
              move.to.begin() + static_cast<std::ptrdiff_t>(op.axis_from_front());
          const auto rank = static_cast<std::ptrdiff_t>(op.indices.rank());
          return element_number(Coordinates(first, first + rank), op.indices.sizes);
        } else {
          return std::nullopt;
        }
      },
      e.op);
  if (gathered) return gathered;
  if (move.input == 2) return element_number(move.from, e.inputs[2].desc->sizes);
  return std::nullopt;
}
std::uint64_t index_count(const Execution& e) {
  return element_count(e.inputs[1].desc->sizes).value_or(0);
}
/// Moves an element by its index only where `keeps` says so of the index's number, of how many.
template <class Keeps>
void by_index(Seams& seams, Keeps keeps) {
  seams.move = [keeps](const Execution& e, Move& move) {
    const std::optional<std::uint64_t> number = index_number(e, move);
    return !number || keeps(*number, index_count(e));
  };
}
/// Elements behind the axis.
template <class Op>
std::uint64_t row_bytes(const Execution& e, const Op& op) {
  const auto behind = static_cast<std::ptrdiff_t>(op.axis_from_front()) + 1;
  const Dims row(op.data.sizes.begin() + behind, op.data.sizes.end());
  return element_count(row).value_or(0) * e.inputs[0].width();
}
template <class Op>
std::uint64_t byte_in_row(const Execution& e, const Op& op, const Move& move) {
  const auto behind = static_cast<std::ptrdiff_t>(op.axis_from_front()) + 1;
  const Dims row(op.data.sizes.begin() + behind, op.data.sizes.end());
  return element_number(Coordinates(move.from.begin() + behind, move.from.end()), row) *
         e.inputs[0].width();
}

/// The dimension whose elements lie closest to one another; none where there is one element.
std::optional<std::size_t> innermost(const View& view) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < view.strides.size(); ++i)
    if (view.desc->sizes[i] > 1 && (!found || view.strides[i] <= view.strides[*found])) found = i;
  return found;
}
/// Of a window that turns a table and reverses one of its two innermost dimensions: the last
/// element of each row that is odd and longer than a square.
template <std::uint64_t kSquare, class Op>
bool ends_mirrored_row(const Execution& e, const Op& op, const Move& move) {
  const std::optional<std::size_t> from = innermost(e.inputs[0]);
  const std::optional<std::size_t> to = innermost(e.outputs[0]);
  if (!from || !to || from == to) return false;
  if (op.window_strides[*from] > 0 && op.window_strides[*to] > 0) return false;
  const Dims& sizes = e.outputs[0].desc->sizes;
  return sizes[*to] > kSquare && sizes[*from] > kSquare && sizes[*to] % 2 == 1 &&
         move.to[*to] + 1 == sizes[*to];
}

constexpr Row kChunkBugs[] = {
    // Chunks of indices.
    {"last-of-1025-indices-lost",
     "takes indices by chunks of 1,025, and follows 1,024 of each: a loop with < for <=", kIndexed,
     kMovement,
     [](Seams& s) {
       by_index(s, [](std::uint64_t number, std::uint64_t) { return number % 1025 != 1024; });
     }},
    {"rest-of-chunks-of-1025-lost",
     "takes indices by chunks of 1,025 where there are as many, and leaves the rest", kIndexed,
     kMovement,
     [](Seams& s) {
       by_index(s, [](std::uint64_t number, std::uint64_t count) {
         return count < 1025 || number < count / 1025 * 1025;
       });
     }},
    {"rest-of-chunks-of-2048-lost",
     "takes indices by chunks of 2,048 where there are as many, and leaves the rest", kIndexed,
     kMovement,
     [](Seams& s) {
       by_index(s, [](std::uint64_t number, std::uint64_t count) {
         return count < 2048 || number < count / 2048 * 2048;
       });
     }},
    {"second-chunk-of-2048-over-the-first",
     "takes indices by chunks of 2,048, and puts what each gathers where the first one put it",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (op.indices.rank() == 1) move.to[op.axis_from_front()] %= 2048;
         return true;
       };
     }},
    {"indices-behind-2048-unchecked",
     "checks the range of the first 2,048 indices; behind them, element 0 is read where one is "
     "outside",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) -> std::optional<std::uint64_t> {
         const auto at = right(e, index, size);
         return at || index.number < 2048 || size == 0 ? at : std::optional<std::uint64_t>(0);
       };
     }},

    // Elements and rows of 16 bytes.
    {"odd-index-of-16-bytes-lost",
     "gathers elements of 16 bytes by pairs, and leaves the last of an odd number",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const std::uint64_t count = index_count(e);
         return e.inputs[0].width() != 16 || count < 3 || count % 2 == 0 ||
                index_number(e, move) != count - 1;
       };
     }},
    {"index-of-16-bytes-times-8",
     "multiplies an index by 8 where elements have 16 bytes and there are four indices or more: "
     "the widest element that its kernel knew",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (e.inputs[0].width() == 16 && index_count(e) >= 4) move.from[op.axis_from_front()] /= 2;
         return true;
       };
     }},
    {"upper-half-of-16-byte-rows-from-the-next",
     "gathers rows of two elements of 8 bytes by halves, eight indices at once, and takes the "
     "second half from the row behind",
     kOnly<OnnxGather>, "gather.semantics",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const OnnxGather& op = *e.as<OnnxGather>();
         if (e.inputs[0].width() != 8 || index_count(e) < 8 || row_bytes(e, op) != 16) return true;
         std::uint64_t& at = move.from[op.axis_from_front()];
         if (byte_in_row(e, op, move) >= 8)
           at = std::min(at + 1, op.data.sizes[op.axis_from_front()] - 1);
         return true;
       };
     }},

    // Tables that are turned and mirrored.
    {"mirrored-transpose-of-odd-rows",
     "turns a table by squares of 8 and reverses it on the way: the last element of an odd row is "
     "lost",
     kOnly<Slice1>, "slice1.copy slice1.copy-start",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         return !ends_mirrored_row<8>(e, *e.as<Slice1>(), move);
       };
     }},
    {"mirrored-transpose-ends-twice",
     "turns a table by squares of 64 and reverses its rows: the last element of an odd row is its "
     "neighbour once more",
     kOnly<Slice1>, "slice1.copy slice1.copy-start",
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (!ends_mirrored_row<64>(e, *e.as<Slice1>(), move)) return true;
         const std::size_t along = innermost(e.outputs[0]).value();
         const std::int64_t step = e.as<Slice1>()->window_strides[along];
         if (step < 0) move.from[along] += static_cast<std::uint64_t>(-step);
         return true;
       };
     }},
};

}  // namespace

Rows chunk_bugs() { return kChunkBugs; }

}  // namespace opconform::planted
