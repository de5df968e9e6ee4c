#include "harness/judging/siblings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "spec/fields.h"
#include "spec/validate.h"

namespace opconform::judging {
namespace {

/// Makes the change of one way, in place, and takes it back where that is not valid.
class Change {
 public:
  Change(Operator& op, Version& version, std::size_t way)
      : op_(op), version_(version), way_(way), dialect_(describe(op).dialect) {}

  /// Was it made?
  bool make() {
    visit_all();
    return is_made_;
  }
  /// How many ways there are.
  std::size_t count() {
    visit_all();
    return next_;
  }

  // As spec/fields.h calls it.
  void operator()(const TensorField& /*field*/, TensorDesc& tensor) {
    if (is_next()) spread(tensor);
  }
  void operator()(const TensorField& /*field*/, std::vector<TensorDesc>& tensors) {
    if (is_next() && !tensors.empty()) spread(tensors.back());
  }
  void operator()(const CountField& /*field*/) {}
  void operator()(const ScalarField& /*field*/, std::uint32_t& number) { step(number, number); }
  void operator()(const ScalarField& /*field*/, std::optional<std::int64_t>& number) {
    step(number, number.value_or(0));
  }
  template <class Integer>
  void operator()(const ArrayField& /*field*/, InlineVector<Integer, kMaxRank>& numbers) {
    for (const int by : {1, -1}) {
      if (!is_next()) continue;
      for (Integer& number : numbers)
        if (set(number, stepped(number, by))) break;
    }
  }

 private:
  void visit_all() {
    if (is_next()) change_version();
    if (is_next())
      change_type(Content::kValues, std::array{DataType::kFloat16, DataType::kUint32,
                                               DataType::kInt8, DataType::kUint64});
    if (is_next())
      change_type(Content::kIndices, std::array{DataType::kInt32, DataType::kUint32,
                                                DataType::kInt64, DataType::kUint64});
    if (is_next()) (void)set(op_, with_single_elements(op_));
    std::visit([&](auto& op) { op.visit_fields(op, *this); }, op_);
  }
  bool is_next() { return next_++ == way_ && !is_made_; }

  /// Gives the place another value, unless that is not valid.
  template <class Value, class Other>
  bool set(Value& place, Other other) {
    if (place == other) return false;
    Value before = std::exchange(place, std::move(other));
    is_made_ = is_valid(op_, version_);
    if (!is_made_) place = std::move(before);
    return is_made_;
  }
  template <class Number, class Value>
  void step(Number& number, Value from) {
    for (const int by : {1, -1})
      if (is_next()) (void)set(number, stepped(from, by));
  }
  /// Beyond the greatest of its type, the least: a change like others.
  template <class Integer>
  static Integer stepped(Integer number, int by) {
    using Unsigned = std::make_unsigned_t<Integer>;
    return static_cast<Integer>(static_cast<Unsigned>(number) + static_cast<Unsigned>(by));
  }

  void change_version() {
    for (const Version other : versions_of(describe(op_)))
      if (set(version_, other)) return;
  }
  /// Of all tensors with such elements that have the type of the first of them.
  void change_type(Content content, const std::array<DataType, 4>& types) {
    const Operator before = op_;
    std::optional<DataType> old;
    for (const DataType type : types) {
      Operator other = before;
      for (const MutableTensor& tensor : mutable_tensors(other)) {
        if (tensor.field.content != content ||
            tensor.desc->data_type != old.value_or(tensor.desc->data_type))
          continue;
        old = tensor.desc->data_type;
        tensor.desc->data_type = type;
        fit_buffer(*tensor.desc);
      }
      if (set(op_, std::move(other))) return;
    }
  }
  /// The elements twice as far from one another.
  void spread(TensorDesc& tensor) {
    if (dialect_ != Dialect::kDirectml || !stride_count_matches(tensor)) return;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    TensorDesc other = tensor;
    other.strides = effective_strides(tensor);
    for (std::uint64_t& stride : *other.strides) stride = std::min(stride, kMost) * 2;
    fit_buffer(other);
    (void)set(tensor, std::move(other));
  }
  void fit_buffer(TensorDesc& tensor) const {
    if (dialect_ == Dialect::kDirectml && stride_count_matches(tensor))
      tensor.total_tensor_size_bytes =
          std::max(tensor.total_tensor_size_bytes, buffer_tensor_size(tensor).value_or(0));
  }

  Operator& op_;
  Version& version_;
  const std::size_t way_;
  const Dialect dialect_;
  std::size_t next_ = 0;
  bool is_made_ = false;
};

}  // namespace

std::size_t sibling_count(const Operator& op) {
  Operator copy = op;
  Version version = Version::standard(describe(op).dialect);
  return Change(copy, version, std::numeric_limits<std::size_t>::max()).count();
}

std::optional<Sibling> sibling(const Operator& op, Version version, std::size_t way) {
  Sibling made{op, version};
  if (!Change(made.op, made.version, way).make()) return std::nullopt;
  return made;
}

std::vector<Sibling> siblings(const Operator& op, Version version, std::size_t first) {
  std::vector<Sibling> all;
  const std::size_t count = sibling_count(op);
  for (std::size_t i = 0; i < count; ++i)
    if (auto one = sibling(op, version, (first + i) % count)) all.push_back(*std::move(one));
  return all;
}

}  // namespace opconform::judging
