// Pictures on a terminal: golden texts.
#include "reports/picture_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "harness/judging/check.h"
#include "reports/text_block.h"
#include "tests/harness/fake_backend.h"

namespace opconform::test {
namespace {

using reports::Paper;
using testing::HasSubstr;
using testing::Not;

/// A file is no terminal: no colours.
const reports::Style& plain_style() {
  static const reports::Style style(std::tmpfile());
  return style;
}

std::string text_of(const diagnosis::Picture& picture, const Paper& paper = {}) {
  return "\n" + reports::picture_text(picture, plain_style(), paper);
}

/// The picture of what the reference gives, spoilt afterwards.
diagnosis::Picture spoilt(const cases::Case& tested,
                          const std::function<void(const Bindings&)>& spoil) {
  FakeBackend backend;
  backend.execute = then(backend, spoil);
  const judging::CaseResult result = judging::check_case(tested, backend, {});
  return diagnosis::picture_of(tested, result);
}

/// A window of an input of INT32, whose strides are 1.
cases::Case window(const std::string& sizes, const std::string& window, const std::string& ones,
                   const std::string& zeros) {
  return case_of(R"({"operator": "DML_SLICE1", "cases": [{"id": "tested", "desc": {
    "InputTensor": {"DataType": "INT32", "Sizes": )" +
                 sizes + R"(, "fill": {"pattern": "iota"}},
    "OutputTensor": {"DataType": "INT32", "Sizes": )" +
                 window + R"(},
    "InputWindowOffsets": )" +
                 zeros + R"(, "InputWindowSizes": )" + window + R"(,
    "InputWindowStrides": )" +
                 ones + "}}]}");
}
cases::Case line(int size) {
  const std::string sizes = "[" + std::to_string(size) + "]";
  return window(sizes, sizes, "[1]", "[0]");
}
cases::Case matrix() { return window("[2, 3]", "[2, 3]", "[1, 1]", "[0, 0]"); }

TEST(PictureText, GridsStandBesideEachOther) {
  EXPECT_EQ(text_of(spoilt(matrix(), overwrite(1, 5))), R"(
  InputTensor   OutputTensor
  INT32 {2,3}   INT32 {2,3}
                expected       found
  | 0 [1] 2 |   | 0 [1] 2 |    | 0 >5< 2 |
  | 3  4 >5<|   | 3  4  5 |    | 3  4  5 |
  OutputTensor[0,1]: 5 came from InputTensor[1,2]; due: 1 from InputTensor[0,1]
  >x< wrong, and where the first wrong value is from   [x] what is due there, and where it is from
)");
}

TEST(PictureText, OrBelowEachOtherWhereThePaperIsNarrow) {
  EXPECT_EQ(text_of(spoilt(matrix(), overwrite(1, 99)), {40, false}), R"(
  InputTensor
  INT32 {2,3}
  | 0 [1] 2 |
  | 3  4  5 |
  OutputTensor
  INT32 {2,3}
  expected       found
  | 0 [1] 2 |    | 0 >99< 2 |
  | 3  4  5 |    | 3   4  5 |
  OutputTensor[0,1]: 99, which no input
    holds; due: 1 from InputTensor[0,1]
  >x< wrong   [x] what is due there, and
    where it is from
)");
}

TEST(PictureText, LinesAreDrawnWhereTheyCanBeShown) {
  const std::string text = text_of(spoilt(line(2), overwrite(1, 99)), {100, true});
  EXPECT_THAT(text, HasSubstr("\u2502 0 >99<\u2502"));
  EXPECT_THAT(text, Not(HasSubstr("|")));
}

