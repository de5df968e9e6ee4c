#include "bench/traffic.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "bench/views.h"

namespace opconform::bench {
namespace {

/// The touched lines of one buffer.
class Lines {
 public:
  Lines(const std::byte* base, std::uint64_t size_bytes)
      : skew_(reinterpret_cast<std::uintptr_t>(base) % kLineBytes),
        touched_((size_bytes + skew_) / kLineBytes + 1) {}

  void touch(std::uint64_t first_byte, std::uint64_t size_bytes) {
    const std::uint64_t first = (first_byte + skew_) / kLineBytes;
    const std::uint64_t last = (first_byte + size_bytes - 1 + skew_) / kLineBytes;
    for (std::uint64_t line = first; line <= last; ++line) touched_[line] = true;
  }

  /// All elements of a view. The dimension of the smallest steps goes innermost; where it leaves
  /// out no line, all of it is one touch.
  void touch(const View& any, std::uint64_t width) {
    const View view = forwards(any).view;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < view.sizes.size(); ++i)
      if (view.sizes[i] > 1 && view.strides[i] != 0) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return view.strides[a] > view.strides[b]; });
    walk(view, width, order, 0, static_cast<std::uint64_t>(view.offset) * width);
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return kLineBytes *
           static_cast<std::uint64_t>(std::count(touched_.begin(), touched_.end(), true));
  }

 private:
  void walk(const View& view, std::uint64_t width, const std::vector<std::size_t>& order,
            std::size_t depth, std::uint64_t at) {
    if (depth == order.size()) return touch(at, width);
    const std::uint64_t size = view.sizes[order[depth]];
    const std::uint64_t step = static_cast<std::uint64_t>(view.strides[order[depth]]) * width;
    if (depth + 1 == order.size() && step <= kLineBytes)
      return touch(at, (size - 1) * step + width);
    for (std::uint64_t k = 0; k < size; ++k) walk(view, width, order, depth + 1, at + k * step);
  }

  std::uint64_t skew_;
  std::vector<bool> touched_;
};

std::uint64_t all_of(const TensorDesc& tensor, std::span<const std::byte> buffer) {
  Lines lines(buffer.data(), buffer.size());
  lines.touch(whole(tensor), tensor.element_size_bytes());
  return lines.bytes();
}

/// The elements that are taken of the data.
std::uint64_t taken(const Take& take, std::span<const std::byte> data,
                    std::span<const std::byte> indices) {
  const TensorDesc& tensor = *take.data.tensor;
  const std::size_t axis = take.axis;
  const std::uint64_t size = tensor.sizes[axis];
  std::vector<bool> named(size);
  const std::size_t width = take.indices.tensor->element_size_bytes();
  for (std::size_t at = 0; at < indices.size(); at += width) {
    std::int64_t index = 0;
    std::memcpy(&index, indices.data() + at, width);
    if (width == 4) index = static_cast<std::int32_t>(index);
    named[static_cast<std::size_t>(index < 0 ? index + static_cast<std::int64_t>(size) : index)] =
        true;
  }
  std::uint64_t outer = 1;
  std::uint64_t inner_bytes = tensor.element_size_bytes();
  for (std::size_t i = 0; i < axis; ++i) outer *= tensor.sizes[i];
  for (std::size_t i = axis + 1; i < tensor.rank(); ++i) inner_bytes *= tensor.sizes[i];
  Lines lines(data.data(), data.size());
  for (std::uint64_t o = 0; o < outer; ++o)
    for (std::uint64_t k = 0; k < size; ++k)
      if (named[k]) lines.touch((o * size + k) * inner_bytes, inner_bytes);
  return lines.bytes();
}

/// Each element of an output is written by one of the moves.
Traffic of_moves(const std::vector<Move>& moves, const Bindings& bindings) {
  Traffic result;
  std::vector<Lines> sources;
  for (const std::span<const std::byte> input : bindings.inputs)
    sources.emplace_back(input.data(), input.size());
  for (const Move& move : moves) {
    const std::uint64_t width = element_size_bytes(move.data_type);
    sources[move.source.buffer].touch(move.source, width);
    const std::span<std::byte> output = bindings.outputs[move.target.buffer];
    Lines target(output.data(), output.size());
    target.touch(move.target, width);
    result.written_bytes += target.bytes();
  }
  for (const Lines& source : sources) result.read_bytes += source.bytes();
  return result;
}

}  // namespace

Traffic traffic(const Operator& op, const Buffers& buffers) {
  const Bindings bindings = buffers.bindings();
  const Work work = work_of(op);
  if (const auto* moves = std::get_if<std::vector<Move>>(&work)) return of_moves(*moves, bindings);
  const Take* take = std::get_if<Take>(&work);
  Traffic result;
  std::size_t input = 0;
  std::size_t output = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput) {
      result.written_bytes += all_of(tensor.desc, bindings.outputs[output++]);
      return;
    }
    result.read_bytes +=
        take != nullptr && &tensor.desc == take->data.tensor
            ? taken(*take, bindings.inputs[input], bindings.inputs[take->indices.buffer])
            : all_of(tensor.desc, bindings.inputs[input]);
    ++input;
  });
  return result;
}

}  // namespace opconform::bench
