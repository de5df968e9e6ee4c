// The main of a fuzz target where no fuzzing engine gives one: replays a corpus, then mutations of
// it that are the same on every machine. Takes libFuzzer's options of that kind and skips others.
//
//   TARGET [-runs=N] [-seed=N] [-max_len=N] FILE|DIR...

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generation/draws.h"

extern "C" {
int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
// Not every target has these.
[[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                                  std::size_t most, unsigned seed);
[[gnu::weak]] std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first,
                                                    std::size_t first_size,
                                                    const std::uint8_t* second,
                                                    std::size_t second_size, std::uint8_t* target,
                                                    std::size_t most, unsigned seed);
std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);
}

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;
using opconform::generation::RandomDraws;

struct Options {
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::uint64_t max_len = 4096;
  std::vector<fs::path> paths;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("-")) options.paths.emplace_back(argument);
    const auto read = [&](std::string_view name, std::uint64_t& value) {
      if (argument.starts_with(name))
        value = std::stoull(std::string(argument.substr(name.size())));
    };
    read("-runs=", options.runs);
    read("-seed=", options.seed);
    read("-max_len=", options.max_len);
  }
  return options;
}

/// The files, and those below the directories, in the order of their names.
std::vector<fs::path> find_files(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Bytes read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw fs::filesystem_error("cannot be read", path, {});
  return {std::istreambuf_iterator<char>(in), {}};
}

/// For LLVMFuzzerMutate, which has no seed of its own.
std::uint64_t mutations = 0;

Bytes mutated(const std::vector<Bytes>& corpus, const Options& options, std::uint64_t run) {
  RandomDraws draws(opconform::base::random_bits(options.seed, run));
  const Bytes& base = corpus[draws.below(corpus.size())];
  Bytes bytes(std::max<std::size_t>(options.max_len, 1));
  const auto seed = static_cast<unsigned>(draws.below(1U << 31));
  std::size_t size = 0;
  if (LLVMFuzzerCustomCrossOver != nullptr && draws.one_in(4)) {
    const Bytes& other = corpus[draws.below(corpus.size())];
    size = LLVMFuzzerCustomCrossOver(base.data(), base.size(), other.data(), other.size(),
                                     bytes.data(), bytes.size(), seed);
  } else {
    size = std::min(base.size(), bytes.size());
    std::copy_n(base.begin(), size, bytes.begin());
    for (std::uint64_t steps = draws.between(1, 4); steps > 0; --steps)
      size = LLVMFuzzerCustomMutator != nullptr
                 ? LLVMFuzzerCustomMutator(bytes.data(), size, bytes.size(),
                                           seed + static_cast<unsigned>(steps))
                 : LLVMFuzzerMutate(bytes.data(), size, bytes.size());
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

/// One step: a byte changed, one more or one less, or a part moved to another place.
std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most) {
  RandomDraws draws(mutations++);
  const auto any_byte = [&] { return static_cast<std::uint8_t>(draws.below(256)); };
  if (size == 0) {
    bytes[0] = any_byte();
    return 1;
  }
  std::uint8_t* const at = bytes + draws.below(size);
  std::uint8_t* const end = bytes + size;
  switch (draws.below(4)) {
    case 0:
      *at = any_byte();
      return size;
    case 1:
      if (size == most) return size;
      std::copy_backward(at, end, end + 1);
      *at = any_byte();
      return size + 1;
    case 2:
      std::copy(at + 1, end, at);
      return size - 1;
    default:
      std::rotate(bytes, at, end);
      return size;
  }
}

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  const Options options = read_options(argc, argv);
  std::vector<Bytes> corpus;
  for (const fs::path& file : find_files(options.paths)) corpus.push_back(read_file(file));
  std::fprintf(stderr, "replaying %zu inputs and %llu mutations of them\n", corpus.size(),
               static_cast<unsigned long long>(options.runs));
  for (const Bytes& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());
  if (corpus.empty()) corpus.emplace_back();
  for (std::uint64_t run = 0; run < options.runs; ++run) {
    const Bytes input = mutated(corpus, options, run);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
}
