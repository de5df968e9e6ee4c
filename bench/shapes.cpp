#include "bench/shapes.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>

#include "bench/operators.h"
#include "harness/generation/operators/common.h"
#include "spec/validate.h"

namespace opconform::bench {

void Layouts::apply(std::string_view factor_name, TensorDesc& tensor) {
  generation::choose_layout(of(factor_name), 0, draws_, tensor);
}

generation::LayoutClass Layouts::of(std::string_view factor_name) const {
  const std::vector<generation::Factor>& factors =
      generation::factor_model(generated_.op.index()).factors();
  const auto factor = std::find_if(factors.begin(), factors.end(), [&](const auto& candidate) {
    return candidate.name == factor_name;
  });
  return static_cast<generation::LayoutClass>(
      generated_.assignment[static_cast<std::size_t>(factor - factors.begin())]);
}

namespace {

using generation::Draws;
using generation::Generated;

constexpr std::uint64_t kMostBufferBytes = std::uint64_t{64} << 20;
constexpr int kMostSteps = 64;

bool fits(const Operator& op) {
  bool result = true;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    result &= buffer_size_bytes(tensor.desc, describe(op).dialect) <= kMostBufferBytes;
  });
  return result;
}

/// An attempt; nothing where what was drawn cannot grow so large, or grows at the wrong place.
std::optional<Operator> try_to_draw(std::size_t operator_index, Draws& draws) {
  Generated generated;
  generation::generate(operator_index, {}, draws, generated);
  const std::uint64_t doublings = draws.below(std::bit_width(kMostShapeBytes / kLeastShapeBytes));
  const std::uint64_t goal = kLeastShapeBytes << doublings;
  Operator op = generated.op;
  if (output_bytes(op) == 0) return std::nullopt;
  Layouts layouts(generated, draws);
  const bool is_large = std::visit(
      [&](auto& o) {
        if (!has_distinct_indices(o, layouts)) return false;
        for (int step = 0; step < kMostSteps && output_bytes(op) < goal; ++step) {
          const std::uint64_t most = std::clamp<std::uint64_t>(2 * goal / output_bytes(op), 2, 9);
          const std::uint64_t factor = draws.between(2, most);
          grow({draws.below(dimensions(o)), factor, draws.below(factor)}, o);
          if (!fits(op)) return false;
        }
        lay_out(layouts, o);
        return output_bytes(op) >= goal;
      },
      op);
  if (!is_large || !fits(op)) return std::nullopt;
  // Of a large layout it may take too long to say whether its elements overlap.
  if (!validate(op, version_of(op)).empty()) return std::nullopt;
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
  generation::RandomDraws draws(base::random_bits(seed, number));
  const std::size_t operator_index = number % std::variant_size_v<Operator>;
  for (;;)
    if (std::optional<Operator> op = try_to_draw(operator_index, draws)) return *op;
}

}  // namespace opconform::bench
