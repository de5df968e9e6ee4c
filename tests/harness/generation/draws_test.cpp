// Answers become bytes and the same answers again.

#include "harness/generation/draws.h"

#include <gtest/gtest.h>

#include <limits>

namespace opconform::generation {
namespace {

constexpr std::uint64_t kCounts[] = {1,   2,       255,
                                     256, 257,     std::uint64_t{1} << 32,
                                     3,   1000003, std::numeric_limits<std::uint64_t>::max()};

TEST(RecordedDraws, BytesGiveTheSameAnswersAgain) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomDraws random(seed);
    RecordedDraws recorded(random);
    std::vector<std::uint64_t> answers;
    for (const std::uint64_t count : kCounts) answers.push_back(recorded.below(count));
    ByteDraws bytes(recorded.bytes());
    for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(bytes.below(kCounts[i]), answers[i]);
  }
}

TEST(RecordedDraws, AnAnswerIsAsLongAsItsQuestionWants) {
  ByteDraws zeros({});
  RecordedDraws recorded(zeros);
  EXPECT_EQ(recorded.below(256), 0U);
  EXPECT_EQ(recorded.below(257), 0U);
  EXPECT_EQ(recorded.below(2), 0U);
  EXPECT_EQ(recorded.bytes(), std::vector<std::uint8_t>(1 + 8 + 1));
  EXPECT_EQ(recorded.answers()[2].offset, 9U);
  EXPECT_EQ(recorded.answers()[2].count, 2U);
}

TEST(RecordedDraws, OneAnswerCanBeChangedAndNoOtherChanges) {
  ByteDraws zeros({});
  RecordedDraws recorded(zeros);
  for (const std::uint64_t count : kCounts) (void)recorded.below(count);
  constexpr std::size_t kLast = std::size(kCounts) - 1;
  recorded.set(5, 0x12345678);
  recorded.set(kLast, kCounts[kLast] - 1);
  ByteDraws bytes(recorded.bytes());
  for (std::size_t i = 0; i <= kLast; ++i)
    EXPECT_EQ(bytes.below(kCounts[i]), i == 5 ? 0x12345678 : i == kLast ? kCounts[kLast] - 1 : 0);
}

}  // namespace
}  // namespace opconform::generation
