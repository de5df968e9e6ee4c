// Every number that was measured, not derived, and is good on all machines; the others stand in
// machine.h. Change them here, and nowhere else.
#pragma once

#include <cstddef>

namespace opconform::optimized {

/// What is fetched ahead, and the least that is worth the counting.
inline constexpr std::ptrdiff_t kFetchedBlockBytes = std::ptrdiff_t{8} << 10;
inline constexpr std::ptrdiff_t kFetchedPlaneBytes = std::ptrdiff_t{2} << 10;
/// Bytes that lie together in the target are stored past the cache only from this length on: their
/// ends are partial lines of the cache.
inline constexpr std::ptrdiff_t kStreamingRunBytes = 1024;
/// And from twice that on where the gaps between runs are narrower: the machine foresees them all.
inline constexpr std::ptrdiff_t kNearRunsBytes = 256;
/// What is staged before it is streamed out: in the first cache, beside what it is made of.
inline constexpr std::ptrdiff_t kStageBytes = std::ptrdiff_t{16} << 10;
inline constexpr std::ptrdiff_t kMostRuns = 64;
/// More is not fetched ahead: it would leave the cache before it is read.
inline constexpr std::ptrdiff_t kMostFetchedBytes = std::ptrdiff_t{128} << 10;
/// From this length on the C library copies a line better than a loop of ours; a large plane has a
/// greater one, up to the second: the library stores the first bytes of a line last.
inline constexpr std::ptrdiff_t kLibraryCopyBytes = 1024;
inline constexpr std::ptrdiff_t kMostLoopBytes = std::ptrdiff_t{16} << 10;
/// Source bytes that several lines or outputs read before all go on: they stay in the first cache.
inline constexpr std::ptrdiff_t kStripBytes = std::ptrdiff_t{15} << 10;
/// Where few steps fit, a strip is longer, up to so many in so many bytes, and never shorter than
/// the last: it stays in the second cache.
inline constexpr std::ptrdiff_t kStripSteps = 512;
inline constexpr std::ptrdiff_t kLongStripBytes = std::ptrdiff_t{256} << 10;
inline constexpr std::ptrdiff_t kLeastStripSteps = 64;
/// Parts of a tensor whose runs are at least so long meet in few lines: no strips.
inline constexpr std::ptrdiff_t kLeastRowBytes = 256;
/// A transpose goes block by block, this many bytes of a source row by this many of a target row;
/// a plane of at most kStageBytes is one block, whose rows are read one after the other.
inline constexpr std::ptrdiff_t kBlockSourceBytes = 64;
inline constexpr std::ptrdiff_t kBlockTargetBytes = 512;
inline constexpr std::ptrdiff_t kRunBytes = 16;  ///< shorter runs are copied as tiles
/// So are runs that follow each other and have fewer bytes in all: a plane takes as long to begin.
inline constexpr std::ptrdiff_t kLeastRunsBytes = 256;
/// Shorter ones are shuffled; where runs change places in a large output, only below the second.
inline constexpr std::ptrdiff_t kShuffledRunBytes = 13;
inline constexpr std::ptrdiff_t kLargeShuffledRunBytes = 5;
inline constexpr std::ptrdiff_t kLargeOutputBytes = std::ptrdiff_t{10} << 20;
/// A tile of blocks grows until it is made of whole ones, but not beyond the first; where it
/// cannot, it has whole loops up to the second, or at least the third.
inline constexpr std::ptrdiff_t kMostWholeTileBytes = 512;
inline constexpr std::ptrdiff_t kMostTileBytes = 256;
inline constexpr std::ptrdiff_t kLeastTileBytes = 64;
inline constexpr std::size_t kMostWindows = 16;  ///< of a block: one for each of its bytes
/// Blocks are made together as long as they share no more than so many; more are transposed.
inline constexpr std::ptrdiff_t kMostSharedWindows = 4;
/// So are pixels of at least so many planes; those of 8 bytes, of at least the number above.
inline constexpr std::ptrdiff_t kManyPlanes = 12;
/// Rows of at most so many bytes are woven from several sources, in tiles of at most the second.
inline constexpr std::ptrdiff_t kMostWovenRowBytes = 256;
inline constexpr std::ptrdiff_t kMostWovenTileBytes = 512;
inline constexpr std::size_t kMostWovenSources = 32;
/// From up to so many sources, blocks of 32 bytes are made; else of 16, which share windows.
inline constexpr std::size_t kMostWideSources = 4;
/// What a run costs that is copied by itself, in sixteenths of a load or shuffle, besides one for
/// each byte; twice as much in outputs from the second on.
inline constexpr std::ptrdiff_t kRunCost = 20;
inline constexpr std::ptrdiff_t kLargeWeaveBytes = std::ptrdiff_t{2} << 20;
/// Patterns of at most so many bytes are repeated, to at least the second; at most twice the third
/// are copied at a time.
inline constexpr std::ptrdiff_t kMostPatternBytes = 128;
inline constexpr std::ptrdiff_t kLeastRepeatedBytes = 256;
inline constexpr std::ptrdiff_t kRepeatedBytes = 2048;
/// A tile grows to so many elements, at most the second, of at most the third: it is staged whole.
inline constexpr std::ptrdiff_t kLeastTileMoves = 16;
inline constexpr std::ptrdiff_t kMostTileMoves = 256;
inline constexpr std::ptrdiff_t kMostElementTileBytes = std::ptrdiff_t{8} << 10;
static_assert(kMostElementTileBytes <= kStageBytes);
/// A tile of squares has at most so many rows and lines, and about so many bytes; where a loop is
/// cut for it, at most a quarter of the first, and a multiple of the last.
inline constexpr std::ptrdiff_t kMostSquareSide = 512;
inline constexpr std::ptrdiff_t kSquareTileBytes = std::ptrdiff_t{16} << 10;
inline constexpr std::ptrdiff_t kSquareSteps = 32;
/// Two squares of elements of one byte take as long as so many loads of windows and shuffles, of
/// two bytes half of it, and so on. Of fewer tiles of blocks than the second in a line, each
/// shuffle takes up to the third times as long, and of tiles of several lines the last.
inline constexpr std::ptrdiff_t kSquaresCost = 150;
inline constexpr std::ptrdiff_t kManyTiles = 16;
inline constexpr std::ptrdiff_t kFewTilesCost = 4;
inline constexpr std::ptrdiff_t kMatrixCost = 2;
inline constexpr std::uint64_t kFewElements = 3500;  ///< so few are copied once without tiles
/// Executions are cut along the outermost loop that has so many steps, else the longest.
inline constexpr std::ptrdiff_t kLeastCut = 16;
inline constexpr std::ptrdiff_t kIndexChunk = 1024;  ///< indices resolved at a time, on the stack
/// The second cache keeps what more indices than that pick from until the next are resolved, and a
/// part of the output that a scatter copies until it is updated; and in scratch, on the stack, the
/// columns of a long axis.
inline constexpr std::ptrdiff_t kGatherBlockBytes = std::ptrdiff_t{512} << 10;
inline constexpr std::ptrdiff_t kScatterBlockBytes = std::ptrdiff_t{512} << 10;
inline constexpr std::ptrdiff_t kScatterScratchBytes = std::ptrdiff_t{512} << 10;
/// How many bytes of a line of columns must fit, and how many updates a cache line must get, for
/// two more copies to pay.
inline constexpr std::ptrdiff_t kLeastColumnsBytes = 128;
inline constexpr std::ptrdiff_t kLeastLineUpdates = 4;
inline constexpr std::ptrdiff_t kFewIndices = 16;   ///< so few are used one by one, at many steps
inline constexpr std::ptrdiff_t kPrefetchRows = 2;  ///< gathered rows that are fetched ahead
inline constexpr std::ptrdiff_t kCrowdedPitchBytes = 1024;  ///< lines crowd at multiples of it
inline constexpr std::ptrdiff_t kFewUpdates = 16;  ///< elements to each update: all is copied first

}  // namespace opconform::optimized
