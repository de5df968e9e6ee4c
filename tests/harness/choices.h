// The choices of all_choices(), named for tests.
#pragma once

#include "harness/judging/freedom.h"

namespace opconform::harness {

inline const Choice kFirstWrite = *parse_choice("scatter.overlap-any-winner", "first write");
inline const Choice kLastWrite = *parse_choice("scatter.overlap-any-winner", "last write");
inline const Choice kAnotherWrite = *parse_choice("scatter.overlap-any-winner", "another write");
inline const Choice kWriteByElement =
    *parse_choice("scatter.overlap-any-winner", "differs from element to element");
inline const Choice kIndexFails = *parse_choice("scatter.index-range", "fails");
inline const Choice kUpdateDropped =
    *parse_choice("scatter.index-range", "as if the update were not there");
inline const Choice kIndexClamped = *parse_choice("scatter.index-range", "clamped");
inline const Choice kIndexWrapped = *parse_choice("scatter.index-range", "counted modulo the size");
inline const Choice kAnotherResult = *parse_choice("scatter.index-range", "another result");
inline const Choice kNegativeFails = *parse_choice("gather.negative-index-v1", "fails");
inline const Choice kNegativeCountsBack =
    *parse_choice("gather.negative-index-v1", "counted from the end");
inline const Choice kGapsIntact = *parse_choice("tensor.gaps-dont-care", "left intact");
inline const Choice kGapsOverwritten = *parse_choice("tensor.gaps-dont-care", "overwritten");

}  // namespace opconform::harness
