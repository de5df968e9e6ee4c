// The picture of the first failure of each planted bug, over the committed cases.
#include <gtest/gtest.h>

#include <set>

#include "harness/diagnosis/picture.h"
#include "harness/judging/check.h"
#include "planted/registry.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

using diagnosis::TensorPicture;
using judging::CaseResult;
using judging::Verdict;

/// Those of the bug's operators, in the order of the corpus.
std::vector<const cases::Case*> cases_for(const planted::Row& row) {
  std::vector<const cases::Case*> chosen;
  for (const cases::Case& one : committed().cases)
    if ((row.operators >> one.op.index() & 1U) != 0) chosen.push_back(&one);
  return chosen;
}

/// What the judge says of the first output with wrong elements.
std::uint64_t wrong_elements(const std::string& message) {
  const std::size_t end = message.find(" elements are wrong");
  if (end == std::string::npos) return 1;
  return std::stoull(message.substr(message.rfind(' ', end - 1) + 1));
}

bool is_permitted(const std::string& found, const std::string& expected) {
  const std::string one_of = "|" + expected + "|";
  return expected == diagnosis::kAnyElement || one_of.find("|" + found + "|") != std::string::npos;
}

/// Are the cells that are marked those in which something else stands than is due?
void expect_marks_what_differs(const TensorPicture& output) {
  ASSERT_EQ(output.elements.size(), output.expected.size());
  std::set<std::size_t> marked;
  for (const diagnosis::WrongElement& wrong : output.wrong) marked.insert(wrong.at);
  for (std::size_t i = 0; i < output.elements.size(); ++i) {
    if (output.expected[i].ends_with("|...")) continue;  // others are permitted, too
    EXPECT_EQ(marked.contains(i), !is_permitted(output.elements[i], output.expected[i]))
        << output.name << " " << i << ": " << output.elements[i] << " for " << output.expected[i];
  }
}

void check_picture(const cases::Case& tested, const CaseResult& result) {
  const diagnosis::Picture picture = diagnosis::picture_of(tested, result);
  const TensorPicture* first_wrong = nullptr;
  for (const TensorPicture& tensor : picture.tensors) {
    if (first_wrong == nullptr && tensor.wrong_count > 0) first_wrong = &tensor;
    if (!tensor.elements.empty()) {
      EXPECT_EQ(tensor.elements.size(), element_count(tensor.shown));
    }
    if (tensor.role == TensorPicture::Role::kOutput && !tensor.elements.empty() &&
        !tensor.expected.empty())
      expect_marks_what_differs(tensor);
  }
  if (result.verdict != Verdict::kMismatch || !result.evidence) return;
  ASSERT_NE(first_wrong, nullptr);
  if (result.evidence->has_failed) return;  // then the judge says nothing of elements
  EXPECT_EQ(first_wrong->wrong_count, wrong_elements(result.message)) << result.message;
  EXPECT_FALSE(first_wrong->wrong.empty()) << "the first wrong element is not shown";
}

TEST(PlantedPictures, MarkExactlyTheWrongElements) {
  std::size_t mismatches = 0;
  for (const planted::Planted& planted : planted::all_planted()) {
    const planted::Row& row = *planted.row;
    // Those with a label pass all of these cases, which takes seconds each.
    if (planted.kind != planted::Kind::kBug || !row.label.empty()) continue;
    const std::unique_ptr<backends::Backend> backend = planted::make_faulty(row);
    for (const cases::Case* one : cases_for(row)) {
      const CaseResult result = judging::check_case(*one, *backend, {});
      if (!judging::is_nonconformance(result.verdict)) continue;
      SCOPED_TRACE(std::string(row.name) + ", " + one->id);
      check_picture(*one, result);
      mismatches += std::size_t{result.verdict == Verdict::kMismatch && result.evidence};
      break;
    }
  }
  EXPECT_GT(mismatches, 80U);
}

}  // namespace
}  // namespace opconform::test
