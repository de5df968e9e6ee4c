#include "harness/running/printed_words.h"

#include <sys/socket.h>

#include <algorithm>
#include <string_view>

#include "harness/base/kept_process.h"

namespace opconform::running {
namespace {

std::string mark_of(std::uint64_t number) { return "\x1e#" + std::to_string(number) + "\x1e"; }

}  // namespace

void mark_printed_words(std::uint64_t number) { base::mark_words(mark_of(number)); }

void PrintedWords::hear(int file) {
  constexpr std::size_t kMost = 4096;
  char chunk[kMost];
  ssize_t length = 0;
  while ((length = ::recv(file, chunk, sizeof chunk, MSG_DONTWAIT)) > 0) {
    text_.append(chunk, static_cast<std::size_t>(length));
    if (text_.size() > kMost) text_.erase(0, text_.size() - kMost);
  }
}

std::string PrintedWords::take(std::uint64_t number) {
  const std::string mark = mark_of(number);
  const std::size_t at = text_.find(mark);
  if (at == std::string::npos) return "";
  std::string printed = text_.substr(0, at);
  text_.erase(0, at + mark.size());
  return printed;
}

std::string last_line(std::string words) { return take_last_line(words); }

std::string take_last_line(std::string& words) {
  constexpr std::string_view kSummary = "SUMMARY: ";
  std::size_t end = words.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "";
  const std::size_t summary = words.rfind(kSummary);
  if (summary != std::string::npos) end = std::min(end, words.find('\n', summary) - 1);
  const std::size_t before = words.find_last_of('\n', end);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  std::string line = words.substr(first, end + 1 - first);
  words.resize(first);
  return line;
}

}  // namespace opconform::running
