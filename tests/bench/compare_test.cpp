#include "bench/compare.h"

#include <gmock/gmock.h>

#include <sstream>

namespace opconform::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A run of one cell, as opconform_bench writes it, but for what nobody compares.
base::Json run(double ns, double limit_ns = 50) {
  return base::parse_json(
      base::Json{{"kind", "speed"},
                 {"machine", {{"cpu", "some"}, {"processors_of_others", 0.05}}},
                 {"versions", {{"isa", "avx2"}, {"numbers_of", "zen"}, {"compiler", "GNU 12"}}},
                 {"cells",
                  {{{"cell", "copy"},
                    {"family", "copies"},
                    {"ns", ns},
                    {"limit_ns", limit_ns},
                    {"times", {{"optimized", {{"ns", ns}, {"low_ns", ns}, {"high_ns", ns}}}}}}}}}
          .dump(),
      "run");
}

Comparison compared(const base::Json& old_run, const base::Json& new_run) {
  return compare_runs({old_run, "old.json"}, {new_run, "new.json"});
}
Change change_of(const base::Json& old_run, const base::Json& new_run) {
  return compared(old_run, new_run).cells.at(0).change();
}

TEST(Compare, TheSameRunChangedNothing) { EXPECT_EQ(change_of(run(100), run(100)), Change::kNone); }

TEST(Compare, TimesCloserThanAnyTwoRunsAreNoChange) {
  EXPECT_EQ(change_of(run(100), run(104)), Change::kNone);
  EXPECT_EQ(change_of(run(104), run(100)), Change::kNone);
}

TEST(Compare, MoreThanTheNoiseIsAChange) {
  EXPECT_EQ(change_of(run(100), run(106)), Change::kSlower);
  EXPECT_EQ(change_of(run(106), run(100)), Change::kFaster);
}

TEST(Compare, TheQuartilesOfEitherRunAreNoise) {
  base::Json noisy = run(100);
  noisy["cells"][0]["times"]["optimized"]["high_ns"] = 120;
  EXPECT_EQ(change_of(noisy, run(115)), Change::kNone);
  EXPECT_EQ(change_of(run(115), noisy), Change::kNone);
  EXPECT_EQ(change_of(noisy, run(121)), Change::kSlower);
}

TEST(Compare, WhatTheMachineDidIsNoChange) {
  EXPECT_EQ(change_of(run(100, 50), run(200, 100)), Change::kNone);
  EXPECT_EQ(change_of(run(200, 100), run(100, 50)), Change::kNone);
  // Nor is it one of the copy alone.
  EXPECT_EQ(change_of(run(100, 50), run(100, 25)), Change::kNone);
  EXPECT_EQ(change_of(run(100, 50), run(100, 100)), Change::kNone);
}

TEST(Compare, WhatIsLessThanTheMachineDidCannotBeSeen) {
  EXPECT_EQ(change_of(run(100, 50), run(220, 75)), Change::kNone);
  EXPECT_EQ(change_of(run(100, 50), run(240, 75)), Change::kSlower);
}

TEST(Compare, WarnsOfWhatOthersDid) {
  base::Json other = run(100);
  other["machine"]["processors_of_others"] = base::parse_json("1.5", "load");
  EXPECT_THAT(compared(other, run(100)).surroundings,
              ElementsAre(HasSubstr("others used 1.50 processors before and 0.05 now")));
}

TEST(Compare, CellsOfOneRunAloneAreNamed) {
  base::Json other = run(100);
  other["cells"][0]["cell"] = "crop";
  const Comparison comparison = compared(run(100), other);
  EXPECT_THAT(comparison.cells, testing::IsEmpty());
  EXPECT_THAT(comparison.only_old, ElementsAre("copy"));
  EXPECT_THAT(comparison.only_new, ElementsAre("crop"));
}

TEST(Compare, AnotherMachineIsSaid) {
  base::Json other = run(100);
  other["machine"]["cpu"] = "another";
  EXPECT_THAT(compared(run(100), other).surroundings, ElementsAre("cpu: some before, another now"));
}

TEST(Compare, PrintsCellsFamiliesAndCounts) {
  std::ostringstream out;
  print(out, compared(run(100), run(200)));
  EXPECT_THAT(out.str(), HasSubstr("slower\n"));
  EXPECT_THAT(out.str(), HasSubstr("\ncopies"));
  EXPECT_THAT(out.str(),
              HasSubstr("1 cells compared: 1 slower and 0 faster by more than the noise\n"));
}

TEST(Compare, AFileOfAnotherKindIsBadInput) {
  base::Json other = run(100);
  other["kind"] = "results";
  EXPECT_THAT([&] { (void)compared(run(100), other); },
              ThrowsMessage<base::BadInput>(HasSubstr("new.json: /kind: must be \"speed\"")));
}

TEST(Compare, ATimeOfNothingIsBadInput) {
  EXPECT_THAT([&] { (void)compared(run(0), run(100)); },
              ThrowsMessage<base::BadInput>(HasSubstr("old.json: /cells/0/ns: must be above 0")));
}

}  // namespace
}  // namespace opconform::bench
