// Random operators against a naive interpreter of the formulas, element by element: many layouts,
// all types, both instruction sets, an inaccessible page beside every buffer. Gaps of outputs must
// keep their bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/isa.h"
#include "spec/validate.h"
#include "tests/effort.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized {
namespace {

using test::fill_randomly;
using test::GuardedMemory;
using test::GuardSide;
using Random = std::minstd_rand;

std::uint64_t choose(Random& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}
bool chance(Random& random, std::uint64_t percent) { return choose(random, 1, 100) <= percent; }

/// Calls `visit(coordinates)` for each element.
template <class Visit>
void for_each_coordinate(const Dims& sizes, Visit&& visit) {
  const std::uint64_t count = *element_count(sizes);
  for (std::uint64_t k = 0; k < count; ++k) {
    Dims at(sizes.size());
    std::uint64_t rest = k;
    for (std::size_t i = sizes.size(); i-- > 0; rest /= sizes[i]) at[i] = rest % sizes[i];
    visit(at);
  }
}

std::size_t offset_bytes(const TensorDesc& tensor, const Dims& at) {
  const Dims strides = effective_strides(tensor);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[i];
  return offset * tensor.element_size_bytes();
}

/// Sizes of at most a few thousand elements, some dimensions long, some of one element.
Dims some_sizes(Random& random, std::size_t rank) {
  Dims sizes(rank);
  std::uint64_t left = chance(random, 10) ? 20000 : 1000;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t i : order) {
    const std::uint64_t most = chance(random, 25) ? left : std::min<std::uint64_t>(left, 9);
    sizes[i] = chance(random, 15) ? 1 : choose(random, 1, std::max<std::uint64_t>(most, 1));
    left /= sizes[i];
  }
  return sizes;
}

/// Dimensions in any order, gaps here and there, any stride where the size is 1.
TensorDesc some_layout(Random& random, DataType type, const Dims& sizes) {
  if (chance(random, 30)) return packed_tensor(type, sizes);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (chance(random, 60)) std::shuffle(order.begin(), order.end(), random);
  Dims strides(sizes.size());
  std::uint64_t stride = chance(random, 20) ? choose(random, 1, 3) : 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
    if (chance(random, 25)) stride += choose(random, 1, 5);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1 && chance(random, 50)) strides[i] = choose(random, 0, 0xFFFFFFFF);
  return strided_tensor(type, sizes, strides);
}

/// An input may also repeat elements.
TensorDesc some_input_layout(Random& random, DataType type, const Dims& sizes) {
  TensorDesc tensor = some_layout(random, type, sizes);
  if (!chance(random, 30)) return tensor;
  Dims strides = effective_strides(tensor);
  for (std::uint64_t& stride : strides) {
    if (chance(random, 40)) stride = 0;
    if (chance(random, 10)) stride = choose(random, 0, 4);
  }
  return strided_tensor(type, sizes, strides);
}

/// Exactly the bytes up to the last element, so that the guard page is as near as can be.
class Tensor {
 public:
  Tensor(const TensorDesc& desc, GuardSide side, Random& random)
      : desc_(desc), memory_(*extent_elements(desc) * desc.element_size_bytes(), side) {
    fill_randomly(memory_.bytes(), random);
  }
  [[nodiscard]] const TensorDesc& desc() const { return desc_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return memory_.bytes(); }
  [[nodiscard]] std::byte* element(const Dims& at) const {
    return memory_.begin() + offset_bytes(desc_, at);
  }

 private:
  TensorDesc desc_;
  GuardedMemory memory_;
};

/// An operator's buffers, and what its outputs must hold.
struct Setting {
  Operator op;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;

  Setting(Operator the_op, GuardSide side, Random& random) : op(std::move(the_op)) {
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      (tensor.field.access == Access::kInput ? inputs : outputs)
          .emplace_back(tensor.desc, side, random);
    });
  }

  void execute(Version version, Isa isa) const {
    std::vector<std::span<const std::byte>> sources;
    std::vector<std::span<std::byte>> targets;
    for (const Tensor& tensor : inputs) sources.emplace_back(tensor.bytes());
    for (const Tensor& tensor : outputs) targets.emplace_back(tensor.bytes());
    const ExecutionResult error = prepare(op, version, isa).execute({sources, targets});
    ASSERT_FALSE(error) << error->message;
  }
};

