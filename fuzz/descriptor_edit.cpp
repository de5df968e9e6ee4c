#include "fuzz/descriptor_edit.h"

#include <array>
#include <limits>

namespace opconform::fuzz {
namespace {

using generation::Draws;

/// Small, near a power of two, or any; in the range of the type.
template <class Integer>
Integer any_number(Draws& draws) {
  constexpr unsigned kBits = std::numeric_limits<std::make_unsigned_t<Integer>>::digits;
  std::uint64_t bits = 0;
  switch (draws.below(4)) {
    case 0:
      bits = draws.below(10);
      break;
    case 1:
      bits = std::uint64_t{0} - draws.below(10);
      break;
    case 2:
      bits = (std::uint64_t{1} << draws.below(kBits)) + draws.below(5) - 2;
      break;
    default:
      bits = draws.below(std::numeric_limits<std::uint64_t>::max());
  }
  return static_cast<Integer>(bits);
}

/// Changes one field of an operator, that with the number that is left; a visitor of its field
/// list.
class Editor {
 public:
  Editor(Draws& draws, Dialect dialect, std::size_t field)
      : draws_(draws), dialect_(dialect), fields_left_(field) {}

  template <class Field, class... Value>
  void operator()(const Field& /*field*/, Value&... value) {
    // A count has no value of its own.
    if constexpr (sizeof...(value) == 1) {
      if (fields_left_-- == 0) (edit(value), ...);
    }
  }

 private:
  void edit(TensorDesc& tensor) {
    const bool directml = dialect_ == Dialect::kDirectml;
    switch (draws_.below(directml ? 5 : 2)) {
      case 0:
        edit_sizes(tensor.sizes);
        break;
      case 1:
        edit_type(tensor);
        break;
      case 2:
        edit_strides(tensor);
        break;
      case 3:
        tensor.total_tensor_size_bytes = any_number<std::uint64_t>(draws_);
        return;
      default:
        return;  // the least total, below
    }
    // Mostly what the layout needs: a total that is wrong would be all there is to say.
    if (directml && stride_count_matches(tensor) && !draws_.one_in(4))
      tensor.total_tensor_size_bytes = buffer_tensor_size(tensor).value_or(0);
  }
  void edit(std::vector<TensorDesc>& tensors) {
    switch (tensors.empty() ? 0 : draws_.below(6)) {
      case 0:
        tensors.push_back(tensors.empty() ? TensorDesc{} : tensors.front());
        break;
      case 1:
        tensors.pop_back();
        break;
      default:
        edit(tensors[draws_.below(tensors.size())]);
    }
  }
  void edit(std::uint32_t& value) { value = any_number<std::uint32_t>(draws_); }
  void edit(std::optional<std::int64_t>& value) {
    value.reset();
    if (!draws_.one_in(4)) value = any_number<std::int64_t>(draws_);
  }
  template <class Integer>
  void edit(InlineVector<Integer, kMaxRank>& values) {
    edit_list(values, [&] { return any_number<Integer>(draws_); });
  }

  void edit_sizes(Dims& sizes) {
    edit_list(sizes, [&] { return any_dimension(); });
  }
  void edit_type(TensorDesc& tensor) {
    // Only what has a name in the dialect can stand in a case file.
    const std::array<DataType, kDataTypeCount>& types = all_data_types();
    const DataType type = types[draws_.below(types.size())];
    if (!name(type, dialect_).empty()) tensor.data_type = type;
  }
  void edit_strides(TensorDesc& tensor) {
    if (draws_.one_in(4)) {
      tensor.strides.reset();
      return;
    }
    if (!tensor.strides) tensor.strides = Dims(tensor.rank(), 1);
    edit_list(*tensor.strides, [&] { return any_dimension(); });
  }
  std::uint64_t any_dimension() {
    // ONNX counts sizes in 64 bits with a sign.
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return dialect_ == Dialect::kDirectml ? any_number<std::uint32_t>(draws_)
                                          : any_number<std::uint64_t>(draws_) & kMost;
  }
  /// One element changed, one more, one less, or none left.
  template <class List, class AnyElement>
  void edit_list(List& list, AnyElement&& any_element) {
    switch (draws_.below(12)) {
      case 0:
        if (list.size() < list.capacity()) list.push_back(any_element());
        break;
      case 1:
        if (!list.empty()) list.pop_back();
        break;
      case 2:
        list.clear();
        break;
      case 3:
        while (list.size() < list.capacity()) list.push_back(1);
        break;
      default:
        if (!list.empty()) list[draws_.below(list.size())] = any_element();
    }
  }

  Draws& draws_;
  Dialect dialect_;
  std::size_t fields_left_;
};

template <class Op>
void edit_field(Draws& draws, Op& op) {
  std::size_t count = 0;
  Op::visit_fields(op,
                   [&](const auto& /*field*/, const auto&... value) { count += sizeof...(value); });
  Op::visit_fields(op, Editor(draws, Op::kDialect, draws.below(count)));
}

}  // namespace

void edit_anything(Draws& draws, Operator& op, Version& version) {
  if (!draws.one_in(12)) return std::visit([&](auto& o) { edit_field(draws, o); }, op);
  if (version.dialect() == Dialect::kDirectml)
    version = draws.of(std::span<const FeatureLevel>(kFeatureLevels));
  else
    version = Version::opset(1 + any_number<std::uint32_t>(draws) % 0xFFFF);
}

}  // namespace opconform::fuzz
