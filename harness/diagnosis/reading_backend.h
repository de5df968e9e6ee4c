// An implementation that reads the documents in a wrong way, and is right otherwise.
#pragma once

#include <memory>

#include "harness/backends/backend.h"
#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {

/// Its name is that of the reading.
[[nodiscard]] std::unique_ptr<backends::Backend> backend_with(const Reading& reading);

}  // namespace opconform::diagnosis
