// Memory for one execution of the reference, watched: inputs in allocations of just their bytes,
// outputs between guard zones, and every byte of an output known before.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "reference/reference.h"
#include "spec/validate.h"

namespace opconform::reference {

using Bytes = std::vector<std::byte>;

/// Of most tests.
inline constexpr DataType kFloat = DataType::kFloat32;

/// The bytes of these values, end to end.
template <class T>
Bytes bytes_of(std::span<const T> values) {
  Bytes bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  return bytes_of(std::span<const T>(values));
}
template <class T>
Bytes bytes_of(std::initializer_list<T> values) {
  return bytes_of(std::span<const T>(values.begin(), values.size()));
}

/// 0, 1, 2, ... up to `count` values: each tells where it came from.
template <class T>
std::vector<T> numbered(std::size_t count, T first = T{}) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(first + static_cast<T>(i));
  return values;
}

/// What an output's buffer holds before, in every byte.
inline constexpr std::byte kUntouched{0xC7};

/// The value of an element that nobody wrote.
template <class T>
T untouched() {
  std::array<std::byte, sizeof(T)> bytes;
  bytes.fill(kUntouched);
  return std::bit_cast<T>(bytes);
}

/// An output's buffer with a guard zone on either side.
class OutputBuffer {
 public:
  explicit OutputBuffer(std::uint64_t size_bytes)
      : zone_(kGuardSizeBytes + size_bytes + kGuardSizeBytes, kGuard) {
    std::fill(bytes().begin(), bytes().end(), kUntouched);
  }
  [[nodiscard]] std::span<std::byte> bytes() {
    return {zone_.data() + kGuardSizeBytes, zone_.size() - 2 * kGuardSizeBytes};
  }
  [[nodiscard]] bool guards_are_intact() const {
    const auto is_intact = [](std::byte byte) { return byte == kGuard; };
    return std::all_of(zone_.begin(), zone_.begin() + kGuardSizeBytes, is_intact) &&
           std::all_of(zone_.end() - kGuardSizeBytes, zone_.end(), is_intact);
  }
  /// The whole buffer, gaps included; what does not fill an element at its end is left out.
  template <class T>
  [[nodiscard]] std::vector<T> values() {
    std::vector<T> result(bytes().size() / sizeof(T));
    if (!result.empty()) std::memcpy(result.data(), bytes().data(), result.size() * sizeof(T));
    return result;
  }
  [[nodiscard]] bool is_untouched() {
    return std::all_of(bytes().begin(), bytes().end(),
                       [](std::byte byte) { return byte == kUntouched; });
  }

 private:
  static constexpr std::ptrdiff_t kGuardSizeBytes = 256;
  static constexpr std::byte kGuard{0x5A};
  Bytes zone_;
};

struct Execution {
  ExecutionResult error;
  std::vector<OutputBuffer> outputs;

  template <class T>
  [[nodiscard]] std::vector<T> values(std::size_t output = 0) {
    return outputs[output].values<T>();
  }
};

/// Pads to what the tensor's buffer holds: values are given without the rounding to 4.
template <class Op>
std::vector<Bytes> padded(const Op& op, std::vector<Bytes> inputs) {
  std::size_t i = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access != Access::kInput) return;
    const std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, Op::kDialect);
    EXPECT_LE(inputs[i].size(), size_bytes) << tensor.path;
    EXPECT_GT(inputs[i].size() + 4, size_bytes) << tensor.path << ": too few values";
    inputs[i++].resize(size_bytes);
  });
  EXPECT_EQ(i, inputs.size());
  return inputs;
}

inline std::vector<std::span<const std::byte>> spans(const std::vector<Bytes>& inputs) {
  return {inputs.begin(), inputs.end()};
}

/// Executes a valid operator and sees to it that nothing but outputs is written.
template <class Op>
Execution run(const Op& op, const std::vector<Bytes>& inputs,
              Version version = Version::standard(Op::kDialect)) {
  EXPECT_TRUE(validate(op, version).empty()) << "the test's own descriptor is not valid";
  const std::vector<Bytes> before = padded(op, inputs);
  std::vector<Bytes> buffers = before;
  const std::vector<std::span<const std::byte>> input_spans = spans(buffers);

  Execution result;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput)
      result.outputs.emplace_back(buffer_size_bytes(tensor.desc, Op::kDialect));
  });
  std::vector<std::span<std::byte>> output_spans;
  for (OutputBuffer& output : result.outputs) output_spans.push_back(output.bytes());

  result.error = execute(op, version, Bindings{.inputs = input_spans, .outputs = output_spans});
  EXPECT_EQ(buffers, before) << "an input changed";
  for (const OutputBuffer& output : result.outputs)
    EXPECT_TRUE(output.guards_are_intact()) << "a byte outside an output changed";
  return result;
}

/// run() where success is due.
template <class Op>
Execution run_well(const Op& op, const std::vector<Bytes>& inputs,
                   Version version = Version::standard(Op::kDialect)) {
  Execution result = run(op, inputs, version);
  EXPECT_FALSE(result.error.has_value()) << result.error->message;
  return result;
}

template <class Op>
AlsoPermitted also_permitted_of(const Op& op, const std::vector<Bytes>& inputs,
                                Version version = Version::standard(Op::kDialect)) {
  const std::vector<Bytes> buffers = padded(op, inputs);
  return also_permitted(op, version, spans(buffers));
}

// GoogleTest finds it by its name.
inline void PrintTo(const Alternative& alternative, std::ostream* out) {
  *out << "output element " << alternative.output_element << " from input " << alternative.input
       << " element " << alternative.input_element;
}

}  // namespace opconform::reference
