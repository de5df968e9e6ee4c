#include "fuzz/statistics.h"

#include <cinttypes>
#include <cstdio>

namespace opconform::fuzz {
namespace {

/// From here on it is no chance that nothing was accepted.
constexpr std::uint64_t kEnoughInputs = 100;

void print(const char* title, std::uint64_t total, const auto& counts) {
  std::fprintf(stderr, "  %s %" PRIu64 "\n", title, total);
  for (const auto& [name, count] : counts)
    std::fprintf(stderr, "    %10" PRIu64 " %s\n", count, name.c_str());
}

}  // namespace

Statistics& Statistics::of_program() {
  static Statistics statistics;
  return statistics;
}

Statistics::~Statistics() {
  if (accepts_ + rejects_ == 0) return;
  std::fprintf(stderr, "inputs: %" PRIu64 "\n", accepts_ + rejects_);
  print("accepted", accepts_, accepted_);
  print("rejected", rejects_, rejected_);
  if (accepts_ == 0 && rejects_ >= kEnoughInputs)
    std::fprintf(stderr, "nothing was accepted: this run has tested only rejections\n");
}

void Statistics::accept(std::string_view kind) {
  ++accepts_;
  count(accepted_, kind);
}

void Statistics::reject(std::string_view reason) {
  ++rejects_;
  count(rejected_, reason);
}

void Statistics::count(Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  if (found != counts.end())
    ++found->second;
  else
    counts.emplace(name, 1);
}

}  // namespace opconform::fuzz
