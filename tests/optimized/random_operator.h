// What tests of random operators share: sizes, layouts and buffers drawn at random, and the check
// of all outputs, element by element and between the elements.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "opconform/optimized.h"
#include "optimized/machine.h"
#include "tests/optimized/guarded_memory.h"

namespace opconform::optimized::random_operator {

using Random = std::minstd_rand;

inline std::uint64_t some_number(Random& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}
inline bool sometimes(Random& random, std::uint64_t percent) {
  return some_number(random, 1, 100) <= percent;
}

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

inline std::size_t offset_bytes(const TensorDesc& tensor, const Dims& at) {
  const Dims strides = effective_strides(tensor);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[i];
  return offset * tensor.element_size_bytes();
}

/// Sizes of at most a few thousand elements, some dimensions long, some of one element.
inline Dims some_sizes(Random& random, std::size_t rank) {
  Dims sizes(rank);
  std::uint64_t left = sometimes(random, 10) ? 20000 : 1000;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t i : order) {
    const std::uint64_t most = sometimes(random, 25) ? left : std::min<std::uint64_t>(left, 9);
    sizes[i] = sometimes(random, 15) ? 1 : some_number(random, 1, std::max<std::uint64_t>(most, 1));
    left /= sizes[i];
  }
  return sizes;
}

/// Dimensions in any order, gaps here and there, now and then the rows of a short dimension between
/// those of the outermost, any stride where the size is 1.
inline TensorDesc some_layout(Random& random, DataType type, const Dims& sizes) {
  if (sometimes(random, 30)) return packed_tensor(type, sizes);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (sometimes(random, 60)) std::shuffle(order.begin(), order.end(), random);
  Dims strides(sizes.size());
  std::uint64_t stride = sometimes(random, 20) ? some_number(random, 1, 3) : 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
    if (sometimes(random, 25)) stride += some_number(random, 1, 5);
  }
  if (order.size() > 1 && sometimes(random, 20)) {
    const std::size_t between = order[some_number(random, 1, order.size() - 1)];
    if (sizes[between] <= 3) strides[between] += strides[order.front()];
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1 && sometimes(random, 50)) strides[i] = some_number(random, 0, 0xFFFFFFFF);
  return strided_tensor(type, sizes, strides);
}

/// An input may also repeat elements.
inline TensorDesc some_input_layout(Random& random, DataType type, const Dims& sizes) {
  TensorDesc tensor = some_layout(random, type, sizes);
  if (!sometimes(random, 30)) return tensor;
  Dims strides = effective_strides(tensor);
  for (std::uint64_t& stride : strides) {
    if (sometimes(random, 40)) stride = 0;
    if (sometimes(random, 10)) stride = some_number(random, 0, 4);
  }
  return strided_tensor(type, sizes, strides);
}

/// Exactly the bytes up to the last element, so that the guard page is as near as can be.
class Tensor {
 public:
  Tensor(const TensorDesc& desc, test::GuardSide side, Random& random)
      : desc_(desc), memory_(*extent_elements(desc) * desc.element_size_bytes(), side) {
    test::fill_randomly(memory_.bytes(), random);
  }
  [[nodiscard]] const TensorDesc& desc() const { return desc_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return memory_.bytes(); }
  [[nodiscard]] std::byte* element(const Dims& at) const {
    return memory_.begin() + offset_bytes(desc_, at);
  }

 private:
  TensorDesc desc_;
  test::GuardedMemory memory_;
};

/// An operator's buffers, and what its outputs must hold.
struct Setting {
  Operator op;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;

  Setting(Operator the_op, test::GuardSide side, Random& random) : op(std::move(the_op)) {
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      (tensor.field.access == Access::kInput ? inputs : outputs)
          .emplace_back(tensor.desc, side, random);
    });
  }

  /// Planned for that instruction set, or, without one, by execute_once().
  void execute(Version version, std::optional<Isa> isa) const {
    std::vector<std::span<const std::byte>> sources;
    std::vector<std::span<std::byte>> targets;
    for (const Tensor& tensor : inputs) sources.emplace_back(tensor.bytes());
    for (const Tensor& tensor : outputs) targets.emplace_back(tensor.bytes());
    const Bindings bindings{sources, targets};
    const ExecutionResult error =
        isa ? prepare(op, version, *isa).execute(bindings) : execute_once(op, version, bindings);
    ASSERT_FALSE(error) << error->message;
  }
};

inline std::vector<std::byte> bytes_of(const Tensor& tensor) {
  return {tensor.bytes().begin(), tensor.bytes().end()};
}

/// Executes with each instruction set, and once without a plan. `expect(k, at)` gives the places
/// whose bytes output k may hold at `at`.
template <class Expect>
void check(const Setting& setting, Version version, Expect&& expect) {
  std::vector<std::vector<std::byte>> before;
  for (const Tensor& output : setting.outputs) before.push_back(bytes_of(output));
  for (const std::optional<Isa> isa :
       {std::optional(Isa::kScalar), std::optional(Isa::kAvx2), {}}) {
    if (isa && !machine_has(*isa)) continue;
    const std::string_view how = isa ? name(*isa) : "once";
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
            << how << ", output " << k << " offset " << offset_bytes(output.desc(), at);
        const std::size_t offset = offset_bytes(output.desc(), at);
        std::copy_n(before[k].begin() + static_cast<std::ptrdiff_t>(offset), width,
                    rest.begin() + static_cast<std::ptrdiff_t>(offset));
      });
      ASSERT_EQ(rest, before[k]) << how << ": a byte beside the elements of output " << k
                                 << " changed";
      std::copy(before[k].begin(), before[k].end(), output.bytes().begin());
    }
  }
}

}  // namespace opconform::optimized::random_operator
