// Arrays in NumPy's format, version 1.0: what `export npy` writes and what comes back from it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {

/// A file of packed elements in row-major order. Throws CannotSay for types that NumPy does not
/// have.
[[nodiscard]] std::string npy_bytes(const NodeTensor& tensor);
/// Its elements in row-major order, where it has this type and these sizes. Throws BadInput where
/// it does not.
[[nodiscard]] std::vector<std::byte> read_npy(std::string_view bytes, const std::string& file,
                                              DataType type, const Dims& sizes);

/// "inputs/FIELD.npy" and "expected/FIELD.npy".
void write_npy_case(const cases::Case& one, const std::filesystem::path& folder);

}  // namespace opconform::interchange
