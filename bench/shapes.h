// Operators of any shape, large enough to be timed: what the generators draw, made larger.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/generation/operators/common.h"
#include "spec/operator.h"

namespace opconform::bench {

/// Outputs of a shape have at least this many bytes, and not many more than the most.
inline constexpr std::uint64_t kLeastShapeBytes = std::uint64_t{64} << 10;
inline constexpr std::uint64_t kMostShapeBytes = std::uint64_t{8} << 20;

/// How a dimension grows: `factor` times, and where nothing speaks against it by `more` elements,
/// so that sizes stay odd.
struct Growth {
  std::size_t dimension;
  std::uint64_t factor;
  std::uint64_t more;  ///< below factor
  [[nodiscard]] std::uint64_t of(std::uint64_t size) const { return size * factor + more; }
};

/// The layouts that the generator chose, for the sizes that tensors have now.
class Layouts {
 public:
  Layouts(const generation::Generated& generated, generation::Draws& draws)
      : generated_(generated), draws_(draws) {}
  void apply(std::string_view factor_name, TensorDesc& tensor);
  [[nodiscard]] generation::LayoutClass of(std::string_view factor_name) const;

 private:
  const generation::Generated& generated_;
  generation::Draws& draws_;
};

/// Shape `number`, a function of seed and number alone. Operators take turns; types, ranks, axes,
/// windows and layouts come from their generators. Indices name no element twice, so that one
/// result is right.
[[nodiscard]] Operator draw_shape(std::uint64_t seed, std::uint64_t number);

/// Bytes of the elements of all outputs.
[[nodiscard]] std::uint64_t output_bytes(const Operator& op);

}  // namespace opconform::bench
