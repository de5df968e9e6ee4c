#include "harness/cases/tensor_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "harness/base/names.h"

namespace opconform::cases {
namespace {

Dims read_dims(const base::Json& value, const base::Pointer& at, const TensorContext& context) {
  if (!value.is_array()) context.fail(at, "must be an array, but is " + base::excerpt(value));
  if (value.size() > kMaxRank)
    context.fail(at, "has " + std::to_string(value.size()) + " dimensions, more than the " +
                         std::to_string(kMaxRank) + " that this program can hold");
  Dims dims;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const base::Pointer element(at, i);
    if (context.dialect == Dialect::kDirectml) {
      dims.push_back(base::read_integer<std::uint32_t>(value[i], element, context.file));
      continue;
    }
    const auto size = base::read_integer<std::int64_t>(value[i], element, context.file);
    if (size < 0) context.fail(element, base::excerpt(value[i]) + " is negative");
    dims.push_back(static_cast<std::uint64_t>(size));
  }
  return dims;
}

std::vector<std::byte> read_logical(const base::Json& value, const TensorDesc& tensor,
                                    const base::Pointer& at, const TensorContext& context) {
  std::vector<std::byte> bytes;
  const OnEntry append_one = [&](const base::Json& one, const base::Pointer& one_at) {
    append_element(one, tensor.data_type, one_at, context, bytes);
  };
  for_each_entry(value, tensor, at, context,
                 [&](const base::Json& entry, const base::Pointer& entry_at) {
                   append_entry(entry, tensor.data_type, entry_at, context, append_one, bytes);
                 });
  return bytes;
}

std::vector<std::byte> read_physical(const base::Json& value, const TensorDesc& tensor,
                                     const base::Pointer& at, const TensorContext& context) {
  if (!value.is_array()) context.fail(at, "must be an array, but is " + base::excerpt(value));
  std::vector<std::byte> bytes;
  const OnEntry append_one = [&](const base::Json& one, const base::Pointer& one_at) {
    append_element(one, tensor.data_type, one_at, context, bytes);
  };
  for (std::size_t i = 0; i < value.size(); ++i)
    append_entry(value[i], tensor.data_type, base::Pointer(at, i), context, append_one, bytes);
  if (!stride_count_matches(tensor)) return bytes;
  const std::size_t count = bytes.size() / tensor.element_size_bytes();
  const std::optional<std::uint64_t> needed = extent_elements(tensor);
  if (needed && count < *needed)
    context.fail(at, "holds " + std::to_string(count) + " elements, but the layout needs " +
                         std::to_string(*needed));
  return bytes;
}

/// Elements of `data` that share an address, along a broadcast dimension say, must agree.
void check_agreement(const TensorDesc& tensor, const std::vector<std::byte>& bytes,
                     const base::Pointer& at, const TensorContext& context) {
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
      context.fail(at, "elements " + std::to_string(first->second) + " and " +
                           std::to_string(number) + " share one address, but differ");
    for (std::size_t i = tensor.rank(); i-- > 0;) {
      if (++coordinates[i] < tensor.sizes[i]) break;
      coordinates[i] = 0;
    }
  }
}

/// What a fill has elsewhere than its pattern says: [offset, element] each, the offsets ascending.
void read_exceptions(const base::Json& value, const TensorDesc& tensor, const base::Pointer& at,
                     const TensorContext& context, Contents& contents) {
  if (!value.is_array()) context.fail(at, "must be an array, but is " + base::excerpt(value));
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t extent =
      stride_count_matches(tensor) ? extent_elements(tensor).value_or(kUnknown) : kUnknown;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const base::Pointer pair_at(at, i);
    const base::Json& pair = value[i];
    if (!pair.is_array() || pair.size() != 2)
      context.fail(pair_at, "must be [offset, element], but is " + base::excerpt(pair));
    const auto offset = base::read_integer<std::uint64_t>(
        pair[0], base::Pointer(pair_at, std::size_t{0}), context.file);
    if (!contents.except.empty() && offset <= contents.except.back())
      context.fail(pair_at, "must stand before the offset " +
                                std::to_string(contents.except.back()) + ", for it is smaller");
    if (offset >= extent)
      context.fail(pair_at, "offset " + std::to_string(offset) + " is behind the layout's " +
                                std::to_string(extent) + " elements");
    contents.except.push_back(offset);
    append_element(pair[1], tensor.data_type, base::Pointer(pair_at, std::size_t{1}), context,
                   contents.bytes);
  }
}

Contents read_fill(const base::Json& value, const TensorDesc& tensor, const base::Pointer& at,
                   const TensorContext& context) {
  base::ObjectReader fill(value, at, context.file);
  Contents contents;
  const std::string pattern = fill.find_string("pattern").value_or("");
  if (pattern == "iota")
    contents.kind = Contents::Kind::kIota;
  else if (pattern == "random")
    contents.kind = Contents::Kind::kRandom;
  else
    fill.fail("pattern", "must be \"iota\" or \"random\", but is " + base::in_quotes(pattern));
  if (const base::Json* seed = fill.find("seed"))
    contents.seed = base::read_integer<std::uint64_t>(*seed, fill.at("seed"), context.file);
  if (const base::Json* period = fill.find("period")) {
    contents.period = base::read_integer<std::uint64_t>(*period, fill.at("period"), context.file);
    if (contents.period == 0) fill.fail("period", "must be at least 1");
    if (fill.find("except") != nullptr) fill.fail("period", "cannot stand beside \"except\"");
  }
  if (const base::Json* except = fill.find("except"))
    read_exceptions(*except, tensor, fill.at("except"), context, contents);
  fill.expect_no_others();
  return contents;
}

