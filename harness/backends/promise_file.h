// Promises as JSON: profiles/promise.schema.json describes it, docs/promises.md explains it.
#pragma once

#include <string>
#include <vector>

#include "harness/backends/promise.h"
#include "harness/base/json_document.h"

namespace opconform::backends {

/// Throws BadInput, which names the file, the field and the value.
[[nodiscard]] Promise read_promise(const base::Json& json, const std::string& file);
/// What differs from the document, in the form that read_promise() takes.
[[nodiscard]] base::Json to_json(const Promise& promise);

/// What results say of a backend: {"backend": …, "name": …, "differences": [{"kind": …, "says":
/// …}], "promise": …}.
[[nodiscard]] base::Json to_json(const std::string& backend, const Promise& promise);

/// Those that have a name: the files of profiles/, which are built into the program. By name.
[[nodiscard]] const std::vector<Promise>& named_promises();
/// One of those by its name, otherwise the file. Throws BadInput where there is neither.
[[nodiscard]] Promise find_promise(const std::string& name_or_file);

/// What code from outside promises by itself: JSON, or a name; nothing where the text is empty.
/// `whose` is for messages. Throws DoesNotStart where it is no promise.
[[nodiscard]] std::optional<Promise> own_promise(const std::string& text, const std::string& whose);

}  // namespace opconform::backends
