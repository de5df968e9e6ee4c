#include "harness/cases/tensor_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace opconform::harness {
namespace {

[[noreturn]] void fail(const Pointer& at, const TensorContext& context,
                       const std::string& message) {
  throw BadInput(context.file, at.text(), message);
}

Dims read_dims(const Json& value, const Pointer& at, const TensorContext& context) {
  if (!value.is_array()) fail(at, context, "must be an array, but is " + excerpt(value));
  if (value.size() > kMaxRank)
    fail(at, context,
         "has " + std::to_string(value.size()) + " dimensions, more than the " +
             std::to_string(kMaxRank) + " that this program can hold");
  Dims dims;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Pointer element(at, i);
    if (context.dialect == Dialect::kDirectml) {
      dims.push_back(read_integer<std::uint32_t>(value[i], element, context.file));
      continue;
    }
    const auto size = read_integer<std::int64_t>(value[i], element, context.file);
    if (size < 0) fail(element, context, excerpt(value[i]) + " is negative");
    dims.push_back(static_cast<std::uint64_t>(size));
  }
  return dims;
}

/// Walks the elements of DATA, nested or flat, in row-major order.
template <class OnElement>
class DataWalk {
 public:
  DataWalk(const TensorDesc& tensor, std::string_view sizes_name, const TensorContext& context,
           OnElement on_element)
      : tensor_(tensor), sizes_name_(sizes_name), context_(context), on_element_(on_element) {}

  void walk(const Json& value, const Pointer& at) {
    const std::optional<std::uint64_t> count = element_count(tensor_.sizes);
    if (!count) fail(at, context_, "the tensor has more elements than 64 bits can count");
    if (tensor_.rank() == 0 && is_element_form(value, tensor_.data_type))
      return on_element_(value, at);
    if (!value.is_array()) fail(at, context_, "must be an array, but is " + excerpt(value));
    const bool flat =
        tensor_.rank() <= 1 || value.empty() || is_element_form(value[0], tensor_.data_type);
    if (!flat) return walk_nested(value, 0, at);
    if (value.size() != *count) wrong_count(value.size(), *count, at);
    for (std::size_t i = 0; i < value.size(); ++i) on_element_(value[i], Pointer(at, i));
  }

 private:
  void walk_nested(const Json& value, std::size_t dimension, const Pointer& at) {
    if (dimension == tensor_.rank()) return on_element_(value, at);
    if (!value.is_array()) fail(at, context_, "must be an array, but is " + excerpt(value));
    if (value.size() != tensor_.sizes[dimension])
      fail(at, context_,
           "holds " + std::to_string(value.size()) + " elements, but " + std::string(sizes_name_) +
               "[" + std::to_string(dimension) + "] is " +
               std::to_string(tensor_.sizes[dimension]));
    for (std::size_t i = 0; i < value.size(); ++i)
      walk_nested(value[i], dimension + 1, Pointer(at, i));
  }
  [[noreturn]] void wrong_count(std::size_t found, std::uint64_t wanted, const Pointer& at) const {
    fail(at, context_,
         "holds " + std::to_string(found) + " elements, but " + std::string(sizes_name_) +
             " gives " + std::to_string(wanted));
  }

  const TensorDesc& tensor_;
  std::string_view sizes_name_;
  const TensorContext& context_;
  OnElement on_element_;
};

std::string_view sizes_name(Dialect dialect) {
  return dialect == Dialect::kDirectml ? "Sizes" : "shape";
}

void append(const Json& value, DataType type, const Pointer& at, const TensorContext& context,
            std::vector<std::byte>& bytes) {
  try {
    append_element(value, type, context.strings, bytes);
  } catch (const ElementError& error) {
    fail(at, context, error.what());
  }
}

std::vector<std::byte> read_logical(const Json& value, const TensorDesc& tensor, const Pointer& at,
                                    const TensorContext& context) {
  std::vector<std::byte> bytes;
  const auto on_element = [&](const Json& element, const Pointer& element_at) {
    append(element, tensor.data_type, element_at, context, bytes);
  };
  DataWalk(tensor, sizes_name(context.dialect), context, on_element).walk(value, at);
  return bytes;
}

