// What a fuzz target is to its program, besides LLVMFuzzerTestOneInput.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace opconform::fuzz {

/// An existing directory that takes seeds, one a file.
class SeedDirectory {
 public:
  explicit SeedDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  void add(std::span<const std::uint8_t> seed);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::size_t count_ = 0;
};

/// Each target defines it: what it should start from. `sources` are the paths behind the
/// directory's on the command line.
void write_seeds(SeedDirectory& seeds, std::span<char* const> sources);

}  // namespace opconform::fuzz
