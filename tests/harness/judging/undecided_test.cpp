// A layout that cannot be told valid or not within the work limit. To find that out takes as long
// as the limit allows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/bad_input.h"
#include "harness/judging/check.h"
#include "tests/harness/fake_backend.h"

namespace opconform::judging {
namespace {

/// A set with distinct subset sums (Conway and Guy), too far apart for a bit map.
TensorDesc undecidable_output() {
  const std::vector<std::uint64_t> sequence{0,    1,    2,     4,     7,     13,     24,
                                            44,   84,   161,   309,   594,   1164,   2284,
                                            4484, 8807, 17305, 34301, 68008, 134852, 267420};
  Dims strides;
  for (std::size_t i = 0; i + 1 < sequence.size(); ++i)
    strides.push_back((sequence.back() - sequence[i]) << 30);
  return strided_tensor(DataType::kInt8, Dims(strides.size(), 2), strides);
}

TEST(Undecided, IsBadInputUnlessARuleIsBroken) {
  const TensorDesc layout = undecidable_output();
  OnnxGather op{.data = packed_tensor(DataType::kInt8, layout.sizes),
                .indices = packed_tensor(DataType::kInt64, {2}),
                .output = layout,
                .axis = 0};
  cases::Case tested;
  tested.op = op;
  tested.version = Version::opset(13);
  test::FakeBackend backend;
  backend.reject = [](const Operator&, Version) {
    return backends::Rejection{backends::Rejection::Kind::kRejected, {"gather.same-data-type"}, ""};
  };
  try {
    check_case(tested, backend, {});
    ADD_FAILURE() << "was decided";
  } catch (const base::BadInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("takes more work to decide"));
  }
  op.output.data_type = DataType::kUint8;
  tested.op = op;
  EXPECT_EQ(check_case(tested, backend, {}).verdict, Verdict::kPass);
}

}  // namespace
}  // namespace opconform::judging
