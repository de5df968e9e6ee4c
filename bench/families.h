// Families of shapes: what is alike but for a type, a length and some numbers. Cells are drawn of
// them, of any size, and neighbours, which differ by one in one number or by twice as much.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bench/cell.h"
#include "spec/operator.h"

namespace opconform::bench {

/// What a family asks for beside type and length: rows, channels, parts. Drawn between two.
struct Number {
  std::string_view name;
  std::uint64_t least;
  std::uint64_t most;
};

/// One for each of a family's numbers.
using Numbers = std::span<const std::uint64_t>;

struct Family {
  std::string_view name;
  std::vector<Number> numbers;
  /// The bytes grow in proportion to the length, which is at least 1.
  Operator (*make)(DataType type, std::uint64_t length, Numbers numbers);
};

// Each operator's, in families/OPERATOR.cpp.
#define OPCONFORM_OPERATOR(file, Type, prefix) \
  void add_families(std::type_identity<Type>, std::vector<Family>& families);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

[[nodiscard]] const std::vector<Family>& all_families();

/// How large all tensors of a cell are together.
struct Tier {
  std::string_view name;
  std::uint64_t bytes;
};
/// A small call, and what fits into the first, second and third cache of usual machines, and into
/// none.
[[nodiscard]] std::span<const Tier> all_tiers();

/// A member of a family.
struct Shape {
  const Family* family;
  DataType type;
  const Tier* tier;
  std::uint64_t length;
  std::vector<std::uint64_t> numbers;

  [[nodiscard]] Operator op() const { return family->make(type, length, numbers); }
  /// "transpose/f32/8M/1021 x 33": the length, then the numbers.
  [[nodiscard]] std::string name() const;
};

/// So many of each family and tier, a function of the seed alone; none where a family's smallest
/// shape is larger than the tier.
[[nodiscard]] std::vector<Shape> draw_shapes(std::uint64_t seed, std::size_t of_each);
[[nodiscard]] std::vector<Cell> cells_of(const std::vector<Shape>& shapes);

/// Bytes of the elements of all tensors.
[[nodiscard]] std::uint64_t tensor_bytes(const Operator& op);

}  // namespace opconform::bench
