// Implementations that use what the documents leave open. Nobody may accuse them.

#include <cstring>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using Coordinate = std::optional<std::uint64_t>;

/// Does with indices out of range what `outside` says.
template <class Outside>
void answer_outside_by(Seams& seams, Outside outside) {
  seams.resolve = [right = seams.resolve, outside](const Execution& e, const PlacedIndex& index,
                                                   std::uint64_t size) -> Coordinate {
    const Coordinate coordinate = right(e, index, size);
    return coordinate ? coordinate : outside(index, size);
  };
}

constexpr Row kPermitted[] = {
    {"plain",
     "the plain implementation as it is: the last update wins, indices outside are dropped", kAll,
     "", [](Seams&) {}},
    {"first-update-wins", "the first of several updates of one element stays", kOnly<Scatter>, "",
     [](Seams& s) { s.overlap = [](DataType, const Overlap&) {}; }},
    {"any-update-wins", "which of several updates stays differs from element to element",
     kOnly<Scatter>, "",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         if (o.element % 2 == 0) copy_element(type, o.target, o.update);
       };
     }},
    {"smallest-update-wins", "of several updates the one with the least bits stays", kOnly<Scatter>,
     "",
     [](Seams& s) {
       s.overlap = [](DataType type, const Overlap& o) {
         if (std::memcmp(o.update, o.target, element_size_bytes(type)) < 0)
           copy_element(type, o.target, o.update);
       };
     }},
    {"scatter-clamps", "an index out of range goes to the nearest end", kOnly<Scatter>, "",
     [](Seams& s) {
       answer_outside_by(s, [](const PlacedIndex& index, std::uint64_t size) {
         return Coordinate(index.is_negative() ? 0 : size - 1);
       });
     }},
    {"scatter-wraps", "an index out of range is taken modulo the size", kOnly<Scatter>, "",
     [](Seams& s) {
       answer_outside_by(s, [](const PlacedIndex& index, std::uint64_t size) {
         return Coordinate(index.is_negative() ? size - 1 - ~index.bits % size : index.bits % size);
       });
     }},
    {"scatter-outside-gives-noise", "with an index out of range, the whole output is anything",
     kOnly<Scatter>, "",
     [](Seams& s) {
       static thread_local bool found;  // in this execution; threads may share the backend
       s.before = [](Execution&) { found = false; };
       answer_outside_by(s, [](const PlacedIndex&, std::uint64_t) {
         found = true;
         return Coordinate();
       });
       s.after = [](Execution& e) {
         if (found) std::memset(e.outputs[0].first, 0xA5, e.outputs[0].size_bytes);
       };
     }},
    {"scatter-fails-outside", "fails at an index out of range, with half of the updates written",
     kOnly<Scatter>, "", [](Seams& s) { s.fails_outside = true; }},
    {"gaps-overwritten", "clears the output's buffer before it writes: gaps and rounding too", kAll,
     "",
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (const View& output : e.outputs)
           // What fails must have written nothing; ONNX's outputs have no gaps.
           if (e.version.dialect() == Dialect::kDirectml && output.size_bytes > 0)
             std::memset(output.first, 0, output.size_bytes);
       };
     }},
    {"gather-1-counts-back", "a negative index of Gather 1 counts from the end", kOnly<OnnxGather>,
     "",
     [](Seams& s) {
       s.resolve = [](const Execution&, const PlacedIndex& index, std::uint64_t size) {
         return resolve(index, size);
       };
     }},
    {"bare-refusals", "rejects and fails without naming rules", kAll, "",
     [](Seams& s) {
       s.names_rules = false;
       s.failure_rule = [](std::string_view) { return ""; };
     }},
    {"without-64-bit-data", "says that it does not offer 8-byte elements", kAll, "",
     [](Seams& s) {
       s.lacks = [](const Operator& op, Version) {
         return tensors_of(op).front().desc.element_size_bytes() == 8;
       };
     }},
    {"offers-nothing", "says of everything that it is not offered", kAll, "",
     [](Seams& s) { s.lacks = [](const Operator&, Version) { return true; }; }},
    {"copies-twice", "writes every element twice, wrongly at first", kDirectml, "",
     [](Seams& s) {
       s.copy = [](DataType type, std::byte* to, const std::byte* from) {
         std::memset(to, 0x5A, element_size_bytes(type));
         copy_element(type, to, from);
       };
     }},
};

}  // namespace

Rows permitted() { return kPermitted; }

}  // namespace opconform::planted
