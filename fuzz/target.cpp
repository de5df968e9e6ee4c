#include "fuzz/target.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace opconform::fuzz {

void SeedDirectory::add(std::span<const std::uint8_t> seed) {
  const std::filesystem::path file = path_ / std::to_string(count_++);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
  if (!out.flush()) {
    std::fprintf(stderr, "%s: cannot be written\n", file.c_str());
    std::exit(2);
  }
}

}  // namespace opconform::fuzz

/// Engines call this before anything else, so that every program of a target can write its seeds:
///   TARGET --write-seeds DIR [SOURCE...]
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::span<char* const> arguments(*argv, static_cast<std::size_t>(*argc));
  if (arguments.size() < 3 || std::string_view(arguments[1]) != "--write-seeds") return 0;
  opconform::fuzz::SeedDirectory seeds(arguments[2]);
  opconform::fuzz::write_seeds(seeds, arguments.subspan(3));
  std::exit(0);
}