std::vector<std::byte> bytes_of(const Tensor& tensor) {
  return {tensor.bytes().begin(), tensor.bytes().end()};
}

/// Executes with each instruction set. `expect(k, at)` gives the places whose bytes output k may
/// hold at `at`.
template <class Expect>
void check(const Setting& setting, Version version, Expect&& expect) {
  std::vector<std::vector<std::byte>> before;
  for (const Tensor& output : setting.outputs) before.push_back(bytes_of(output));
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2}) {
    if (!machine_has(isa)) continue;
    setting.execute(version, isa);
    for (std::size_t k = 0; k < setting.outputs.size(); ++k) {
      const Tensor& output = setting.outputs[k];
      const std::size_t width = output.desc().element_size_bytes();
      std::vector<std::byte> rest =
          bytes_of(output);  // with the elements put back to what they were
      for_each_coordinate(output.desc().sizes, [&](const Dims& at) {
        const std::vector<const std::byte*> permitted = expect(k, at);
        ASSERT_TRUE(std::any_of(permitted.begin(), permitted.end(),
                                [&](const std::byte* place) {
                                  return std::memcmp(place, output.element(at), width) == 0;
                                }))
            << name(isa) << ", output " << k << " offset " << offset_bytes(output.desc(), at);
        const std::size_t offset = offset_bytes(output.desc(), at);
        std::copy_n(before[k].begin() + static_cast<std::ptrdiff_t>(offset), width,
                    rest.begin() + static_cast<std::ptrdiff_t>(offset));
      });
      ASSERT_EQ(rest, before[k]) << name(isa) << ": a byte beside the elements of output " << k
                                 << " changed";
      std::copy(before[k].begin(), before[k].end(), output.bytes().begin());
    }
  }
}

DataType some_directml_type(Random& random) {
  return all_data_types()[choose(random, 0, 10)];  // DirectML's eleven stand first
}
GuardSide some_side(Random& random) {
  return chance(random, 50) ? GuardSide::kBefore : GuardSide::kBehind;
}
constexpr Version kLatest = FeatureLevel::k6_4;

TEST(Differential, Slice1) {
  Random random(1);
  for (int round = 0; round < test::draws(1500) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t rank = choose(random, 1, 8);
    const DataType type = some_directml_type(random);
    Slice1 op;
    op.input = some_input_layout(random, type, some_sizes(random, rank));
    Dims output_sizes(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::uint64_t size = op.input.sizes[i];
      const std::uint64_t window = chance(random, 40) ? size : choose(random, 1, size);
      std::uint64_t stride = chance(random, 50) ? 1 : choose(random, 1, 6);
      if (chance(random, 5)) stride = 0x7FFFFFFF;
      const std::uint64_t most = 1 + (window - 1) / stride;
      op.window_sizes.push_back(static_cast<std::uint32_t>(window));
      op.window_offsets.push_back(static_cast<std::uint32_t>(choose(random, 0, size - window)));
      const auto forwards = static_cast<std::int32_t>(stride);
      op.window_strides.push_back(chance(random, 60)     ? forwards
                                  : stride == 0x7FFFFFFF ? -forwards - 1
                                                         : -forwards);
      output_sizes[i] = chance(random, 70) ? most : choose(random, 1, most);
    }
    op.output = some_layout(random, type, output_sizes);
    const Setting setting(op, some_side(random), random);
    check(setting, kLatest, [&](std::size_t, const Dims& at) -> std::vector<const std::byte*> {
      Dims from(rank);
      for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t stride = op.window_strides[i];
        const std::int64_t start =
            stride > 0 ? op.window_offsets[i]
                       : std::int64_t{op.window_offsets[i]} + op.window_sizes[i] - 1;
        from[i] = static_cast<std::uint64_t>(start + static_cast<std::int64_t>(at[i]) * stride);
      }
      return {setting.inputs[0].element(from)};
    });
  }
}

