// A backend that is held to a promise.
#pragma once

#include <memory>

#include "harness/backends/backend.h"

namespace opconform::backends {

/// The backend with that promise instead of its own. What the promise does not offer never reaches
/// the implementation: the answer is that it is not offered.
[[nodiscard]] std::unique_ptr<Backend> with_promise(std::unique_ptr<Backend> backend,
                                                    Promise promise);

/// With the promise, where there is one.
[[nodiscard]] inline std::unique_ptr<Backend> held_to(std::unique_ptr<Backend> backend,
                                                      const std::optional<Promise>& promise) {
  return promise ? with_promise(std::move(backend), *promise) : std::move(backend);
}

}  // namespace opconform::backends
