// The choices of all_choices(), named for tests.
#pragma once

#include "harness/judging/freedom.h"

namespace opconform::test {

inline const judging::Choice kFirstWrite =
    *judging::parse_choice("scatter.overlap-any-winner", "first write");
inline const judging::Choice kLastWrite =
    *judging::parse_choice("scatter.overlap-any-winner", "last write");
inline const judging::Choice kAnotherWrite =
    *judging::parse_choice("scatter.overlap-any-winner", "another write");
inline const judging::Choice kWriteByElement =
    *judging::parse_choice("scatter.overlap-any-winner", "differs from element to element");
inline const judging::Choice kIndexFails = *judging::parse_choice("scatter.index-range", "fails");
inline const judging::Choice kUpdateDropped =
    *judging::parse_choice("scatter.index-range", "as if the update were not there");
inline const judging::Choice kIndexClamped =
    *judging::parse_choice("scatter.index-range", "clamped");
inline const judging::Choice kIndexWrapped =
    *judging::parse_choice("scatter.index-range", "counted modulo the size");
inline const judging::Choice kAnotherResult =
    *judging::parse_choice("scatter.index-range", "another result");
inline const judging::Choice kNegativeFails =
    *judging::parse_choice("gather.negative-index-v1", "fails");
inline const judging::Choice kNegativeCountsBack =
    *judging::parse_choice("gather.negative-index-v1", "counted from the end");
inline const judging::Choice kGapsIntact =
    *judging::parse_choice("tensor.gaps-dont-care", "left intact");
inline const judging::Choice kGapsOverwritten =
    *judging::parse_choice("tensor.gaps-dont-care", "overwritten");

}  // namespace opconform::test
