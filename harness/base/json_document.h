// Strict JSON: what nlohmann-json reads, without its leniency. Duplicate keys, deep nesting and
// absurd sizes are errors with a place, and decimal numbers keep their text, so that they can be
// rounded once, to the right type.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"

// Compiled once, in json_document.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace opconform::base {

using Json = nlohmann::ordered_json;

// Limits against hostile files; each far above what a case file needs.
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxKeysOfAnObject = 64;

/// Reads the text; `file` is for messages. Throws BadInput.
Json parse_json(std::string_view text, const std::string& file);
/// Throws BadInput, also where the file cannot be read.
Json read_json_file(const std::filesystem::path& path, std::size_t most_bytes = kMaxFileBytes);

/// The literal of a number that is no plain integer ("1.5", "-0", "1e3"); parse_json leaves no JSON
/// floats.
std::optional<std::string> decimal_literal(const Json& value);

/// A value as it would stand in a message: short, on one line, valid UTF-8.
std::string excerpt(const Json& value);

/// A place in a document, kept on the stack of the reader. Text is made only for a message.
class Pointer {
 public:
  Pointer() = default;
  Pointer(const Pointer& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Pointer(const Pointer& parent, std::size_t index) : parent_(&parent), index_(index) {}
  [[nodiscard]] std::string text() const;

 private:
  const Pointer* parent_ = nullptr;
  std::string_view key_;
  std::optional<std::size_t> index_;
};

/// A whole number that the type holds. Throws BadInput.
template <class Integer>
Integer read_integer(const Json& value, const Pointer& at, const std::string& file);

/// One JSON object being read: remembers which keys were asked for.
class ObjectReader {
 public:
  /// Throws BadInput where `value` is no object. All arguments must outlive the reader.
  ObjectReader(const Json& value, const Pointer& at, const std::string& file);

  /// Null where the key is absent.
  const Json* find(std::string_view key);
  /// Throws where the key is absent; names the one that was meant for it, if there is one.
  const Json& require(std::string_view key);
  /// Throws for the first key that nobody asked for.
  void expect_no_others() const;

  [[nodiscard]] Pointer at(std::string_view key) const { return {at_, key}; }
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  [[noreturn]] void fail(const std::string& message) const;

  std::optional<std::string> find_string(std::string_view key);
  std::vector<std::string> find_strings(std::string_view key);

 private:
  [[nodiscard]] bool was_asked(std::string_view key) const;

  const Json& value_;
  const Pointer& at_;
  const std::string& file_;
  std::vector<std::string_view> asked_;
};

}  // namespace opconform::base
