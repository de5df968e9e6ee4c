#include "bench/families.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "harness/generation/draws.h"

namespace opconform::bench {
namespace {

using generation::Draws;

constexpr std::array kTypes{DataType::kUint8, DataType::kFloat16, DataType::kFloat32,
                            DataType::kFloat64};
constexpr std::array<Tier, 5> kTiers{{{"1K", std::uint64_t{1} << 10},
                                      {"16K", std::uint64_t{16} << 10},
                                      {"512K", std::uint64_t{512} << 10},
                                      {"8M", std::uint64_t{8} << 20},
                                      {"96M", std::uint64_t{96} << 20}}};

/// Small numbers as often as large ones: a power of two first, then a number up to the next.
std::uint64_t draw_number(const Number& number, Draws& draws) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(number.most / number.least));
  const std::uint64_t low = number.least << draws.below(doublings);
  return draws.between(low, std::min(2 * low - 1, number.most));
}

/// Nothing where a shape of length 1 is too large already.
std::optional<Shape> draw_shape(const Family& family, const Tier& tier, Draws& draws) {
  Shape shape{.family = &family,
              .type = draws.of(std::span<const DataType>(kTypes)),
              .tier = &tier,
              .length = 1,
              .numbers = {}};
  for (const Number& number : family.numbers) shape.numbers.push_back(draw_number(number, draws));
  const std::uint64_t one = tensor_bytes(shape.op());
  shape.length = 2;
  const std::uint64_t more = tensor_bytes(shape.op()) - one;
  if (one > tier.bytes) return std::nullopt;
  const std::uint64_t most = 1 + (tier.bytes - one) / more;
  // Odd lengths too, not only what fills the tier.
  shape.length = most - draws.below(most / 8 + 1);
  return shape;
}

}  // namespace

std::uint64_t tensor_bytes(const Operator& op) {
  std::uint64_t bytes = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    bytes += *element_count(tensor.desc.sizes) * tensor.desc.element_size_bytes();
  });
  return bytes;
}

const std::vector<Family>& all_families() {
  static const std::vector<Family> families = [] {
    std::vector<Family> all;
    for_each_operator([&](auto op) { add_families(op, all); });
    return all;
  }();
  return families;
}

std::span<const Tier> all_tiers() { return kTiers; }

std::string Shape::name() const {
  std::string text = std::string(family->name) + "/" + std::string(short_name(type)) + "/" +
                     std::string(tier->name) + "/" + std::to_string(length);
  for (const std::uint64_t number : numbers) text += " x " + std::to_string(number);
  return text;
}

std::vector<Shape> draw_shapes(std::uint64_t seed, std::size_t of_each) {
  constexpr int kMostTries = 50;
  std::vector<Shape> shapes;
  std::uint64_t position = 0;
  for (const Family& family : all_families())
    for (const Tier& tier : kTiers)
      for (std::size_t k = 0; k < of_each; ++k) {
        generation::RandomDraws draws(base::random_bits(seed, position++));
        std::optional<Shape> shape;
        for (int i = 0; i < kMostTries && !shape; ++i) shape = draw_shape(family, tier, draws);
        if (shape) shapes.push_back(*std::move(shape));
      }
  return shapes;
}

std::vector<Cell> cells_of(const std::vector<Shape>& shapes) {
  std::vector<Cell> cells;
  for (const Shape& shape : shapes)
    cells.push_back({shape.name(), shape.family->name, shape.op(), {}});
  return cells;
}

}  // namespace opconform::bench
