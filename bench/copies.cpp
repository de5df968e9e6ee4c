// What memory allows: plain copies of as many bytes.
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "bench/contender.h"

namespace opconform::bench {
namespace {

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
  const std::size_t past_line = reinterpret_cast<std::uintptr_t>(target) % kLineBytes;
  const std::size_t head = std::min((kLineBytes - past_line) % kLineBytes, size);
  const std::size_t lines_end = head + (size - head) / kLineBytes * kLineBytes;
  std::memcpy(target, source, head);
  for (std::size_t at = head; at < lines_end; at += kLineBytes)
    stream_line(source + at, target + at);
  _mm_sfence();
  std::memcpy(target + lines_end, source + lines_end, size - lines_end);
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

namespace {

struct Piece {
  const std::byte* source;
  std::byte* target;
  std::size_t size;
};

/// The buffers end to end, and behind them as much of `rest` as is missing to `size`.
template <class Byte>
std::vector<std::span<Byte>> stretch(std::span<const std::span<Byte>> buffers, std::size_t size,
                                     std::span<std::byte> rest) {
  std::vector<std::span<Byte>> result;
  for (const std::span<Byte> buffer : buffers) {
    result.push_back(buffer.first(std::min(buffer.size(), size)));
    size -= result.back().size();
  }
  result.push_back(rest.first(size));
  return result;
}

/// Both sides cut where either has an end.
std::vector<Piece> pieces(const std::vector<std::span<const std::byte>>& sources,
                          const std::vector<std::span<std::byte>>& targets) {
  std::vector<Piece> result;
  auto source = sources.begin();
  auto target = targets.begin();
  std::size_t source_at = 0;
  std::size_t target_at = 0;
  while (source != sources.end() && target != targets.end()) {
    const std::size_t size = std::min(source->size() - source_at, target->size() - target_at);
    if (size > 0) result.push_back({source->data() + source_at, target->data() + target_at, size});
    source_at += size;
    target_at += size;
    if (source_at == source->size()) {
      ++source;
      source_at = 0;
    }
    if (target_at == target->size()) {
      ++target;
      target_at = 0;
    }
  }
  return result;
}

}  // namespace

std::vector<Contender> copies(const Traffic& traffic, const Buffers& buffers) {
  const std::size_t size = std::max<std::size_t>(traffic.bytes() / 2, 1);
  const auto more =
      std::make_shared<std::array<Block, 2>>(std::array<Block, 2>{Block(size), Block(size)});
  for (const Block& block : *more) std::memset(block.bytes().data(), 1, size);
  const Bindings bindings = buffers.bindings();
  const std::vector<Piece> all = pieces(stretch(bindings.inputs, size, (*more)[0].bytes()),
                                        stretch(bindings.outputs, size, (*more)[1].bytes()));
  return {{"memcpy", Role::kCopy,
           [more, all] {
             for (const Piece& piece : all) std::memcpy(piece.target, piece.source, piece.size);
           }},
          {"streaming copy", Role::kCopy, [more, all] {
             for (const Piece& piece : all) streaming_copy(piece.source, piece.target, piece.size);
           }}};
}

}  // namespace opconform::bench
