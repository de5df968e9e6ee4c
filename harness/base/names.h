// Names of the documents, as people write them; and what to say of one that the documents do not
// have: the name, what may have been meant, which there are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "spec/data_type.h"

namespace opconform::base {

/// The place in all_operators() of the operator that this can only mean: its name or its alias, in
/// letters of any case, with or without what stands before the first underscore.
std::optional<std::size_t> find_operator(std::string_view name);
/// The type with that name in either dialect, in letters of any case.
std::optional<DataType> find_data_type(std::string_view name);

std::string no_such_operator(std::string_view name);
std::string no_such_data_type(std::string_view name);
std::string no_such_data_type(std::string_view name, Dialect dialect);
std::string no_such_feature_level(std::string_view text);
std::string no_such_rule(std::string_view name);
std::string no_such_erratum(std::string_view name);

}  // namespace opconform::base
