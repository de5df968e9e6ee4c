// CMake compiles this once for each operator of the list.

#include "fuzz/fuzzed_operator.h"

std::size_t opconform::fuzz::fuzzed_operator() { return OPCONFORM_FUZZED_OPERATOR; }
