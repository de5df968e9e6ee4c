#include "harness/cases/patterns.h"

#include <array>
#include <optional>
#include <span>

#include "harness/cases/element.h"

namespace opconform::cases {
namespace {

constexpr std::string_view kRun = "run";
constexpr std::string_view kRamp = "ramp";

std::optional<std::uint64_t> twos_complement(const base::Json& value) {
  if (!value.is_number_integer()) return std::nullopt;  // of either sign
  return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                    : static_cast<std::uint64_t>(value.get<std::int64_t>());
}

/// Does the type hold the number? Two's complement alone cannot tell 2^63 from -2^63.
bool holds(const WholeNumbers& range, const base::Json& value) {
  const bool is_negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  return is_negative ? value.get<std::int64_t>() >= range.least
                     : value.get<std::uint64_t>() <= range.most;
}

Pattern::Part read_part(const base::Json& first, const base::Json& step, std::uint64_t count,
                        const WholeNumbers& range, const base::Pointer& at,
                        const std::string& file) {
  const std::optional<std::uint64_t> start = twos_complement(first);
  if (!start || !holds(range, first))
    throw base::BadInput(file, at.text(),
                         "begins with " + base::excerpt(first) + ", which is no whole number in [" +
                             std::to_string(range.least) + ", " + std::to_string(range.most) + "]");
  const auto difference = base::read_integer<std::int64_t>(step, at, file);
  const std::uint64_t room =
      difference < 0 ? *start - static_cast<std::uint64_t>(range.least) : range.most - *start;
  const std::uint64_t distance = difference < 0 ? 0 - static_cast<std::uint64_t>(difference)
                                                : static_cast<std::uint64_t>(difference);
  if (distance != 0 && count - 1 > room / distance)
    throw base::BadInput(file, at.text(),
                         std::to_string(count) + " steps of " + std::to_string(difference) +
                             " from " + base::excerpt(first) + " leave [" +
                             std::to_string(range.least) + ", " + std::to_string(range.most) +
                             "], which the type counts exactly");
  return {*start, static_cast<std::uint64_t>(difference)};
}

void read_ramp(const base::Json& list, DataType type, const base::Pointer& at,
               const std::string& file, Pattern& ramp) {
  const std::optional<WholeNumbers> range = whole_numbers(type);
  if (!range)
    throw base::BadInput(file, at.text(), "is a ramp, but elements of this type cannot be counted");
  const base::Json& first = list[0];
  const base::Json& step = list[1];
  bool moves = false;
  const auto add = [&](const base::Json& part_first, const base::Json& part_step) {
    ramp.parts.push_back(read_part(part_first, part_step, ramp.count, *range, at, file));
    moves = moves || ramp.parts.back().step != 0;
  };
  if (kind(type) == DataTypeKind::kComplex) {
    for (const base::Json* part : {&first, &step})
      if (!part->is_array() || part->size() != 2)
        throw base::BadInput(file, at.text(),
                             base::excerpt(*part) + " is no complex number [re, im]");
    for (const std::size_t i : {0U, 1U}) add(first[i], step[i]);
  } else {
    add(first, step);
  }
  if (!moves) throw base::BadInput(file, at.text(), "has the step 0; such elements are a run");
}

}  // namespace

bool is_pattern(const base::Json& value) {
  return value.is_object() && (value.contains(kRun) || value.contains(kRamp));
}

Pattern read_pattern(const base::Json& value, DataType type, const base::Pointer& at,
                     const std::string& file) {
  base::ObjectReader reader(value, at, file);
  const base::Json* run = reader.find(kRun);
  const base::Json& list = run != nullptr ? *run : reader.require(kRamp);
  reader.expect_no_others();
  const std::string_view key = run != nullptr ? kRun : kRamp;
  const std::size_t length = run != nullptr ? 2 : 3;
  if (!list.is_array() || list.size() != length)
    reader.fail(key, std::string("must be ") +
                         (run != nullptr ? "[element, count]" : "[first, step, count]") +
                         ", but is " + base::excerpt(list));
  const base::Pointer list_at = reader.at(key);
  const base::Pointer count_at(list_at, length - 1);
  Pattern pattern;
  pattern.count = base::read_integer<std::uint64_t>(list[length - 1], count_at, file);
  if (pattern.count == 0 || pattern.count > kMostPatternElements)
    throw base::BadInput(file, count_at.text(),
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
std::size_t text_length(const base::Json& value) {
  return value.dump(-1, ' ', false, base::Json::error_handler_t::replace).size();
}

std::size_t run_length(std::span<const base::Json> elements) {
  std::size_t length = 1;
  while (length < elements.size() && elements[length] == elements[0]) ++length;
  return length;
}

/// A number that a ramp may hold; none so large that a difference could wrap.
std::optional<std::int64_t> counted(const base::Json& value, const WholeNumbers& range) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (!value.is_number_integer() || !holds(range, value)) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMost})
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number < -kMost || number > kMost ? std::nullopt : std::optional(number);
}

/// The difference of two elements, as a ramp writes it; null where none can.
base::Json step_of(const base::Json& from, const base::Json& to, const WholeNumbers& range) {
  if (from.is_array() && to.is_array() && from.size() == 2 && to.size() == 2) {
    base::Json step =
        base::Json::array({step_of(from[0], to[0], range), step_of(from[1], to[1], range)});
    return step[0].is_null() || step[1].is_null() ? base::Json() : step;
  }
  const std::optional<std::int64_t> first = counted(from, range);
  const std::optional<std::int64_t> second = counted(to, range);
  return first && second ? base::Json(*second - *first) : base::Json();
}

/// A stretch at the start of a list, and what it is written as.
struct Stretch {
  std::size_t length = 1;
  base::Json pattern;
};

Stretch run_at(std::span<const base::Json> elements) {
  const std::size_t length = run_length(elements);
  return {length, {{kRun, {elements[0], length}}}};
}

Stretch ramp_at(std::span<const base::Json> elements, const std::optional<WholeNumbers>& range) {
  if (!range || elements.size() < 2) return {};
  const base::Json step = step_of(elements[0], elements[1], *range);
  if (step.is_null()) return {};
  std::size_t length = 2;
  while (length < elements.size() &&
         step_of(elements[length - 1], elements[length], *range) == step)
    ++length;
  return {length, {{kRamp, {elements[0], step, length}}}};
}

}  // namespace

base::Json with_patterns(const std::vector<base::Json>& elements, DataType type) {
  const std::optional<WholeNumbers> range = whole_numbers(type);
  std::vector<std::size_t> text_before{0};  // each element with its comma
  for (const base::Json& element : elements)
    text_before.push_back(text_before.back() + text_length(element) + 1);
  base::Json list = base::Json::array();
  for (std::size_t at = 0; at < elements.size();) {
    const std::span<const base::Json> rest = std::span(elements).subspan(at);
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

}  // namespace opconform::cases
