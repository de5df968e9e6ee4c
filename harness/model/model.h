// The operators once more, plainly: element by element, with a seam at each place where real
// implementations go wrong. As the seams stand, the model is right; whoever sets one breaks a rule,
// or takes a freedom. Planted bugs are made of it, and a diagnosis tries what explains a failure.
//
// Reads outside a buffer give zeros, or what a seam says, and writes there are dropped, as they do
// on devices with robust buffer access: a wrong address must not end the process. A bug that is to
// touch foreign memory does so itself, or says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "spec/execution.h"
#include "spec/fields.h"
#include "spec/operator.h"

namespace opconform::model {

using Coordinates = Dims;

/// A tensor in memory, as the implementation sees it.
struct View {
  const TensorDesc* desc;
  std::byte* first;  ///< of an input too: bugs write there
  std::size_t size_bytes;
  Dims strides;  ///< in force, in elements
  bool is_output;
  bool has_indices;
  std::size_t element_size_bytes = desc->element_size_bytes();
  std::uint64_t room = size_bytes / element_size_bytes;  ///< for elements

  [[nodiscard]] std::size_t width() const { return element_size_bytes; }
};

/// One execution of a plan, as hooks see it.
struct Execution {
  const Operator& op;
  Version version;
  unsigned number = 1;         ///< of the executions of this plan
  std::vector<View> inputs{};  ///< in the order of the fields
  std::vector<View> outputs{};
  // Of the plan's first execution: where the tensors were, and what the inputs held.
  std::span<const std::span<const std::byte>> first_inputs{};
  std::span<const std::vector<std::byte>> first_values{};
  std::span<const std::span<std::byte>> first_outputs{};
  bool has_failed = false;  ///< the plan's first execution
  bool defines_negative = defines_negative_indices(op, version);
  /// How far from a buffer it asked for an element, at most; 0 where it stayed within them.
  std::uint64_t strayed_bytes = 0;

  template <class Op>
  [[nodiscard]] const Op* as() const {
    return std::get_if<Op>(&op);
  }
};

/// An index as it stands in its tensor, and where.
struct PlacedIndex {
  std::uint64_t bits;  ///< sign-extended where the type is signed
  DataType type;
  std::uint64_t number;  ///< row-major, in the tensor of indices

  [[nodiscard]] bool is_signed() const {
    return type == DataType::kInt32 || type == DataType::kInt64;
  }
  [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(bits); }
  [[nodiscard]] bool is_negative() const { return is_signed() && value() < 0; }
};

/// One element on its way.
struct Move {
  std::size_t input;
  Coordinates from;
  std::size_t output;
  Coordinates to;
};

/// An element of an output to which an earlier update went already.
struct Overlap {
  std::byte* target;
  const std::byte* update;
  const std::byte* old;   ///< the input's element there
  std::uint64_t element;  ///< row-major
};

/// The coordinate that an index means in a dimension of that size; nothing where it is outside.
std::optional<std::uint64_t> resolve(const PlacedIndex& index, std::uint64_t size);
void copy_element(DataType type, std::byte* to, const std::byte* from);
/// The row-major number of an element.
std::uint64_t element_number(const Coordinates& at, const Dims& sizes);
/// The element at an offset in elements; null where it is not wholly in the buffer.
inline std::byte* element_at(const View& view, std::uint64_t offset) {
  return offset < view.room ? view.first + offset * view.element_size_bytes : nullptr;
}
/// The tensors of an operator, inputs and outputs alike.
std::vector<NamedTensor> tensors_of(const Operator& op);

/// Farther from a buffer, a wrong address ends the process, or a device gives zeros. Nearer, there
/// may be memory, which may hold anything.
inline constexpr std::uint64_t kNearBytes = std::uint64_t{16} << 20;

/// The places where an implementation may differ. Those that are empty change nothing.
struct Seams {
  // Once in each execution.
  std::function<void(Execution&)> before;
  std::function<void(Execution&)> after;
  std::function<void(const Execution&, std::size_t& axis)> axis;
  std::function<void(const Execution&, View&)> layout;  ///< changes the strides in force

  // Indices.
  std::function<void(PlacedIndex&)> read_index;
  std::function<std::optional<std::uint64_t>(const Execution&, const PlacedIndex&,
                                             std::uint64_t size)>
      resolve = [](const Execution& e, const PlacedIndex& index, std::uint64_t size) {
        return index.is_negative() && !e.defines_negative ? std::nullopt
                                                          : model::resolve(index, size);
      };
  bool checks_indices_first = true;  ///< before anything is written, where one outside is an error
  bool fails_outside = false;        ///< on the way, where one outside is none
  /// The rule that a failure names, instead of the right one.
  std::function<std::string(std::string_view right)> failure_rule;

  // Windows and runs, dimension by dimension and part by part, instead of what is right.
  std::function<std::uint64_t(const Execution&, std::size_t i, std::uint64_t right)> window_start;
  std::function<std::int64_t(const Execution&, std::size_t i, std::int64_t right)> window_stride;
  std::function<std::uint64_t(const Execution&, std::size_t k, std::uint64_t right)> run_start;

  // Elements. `move` may change where one comes from or goes to; false leaves it out.
  std::function<bool(const Execution&, Move&)> move;
  std::function<std::uint64_t(const View&, std::uint64_t offset)> offset;
  std::function<void(DataType, std::byte* to, const std::byte* from)> copy;
  std::function<void(DataType, const Overlap&)> overlap;
  /// What each byte outside of a buffer reads as, as far as kNearBytes from it; beyond, 0.
  std::byte outside{0};
  /// Goes where a wrong address leads, as real code does; it may end the process.
  bool leaves_buffers = false;
};

/// Executes it with those seams. Says which rule the execution fails for, if it fails.
std::optional<std::string> run(const Seams& seams, Execution& execution);

/// The views of an operator's tensors, with the strides that its descriptor gives them.
void bind(const Bindings& bound, const Seams& seams, Execution& execution);

}  // namespace opconform::model
