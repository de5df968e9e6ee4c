#include "harness/backends/plugin_descriptor.h"

#include <algorithm>
#include <type_traits>

namespace opconform::backends {
namespace {

// The C header counts types as the enumeration does.
static_assert(OPCONFORM_FLOAT64 == static_cast<int>(DataType::kFloat64));
static_assert(OPCONFORM_BFLOAT16 == static_cast<int>(DataType::kBfloat16));
static_assert(OPCONFORM_STRING == static_cast<int>(DataType::kString));
static_assert(sizeof(opconform_text) == sizeof(StringElement));

opconform_text text_of(std::string_view text) { return {text.data(), text.size()}; }

std::size_t dimensions_of(const TensorDesc& tensor) {
  return tensor.rank() + (tensor.strides ? tensor.strides->size() : tensor.rank());
}

template <class Counts, class Op>
Counts count(const Op& op) {
  Counts counts;
  Op::visit_fields(op, [&](const auto& /*field*/, const auto&... values) {
    ++counts.fields;
    if constexpr (sizeof...(values) == 0) ++counts.numbers;
    (
        [&](const auto& value) {
          using Value = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, TensorDesc>) {
            ++counts.tensors;
            counts.dimensions += dimensions_of(value);
          } else if constexpr (std::is_same_v<Value, std::vector<TensorDesc>>) {
            counts.tensors += value.size();
            for (const TensorDesc& tensor : value) counts.dimensions += dimensions_of(tensor);
          } else if constexpr (std::is_same_v<Value, UintArray> ||
                               std::is_same_v<Value, IntArray>) {
            counts.numbers += value.size();
          } else {
            ++counts.numbers;
          }
        }(values),
        ...);
  });
  return counts;
}

std::uint32_t constant_flag(const TensorField& field, std::uint32_t binding) {
  if (field.access != Access::kInput) return 0;
  const std::uint32_t bit =
      field.content == Content::kIndices ? OPCONFORM_CONSTANT_INDICES : OPCONFORM_CONSTANT_VALUES;
  return (binding & bit) != 0 ? OPCONFORM_CONSTANT : 0;
}

}  // namespace

/// How much of each there is, counted before pointers to it are handed out.
struct PluginDescriptor::Counts {
  std::size_t fields = 0;
  std::size_t tensors = 0;
  std::size_t dimensions = 0;
  std::size_t numbers = 0;
};

void PluginDescriptor::make_room(const Counts& counts) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  static_assert(alignof(opconform_field) <= kWord && sizeof(opconform_field) % kWord == 0);
  static_assert(alignof(opconform_tensor) <= kWord && sizeof(opconform_tensor) % kWord == 0);
  block_words_ = counts.fields * (sizeof(opconform_field) / kWord + 1) +
                 counts.tensors * (sizeof(opconform_tensor) / kWord + 1) + counts.dimensions +
                 counts.numbers;
  block_ = std::make_unique_for_overwrite<std::uint64_t[]>(block_words_);
  std::uint64_t* at = block_.get();
  const auto take = [&]<class T>(Part<T>& part, std::size_t count) {
    part.first = reinterpret_cast<T*>(at);
    at += count * (sizeof(T) / kWord);  // NOLINT(bugprone-sizeof-expression): some hold pointers
  };
  take(fields_, counts.fields);
  take(field_pointers_, counts.fields);
  take(tensors_, counts.tensors);
  take(tensor_pointers_, counts.tensors);
  take(dimensions_, counts.dimensions);
  take(numbers_, counts.numbers);
}

/// A visitor of the field list. What it appends to has room for all of it.
class PluginDescriptor::Builder {
 public:
  Builder(PluginDescriptor& to, Dialect dialect) : to_(to), dialect_(dialect) {}

  void operator()(const TensorField& field, const TensorDesc& tensor) {
    const auto* const first = to_.tensor_pointers_.end();
    add_tensor(field, tensor);
    add_field(field.name, OPCONFORM_FIELD_TENSOR, 1, first, nullptr);
  }
  void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
    const auto* const first = to_.tensor_pointers_.end();
    for (const TensorDesc& tensor : tensors) add_tensor(field, tensor);
    add_field(field.name, OPCONFORM_FIELD_TENSORS, tensors.size(), first, nullptr);
  }
  void operator()(const CountField& field) {
    // What it counts may come behind it.
    counts_.push_back({to_.fields_.count, field.arrays.front()});
    add_number(field.name, 0);
  }
  void operator()(const ScalarField& field, std::uint32_t value) { add_number(field.name, value); }
  void operator()(const ScalarField& field, const std::optional<std::int64_t>& value) {
    add_number(field.name, value);
  }
  template <class Integer>
  void operator()(const ArrayField& field, const InlineVector<Integer, kMaxRank>& values) {
    const auto* const first = to_.numbers_.append(values);
    add_field(field.name, OPCONFORM_FIELD_NUMBERS, values.size(), nullptr, first);
  }
  void finish() {
    for (const auto& [place, array] : counts_)
      for (const opconform_field& field : to_.fields_)
        if (std::string_view(field.name.bytes, field.name.size_bytes) == array)
          const_cast<std::int64_t&>(*to_.fields_.first[place].numbers) =
              static_cast<std::int64_t>(field.count);
  }

 private:
  void add_number(std::string_view name, std::optional<std::int64_t> value) {
    const auto* const first = to_.numbers_.end();
    if (value) to_.numbers_.push_back(*value);
    add_field(name, OPCONFORM_FIELD_NUMBER, value ? 1 : 0, nullptr, first);
  }
  void add_field(std::string_view name, std::uint32_t kind, std::size_t count,
                 const opconform_tensor* const* tensors, const std::int64_t* numbers) {
    const opconform_field field{
        sizeof(opconform_field), kind, text_of(name), count, tensors, numbers};
    to_.field_pointers_.push_back(to_.fields_.push_back(field));
  }
  void add_tensor(const TensorField& field, const TensorDesc& desc) {
    opconform_tensor tensor{};
    tensor.struct_size = sizeof tensor;
    tensor.data_type = static_cast<std::uint32_t>(desc.data_type);
    tensor.rank = static_cast<std::uint32_t>(desc.rank());
    const Dims packed = packed_strides(desc.sizes);
    const Dims& strides = desc.strides ? *desc.strides : packed;
    tensor.stride_count = static_cast<std::uint32_t>(strides.size());
    tensor.flags = (field.access == Access::kInput ? OPCONFORM_INPUT : 0) |
                   (strides == packed ? OPCONFORM_PACKED : 0) |
                   (desc.strides ? 0 : OPCONFORM_STRIDES_LEFT_OUT) |
                   constant_flag(field, to_.descriptor_.binding);
    tensor.sizes = to_.dimensions_.append(desc.sizes);
    tensor.strides = to_.dimensions_.append(strides);
    tensor.size_bytes = dialect_ == Dialect::kDirectml
                            ? desc.total_tensor_size_bytes
                            : element_count(desc.sizes).value_or(0) * desc.element_size_bytes();
    to_.tensor_pointers_.push_back(to_.tensors_.push_back(tensor));
  }

  struct Count {
    std::size_t place;
    std::string_view array;
  };

  PluginDescriptor& to_;
  Dialect dialect_;
  InlineVector<Count, 4> counts_;
};