/// Reads data, buffer or fill; `tensor` has type, sizes and strides.
Contents read_contents(base::ObjectReader& reader, const TensorDesc& tensor,
                       const TensorContext& context) {
  const base::Json* data = reader.find("data");
  const base::Json* buffer = reader.find("buffer");
  const base::Json* fill = reader.find("fill");
  const int given =
      (data != nullptr ? 1 : 0) + (buffer != nullptr ? 1 : 0) + (fill != nullptr ? 1 : 0);
  if (given > 1) reader.fail("has more than one of \"data\", \"buffer\" and \"fill\"");
  Contents contents;
  if (data != nullptr) {
    const base::Pointer data_at = reader.at("data");
    contents.kind = Contents::Kind::kLogical;
    contents.bytes = read_logical(*data, tensor, data_at, context);
    check_agreement(tensor, contents.bytes, data_at, context);
  } else if (buffer != nullptr) {
    contents.kind = Contents::Kind::kPhysical;
    contents.bytes = read_physical(*buffer, tensor, reader.at("buffer"), context);
  } else if (fill != nullptr) {
    contents = read_fill(*fill, tensor, reader.at("fill"), context);
  }
  return contents;
}

std::uint64_t default_total(const TensorDesc& tensor, const Contents& contents) {
  const std::uint64_t least =
      stride_count_matches(tensor) ? buffer_tensor_size(tensor).value_or(0) : 0;
  if (contents.kind != Contents::Kind::kPhysical) return least;
  return std::max<std::uint64_t>(least, (contents.bytes.size() + 3) & ~std::uint64_t{3});
}

/// Appends an element that may be free: {"one_of": […]} or {"any": true}.
void append_permitted(const base::Json& value, DataType type, const base::Pointer& at,
                      const TensorContext& context, ExpectedOutput& output) {
  if (!value.is_object()) return append_element(value, type, at, context, output.elements);
  const std::size_t size_bytes = element_size_bytes(type);
  base::ObjectReader reader(value, at, context.file);
  ExpectedOutput::OpenElement open{output.elements.size() / size_bytes, false, {}};
  if (const base::Json* any = reader.find("any")) {
    if (*any != true) reader.fail("any", "must be true, but is " + base::excerpt(*any));
    open.any = true;
    output.elements.resize(output.elements.size() + size_bytes);
  } else {
    const base::Json& one_of = reader.require("one_of");
    if (!one_of.is_array() || one_of.empty())
      reader.fail("one_of", "must be an array of at least one element");
    const base::Pointer list_at = reader.at("one_of");
    append_element(one_of[0], type, base::Pointer(list_at, std::size_t{0}), context,
                   output.elements);
    for (std::size_t i = 1; i < one_of.size(); ++i)
      append_element(one_of[i], type, base::Pointer(list_at, i), context, open.values);
  }
  reader.expect_no_others();
  output.open_elements.push_back(std::move(open));
}

}  // namespace

TensorDesc read_tensor(const base::Json& value, const base::Pointer& at,
                       const TensorContext& context, Access access, Contents* contents) {
  const bool directml = context.dialect == Dialect::kDirectml;
  const std::string_view type_key = directml ? "DataType" : "type";
  const std::string_view sizes_key = sizes_name(context.dialect);
  base::ObjectReader reader(value, at, context.file);
  TensorDesc tensor;

  reader.require(type_key);
  const std::string type = *reader.find_string(type_key);
  const std::optional<DataType> data_type = parse_data_type(type, context.dialect);
  if (!data_type) reader.fail(type_key, base::no_such_data_type(type, context.dialect));
  tensor.data_type = *data_type;
  tensor.sizes = read_dims(reader.require(sizes_key), reader.at(sizes_key), context);
  if (directml) {
    const base::Json* strides = reader.find("Strides");
    if (strides != nullptr && !strides->is_null())
      tensor.strides = read_dims(*strides, reader.at("Strides"), context);
  }
  Contents held;
  if (access == Access::kInput) held = read_contents(reader, tensor, context);
  if (directml) {
    const base::Json* total = reader.find("TotalTensorSizeInBytes");
    tensor.total_tensor_size_bytes =
        total == nullptr ? default_total(tensor, held)
                         : base::read_integer<std::uint64_t>(
                               *total, reader.at("TotalTensorSizeInBytes"), context.file);
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

ExpectedOutput read_expected_output(const base::Json& value, const TensorDesc& tensor,
                                    const base::Pointer& at, const TensorContext& context) {
  ExpectedOutput output;
  const OnEntry append_one = [&](const base::Json& one, const base::Pointer& one_at) {
    append_permitted(one, tensor.data_type, one_at, context, output);
  };
  for_each_entry(
      value, tensor, at, context, [&](const base::Json& entry, const base::Pointer& entry_at) {
        const std::size_t open_before = output.open_elements.size();
        const std::uint64_t count =
            append_entry(entry, tensor.data_type, entry_at, context, append_one, output.elements);
        if (output.open_elements.size() == open_before) return;
        // A run repeats what is permitted as well.
        for (std::uint64_t i = 1; i < count; ++i) {
          ExpectedOutput::OpenElement next = output.open_elements.back();
          ++next.element;
          output.open_elements.push_back(std::move(next));
        }
      });
  // As the reference says it, so that both are judged alike.
  const bool nothing_else =
      output.open_elements.size() * tensor.element_size_bytes() == output.elements.size() &&
      std::all_of(output.open_elements.begin(), output.open_elements.end(),
                  [](const auto& open) { return open.any; });
  if (nothing_else && !output.elements.empty()) return {true, {}, {}};
  return output;
}

}  // namespace opconform::cases
