// The parts of traits_of().
#pragma once

#include <bit>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "harness/diagnosis/trait_values.h"
#include "harness/diagnosis/traits.h"

namespace opconform::diagnosis {

class TraitWriter {
 public:
  TraitWriter() { traits_.reserve(256); }

  /// A number of any type, or an enumerator.
  template <class Value>
  void add(Topic topic, Subject subject, Value value) {
    if constexpr (std::is_enum_v<Value>)
      traits_.push_back({topic, subject, static_cast<std::int64_t>(value)});
    else
      traits_.push_back(
          {topic, subject,
           std::cmp_greater(value, kMost) ? kMost : static_cast<std::int64_t>(value)});
  }
  template <class Value>
  void add(Topic topic, Value value) {
    add(topic, kNobody, value);
  }
  template <class Value>
  void add_if(bool holds, Topic topic, Value value) {
    if (holds) add(topic, kNobody, value);
  }
  /// How often 2 divides a number, which says of what powers of 2 it is no multiple. 0 is one of
  /// all.
  void add_rest(Topic topic, Subject subject, std::uint64_t number) {
    if (number != 0) add(topic, subject, std::countr_zero(number));
  }

  Traits sorted();

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Traits traits_;
};

/// Sizes and layouts. The descriptor need not be valid, here and in the next.
void read_tensors(const Operator& op, TraitWriter& traits);
/// Axis, and the parts that it is divided into.
void read_axis(const Operator& op, TraitWriter& traits);
void read_windows(const Operator& op, TraitWriter& traits);
/// What elements hold.
void read_patterns(Topic topic, const TensorDesc& tensor, std::span<const std::byte> buffer,
                   TraitWriter& traits);
/// Elements and indices of a valid case.
void read_contents(const cases::Case& one, const cases::TensorList& tensors,
                   std::span<const std::span<const std::byte>> inputs, TraitWriter& traits);

}  // namespace opconform::diagnosis
