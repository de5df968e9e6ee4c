// What the relations share: values without their layout, and runs of derived cases on the backend.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/generation/case_memory.h"
#include "harness/relations/relations.h"

namespace opconform::relations {

/// The elements of one tensor in row-major order.
struct Values {
  DataType type = DataType::kUint8;
  Dims sizes;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t width() const { return element_size_bytes(type); }
  [[nodiscard]] std::uint64_t count() const { return bytes.size() / width(); }
  [[nodiscard]] std::byte* at(std::uint64_t number) { return bytes.data() + number * width(); }
  [[nodiscard]] const std::byte* at(std::uint64_t number) const {
    return bytes.data() + number * width();
  }
};

/// Values of that shape, all bytes 0.
Values zero_values(DataType type, const Dims& sizes);
/// The elements from `first` on that the strides reach: a box, a permutation, a run along an axis.
Values selected(const Values& values, const Dims& sizes, const Dims& strides, std::uint64_t first);
/// Dimension i of the result is dimension `order[i]` of the values.
Values permuted(const Values& values, const Dims& order);
Dims permuted(const Dims& dims, const Dims& order);
Dims inverse(const Dims& order);

/// The coordinate that each index means in a dimension of `size`. Nothing where one lies outside.
std::optional<std::vector<std::uint64_t>> resolve_indices(const Values& indices,
                                                          std::uint64_t size);
/// An index, sign-extended where its type is signed.
std::int64_t index_value(const Values& indices, std::uint64_t number);
void set_index(std::int64_t index, Values& indices, std::uint64_t number);

/// A case that ran.
struct ExecutedCase {
  generation::Generated generated;
  std::optional<std::vector<Values>> own_inputs;  ///< instead of what the plan makes
  std::vector<Values> outputs;                    ///< as found
};

/// One check of one relation. A function that checks returns a verdict; what goes wrong on the way
/// is kept here.
class Trial {
 public:
  Trial(std::string_view relation, const generation::Generated& generated, generation::Draws& draws,
        backends::Backend& backend)
      : relation_(relation), generated_(generated), draws_(draws), backend_(backend) {}

  [[nodiscard]] const generation::Generated& generated() const { return generated_; }
  [[nodiscard]] generation::Draws& draws() { return draws_; }
  /// The operator; null where it is another one.
  template <class Op>
  [[nodiscard]] const Op* op() const {
    return std::get_if<Op>(&generated_.op);
  }

  /// What the inputs of the case hold.
  const std::vector<Values>& inputs();
  /// Do the documents say what comes of these inputs?
  bool is_defined();
  /// The output elements that the document leaves open; empty where none are.
  std::vector<bool> open_elements();

  /// Runs the case. Null where the backend did not: verdict() says what that means.
  const ExecutedCase* run_case();
  /// Runs another one. Outputs are noise before.
  const ExecutedCase* run(Operator op, Version version, std::vector<Values> inputs);
  [[nodiscard]] RelationVerdict verdict() const { return verdict_; }

  /// Are both the same, bit for bit, but for the elements that `open` marks? Shapes need not be.
  /// `what` names a tensor.
  RelationVerdict compare(std::string_view what, const Values& expected, const Values& found,
                          const std::vector<bool>& open = {});
  RelationVerdict broken(std::string message);

  RelationOutcome outcome(RelationVerdict verdict) &&;

 private:
  const ExecutedCase* execute(ExecutedCase& run);
  [[nodiscard]] bool stand_for_each_other(DataType type, const std::byte* a,
                                          const std::byte* b) const;
  static void make_memory(const ExecutedCase& run, generation::CaseMemory& memory);

  std::string_view relation_;
  const generation::Generated& generated_;
  generation::Draws& draws_;
  backends::Backend& backend_;
  generation::CaseMemory memory_;
  std::optional<std::vector<Values>> inputs_;
  std::deque<ExecutedCase> runs_;
  RelationVerdict verdict_ = RelationVerdict::kHolds;
  std::string message_;
};

/// A tensor whose elements have places of their own.
TensorDesc with_any_layout(DataType type, const Dims& sizes, generation::Draws& draws);

// The relations of all operators.
RelationVerdict layout(Trial& trial);
RelationVerdict leading_ones(Trial& trial);
RelationVerdict permuted_dimensions(Trial& trial);
RelationVerdict same_width(Trial& trial);
RelationVerdict index_type(Trial& trial);

}  // namespace opconform::relations
