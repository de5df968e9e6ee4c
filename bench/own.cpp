// This project's own contenders.
#include <memory>
#include <stdexcept>

#include "bench/cell.h"
#include "bench/contender.h"
#include "bench/shapes.h"
#include "opconform/optimized.h"
#include "opconform/plan_cache.h"
#include "reference/reference.h"

namespace opconform::bench {
namespace {

/// The reference takes some tens of nanoseconds an element.
constexpr std::uint64_t kMostReferenceElements = std::uint64_t{1} << 22;
/// Beyond this the time of a plan does not count.
constexpr std::uint64_t kMostOnceBytes = std::uint64_t{64} << 10;

std::uint64_t output_elements(const Operator& op) {
  std::uint64_t count = 0;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput) count += *element_count(tensor.desc.sizes);
  });
  return count;
}

void succeeded(const ExecutionResult& result) {
  if (result) throw std::logic_error("an execution failed: " + result->message);
}

struct Planned {
  std::string name;
  Role role;
  optimized::Isa isa;
  unsigned threads = 1;
};

Contender planned(const Operator& op, const Buffers& buffers, const Planned& how) {
  const auto plan =
      std::make_shared<const optimized::Plan>(optimized::prepare(op, version_of(op), how.isa));
  return {how.name, how.role, [plan, bindings = buffers.bindings(), threads = how.threads] {
            succeeded(plan->execute(bindings, threads));
          }};
}

}  // namespace

std::vector<Contender> own(const Operator& op, const Buffers& buffers) {
  std::vector<Contender> result;
  const optimized::Isa best = optimized::isa_in_use();
  for (const Planned& how : {Planned{"optimized", Role::kOptimized, best},
                             Planned{"optimized, 2 threads", Role::kThreads, best, 2},
                             Planned{"scalar", Role::kScalar, optimized::Isa::kScalar}})
    result.push_back(planned(op, buffers, how));
  if (output_bytes(op) <= kMostOnceBytes) {
    result.push_back({"optimized, planned anew", Role::kOnce,
                      [op, version = version_of(op), bindings = buffers.bindings()] {
                        succeeded(optimized::execute_once(op, version, bindings));
                      }});
    result.push_back({"optimized, plan kept", Role::kKept,
                      [op, version = version_of(op), bindings = buffers.bindings(),
                       plans = std::make_shared<optimized::PlanCache>()] {
                        succeeded(plans->execute(op, version, bindings));
                      }});
  }
  if (output_elements(op) <= kMostReferenceElements)
    result.push_back({"reference", Role::kReference, [op, bindings = buffers.bindings()] {
                        succeeded(reference::execute(op, version_of(op), bindings));
                      }});
  return result;
}

}  // namespace opconform::bench
