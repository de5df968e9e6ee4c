// Pictures of failures as data: which elements, which are wrong, where they came from, and memory.
#include "harness/diagnosis/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "harness/diagnosis/explain.h"
#include "harness/diagnosis/packed_picture.h"
#include "harness/diagnosis/reading_backend.h"
#include "harness/judging/check.h"
#include "tests/harness/fake_backend.h"

namespace opconform::test {
namespace {

using diagnosis::Picture;
using diagnosis::picture_of;
using diagnosis::TensorPicture;
using diagnosis::WrongElement;
using judging::CaseResult;
using judging::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string slice_of(const std::string& fields) {
  return R"({"operator": "DML_SLICE1", "cases": [{"id": "tested", "desc": {)" + fields + "}}]}";
}
/// The first `count` of that many elements, counted from 0, in steps.
cases::Case row(std::uint64_t size, std::uint64_t count, int stride = 1) {
  const std::string window = std::to_string((count - 1) * static_cast<unsigned>(stride) + 1);
  return case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [)" + std::to_string(size) +
      R"(], "fill": {"pattern": "iota"}}, "OutputTensor": {"DataType": "INT32", "Sizes": [)" +
      std::to_string(count) + R"(]}, "InputWindowOffsets": [0], "InputWindowSizes": [)" + window +
      R"(], "InputWindowStrides": [)" + std::to_string(stride) + "]"));
}

/// What comes of a case on the reference, spoilt afterwards.
struct Failure {
  Failure(const cases::Case& one, const std::function<void(const Bindings&)>& spoil,
          const judging::CheckOptions& options = {})
      : tested(one) {
    backend.execute = then(backend, spoil);
    result = judging::check_case(tested, backend, options);
    picture = picture_of(tested, result);
  }
  [[nodiscard]] const TensorPicture& tensor(std::string_view name) const {
    for (const TensorPicture& one : picture.tensors)
      if (one.name == name) return one;
    throw std::logic_error("no such tensor");
  }

  const cases::Case& tested;
  FakeBackend backend;
  CaseResult result;
  Picture picture;
};

std::vector<std::size_t> wrong_cells(const TensorPicture& tensor) {
  std::vector<std::size_t> cells;
  for (const WrongElement& wrong : tensor.wrong) cells.push_back(wrong.at);
  return cells;
}
std::string text(const std::optional<diagnosis::Place>& place) {
  return place ? place->text() : "";
}

TEST(Pictures, ShowASmallTensorWhole) {
  const cases::Case tested = row(5, 3);
  const Failure failure(tested, overwrite(1, 4));
  const TensorPicture& input = failure.tensor("InputTensor");
  EXPECT_THAT(input.elements, ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_EQ(input.role, TensorPicture::Role::kInput);
  EXPECT_EQ(input.data_type, "INT32");
  EXPECT_EQ(input.strides, (Dims{1}));
  EXPECT_EQ(input.shown, input.sizes);
  EXPECT_EQ(input.memory, std::nullopt);
  const TensorPicture& output = failure.tensor("OutputTensor");
  EXPECT_THAT(output.expected, ElementsAre("0", "1", "2"));
  EXPECT_THAT(output.elements, ElementsAre("0", "4", "2"));
  EXPECT_THAT(wrong_cells(output), ElementsAre(1));
  EXPECT_EQ(output.wrong_count, 1U);
}

TEST(Pictures, SayWhereAValueCameFromAndWhereTheOneThatIsDueStands) {
  const cases::Case tested = row(5, 3);
  const Failure failure(tested, overwrite(1, 4));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(text(wrong.origin), "InputTensor[4]");
  EXPECT_EQ(wrong.other_origins, 0U);
  EXPECT_EQ(text(wrong.due), "InputTensor[1]");
}

TEST(Pictures, SayNothingOfAValueThatNoInputHolds) {
  const cases::Case tested = row(5, 3);
  const Failure failure(tested, overwrite(1, 99));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(wrong.origin, std::nullopt);
  EXPECT_EQ(wrong.origin_text, "");
  EXPECT_EQ(text(wrong.due), "InputTensor[1]");
}

/// Of several elements with the value, the nearest to the one that is due.
TEST(Pictures, NameTheNearestOfSeveralOrigins) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [6], "data": [7, 1, 2, 3, 7, 5]},
         "OutputTensor": {"DataType": "INT32", "Sizes": [6]},
         "InputWindowOffsets": [0], "InputWindowSizes": [6], "InputWindowStrides": [1])"));
  const Failure failure(tested, overwrite(3, 7));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(text(wrong.origin), "InputTensor[4]");
  EXPECT_EQ(wrong.other_origins, 1U);
}

