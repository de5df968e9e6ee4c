#include "reports/json_node.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace opconform::reports {

using base::Json;

namespace {

std::optional<double> number_of(const Json& value) {
  if (const auto literal = base::decimal_literal(value)) {
    const double number = std::strtod(literal->c_str(), nullptr);
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<std::int64_t> integer_of(const Json& value) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return std::nullopt;
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

std::string step(std::string_view key) {
  constexpr std::size_t kLongest = 60;
  return "/" + base::cut(base::printable(key.substr(0, 4 * kLongest)), kLongest);
}

}  // namespace

JsonNode::JsonNode(const Json& value, std::string file)
    : JsonNode(value, std::move(file), std::string()) {}

JsonNode::JsonNode(const Json& value, std::string file, std::string place)
    : value_(value), file_(std::move(file)), place_(std::move(place)) {
  if (!value.is_object())
    throw base::BadInput(file_, place_, "must be an object, but is " + base::excerpt(value));
}

void JsonNode::fail(std::string_view key, const std::string& message) const {
  throw base::BadInput(file_, place_ + step(key), message);
}

bool JsonNode::has(std::string_view key) const { return value_.contains(key); }

std::vector<std::string> JsonNode::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : value_.items()) keys.push_back(key);
  return keys;
}

const Json& JsonNode::require(std::string_view key) const {
  const auto found = value_.find(key);
  if (found == value_.end())
    throw base::BadInput(file_, place_, "lacks \"" + std::string(key) + "\"");
  return *found;
}

const Json& JsonNode::require_array(std::string_view key) const {
  const Json& value = require(key);
  if (!value.is_array()) fail(key, "must be an array, but is " + base::excerpt(value));
  return value;
}

std::string JsonNode::text(std::string_view key) const {
  const Json& value = require(key);
  if (!value.is_string()) fail(key, "must be a string, but is " + base::excerpt(value));
  return value.get<std::string>();
}

std::uint64_t JsonNode::count(std::string_view key) const {
  const Json& value = require(key);
  if (!value.is_number_unsigned())
    fail(key, "must be a whole number from 0 to 2^64 - 1, but is " + base::excerpt(value));
  return value.get<std::uint64_t>();
}

std::int64_t JsonNode::integer(std::string_view key) const {
  const std::optional<std::int64_t> number = integer_of(require(key));
  if (!number)
    fail(key, "must be a whole number of 64 bits, but is " + base::excerpt(require(key)));
  return *number;
}

double JsonNode::number(std::string_view key) const {
  const Json& value = require(key);
  const std::optional<double> number = number_of(value);
  if (!number) fail(key, "must be a number, but is " + base::excerpt(value));
  return *number;
}

bool JsonNode::flag(std::string_view key) const {
  const Json& value = require(key);
  if (!value.is_boolean()) fail(key, "must be true or false, but is " + base::excerpt(value));
  return value.get<bool>();
}

JsonNode JsonNode::object(std::string_view key) const {
  return {require(key), file_, place_ + step(key)};
}

std::vector<JsonNode> JsonNode::objects(std::string_view key) const {
  const Json& array = require_array(key);
  std::vector<JsonNode> nodes;
  nodes.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i)
    nodes.push_back(JsonNode(array[i], file_, place_ + step(key) + "/" + std::to_string(i)));
  return nodes;
}

std::vector<std::string> JsonNode::texts(std::string_view key) const {
  std::vector<std::string> texts;
  for (const Json& item : require_array(key)) {
    if (!item.is_string())
      fail(key, "must be an array of strings, but holds " + base::excerpt(item));
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<std::uint64_t> JsonNode::counts_in(std::string_view key) const {
  std::vector<std::uint64_t> counts;
  for (const Json& item : require_array(key)) {
    if (!item.is_number_unsigned())
      fail(key, "must be an array of whole numbers from 0, but holds " + base::excerpt(item));
    counts.push_back(item.get<std::uint64_t>());
  }
  return counts;
}

std::vector<std::int64_t> JsonNode::integers(std::string_view key) const {
  std::vector<std::int64_t> integers;
  for (const Json& item : require_array(key)) {
    const std::optional<std::int64_t> number = integer_of(item);
    if (!number) fail(key, "must be an array of whole numbers, but holds " + base::excerpt(item));
    integers.push_back(*number);
  }
  return integers;
}

std::string JsonNode::text_or(std::string_view key, std::string otherwise) const {
  return has(key) ? text(key) : std::move(otherwise);
}

std::optional<std::uint64_t> JsonNode::count_or_null(std::string_view key) const {
  return require(key).is_null() ? std::nullopt : std::optional(count(key));
}

std::vector<std::string> JsonNode::texts_or_none(std::string_view key) const {
  return has(key) ? texts(key) : std::vector<std::string>();
}

Json JsonNode::counts(std::string_view key) const {
  const JsonNode node = object(key);
  Json counts = Json::object();
  for (const std::string& name : node.keys()) counts[name] = node.count(name);
  return counts;
}

void demand_version(const JsonNode& file) {
  if (file.integer("version") != 1)
    file.fail("version", "is not 1, the only one that this program reads");
}

Json with_numbers(const Json& value) {
  if (base::decimal_literal(value)) return number_of(value).value_or(0);
  if (!value.is_structured()) return value;
  Json copy = value;
  for (Json& item : copy) item = with_numbers(item);
  return copy;
}

}  // namespace opconform::reports
