// A picture on its way from a worker process, where the evidence stays.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/diagnosis/picture.h"

namespace opconform::diagnosis {

/// All of the picture, for unpacked().
[[nodiscard]] std::string packed(const Picture& picture);
/// Nothing where the text is none: code under test may have run in the process that wrote it.
[[nodiscard]] std::optional<Picture> unpacked(std::string_view text);

}  // namespace opconform::diagnosis
