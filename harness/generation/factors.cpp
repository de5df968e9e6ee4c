#include "harness/generation/factors.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace opconform::generation {
namespace {

/// One of the bits that are set. std::popcount() is a call where a processor may lack the
/// instruction, and this is asked twenty times a case.
std::uint32_t draw_bit(std::uint32_t mask, Draws& draws) {
  std::array<std::uint8_t, 32> places;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::size_t count = 0;
  for (; mask != 0; mask &= mask - 1)
    places[count++] = static_cast<std::uint8_t>(std::countr_zero(mask));
  return places[draws.below(count)];
}

}  // namespace

std::size_t FactorModel::add(std::string_view name, std::vector<std::string> values) {
  if (values.empty() || values.size() > 32 || factors_.size() == kMaxFactors)
    throw std::length_error("FactorModel: too many factors or values");
  possible_.push_back(static_cast<std::uint32_t>((std::uint64_t{1} << values.size()) - 1));
  preferred_.push_back(0);
  factors_.push_back({name, std::move(values)});
  neighbours_.emplace_back();
  return factors_.size() - 1;
}

void FactorModel::prefer(std::size_t factor, std::size_t value) {
  preferred_[factor] = std::uint32_t{1} << value;
}

void FactorModel::prefer_large(Assignment& partial, Draws& draws) const {
  constexpr std::uint64_t kOneInIsNot = 4;
  for (const std::size_t factor : open_ended_) {
    if (partial.has(factor) || draws.one_in(kOneInIsNot)) continue;
    Assignment larger = partial;
    larger.set(factor, factors_[factor].values.size() - 1);
    if (is_feasible(larger)) partial = larger;
  }
}

void FactorModel::forbid(std::size_t factor, std::size_t value, std::string_view rule) {
  possible_[factor] &= ~(std::uint32_t{1} << value);
  exclusions_.push_back({factor, value, factor, value, rule});
}

void FactorModel::forbid(std::size_t a, std::size_t a_value, std::size_t b, std::size_t b_value,
                         std::string_view rule) {
  neighbour(a, b).masks[b_value] &= ~(std::uint32_t{1} << a_value);
  neighbour(b, a).masks[a_value] &= ~(std::uint32_t{1} << b_value);
  exclusions_.push_back({a, a_value, b, b_value, rule});
}

FactorModel::Neighbour& FactorModel::neighbour(std::size_t factor, std::size_t other) {
  std::vector<Neighbour>& all = neighbours_[factor];
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Neighbour& n) { return n.factor == other; });
  if (found != all.end()) return *found;
  all.push_back({other, {}});
  all.back().masks.fill(~std::uint32_t{0});
  return all.back();
}

std::uint32_t FactorModel::allowed(std::size_t factor, const Assignment& assignment) const {
  std::uint32_t mask = possible_[factor];
  for (const Neighbour& other : neighbours_[factor])
    if (assignment.has(other.factor)) mask &= other.masks[assignment[other.factor]];
  return mask;
}

bool FactorModel::search(Assignment& partial) const {
  // The factor with the fewest values left is tried first: a dead end shows at once.
  std::size_t next = factors_.size();
  std::uint32_t next_mask = 0;
  for (std::size_t factor = 0; factor < factors_.size(); ++factor) {
    const std::uint32_t mask = allowed(factor, partial);
    if (partial.has(factor)) {
      if ((mask >> partial[factor] & 1) == 0) return false;
      continue;
    }
    if (mask == 0) return false;
    if (neighbours_[factor].empty()) continue;  // goes with everything
    if (next == factors_.size() || std::popcount(mask) < std::popcount(next_mask)) {
      next = factor;
      next_mask = mask;
    }
  }
  if (next == factors_.size()) return true;
  for (; next_mask != 0; next_mask &= next_mask - 1) {
    Assignment attempt = partial;
    attempt.set(next, static_cast<std::size_t>(std::countr_zero(next_mask)));
    if (search(attempt)) return true;
  }
  return false;
}

bool FactorModel::is_feasible(const Assignment& partial) const {
  Assignment copy = partial;
  return search(copy);
}

std::string_view FactorModel::forbidding_rule(const Assignment& partial) const {
  if (is_feasible(partial)) return {};
  for (const Exclusion& exclusion : exclusions_)
    if (partial.has(exclusion.a) && partial[exclusion.a] == exclusion.a_value &&
        partial.has(exclusion.b) && partial[exclusion.b] == exclusion.b_value)
      return exclusion.rule;
  // No pair forbids it, but every completion meets one: name the first that the values take part
  // in.
  for (const Exclusion& exclusion : exclusions_)
    if ((partial.has(exclusion.a) && partial[exclusion.a] == exclusion.a_value) ||
        (partial.has(exclusion.b) && partial[exclusion.b] == exclusion.b_value))
      return exclusion.rule;
  return {};
}

void FactorModel::complete(Assignment& assignment, Draws& draws) const {
  // Drawn in order, with nothing assigned before, values never lead into a dead end; wanted values
  // may.
  const bool look_ahead = assignment != Assignment();
  for (std::size_t factor = 0; factor < factors_.size(); ++factor) {
    if (assignment.has(factor)) continue;
    std::uint32_t left = allowed(factor, assignment);
    while (left != 0) {
      std::uint32_t mask = left;
      if ((mask & preferred_[factor]) != 0 && draws.one_in(2)) mask &= preferred_[factor];
      const std::uint32_t value = draw_bit(mask, draws);
      assignment.set(factor, value);
      if (!look_ahead || neighbours_[factor].empty() || is_feasible(assignment)) break;
      left &= ~(std::uint32_t{1} << value);
    }
    if (left == 0)
      throw std::logic_error("FactorModel: no value left for " +
                             std::string(factors_[factor].name));
  }
}

}  // namespace opconform::generation
