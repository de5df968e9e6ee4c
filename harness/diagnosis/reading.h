// Ways to misread the documents: for each rule about values, what an implementation does that
// breaks it. A diagnosis tries them on a failure. A new one is a row in one of the files beside
// this, or in operators/.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/model/model.h"
#include "spec/operator.h"

namespace opconform::diagnosis {

struct Reading {
  std::string_view name;  ///< "innermost-stride-as-1": stays as it is, others may hold on to it
  /// The rule that it breaks: "tensor.offset"; ".index-range" is a rule of the operator's own;
  /// kMovement the one that says where its elements go.
  std::string_view rule;
  std::string_view says;  ///< what the implementation does: "takes the innermost stride for 1"
  void (*apply)(model::Seams& seams);
  /// Outside of a buffer it reads zeros, and writes nothing, on purpose. Any other touches foreign
  /// memory there, which may hold anything.
  bool is_bounded = false;
};
inline constexpr std::string_view kMovement = ".";
inline constexpr bool kBounded = true;
/// What model::Seams::outside is for a reading that is not bounded.
inline constexpr std::byte kForeign{0xFF};
using Readings = std::span<const Reading>;

// A file each, from the special to the general: where two explain the same, the first is named.
Readings element_readings();
Readings index_readings();
Readings layout_readings();
Readings axis_readings();
Readings extent_readings();

// For each operator, in operators/OPERATOR.cpp:
//   readings       of rules that only it has
//   movement_rule  the rule that says where its elements go
#define OPCONFORM_OPERATOR(file, Type, prefix)       \
  Readings readings_of(std::type_identity<Type> op); \
  std::string_view movement_rule(std::type_identity<Type> op);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

[[nodiscard]] std::string_view movement_rule(const Operator& op);
/// All that can be tried on an operator: its own first.
[[nodiscard]] const std::vector<const Reading*>& readings_of(const Operator& op);
/// Null where none of that operator's has that name.
[[nodiscard]] const Reading* find_reading(std::string_view name, const Operator& op);
/// The seams of a reading; those of what is right where it is null.
[[nodiscard]] model::Seams seams_of(const Reading* reading);
/// The rule that a reading breaks in that operator; empty where the operator has no such rule.
[[nodiscard]] std::string rule_of(const Reading& reading, const Operator& op);

}  // namespace opconform::diagnosis
