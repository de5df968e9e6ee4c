// The oracle against the committed cases: with `expect` taken away, the reference must permit
// exactly what the case permits, no value more and no value less.

#include "harness/judging/oracle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/cases/contents.h"
#include "spec/validate.h"
#include "tests/conformance/committed_cases.h"

namespace opconform::test {
namespace {

using Kind = cases::Expectation::Kind;

/// What is permitted of one element, as text; "any" where all is.
using Permitted = std::set<std::string>;

std::vector<Permitted> permitted(const cases::ExpectedOutput& output, const TensorDesc& tensor) {
  if (output.unspecified)
    return std::vector<Permitted>(*element_count(tensor.sizes), Permitted{"any"});
  const DataType type = tensor.data_type;
  const std::size_t size_bytes = element_size_bytes(type);
  std::vector<Permitted> elements(output.elements.size() / size_bytes);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i].insert(cases::element_text(type, output.elements.data() + i * size_bytes));
  for (const cases::ExpectedOutput::OpenElement& freedom : output.open_elements) {
    if (freedom.any) elements[freedom.element] = {"any"};
    for (std::size_t at = 0; at < freedom.values.size(); at += size_bytes)
      elements[freedom.element].insert(cases::element_text(type, freedom.values.data() + at));
  }
  return elements;
}

void expect_same(const cases::Expectation& written, const cases::Expectation& derived,
                 const cases::TensorList& tensors, const std::string& id) {
  ASSERT_EQ(written.kind, derived.kind) << id;
  EXPECT_EQ(written.rules, derived.rules) << id;
  ASSERT_EQ(written.outputs.size(), derived.outputs.size()) << id;
  for (std::size_t i = 0; i < written.outputs.size(); ++i) {
    const TensorDesc& tensor = tensors.outputs[i].desc;
    EXPECT_EQ(permitted(written.outputs[i], tensor), permitted(derived.outputs[i], tensor))
        << id << ", output " << i;
  }
  ASSERT_EQ(written.any_of.size(), derived.any_of.size()) << id;
  for (std::size_t i = 0; i < written.any_of.size(); ++i)
    expect_same(written.any_of[i], derived.any_of[i], tensors, id);
}

TEST(Oracle, PermitsExactlyWhatTheCommittedCasesPermit) {
  std::size_t compared = 0;
  for (const cases::Case& one : committed().cases) {
    if (one.expect.kind == Kind::kRejected) continue;
    ASSERT_TRUE(validate(one.op, one.version).empty()) << one.id;
    const cases::TensorList tensors(one.op);
    std::vector<std::vector<std::byte>> buffers;
    for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
      const TensorDesc& tensor = tensors.inputs[i].desc;
      buffers.emplace_back(buffer_size_bytes(tensor, one.version.dialect()));
      cases::write_contents(one.inputs[i], tensor, std::nullopt, *one.strings, 7, buffers.back());
    }
    const std::vector<std::span<const std::byte>> inputs(buffers.begin(), buffers.end());
    expect_same(one.expect, judging::reference_expectation(one.op, one.version, tensors, inputs),
                tensors, one.id);
    ++compared;
  }
  EXPECT_GT(compared, 500U);
}

}  // namespace
}  // namespace opconform::test