/// Two elements hold the value: the reading says from which it came, whichever is nearer.
TEST(Pictures, FollowTheReadingThatExplainsTheFailure) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [6], "data": [5, 1, 2, 3, 5, 4]},
         "OutputTensor": {"DataType": "INT32", "Sizes": [6]},
         "InputWindowOffsets": [0], "InputWindowSizes": [6], "InputWindowStrides": [-1])"));
  const Failure failure(tested, [](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data(), bound.inputs[0].data(), bound.outputs[0].size());
  });
  ASSERT_THAT(diagnosis::explanations(tested, failure.result), testing::Not(IsEmpty()));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(text(wrong.due), "InputTensor[5]");
  EXPECT_EQ(text(wrong.origin), "InputTensor[0]");
  EXPECT_EQ(wrong.other_origins, 0U);
}

/// The first wrong element of an implementation that misreads a rule.
WrongElement first_wrong(const cases::Case& tested, std::string_view reading) {
  const auto backend = diagnosis::backend_with(*diagnosis::find_reading(reading, tested.op));
  const CaseResult result = judging::check_case(tested, *backend, {});
  return picture_of(tested, result).tensors.back().wrong.at(0);
}

TEST(Pictures, SayWhichBitsWereChangedOnTheWay) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "FLOAT32", "Sizes": [3], "data": [0, "-0.0", 1]},
         "OutputTensor": {"DataType": "FLOAT32", "Sizes": [3]},
         "InputWindowOffsets": [0], "InputWindowSizes": [3], "InputWindowStrides": [1])"));
  const WrongElement wrong = first_wrong(tested, "minus-zero-lost");
  EXPECT_EQ(text(wrong.origin), "") << "though another element holds the 0";
  EXPECT_EQ(wrong.origin_text, ", changed on the way");
  EXPECT_EQ(text(wrong.due), "InputTensor[1]");
}

TEST(Pictures, SayWhatWasReadOutside) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [2], "data": [4, 5]},
         "OutputTensor": {"DataType": "INT32", "Sizes": [2]},
         "InputWindowOffsets": [0], "InputWindowSizes": [2], "InputWindowStrides": [-1])"));
  const auto backend =
      diagnosis::backend_with(*diagnosis::find_reading("reversed-start-at-offset", tested.op));
  const CaseResult result = judging::check_case(tested, *backend, {});
  const Picture picture = picture_of(tested, result);
  const std::vector<WrongElement>& wrong = picture.tensors.back().wrong;
  ASSERT_EQ(wrong.size(), 2U);
  EXPECT_EQ(text(wrong[0].origin), "InputTensor[0]");
  EXPECT_EQ(wrong[1].origin_text, " came from outside of InputTensor");
}

TEST(Pictures, SayWhatIsOfAnEarlierExecution) {
  const cases::Case tested = row(5, 3);
  FakeBackend backend;
  std::vector<std::byte> first;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    auto failure = backend.honest(op, version, bound);
    const std::span<std::byte> output = bound.outputs[0];
    if (first.empty()) first.assign(output.begin(), output.end());
    std::copy(first.begin(), first.end(), output.begin());
    return failure;
  };
  const CaseResult result = judging::check_case(tested, backend, {});
  ASSERT_THAT(result.message, HasSubstr("third execution"));
  const TensorPicture output = picture_of(tested, result).tensors.back();
  EXPECT_THAT(output.elements, ElementsAre("0", "1", "2"));
  EXPECT_EQ(output.wrong.at(1).origin_text,
            " came from InputTensor[1] as it was in the first execution");
}

