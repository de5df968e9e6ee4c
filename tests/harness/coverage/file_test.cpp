// Counters and combinations from many processes, merged and in files.

#include "harness/coverage/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "harness/base/bad_input.h"
#include "harness/cases/pretty.h"
#include "harness/generation/combinations.h"
#include "harness/generation/generator.h"
#include "tests/harness/coverage/observed_generated.h"

namespace opconform::coverage {
namespace {

using ::testing::HasSubstr;

const generation::FactorModel& split_model() {
  return generation::factor_model(make_operator("DML_SPLIT")->index());
}

CollectedCoverage shard(std::uint64_t index, std::uint64_t count) {
  CollectedCoverage collected;
  Coverage coverage(collected.counters);
  generation::Generated generated;
  generation::CaseMemory memory;
  for (std::uint64_t i = index; i < 2000; i += count)
    observe_generated(i, generated, memory, coverage);
  // As many as there are, which files are held to.
  std::vector<std::uint64_t> words(generation::CombinationSpace(split_model(), 2).word_count());
  for (std::uint64_t i = index; i < 1000; i += count)
    words[i % 37] |= base::random_bits(1, i) & 0xFF00FF;
  collected.combinations[{"DML_SPLIT", 2}] = words;
  if (index % 2 == 0) {
    std::vector<std::uint64_t>& three = collected.combinations[{"DML_SPLIT", 3}];
    three.resize(generation::CombinationSpace(split_model(), 3).word_count());
    three[index] = index + 1;
  }
  return collected;
}
std::string text_of(const CollectedCoverage& coverage) {
  return cases::pretty(coverage_to_json(coverage, "test 1"));
}

TEST(CoverageMerge, AHundredShardsAreOneRun) {
  const CollectedCoverage whole = shard(0, 1);
  CollectedCoverage merged;
  for (std::uint64_t i = 0; i < 100; ++i) merged.merge(shard((i * 37) % 100, 100));
  EXPECT_EQ(merged.counters, whole.counters);
  EXPECT_EQ(merged.combinations.at({"DML_SPLIT", 2}), whole.combinations.at({"DML_SPLIT", 2}));
}

TEST(CoverageMerge, IsAssociativeAndCommutative) {
  const CollectedCoverage a = shard(0, 3);
  const CollectedCoverage b = shard(1, 3);
  const CollectedCoverage c = shard(2, 3);
  const auto sum = [](CollectedCoverage left, const CollectedCoverage& right) {
    left.merge(right);
    return left;
  };
  EXPECT_EQ(text_of(sum(sum(a, b), c)), text_of(sum(a, sum(b, c))));
  EXPECT_EQ(text_of(sum(a, b)), text_of(sum(b, a)));
  EXPECT_EQ(text_of(sum(a, {})), text_of(a));
}

TEST(CoverageMerge, CountersStopAtTheLargestNumber) {
  CollectedCoverage most;
  most.counters[0] = std::numeric_limits<std::uint64_t>::max() - 1;
  CollectedCoverage more;
  more.counters[0] = 5;
  most.merge(more);
  EXPECT_EQ(most.counters[0], std::numeric_limits<std::uint64_t>::max());
}

TEST(CoverageFile, WordsAsText) {
  const std::vector<std::uint64_t> words{0, 0, 0, 0xFF, ~std::uint64_t{0}, ~std::uint64_t{0}};
  EXPECT_EQ(words_to_text(words), "0*3 ff ffffffffffffffff*2");
  EXPECT_EQ(words_from_text(words_to_text(words), words.size()), words);
  EXPECT_EQ(words_to_text({}), "");
  EXPECT_EQ(words_from_text("", 0), std::vector<std::uint64_t>());
  for (const std::string_view wrong :
       {"0*2", "0*4", "", "0*3 ", " 0*3", "0*3,", "0 0  0", "x*3", "0*0 0*3", "-1*3", "0*-3",
        "10000000000000000*3", "0*18446744073709551615", "0*99999999999999999999", "0*3 0*"})
    EXPECT_EQ(words_from_text(wrong, 3), std::nullopt) << wrong;
}

class CoverageFileTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path =
        ::testing::TempDir() + "coverage_test." + std::to_string(::getpid()) + "." + name;
    std::ofstream(path) << text;
    files_.push_back(path);
    return path;
  }
  ~CoverageFileTest() override {
    for (const std::string& file : files_) std::filesystem::remove(file);
  }
  std::string error_of(const std::vector<std::string>& files) {
    try {
      (void)read_coverage_files(files);
    } catch (const base::BadInput& error) {
      return error.what();
    }
    return "no error";
  }
  base::Json document(std::uint64_t index = 0) {
    return coverage_to_json(shard(index, 2), "test 1");
  }