TEST(Differential, Split) {
  Random random(2);
  for (int round = 0; round < test::draws(800) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t rank = choose(random, 1, 8);
    const DataType type = some_directml_type(random);
    Split op;
    Dims sizes = some_sizes(random, rank);
    op.axis = static_cast<std::uint32_t>(choose(random, 0, rank - 1));
    const bool alike = chance(random, 50);
    const std::uint64_t width = choose(random, 1, 4);
    std::vector<std::uint64_t> starts{0};
    for (std::uint64_t k = choose(random, 1, 8); k > 0; --k) {
      Dims output_sizes = sizes;
      output_sizes[op.axis] = alike ? width : choose(random, 1, 6);
      starts.push_back(starts.back() + output_sizes[op.axis]);
      op.outputs.push_back(some_layout(random, type, output_sizes));
      if (alike && k % 2 == 0) op.outputs.back() = packed_tensor(type, output_sizes);
    }
    sizes[op.axis] = starts.back();
    op.input = some_input_layout(random, type, sizes);
    const Setting setting(op, some_side(random), random);
    check(setting, kLatest, [&](std::size_t k, Dims at) -> std::vector<const std::byte*> {
      at[op.axis] += starts[k];
      return {setting.inputs[0].element(at)};
    });
  }
}

void put_index(const Tensor& indices, const Dims& at, std::int64_t index) {
  std::memcpy(indices.element(at), &index, indices.desc().element_size_bytes());  // little endian
}
std::int64_t get_index(const Tensor& indices, const Dims& at) {
  const bool is_signed = kind(indices.desc().data_type) == DataTypeKind::kSigned;
  std::int64_t index = 0;
  std::memcpy(&index, indices.element(at), indices.desc().element_size_bytes());
  return is_signed && indices.desc().element_size_bytes() == 4 ? static_cast<std::int32_t>(index)
                                                               : index;
}

TEST(Differential, Scatter) {
  Random random(3);
  for (int round = 0; round < test::draws(1000) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t rank = choose(random, 1, 8);
    const DataType type = some_directml_type(random);
    constexpr DataType kIndexTypes[] = {DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                        DataType::kUint32};
    Scatter op;
    op.input = some_input_layout(random, type, some_sizes(random, rank));
    op.output = some_layout(random, type, op.input.sizes);
    op.axis = static_cast<std::uint32_t>(choose(random, 0, rank - 1));
    Dims update_sizes = op.input.sizes;
    const std::uint64_t axis_size = update_sizes[op.axis];
    update_sizes[op.axis] = choose(random, 1, axis_size + 3);
    op.indices = some_input_layout(random, kIndexTypes[choose(random, 0, 3)], update_sizes);
    op.updates = some_input_layout(random, type, update_sizes);
    const Setting setting(op, some_side(random), random);
    const Tensor& indices = setting.inputs[1];
    const bool is_signed = kind(op.indices.data_type) == DataTypeKind::kSigned;
    const bool with_outside = chance(random, 20);
    const auto size = static_cast<std::int64_t>(axis_size);
    for_each_coordinate(update_sizes, [&](const Dims& at) {
      std::int64_t index = static_cast<std::int64_t>(choose(random, 0, axis_size - 1));
      if (is_signed && chance(random, 30)) index -= size;
      if (with_outside && chance(random, 20)) {
        const std::int64_t outside[] = {
            size, -size - 1, INT64_MIN, INT64_MAX, (std::int64_t{1} << 32) + size, -1000000};
        index = outside[choose(random, 0, 5)];
        // What is left of it in 32 bits may lie inside: that is then an index like others.
      }
      put_index(indices, at, index);
    });
    // For each output element, the places of the updates that point at it.
    std::vector<std::vector<const std::byte*>> writers(*element_count(op.output.sizes));
    const Dims packed = packed_strides(op.output.sizes);
    const auto number = [&](const Dims& at) {
      return std::inner_product(at.begin(), at.end(), packed.begin(), std::uint64_t{0});
    };
    for_each_coordinate(update_sizes, [&](const Dims& at) {
      std::int64_t index = get_index(indices, at);
      if (is_signed && index < 0) index += size;
      if (index < 0 || index >= size)
        return;  // an unsigned 64-bit value from 2^63 on is negative here
      Dims to = at;
      to[op.axis] = static_cast<std::uint64_t>(index);
      writers[number(to)].push_back(setting.inputs[2].element(at));
    });
    check(setting, kLatest, [&](std::size_t, const Dims& at) {
      const auto& found = writers[number(at)];
      return found.empty() ? std::vector<const std::byte*>{setting.inputs[0].element(at)} : found;
    });
  }
}

