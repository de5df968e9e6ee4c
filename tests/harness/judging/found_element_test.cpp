// Strings that code under test leaves behind may point anywhere.

#include "harness/judging/found_element.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/element.h"

namespace opconform::judging {
namespace {

constexpr std::size_t kPage = 4096;
const std::string kUnreadable = "a string view of memory that cannot be read";

/// Pages, of which some cannot be read; zeros are in the others.
class Pages {
 public:
  explicit Pages(std::size_t size_bytes) : size_bytes_(size_bytes) {
    start_ = static_cast<char*>(
        ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    EXPECT_NE(start_, MAP_FAILED);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(start_, size_bytes_); }
  void forbid(std::size_t page) { ::mprotect(start_ + page * kPage, kPage, PROT_NONE); }
  [[nodiscard]] StringElement view(std::size_t at, std::size_t size_bytes) const {
    return {start_ + at, size_bytes};
  }

 private:
  char* start_;
  std::size_t size_bytes_;
};

bool same(const StringElement& a, const StringElement& b) {
  std::byte first[sizeof a];
  std::byte second[sizeof b];
  std::memcpy(first, &a, sizeof a);
  std::memcpy(second, &b, sizeof b);
  return same_found(DataType::kString, first, second);
}
bool is_readable(const StringElement& view) {
  std::byte element[sizeof view];
  std::memcpy(element, &view, sizeof view);
  return found_text(DataType::kString, element) != kUnreadable;
}

TEST(FoundElement, EveryPageOfAStringMustBeReadable) {
  Pages pages(4 * kPage);
  pages.forbid(1);
  EXPECT_TRUE(is_readable(pages.view(0, 1)));
  EXPECT_TRUE(is_readable(pages.view(kPage - 1, 1)));
  EXPECT_TRUE(is_readable(pages.view(0, kPage)));
  EXPECT_TRUE(is_readable(pages.view(2 * kPage, 2 * kPage)));
  EXPECT_FALSE(is_readable(pages.view(kPage, 1)));
  EXPECT_FALSE(is_readable(pages.view(kPage - 1, 2)));
  EXPECT_FALSE(is_readable(pages.view(0, kPage + 1)));
  EXPECT_FALSE(is_readable(pages.view(2 * kPage - 1, 2)));
  // The ends can be read, and what lies between cannot.
  EXPECT_FALSE(is_readable(pages.view(0, 3 * kPage)));
  EXPECT_FALSE(is_readable(pages.view(kPage - 1, kPage + 2)));
  // An error of before is no error now.
  EXPECT_TRUE(is_readable(pages.view(0, 1)));
}

TEST(FoundElement, EmptyStringsAreReadWherever) {
  Pages pages(kPage);
  pages.forbid(0);
  EXPECT_TRUE(is_readable(pages.view(5, 0)));
  EXPECT_TRUE(same(pages.view(5, 0), pages.view(9, 0)));
}

TEST(FoundElement, ComparesContentAndNothingThatCannotBeRead) {
  Pages pages(2 * kPage);
  pages.forbid(1);
  const StringElement zero = pages.view(0, 1);
  EXPECT_TRUE(same(zero, pages.view(1, 1)));
  EXPECT_FALSE(same(zero, {"1", 1}));
  EXPECT_FALSE(same(zero, pages.view(1, 2)));
  EXPECT_FALSE(same(zero, pages.view(kPage, 1)));
  EXPECT_FALSE(same(pages.view(kPage, 1), zero));
}

TEST(FoundElement, ManyStringsDoNotFillTheProbe) {
  Pages pages(2 * kPage);
  pages.forbid(1);
  for (int i = 0; i < 70'000; ++i) ASSERT_TRUE(same(pages.view(0, 1), pages.view(1, 1)));
  EXPECT_FALSE(same(pages.view(0, 1), pages.view(kPage, 1)));
}

TEST(FoundElement, AGibibyteIsTheLongestString) {
  constexpr std::size_t kLongest = std::size_t{1} << 30;
  Pages pages(kLongest + 2 * kPage);
  EXPECT_TRUE(same(pages.view(0, kLongest), pages.view(1, kLongest)));
  EXPECT_FALSE(same(pages.view(0, kLongest + 1), pages.view(1, kLongest + 1)));
  EXPECT_FALSE(is_readable(pages.view(0, std::size_t{1} << 40)));
}

const std::string kBefore = "stood there before";

/// What keep_strings() leaves of the second element of an output, beside an input of such strings.
StringElement kept(const std::vector<StringElement>& input, const StringElement& found,
                   cases::StringPool& pool, DataType output_type = DataType::kString) {
  const TensorDesc input_desc = packed_tensor(DataType::kString, {input.size()});
  const TensorDesc output_desc = packed_tensor(output_type, {2});
  const auto input_bytes = std::as_bytes(std::span(input));
  const ObservedInput observed{{{}, {}, input_desc}, input_bytes, input_bytes};
  const std::vector<StringElement> before{{}, {kBefore.data(), kBefore.size()}};
  std::vector<StringElement> after{{}, found};
  keep_strings({&observed, 1}, {{{}, {}, output_desc}, std::as_bytes(std::span(before)), {}}, pool,
               std::as_writable_bytes(std::span(after)));
  return after[1];
}

TEST(KeepStrings, CopiesWhatIsNotWhollyPartOfAStringOfAnInput) {
  const std::string text = "abcdef";
  const std::vector<StringElement> input{{text.data(), 2}, {text.data(), 4}, {text.data(), 1}};
  cases::StringPool pool;
  for (const StringElement& part :
       {StringElement{text.data(), 4}, {text.data() + 1, 3}, {text.data() + 4, 0}})
    EXPECT_EQ(kept(input, part, pool).bytes, part.bytes) << part.size_bytes;
  for (const StringElement& other :
       {StringElement{text.data(), 5}, {text.data() + 1, 4}, {text.data() + 4, 1}}) {
    const StringElement copy = kept(input, other, pool);
    EXPECT_NE(copy.bytes, other.bytes) << other.size_bytes;
    EXPECT_TRUE(same(copy, other)) << other.size_bytes;
  }
}

TEST(KeepStrings, LeavesWhatStoodThereWhatIsUnreadableOrTooLongAndWhatIsNoString) {
  constexpr std::size_t kLongest = 65536;
  Pages pages(kLongest + 2 * kPage);
  pages.forbid(kLongest / kPage + 1);
  cases::StringPool pool;
  for (const StringElement& view : {StringElement{kBefore.data(), kBefore.size()},
                                    pages.view(kLongest + kPage, 1), pages.view(0, kLongest + 1)})
    EXPECT_EQ(kept({}, view, pool).bytes, view.bytes);
  const StringElement longest = pages.view(0, kLongest);
  EXPECT_NE(kept({}, longest, pool).bytes, longest.bytes);
  EXPECT_EQ(kept({}, longest, pool, DataType::kComplex128).bytes, longest.bytes);
}

}  // namespace
}  // namespace opconform::judging
