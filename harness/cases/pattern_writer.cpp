#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "harness/cases/element.h"
#include "harness/cases/patterns.h"

namespace opconform::cases {
namespace {

using base::Json;

/// JSON as it stands in a file that nobody lays out.
std::size_t text_length(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

/// The numbers that a ramp would count, one a part, in two's complement.
using Numbers = std::array<std::uint64_t, 2>;

/// Elements as numbers: as the whole numbers that they are, or as their bits.
struct Counted {
  std::vector<std::optional<Numbers>> elements;
  std::size_t parts = 1;
  bool is_signed = false;
  bool is_bits = false;

  /// From one element to another; nothing where no ramp could count it.
  [[nodiscard]] std::optional<Numbers> step(std::size_t from, std::size_t to) const {
    if (!elements[from] || !elements[to]) return std::nullopt;
    Numbers step{};
    for (std::size_t i = 0; i < parts; ++i) {
      const std::uint64_t a = (*elements[from])[i];
      const std::uint64_t b = (*elements[to])[i];
      step[i] = b - a;
      const bool grows =
          is_signed ? static_cast<std::int64_t>(b) > static_cast<std::int64_t>(a) : b > a;
      // Steps are signed, of 64 bits.
      if (grows != (static_cast<std::int64_t>(step[i]) > 0)) return std::nullopt;
    }
    return step;
  }
};

std::optional<Numbers> whole_numbers_of(const Json& element, std::size_t parts,
                                        const WholeNumbers& range) {
  if (element.is_array() != (parts == 2)) return std::nullopt;
  Numbers numbers{};
  for (std::size_t i = 0; i < parts; ++i) {
    const std::optional<std::uint64_t> number =
        whole_number(parts == 2 ? element[i] : element, range);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  return numbers;
}

std::optional<Numbers> bits_of(const Json& element, DataType type, std::size_t parts) {
  if (element.is_object()) return std::nullopt;  // what an expectation leaves open
  StringPool strings;
  std::vector<std::byte> bytes;
  append_element(element, type, strings, bytes);
  Numbers numbers{};
  const std::size_t size_bytes = bytes.size() / parts;
  for (std::size_t i = 0; i < parts; ++i)
    std::memcpy(&numbers[i], bytes.data() + i * size_bytes, size_bytes);  // little endian
  return numbers;
}

/// Elements at the start of a list, and what they are written as.
struct Stretch {
  std::size_t length = 1;
  Json pattern;
};

Json step_json(const Numbers& step, std::size_t parts) {
  const auto number = [&](std::size_t i) { return static_cast<std::int64_t>(step[i]); };
  return parts == 1 ? Json(number(0)) : Json::array({number(0), number(1)});
}

class ListWriter {
 public:
  ListWriter(const std::vector<Json>& elements, DataType type, Patterns patterns)
      : elements_(elements), patterns_(patterns), digits_(2 * element_size_bytes(type)) {
    const std::optional<WholeNumbers> range = whole_numbers(type);
    const bool is_complex = kind(type) == DataTypeKind::kComplex;
    const std::size_t parts = is_complex ? 2 : 1;
    if (range) {
      Counted& numbers = counted_.emplace_back(Counted{{}, parts, range->least < 0, false});
      for (const Json& element : elements)
        numbers.elements.push_back(whole_numbers_of(element, parts, *range));
    }
    constexpr std::size_t kLeastDigits = 4;  // whole numbers of 8 bits are shorter as such
    if (range && digits_ >= kLeastDigits && patterns == Patterns::kShortest) {
      Counted& bits = counted_.emplace_back(Counted{{}, parts, false, true});
      for (const Json& element : elements) bits.elements.push_back(bits_of(element, type, parts));
      bits_ = counted_.size() - 1;
    }
    for (const Json& element : elements) {
      const std::size_t length = text_length(element) + 1;  // with its comma
      text_before_.push_back(text_before_.back() + length);
      // In a text of bits each word has a space.
      short_before_.push_back(short_before_.back() + (bits_ && !element.is_object()
                                                          ? std::min(length, digits_ + parts)
                                                          : length));
    }
  }

  Json write() {
    std::size_t unwritten = 0;
    for (std::size_t at = 0; at < elements_.size();) {
      const Stretch best = best_at(at);
      if (best.length > 1) {
        write_alone(unwritten, at);
        list_.push_back(best.pattern);
        unwritten = at + best.length;
      }
      at += best.length;
    }
    write_alone(unwritten, elements_.size());
    return std::move(list_);
  }

 private:
  /// What saves most, or the element itself.
  [[nodiscard]] Stretch best_at(std::size_t at) const {
    Stretch best;
    std::size_t saved = 0;
    const auto propose = [&](Stretch stretch) {
      if (stretch.length < 2) return;
      const std::size_t written = short_before_[at + stretch.length] - short_before_[at];
      const std::size_t instead = text_length(stretch.pattern) + 1;
      if (written <= instead + saved) return;
      saved = written - instead;
      best = std::move(stretch);
    };
    propose(run_at(at));
    for (const Counted& counted : counted_) propose(ramp_at(at, counted));
    return best;
  }

  [[nodiscard]] Stretch run_at(std::size_t at) const {
    std::size_t length = 1;
    while (at + length < elements_.size() && elements_[at + length] == elements_[at]) ++length;
    return {length, {{kRun, {elements_[at], length}}}};
  }

  /// As many dimensions as there are: each repeats what those inside of it give, some step on.
  [[nodiscard]] Stretch ramp_at(std::size_t at, const Counted& counted) const {
    Json steps = Json::array();
    Json counts = Json::array();
    std::size_t length = 1;
    bool moves = false;
    const std::size_t most = patterns_ == Patterns::kPlain ? 1 : kMostRampDimensions;
    while (counts.size() < most && at + 2 * length <= elements_.size()) {
      const std::optional<Numbers> step = counted.step(at, at + length);
      if (!step) break;
      std::size_t end = at + length;
      while (end < elements_.size() && counted.step(end - length, end) == step) ++end;
      const std::size_t count = (end - at) / length;
      if (count < 2) break;
      moves = moves || *step != Numbers{};
      steps.insert(steps.begin(), step_json(*step, counted.parts));
      counts.insert(counts.begin(), count);
      length *= count;
    }
    if (!moves) return {};
    const bool is_nested = counts.size() > 1;
    return {length,
            {{kRamp,
              {first_json(at, counted), is_nested ? steps : steps[0],
               is_nested ? counts : counts[0]}}}};
  }

  [[nodiscard]] Json first_json(std::size_t at, const Counted& counted) const {
    if (!counted.is_bits) return elements_[at];
    const auto part = [&](std::size_t i) {
      return "0x" + hex_digits((*counted.elements[at])[i], digits_ / 2 / counted.parts);
    };
    return counted.parts == 1 ? Json(part(0)) : Json::array({part(0), part(1)});
  }

  /// Elements that no run or ramp gives: as a text of bits where that is shorter.
  void write_alone(std::size_t first, std::size_t end) {
    while (first < end) {
      const bool is_open = elements_[first].is_object();
      std::size_t last = first;
      while (last < end && elements_[last].is_object() == is_open) ++last;
      const std::size_t written = text_before_[last] - text_before_[first];
      if (bits_ && !is_open && text_length(bits_text(first, last)) + 1 < written)
        list_.push_back(bits_text(first, last));
      else
        for (std::size_t i = first; i < last; ++i) list_.push_back(elements_[i]);
      first = last;
    }
  }

  [[nodiscard]] Json bits_text(std::size_t first, std::size_t end) const {
    const Counted& bits = counted_[*bits_];
    std::string text;
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t part = 0; part < bits.parts; ++part)
        text += (text.empty() ? "" : " ") +
                hex_digits((*bits.elements[i])[part], digits_ / 2 / bits.parts);
    return {{kBits, text}};
  }

  const std::vector<Json>& elements_;
  Patterns patterns_;
  std::size_t digits_;
  std::vector<Counted> counted_;
  std::optional<std::size_t> bits_;  ///< of `counted_`, where the type can have a text of bits
  std::vector<std::size_t> text_before_{0};
  std::vector<std::size_t> short_before_{0};
  Json list_ = Json::array();
};

}  // namespace

Json with_patterns(const std::vector<Json>& elements, DataType type, Patterns patterns) {
  return ListWriter(elements, type, patterns).write();
}

}  // namespace opconform::cases
