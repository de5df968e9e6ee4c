// Reading files of results: each value is asked for by key and kind, and a mistake names file,
// place and value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::reports {

/// An object in a JSON file. Refers to the document, which must outlive it. Everything throws
/// base::BadInput where the value is not as asked for.
class JsonNode {
 public:
  JsonNode(const base::Json& value, std::string file);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] const base::Json& value() const { return value_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::uint64_t count(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] JsonNode object(std::string_view key) const;
  [[nodiscard]] std::vector<JsonNode> objects(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] std::vector<std::uint64_t> counts_in(std::string_view key) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;

  // Where the key may be absent.
  [[nodiscard]] std::string text_or(std::string_view key, std::string otherwise) const;
  /// Nothing where it is null, but it must be there.
  [[nodiscard]] std::optional<std::uint64_t> count_or_null(std::string_view key) const;
  [[nodiscard]] bool is_set(std::string_view key) const { return has(key) && flag(key); }
  [[nodiscard]] std::vector<std::string> texts_or_none(std::string_view key) const;

  /// {key: count, …}
  [[nodiscard]] base::Json counts(std::string_view key) const;

  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

 private:
  JsonNode(const base::Json& value, std::string file, std::string place);
  [[nodiscard]] const base::Json& require(std::string_view key) const;
  [[nodiscard]] const base::Json& require_array(std::string_view key) const;

  const base::Json& value_;
  std::string file_;
  std::string place_;  ///< JSON pointer
};

/// Throws base::BadInput where the file's "version" is not 1, or missing.
void demand_version(const JsonNode& file);

/// As any reader of JSON has it: what parse_json() keeps as text becomes a number again.
base::Json with_numbers(const base::Json& value);

}  // namespace opconform::reports
