#include "bench/buffers.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/generation/generated_contents.h"

namespace opconform::bench {
namespace {

using base::random_bits;

constexpr std::byte kUnwritten{0xA5};

void fill_values(const TensorDesc& tensor, std::uint64_t seed, std::span<std::byte> buffer) {
  if (tensor.data_type == DataType::kString)
    return generation::write_values(tensor, {.fill = generation::FillKind::kRandom, .seed = seed},
                                    buffer);
  base::fill_with_noise(buffer, seed);
  // Bytes from 0x20 to 0x3F make normal numbers of every floating-point type.
  if (tensor.element_size_bytes() > 1)
    for (std::byte& byte : buffer) byte = (byte & std::byte{0x1F}) | std::byte{0x20};
}

/// Indices along one line: each in a stretch of the dimension of its own, so that no two are alike,
/// in random order.
void draw_line(std::uint64_t size, std::uint64_t seed, std::span<std::uint64_t> line) {
  const std::uint64_t count = line.size();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t first = k * size / count;
    const std::uint64_t width = std::max<std::uint64_t>((k + 1) * size / count - first, 1);
    line[k] = first + base::random_bits(seed, k) % width;
  }
  for (std::uint64_t k = count; k > 1; --k)
    std::swap(line[k - 1], line[base::random_bits(~seed, k) % k]);
}

/// The dimension of a line, of a tensor of indices; all of it is one where the operator names none.
template <class Op>
void fill_indices(const Op& op, const TensorDesc& tensor, std::uint64_t seed,
                  std::span<std::byte> buffer) {
  const std::uint64_t count = *element_count(tensor.sizes);
  std::uint64_t length = count;
  std::uint64_t inner = 1;
  if constexpr (requires { op.index_line_dimension(); }) {
    const std::size_t axis = op.index_line_dimension();
    length = tensor.sizes[axis];
    for (std::size_t i = axis + 1; i < tensor.rank(); ++i) inner *= tensor.sizes[i];
  }
  std::vector<std::uint64_t> indices(count);
  std::vector<std::uint64_t> line(length);
  for (std::uint64_t l = 0; l < count / length; ++l) {
    draw_line(*op.indexed_size(), base::random_bits(seed, l), line);
    const std::uint64_t first = l / inner * length * inner + l % inner;
    for (std::uint64_t k = 0; k < length; ++k) indices[first + k * inner] = line[k];
  }
  const std::size_t width = tensor.element_size_bytes();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::memcpy(buffer.data() + offset * width, &indices[number], width);  // little endian
  });
}

}  // namespace

Block::Block(std::size_t size, std::size_t offset) {
  const std::size_t whole = (size + offset + kPageBytes) / kPageBytes * kPageBytes;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kPageBytes, whole)));
  if (memory_ == nullptr) throw std::bad_alloc();
  bytes_ = {memory_.get() + offset, size};
}

Buffers::Buffers(const Operator& op, std::uint64_t seed, bool aligned_to_element_only) {
  const Dialect dialect = describe(op).dialect;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const TensorDesc& desc = tensor.desc;
    const std::uint64_t own_seed = base::random_bits(seed, blocks_.size());
    const std::size_t width = desc.element_size_bytes();
    // Odd multiples of the element, so that the base is aligned to nothing larger.
    const std::size_t offset =
        aligned_to_element_only ? (own_seed % (64 / width) | 1) * width % 64 : 0;
    const std::span<std::byte> bytes =
        blocks_.emplace_back(buffer_size_bytes(desc, dialect), offset).bytes();
    if (tensor.field.access == Access::kOutput) {
      outputs_.push_back(bytes);
      return;
    }
    inputs_.push_back(bytes);
    std::visit(
        [&](const auto& o) {
          if constexpr (requires { o.indexed_size(); })
            if (tensor.field.content == Content::kIndices)
              return fill_indices(o, desc, own_seed, bytes);
          fill_values(desc, own_seed, bytes);
        },
        op);
  });
  clear_outputs();
}

void Buffers::clear_outputs() {
  for (const std::span<std::byte> output : outputs_)
    std::fill(output.begin(), output.end(), kUnwritten);
}

void Buffers::keep_outputs_as_expected() {
  expected_.clear();
  for (const std::span<std::byte> output : outputs_)
    expected_.emplace_back(output.begin(), output.end());
}

bool Buffers::outputs_are_as_expected() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (std::memcmp(outputs_[i].data(), expected_[i].data(), outputs_[i].size()) != 0) return false;
  return true;
}

}  // namespace opconform::bench