std::vector<std::byte> read_physical(const Json& value, const TensorDesc& tensor, const Pointer& at,
                                     const TensorContext& context) {
  if (!value.is_array()) fail(at, context, "must be an array, but is " + excerpt(value));
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < value.size(); ++i)
    append(value[i], tensor.data_type, Pointer(at, i), context, bytes);
  if (!stride_count_matches(tensor)) return bytes;
  const std::optional<std::uint64_t> needed = extent_elements(tensor);
  if (needed && value.size() < *needed)
    fail(at, context,
         "holds " + std::to_string(value.size()) + " elements, but the layout needs " +
             std::to_string(*needed));
  return bytes;
}

/// Elements of `data` that share an address, along a broadcast dimension say, must agree.
void check_agreement(const TensorDesc& tensor, const std::vector<std::byte>& bytes,
                     const Pointer& at, const TensorContext& context) {
  if (!tensor.strides || !stride_count_matches(tensor)) return;
  std::unordered_map<std::uint64_t, std::size_t>
      first_at;  // offset in elements -> number of the element
  const std::size_t size_bytes = tensor.element_size_bytes();
  const std::size_t count = bytes.size() / size_bytes;
  Dims coordinates(tensor.rank());
  for (std::size_t number = 0; number < count; ++number) {
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < tensor.rank(); ++i) offset += coordinates[i] * (*tensor.strides)[i];
    const auto [first, is_new] = first_at.try_emplace(offset, number);
    if (!is_new && !same_element(tensor.data_type, bytes.data() + number * size_bytes,
                                 bytes.data() + first->second * size_bytes))
      fail(at, context,
           "elements " + std::to_string(first->second) + " and " + std::to_string(number) +
               " share one address, but differ");
    for (std::size_t i = tensor.rank(); i-- > 0;) {
      if (++coordinates[i] < tensor.sizes[i]) break;
      coordinates[i] = 0;
    }
  }
}

Contents read_fill(const Json& value, const Pointer& at, const TensorContext& context) {
  ObjectReader fill(value, at, context.file);
  Contents contents;
  const std::string pattern = fill.find_string("pattern").value_or("");
  if (pattern == "iota")
    contents.kind = Contents::Kind::kIota;
  else if (pattern == "random")
    contents.kind = Contents::Kind::kRandom;
  else
    fill.fail("pattern", "must be \"iota\" or \"random\", but is " + in_quotes(pattern));
  if (const Json* seed = fill.find("seed"))
    contents.seed = read_integer<std::uint64_t>(*seed, fill.at("seed"), context.file);
  fill.expect_no_others();
  return contents;
}

/// Reads data, buffer or fill; `tensor` has type, sizes and strides.
Contents read_contents(ObjectReader& reader, const TensorDesc& tensor,
                       const TensorContext& context) {
  const Json* data = reader.find("data");
  const Json* buffer = reader.find("buffer");
  const Json* fill = reader.find("fill");
  const int given = int{data != nullptr} + int{buffer != nullptr} + int{fill != nullptr};
  if (given > 1) reader.fail("has more than one of \"data\", \"buffer\" and \"fill\"");
  Contents contents;
  if (data != nullptr) {
    const Pointer data_at = reader.at("data");
    contents.kind = Contents::Kind::kLogical;
    contents.bytes = read_logical(*data, tensor, data_at, context);
    check_agreement(tensor, contents.bytes, data_at, context);
  } else if (buffer != nullptr) {
    contents.kind = Contents::Kind::kPhysical;
    contents.bytes = read_physical(*buffer, tensor, reader.at("buffer"), context);
  } else if (fill != nullptr) {
    contents = read_fill(*fill, reader.at("fill"), context);
  }
  return contents;
}

std::uint64_t default_total(const TensorDesc& tensor, const Contents& contents) {
  const std::uint64_t least =
      stride_count_matches(tensor) ? buffer_tensor_size(tensor).value_or(0) : 0;
  if (contents.kind != Contents::Kind::kPhysical) return least;
  return std::max<std::uint64_t>(least, (contents.bytes.size() + 3) & ~std::uint64_t{3});
}

}  // namespace

