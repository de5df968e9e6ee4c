// The mutant named by OPCONFORM_MUTANT is active. Which ones were reached is written to the file
// OPCONFORM_REACHED, in memory that all children share: they end in many ways.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace {
constexpr unsigned kMost = 1U << 20;
unsigned char reached_by_nobody[kMost];
}  // namespace

extern "C" {
int opconform_active_mutant = -1;
unsigned char* opconform_reached_mutants = reached_by_nobody;
}

// Before all other initialisation, which may ask.
__attribute__((constructor(101))) static void read_environment() {
  if (const char* number = std::getenv("OPCONFORM_MUTANT"))
    opconform_active_mutant = std::atoi(number);
  const char* file = std::getenv("OPCONFORM_REACHED");
  if (file == nullptr) return;
  const int descriptor = open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void* memory = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory != MAP_FAILED) opconform_reached_mutants = static_cast<unsigned char*>(memory);
  close(descriptor);
}
