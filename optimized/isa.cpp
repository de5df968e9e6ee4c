#include "optimized/isa.h"

#include <cstdlib>
#include <string>

namespace opconform::optimized {

std::string_view name(Isa isa) { return isa == Isa::kAvx2 ? "avx2" : "scalar"; }

bool machine_has(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return static_cast<bool>(__builtin_cpu_supports("avx2"));
#endif
  return isa == Isa::kScalar;
}

Isa choose_isa(const char* forced, bool machine_has_avx2) {
  if (forced == nullptr || *forced == '\0') return machine_has_avx2 ? Isa::kAvx2 : Isa::kScalar;
  if (forced == name(Isa::kScalar)) return Isa::kScalar;
  if (forced != name(Isa::kAvx2))
    throw std::runtime_error("OPCONFORM_FORCE_ISA is \"" + std::string(forced) +
                             "\", but must be \"scalar\" or \"avx2\"");
  if (!machine_has_avx2)
    throw std::runtime_error(R"(OPCONFORM_FORCE_ISA is "avx2", but this machine has no AVX2)");
  return Isa::kAvx2;
}

Isa isa_in_use() {
  static const Isa isa = choose_isa(std::getenv("OPCONFORM_FORCE_ISA"),
                                    machine_has(Isa::kAvx2));  // NOLINT(concurrency-mt-unsafe)
  return isa;
}

}  // namespace opconform::optimized