TEST(Pictures, SayWhatWasNeverWritten) {
  const cases::Case tested = row(5, 3);
  FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) { return std::nullopt; };
  const CaseResult result = judging::check_case(tested, backend, {});
  const Picture picture = picture_of(tested, result);
  EXPECT_THAT(
      picture.tensors.back().elements,
      ElementsAre(diagnosis::kNeverWritten, diagnosis::kNeverWritten, diagnosis::kNeverWritten));
  EXPECT_EQ(text(picture.tensors.back().wrong.at(2).due), "InputTensor[2]");
  EXPECT_EQ(picture.tensors.back().wrong.at(2).origin, std::nullopt);
}

TEST(Pictures, ShowAPartOfALargeTensorAroundTheFirstWrongElement) {
  const cases::Case tested = row(3000, 1000, 2);
  const Failure failure(tested, [](const Bindings& bound) {
    for (const std::size_t at : {500U, 501U, 990U}) overwrite(at, 1)(bound);
  });
  const TensorPicture& output = failure.tensor("OutputTensor");
  EXPECT_EQ(output.shown, (Dims{12}));
  EXPECT_EQ(output.from, (Dims{497}));
  EXPECT_EQ(output.expected.size(), 12U);
  EXPECT_EQ(output.elements[3], "1");
  EXPECT_THAT(wrong_cells(output), ElementsAre(3, 4));
  EXPECT_EQ(output.wrong_count, 3U);
  // The input around the element that is due: the one that was taken has no room beside it.
  const TensorPicture& input = failure.tensor("InputTensor");
  EXPECT_EQ(input.shown, (Dims{12}));
  EXPECT_LE(input.from[0], 1000U);
  EXPECT_GE(input.from[0] + 12, 1003U);
}

TEST(Pictures, ShowAtMostEightRowsOfTwelveColumns) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [3, 40, 50], "fill": {"pattern": "iota"}},
         "OutputTensor": {"DataType": "INT32", "Sizes": [3, 40, 50]},
         "InputWindowOffsets": [0, 0, 0], "InputWindowSizes": [3, 40, 50],
         "InputWindowStrides": [1, 1, 1])"));
  const Failure failure(tested, overwrite(5999, 2));
  const TensorPicture& output = failure.tensor("OutputTensor");
  EXPECT_EQ(output.shown, (Dims{1, 8, 12}));
  EXPECT_EQ(output.from, (Dims{2, 32, 38}));
  EXPECT_THAT(wrong_cells(output), ElementsAre(8 * 12 - 1));
}

TEST(Pictures, ShowBothPlacesOfALargeInputWhereTheyHaveRoom) {
  const cases::Case tested = row(3000, 1000, 2);
  const Failure failure(tested, overwrite(500, 1007));
  const TensorPicture& input = failure.tensor("InputTensor");
  EXPECT_LE(input.from[0], 1000U);
  EXPECT_GE(input.from[0] + 12, 1008U);
}

cases::Case padded() {
  return case_of(slice_of(
      R"("InputTensor": {"DataType": "UINT16", "Sizes": [2, 2], "Strides": [3, 1],
                         "buffer": [1, 2, 9, 3, 4, 8], "TotalTensorSizeInBytes": 12},
         "OutputTensor": {"DataType": "UINT16", "Sizes": [2, 2]},
         "InputWindowOffsets": [0, 0], "InputWindowSizes": [2, 2], "InputWindowStrides": [1, 1])"));
}

TEST(Pictures, ShowTheMemoryOfATensorWithGaps) {
  const cases::Case tested = padded();
  const Failure failure(tested, [](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data() + 2, bound.inputs[0].data() + 4, 2);
  });
  const TensorPicture& input = failure.tensor("InputTensor");
  EXPECT_FALSE(input.is_packed);
  ASSERT_TRUE(input.memory);
  EXPECT_EQ(input.memory->first, -2);
  EXPECT_EQ(input.memory->bytes_per_cell, 2U);
  EXPECT_THAT(input.memory->cells,
              ElementsAre("guard", "guard", "element 0,0", "element 0,1", "gap", "element 1,0",
                          "element 1,1", "gap", "guard", "guard"));
  EXPECT_THAT(input.memory->wrong, ElementsAre(4)) << "the gap that was read";
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(wrong.origin, std::nullopt);
  EXPECT_EQ(wrong.origin_text, " came from a gap of InputTensor, element 2 of its buffer");
  EXPECT_EQ(failure.tensor("OutputTensor").memory, std::nullopt) << "it is packed";
}

