#include "harness/base/json_document.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "harness/base/suggestion.h"
#include "harness/base/text_file.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace opconform::base {
namespace {

constexpr std::size_t kLongestKey = 60;
constexpr std::size_t kLongestSentence = 240;

/// What the lexer sees. A long double holds every number that anybody writes, so that one that no
/// type can hold is a fault of its element and not of the whole file.
using LexedJson = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                       std::uint64_t, long double>;

/// Builds a document from the parser's events and stops at the first thing that a case file must
/// not hold.
class Builder : public nlohmann::json_sax<LexedJson> {
 public:
  Json take() { return std::move(root_); }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::string pointer() const {
    std::string text;
    for (const Level& level : levels_) {
      if (level.value->is_object()) {
        text += "/" + cut(printable(level.key), kLongestKey);
      } else {
        // The element under way is already placed where it is itself an array or object.
        text += "/" + std::to_string(level.value->size() - (&level == &levels_.back() ? 0 : 1));
      }
    }
    return text;
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  // The lexer gives "-0" as the signed 0; only as a literal does it keep its sign.
  bool number_integer(number_integer_t value) override {
    return value == 0 ? add_literal("-0") : add(value);
  }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t /*value*/, const std::string& literal) override {
    return add_literal(literal);
  }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return stop("binary value"); }
  bool start_object(std::size_t /*count*/) override {
    Json object = Json::object();
    // To grow it one by one, copying all keys each time, would take as long as to read it.
    object.get_ref<Json::object_t&>().reserve(kUsualKeys);
    return open(std::move(object));
  }
  bool start_array(std::size_t /*count*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    const Json& object = *levels_.back().value;
    if (object.size() == kMaxKeysOfAnObject)
      return stop("more than " + std::to_string(kMaxKeysOfAnObject) + " keys in one object");
    levels_.back().key = std::move(value);
    if (object.contains(levels_.back().key))
      return stop("duplicate key " + in_quotes(levels_.back().key));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 1: syntax error while parsing
    // value - unexpected end of input; ...": what says nothing to a reader is left out.
    std::string sentence = error.what();
    const std::size_t line = sentence.find("line ");
    const std::size_t colon = sentence.find(": ", line);
    const std::size_t cause = sentence.find(" - ", colon);
    if (line != std::string::npos && cause != std::string::npos)
      sentence = sentence.substr(line, colon - line) + ": " + sentence.substr(cause + 3);
    // It quotes what it read last, however long that is; the cause stands at its end.
    if (sentence.size() > kLongestSentence)
      sentence = sentence.substr(0, kLongestSentence / 2) + " ... " +
                 sentence.substr(sentence.size() - kLongestSentence / 2);
    return stop("no valid JSON at byte " + std::to_string(position) + ": " + printable(sentence));
  }

 private:
  struct Level {
    Json* value;
    std::string key;
  };

  bool stop(std::string message) {
    error_ = std::move(message);
    return false;
  }
  Json& place(Json value) {
    if (levels_.empty()) return root_ = std::move(value);
    Level& level = levels_.back();
    if (level.value->is_array()) {
      level.value->push_back(std::move(value));
      return level.value->back();
    }
    return (*level.value)[level.key] = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool add_literal(std::string_view literal) {
    return add(Json::binary({literal.begin(), literal.end()}));
  }
  bool open(Json value) {
    if (levels_.size() == kMaxDepth)
      return stop("nested deeper than " + std::to_string(kMaxDepth) + " levels");
    Json& placed = place(std::move(value));
    levels_.push_back({&placed, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  static constexpr std::size_t kUsualKeys = 8;

  Json root_;
  std::vector<Level> levels_;
  std::string error_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  // The lexer would take the one for the end of the text and skip the other.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    throw BadInput(file, "", "no valid JSON at byte " + std::to_string(nul + 1) + ": a NUL byte");
  if (text.starts_with("\xEF\xBB\xBF"))
    throw BadInput(file, "", "no valid JSON at byte 1: a byte order mark");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw BadInput(file, "", "is empty");
  Builder builder;
  if (!LexedJson::sax_parse(text, &builder))
    throw BadInput(file, builder.pointer(), builder.error());
  return builder.take();
}

Json read_json_file(const std::filesystem::path& path, std::size_t most_bytes) {
  return parse_json(read_text_file(path, most_bytes), path.string());
}

std::optional<std::string> decimal_literal(const Json& value) {
  if (!value.is_binary()) return std::nullopt;
  return std::string(value.get_binary().begin(), value.get_binary().end());
}

std::string excerpt(const Json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  std::string text;
  if (const auto literal = decimal_literal(value)) {
    text = *literal;
  } else if (value.is_structured()) {
    text = std::string(value.is_array() ? "an array of " : "an object of ") +
           std::to_string(value.size());
  } else {
    text = value.dump();
  }
  return cut(std::move(text), kLongest);
}

std::string Pointer::text() const {
  if (parent_ == nullptr) return "";
  std::string step;
  if (index_) {
    step = std::to_string(*index_);
  } else {
    for (const char c : cut(printable(key_.substr(0, 4 * kLongestKey)), kLongestKey))
      step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  return parent_->text() + "/" + step;
}

template <class Integer>
Integer read_integer(const Json& value, const Pointer& at, const std::string& file) {
  if (decimal_literal(value) == "-0") return 0;
  if (value.is_number_unsigned() && std::in_range<Integer>(value.get<std::uint64_t>()))
    return static_cast<Integer>(value.get<std::uint64_t>());
  if (!value.is_number_unsigned() && value.is_number_integer() &&
      std::in_range<Integer>(value.get<std::int64_t>()))
    return static_cast<Integer>(value.get<std::int64_t>());
  throw BadInput(file, at.text(),
                 excerpt(value) + " is no integer in [" +
                     std::to_string(std::numeric_limits<Integer>::min()) + ", " +
                     std::to_string(std::numeric_limits<Integer>::max()) + "]");
}
template std::uint32_t read_integer(const Json&, const Pointer&, const std::string&);
template std::int32_t read_integer(const Json&, const Pointer&, const std::string&);
template std::uint64_t read_integer(const Json&, const Pointer&, const std::string&);
template std::int64_t read_integer(const Json&, const Pointer&, const std::string&);

namespace {

std::string meant(std::string_view key) { return "; did you mean \"" + std::string(key) + "\"?"; }

}  // namespace

ObjectReader::ObjectReader(const Json& value, const Pointer& at, const std::string& file)
    : value_(value), at_(at), file_(file) {
  if (!value.is_object()) fail("must be an object, but is " + excerpt(value));
}

const Json* ObjectReader::find(std::string_view key) {
  asked_.push_back(key);
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

const Json& ObjectReader::require(std::string_view key) {
  const Json* value = find(key);
  if (value != nullptr) return *value;
  for (const auto& [other, unused] : value_.items())
    if (!was_asked(other) && is_like(other, key)) fail(other, "unknown key" + meant(key));
  fail("lacks \"" + std::string(key) + "\"");
}

bool ObjectReader::was_asked(std::string_view key) const {
  return std::find(asked_.begin(), asked_.end(), key) != asked_.end();
}

void ObjectReader::expect_no_others() const {
  for (const auto& [key, value] : value_.items()) {
    if (was_asked(key)) continue;
    const auto wanted = std::find_if(asked_.begin(), asked_.end(), [&, &wrong = key](auto one) {
      return !value_.contains(one) && is_like(wrong, one);
    });
    fail(key, "unknown key" + (wanted == asked_.end() ? "" : meant(*wanted)));
  }
}

void ObjectReader::fail(std::string_view key, const std::string& message) const {
  throw BadInput(file_, Pointer(at_, key).text(), message);
}
void ObjectReader::fail(const std::string& message) const {
  throw BadInput(file_, at_.text(), message);
}

std::optional<std::string> ObjectReader::find_string(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(key, "must be a string, but is " + excerpt(*value));
  return value->get<std::string>();
}

std::vector<std::string> ObjectReader::find_strings(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_array()) fail(key, "must be an array of strings, but is " + excerpt(*value));
  std::vector<std::string> strings;
  for (const Json& item : *value) {
    if (!item.is_string()) fail(key, "must be an array of strings, but holds " + excerpt(item));
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

}  // namespace opconform::base
