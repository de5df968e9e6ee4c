#include "harness/cases/element_lists.h"

#include "harness/cases/patterns.h"

namespace opconform::cases {
namespace {

/// How many elements the entries of an innermost list are.
std::uint64_t count_elements(const base::Json& list, DataType type, const base::Pointer& at,
                             const TensorContext& context) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    count += is_pattern(list[i])
                 ? read_pattern(list[i], type, base::Pointer(at, i), context.file).count
                 : 1;
  return count;
}

/// Walks the entries of DATA, nested or flat, in row-major order: elements and patterns.
class DataWalk {
 public:
  DataWalk(const TensorDesc& tensor, const TensorContext& context, const OnEntry& on_entry)
      : tensor_(tensor), context_(context), on_entry_(on_entry) {}

  void walk(const base::Json& value, const base::Pointer& at) {
    const std::optional<std::uint64_t> count = element_count(tensor_.sizes);
    if (!count) context_.fail(at, "the tensor has more elements than 64 bits can count");
    if (tensor_.rank() == 0 && is_element_form(value, tensor_.data_type)) {
      if (is_pattern(value)) context_.fail(at, "is a pattern, which stands in a list alone");
      return on_entry_(value, at);
    }
    const bool flat = tensor_.rank() <= 1 || !value.is_array() || value.empty() ||
                      is_element_form(value[0], tensor_.data_type);
    if (flat) return walk_list(value, at, *count, " gives ");
    walk_nested(value, 0, at);
  }

 private:
  void walk_nested(const base::Json& value, std::size_t dimension, const base::Pointer& at) {
    const std::uint64_t size = tensor_.sizes[dimension];
    const std::string whose = "[" + std::to_string(dimension) + "] is ";
    if (dimension + 1 == tensor_.rank()) return walk_list(value, at, size, whose);
    expect_array(value, at);
    if (value.size() != size) wrong_count(value.size(), size, at, whose);
    for (std::size_t i = 0; i < value.size(); ++i)
      walk_nested(value[i], dimension + 1, base::Pointer(at, i));
  }
  void walk_list(const base::Json& list, const base::Pointer& at, std::uint64_t wanted,
                 std::string_view whose) {
    expect_array(list, at);
    const std::uint64_t found = count_elements(list, tensor_.data_type, at, context_);
    if (found != wanted) wrong_count(found, wanted, at, whose);
    for (std::size_t i = 0; i < list.size(); ++i) on_entry_(list[i], base::Pointer(at, i));
  }
  void expect_array(const base::Json& value, const base::Pointer& at) const {
    if (!value.is_array()) context_.fail(at, "must be an array, but is " + base::excerpt(value));
  }
  [[noreturn]] void wrong_count(std::uint64_t found, std::uint64_t wanted, const base::Pointer& at,
                                std::string_view whose) const {
    context_.fail(at, "holds " + std::to_string(found) + " elements, but " +
                          std::string(sizes_name(context_.dialect)) + std::string(whose) +
                          std::to_string(wanted));
  }

  const TensorDesc& tensor_;
  const TensorContext& context_;
  const OnEntry& on_entry_;
};

/// Reads a pattern, and takes its elements off what the file may still ask for.
Pattern spend(const base::Json& value, DataType type, const base::Pointer& at,
              const TensorContext& context) {
  Pattern pattern = read_pattern(value, type, at, context.file);
  if (pattern.count > context.pattern_elements_left)
    context.fail(at, "gives " + std::to_string(pattern.count) +
                         " elements, but the patterns of one file together at most " +
                         std::to_string(kMostPatternElements));
  context.pattern_elements_left -= pattern.count;
  return pattern;
}

void repeat_last(std::size_t size_bytes, std::uint64_t times, std::vector<std::byte>& bytes) {
  const std::size_t first = bytes.size() - size_bytes;
  const std::size_t end = bytes.size() + times * size_bytes;
  bytes.resize(end);
  for (std::size_t at = first + size_bytes; at < end; ++at) bytes[at] = bytes[at - size_bytes];
}

}  // namespace

std::string_view sizes_name(Dialect dialect) {
  return dialect == Dialect::kDirectml ? "Sizes" : "shape";
}

void append_element(const base::Json& value, DataType type, const base::Pointer& at,
                    const TensorContext& context, std::vector<std::byte>& bytes) {
  try {
    append_element(value, type, context.strings, bytes);
  } catch (const ElementError& error) {
    context.fail(at, error.what());
  }
}

void for_each_entry(const base::Json& value, const TensorDesc& tensor, const base::Pointer& at,
                    const TensorContext& context, const OnEntry& on_entry) {
  DataWalk(tensor, context, on_entry).walk(value, at);
}

std::uint64_t append_entry(const base::Json& value, DataType type, const base::Pointer& at,
                           const TensorContext& context, const OnEntry& append_one,
                           std::vector<std::byte>& bytes) {
  if (!is_pattern(value)) {
    append_one(value, at);
    return 1;
  }
  const Pattern pattern = spend(value, type, at, context);
  if (pattern.repeated == nullptr) {
    append_pattern(pattern, type, bytes);
  } else {
    const base::Pointer list_at(at, "run");
    append_one(*pattern.repeated, base::Pointer(list_at, std::size_t{0}));
    repeat_last(element_size_bytes(type), pattern.count - 1, bytes);
  }
  return pattern.count;
}

}  // namespace opconform::cases
