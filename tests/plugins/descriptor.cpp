#include "tests/plugins/descriptor.h"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace opconform::plugins {
namespace {

std::string_view view(const opconform_text& text) { return {text.bytes, text.size_bytes}; }

void read_tensor(const opconform_tensor& from, bool has_total, TensorDesc& to) {
  to.data_type = static_cast<DataType>(from.data_type);
  to.sizes.assign(from.sizes, from.sizes + from.rank);
  to.strides.reset();
  if ((from.flags & OPCONFORM_STRIDES_LEFT_OUT) == 0)
    to.strides.emplace(from.strides, from.strides + from.stride_count);
  to.total_tensor_size_bytes = has_total ? from.size_bytes : 0;
}

/// A visitor of the field list that fills the fields in.
class Reader {
 public:
  Reader(const opconform_descriptor& from, Dialect dialect)
      : from_(from), has_total_(dialect == Dialect::kDirectml) {}

  template <class Field, class... Values>
  void operator()(const Field& named, Values&... values) {
    const opconform_field& from = field(named.name);
    (read(from, values), ...);
  }

 private:
  /// They come in the document's order, but nobody has to rely on it.
  const opconform_field& field(std::string_view name) {
    for (std::uint64_t i = 0; i < from_.field_count; ++i) {
      const opconform_field& next = *from_.fields[next_++ % from_.field_count];
      if (view(next.name) == name) return next;
    }
    throw std::runtime_error("the descriptor lacks " + std::string(name));
  }
  void read(const opconform_field& from, TensorDesc& to) const {
    read_tensor(*from.tensors[0], has_total_, to);
  }
  void read(const opconform_field& from, std::vector<TensorDesc>& to) const {
    to.resize(from.count);
    for (std::uint64_t i = 0; i < from.count; ++i) read_tensor(*from.tensors[i], has_total_, to[i]);
  }
  void read(const opconform_field& from, std::uint32_t& to) const {
    to = static_cast<std::uint32_t>(from.numbers[0]);
  }
  void read(const opconform_field& from, std::optional<std::int64_t>& to) const {
    to = from.count == 0 ? std::nullopt : std::optional(from.numbers[0]);
  }
  template <class Integer>
  void read(const opconform_field& from, InlineVector<Integer, kMaxRank>& to) const {
    to.assign(from.numbers, from.numbers + from.count);
  }

  const opconform_descriptor& from_;
  bool has_total_;
  std::uint64_t next_ = 0;
};

}  // namespace

void read_operator(const opconform_descriptor& descriptor, Operator& op) {
  const std::string_view name = view(descriptor.operator_name);
  if (describe(op).name != name) {
    std::optional<Operator> other = make_operator(name);
    if (!other) throw std::runtime_error("no such operator");
    op = *std::move(other);
  }
  std::visit(
      [&]<class Op>(Op& o) {
        Reader reader(descriptor, Op::kDialect);
        Op::visit_fields(o, reader);
      },
      op);
}

Version version_of(const opconform_descriptor& descriptor) {
  if (descriptor.dialect == OPCONFORM_ONNX) return Version::opset(descriptor.version);
  for (const FeatureLevel level : kFeatureLevels)
    if (static_cast<std::uint32_t>(level) == descriptor.version) return level;
  throw std::runtime_error("no such feature level");
}

void Buffers::read(const opconform_descriptor& descriptor) {
  inputs_.clear();
  outputs_.clear();
  for (std::uint64_t i = 0; i < descriptor.field_count; ++i) {
    const opconform_field& field = *descriptor.fields[i];
    if (field.kind != OPCONFORM_FIELD_TENSOR && field.kind != OPCONFORM_FIELD_TENSORS) continue;
    for (std::uint64_t k = 0; k < field.count; ++k) {
      const opconform_tensor& tensor = *field.tensors[k];
      auto* const data = static_cast<std::byte*>(tensor.data);
      const std::size_t size_bytes = data == nullptr ? 0 : tensor.size_bytes;
      if ((tensor.flags & OPCONFORM_INPUT) != 0)
        inputs_.emplace_back(data, size_bytes);
      else
        outputs_.emplace_back(data, size_bytes);
    }
  }
}

}  // namespace opconform::plugins
