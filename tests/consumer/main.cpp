// Uses the installed libraries from outside: reverses a row with DML_SLICE1 and gathers rows with
// ONNX Gather, and lets the reference interpreter confirm both.
#include <opconform/optimized.h>
#include <opconform/plan_cache.h>
#include <opconform/reference/reference.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using opconform::DataType;
using opconform::Version;

/// What the optimized implementation writes into `count` floats.
std::vector<float> execute(const opconform::Operator& op, Version version,
                           std::span<const std::span<const std::byte>> inputs, std::size_t count) {
  std::vector<float> result(count);
  const std::array<std::span<std::byte>, 1> outputs{std::as_writable_bytes(std::span(result))};
  const opconform::Bindings bindings{.inputs = inputs, .outputs = outputs};

  const auto plan = opconform::optimized::prepare(op, version);
  if (const auto error = plan.execute(bindings)) throw std::runtime_error(error->message);

  const std::vector<float> found = result;
  const auto demand_same = [&](const char* what, const opconform::ExecutionResult& error) {
    if (error) throw std::runtime_error(error->message);
    if (found != result) throw std::runtime_error(std::string("a plan and ") + what + " differ");
    result.assign(count, 0);
  };
  result.assign(count, 0);
  static opconform::optimized::PlanCache plans;  // of shapes that come again
  for (int call = 0; call < 2; ++call)
    demand_same("a kept one", plans.execute(op, version, bindings));
  demand_same("the reference", opconform::reference::execute(op, version, bindings));
  return found;
}

bool expect(const char* what, const std::vector<float>& found, const std::vector<float>& expected) {
  std::cout << what << ":";
  for (const float value : found) std::cout << ' ' << value;
  std::cout << (found == expected ? "\n" : "  (wrong)\n");
  return found == expected;
}

}  // namespace

int main() {
  const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
  const std::array<std::int64_t, 3> rows{1, 0, -1};
  const std::span<const std::byte> value_bytes = std::as_bytes(std::span(values));
  const std::span<const std::byte> row_bytes = std::as_bytes(std::span(rows));

  opconform::Slice1 reverse;
  reverse.input = opconform::packed_tensor(DataType::kFloat32, {1, 6});
  reverse.output = opconform::packed_tensor(DataType::kFloat32, {1, 6});
  reverse.window_offsets = {0, 0};
  reverse.window_sizes = {1, 6};
  reverse.window_strides = {1, -1};

  opconform::OnnxGather gather;
  gather.data = opconform::packed_tensor(DataType::kFloat32, {3, 2});
  gather.indices = opconform::packed_tensor(DataType::kInt64, {3});
  gather.output = opconform::packed_tensor(DataType::kFloat32, {3, 2});
  gather.axis = 0;

  const std::array slice_inputs{value_bytes};
  const std::array gather_inputs{value_bytes, row_bytes};
  const bool reversed =
      expect("reversed", execute(reverse, opconform::FeatureLevel::k6_4, slice_inputs, 6),
             {6, 5, 4, 3, 2, 1});
  const bool gathered =
      expect("gathered", execute(gather, Version::opset(13), gather_inputs, 6), {3, 4, 1, 2, 5, 6});
  return reversed && gathered ? EXIT_SUCCESS : EXIT_FAILURE;
}