TEST(Pictures, ShowTheMemoryOfABroadcastTensorOnce) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [2, 3], "Strides": [0, 1],
                         "data": [[4, 5, 6], [4, 5, 6]]},
         "OutputTensor": {"DataType": "INT32", "Sizes": [2, 3]},
         "InputWindowOffsets": [0, 0], "InputWindowSizes": [2, 3], "InputWindowStrides": [1, 1])"));
  const Failure failure(tested, overwrite(4, 6));
  const TensorPicture& input = failure.tensor("InputTensor");
  EXPECT_THAT(input.elements, ElementsAre("4", "5", "6", "4", "5", "6"));
  ASSERT_TRUE(input.memory);
  EXPECT_THAT(input.memory->cells, ElementsAre("guard", "guard", "element 0,0", "element 0,1",
                                               "element 0,2", "guard", "guard"));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(text(wrong.due), "InputTensor[1,1]") << "as it is named, not the first in its place";
}

TEST(Pictures, ShowAtMost64CellsOfMemory) {
  const cases::Case tested = case_of(slice_of(
      R"("InputTensor": {"DataType": "INT32", "Sizes": [500], "Strides": [2],
                         "fill": {"pattern": "iota"}},
         "OutputTensor": {"DataType": "INT32", "Sizes": [500]},
         "InputWindowOffsets": [0], "InputWindowSizes": [500], "InputWindowStrides": [1])"));
  const Failure failure(tested, overwrite(300, 1));
  const diagnosis::MemoryStrip memory = *failure.tensor("InputTensor").memory;
  EXPECT_EQ(memory.cells.size(), 64U);
  EXPECT_THAT(memory.cells, testing::Contains("element 300"));
}

TEST(Pictures, ShowWhatWasWrittenOutside) {
  const cases::Case tested = row(5, 3);
  const Failure behind(tested, [](const Bindings& bound) {
    *(bound.outputs[0].data() + bound.outputs[0].size()) ^= std::byte{1};
  });
  ASSERT_EQ(behind.result.verdict, Verdict::kMemoryFault);
  ASSERT_TRUE(behind.tensor("OutputTensor").memory);
  EXPECT_THAT(behind.tensor("OutputTensor").memory->wrong, ElementsAre(5));
  EXPECT_EQ(behind.tensor("OutputTensor").memory->cells[5], "guard");
  EXPECT_THAT(behind.tensor("OutputTensor").wrong, IsEmpty());
  EXPECT_EQ(behind.tensor("InputTensor").memory, std::nullopt);

  const Failure before(
      tested, [](const Bindings& bound) { *(bound.outputs[0].data() - 13) ^= std::byte{1}; });
  ASSERT_TRUE(before.tensor("OutputTensor").memory);
  EXPECT_EQ(before.tensor("OutputTensor").memory->first, -5);
  EXPECT_THAT(before.tensor("OutputTensor").memory->wrong, ElementsAre(1)) << "bytes -16 to -13";
}

TEST(Pictures, ShowWhichGapsWereWrittenWhereNoneMayBe) {
  const cases::Case tested = padded_copy();
  judging::CheckOptions strict;
  strict.strict_gaps = true;
  const Failure failure(
      tested, [](const Bindings& bound) { bound.outputs[0][6] ^= std::byte{1}; }, strict);
  ASSERT_EQ(failure.result.verdict, Verdict::kMemoryFault);
  EXPECT_THAT(failure.tensor("OutputTensors[0]").memory->wrong, ElementsAre(5));
}

TEST(Pictures, ShowWhichElementsOfAnInputWereChanged) {
  const cases::Case tested = row(5, 3);
  const Failure failure(tested, [](const Bindings& bound) {
    const std::int32_t value = 77;
    std::memcpy(const_cast<std::byte*>(bound.inputs[0].data()) + 8, &value, sizeof value);
  });
  ASSERT_EQ(failure.result.rule, "tensor.input-intact");
  EXPECT_THAT(failure.tensor("InputTensor").memory->wrong, ElementsAre(4));
  EXPECT_THAT(failure.picture.notes, ElementsAre("InputTensor[2] was 2 and is 77 afterwards"));
}

