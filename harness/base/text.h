// Text from elsewhere, made fit for messages.
#pragma once

#include <string>
#include <string_view>

namespace opconform::base {

/// The same text, but what a terminal would act on is spelt out: control characters (C0, DEL, C1),
/// characters that turn the direction of writing, and bytes that are no UTF-8. Harmless text stays
/// as it is.
std::string printable(std::string_view text);

/// printable(), cut to a length that a message can bear, in quotes.
std::string in_quotes(std::string_view text);

/// What code under test says: printable(), cut to a length that a message can bear.
std::string words_of_others(std::string_view text, std::size_t most = 1000);

/// Cut behind at most `most` bytes, never inside a character.
std::string cut(std::string text, std::size_t most);

}  // namespace opconform::base