PluginDescriptor::PluginDescriptor(const Operator& op, Version version, std::uint32_t binding) {
  std::visit(
      [&]<class Op>(const Op& o) {
        const auto counts = count<Counts>(o);
        make_room(counts);
        descriptor_.struct_size = sizeof descriptor_;
        descriptor_.dialect =
            Op::kDialect == Dialect::kDirectml ? OPCONFORM_DIRECTML : OPCONFORM_ONNX;
        descriptor_.version = version.number();
        descriptor_.binding = binding;
        descriptor_.operator_name = text_of(Op::kName);
        Builder builder(*this, Op::kDialect);
        Op::visit_fields(o, builder);
        builder.finish();
      },
      op);
  descriptor_.field_count = fields_.count;
  descriptor_.fields = field_pointers_.first;
}

PluginDescriptor::PluginDescriptor(const PluginDescriptor& other)
    : descriptor_(other.descriptor_),
      block_words_(other.block_words_),
      block_(std::make_unique_for_overwrite<std::uint64_t[]>(other.block_words_)),
      fields_(other.fields_),
      field_pointers_(other.field_pointers_),
      tensors_(other.tensors_),
      tensor_pointers_(other.tensor_pointers_),
      dimensions_(other.dimensions_),
      numbers_(other.numbers_) {
  std::copy_n(other.block_.get(), block_words_, block_.get());
  // All pointers into the block of the other lead to the same place in this one.
  const auto move = [&]<class T>(T*& pointer) {
    if (pointer == nullptr) return;
    const auto offset =
        reinterpret_cast<const char*>(pointer) - reinterpret_cast<const char*>(other.block_.get());
    pointer = reinterpret_cast<T*>(reinterpret_cast<char*>(block_.get()) + offset);
  };
  move(fields_.first);
  move(field_pointers_.first);
  move(tensors_.first);
  move(tensor_pointers_.first);
  move(dimensions_.first);
  move(numbers_.first);
  for (const opconform_field*& field : field_pointers_) move(field);
  for (const opconform_tensor*& tensor : tensor_pointers_) move(tensor);
  for (opconform_field& field : fields_) {
    move(field.tensors);
    move(field.numbers);
  }
  for (opconform_tensor& tensor : tensors_) {
    move(tensor.sizes);
    move(tensor.strides);
  }
  move(descriptor_.fields);
}

template <class IsBound>
void PluginDescriptor::bind(const Bindings& bindings, IsBound is_bound) {
  std::size_t input = 0;
  std::size_t output = 0;
  for (opconform_tensor& tensor : tensors_) {
    // The plug-in must not write to an input; where it does, the judgement sees it.
    auto* const data = (tensor.flags & OPCONFORM_INPUT) != 0
                           ? const_cast<std::byte*>(bindings.inputs[input++].data())
                           : bindings.outputs[output++].data();
    tensor.data = is_bound(tensor) ? data : nullptr;
  }
}
void PluginDescriptor::bind_all(const Bindings& bindings) {
  bind(bindings, [](const opconform_tensor&) { return true; });
}
void PluginDescriptor::bind_constants(const Bindings& bindings) {
  bind(bindings,
       [](const opconform_tensor& tensor) { return (tensor.flags & OPCONFORM_CONSTANT) != 0; });
}
void PluginDescriptor::unbind() {
  for (opconform_tensor& tensor : tensors_) tensor.data = nullptr;
}
void PluginDescriptor::spoil() {
  // Small numbers: whoever goes by them is wrong, and need not crash.
  std::fill(dimensions_.begin(), dimensions_.end(), 1);
  std::fill(numbers_.begin(), numbers_.end(), 0);
  for (opconform_tensor& tensor : tensors_) {
    tensor.data_type = OPCONFORM_UINT8;
    tensor.size_bytes = 0;
    tensor.data = nullptr;
  }
  for (opconform_field& field : fields_) field.name.size_bytes = 0;
  descriptor_.version = 0;
}

}  // namespace opconform::backends
