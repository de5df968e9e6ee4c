#include "harness/cases/patterns.h"

#include <algorithm>
#include <optional>

#include "harness/cases/element.h"

namespace opconform::cases {
namespace {

/// The numbers that a ramp may reach. The least is in two's complement.
struct Range {
  std::uint64_t least;
  std::uint64_t most;
  std::string text;  ///< for messages
};

Range range_of(const WholeNumbers& numbers) {
  return {static_cast<std::uint64_t>(numbers.least), numbers.most,
          "[" + std::to_string(numbers.least) + ", " + std::to_string(numbers.most) +
              "], which the type counts exactly"};
}

Range range_of_bits(std::size_t size_bytes) {
  return {0, ~std::uint64_t{0} >> (64 - 8 * size_bytes),
          "the " + std::to_string(8 * size_bytes) + " bits of the type"};
}

std::uint64_t read_first(const base::Json& first, const WholeNumbers& range,
                         const base::Pointer& at, const std::string& file) {
  const std::optional<std::uint64_t> number = whole_number(first, range);
  if (!number)
    throw base::BadInput(file, at.text(),
                         "begins with " + base::excerpt(first) + ", which is no whole number in [" +
                             std::to_string(range.least) + ", " + std::to_string(range.most) + "]");
  return *number;
}

bool is_complex(DataType type) { return kind(type) == DataTypeKind::kComplex; }

/// The number that a part counts: of a complex one the real or the imaginary part.
const base::Json& part_of(const base::Json& number, DataType type, std::size_t part,
                          const base::Pointer& at, const std::string& file) {
  if (!is_complex(type)) return number;
  if (!number.is_array() || number.size() != 2)
    throw base::BadInput(file, at.text(), base::excerpt(number) + " is no complex number [re, im]");
  return number[part];
}

/// Reads one part of a ramp, whose counts are known.
class PartReader {
 public:
  PartReader(const base::Json& first, DataType type, const WholeNumbers& numbers,
             const base::Pointer& at, const std::string& file)
      : first_(first), at_(at), file_(file), range_(range_of(numbers)) {
    const std::size_t size_bytes = element_size_bytes(type) / (is_complex(type) ? 2 : 1);
    try {
      if (const std::optional<std::uint64_t> bits = written_bits(first, size_bytes)) {
        part_.first = *bits;
        part_.is_bits = true;
        range_ = range_of_bits(size_bytes);
      } else {
        part_.first = read_first(first, numbers, at, file);
      }
    } catch (const ElementError& error) {
      throw base::BadInput(file, at.text(), error.what());
    }
    room_below_ = part_.first - range_.least;
    room_above_ = range_.most - part_.first;
  }

  void add(std::size_t dimension, const base::Json& step, std::uint64_t count) {
    const auto difference = base::read_integer<std::int64_t>(step, at_, file_);
    part_.steps[dimension] = static_cast<std::uint64_t>(difference);
    const std::uint64_t distance =
        difference < 0 ? 0 - part_.steps[dimension] : part_.steps[dimension];
    std::uint64_t& room = difference < 0 ? room_below_ : room_above_;
    if (distance != 0 && count - 1 > room / distance)
      throw base::BadInput(file_, at_.text(),
                           std::to_string(count) + " steps of " + std::to_string(difference) +
                               " from " + base::excerpt(first_) + " leave " + range_.text);
    room -= distance * (count - 1);
  }
  [[nodiscard]] const Pattern::Part& part() const { return part_; }

