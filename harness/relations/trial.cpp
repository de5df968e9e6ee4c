#include "harness/relations/trial.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/generation/operators/common.h"
#include "harness/judging/found_element.h"
#include "harness/judging/leeway.h"
#include "harness/judging/promised.h"
#include "harness/relations/operator_relations.h"

namespace opconform::relations {
namespace {

Values read_values(const TensorDesc& tensor, std::span<const std::byte> buffer) {
  Values values = zero_values(tensor.data_type, tensor.sizes);
  const std::size_t width = values.width();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::memcpy(values.at(number), buffer.data() + offset * width, width);
  });
  return values;
}

void write_values(const Values& values, const TensorDesc& tensor, std::span<std::byte> buffer) {
  const std::size_t width = values.width();
  base::for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::memcpy(buffer.data() + offset * width, values.at(number), width);
  });
}

std::vector<Values> read_inputs(const generation::Generated& generated,
                                const generation::CaseMemory& memory) {
  std::vector<Values> inputs;
  for_each_tensor(generated.op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kInput)
      inputs.push_back(read_values(tensor.desc, memory.bindings().inputs[inputs.size()]));
  });
  return inputs;
}

std::string rejection_text(const backends::Rejection& rejection) {
  std::string text = "rejected";
  for (const std::string& rule : rejection.rules) text += " " + rule;
  return rejection.message.empty() ? text : text + ": " + rejection.message;
}

}  // namespace

Values zero_values(DataType type, const Dims& sizes) {
  Values values{type, sizes, {}};
  values.bytes.resize(element_count(sizes).value_or(0) * values.width());
  return values;
}

Values selected(const Values& values, const Dims& sizes, const Dims& strides, std::uint64_t first) {
  Values result = zero_values(values.type, sizes);
  base::for_each_element(
      {values.type, sizes, strides, 0}, [&](std::uint64_t number, std::uint64_t offset) {
        std::memcpy(result.at(number), values.at(first + offset), values.width());
      });
  return result;
}

Dims permuted(const Dims& dims, const Dims& order) {
  Dims result;
  for (const std::uint64_t i : order) result.push_back(dims[i]);
  return result;
}

Values permuted(const Values& values, const Dims& order) {
  return selected(values, permuted(values.sizes, order),
                  permuted(packed_strides(values.sizes), order), 0);
}

Dims inverse(const Dims& order) {
  Dims result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = i;
  return result;
}

std::int64_t index_value(const Values& indices, std::uint64_t number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, indices.at(number), indices.width());
  const bool is_narrow = indices.width() == 4;
  return is_narrow && kind(indices.type) == DataTypeKind::kSigned
             ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
             : static_cast<std::int64_t>(bits);
}

void set_index(std::int64_t index, Values& indices, std::uint64_t number) {
  std::memcpy(indices.at(number), &index, indices.width());  // little endian: the low bytes
}

std::optional<std::vector<std::uint64_t>> resolve_indices(const Values& indices,
                                                          std::uint64_t size) {
  const bool is_signed = kind(indices.type) == DataTypeKind::kSigned;
  std::vector<std::uint64_t> coordinates;
  for (std::uint64_t i = 0; i < indices.count(); ++i) {
    const std::int64_t index = index_value(indices, i);
    const auto bound = static_cast<std::int64_t>(size);
    if (index >= bound || index < (is_signed ? -bound : 0)) return std::nullopt;
    coordinates.push_back(static_cast<std::uint64_t>(index < 0 ? index + bound : index));
  }
  return coordinates;
}

const std::vector<Values>& Trial::inputs() {
  if (!inputs_) {
    memory_.make(generated_);
    inputs_ = read_inputs(generated_, memory_);
  }
  return *inputs_;
}

bool Trial::is_defined() {
  const bool allows_negative = defines_negative_indices(generated_.op, generated_.version);
  const cases::TensorList tensors(generated_.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    if (tensors.inputs[i].field.content != Content::kIndices) continue;
    const Values& indices = inputs()[i];
    if (!resolve_indices(indices, *indexed_size(generated_.op))) return false;
    for (std::uint64_t k = 0; k < indices.count() && !allows_negative; ++k)
      if (index_value(indices, k) < 0) return false;
  }
  return true;
}

std::vector<bool> Trial::open_elements() {
  return std::visit([&](const auto& op) { return relations::open_elements(op, inputs()); },
                    generated_.op);
}

const ExecutedCase* Trial::run_case() {
  return execute(runs_.emplace_back(ExecutedCase{generated_, {}, {}}));
}

