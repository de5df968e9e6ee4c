// Lists of elements in a case file: nested as the tensor's sizes say, or flat, with patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "harness/cases/element.h"
#include "spec/tensor.h"

namespace opconform::cases {

/// What reading a tensor needs to know of its case.
struct TensorContext {
  Dialect dialect;
  const std::string& file;
  StringPool& strings;
  std::uint64_t& pattern_elements_left;  ///< of the file: kMostPatternElements at its start

  [[noreturn]] void fail(const base::Pointer& at, const std::string& message) const {
    throw base::BadInput(file, at.text(), message);
  }
};

std::string_view sizes_name(Dialect dialect);

/// An element or a pattern, and its place.
using OnEntry = std::function<void(const base::Json&, const base::Pointer&)>;

/// Visits the entries of DATA in row-major order. Throws BadInput where they are not as many
/// elements as the tensor has.
void for_each_entry(const base::Json& value, const TensorDesc& tensor, const base::Pointer& at,
                    const TensorContext& context, const OnEntry& on_entry);

/// Appends an element; throws BadInput for what is none.
void append_element(const base::Json& value, DataType type, const base::Pointer& at,
                    const TensorContext& context, std::vector<std::byte>& bytes);

/// Appends all elements of an entry, and returns their number. What is written as an element, alone
/// or in a run, is appended by `append_one`.
std::uint64_t append_entry(const base::Json& value, DataType type, const base::Pointer& at,
                           const TensorContext& context, const OnEntry& append_one,
                           std::vector<std::byte>& bytes);

}  // namespace opconform::cases