TEST(Pictures, SayByWhichIndexAnElementIsDue) {
  const cases::Case tested = overlapping_scatter();
  const Failure failure(tested, overwrite(1, 65537));
  const WrongElement& wrong = failure.tensor("OutputTensor").wrong.at(0);
  EXPECT_EQ(text(wrong.due), "UpdatesTensor[1]");
  EXPECT_EQ(text(wrong.due_index), "IndicesTensor[1]");
  EXPECT_EQ(text(wrong.origin), "UpdatesTensor[0]");
  EXPECT_EQ(failure.tensor("IndicesTensor").role, TensorPicture::Role::kIndices);
  EXPECT_THAT(failure.tensor("IndicesTensor").elements, ElementsAre("3", "1", "3"));
}

TEST(Pictures, ShowEachValueThatIsPermitted) {
  const cases::Case tested = overlapping_scatter();
  const Failure failure(tested, overwrite(3, 2));
  EXPECT_THAT(failure.tensor("OutputTensor").expected,
              ElementsAre("0", "6", "2", "65537|131074", "4"));
  EXPECT_THAT(wrong_cells(failure.tensor("OutputTensor")), ElementsAre(3));
}

TEST(Pictures, ShowWhatWasWrittenBeforeAnError) {
  const cases::Case tested = failing_gather();
  FakeBackend backend;
  backend.execute = [&](const Operator& op, Version version, const Bindings& bound) {
    bound.outputs[0][0] = bound.inputs[0][0];
    return backend.honest(op, version, bound);
  };
  const CaseResult result = judging::check_case(tested, backend, {});
  ASSERT_EQ(result.verdict, Verdict::kMismatch);
  const Picture picture = picture_of(tested, result);
  const TensorPicture& output = picture.tensors.back();
  EXPECT_THAT(output.expected, testing::Each(diagnosis::kUntouchedElement));
  EXPECT_THAT(wrong_cells(output), ElementsAre(0));
  EXPECT_EQ(text(output.wrong.at(0).origin), "data[0]");
  EXPECT_THAT(picture.notes, ElementsAre(HasSubstr("outside of ")));
}

TEST(Pictures, ShowNoErrorWhereOneIsDue) {
  const cases::Case tested = failing_gather();
  FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) { return std::nullopt; };
  const CaseResult result = judging::check_case(tested, backend, {});
  ASSERT_EQ(result.verdict, Verdict::kMissedError);
  const Picture picture = picture_of(tested, result);
  EXPECT_THAT(picture.tensors.back().expected, IsEmpty());
  EXPECT_THAT(picture.tensors.back().wrong, IsEmpty());
  EXPECT_THAT(picture.notes, ElementsAre(HasSubstr("outside of ")));
}

TEST(Pictures, ShowWhatIsDueWhereTheExecutionFailed) {
  const cases::Case tested = row(5, 3);
  FakeBackend backend;
  backend.execute = [](const Operator&, Version, const Bindings&) {
    return backends::Failure{"", "no"};
  };
  const CaseResult result = judging::check_case(tested, backend, {});
  ASSERT_EQ(result.verdict, Verdict::kWrongError);
  const TensorPicture output = picture_of(tested, result).tensors.back();
  EXPECT_THAT(output.expected, ElementsAre("0", "1", "2"));
  EXPECT_THAT(output.elements, IsEmpty());
  EXPECT_EQ(output.wrong_count, 0U);
}

TEST(Pictures, NameTheFieldThatBreaksARule) {
  const cases::Case tested = rejected_slice();
  FakeBackend backend;
  backend.reject = [](const Operator&, Version) { return std::nullopt; };
  const CaseResult result = judging::check_case(tested, backend, {});
  ASSERT_EQ(result.verdict, Verdict::kMissedRejection);
  for (const Picture& picture : {picture_of(tested, result), picture_of(tested)}) {
    EXPECT_THAT(picture.tensors.front().elements, IsEmpty());
    EXPECT_THAT(
        picture.notes,
        ElementsAre("InputWindowStrides[0] is 0, but must not be (slice1.stride-not-zero)"));
  }
}

TEST(Pictures, OfACaseAlone) {
  const Picture picture = picture_of(overlapping_scatter());
  ASSERT_EQ(picture.tensors.size(), 4U);
  EXPECT_THAT(picture.tensors[2].elements, ElementsAre("65537", "6", "131074"));
  EXPECT_THAT(picture.tensors[3].expected, ElementsAre("0", "6", "2", "65537|131074", "4"));
  EXPECT_THAT(picture.tensors[3].elements, IsEmpty());
  EXPECT_THAT(picture.notes, IsEmpty());
}

