// What a worker process of a campaign does: it runs blocks of cases, and says what came of them.
#pragma once

#include <algorithm>
#include <array>
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

/// What became of the finished cases of a block. A worker keeps it in memory that its parent reads
/// where the worker dies.
struct BlockCount {
  Tallies tallies;
  judging::ChoiceCounts choices;
};
static_assert(std::is_trivially_copyable_v<BlockCount>);

/// What a worker says of one case.
struct CaseWord {
  bool is_error = false;  ///< the harness could not go on with the case; otherwise the case failed
  judging::Verdict verdict{};
  std::size_t operator_index = 0;
  std::array<char, 256> text{};  // the rule, or what went wrong
  void set_text(std::string_view value) {
    value = value.substr(0, text.size() - 1);
    std::copy(value.begin(), value.end(), text.begin());
  }
  [[nodiscard]] std::string get_text() const {
    return {text.data(), ::strnlen(text.data(), text.size())};
  }
};
static_assert(std::is_trivially_copyable_v<CaseWord>);

/// As a worker says it, and back again: nothing where the text is none.
template <class Word>
[[nodiscard]] std::string to_text(const Word& word) {
  return {reinterpret_cast<const char*>(&word), sizeof word};
}
template <class Word>
[[nodiscard]] std::optional<Word> from_text(std::string_view text) {
  if (text.size() != sizeof(Word)) return std::nullopt;
  Word word;
  std::memcpy(&word, text.data(), sizeof word);
  return word;
}

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

/// One worker.
class Worker {
 public:
  Worker(const CaseSource& source, backends::Backend& backend, const judging::CheckOptions& check,
         BlockCount& count)
      : source_(source), backend_(backend), differential_(backend), count_(count), check_(check) {}

  /// `shared` has room for the words of all spaces and, where wanted, for the counters of coverage.
  void collect_in(const std::vector<generation::CombinationSpace>& spaces,
                  std::span<std::uint64_t> shared);
  /// Runs the cases of a block. Gives its BlockCount as text.
  [[nodiscard]] std::string work(CaseRange block, running::WorkerChannel& channel);

 private:
  void run(std::uint64_t number);
  judging::CaseResult run_valid(Tally& tally);
  judging::CaseResult check_as_in_run();
  judging::CaseResult run_broken(Tally& tally);
  judging::CaseResult run_relation(Tally& tally);
  void observe(const judging::CaseResult& result, coverage::Due due, std::string_view rule,
               std::span<const std::span<const std::byte>> inputs);

  const CaseSource& source_;
  backends::Backend& backend_;
  running::Differential differential_;
  BlockCount& count_;
  const judging::CheckOptions& check_;
  running::WorkerChannel* channel_ = nullptr;
  std::uint64_t number_ = 0;  // of the case at hand
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
