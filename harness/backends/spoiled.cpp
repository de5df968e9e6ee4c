#include "harness/backends/spoiled.h"

#include <atomic>

namespace opconform::backends {
namespace {

std::atomic<bool> is_spoiled = false;

}  // namespace

void spoil_process() { is_spoiled = true; }
bool is_process_spoiled() { return is_spoiled; }

}  // namespace opconform::backends
