#include "harness/base/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "harness/base/bad_input.h"

namespace opconform::base {

std::string read_text_file(const std::filesystem::path& path, std::size_t most_bytes) {
  const std::string file = path.empty() ? "\"\"" : path.string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw BadInput(file, "", "is a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw BadInput(file, "", std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  // In pieces, not by the size that the file system tells: that is 0 for pipes and wrong for
  // growing files.
  while (stream) {
    const std::size_t length = text.size();
    text.resize(length + kChunk);
    stream.read(text.data() + length, kChunk);
    text.resize(length + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes)
      throw BadInput(file, "", "is larger than " + std::to_string(most_bytes) + " bytes");
  }
  if (stream.bad()) throw BadInput(file, "", "cannot be read to its end");
  return text;
}

}  // namespace opconform::base
