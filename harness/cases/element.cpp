#include "harness/cases/element.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/cases/float_format.h"

namespace opconform::cases {
namespace {

template <class T>
void append(T value, std::vector<std::byte>& bytes) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}
template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

std::string literal_of(const base::Json& value) {
  if (const auto literal = base::decimal_literal(value)) return *literal;
  return value.dump();
}

[[noreturn]] void reject(const base::Json& value, std::string_view wanted) {
  throw ElementError(base::excerpt(value) + " is no " + std::string(wanted));
}

/// A whole number that a double holds needs no rounding but the format's own, if any.
std::optional<std::uint64_t> bits_of_whole(const base::Json& value, const FloatFormat& format) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  // What is unsigned and too large for the signed type is negative here.
  if (!value.is_number_integer()) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  const bool is_wrapped = value.is_number_unsigned() && number < 0;
  if (is_wrapped || number < -kMost || number > kMost) return std::nullopt;
  const std::uint64_t bits = float_bits(static_cast<double>(number), format);
  if ((bits & ~format.sign()) == format.infinity())
    return std::nullopt;  // the message is the literal's
  return bits;
}

void append_float(const base::Json& value, DataType type, std::vector<std::byte>& bytes) {
  const FloatFormat format = float_format(type);
  const auto size_bytes = static_cast<std::size_t>(format.width_bits()) / 8;
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (const auto bits = written_bits(value, size_bytes))
      return append_bits(*bits, size_bytes, bytes);
    if (text == "NaN") return append_bits(format.quiet_nan(), size_bytes, bytes);
    if (text == "Infinity") return append_bits(format.infinity(), size_bytes, bytes);
    if (text == "-Infinity")
      return append_bits(format.sign() | format.infinity(), size_bytes, bytes);
    if (text == "-0.0") return append_bits(format.sign(), size_bytes, bytes);
    reject(value, "number, \"NaN\", \"Infinity\", \"-Infinity\", \"-0.0\" or \"0x...\"");
  }
  if (!value.is_number() && !value.is_binary()) reject(value, "number");
  if (const auto bits = bits_of_whole(value, format)) return append_bits(*bits, size_bytes, bytes);
  const std::uint64_t bits = float_bits(literal_of(value), format);
  if ((bits & ~format.sign()) == format.infinity())
    throw ElementError(base::excerpt(value) + " rounds to infinity in this type");
  append_bits(bits, size_bytes, bytes);
}

template <class T>
void append_integer(const base::Json& value, std::vector<std::byte>& bytes) {
  if (const auto bits = written_bits(value, sizeof(T))) return append_bits(*bits, sizeof(T), bytes);
  const auto in_range = [](auto number) { return std::in_range<T>(number); };
  if (base::decimal_literal(value) == "-0") return append(T{0}, bytes);
  if (value.is_number_unsigned() && in_range(value.get<std::uint64_t>()))
    return append(static_cast<T>(value.get<std::uint64_t>()), bytes);
  if (!value.is_number_unsigned() && value.is_number_integer() &&
      in_range(value.get<std::int64_t>()))
    return append(static_cast<T>(value.get<std::int64_t>()), bytes);
  reject(value, "integer in [" + std::to_string(std::numeric_limits<T>::min()) + ", " +
                    std::to_string(std::numeric_limits<T>::max()) + "]");
}

void append_bool(const base::Json& value, std::vector<std::byte>& bytes) {
  if (value.is_boolean()) return append(static_cast<std::uint8_t>(value.get<bool>()), bytes);
  if (const auto bits = written_bits(value, 1)) return append_bits(*bits, 1, bytes);
  reject(value, "true, false or \"0x...\"");
}

void append_complex(const base::Json& value, DataType type, std::vector<std::byte>& bytes) {
  if (!value.is_array() || value.size() != 2) reject(value, "complex number [re, im]");
  append_float(value[0], type, bytes);
  append_float(value[1], type, bytes);
}

/// Type and position of the parts: a complex number's float type.
DataType part_type(DataType type) {
  return type == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
}

std::uint64_t load_bits(const std::byte* element, std::size_t size_bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size_bytes);  // little endian, as every machine this runs on
  return bits;
}

std::string hex(std::uint64_t bits, std::size_t size_bytes) {
  return "0x" + hex_digits(bits, size_bytes);
}