const ExecutedCase* Trial::run(Operator op, Version version, std::vector<Values> inputs) {
  ExecutedCase& next = runs_.emplace_back();
  next.generated.op = std::move(op);
  next.generated.version = version;
  next.generated.contents.seed = generated_.contents.seed + runs_.size();
  next.generated.contents.base_alignment_bytes = generated_.contents.base_alignment_bytes;
  next.own_inputs = std::move(inputs);
  return execute(next);
}

void Trial::make_memory(const ExecutedCase& run, generation::CaseMemory& memory) {
  if (!run.own_inputs) return memory.make(run.generated);
  memory.make_noise(run.generated);
  std::size_t i = 0;
  for_each_tensor(run.generated.op, [&](const NamedTensor& tensor) {
    if (tensor.field.access != Access::kInput) return;
    write_values((*run.own_inputs)[i], tensor.desc, memory.input(i));
    ++i;
  });
}

const ExecutedCase* Trial::execute(ExecutedCase& run) {
  backends::Prepared prepared = backend_.prepare(run.generated.op, run.generated.version);
  backends::Ending ending;
  if (backends::Rejection* rejection = std::get_if<backends::Rejection>(&prepared)) {
    ending = std::move(*rejection);
  } else {
    make_memory(run, memory_);
    // Relations follow from the documents.
    if (judging::is_promised(backend_.promise(), run.generated.op, run.generated.version,
                             memory_.bindings().inputs)) {
      verdict_ = RelationVerdict::kDoesNotApply;
      return nullptr;
    }
    ending = std::get<std::unique_ptr<backends::Executable>>(prepared)->execute(memory_.bindings());
  }
  if (const auto* rejection = std::get_if<backends::Rejection>(&ending)) {
    verdict_ = rejection->kind == backends::Rejection::Kind::kRejected
                   ? broken(rejection_text(*rejection))
                   : RelationVerdict::kDoesNotApply;
    return nullptr;
  }
  if (const auto* failure = std::get_if<backends::Failure>(&ending)) {
    verdict_ = broken("failed with " + failure->rule + ": " + failure->message);
    return nullptr;
  }
  for_each_tensor(run.generated.op, [&](const NamedTensor& tensor) {
    if (tensor.field.access == Access::kOutput)
      run.outputs.push_back(
          read_values(tensor.desc, memory_.bindings().outputs[run.outputs.size()]));
  });
  return &run;
}

bool Trial::stand_for_each_other(DataType type, const std::byte* a, const std::byte* b) const {
  const cases::Leeway leeway = judging::leeway_of(backend_.promise());
  return judging::stands_for(type, a, b, leeway) || judging::stands_for(type, b, a, leeway);
}

RelationVerdict Trial::compare(std::string_view what, const Values& expected, const Values& found,
                               const std::vector<bool>& open) {
  if (expected.bytes == found.bytes) return RelationVerdict::kHolds;
  if (expected.bytes.size() != found.bytes.size())
    return broken(std::string(what) + " has another number of elements");
  for (std::uint64_t i = 0; i < found.count(); ++i) {
    if (!open.empty() && open[i]) continue;
    // Of two types of one width, either may have changed the value on its way.
    if (judging::same_found(found.type, expected.at(i), found.at(i)) ||
        stand_for_each_other(found.type, expected.at(i), found.at(i)) ||
        stand_for_each_other(expected.type, expected.at(i), found.at(i)))
      continue;
    return broken(std::string(what) + base::coordinates_text(i, expected.sizes) + ": expected " +
                  judging::found_text(found.type, expected.at(i)) + ", found " +
                  judging::found_text(found.type, found.at(i)));
  }
  return RelationVerdict::kHolds;
}

RelationVerdict Trial::broken(std::string message) {
  message_ = std::string(relation_) + ": " + std::move(message);
  return RelationVerdict::kBroken;
}

RelationOutcome Trial::outcome(RelationVerdict verdict) && {
  RelationOutcome result{verdict, {}, {}};
  if (verdict != RelationVerdict::kBroken) return result;
  result.message = std::move(message_);
  for (const ExecutedCase& run : runs_) {
    make_memory(run, memory_);  // as it was before anything ran
    result.cases.push_back(
        generation::case_of(run.generated, memory_,
                            std::string(relation_) + "/" + std::to_string(result.cases.size())));
  }
  return result;
}

TensorDesc with_any_layout(DataType type, const Dims& sizes, generation::Draws& draws) {
  TensorDesc tensor{type, sizes, {}, 0};
  // The classes from this one on let elements share places.
  constexpr auto kClasses = static_cast<std::uint64_t>(generation::LayoutClass::kBroadcast);
  const auto layout_class = static_cast<generation::LayoutClass>(draws.below(kClasses));
  const std::size_t slack = draws.below(generation::kSlackNames.size());
  generation::choose_layout(layout_class, slack, draws, tensor);
  return tensor;
}

}  // namespace opconform::relations
