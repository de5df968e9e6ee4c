// Elements between JSON and memory: what a case file may write for each data type, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "spec/data_type.h"

namespace opconform::cases {

/// The bytes behind elements of type string. Their addresses stay when more are added.
class StringPool {
 public:
  StringElement add(std::string text) {
    const std::string& kept = strings_.emplace_back(std::move(text));
    return {kept.data(), kept.size()};
  }

 private:
  std::deque<std::string> strings_;
};

/// The written value is none of the type. The message names it.
struct ElementError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Appends the bits of one element. Throws ElementError.
void append_element(const base::Json& value, DataType type, StringPool& strings,
                    std::vector<std::byte>& bytes);

/// The whole numbers that a type counts without a gap: what a ramp may hold. Of a complex type,
/// those of its parts.
struct WholeNumbers {
  std::int64_t least;
  std::uint64_t most;
};
/// Nothing for bool and string.
std::optional<WholeNumbers> whole_numbers(DataType type);
/// A JSON integer of that range, in two's complement; nothing for any other value.
std::optional<std::uint64_t> whole_number(const base::Json& value, const WholeNumbers& range);
/// Appends one of them, given in two's complement; of a complex type, one part.
void append_whole_number(std::uint64_t number, DataType type, std::vector<std::byte>& bytes);

/// The bits that "0x..." writes; nothing for what begins otherwise. Throws ElementError where they
/// have another width.
std::optional<std::uint64_t> written_bits(const base::Json& value, std::size_t size_bytes);
/// Bits as hex digits, as many as the type is wide, and back.
std::string hex_digits(std::uint64_t bits, std::size_t size_bytes);
std::uint64_t parse_hex(std::string_view digits);
void append_bits(std::uint64_t bits, std::size_t size_bytes, std::vector<std::byte>& bytes);

/// Could this be an element at all, rather than an array of elements?
bool is_element_form(const base::Json& value, DataType type);

/// The element as a case file would write it; bits that a number cannot say (NaN payloads) as
/// "0x...".
base::Json element_to_json(DataType type, const std::byte* element);
/// The same, but also the bits of a float whose digits are longer than they.
base::Json short_element_to_json(DataType type, const std::byte* element);
/// The same for people: the value, and for floats also the bits.
std::string element_text(DataType type, const std::byte* element);

/// The same for a cell of a table: of a float the digits or the bits, whichever are shorter; only
/// strings are in quotes, and cut.
std::string short_element_text(DataType type, const std::byte* element);

/// Bit for bit; strings by content.
bool same_element(DataType type, const std::byte* a, const std::byte* b);

}  // namespace opconform::cases