base::Json float_to_json(DataType type, const std::byte* element) {
  const FloatFormat format = float_format(type);
  const auto size_bytes = static_cast<std::size_t>(format.width_bits()) / 8;
  const std::uint64_t bits = load_bits(element, size_bytes);
  if (bits == format.quiet_nan()) return "NaN";
  if (bits == format.infinity()) return "Infinity";
  if (bits == (format.infinity() | format.sign())) return "-Infinity";
  if (bits == format.sign()) return "-0.0";
  if ((bits & format.infinity()) == format.infinity()) return hex(bits, size_bytes);
  const double value = widen(bits, format);
  // Whole numbers print as integers; others as the shortest decimal of a double, exact for shorter
  // formats.
  if (std::fabs(value) < 1e15 && value == std::trunc(value))
    return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

void append_bits(std::uint64_t bits, std::size_t size_bytes, std::vector<std::byte>& bytes) {
  for (std::size_t i = 0; i < size_bytes; ++i)
    bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

std::string hex_digits(std::uint64_t bits, std::size_t size_bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(2 * size_bytes, '0');
  for (std::size_t i = text.size(); i-- > 0; bits >>= 4) text[i] = kDigits[bits % 16];
  return text;
}

std::uint64_t parse_hex(std::string_view digits) {
  std::uint64_t bits = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, bits, 16);
  if (error != std::errc{} || end != last)
    throw ElementError(base::in_quotes("0x" + std::string(digits)) + " is no hex number");
  return bits;
}

std::optional<std::uint64_t> written_bits(const base::Json& value, std::size_t size_bytes) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (!text.starts_with("0x")) return std::nullopt;
  const std::size_t digits = text.size() - 2;
  if (digits != 2 * size_bytes)
    throw ElementError(base::in_quotes(text) + " has " + std::to_string(digits) +
                       " hex digits, but the type has " + std::to_string(2 * size_bytes));
  return parse_hex(std::string_view(text).substr(2));
}

std::optional<WholeNumbers> whole_numbers(DataType type) {
  const auto of = []<class T>(T least) {
    return WholeNumbers{least, static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
  };
  switch (type) {
    case DataType::kInt64:
      return of(std::numeric_limits<std::int64_t>::min());
    case DataType::kInt32:
      return of(std::numeric_limits<std::int32_t>::min());
    case DataType::kInt16:
      return of(std::numeric_limits<std::int16_t>::min());
    case DataType::kInt8:
      return of(std::numeric_limits<std::int8_t>::min());
    case DataType::kUint64:
      return WholeNumbers{0, std::numeric_limits<std::uint64_t>::max()};
    case DataType::kUint32:
      return of(std::uint32_t{0});
    case DataType::kUint16:
      return of(std::uint16_t{0});
    case DataType::kUint8:
      return of(std::uint8_t{0});
    case DataType::kBool:
    case DataType::kString:
      return std::nullopt;
    default: {
      const std::int64_t most = std::int64_t{1} << (float_format(type).mantissa_bits + 1);
      return WholeNumbers{-most, static_cast<std::uint64_t>(most)};
    }
  }
}

// Two's complement alone cannot tell 2^63 from -2^63.
std::optional<std::uint64_t> whole_number(const base::Json& value, const WholeNumbers& range) {
  if (!value.is_number_integer()) return std::nullopt;  // of either sign
  const auto number = value.get<std::int64_t>();
  const bool is_negative = !value.is_number_unsigned() && number < 0;
  const auto bits = static_cast<std::uint64_t>(number);
  if (is_negative ? number < range.least : bits > range.most) return std::nullopt;
  return bits;
}

void append_whole_number(std::uint64_t number, DataType type, std::vector<std::byte>& bytes) {
  const bool is_float = kind(type) == DataTypeKind::kFloat;
  const bool is_complex = kind(type) == DataTypeKind::kComplex;
  const std::size_t size_bytes = element_size_bytes(type) / (is_complex ? 2 : 1);
  if (is_float || is_complex)
    number = float_bits(static_cast<double>(static_cast<std::int64_t>(number)), float_format(type));
  append_bits(number, size_bytes, bytes);
}

bool is_element_form(const base::Json& value, DataType type) {
  if (kind(type) != DataTypeKind::kComplex) return !value.is_array();
  return !value.is_array() || (!value.empty() && !value[0].is_structured());
}

void append_element(const base::Json& value, DataType type, StringPool& strings,
                    std::vector<std::byte>& bytes) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kFloat32:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return append_float(value, type, bytes);
    case DataType::kInt64:
      return append_integer<std::int64_t>(value, bytes);
    case DataType::kInt32:
      return append_integer<std::int32_t>(value, bytes);
    case DataType::kInt16:
      return append_integer<std::int16_t>(value, bytes);
    case DataType::kInt8:
      return append_integer<std::int8_t>(value, bytes);
    case DataType::kUint64:
      return append_integer<std::uint64_t>(value, bytes);
    case DataType::kUint32:
      return append_integer<std::uint32_t>(value, bytes);
    case DataType::kUint16:
      return append_integer<std::uint16_t>(value, bytes);
    case DataType::kUint8:
      return append_integer<std::uint8_t>(value, bytes);
    case DataType::kBool:
      return append_bool(value, bytes);
    case DataType::kComplex64:
    case DataType::kComplex128:
      return append_complex(value, type, bytes);
    case DataType::kString:
      if (!value.is_string()) reject(value, "string");
      return append(strings.add(value.get<std::string>()), bytes);
  }
}