TEST(Pictures, OfALargeCaseHoldNoElements) {
  const cases::Case tested = row(std::uint64_t{1} << 24, 3);
  const Picture picture = picture_of(tested);
  EXPECT_EQ(picture.tensors.front().sizes, (Dims{std::uint64_t{1} << 24}));
  EXPECT_THAT(picture.tensors.front().elements, IsEmpty());
}

cases::Case gather_of(const std::string& type, const std::string& elements,
                      const std::string& sizes, const std::string& indices) {
  return case_of(R"({"operator": "ONNX_GATHER", "cases": [{"id": "tested", "opset": 13, "desc": {
    "data": {"type": ")" +
                 type + R"(", "shape": )" + sizes + R"(, "data": )" + elements + R"(},
    "indices": {"type": "int64", "shape": )" +
                 indices + R"(, "data": [)" + (indices == "[0]" ? "" : "1") + R"(]},
    "output": {"type": ")" +
                 type + R"(", "shape": )" + indices + "}}}]}");
}

TEST(Pictures, OfNoElements) {
  const Picture picture = picture_of(gather_of("int32", "[1, 2]", "[2]", "[0]"));
  EXPECT_THAT(picture.tensors[0].elements, ElementsAre("1", "2"));
  EXPECT_THAT(picture.tensors[1].elements, IsEmpty());
  EXPECT_EQ(picture.tensors[1].shown, (Dims{0}));
}

