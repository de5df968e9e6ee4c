// Wrong from addresses on that only the cases of the label `huge` have: beyond 2^29 bytes, or
// 2^30 elements, up to 2^32 of them, and of indices, and beyond.

#include <algorithm>
#include <cstdint>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr std::string_view kHuge = "huge";
constexpr std::uint64_t kMost32 = UINT32_MAX;

/// Changes the offset of an element, in bytes, of tensors that are inputs or outputs.
template <class Change>
void change_bytes(Seams& seams, Change change) {
  seams.offset = [change](const View& view, std::uint64_t offset) {
    return change(offset * view.width()) / view.width();
  };
}
std::uint64_t low_32(std::uint64_t number) { return number & kMost32; }
/// What an int holds of it, sign-extended.
std::uint64_t as_int(std::uint64_t number) {
  return static_cast<std::uint64_t>(
      std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(number))});
}

/// From 2^30 on as another.
std::uint64_t as_small_integer(std::uint64_t number) { return as_int(number << 1) >> 1; }

constexpr Row kHugeSizeBugs[] = {
    {"byte-offset-in-29-bits", "has 29 bits for the byte of an element: a field of an instruction",
     kAll, "tensor.offset",
     [](Seams& s) {
       change_bytes(s, [](std::uint64_t byte) { return byte % (std::uint64_t{1} << 29); });
     },
     kHuge},
    {"element-offset-in-30-bits",
     "keeps the offset of an element as a small integer of a script engine, of 31 bits with the "
     "sign: from 2^30 on it reads nothing and writes nothing",
     kAll, "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View&, std::uint64_t offset) { return as_small_integer(offset); };
     },
     kHuge},
    {"byte-offset-in-32-bits", "computes the byte of an element in 32 bits: addresses in shaders",
     kAll, "tensor.offset", [](Seams& s) { change_bytes(s, low_32); }, kHuge},
    {"element-offset-in-32-bits", "computes the offset of an element in 32 bits", kAll,
     "tensor.offset",
     [](Seams& s) { s.offset = [](const View&, std::uint64_t offset) { return low_32(offset); }; },
     kHuge},
    {"element-offset-in-int",
     "computes the offset of an element in an int: beyond 2^31 it reads "
     "nothing and writes nothing",
     kAll, "tensor.offset",
     [](Seams& s) { s.offset = [](const View&, std::uint64_t offset) { return as_int(offset); }; },
     kHuge},
    {"output-offset-in-32-bits",
     "computes where an output's element goes in 32 bits, and where it comes from in 64", kDirectml,
     "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View& view, std::uint64_t offset) {
         return view.is_output ? low_32(offset) : offset;
       };
     },
     kHuge},
    {"strides-in-32-bits", "keeps the strides of its tensors in 32 bits, in bytes", kAll,
     "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution&, View& view) {
         for (std::uint64_t& stride : view.strides)
           stride = low_32(stride * view.width()) / view.width();
       };
     },
     kHuge},
    {"axis-stride-in-int", "keeps the steps along the axis in an int, in elements",
     kOnly<Scatter, Split, DmlJoin>, "tensor.offset",
     [](Seams& s) {
       s.layout = [](const Execution& e, View& view) {
         const auto* const split = e.as<Split>();
         const auto* const join = e.as<DmlJoin>();
         const std::size_t axis = split != nullptr  ? split->axis
                                  : join != nullptr ? join->axis
                                                    : std::get<Scatter>(e.op).axis;
         view.strides[axis] = as_int(view.strides[axis]);
       };
     },
     kHuge},
    {"window-start-in-int", "keeps where a window starts in an int", kOnly<Slice1>,
     "slice1.copy-start",
     [](Seams& s) {
       s.window_start = [](const Execution&, std::size_t, std::uint64_t right) {
         return as_int(right);
       };
     },
     kHuge},
    {"coordinate-in-int", "keeps an index that is in range in an int", kOnly<OnnxGather>,
     "gather.semantics gather.negative-index",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         std::optional<std::uint64_t> at = right(e, index, size);
         if (at) at = as_int(*at);
         return at;
       };
     },
     kHuge},
    {"many-coordinates-in-int",
     "keeps indices that are in range in lanes of an int, where there are enough to fill a vector",
     kOnly<OnnxGather>, "gather.semantics gather.negative-index",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         std::optional<std::uint64_t> at = right(e, index, size);
         if (at && element_count(e.inputs[1].desc->sizes) >= 8) at = as_int(*at);
         return at;
       };
     },
     kHuge},
    {"two-steps-in-int",
     "keeps the distance of two steps in an int where the first dimension has no more: a loop "
     "without a counter",
     kDirectml, "tensor.offset",
     [](Seams& s) {
       s.offset = [](const View& view, std::uint64_t offset) {
         const Dims& sizes = view.desc->sizes;
         const auto* const first =
             std::ranges::find_if(sizes, [](std::uint64_t size) { return size > 1; });
         return first != sizes.end() && *first == 2 ? as_int(offset) : offset;
       };
     },
     kHuge},
    {"axis-size-in-32-bits", "compares an index with the low 32 bits of the axis's size",
     kOnly<OnnxGather>, "gather.index-range gather.semantics",
     [](Seams& s) {
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         return right(e, index, size > kMost32 ? low_32(size) : size);
       };
     },
     kHuge},
    {"wrong-from-2-31-plus-1-elements",
     "loses the last element of whatever has more than 2^31 elements", kOnly<Slice1, OnnxGather>,
     kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const std::uint64_t count = element_count(e.inputs[move.input].desc->sizes).value_or(0);
         const Dims& sizes = e.outputs[move.output].desc->sizes;
         return count <= (std::uint64_t{1} << 31) ||
                element_number(move.to, sizes) + 1 != element_count(sizes);
       };
     },
     kHuge},
};

}  // namespace

Rows huge_size_bugs() { return kHugeSizeBugs; }

}  // namespace opconform::planted
