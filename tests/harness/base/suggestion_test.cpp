// What somebody may have meant by a name that is none.

#include "harness/base/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spec/operator.h"

namespace opconform::base {
namespace {

using Names = std::vector<std::string_view>;

TEST(EditDistance, CountsEdits) {
  struct Row {
    std::string_view a;
    std::string_view b;
    std::size_t distance;
  };
  for (const Row& row : std::initializer_list<Row>{{"", "", 0},
                                                   {"", "abc", 3},
                                                   {"abc", "abc", 0},
                                                   {"abc", "ABC", 0},
                                                   {"abc", "abd", 1},
                                                   {"abc", "abcd", 1},
                                                   {"abc", "bc", 1},
                                                   {"abc", "acb", 1},
                                                   {"ab", "ba", 1},
                                                   {"InputTensr", "InputTensor", 1},
                                                   {"Sizes", "Strides", 3},
                                                   {"kitten", "sitting", 3}}) {
    SCOPED_TRACE(std::string(row.a) + " " + std::string(row.b));
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance);
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance);
  }
}

TEST(Closest, IsASlipOfThePen) {
  const Names names{"reference", "optimized", "FLOAT32", "INT32"};
  EXPECT_EQ(closest("optimised", names), "optimized");
  EXPECT_EQ(closest("refernece", names), "reference");
  EXPECT_EQ(closest("float32", names), "FLOAT32");
  EXPECT_EQ(closest("INT23", names), "INT32");
  EXPECT_EQ(closest("nope", names), "");
  EXPECT_EQ(closest("", names), "");
  EXPECT_EQ(closest("optimizedoptimized", names), "");
}

TEST(Closest, IsTheNearestAndTheFirstOfThose) {
  EXPECT_EQ(closest("read-twice", Names{"read-twixx", "read-twicx", "read-twicy"}), "read-twicx");
}

TEST(Closest, IsTheOnlyOneThatContainsThePart) {
  const Names names{"slice1.copy-start", "slice1.copy", "split.partition"};
  EXPECT_EQ(closest("copy-start", names), "slice1.copy-start");
  EXPECT_EQ(closest("slice1", names), "") << "two contain it";
  EXPECT_EQ(closest("pa", names), "") << "too short to mean anything";
}

TEST(Closest, OfNothingMeantIsNothing) {
  EXPECT_EQ(closest(std::string(1'000'000, 'x'), Names{"x", std::string_view("xx")}), "");
  EXPECT_EQ(closest("x", Names{"a"}), "") << "nothing is left of the word";
}

TEST(DidYouMean, AsksOrSaysNothing) {
  EXPECT_EQ(did_you_mean("optimised", {"optimized"}), "; did you mean optimized?");
  EXPECT_EQ(did_you_mean("nope", {"optimized"}), "");
  EXPECT_EQ(did_you_mean("abcd\x1b", {"abcde\x1b"}), "; did you mean abcde\\u001b?");
}

TEST(Listed, ReadsLikeASentence) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

/// A key that is left out must not be taken for another that the same object may hold.
TEST(IsLike, NoTwoKeysOfOneObjectAreAlike) {
  std::vector<std::set<std::string_view>> objects{
      {"$schema", "operator", "source", "cases", "generated"},
      {"id", "says", "factors", "rules", "errata", "twin", "source", "feature_level", "opset",
       "desc", "expect"},
      {"DataType", "Sizes", "Strides", "TotalTensorSizeInBytes", "data", "buffer", "fill"},
      {"type", "shape", "data", "buffer", "fill"},
      {"outputs", "rejected", "error", "any_of"}};
  for_each_operator([&]<class Op>(std::type_identity<Op>) {
    std::set<std::string_view>& fields = objects.emplace_back();
    const Op op;
    Op::visit_fields(op, [&](const auto& field, const auto&...) { fields.insert(field.name); });
  });
  for (const auto& keys : objects)
    for (const std::string_view one : keys)
      for (const std::string_view other : keys)
        EXPECT_TRUE(one == other || !is_like(one, other)) << one << " " << other;
}

}  // namespace
}  // namespace opconform::base
