#include "reference/elements.h"
#include "reference/reference.h"

namespace opconform::reference {
namespace {

/// The coordinate that an index means, or nothing where it is an error.
std::optional<std::uint64_t> resolve(const Index& index, std::uint64_t size, Version version) {
  // gather.negative-index-v1: version 1 leaves negative indices open; here they are an error.
  if (version < OnnxGather::kNegativeIndicesSince && index.is_negative()) return std::nullopt;
  return index.resolve(size);
}

}  // namespace

ExecutionResult execute(const OnnxGather& op, Version version, const Bindings& bindings) {
  const InputElements data(op.data, bindings.inputs[0]);
  const InputElements indices(op.indices, bindings.inputs[1]);
  const OutputElements output(op.output, bindings.outputs[0]);
  const std::size_t axis = op.axis_from_front();
  const std::uint64_t size = op.data.sizes[axis];
  const auto index_at = [&](const Coordinates& at) {
    return read_index(op.indices.data_type, indices.at(at));
  };

  // gather.index-range: nothing is written where any index is an error.
  for (const Coordinates& at : all_coordinates(op.indices.sizes))
    if (!resolve(index_at(at), size, version))
      return OnnxGather::index_error(op.indices.sizes, element_number(at, op.indices.sizes),
                                     static_cast<std::int64_t>(index_at(at).bits), size,
                                     version >= OnnxGather::kNegativeIndicesSince);

  const auto axis_offset = static_cast<std::ptrdiff_t>(axis);
  const auto index_rank = static_cast<std::ptrdiff_t>(op.indices.rank());
  for (const Coordinates& to : all_coordinates(op.output.sizes)) {
    const auto* const index_begin = to.begin() + axis_offset;
    const Coordinates at(index_begin, index_begin + index_rank);
    Coordinates from(to.begin(), index_begin);  // gather.semantics
    from.push_back(*resolve(index_at(at), size, version));
    for (const auto* j = index_begin + index_rank; j != to.end(); ++j) from.push_back(*j);
    copy_element(output.at(to), data.at(from), data.size_bytes());
  }
  return {};
}

AlsoPermitted also_permitted(const OnnxGather& op, Version version, InputBuffers inputs) {
  if (version >= OnnxGather::kNegativeIndicesSince) return {};
  AlsoPermitted result;
  const InputElements indices(op.indices, inputs[1]);
  for (const Coordinates& at : all_coordinates(op.indices.sizes))
    if (read_index(op.indices.data_type, indices.at(at)).is_negative())
      result.also_as = OnnxGather::kNegativeIndicesSince;  // gather.negative-index-v1
  return result;
}

}  // namespace opconform::reference
