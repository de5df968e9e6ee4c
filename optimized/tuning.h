// Every number that was measured, not derived. Change them here, and nowhere else.
#pragma once

#include <cstddef>

namespace opconform::optimized {

/// From this many bytes of output on, lines are stored past the cache. Below, the last level cache
/// takes the output faster than memory does, and keeps it for whoever reads it next.
inline constexpr std::ptrdiff_t kStreamingOutputBytes = std::ptrdiff_t{128} << 20;
/// Shorter lines are stored through the cache always: their ends would be partial lines of the
/// cache.
inline constexpr std::ptrdiff_t kStreamingLineBytes = 1024;
/// From this length on the C library copies a line better than a loop of ours.
inline constexpr std::ptrdiff_t kLibraryCopyBytes = 1024;
/// Source bytes that several lines or outputs read in turn before all go on: they stay in the first
/// cache.
inline constexpr std::ptrdiff_t kStripBytes = std::ptrdiff_t{16} << 10;
/// A transpose goes block by block, this many bytes of a source row by this many of a target row.
inline constexpr std::ptrdiff_t kBlockSourceBytes = 64;
inline constexpr std::ptrdiff_t kBlockTargetBytes = 256;
/// Indices that are resolved at a time, on the stack.
inline constexpr std::ptrdiff_t kIndexChunk = 1024;
/// How far ahead of a gathered row the next ones are asked for.
inline constexpr std::ptrdiff_t kPrefetchRows = 2;

}  // namespace opconform::optimized
