// One worker process of a campaign: it runs cases block by block, and says what came of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/campaigns/campaign.h"
#include "harness/coverage/coverage.h"
#include "harness/running/differential.h"

namespace opconform::campaigns {

inline constexpr std::uint64_t kNoCase = ~std::uint64_t{0};

/// What all workers share.
struct WorkerControl {
  std::atomic<std::uint64_t> next_block;
  std::atomic<bool> stop;
};
/// Where one worker is: its parent reads it when the worker is dead or hangs.
struct WorkerSlot {
  std::atomic<std::uint64_t> number;  // the case at hand
  std::atomic<std::uint64_t> finished;
  CaseRange block;
  Tallies tallies;  // of the block
  judging::ChoiceCounts choices;
};

/// What a worker writes into its pipe. Smaller than PIPE_BUF: it arrives whole or not at all.
struct WorkerMessage {
  enum class Kind : std::uint8_t { kFailure, kDone, kError, kEnd } kind = Kind::kEnd;
  judging::Verdict verdict{};
  std::size_t operator_index = 0;
  std::uint64_t number = 0;
  CaseRange range{};
  Tallies tallies{};
  judging::ChoiceCounts choices{};
  std::array<char, 256> text{};  // the rule, or what went wrong
  void set_text(std::string_view value) {
    value = value.substr(0, text.size() - 1);
    std::copy(value.begin(), value.end(), text.begin());
  }
  [[nodiscard]] std::string get_text() const {
    return {text.data(), ::strnlen(text.data(), text.size())};
  }
};
static_assert(std::is_trivially_copyable_v<WorkerMessage> && sizeof(WorkerMessage) < 4096);

/// Cases of a block: what a worker takes at a time.
inline constexpr std::uint64_t kBlock = 2048;

/// The ranges cut into blocks, numbered through.
class CaseBlocks {
 public:
  explicit CaseBlocks(std::span<const CaseRange> ranges) {
    for (const CaseRange& range : ranges) {
      parts_.push_back({count_, range});
      count_ += (range.last - range.first + kBlock - 1) / kBlock;
    }
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] CaseRange operator[](std::uint64_t block) const {
    const auto behind =
        std::upper_bound(parts_.begin(), parts_.end(), block,
                         [](std::uint64_t b, const Part& part) { return b < part.first_block; });
    const Part& part = *std::prev(behind);
    const std::uint64_t first = part.range.first + (block - part.first_block) * kBlock;
    return {first, std::min(first + kBlock, part.range.last)};
  }

 private:
  struct Part {
    std::uint64_t first_block;
    CaseRange range;
  };
  std::vector<Part> parts_;
  std::uint64_t count_ = 0;
};

/// The life of a worker.
class Worker {
 public:
  Worker(const CaseSource& source, backends::Backend& backend, const judging::CheckOptions& check,
         WorkerControl& control, WorkerSlot& slot, int result_end)
      : source_(source),
        backend_(backend),
        differential_(backend),
        control_(control),
        slot_(slot),
        result_end_(result_end),
        check_(check) {}

  /// `shared` has room for the words of all spaces and, where wanted, for the counters of coverage.
  void collect_in(const std::vector<generation::CombinationSpace>& spaces,
                  std::span<std::uint64_t> shared);
  /// Runs the cases of `first`, then block after block until none is left or it is stopped.
  void work(const CaseBlocks& blocks, CaseRange first);

 private:
  void work(CaseRange block);
  void run(std::uint64_t number);
  judging::CaseResult run_valid(Tally& tally);
  judging::CaseResult run_broken(Tally& tally);
  judging::CaseResult run_relation(Tally& tally);
  void observe(const judging::CaseResult& result, coverage::Outcome outcome, std::string_view rule,
               std::span<const std::span<const std::byte>> inputs);
  void send(const WorkerMessage& message) const;

  const CaseSource& source_;
  backends::Backend& backend_;
  running::Differential differential_;
  WorkerControl& control_;
  WorkerSlot& slot_;
  int result_end_;
  const judging::CheckOptions& check_;
  SourcedCase case_;
  std::size_t failed_operator_ = 0;  // of a relation between operators, the one that is to blame
  struct Marked {
    const generation::CombinationSpace* space;
    std::span<std::uint64_t> words;
  };
  std::vector<Marked> combinations_;  // by operator, or empty
  std::optional<coverage::Coverage> coverage_;
};

}  // namespace opconform::campaigns