TEST(PictureText, ShowsSlicesWithWrongElements) {
  const cases::Case tested = window("[2, 2, 1, 2]", "[2, 2, 1, 2]", "[1, 1, 1, 1]", "[0, 0, 0, 0]");
  EXPECT_EQ(text_of(spoilt(tested, overwrite(6, 0))), R"(
  InputTensor       OutputTensor
  INT32 {2,2,1,2}   INT32 {2,2,1,2}
                    expected           found
  [0,*,0,*]         [1,*,0,*]          [1,*,0,*]
  |>0< 1 |          | 4  5 |           | 4  5 |
  | 2  3 |          |[6] 7 |           |>0< 7 |
  [1,*,0,*]         and 1 more slice   and 1 more slice
  | 4  5 |
  |[6] 7 |
  OutputTensor[1,1,0,0]: 0 came from InputTensor[0,0,0,0]; due: 6 from InputTensor[1,1,0,0]
  >x< wrong, and where the first wrong value is from   [x] what is due there, and where it is from
)");
}

TEST(PictureText, NumbersColumnsAndRowsOfAPart) {
  EXPECT_EQ(text_of(spoilt(window("[40, 30]", "[40, 30]", "[1, 1]", "[0, 0]"), overwrite(605, -1))),
            R"(
  InputTensor
  INT32 {40,30}, part
         2    3    4    5    6    7
  18 | 542  543  544  545  546  547 |
  19 | 572  573  574  575  576  577 |
  20 | 602  603  604 [605] 606  607 |
  21 | 632  633  634  635  636  637 |
  22 | 662  663  664  665  666  667 |
  23 | 692  693  694  695  696  697 |
  OutputTensor
  INT32 {40,30}, part
  expected                              found
         2    3    4    5    6    7            2    3    4    5    6    7
  18 | 542  543  544  545  546  547 |   18 | 542  543  544  545  546  547 |
  19 | 572  573  574  575  576  577 |   19 | 572  573  574  575  576  577 |
  20 | 602  603  604 [605] 606  607 |   20 | 602  603  604  >-1< 606  607 |
  21 | 632  633  634  635  636  637 |   21 | 632  633  634  635  636  637 |
  22 | 662  663  664  665  666  667 |   22 | 662  663  664  665  666  667 |
  23 | 692  693  694  695  696  697 |   23 | 692  693  694  695  696  697 |
  OutputTensor[20,5]: -1, which no input holds; due: 605 from InputTensor[20,5]
  >x< wrong   [x] what is due there, and where it is from
)");
}

TEST(PictureText, TellsOfFiveWrongElements) {
  const std::string text = text_of(spoilt(line(8), [](const Bindings& bound) {
    for (std::size_t i = 0; i < 7; ++i) overwrite(i, 7)(bound);
  }));
  EXPECT_THAT(text, HasSubstr("OutputTensor[4]: 7 came from InputTensor[7]; due: 4"));
  EXPECT_THAT(text, Not(HasSubstr("OutputTensor[5]: ")));
  EXPECT_THAT(text, HasSubstr("\n  and 2 more wrong elements\n"));
}

TEST(PictureText, SaysWhatWasNeverWritten) {
  FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) { return std::nullopt; };
  const cases::Case tested = line(2);
  const judging::CaseResult result = judging::check_case(tested, backend, {});
  EXPECT_EQ(text_of(diagnosis::picture_of(tested, result)), R"(
  InputTensor   OutputTensor
  INT32 {2}     INT32 {2}
                expected       found
  |[0] 1 |      |[0] 1 |       |>--<>--<|
  OutputTensor[0]: never written; due: 0 from InputTensor[0]
  OutputTensor[1]: never written; due: 1 from InputTensor[1]
  >x< wrong   [x] what is due there, and where it is from   -- never written
)");
}

TEST(PictureText, MarksIndices) {
  const std::string text = text_of(spoilt(overlapping_scatter(), overwrite(1, 65537)));
  EXPECT_THAT(text, HasSubstr("| 3 [1] 3 |"));
  EXPECT_THAT(text, HasSubstr("due: 6 from UpdatesTensor[1] by\n    IndicesTensor[1]"));
}

