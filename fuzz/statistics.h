// What became of a target's inputs, printed when the program ends: a fuzzer that only makes rejects
// finds nothing, and nothing else would say so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace opconform::fuzz {

class Statistics {
 public:
  /// The program's. Prints to stderr at the end of main, unless there was no input.
  static Statistics& of_program();

  // One of these for each input.
  void accept(std::string_view kind);
  void reject(std::string_view reason);
  /// For several reasons: broken rules, say.
  template <class Reasons>
  void reject_for_all(const Reasons& reasons) {
    ++rejects_;
    for (const std::string_view reason : reasons) count(rejected_, reason);
  }

  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;

 private:
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;
  Statistics() = default;
  ~Statistics();
  static void count(Counts& counts, std::string_view name);

  std::uint64_t accepts_ = 0;
  std::uint64_t rejects_ = 0;
  Counts accepted_;
  Counts rejected_;
};

}  // namespace opconform::fuzz
