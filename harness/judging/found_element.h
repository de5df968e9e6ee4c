// Elements that an implementation under test wrote. A string among them may be a view of anything.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "harness/cases/element.h"
#include "harness/judging/observed.h"
#include "spec/data_type.h"

namespace opconform::judging {

/// As same_element(); a view of memory that cannot be read is the same as nothing but itself.
bool same_found(DataType type, const std::byte* a, const std::byte* b);
/// As element_text().
std::string found_text(DataType type, const std::byte* found);
/// As short_element_text().
std::string short_found_text(DataType type, const std::byte* found);

/// Copies what the views of an output point into, unless that is a string of an input, or what
/// stood there before: it may not outlive the execution. Views of memory that cannot be read stay,
/// and those of more than a message can bear.
void keep_strings(std::span<const ObservedInput> inputs, const ObservedOutput& output,
                  cases::StringPool& pool, std::span<std::byte> kept);

}  // namespace opconform::judging
