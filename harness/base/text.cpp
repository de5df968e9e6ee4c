#include "harness/base/text.h"

#include <cstdint>
#include <cstdio>

namespace opconform::base {
namespace {

constexpr std::size_t kLongestQuote = 60;

/// The character at the start of `text`; a length of 0 where its bytes are no UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

bool is_harmful(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return control || separator || direction || code == 0xFEFF;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    Character character = first_character(text);
    char escape[16];
    if (character.length == 0) {
      (void)std::snprintf(escape, sizeof escape, "\\x%02x",
                          static_cast<unsigned>(static_cast<std::uint8_t>(text[0])));
      result += escape;
      character.length = 1;
    } else if (character.code == '\n') {
      result += "\\n";
    } else if (character.code == '\t') {
      result += "\\t";
    } else if (is_harmful(character.code)) {
      (void)std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character.code));
      result += escape;
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<std::uint8_t>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
  return text + "...";
}

std::string words_of_others(std::string_view text, std::size_t most) {
  return cut(printable(text.substr(0, 4 * most)), most);
}

std::string in_quotes(std::string_view text) {
  // Cut first: escaping a long text only to throw it away would cost its length.
  return "\"" + cut(printable(text.substr(0, 4 * kLongestQuote)), kLongestQuote) + "\"";
}

}  // namespace opconform::base
