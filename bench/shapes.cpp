#include "bench/shapes.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>

#include "harness/generation/operators/common.h"
#include "spec/validate.h"

namespace opconform::bench {
namespace {

using harness::Choices;
using harness::Generated;
using harness::LayoutClass;

constexpr std::uint64_t kMostBufferBytes = std::uint64_t{64} << 20;
constexpr int kMostSteps = 64;

// How a dimension grows: `factor` times, and where nothing speaks against it by `more` elements, so
// that sizes stay odd. Dimensions beyond those of the first tensor are those of Gather's indices.

struct Growth {
  std::size_t dimension;
  std::uint64_t factor;
  std::uint64_t more;  // below factor
  [[nodiscard]] std::uint64_t of(std::uint64_t size) const { return size * factor + more; }
};

std::size_t dimensions(const OnnxGather& op) { return op.data.rank() + op.indices.rank(); }
template <class Op>
std::size_t dimensions(const Op& op) {
  return op.input.rank();
}

void grow(const Growth& growth, Slice1& op) {
  const std::size_t i = growth.dimension;
  const auto magnitude = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
  const auto reachable = [&] { return 1 + (op.window_sizes[i] - 1) / magnitude; };
  const bool was_all = op.output.sizes[i] == reachable();
  op.input.sizes[i] = growth.of(op.input.sizes[i]);
  op.window_offsets[i] *= static_cast<std::uint32_t>(growth.factor);
  op.window_sizes[i] = static_cast<std::uint32_t>(growth.of(op.window_sizes[i]));
  op.output.sizes[i] =
      was_all ? reachable() : std::min(reachable(), op.output.sizes[i] * growth.factor);
}

void grow(const Growth& growth, Split& op) {
  const std::size_t i = growth.dimension;
  op.input.sizes[i] = 0;
  for (TensorDesc& output : op.outputs) {
    const bool grows_by_more = i != op.axis || &output == &op.outputs.front();
    output.sizes[i] = output.sizes[i] * growth.factor + (grows_by_more ? growth.more : 0);
    if (i == op.axis) op.input.sizes[i] += output.sizes[i];
  }
  if (i != op.axis) op.input.sizes[i] = op.outputs.front().sizes[i];
}

void grow(const Growth& growth, OnnxGather& op) {
  const std::size_t rank = op.data.rank();
  const std::size_t axis = op.axis_from_front();
  std::uint64_t& size = growth.dimension < rank ? op.data.sizes[growth.dimension]
                                                : op.indices.sizes[growth.dimension - rank];
  size = growth.of(size);
  op.output.sizes.assign(op.data.sizes.begin(), op.data.sizes.begin() + axis);
  for (const std::uint64_t index_size : op.indices.sizes) op.output.sizes.push_back(index_size);
  for (std::size_t i = axis + 1; i < rank; ++i) op.output.sizes.push_back(op.data.sizes[i]);
}

void grow(const Growth& growth, Scatter& op) {
  const std::size_t i = growth.dimension;
  for (TensorDesc* tensor : {&op.input, &op.output, &op.indices, &op.updates})
    tensor->sizes[i] = growth.of(tensor->sizes[i]);
}

/// The layout that the generator chose for a tensor, for the sizes that it has now.
class Layouts {
 public:
  Layouts(const Generated& generated, Choices& choices)
      : generated_(generated),
        factors_(harness::factor_model(generated.op.index()).factors()),
        choices_(choices) {}

  void apply(std::string_view factor_name, TensorDesc& tensor) {
    choose_layout(of(factor_name), 0, choices_, tensor);
  }
  [[nodiscard]] LayoutClass of(std::string_view factor_name) const {
    const auto factor = std::find_if(factors_.begin(), factors_.end(), [&](const auto& candidate) {
      return candidate.name == factor_name;
    });
    return static_cast<LayoutClass>(
        generated_.assignment[static_cast<std::size_t>(factor - factors_.begin())]);
  }

 private:
  const Generated& generated_;
  const std::vector<harness::Factor>& factors_;
  Choices& choices_;
};

void lay_out(Slice1& op, Layouts& layouts) {
  layouts.apply("input layout", op.input);
  layouts.apply("output layout", op.output);
}
void lay_out(Split& op, Layouts& layouts) {
  layouts.apply("input layout", op.input);
  for (std::size_t k = 0; k < op.outputs.size(); ++k)
    layouts.apply(k % 2 == 0 ? "output layout" : "second output's layout", op.outputs[k]);
}
void lay_out(OnnxGather& /*op*/, Layouts& /*layouts*/) {}
void lay_out(Scatter& op, Layouts& layouts) {
  layouts.apply("input layout", op.input);
  layouts.apply("indices layout", op.indices);
  layouts.apply("updates layout", op.updates);
  layouts.apply("output layout", op.output);
}

/// Could its indices be told apart? Those that share addresses name the same elements.
bool has_distinct_indices(const Scatter& op, const Layouts& layouts) {
  const LayoutClass layout = layouts.of("indices layout");
  return layout != LayoutClass::kBroadcast && layout != LayoutClass::kOverlapping &&
         op.indices.sizes[op.axis] <= op.input.sizes[op.axis];
}
template <class Op>
bool has_distinct_indices(const Op& /*op*/, const Layouts& /*layouts*/) {
  return true;
}

bool fits(const Operator& op) {
  bool result = true;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    result &= buffer_size_bytes(tensor.desc, describe(op).dialect) <= kMostBufferBytes;
  });
  return result;
}

/// An attempt; nothing where what was drawn cannot grow so large, or grows at the wrong place.
std::optional<Operator> try_to_draw(std::size_t operator_index, Choices& choices) {
  Generated generated;
  harness::generate(operator_index, {}, choices, generated);
  const std::uint64_t doublings = choices.below(std::bit_width(kMostShapeBytes / kLeastShapeBytes));
  const std::uint64_t goal = kLeastShapeBytes << doublings;
  Operator op = generated.op;
  if (output_bytes(op) == 0) return std::nullopt;
  Layouts layouts(generated, choices);
  const bool is_large = std::visit(
      [&](auto& o) {
        if (!has_distinct_indices(o, layouts)) return false;
        for (int step = 0; step < kMostSteps && output_bytes(op) < goal; ++step) {
          const std::uint64_t most = std::clamp<std::uint64_t>(2 * goal / output_bytes(op), 2, 9);
          const std::uint64_t factor = choices.between(2, most);
          grow({choices.below(dimensions(o)), factor, choices.below(factor)}, o);
          if (!fits(op)) return false;
        }
        lay_out(o, layouts);
        return output_bytes(op) >= goal;
      },
      op);
  if (!is_large || !fits(op)) return std::nullopt;
  return op;
}

}  // namespace

std::uint64_t output_bytes(const Operator& op) {
  std::uint64_t bytes = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput)
      bytes += *element_count(tensor.desc.sizes) * tensor.desc.element_size_bytes();
  });
  return bytes;
}

Operator draw_shape(std::uint64_t seed, std::uint64_t number) {
  harness::RandomChoices choices(harness::random_bits(seed, number));
  const std::size_t operator_index = number % std::variant_size_v<Operator>;
  for (;;)
    if (std::optional<Operator> op = try_to_draw(operator_index, choices)) return *op;
}

}  // namespace opconform::bench
