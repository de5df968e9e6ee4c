#include "harness/cases/pretty.h"

#include <algorithm>

namespace opconform::cases {
namespace {

constexpr std::size_t kColumns = 100;

/// Numbers, words, and rows of a few: several go on a line.
bool is_list_of_short(const base::Json& value) {
  constexpr std::size_t kShort = 32;
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const base::Json& entry) {
           return !entry.is_structured() || on_one_line(entry).size() <= kShort;
         });
}

/// The rest of a list, as many entries on a line as there is room for.
void append_filled(const base::Json& array, std::size_t indent, std::string& text) {
  const std::string new_line = "\n" + std::string(indent + 2, ' ');
  std::size_t column = kColumns;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string entry = on_one_line(array[i]) + (i + 1 < array.size() ? "," : "");
    const bool fits = column + 1 + entry.size() <= kColumns;
    text += (fits ? " " : new_line) + entry;
    column = (fits ? column + 1 : indent + 2) + entry.size();
  }
  text += "\n" + std::string(indent, ' ') + "]";
}

void append_pretty(const base::Json& value, std::size_t indent, std::size_t used,
                   std::string& text) {
  if (!value.is_structured() || value.empty()) {
    text += on_one_line(value);
    return;
  }
  // Cases and files are always laid out; only what is inside may share a line.
  if (indent >= 6) {
    const std::string line = on_one_line(value);
    if (indent + used + line.size() <= kColumns) {
      text += line;
      return;
    }
  }
  const auto key_text = [](const std::string& key) {
    return base::Json(key).dump(-1, ' ', false, base::Json::error_handler_t::replace) + ": ";
  };
  // A key alone needs no line of its own.
  if (indent >= 6 && value.is_object() && value.size() == 1) {
    const std::string label = "{" + key_text(value.begin().key());
    text += label;
    append_pretty(value.front(), indent, used + label.size(), text);
    text += "}";
    return;
  }
  const bool is_array = value.is_array();
  text += is_array ? "[" : "{";
  if (indent >= 6 && is_list_of_short(value)) return append_filled(value, indent, text);
  bool first = true;
  for (const auto& [key, entry] : value.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    text += std::string(indent + 2, ' ');
    std::string label;
    if (!is_array) label = key_text(key);
    text += label;
    append_pretty(entry, indent + 2, label.size() + 1, text);
  }
  text += "\n" + std::string(indent, ' ') + (is_array ? "]" : "}");
}

}  // namespace

std::string on_one_line(const base::Json& value) {
  if (const auto literal = base::decimal_literal(value)) return *literal;
  if (!value.is_structured())
    return value.dump(-1, ' ', false, base::Json::error_handler_t::replace);
  std::string text = value.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& [key, entry] : value.items()) {
    text += first ? "" : ", ";
    if (value.is_object())
      text += base::Json(key).dump(-1, ' ', false, base::Json::error_handler_t::replace) + ": ";
    text += on_one_line(entry);
    first = false;
  }
  return text + (value.is_array() ? "]" : "}");
}

std::string pretty(const base::Json& value) {
  std::string text;
  append_pretty(value, 0, 0, text);
  return text + "\n";
}

}  // namespace opconform::cases
