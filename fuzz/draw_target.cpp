#include "fuzz/draw_target.h"

#include <algorithm>
#include <set>

#include "fuzz/target.h"
#include "harness/base/random.h"
#include "harness/generation/factors.h"

/// The engine's own mutator; engines that have none do not call ours.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size,
                                                      std::size_t most);

namespace opconform::fuzz {
namespace {

using generation::RecordedDraws;

constexpr std::uint64_t kMostSeedDraws = 20'000;
/// So many draws that bring nothing new end the search for seeds.
constexpr std::uint64_t kFruitlessSeedDraws = 4'000;

using Bytes = std::vector<std::uint8_t>;

/// All questions of an input with their answers. Bytes that answer nothing are gone, and answers
/// that lay beyond the end are there.
class Answers {
 public:
  explicit Answers(std::span<const std::uint8_t> bytes) : source_(bytes), recorded_(source_) {
    draw_target().draw(recorded_);
  }
  [[nodiscard]] std::size_t count() const { return recorded_.answers().size(); }
  [[nodiscard]] std::uint64_t count_of(std::size_t answer) const {
    return recorded_.answers()[answer].count;
  }
  void set(std::size_t answer, std::uint64_t value) { recorded_.set(answer, value); }
  [[nodiscard]] const Bytes& bytes() const { return recorded_.bytes(); }
  /// Where that answer begins; the end for the one behind the last.
  [[nodiscard]] std::size_t offset(std::size_t answer) const {
    return answer < count() ? recorded_.answers()[answer].offset : bytes().size();
  }
  /// The bytes of the answers [first, last), as far as there are any.
  [[nodiscard]] std::span<const std::uint8_t> part(std::size_t first, std::size_t last) const {
    return std::span(bytes()).subspan(offset(first), offset(last) - offset(first));
  }

 private:
  generation::ByteDraws source_;
  RecordedDraws recorded_;
};

void append(std::span<const std::uint8_t> part, Bytes& bytes) {
  bytes.insert(bytes.end(), part.begin(), part.end());
}

/// Factors are asked for first, and decide most: half of the time one of them is meant.
std::size_t any_answer(const Answers& answers, generation::Draws& draws) {
  const std::size_t most = draws.one_in(2)
                               ? std::min<std::size_t>(answers.count(), generation::kMaxFactors)
                               : answers.count();
  return draws.below(most);
}

/// One step: an answer anew, an extreme one, the rest plain, an answer more or less, or a part
/// repeated elsewhere.
Bytes mutated(Answers& answers, generation::Draws& draws) {
  if (answers.count() == 0) return {};
  const std::size_t at = any_answer(answers, draws);
  const std::uint64_t count = answers.count_of(at);
  Bytes result;
  switch (draws.below(16)) {
    case 0:
      answers.set(at, draws.one_in(2) ? 0 : count - 1);
      return answers.bytes();
    case 1:
      append(answers.part(0, at), result);
      return result;
    case 2:
      append(answers.part(0, at), result);
      append(answers.part(at + 1, answers.count()), result);
      return result;
    case 3:
      append(answers.part(0, at + 1), result);
      append(answers.part(at, answers.count()), result);
      return result;
    case 4:
    case 5:
    case 6: {
      const std::size_t from = any_answer(answers, draws);
      const std::size_t length = draws.between(1, 8);
      append(answers.part(0, at), result);
      append(answers.part(from, from + length), result);
      append(answers.part(at + length, answers.count()), result);
      return result;
    }
    default:
      answers.set(at, draws.below(count));
      return answers.bytes();
  }
}

/// Returns the size. Engines want at least one byte.
std::size_t put(Bytes bytes, std::uint8_t* target, std::size_t most) {
  // What is cut off, and zeros at the end, answer plainly.
  bytes.resize(std::min(bytes.size(), most));
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  if (bytes.empty()) bytes.push_back(0);
  std::copy(bytes.begin(), bytes.end(), target);
  return bytes.size();
}

}  // namespace

void write_seeds(SeedDirectory& seeds, std::span<char* const> /*sources*/) {
  std::set<std::string> known;
  std::uint64_t last_new = 0;
  for (std::uint64_t i = 0; i < kMostSeedDraws && i - last_new < kFruitlessSeedDraws; ++i) {
    generation::RandomDraws draws(base::random_bits(0, i));
    RecordedDraws recorded(draws);
    draw_target().draw(recorded);
    bool is_new = false;
    for (std::string& feature : draw_target().features())
      is_new |= known.insert(std::move(feature)).second;
    if (!is_new) continue;
    seeds.add(recorded.bytes());
    last_new = i;
  }
}

}  // namespace opconform::fuzz

using namespace opconform;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  generation::ByteDraws draws({bytes, size});
  fuzz::draw_target().draw(draws);
  fuzz::draw_target().judge(fuzz::Statistics::of_program());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  generation::RandomDraws draws(seed);
  if (LLVMFuzzerMutate != nullptr && draws.one_in(8)) return LLVMFuzzerMutate(bytes, size, most);
  fuzz::Answers answers({bytes, size});
  return fuzz::put(fuzz::mutated(answers, draws), bytes, most);
}

/// Some answers of the first input, then the second's to the questions from there on, for a while
/// or to the end.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* target,
                                                 std::size_t most, unsigned seed) {
  generation::RandomDraws draws(seed);
  const fuzz::Answers one({first, first_size});
  const fuzz::Answers other({second, second_size});
  const std::size_t begin = draws.below(one.count() + 1);
  const std::size_t end = draws.one_in(2) ? one.count() : draws.between(begin, one.count());
  fuzz::Bytes result;
  fuzz::append(one.part(0, begin), result);
  fuzz::append(other.part(std::min(begin, other.count()),
                          end == one.count() ? other.count() : std::max(begin, end)),
               result);
  fuzz::append(one.part(end, one.count()), result);
  return fuzz::put(result, target, most);
}