TEST(Differential, OnnxGather) {
  Random random(4);
  for (int round = 0; round < test::draws(1000) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto version = Version::opset(chance(random, 30) ? 10 : 13);
    const std::size_t rank = choose(random, 1, 8);
    const std::size_t index_rank = choose(random, 0, 4);
    // Opsets below 13 lack one type.
    DataType type = all_data_types()[choose(random, 0, kDataTypeCount - 1)];
    if (type == DataType::kBfloat16 && version < Version::opset(13)) type = DataType::kFloat16;
    OnnxGather op;
    op.data = packed_tensor(type, some_sizes(random, rank));
    const std::size_t axis = choose(random, 0, rank - 1);
    op.axis = static_cast<std::int64_t>(axis) -
              (chance(random, 50) ? static_cast<std::int64_t>(rank) : 0);
    Dims index_sizes(index_rank);
    for (std::uint64_t& size : index_sizes)
      size = chance(random, 5) ? 0 : choose(random, 1, index_rank == 1 ? 3000 : 6);
    op.indices =
        packed_tensor(chance(random, 50) ? DataType::kInt64 : DataType::kInt32, index_sizes);
    Dims output_sizes(op.data.sizes.begin(), op.data.sizes.begin() + axis);
    for (const std::uint64_t size : index_sizes) output_sizes.push_back(size);
    for (std::size_t i = axis + 1; i < rank; ++i) output_sizes.push_back(op.data.sizes[i]);
    if (*element_count(output_sizes) > 50000) continue;
    op.output = packed_tensor(type, output_sizes);
    const Setting setting(op, some_side(random), random);
    const auto size = static_cast<std::int64_t>(op.data.sizes[axis]);
    for_each_coordinate(index_sizes, [&](const Dims& at) {
      const auto index = static_cast<std::int64_t>(choose(random, 0, op.data.sizes[axis] - 1));
      const bool negative = version >= OnnxGather::kNegativeIndicesSince && chance(random, 30);
      put_index(setting.inputs[1], at, negative ? index - size : index);
    });
    check(setting, version, [&](std::size_t, const Dims& at) -> std::vector<const std::byte*> {
      const Dims index_at(at.begin() + axis, at.begin() + axis + index_rank);
      const std::int64_t index = get_index(setting.inputs[1], index_at);
      Dims from(at.begin(), at.begin() + axis);
      from.push_back(static_cast<std::uint64_t>(index < 0 ? index + size : index));
      for (std::size_t i = axis + index_rank; i < at.size(); ++i) from.push_back(at[i]);
      return {setting.inputs[0].element(from)};
    });
  }
}

// Large enough to be stored past the cache and to be cut into strips and blocks; compared by
// arithmetic.
TEST(Differential, LargeCopies) {
  Random random(5);
  constexpr std::uint32_t kRows = 1100;
  constexpr std::uint32_t kColumns = 1300;
  for (const std::int32_t stride : {1, -1, 2, -3})
    for (const Dims& strides : {Dims{kColumns, 1}, Dims{1, kRows}}) {
      Slice1 op;
      op.input = packed_tensor(DataType::kFloat32, {kRows, kColumns * 3});
      if (strides[0] == 1)
        op.input = strided_tensor(DataType::kFloat32, {kRows, kColumns * 3}, {1, kRows});
      op.output = packed_tensor(DataType::kFloat32, {kRows, kColumns});
      op.window_offsets = {0, 0};
      op.window_sizes = {kRows, kColumns * 3};
      op.window_strides = {1, stride};
      const Setting setting(op, GuardSide::kBehind, random);
      const std::vector<std::byte> before = bytes_of(setting.outputs[0]);
      for (const Isa isa : {Isa::kScalar, Isa::kAvx2}) {
        if (!machine_has(isa)) continue;
        std::copy(before.begin(), before.end(), setting.outputs[0].bytes().begin());
        setting.execute(kLatest, isa);
        for (std::uint64_t row = 0; row < kRows; ++row)
          for (std::uint64_t column = 0; column < kColumns; ++column) {
            const std::uint64_t start = stride < 0 ? kColumns * 3 - 1 : 0;
            const std::uint64_t from =
                start + column * static_cast<std::uint64_t>(std::int64_t{stride});
            ASSERT_EQ(std::memcmp(setting.outputs[0].element({row, column}),
                                  setting.inputs[0].element({row, from}), 4),
                      0)
                << name(isa) << ", stride " << stride << ", at " << row << ", " << column;
          }
      }
    }
}

}  // namespace
}  // namespace opconform::optimized
