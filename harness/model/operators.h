// What each operator's file gives: its movements, one by one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/model.h"

namespace opconform::model {

/// One execution on its way through the seams.
class Mover {
 public:
  Mover(const Seams& seams, Execution& execution) : seams_(seams), execution_(execution) {}

  /// The rule that the execution fails for, if it fails.
  std::optional<std::string> run();

  [[nodiscard]] const Seams& seams() const { return seams_; }

  // What is right, or what the seam makes of it.
  [[nodiscard]] std::size_t axis(std::size_t right) const;
  [[nodiscard]] std::uint64_t window_start(std::size_t i, std::uint64_t right) const;
  [[nodiscard]] std::int64_t window_stride(std::size_t i, std::int64_t right) const;
  [[nodiscard]] std::uint64_t run_start(std::size_t k, std::uint64_t right) const;

  /// The coordinate that the index there means, in the tensor of indices, which is the second
  /// input; `number` is its row-major one.
  [[nodiscard]] std::optional<std::uint64_t> resolve_at(const Coordinates& at, std::uint64_t number,
                                                        std::uint64_t size) const;
  void put(std::size_t input, const Coordinates& from, std::size_t output, const Coordinates& to);
  /// Several elements of that input may go to one place of the first output.
  void expect_overlaps(std::size_t input);
  /// Ends the execution; the rule is the one that was broken. Always false, for loops to stop.
  bool fail(std::string_view rule);
  [[nodiscard]] bool has_failed() const { return failed_rule_.has_value(); }

 private:
  void carry_out(std::size_t input, const Coordinates& source, const View& output,
                 const Coordinates& target);
  /// Null where that is outside of the buffer, and then how far is in astray_bytes_.
  [[nodiscard]] std::byte* locate(const View& view, const Coordinates& at);

  const Seams& seams_;
  Execution& execution_;
  std::optional<std::string> failed_rule_;
  std::optional<std::size_t> overlapping_;
  std::uint64_t astray_bytes_ = 0;  // the last place that was no part of its buffer
  std::vector<bool> is_written_;    // by elements of the overlapping input
};

/// Calls `f` for all coordinates of a shape, in row-major order, until it says false.
template <class F>
void for_each_coordinate(const Dims& sizes, F&& f) {
  for (const std::uint64_t size : sizes)
    if (size == 0) return;
  Coordinates at(sizes.size());
  std::uint64_t* const first = at.begin();
  while (f(std::as_const(at))) {
    std::uint64_t* one = at.end();
    const std::uint64_t* size = sizes.end();
    while (one != first && ++*--one == *--size) *one = 0;
    if (one == first && (sizes.empty() || *one == 0)) return;
  }
}

// For each operator, in operators/OPERATOR.cpp.
#define OPCONFORM_OPERATOR(file, Type, prefix) void move_all(const Type& op, Mover& mover);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::model
