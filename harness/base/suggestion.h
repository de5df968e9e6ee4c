// What somebody may have meant by a name that is none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opconform::base {

/// How many letters must be added, left out, replaced or swapped with their neighbour to make one
/// word of the other. Upper and lower case are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// May `wrong` be a slip of the pen for `known`: at most one edit in short words, two in others?
bool is_like(std::string_view wrong, std::string_view known);

/// The name that is most like the wrong one; failing that, the only one that contains it. Empty
/// where there is none.
std::string_view closest(std::string_view wrong, const std::vector<std::string_view>& names);

/// "; did you mean NAME?", or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names);

/// "a, b and c"
std::string listed(const std::vector<std::string_view>& names);

}  // namespace opconform::base