 private:
  std::vector<std::string> files_;
};

TEST_F(CoverageFileTest, IsReadAsItWasWritten) {
  const std::string text = text_of(shard(0, 2));
  EXPECT_EQ(text_of(read_coverage_files(std::vector{write("a", text)})), text);
}

TEST_F(CoverageFileTest, OfAnotherModelNamesBothFiles) {
  base::Json other = document();
  other["model"] = "0000000000000000";
  const std::string own = write("own", cases::pretty(document()));
  const std::string foreign = write("foreign", cases::pretty(other));
  for (const std::vector<std::string>& files :
       {std::vector{own, foreign}, std::vector{foreign, own}}) {
    const std::string error = error_of(files);
    EXPECT_THAT(error, HasSubstr(own));
    EXPECT_THAT(error, HasSubstr(foreign));
    EXPECT_THAT(error, HasSubstr("0000000000000000"));
  }
  EXPECT_THAT(error_of({foreign}), HasSubstr("this program has"));
  EXPECT_THAT(error_of({foreign, write("alike", cases::pretty(other))}),
              HasSubstr("this program has"));
  EXPECT_THAT(error_of({own, own}), HasSubstr("is named twice"));
}

TEST_F(CoverageFileTest, CombinationsAreAsManyAsTheModelHas) {
  CollectedCoverage shorter = shard(1, 2);
  shorter.combinations[{"DML_SPLIT", 2}].pop_back();
  const std::string error =
      error_of({write("a", text_of(shard(0, 2))), write("b", text_of(shorter))});
  EXPECT_THAT(error, HasSubstr("must be 55, but is 54"));
}

TEST_F(CoverageFileTest, AnythingElseIsAnErrorWithAPlace) {
  const std::vector<std::tuple<std::string, base::Json, std::string>> changes{
      {"/version", 2, "/version"},
      {"/version", "1", "/version"},
      {"/model", 7, "/model"},
      {"/cases", base::Json::array(), "/cases"},
      {"/cases/fuzzed", {{"accepted", -1}}, "/cases/fuzzed/accepted"},
      {"/cases/guessed", base::Json::object(), "/cases/guessed"},
      {"/groups", 3, "/groups"},
      {"/groups/0/group", "rules/none", "/groups/0/group"},
      {"/groups/1/group", document()["groups"][0]["group"], "/groups/1/group"},
      {"/groups/0/bins/0/bin", "none", "/groups/0/bins/0/bin"},
      {"/groups/0/bins/0/fuzzed", 0, "/groups/0/bins/0"},
      {"/groups/0/bins/0/fuzzed", "1", "/groups/0/bins/0/fuzzed"},
      {"/groups/0/bins/0/cases", 1, "/groups/0/bins/0/cases"},
      {"/groups/0/bins/1", document()["groups"][0]["bins"][0], "/groups/0/bins/1/bin"},
      {"/groups/0",
       {{"group", "layout/split/OutputTensors"},
        {"bins", base::Json::array({{{"bin", "broadcast"}, {"cases", 1}}})}},
       "tensor.output-no-overlap"},
      {"/combinations/0/operator", "DML_NOTHING", "/combinations/0/operator"},
      {"/combinations/0/strength", 0, "/combinations/0/strength"},
      {"/combinations/0/strength", 9, "/combinations/0/strength"},
      {"/combinations/0/words", std::numeric_limits<std::uint64_t>::max(), "/combinations/0/words"},
      {"/combinations/0/words", 41, "/combinations/0/words"},
      {"/combinations/0/reached", "0*41", "/combinations/0/reached"},
      {"/combinations/0/reached", "0*18446744073709551615", "/combinations/0/reached"},
      {"/combinations/1", document()["combinations"][0], "/combinations/1"},
      {"/more", 1, "/more"}};
  for (const auto& [place, value, message] : changes) {
    base::Json changed = document();
    changed[base::Json::json_pointer(place)] = value;
    const std::string file = write("changed", changed.dump());
    const std::string error = error_of({file});
    EXPECT_THAT(error, HasSubstr(file)) << place << value;
    EXPECT_THAT(error, HasSubstr(message)) << place << value;
    EXPECT_LT(error.size(), 600U);
  }
  for (const std::string_view key : {"version", "model", "cases", "groups", "combinations"}) {
    base::Json changed = document();
    changed.erase(std::string(key));
    EXPECT_THAT(error_of({write("changed", changed.dump())}),
                HasSubstr("lacks \"" + std::string(key)))
        << key;
  }
}

}  // namespace
}  // namespace opconform::coverage
