#include "harness/json_document.h"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace opconform::harness {
namespace {

/// Builds a document from the parser's events and stops at the first thing that a case file must
/// not hold.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::string pointer() const {
    std::string text;
    for (const Level& level : levels_) {
      if (level.value->is_object()) {
        text += "/" + printable(level.key);
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
  bool start_object(std::size_t /*count*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*count*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    const Json& object = *levels_.back().value;
    if (object.size() == kMaxKeysOfAnObject)
      return stop("more than " + std::to_string(kMaxKeysOfAnObject) + " keys in one object");
    levels_.back().key = std::move(value);
    if (object.contains(levels_.back().key))
      return stop("duplicate key \"" + printable(levels_.back().key) + "\"");
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // The library's sentence names line, column and what it met; its own prefix says nothing to a
    // reader.
    std::string sentence = error.what();
    if (const std::size_t prefix = sentence.find("] "); prefix != std::string::npos)
      sentence = sentence.substr(prefix + 2);
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

  Json root_;
  std::vector<Level> levels_;
  std::string error_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  Builder builder;
  if (!Json::sax_parse(text, &builder)) throw BadInput(file, builder.pointer(), builder.error());
  return builder.take();
}

Json read_json_file(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw BadInput(file, "", "is a directory, not a case file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw BadInput(file, "", "cannot be opened");
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  // In pieces, not by the size that the file system tells: that is 0 for pipes and wrong for
  // growing files.
  while (stream) {
    const std::size_t length = text.size();
    text.resize(length + kChunk);
    stream.read(text.data() + length, kChunk);
    text.resize(length + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxFileBytes)
      throw BadInput(file, "", "is larger than " + std::to_string(kMaxFileBytes) + " bytes");
  }
  if (stream.bad()) throw BadInput(file, "", "cannot be read to its end");
  return parse_json(text, file);
}

std::optional<std::string> decimal_literal(const Json& value) {
  if (!value.is_binary()) return std::nullopt;
  return std::string(value.get_binary().begin(), value.get_binary().end());
}

std::string printable(std::string_view text) {
  // dump() escapes control characters and replaces what is no UTF-8.
  const std::string quoted =
      Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string excerpt(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  if (const auto literal = decimal_literal(value)) {
    text = *literal;
  } else if (value.is_structured()) {
    text = std::string(value.is_array() ? "an array of " : "an object of ") +
           std::to_string(value.size());
  } else {
    text = value.dump(-1, ' ', true,
                      Json::error_handler_t::replace);  // ASCII only: may be cut anywhere
  }
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string Pointer::text() const {
  if (parent_ == nullptr) return "";
  std::string step;
  if (index_) {
    step = std::to_string(*index_);
  } else {
    for (const char c : printable(key_))
      step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  return parent_->text() + "/" + step;
}

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
  if (value == nullptr) fail("lacks \"" + std::string(key) + "\"");
  return *value;
}

void ObjectReader::expect_no_others() const {
  for (const auto& [key, value] : value_.items())
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) fail(key, "unknown key");
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

}  // namespace opconform::harness
