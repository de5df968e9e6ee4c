// Who takes part: this project's implementations, plain copies of as many bytes, and libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/buffers.h"
#include "bench/traffic.h"
#include "spec/operator.h"

namespace opconform::bench {

enum class Role : std::uint8_t {
  kOptimized,
  kThreads,  ///< ours, with two threads
  kOnce,     ///< ours, planned anew for each call
  kKept,     ///< ours, by a plan that PlanCache finds for each call
  kScalar,
  kReference,
  kCopy,  ///< moves as many bytes; says what memory allows
  kPeer,
};

struct Contender {
  std::string name;
  Role role;
  std::function<void()> run;
  /// Where run() leaves its result elsewhere, brings it into the output buffers. Not timed.
  std::function<void()> deliver = {};
};

/// A library that may be there. `prepare` does all that can be done once for many runs over the
/// same buffers.
struct Peer {
  std::string_view name;
  std::string version;
  std::optional<Contender> (*prepare)(const Operator& op, const Buffers& buffers);
};
/// Those that were found when this program was built.
[[nodiscard]] const std::vector<Peer>& peers();
/// The names of those that were not.
[[nodiscard]] const std::vector<std::string_view>& missing_peers();

// One file each, in peers/. Declared whether built or not.
[[nodiscard]] Peer torch_peer();
[[nodiscard]] Peer dnnl_peer();
[[nodiscard]] Peer numpy_peer();

/// Copies of half the traffic, from the inputs to the outputs, and where those are too small from
/// and to memory behind them: memcpy, and one that stores past the cache.
[[nodiscard]] std::vector<Contender> copies(const Traffic& traffic, const Buffers& buffers);

/// The copy with non-temporal stores, from one end to the other.
void streaming_copy(const std::byte* source, std::byte* target, std::size_t size);
/// The same over four pages side by side, which memory likes better. Precondition: `target` is
/// aligned to a line.
void four_page_streaming_copy(const std::byte* source, std::byte* target, std::size_t size);

/// The optimized implementation first, then its scalar twin; the reference unless there is so much
/// to do that it would take seconds.
[[nodiscard]] std::vector<Contender> own(const Operator& op, const Buffers& buffers);

}  // namespace opconform::bench
