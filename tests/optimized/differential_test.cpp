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
#include "optimized/machine.h"
#include "spec/validate.h"
#include "tests/effort.h"
#include "tests/optimized/random_operator.h"

namespace opconform::optimized {
namespace {

using namespace random_operator;
using test::GuardSide;

DataType some_directml_type(Random& random) {
  return all_data_types()[some_number(random, 0, 10)];  // DirectML's eleven stand first
}
GuardSide some_side(Random& random) {
  return sometimes(random, 50) ? GuardSide::kBefore : GuardSide::kBehind;
}
constexpr Version kLatest = FeatureLevel::k6_4;

TEST(Differential, Slice1) {
  Random random(1);
  for (int round = 0; round < test::draws(1500) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t rank = some_number(random, 1, 8);
    const DataType type = some_directml_type(random);
    Slice1 op;
    op.input = some_input_layout(random, type, some_sizes(random, rank));
    Dims output_sizes(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::uint64_t size = op.input.sizes[i];
      const std::uint64_t window = sometimes(random, 40) ? size : some_number(random, 1, size);
      std::uint64_t stride = sometimes(random, 50) ? 1 : some_number(random, 1, 6);
      if (sometimes(random, 5)) stride = 0x7FFFFFFF;
      const std::uint64_t most = 1 + (window - 1) / stride;
      op.window_sizes.push_back(static_cast<std::uint32_t>(window));
      op.window_offsets.push_back(
          static_cast<std::uint32_t>(some_number(random, 0, size - window)));
      const auto forwards = static_cast<std::int32_t>(stride);
      op.window_strides.push_back(sometimes(random, 60)  ? forwards
                                  : stride == 0x7FFFFFFF ? -forwards - 1
                                                         : -forwards);
      output_sizes[i] = sometimes(random, 70) ? most : some_number(random, 1, most);
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
    const std::size_t rank = some_number(random, 1, 8);
    const DataType type = some_directml_type(random);
    Split op;
    Dims sizes = some_sizes(random, rank);
    op.axis = static_cast<std::uint32_t>(some_number(random, 0, rank - 1));
    const bool alike = sometimes(random, 50);
    const std::uint64_t width = some_number(random, 1, 4);
    std::vector<std::uint64_t> starts{0};
    for (std::uint64_t k = some_number(random, 1, 8); k > 0; --k) {
      Dims output_sizes = sizes;
      output_sizes[op.axis] = alike ? width : some_number(random, 1, 6);
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

Scatter some_scatter(Random& random) {
  constexpr DataType kIndexTypes[] = {DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                      DataType::kUint32};
  const std::size_t rank = some_number(random, 1, 8);
  const DataType type = some_directml_type(random);
  Scatter op;
  op.input = some_input_layout(random, type, some_sizes(random, rank));
  op.output = some_layout(random, type, op.input.sizes);
  op.axis = static_cast<std::uint32_t>(some_number(random, 0, rank - 1));
  Dims update_sizes = op.input.sizes;
  update_sizes[op.axis] = some_number(random, 1, update_sizes[op.axis] + 3);
  op.indices = some_input_layout(random, kIndexTypes[some_number(random, 0, 3)], update_sizes);
  op.updates = some_input_layout(random, type, update_sizes);
  return op;
}

/// Indices of any place of the axis; now and then, in all, some that lie outside.
void fill_indices(const Scatter& op, const Tensor& indices, Random& random) {
  const bool is_signed = kind(op.indices.data_type) == DataTypeKind::kSigned;
  const bool with_outside = sometimes(random, 20);
  const auto size = static_cast<std::int64_t>(op.output.sizes[op.axis]);
  for_each_coordinate(op.indices.sizes, [&](const Dims& at) {
    auto index = static_cast<std::int64_t>(some_number(random, 0, op.output.sizes[op.axis] - 1));
    if (is_signed && sometimes(random, 30)) index -= size;
    if (with_outside && sometimes(random, 20)) {
      const std::int64_t outside[] = {
          size, -size - 1, INT64_MIN, INT64_MAX, (std::int64_t{1} << 32) + size, -1000000};
      index = outside[some_number(random, 0, 5)];
      // What is left of it in 32 bits may lie inside: that is then an index like others.
    }
    put_index(indices, at, index);
  });
}

/// The number of an element in the order of a packed tensor.
std::uint64_t number_of(const Dims& at, const Dims& sizes) {
  const Dims packed = packed_strides(sizes);
  return std::inner_product(at.begin(), at.end(), packed.begin(), std::uint64_t{0});
}

/// By number of the output's element: the updates that point at it.
using Writers = std::vector<std::vector<const std::byte*>>;
Writers writers_of(const Scatter& op, const Tensor& indices, const Tensor& updates) {
  const bool is_signed = kind(op.indices.data_type) == DataTypeKind::kSigned;
  const auto size = static_cast<std::int64_t>(op.output.sizes[op.axis]);
  Writers writers(*element_count(op.output.sizes));
  for_each_coordinate(op.indices.sizes, [&](const Dims& at) {
    std::int64_t index = get_index(indices, at);
    if (is_signed && index < 0) index += size;
    if (index < 0 || index >= size)
      return;  // an unsigned 64-bit value from 2^63 on is negative here
    Dims to = at;
    to[op.axis] = static_cast<std::uint64_t>(index);
    writers[number_of(to, op.output.sizes)].push_back(updates.element(at));
  });
  return writers;
}

TEST(Differential, Scatter) {
  Random random(3);
  for (int round = 0; round < test::draws(1000) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const Scatter op = some_scatter(random);
    const Setting setting(op, some_side(random), random);
    const Tensor& input = setting.inputs[0];
    const Tensor& indices = setting.inputs[1];
    fill_indices(op, indices, random);
    const Writers writers = writers_of(op, indices, setting.inputs[2]);
    check(setting, kLatest, [&](std::size_t, const Dims& at) {
      const auto& found = writers[number_of(at, op.output.sizes)];
      return found.empty() ? std::vector<const std::byte*>{input.element(at)} : found;
    });
  }
}

TEST(Differential, OnnxGather) {
  Random random(4);
  for (int round = 0; round < test::draws(1000) && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto version = Version::opset(sometimes(random, 30) ? 10 : 13);
    const std::size_t rank = some_number(random, 1, 8);
    const std::size_t index_rank = some_number(random, 0, 4);
    // Opsets below 13 lack one type.
    DataType type = all_data_types()[some_number(random, 0, kDataTypeCount - 1)];
    if (type == DataType::kBfloat16 && version < Version::opset(13)) type = DataType::kFloat16;
    OnnxGather op;
    op.data = packed_tensor(type, some_sizes(random, rank));
    const std::size_t axis = some_number(random, 0, rank - 1);
    op.axis = static_cast<std::int64_t>(axis) -
              (sometimes(random, 50) ? static_cast<std::int64_t>(rank) : 0);
    Dims index_sizes(index_rank);
    for (std::uint64_t& size : index_sizes)
      size = sometimes(random, 5) ? 0 : some_number(random, 1, index_rank == 1 ? 3000 : 6);
    op.indices =
        packed_tensor(sometimes(random, 50) ? DataType::kInt64 : DataType::kInt32, index_sizes);
    Dims output_sizes(op.data.sizes.begin(), op.data.sizes.begin() + axis);
    for (const std::uint64_t size : index_sizes) output_sizes.push_back(size);
    for (std::size_t i = axis + 1; i < rank; ++i) output_sizes.push_back(op.data.sizes[i]);
    if (*element_count(output_sizes) > 50000) continue;
    op.output = packed_tensor(type, output_sizes);
    const Setting setting(op, some_side(random), random);
    const auto size = static_cast<std::int64_t>(op.data.sizes[axis]);
    for_each_coordinate(index_sizes, [&](const Dims& at) {
      const auto index = static_cast<std::int64_t>(some_number(random, 0, op.data.sizes[axis] - 1));
      const bool negative = version >= OnnxGather::kNegativeIndicesSince && sometimes(random, 30);
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