TEST(PictureText, MemoryIsALineWithALegend) {
  const std::string text = text_of(spoilt(padded_copy(), [](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data() + 2, bound.inputs[0].data() + 6, 2);
  }));
  EXPECT_EQ(text, R"(
  InputTensor     OutputTensors[0]
  UINT16 {2,3}    UINT16 {2,3}
  strides {5,1}   strides {4,1}
                  expected           found
  | 1 [2] 3 |     | 1 [2] 3 |        | 1 >90< 3 |
  | 4  5  6 |     | 4  5  6 |        | 4   5  6 |
  OutputTensors[0][0,1]: 90 came from a gap of InputTensor, element 3 of its buffer; due: 2 from
    InputTensor[0,1]
  memory of InputTensor:  #  #  00 [01] 02 >.< .  10  11  12  .  .  #  #
  memory of OutputTensors[0]:  #  #  00 >01< 02  .  10  11  12  .  #  #
  >x< wrong   [x] what is due there, and where it is from
  # outside of the buffer   . a gap   00 element [0,0]
)");
}

TEST(PictureText, OfADescriptorNamesTheField) {
  EXPECT_EQ(text_of(diagnosis::picture_of(rejected_slice())), R"(
  InputTensor   OutputTensor
  INT8 {4}      INT8 {2}
  InputWindowStrides[0] is 0, but must not be (slice1.stride-not-zero)
)");
}

TEST(PictureText, NoLineIsLongerThanThePaperIsWide) {
  std::vector<diagnosis::Picture> pictures;
  for (const cases::Case& tested :
       {matrix(), line(1000), line(96), window("[40, 30]", "[40, 30]", "[1, 1]", "[0, 0]"),
        window("[3, 4, 5]", "[3, 4, 5]", "[1, 1, 1]", "[0, 0, 0]"), overlapping_scatter()})
    pictures.push_back(spoilt(tested, overwrite(1, -2147483647)));
  pictures.push_back(spoilt(padded_copy(), [](const Bindings& bound) {
    std::memset(bound.outputs[0].data(), 255, bound.outputs[0].size());
  }));
  pictures.push_back(diagnosis::picture_of(rejected_slice()));
  pictures.push_back(pictures[0]);
  diagnosis::TensorPicture& wide = pictures.back().tensors.back();
  wide.sizes = wide.strides = wide.from = Dims(kMaxRank, 4294967295);
  wide.shown = Dims(kMaxRank, 1);
  wide.is_packed = false;
  wide.elements = wide.expected = {std::string(400, 'x')};
  wide.wrong.resize(1);
  wide.wrong[0].at = 0;
  for (const std::size_t width : {40U, 57U, 80U, 100U, 300U})
    for (const diagnosis::Picture& picture : pictures) {
      std::string text = reports::picture_text(picture, plain_style(), {width, false});
      while (!text.empty()) {
        const std::string one = text.substr(0, text.find('\n'));
        EXPECT_LE(one.size(), width) << one;
        EXPECT_TRUE(one.starts_with("  ") && !one.ends_with(' ')) << one;
        text.erase(0, one.size() + 1);
      }
    }
}

class Columns : public ::testing::Test {
 protected:
  static std::size_t width(const char* columns) {
    ::setenv("COLUMNS", columns, 1);
    const std::size_t width = reports::paper_of(stderr, plain_style()).width;
    ::unsetenv("COLUMNS");
    return width;
  }
};

TEST_F(Columns, AreAsWideAsTheVariableSays) {
  EXPECT_EQ(width("80"), 80U);
  EXPECT_EQ(width("1"), 40U);
  EXPECT_EQ(width("99999"), 1000U);
  EXPECT_EQ(width(""), 100U);
  EXPECT_EQ(width("wide"), 100U);
}

TEST(TextBlocks, CountColumnsOfATerminal) {
  EXPECT_EQ(reports::display_width("abc"), 3U);
  EXPECT_EQ(reports::display_width("\u00e4\u2502"), 2U);
  EXPECT_EQ(reports::display_width("\u65e5"), 2U);
}

}  // namespace
}  // namespace opconform::test
