// What each operator says of itself, in operators/OPERATOR.cpp: its work, cells, larger shapes.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bench/cell.h"
#include "bench/shapes.h"
#include "bench/views.h"
#include "spec/operator.h"

namespace opconform::bench {

// For each operator:
//   work_of          what libraries can be asked for
//   add_cells        what is measured, family by family
//   add_short_cells  a few small ones, to show that everything works
//   add_overheads    so little to move that the call itself is what takes the time
//   dimensions       how many can grow, those of the first tensor first
//   grow             makes one of them longer
//   lay_out          gives the tensors the layouts that the generator chose
//   has_distinct_indices  could its indices be told apart?
#define OPCONFORM_OPERATOR(file, Type, prefix)                              \
  Work work_of(const Type& op);                                             \
  void add_cells(std::type_identity<Type>, std::vector<Cell>& cells);       \
  void add_short_cells(std::type_identity<Type>, std::vector<Cell>& cells); \
  void add_overheads(std::type_identity<Type>, std::vector<Cell>& cells);   \
  std::size_t dimensions(const Type& op);                                   \
  void grow(const Growth& growth, Type& op);                                \
  void lay_out(Layouts& layouts, Type& op);                                 \
  bool has_distinct_indices(const Type& op, const Layouts& layouts);
#include "spec/operators.def"
#undef OPCONFORM_OPERATOR

}  // namespace opconform::bench