template <class Integer>
Integer read_integer(const Json& value, const Pointer& at, const std::string& file) {
  if (decimal_literal(value) == "-0") return 0;
  if (value.is_number_unsigned() && std::in_range<Integer>(value.get<std::uint64_t>()))
    return static_cast<Integer>(value.get<std::uint64_t>());
  if (!value.is_number_unsigned() && value.is_number_integer() &&
      std::in_range<Integer>(value.get<std::int64_t>()))
    return static_cast<Integer>(value.get<std::int64_t>());
  throw BadInput(file, at.text(),
                 excerpt(value) + " is no integer in [" +
                     std::to_string(std::numeric_limits<Integer>::min()) + ", " +
                     std::to_string(std::numeric_limits<Integer>::max()) + "]");
}
template std::uint32_t read_integer(const Json&, const Pointer&, const std::string&);
template std::int32_t read_integer(const Json&, const Pointer&, const std::string&);
template std::uint64_t read_integer(const Json&, const Pointer&, const std::string&);
template std::int64_t read_integer(const Json&, const Pointer&, const std::string&);

TensorDesc read_tensor(const Json& value, const Pointer& at, const TensorContext& context,
                       Access access, Contents* contents) {
  const bool directml = context.dialect == Dialect::kDirectml;
  const std::string_view type_key = directml ? "DataType" : "type";
  const std::string_view sizes_key = sizes_name(context.dialect);
  ObjectReader reader(value, at, context.file);
  TensorDesc tensor;

  const Json& type = reader.require(type_key);
  const std::optional<DataType> data_type =
      type.is_string() ? parse_data_type(type.get_ref<const std::string&>(), context.dialect)
                       : std::nullopt;
  if (!data_type) reader.fail(type_key, excerpt(type) + " is no data type of these documents");
  tensor.data_type = *data_type;
  tensor.sizes = read_dims(reader.require(sizes_key), reader.at(sizes_key), context);
  if (directml) {
    const Json* strides = reader.find("Strides");
    if (strides != nullptr && !strides->is_null())
      tensor.strides = read_dims(*strides, reader.at("Strides"), context);
  }
  Contents held;
  if (access == Access::kInput) held = read_contents(reader, tensor, context);
  if (directml) {
    const Json* total = reader.find("TotalTensorSizeInBytes");
    tensor.total_tensor_size_bytes =
        total == nullptr ? default_total(tensor, held)
                         : read_integer<std::uint64_t>(*total, reader.at("TotalTensorSizeInBytes"),
                                                       context.file);
  }
  if (held.kind == Contents::Kind::kPhysical) {
    const std::uint64_t room = buffer_size_bytes(tensor, context.dialect);
    if (held.bytes.size() > room)
      reader.fail("buffer", "holds " + std::to_string(held.bytes.size()) +
                                " bytes, but the tensor only " + std::to_string(room));
  }
  reader.expect_no_others();
  if (contents != nullptr) *contents = std::move(held);
  return tensor;
}

ExpectedOutput read_expected_output(const Json& value, const TensorDesc& tensor, const Pointer& at,
                                    const TensorContext& context) {
  ExpectedOutput output;
  const std::size_t size_bytes = tensor.element_size_bytes();
  const auto on_element = [&](const Json& element, const Pointer& element_at) {
    if (!element.is_object())
      return append(element, tensor.data_type, element_at, context, output.elements);
    ObjectReader reader(element, element_at, context.file);
    ExpectedOutput::Freedom freedom{output.elements.size() / size_bytes, false, {}};
    if (const Json* any = reader.find("any")) {
      if (*any != true) reader.fail("any", "must be true, but is " + excerpt(*any));
      freedom.any = true;
      output.elements.resize(output.elements.size() + size_bytes);
    } else {
      const Json& one_of = reader.require("one_of");
      if (!one_of.is_array() || one_of.empty())
        reader.fail("one_of", "must be an array of at least one element");
      const Pointer list_at = reader.at("one_of");
      append(one_of[0], tensor.data_type, Pointer(list_at, std::size_t{0}), context,
             output.elements);
      for (std::size_t i = 1; i < one_of.size(); ++i)
        append(one_of[i], tensor.data_type, Pointer(list_at, i), context, freedom.values);
    }
    reader.expect_no_others();
    output.freedoms.push_back(std::move(freedom));
  };
  DataWalk(tensor, sizes_name(context.dialect), context, on_element).walk(value, at);
  // As the reference says it, so that both are judged alike.
  const bool nothing_else = output.freedoms.size() * size_bytes == output.elements.size() &&
                            std::all_of(output.freedoms.begin(), output.freedoms.end(),
                                        [](const auto& freedom) { return freedom.any; });
  if (nothing_else && !output.elements.empty()) return {true, {}, {}};
  return output;
}

}  // namespace opconform::harness