TEST(Pictures, WriteElementsAsShortAsTheyCanBe) {
  const auto first_of = [](const std::string& type, const std::string& element) {
    return picture_of(gather_of(type, "[" + element + ", " + element + "]", "[2]", "[1]"))
        .tensors[0]
        .elements.front();
  };
  EXPECT_EQ(first_of("float", "0.1"), "0.1");
  EXPECT_EQ(first_of("float", "\"NaN\""), "NaN");
  EXPECT_EQ(first_of("float", "\"-0.0\""), "-0.0");
  EXPECT_EQ(first_of("float", "\"0x7fc00001\""), "0x7fc00001");
  EXPECT_EQ(first_of("float", "1.2345678e-30"), "0x0dc851f1");
  EXPECT_EQ(first_of("double", "0.1"), "0.1");
  EXPECT_EQ(first_of("complex64", "[1.5, \"NaN\"]"), "[1.5,NaN]");
  EXPECT_EQ(first_of("bool", "true"), "true");
  EXPECT_EQ(first_of("bool", "\"0x02\""), "0x02");
  EXPECT_EQ(first_of("uint64", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(first_of("string", "\"two\\nlines\""), "\"two\\nlines\"");
  EXPECT_EQ(first_of("string", "\"abcdefghijklmnopqrstuvwxyz\""), "\"abcdefghijklmnop...\"");
}

/// An implementation's strings are gone when the picture is made.
TEST(Pictures, KeepTheStringsThatWereFound) {
  const cases::Case tested = gather_of("string", R"(["one", "two"])", "[2]", "[1]");
  FakeBackend backend;
  std::string own;
  backend.execute = [&](const Operator&, Version, const Bindings& bound) {
    own = "something else";
    const StringElement view{own.data(), own.size()};
    std::memcpy(bound.outputs[0].data(), &view, sizeof view);
    return std::nullopt;
  };
  const CaseResult result = judging::check_case(tested, backend, {});
  own.assign(own.size(), 'x');
  EXPECT_THAT(picture_of(tested, result).tensors.back().elements,
              ElementsAre("\"something else\""));
}

TEST(Pictures, ShowAViewOfUnreadableMemory) {
  const cases::Case tested = gather_of("string", R"(["one", "two"])", "[2]", "[1]");
  FakeBackend backend;
  backend.execute = [&](const Operator&, Version, const Bindings& bound) {
    const StringElement view{reinterpret_cast<const char*>(8), 4};
    std::memcpy(bound.outputs[0].data(), &view, sizeof view);
    return std::nullopt;
  };
  const CaseResult result = judging::check_case(tested, backend, {});
  EXPECT_THAT(picture_of(tested, result).tensors.back().elements, ElementsAre("unreadable"));
}

TEST(Pictures, ArriveFromAnotherProcessAsTheyAre) {
  const cases::Case gaps = padded();
  const cases::Case overlap = overlapping_scatter();
  const auto read_gap = [](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data() + 2, bound.inputs[0].data() + 4, 2);
  };
  for (const Picture& picture :
       {Failure(gaps, read_gap).picture, Failure(overlap, overwrite(1, 65537)).picture,
        picture_of(rejected_slice()), picture_of(gather_of("int32", "[1, 2]", "[2]", "[0]"))})
    EXPECT_EQ(diagnosis::unpacked(diagnosis::packed(picture)), picture);
}

TEST(Pictures, OfAResultWithoutEvidenceAreThoseItBrings) {
  const cases::Case tested = row(5, 3);
  Failure failure(tested, overwrite(1, 4));
  failure.result.picture = diagnosis::packed(failure.picture);
  failure.result.evidence = nullptr;
  EXPECT_EQ(picture_of(tested, failure.result), failure.picture);
  failure.result.picture = "no picture";
  EXPECT_EQ(picture_of(tested, failure.result), picture_of(tested));
}

/// Whatever an implementation did to the process that wrote it.
TEST(Pictures, ThatAreNoneAreNotUnpacked) {
  const cases::Case tested = overlapping_scatter();
  const std::string text = diagnosis::packed(Failure(tested, overwrite(1, 65537)).picture);
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string changed = text;
    const std::size_t at = changed.find(part);
    EXPECT_NE(at, std::string::npos) << part << " in " << text;
    return at == std::string::npos ? std::string() : changed.replace(at, part.size(), other);
  };
  ASSERT_TRUE(diagnosis::unpacked(text));
  const std::string place = R"(["UpdatesTensor",[0]])";
  for (const std::string& broken :
       {std::string(), std::string("[]"), std::string("[[], 1]"), std::string("{}"),
        text.substr(0, text.size() / 2), with("[0],[5]", "[0],[6]"), with("[0],[5]", "[1],[5]"),
        with("[0],[5]", "[0],[4]"), with("[0],[5]", "[0],[5, 5]"), with("[5]", "[5, 5]"),
        with("[[1,[", "[[7,["), with(place, R"(["UpdatesTensor",[3]])"),
        with(place, R"(["UpdatesTensor",[0,0]])"), with(place, R"(["Updates",[0]])")})
    EXPECT_EQ(diagnosis::unpacked(broken), std::nullopt) << broken;
  const auto hostile = diagnosis::unpacked(with(R"("65537")", R"("\u001b[2J")"));
  ASSERT_TRUE(hostile);
  EXPECT_EQ(hostile->tensors[2].elements[0], R"(\u001b[2J)");
}

TEST(Pictures, AsJson) {
  const cases::Case tested = padded();
  const Failure failure(tested, [](const Bindings& bound) {
    std::memcpy(bound.outputs[0].data() + 2, bound.inputs[0].data() + 8, 2);
  });
  EXPECT_EQ(diagnosis::picture_to_json(failure.picture), base::Json::parse(R"({"tensors": [
    {"name": "InputTensor", "role": "input", "data_type": "UINT16", "sizes": [2, 2],
     "strides": [3, 1], "from": [0, 0], "shown": [2, 2], "elements": ["1", "2", "3", "4"],
     "memory": {"first": -2, "bytes_per_cell": 2, "cells": ["guard", "guard", "element 0,0",
       "element 0,1", "gap", "element 1,0", "element 1,1", "gap", "guard", "guard"], "wrong": []}},
    {"name": "OutputTensor", "role": "output", "data_type": "UINT16", "sizes": [2, 2],
     "strides": [2, 1], "from": [0, 0], "shown": [2, 2], "elements": ["1", "4", "3", "4"],
     "expected": ["1", "2", "3", "4"], "wrong": [1],
     "origin": [{"at": 1, "tensor": "InputTensor", "element": [1, 1]}],
     "due": [{"at": 1, "tensor": "InputTensor", "element": [0, 1]}]}]})"));
}

}  // namespace
}  // namespace opconform::test
