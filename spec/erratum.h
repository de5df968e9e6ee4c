// Where the documents contradict themselves or each other: what is printed, how it is read here,
// and why.
#pragma once

#include <string_view>

namespace opconform {

struct Erratum {
  std::string_view name;
  std::string_view printed;
  std::string_view reading;
  std::string_view evidence;
  bool editorial = false;  ///< a slip of language: no case can show it
};

}  // namespace opconform