 private:
  const base::Json& first_;
  const base::Pointer& at_;
  const std::string& file_;
  Range range_;
  Pattern::Part part_;
  std::uint64_t room_below_ = 0;
  std::uint64_t room_above_ = 0;
};

void read_ramp(const base::Json& list, DataType type, const base::Pointer& at,
               const std::string& file, Pattern& ramp) {
  const std::optional<WholeNumbers> numbers = whole_numbers(type);
  if (!numbers)
    throw base::BadInput(file, at.text(), "is a ramp, but elements of this type cannot be counted");
  const base::Json& steps = list[1];
  const bool is_nested = list[2].is_array();
  if (is_nested && (!steps.is_array() || steps.size() != ramp.counts.size()))
    throw base::BadInput(file, at.text(),
                         "has " + std::to_string(ramp.counts.size()) +
                             " counts, but its steps are " + base::excerpt(steps));
  bool moves = false;
  for (std::size_t i = 0; i < (is_complex(type) ? 2U : 1U); ++i) {
    PartReader reader(part_of(list[0], type, i, at, file), type, *numbers, at, file);
    for (std::size_t k = 0; k < ramp.counts.size(); ++k)
      reader.add(k, part_of(is_nested ? steps[k] : steps, type, i, at, file), ramp.counts[k]);
    ramp.parts.push_back(reader.part());
    for (const std::uint64_t step : reader.part().steps) moves = moves || step != 0;
  }
  if (!moves) throw base::BadInput(file, at.text(), "has the step 0; such elements are a run");
}

std::uint64_t read_count(const base::Json& value, const base::Pointer& at,
                         const std::string& file) {
  const auto count = base::read_integer<std::uint64_t>(value, at, file);
  if (count == 0 || count > kMostPatternElements)
    throw base::BadInput(file, at.text(),
                         "is " + std::to_string(count) + ", but a pattern gives 1 to " +
                             std::to_string(kMostPatternElements) + " elements");
  return count;
}

/// The count of a run or a ramp, or those of a ramp in several dimensions.
void read_counts(const base::Json& value, const base::Pointer& at, const std::string& file,
                 Pattern& pattern) {
  if (!value.is_array()) {
    pattern.count = read_count(value, at, file);
    pattern.counts.push_back(pattern.count);
    return;
  }
  if (value.empty() || value.size() > kMostRampDimensions)
    throw base::BadInput(file, at.text(),
                         "has length " + std::to_string(value.size()) + ", but a ramp has 1 to " +
                             std::to_string(kMostRampDimensions) + " dimensions");
  pattern.count = 1;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const base::Pointer count_at(at, i);
    pattern.counts.push_back(read_count(value[i], count_at, file));
    pattern.count *= pattern.counts[i];  // neither is above 2^22
    if (pattern.count > kMostPatternElements)
      throw base::BadInput(file, at.text(),
                           "gives " + std::to_string(pattern.count) +
                               " elements, but a pattern gives at most " +
                               std::to_string(kMostPatternElements));
  }
}

/// Words of as many digits as the type is wide, with a space between them; a complex element has
/// two words.
void read_bits(const base::Json& value, DataType type, const base::Pointer& at,
               const std::string& file, Pattern& pattern) {
  if (!whole_numbers(type))
    throw base::BadInput(file, at.text(), "is a text of bits, which this type cannot have");
  const std::size_t words = is_complex(type) ? 2 : 1;
  const std::size_t width = 2 * element_size_bytes(type) / words;
  const std::string* text = value.is_string() ? &value.get_ref<const std::string&>() : nullptr;
  const auto is_right = [&](std::size_t i) {
    const char c = (*text)[i];
    return i % (width + 1) == width
               ? c == ' '
               : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  bool fits = text != nullptr && text->size() % (words * (width + 1)) == words * (width + 1) - 1;
  for (std::size_t i = 0; fits && i < text->size(); ++i) fits = is_right(i);
  if (!fits)
    throw base::BadInput(file, at.text(),
                         "must be words of " + std::to_string(width) +
                             " hex digits with a space between them, " + std::to_string(words) +
                             " an element, but is " + base::excerpt(value));
  pattern.bits = text;
  pattern.count = (text->size() + 1) / (width + 1) / words;
}

void append_ramp(const Pattern& ramp, DataType type, std::vector<std::byte>& bytes) {
  const std::size_t size_bytes = element_size_bytes(type) / ramp.parts.size();
  for (std::uint64_t i = 0; i < ramp.count; ++i)
    for (const Pattern::Part& part : ramp.parts) {
      std::uint64_t number = part.first;
      std::uint64_t place = i;
      for (std::size_t k = ramp.counts.size(); k-- > 1; place /= ramp.counts[k])
        number += place % ramp.counts[k] * part.steps[k];
      number += place * part.steps[0];
      if (part.is_bits)
        append_bits(number, size_bytes, bytes);
      else
        append_whole_number(number, type, bytes);
    }
}

}  // namespace

bool is_pattern(const base::Json& value) {
  return value.is_object() &&
         (value.contains(kRun) || value.contains(kRamp) || value.contains(kBits));
}

Pattern read_pattern(const base::Json& value, DataType type, const base::Pointer& at,
                     const std::string& file) {
  base::ObjectReader reader(value, at, file);
  Pattern pattern;
  if (const base::Json* bits = reader.find(kBits)) {
    reader.expect_no_others();
    read_bits(*bits, type, reader.at(kBits), file, pattern);
    return pattern;
  }
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
  if (run != nullptr) {
    pattern.count = read_count(list[1], count_at, file);
    pattern.repeated = &list[0];
  } else {
    read_counts(list[2], count_at, file, pattern);
    read_ramp(list, type, list_at, file, pattern);
  }
  return pattern;
}

void append_pattern(const Pattern& pattern, DataType type, std::vector<std::byte>& bytes) {
  if (pattern.bits == nullptr) return append_ramp(pattern, type, bytes);
  const std::size_t size_bytes = element_size_bytes(type) / (is_complex(type) ? 2 : 1);
  const std::size_t width = 2 * size_bytes;
  for (std::size_t at = 0; at < pattern.bits->size(); at += width + 1)
    append_bits(parse_hex(std::string_view(*pattern.bits).substr(at, width)), size_bytes, bytes);
}

}  // namespace opconform::cases
