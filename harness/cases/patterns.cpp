#include "harness/cases/patterns.h"

#include <array>
#include <optional>
#include <span>

#include "harness/cases/element.h"
#include "harness/cases/tensor_reader.h"

namespace opconform::harness {
namespace {

constexpr std::string_view kRun = "run";
constexpr std::string_view kRamp = "ramp";

std::optional<std::uint64_t> twos_complement(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;  // of either sign
  return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                    : static_cast<std::uint64_t>(value.get<std::int64_t>());
}

/// Does the type hold the number? Two's complement alone cannot tell 2^63 from -2^63.
bool holds(const WholeNumbers& range, const Json& value) {
  const bool is_negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  return is_negative ? value.get<std::int64_t>() >= range.least
                     : value.get<std::uint64_t>() <= range.most;
}

Pattern::Part read_part(const Json& first, const Json& step, std::uint64_t count,
                        const WholeNumbers& range, const Pointer& at, const std::string& file) {
  const std::optional<std::uint64_t> start = twos_complement(first);
  if (!start || !holds(range, first))
    throw BadInput(file, at.text(),
                   "begins with " + excerpt(first) + ", which is no whole number in [" +
                       std::to_string(range.least) + ", " + std::to_string(range.most) + "]");
  const auto difference = read_integer<std::int64_t>(step, at, file);
  const std::uint64_t room =
      difference < 0 ? *start - static_cast<std::uint64_t>(range.least) : range.most - *start;
  const std::uint64_t distance = difference < 0 ? 0 - static_cast<std::uint64_t>(difference)
                                                : static_cast<std::uint64_t>(difference);
  if (distance != 0 && count - 1 > room / distance)
    throw BadInput(file, at.text(),
                   std::to_string(count) + " steps of " + std::to_string(difference) + " from " +
                       excerpt(first) + " leave [" + std::to_string(range.least) + ", " +
                       std::to_string(range.most) + "], which the type counts exactly");
  return {*start, static_cast<std::uint64_t>(difference)};
}

void read_ramp(const Json& list, DataType type, const Pointer& at, const std::string& file,
               Pattern& ramp) {
  const std::optional<WholeNumbers> range = whole_numbers(type);
  if (!range)
    throw BadInput(file, at.text(), "is a ramp, but elements of this type cannot be counted");
  const Json& first = list[0];
  const Json& step = list[1];
  bool moves = false;
  const auto add = [&](const Json& part_first, const Json& part_step) {
    ramp.parts.push_back(read_part(part_first, part_step, ramp.count, *range, at, file));
    moves = moves || ramp.parts.back().step != 0;
  };
  if (kind(type) == DataTypeKind::kComplex) {
    for (const Json* part : {&first, &step})
      if (!part->is_array() || part->size() != 2)
        throw BadInput(file, at.text(), excerpt(*part) + " is no complex number [re, im]");
    for (const std::size_t i : {0U, 1U}) add(first[i], step[i]);
  } else {
    add(first, step);
  }
  if (!moves) throw BadInput(file, at.text(), "has the step 0; such elements are a run");
}

}  // namespace

bool is_pattern(const Json& value) {
  return value.is_object() && (value.contains(kRun) || value.contains(kRamp));
}

Pattern read_pattern(const Json& value, DataType type, const Pointer& at, const std::string& file) {
  ObjectReader reader(value, at, file);
  const Json* run = reader.find(kRun);
  const Json& list = run != nullptr ? *run : reader.require(kRamp);
  reader.expect_no_others();
  const std::string_view key = run != nullptr ? kRun : kRamp;
  const std::size_t length = run != nullptr ? 2 : 3;
  if (!list.is_array() || list.size() != length)
    reader.fail(key, std::string("must be ") +
                         (run != nullptr ? "[element, count]" : "[first, step, count]") +
                         ", but is " + excerpt(list));
  const Pointer list_at = reader.at(key);
  const Pointer count_at(list_at, length - 1);
  Pattern pattern;
  pattern.count = read_integer<std::uint64_t>(list[length - 1], count_at, file);
  if (pattern.count == 0 || pattern.count > kMostPatternElements)
    throw BadInput(file, count_at.text(),
                   "is " + std::to_string(pattern.count) + ", but a pattern gives 1 to " +
                       std::to_string(kMostPatternElements) + " elements");
  if (run != nullptr)
    pattern.repeated = &list[0];
  else
    read_ramp(list, type, list_at, file, pattern);
  return pattern;
}

void append_ramp(const Pattern& ramp, DataType type, std::vector<std::byte>& bytes) {
  for (std::uint64_t i = 0; i < ramp.count; ++i)
    for (const Pattern::Part& part : ramp.parts)
      append_whole_number(part.first + i * part.step, type, bytes);
}

namespace {

/// JSON as it stands in a file that nobody lays out.
std::size_t text_length(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

std::size_t run_length(std::span<const Json> elements) {
  std::size_t length = 1;
  while (length < elements.size() && elements[length] == elements[0]) ++length;
  return length;
}

/// A number that a ramp may hold; none so large that a difference could wrap.
std::optional<std::int64_t> counted(const Json& value, const WholeNumbers& range) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (!value.is_number_integer() || !holds(range, value)) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMost})
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number < -kMost || number > kMost ? std::nullopt : std::optional(number);
}

/// The difference of two elements, as a ramp writes it; null where none can.
Json step_of(const Json& from, const Json& to, const WholeNumbers& range) {
  if (from.is_array() && to.is_array() && from.size() == 2 && to.size() == 2) {
    Json step = Json::array({step_of(from[0], to[0], range), step_of(from[1], to[1], range)});
    return step[0].is_null() || step[1].is_null() ? Json() : step;
  }
  const std::optional<std::int64_t> first = counted(from, range);
  const std::optional<std::int64_t> second = counted(to, range);
  return first && second ? Json(*second - *first) : Json();
}

/// A stretch at the start of a list, and what it is written as.
struct Stretch {
  std::size_t length = 1;
  Json pattern;
};

Stretch run_at(std::span<const Json> elements) {
  const std::size_t length = run_length(elements);
  return {length, {{kRun, {elements[0], length}}}};
}

Stretch ramp_at(std::span<const Json> elements, const std::optional<WholeNumbers>& range) {
  if (!range || elements.size() < 2) return {};
  const Json step = step_of(elements[0], elements[1], *range);
  if (step.is_null()) return {};
  std::size_t length = 2;
  while (length < elements.size() &&
         step_of(elements[length - 1], elements[length], *range) == step)
    ++length;
  return {length, {{kRamp, {elements[0], step, length}}}};
}

}  // namespace

Json with_patterns(const std::vector<Json>& elements, DataType type) {
  const std::optional<WholeNumbers> range = whole_numbers(type);
  std::vector<std::size_t> text_before{0};  // each element with its comma
  for (const Json& element : elements)
    text_before.push_back(text_before.back() + text_length(element) + 1);
  Json list = Json::array();
  for (std::size_t at = 0; at < elements.size();) {
    const std::span<const Json> rest = std::span(elements).subspan(at);
    Stretch best{1, elements[at]};
    std::size_t saved = 0;
    std::array stretches{run_at(rest), ramp_at(rest, range)};
    for (Stretch& stretch : stretches) {
      if (stretch.length < 2) continue;
      const std::size_t written = text_before[at + stretch.length] - text_before[at];
      const std::size_t instead = text_length(stretch.pattern) + 1;
      if (written <= instead + saved) continue;
      saved = written - instead;
      best = std::move(stretch);
    }
    at += best.length;
    list.push_back(std::move(best.pattern));
  }
  return list;
}

}  // namespace opconform::harness
