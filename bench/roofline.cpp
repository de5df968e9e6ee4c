#include "bench/roofline.h"

#include <immintrin.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "bench/buffers.h"
#include "bench/clock.h"
#include "bench/contender.h"
#include "bench/statistics.h"

namespace opconform::bench {
namespace {

constexpr std::size_t kVectorBytes = sizeof(__m256i);
/// A sample moves about this much.
constexpr std::size_t kSampleBytes = std::size_t{32} << 20;

__attribute__((target("avx2"))) void read(const std::byte* source, std::byte* target,
                                          std::size_t size) {
  __m256i sums[4] = {};
  for (std::size_t at = 0; at < size; at += sizeof sums)
    for (std::size_t i = 0; i < std::size(sums); ++i) {
      const auto* from = reinterpret_cast<const __m256i*>(source + at + i * kVectorBytes);
      sums[i] = _mm256_or_si256(sums[i], _mm256_load_si256(from));
    }
  for (const __m256i sum : sums)  // so that the loads are for something
    _mm256_store_si256(reinterpret_cast<__m256i*>(target), sum);
}

__attribute__((target("avx2"))) void write(const std::byte* /*source*/, std::byte* target,
                                           std::size_t size) {
  const __m256i value = _mm256_set1_epi8(1);
  for (std::size_t at = 0; at < size; at += kVectorBytes)
    _mm256_store_si256(reinterpret_cast<__m256i*>(target + at), value);
}

__attribute__((target("avx2"))) void streaming_write(const std::byte* /*source*/, std::byte* target,
                                                     std::size_t size) {
  const __m256i value = _mm256_set1_epi8(1);
  for (std::size_t at = 0; at < size; at += kVectorBytes)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(target + at), value);
  _mm_sfence();
}

void library_copy(const std::byte* source, std::byte* target, std::size_t size) {
  std::memcpy(target, source, size);
}

/// How a figure is made, and how often it meets each byte of a buffer.
struct Kind {
  const char* name;
  double RooflineRow::*figure;
  void (*run)(const std::byte* source, std::byte* target, std::size_t size);
  double passes;
};
constexpr std::array<Kind, 6> kKinds{{
    {"read", &RooflineRow::read, read, 1},
    {"write", &RooflineRow::write, write, 1},
    {"streaming write", &RooflineRow::streaming_write, streaming_write, 1},
    {"memcpy", &RooflineRow::memcpy, library_copy, 2},
    {"streaming copy", &RooflineRow::streaming_copy, streaming_copy, 2},
    {"4-page streaming copy", &RooflineRow::four_page_streaming_copy, four_page_streaming_copy, 2},
}};

double gb_per_s(const Kind& kind, const Block& source, const Block& target, std::size_t samples) {
  const std::size_t size = source.bytes().size();
  const std::size_t calls = std::max<std::size_t>(kSampleBytes / size, 1);
  const auto call = [&] { kind.run(source.bytes().data(), target.bytes().data(), size); };
  call();
  std::vector<double> times_ns;
  for (std::size_t sample = 0; sample < samples; ++sample)
    times_ns.push_back(time_ns([&] {
      for (std::size_t i = 0; i < calls; ++i) call();
    }));
  return kind.passes * static_cast<double>(size * calls) / median(std::move(times_ns));
}

}  // namespace

std::vector<RooflineRow> measure_roofline(std::size_t samples) {
  std::vector<RooflineRow> rows;
  for (std::size_t size = std::size_t{16} << 10; size <= std::size_t{256} << 20; size *= 4) {
    const Block source(size);
    const Block target(size);
    std::memset(source.bytes().data(), 1, size);
    std::memset(target.bytes().data(), 1, size);
    RooflineRow& row = rows.emplace_back();
    row.buffer_bytes = size;
    for (const Kind& kind : kKinds) row.*kind.figure = gb_per_s(kind, source, target, samples);
  }
  return rows;
}

void print(std::ostream& out, const std::vector<RooflineRow>& rows) {
  std::array<char, 64> text;
  const auto formatted = [&](const char* format, auto... values) {
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
  };
  out << "GB/s, read and written, one thread\n" << formatted("%12s", "buffer, KiB");
  for (const Kind& kind : kKinds) out << formatted("%23s", kind.name);
  for (const RooflineRow& row : rows) {
    out << "\n" << formatted("%12zu", row.buffer_bytes >> 10);
    for (const Kind& kind : kKinds) out << formatted("%23.1f", row.*kind.figure);
  }
  out << "\n";
}

nlohmann::ordered_json to_json(const std::vector<RooflineRow>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const RooflineRow& row : rows) {
    nlohmann::ordered_json figures;
    for (const Kind& kind : kKinds) figures[kind.name] = row.*kind.figure;
    json.push_back({{"buffer_bytes", row.buffer_bytes}, {"gb_per_s", figures}});
  }
  return json;
}

}  // namespace opconform::bench
