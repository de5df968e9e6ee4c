#include "harness/generation/generator.h"

#include <algorithm>
#include <array>

namespace opconform::generation {
namespace {

constexpr std::size_t kOperatorCount = std::variant_size_v<Operator>;

/// An operator's generator without its type.
struct Entry {
  const FactorModel* model;
  void (*make)(const Assignment&, Draws&, Generated&);
  bool (*break_rule)(std::string_view, Draws&, Generated&);
  std::vector<std::string_view> rules;
};

// Rules that any tensor of a DirectML operator can break by itself.

bool break_buffer_size(Draws& draws, TensorDesc& tensor) {
  const std::uint64_t least = *buffer_tensor_size(tensor);
  tensor.total_tensor_size_bytes = draws.one_in(2) ? least - 4 : 4 * draws.below(least / 4);
  return true;
}
bool break_buffer_granularity(Draws& draws, TensorDesc& tensor) {
  tensor.total_tensor_size_bytes += draws.between(1, 3);
  return true;
}
bool break_stride_count(Draws& draws, TensorDesc& tensor) {
  if (!tensor.strides) tensor.strides = packed_strides(tensor.sizes);
  if (draws.one_in(2))
    tensor.strides->push_back(draws.below(5));
  else
    tensor.strides->pop_back();
  return true;
}
bool break_sizes_positive(Draws& draws, TensorDesc& tensor) {
  tensor.sizes[draws.below(tensor.rank())] = 0;
  return true;
}
bool break_output_no_overlap(Draws& draws, TensorDesc& tensor) {
  const std::size_t i = draws.below(tensor.rank());
  if (tensor.sizes[i] < 2) return false;
  if (!tensor.strides) tensor.strides = packed_strides(tensor.sizes);
  (*tensor.strides)[i] = 0;
  // Another dimension's stride does it as well.
  const std::size_t other = draws.below(tensor.rank());
  if (other != i && tensor.sizes[other] > 1 && draws.one_in(2))
    (*tensor.strides)[i] = (*tensor.strides)[other];
  tensor.total_tensor_size_bytes =
      std::max(tensor.total_tensor_size_bytes, *buffer_tensor_size(tensor));
  return true;
}

struct TensorBreaker {
  std::string_view rule;
  bool (*apply)(Draws&, TensorDesc&);
};
constexpr std::string_view kOutputsOnly = "tensor.output-no-overlap";
constexpr TensorBreaker kTensorBreakers[] = {
    {"tensor.buffer-size", break_buffer_size},
    {"tensor.buffer-granularity", break_buffer_granularity},
    {"tensor.stride-count", break_stride_count},
    {"tensor.sizes-positive", break_sizes_positive},
    {kOutputsOnly, break_output_no_overlap},
};

template <class Op>
TensorDesc& any_tensor(bool outputs_only, Draws& draws, Op& op) {
  std::vector<MutableTensor> tensors = mutable_tensors(op);
  if (outputs_only)
    std::erase_if(tensors, [](const MutableTensor& tensor) {
      return tensor.field.access != Access::kOutput;
    });
  return *tensors[draws.below(tensors.size())].desc;
}

template <class Op>
bool break_one(std::string_view rule, Draws& draws, Generated& generated) {
  Op& op = std::get<Op>(generated.op);
  for (const TensorBreaker& breaker : kTensorBreakers)
    if (breaker.rule == rule)
      return breaker.apply(draws, any_tensor(rule == kOutputsOnly, draws, op));
  InlineVector<const Breaker<Op>*, 8> ways;
  for (const Breaker<Op>& breaker : breakers(std::type_identity<Op>{}))
    if (breaker.rule == rule) ways.push_back(&breaker);
  return !ways.empty() && ways[draws.below(ways.size())]->apply(draws, op, generated.version);
}

template <class Op>
std::vector<std::string_view> rules_of() {
  std::vector<std::string_view> rules;
  if (Op::kDialect == Dialect::kDirectml)
    for (const TensorBreaker& breaker : kTensorBreakers) rules.push_back(breaker.rule);
  for (const Breaker<Op>& breaker : breakers(std::type_identity<Op>{}))
    if (rules.empty() || rules.back() != breaker.rule) rules.push_back(breaker.rule);
  return rules;
}

template <class Op>
void make(const Assignment& assignment, Draws& draws, Generated& generated) {
  // What the last case left is overwritten: its memory is kept.
  if (!std::holds_alternative<Op>(generated.op)) generated.op = Op{};
  realise(assignment, draws, std::get<Op>(generated.op), generated.version, generated.contents);
}

const std::array<Entry, kOperatorCount>& entries() {
  static const std::array<Entry, kOperatorCount> all = [] {
    std::array<Entry, kOperatorCount> result{};
    std::size_t i = 0;
    for_each_operator([&]<class Op>(std::type_identity<Op> op) {
      result[i++] = {&factor_model(op), make<Op>, break_one<Op>, rules_of<Op>()};
    });
    return result;
  }();
  return all;
}

}  // namespace

const FactorModel& factor_model(std::size_t operator_index) {
  return *entries()[operator_index].model;
}

void generate(std::size_t operator_index, const Assignment& partial, Draws& draws,
              Generated& generated, SizeTier tier) {
  const Entry& entry = entries()[operator_index];
  generated.assignment = partial;
  generated.contents.tier = tier;
  entry.model->complete(generated.assignment, draws);
  entry.make(generated.assignment, draws, generated);
  generated.contents.seed = draws.below(~std::uint64_t{0});
}

std::vector<std::string_view> breakable_rules(std::size_t operator_index) {
  return entries()[operator_index].rules;
}

bool break_rule(std::string_view rule, Draws& draws, Generated& generated) {
  return entries()[generated.op.index()].break_rule(rule, draws, generated);
}

}  // namespace opconform::generation
