// What memory allows: plain copies of as many bytes.
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "bench/contender.h"

namespace opconform::bench {
namespace {

constexpr std::size_t kPageBytes = 4096;

/// One line, whole and aligned on the target's side.
__attribute__((target("avx2"))) inline void stream_line(const std::byte* source,
                                                        std::byte* target) {
  const auto* from = reinterpret_cast<const __m256i*>(source);
  auto* to = reinterpret_cast<__m256i*>(target);
  const __m256i low = _mm256_loadu_si256(from);
  const __m256i high = _mm256_loadu_si256(from + 1);
  _mm256_stream_si256(to, low);
  _mm256_stream_si256(to + 1, high);
}

}  // namespace

__attribute__((target("avx2"))) void streaming_copy(const std::byte* source, std::byte* target,
                                                    std::size_t size) {
  const std::size_t whole = size / kLineBytes * kLineBytes;
  for (std::size_t at = 0; at < whole; at += kLineBytes) stream_line(source + at, target + at);
  _mm_sfence();
  std::memcpy(target + whole, source + whole, size - whole);
}

__attribute__((target("avx2"))) void four_page_streaming_copy(const std::byte* source,
                                                              std::byte* target, std::size_t size) {
  constexpr std::size_t kGroup = 4 * kPageBytes;
  const std::size_t whole = size / kGroup * kGroup;
  for (std::size_t group = 0; group < whole; group += kGroup)
    for (std::size_t at = group; at < group + kPageBytes; at += kLineBytes)
      for (std::size_t page = 0; page < kGroup; page += kPageBytes)
        stream_line(source + at + page, target + at + page);
  streaming_copy(source + whole, target + whole, size - whole);
}

std::vector<Contender> copies(const Traffic& traffic) {
  struct Pair {
    Block source;
    Block target;
  };
  const std::size_t size = std::max<std::size_t>(traffic.bytes() / 2, 1);
  const auto pair = std::make_shared<Pair>(Pair{Block(size), Block(size)});
  std::memset(pair->source.bytes().data(), 1, size);
  std::memset(pair->target.bytes().data(), 2, size);
  return {{"memcpy", Role::kCopy,
           [pair, size] {
             std::memcpy(pair->target.bytes().data(), pair->source.bytes().data(), size);
           }},
          {"streaming copy", Role::kCopy, [pair, size] {
             streaming_copy(pair->source.bytes().data(), pair->target.bytes().data(), size);
           }}};
}

}  // namespace opconform::bench