base::Json element_to_json(DataType type, const std::byte* element) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kFloat32:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return float_to_json(type, element);
    case DataType::kInt64:
      return load<std::int64_t>(element);
    case DataType::kInt32:
      return load<std::int32_t>(element);
    case DataType::kInt16:
      return load<std::int16_t>(element);
    case DataType::kInt8:
      return load<std::int8_t>(element);
    case DataType::kUint64:
      return load<std::uint64_t>(element);
    case DataType::kUint32:
      return load<std::uint32_t>(element);
    case DataType::kUint16:
      return load<std::uint16_t>(element);
    case DataType::kUint8:
      return load<std::uint8_t>(element);
    case DataType::kBool: {
      const auto value = load<std::uint8_t>(element);
      return value <= 1 ? base::Json(value == 1) : base::Json(hex(value, 1));
    }
    case DataType::kComplex64:
    case DataType::kComplex128:
      return base::Json::array(
          {float_to_json(part_type(type), element),
           float_to_json(part_type(type), element + element_size_bytes(type) / 2)});
    case DataType::kString: {
      const auto view = load<StringElement>(element);
      return std::string(view.bytes, view.size_bytes);
    }
  }
  return nullptr;
}

base::Json short_element_to_json(DataType type, const std::byte* element) {
  if (kind(type) == DataTypeKind::kComplex)
    return base::Json::array(
        {short_element_to_json(part_type(type), element),
         short_element_to_json(part_type(type), element + element_size_bytes(type) / 2)});
  base::Json value = element_to_json(type, element);
  if (!value.is_number_float()) return value;
  const std::size_t size_bytes = element_size_bytes(type);
  base::Json bits = hex(load_bits(element, size_bytes), size_bytes);
  return value.dump().size() > bits.dump().size() ? bits : value;
}

std::string element_text(DataType type, const std::byte* element) {
  const base::Json value = element_to_json(type, element);
  std::string text = value.dump(-1, ' ', false, base::Json::error_handler_t::replace);
  if (kind(type) == DataTypeKind::kFloat && !text.starts_with("\"0x")) {
    const std::size_t size_bytes = element_size_bytes(type);
    text += " (" + hex(load_bits(element, size_bytes), size_bytes) + ")";
  }
  return text;
}

std::string short_element_text(DataType type, const std::byte* element) {
  if (type == DataType::kString) {
    constexpr std::size_t kLongestInCell = 16;
    const auto view = load<StringElement>(element);
    return '"' + base::words_of_others({view.bytes, view.size_bytes}, kLongestInCell) + '"';
  }
  const std::size_t size_bytes = element_size_bytes(type);
  if (kind(type) == DataTypeKind::kComplex)
    return "[" + short_element_text(part_type(type), element) + "," +
           short_element_text(part_type(type), element + size_bytes / 2) + "]";
  const base::Json value = element_to_json(type, element);
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  char digits[32];
  const auto number = value.get<double>();
  auto* const end = type == DataType::kFloat64
                        ? std::to_chars(digits, std::end(digits), number).ptr
                        : std::to_chars(digits, std::end(digits), static_cast<float>(number)).ptr;
  const std::string bits = hex(load_bits(element, size_bytes), size_bytes);
  return end - digits > static_cast<std::ptrdiff_t>(bits.size()) ? bits : std::string(digits, end);
}

bool same_element(DataType type, const std::byte* a, const std::byte* b) {
  if (type != DataType::kString) return std::memcmp(a, b, element_size_bytes(type)) == 0;
  const auto x = load<StringElement>(a);
  const auto y = load<StringElement>(b);
  return x.size_bytes == y.size_bytes &&
         (x.size_bytes == 0 || std::memcmp(x.bytes, y.bytes, x.size_bytes) == 0);
}

}  // namespace opconform::cases
