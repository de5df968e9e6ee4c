#include "harness/judging/check.h"

#include <algorithm>
#include <cstring>

#include "harness/base/bad_input.h"
#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/cases/contents.h"
#include "harness/judging/judge.h"
#include "harness/judging/oracle.h"
#include "spec/fields.h"
#include "spec/validate.h"

namespace opconform::harness {
namespace {

[[noreturn]] void cannot_run(const Case& tested, const std::string& why) {
  throw BadInput(tested.file, tested.id, why);
}

/// What an unwritten element of type string shows.
constexpr std::string_view kUnwritten = "(never written)";

/// The memory of one execution: guarded buffers, and what stood in them before.
class Memory {
 public:
  Memory(const Case& tested, const TensorList& tensors, const CheckOptions& options, Base base)
      : tensors_(tensors) {
    const Dialect dialect = tested.version.dialect();
    demand_room(tested, options.memory_limit_bytes);
    const std::optional<std::uint64_t> index_limit = indexed_size(tested.op);
    // Each case other addresses: together they start at all of them.
    std::uint64_t seed =
        random_bits(base == Base::kOdd ? options.seed : ~options.seed, hash_text(tested.id));
    const auto add = [&](const NamedTensor& tensor) {
      seed = random_bits(seed, buffers_.size());
      buffers_.emplace_back(buffer_size_bytes(tensor.desc, dialect),
                            tensor.desc.element_size_bytes(), options.guard, seed, base);
      return buffers_.back().bytes();
    };
    buffers_.reserve(tensors.inputs.size() + tensors.outputs.size());
    for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
      const NamedTensor& tensor = tensors.inputs[i];
      const std::span<std::byte> buffer = add(tensor);
      if (tested.inputs[i].kind == Contents::Kind::kNone && !buffer.empty())
        cannot_run(tested, tensor.path.text() + " has no contents, but the case is to be executed");
      write_contents(tested.inputs[i], tensor.desc,
                     tensor.field.content == Content::kIndices ? index_limit : std::nullopt,
                     *tested.strings, seed, buffer);
      inputs_.push_back(buffer);
      inputs_before_.emplace_back(buffer.begin(), buffer.end());
    }
    for (const NamedTensor& tensor : tensors.outputs) outputs_.push_back(add(tensor));
  }

  /// Fills the outputs so that an element which is never written cannot pass for a right one.
  void prepare_outputs(const Expectation& expected, std::uint64_t seed) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      fill_with_noise(outputs_[i], ~seed);
      mark_unwritten(expected, i);
      outputs_before_.emplace_back(outputs_[i].begin(), outputs_[i].end());
    }
  }

  [[nodiscard]] std::uint64_t size_bytes() const {
    std::uint64_t size_bytes = 0;
    for (const GuardedBuffer& buffer : buffers_) size_bytes += buffer.bytes().size();
    return size_bytes;
  }
  [[nodiscard]] std::span<const std::span<const std::byte>> inputs() const { return inputs_; }
  [[nodiscard]] Bindings bindings() const { return {inputs_, outputs_}; }
  [[nodiscard]] std::vector<ObservedInput> observed_inputs() const {
    std::vector<ObservedInput> observed;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      observed.push_back({tensors_.inputs[i], inputs_before_[i], inputs_[i]});
    return observed;
  }
  [[nodiscard]] std::vector<ObservedOutput> observed_outputs() const {
    std::vector<ObservedOutput> observed;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      observed.push_back({tensors_.outputs[i], outputs_before_[i], outputs_[i]});
    return observed;
  }
  [[nodiscard]] Judgement judge_canaries() const {
    Judgement result;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      result.checks += buffers_[i].guard_size_bytes();
      const std::optional<std::ptrdiff_t> changed = buffers_[i].changed_canary();
      if (!changed) continue;
      const NamedTensor& tensor = i < tensors_.inputs.size()
                                      ? tensors_.inputs[i]
                                      : tensors_.outputs[i - tensors_.inputs.size()];
      const std::size_t size_bytes = buffers_[i].bytes().size();
      result.verdict = Verdict::kMemoryFault;
      result.rule = "tensor.outside-intact";
      result.message = "wrote outside " + tensor.path.text() + ": byte " +
                       std::to_string(*changed) + ", where its buffer has " +
                       std::to_string(size_bytes) + " bytes";
      break;
    }
    return result;
  }

 private:
  void demand_room(const Case& tested, std::uint64_t limit_bytes) const {
    // However high the limit: layouts of up to 2 GiB can always be told valid or not
    // (kOverlapWorkLimit).
    limit_bytes = std::min(limit_bytes, kOverlapWorkLimit);
    std::uint64_t left = limit_bytes;
    const auto add = [&](const NamedTensor& tensor) {
      std::uint64_t size_bytes = buffer_size_bytes(tensor.desc, tested.version.dialect());
      // Every index is read, also where a stride of 0 makes 2^32 of them out of one: what takes
      // time counts.
      if (tensor.field.content == Content::kIndices)
        size_bytes = std::max(size_bytes, element_count(tensor.desc.sizes).value_or(0) *
                                              tensor.desc.element_size_bytes());
      if (size_bytes > left)
        cannot_run(tested, tensor.path.text() + " needs " + std::to_string(size_bytes) +
                               " bytes, more than the memory limit of " +
                               std::to_string(limit_bytes) + " bytes leaves for it");
      left -= size_bytes;
    };
    for (const NamedTensor& tensor : tensors_.inputs) add(tensor);
    for (const NamedTensor& tensor : tensors_.outputs) add(tensor);
  }

  void mark_unwritten(const Expectation& expected, std::size_t output) {
    if (expected.kind == Expectation::Kind::kAnyOf) {
      for (const Expectation& one : expected.any_of) mark_unwritten(one, output);
      return;
    }
    const TensorDesc& tensor = tensors_.outputs[output].desc;
    const std::size_t size_bytes = tensor.element_size_bytes();
    const bool is_known =
        expected.kind == Expectation::Kind::kOutputs && !expected.outputs[output].unspecified;
    const bool is_string = tensor.data_type == DataType::kString;
    if (!is_known && !is_string) return;
    const StringElement unwritten{kUnwritten.data(), kUnwritten.size()};
    auto freedom = expected.outputs.empty() ? std::vector<ExpectedOutput::Freedom>::const_iterator{}
                                            : expected.outputs[output].freedoms.begin();
    for_each_element(tensor, [&](std::uint64_t number, std::uint64_t offset) {
      std::byte* element = outputs_[output].data() + offset * size_bytes;
      if (is_string) {
        std::memcpy(element, &unwritten, sizeof unwritten);
        return;
      }
      const ExpectedOutput& wanted = expected.outputs[output];
      const std::byte* value = wanted.elements.data() + number * size_bytes;
      const ExpectedOutput::Freedom* free = nullptr;
      if (freedom != wanted.freedoms.end() && freedom->element == number) free = &*freedom++;
      for (std::size_t i = 0; i < size_bytes; ++i) element[i] = ~value[i];
      // Step through values until none that is permitted stands there.
      const auto is_permitted = [&] {
        if (free == nullptr) return false;
        const std::span<const std::byte> values = free->values;
        for (std::size_t at = 0; at < values.size(); at += size_bytes)
          if (std::memcmp(values.subspan(at, size_bytes).data(), element, size_bytes) == 0)
            return true;
        return std::memcmp(value, element, size_bytes) == 0;
      };
      for (int step = 0; step < 256 && is_permitted(); ++step)
        element[0] = static_cast<std::byte>(std::to_integer<unsigned>(element[0]) + 1U);
    });
  }

  const TensorList& tensors_;
  std::vector<GuardedBuffer> buffers_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
  std::vector<std::vector<std::byte>> inputs_before_;
  std::vector<std::vector<std::byte>> outputs_before_;
};

/// More than one element to choose from, and all of them alike: a wrong index could not have shown.
bool contents_are_weak(const TensorList& tensors, const Memory& memory) {
  const std::byte* first = nullptr;
  DataType type{};
  std::uint64_t count = 0;
  bool differ = false;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    if (tensor.field.content != Content::kValues) continue;
    const std::byte* buffer = memory.inputs()[i].data();
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    count += element_count(tensor.desc.sizes).value_or(0);
    for_each_address(tensor.desc, [&](std::uint64_t offset) {
      const std::byte* element = buffer + offset * size_bytes;
      if (first == nullptr) {
        first = element;
        type = tensor.desc.data_type;
      }
      differ = differ || !same_element(type, first, element);
    });
  }
  return count > 1 && !differ;
}

/// The same descriptor with other contents.
Case with_other_inputs(const Case& tested) {
  Case other;
  other.id = tested.id;
  other.file = tested.file;
  other.op = tested.op;
  other.version = tested.version;
  other.inputs = tested.inputs;
  std::uint64_t number = 0;
  for (Contents& input : other.inputs)
    input = {Contents::Kind::kRandom, {}, random_bits(hash_text(tested.id), number++)};
  other.strings = std::make_shared<StringPool>();
  return other;
}

void take(Judgement judgement, CaseResult& result, std::uint64_t& checks) {
  checks += judgement.checks;
  take(std::move(judgement), result);
}

}  // namespace

CaseResult check_case(const Case& tested, Backend& backend, const CheckOptions& options) {
  CaseResult result;
  result.case_id = tested.id;
  result.backend = backend.name();
  result.verdict = Verdict::kPass;
  std::uint64_t checks = 0;

  const Violations violations = validate(tested.op, tested.version);
  if (violations.list().empty() && !violations.undecided().empty())
    cannot_run(tested, violations.undecided().front().message);
  Expectation expected = tested.expect;
  if (expected.kind == Expectation::Kind::kReference && !violations.empty()) {
    expected.kind = Expectation::Kind::kRejected;
    for (const std::string_view rule : violations.rules()) expected.rules.emplace_back(rule);
  }

  const auto succeeds = [&](auto&& call) {
    try {
      call();
      return true;
    } catch (const std::exception& error) {
      result.verdict = Verdict::kCrash;
      result.message = "ended by an exception: " + words_of_others(error.what());
      return false;
    }
  };
  Prepared prepared;
  // A plan has what it needs: the descriptor changes once it is prepared, and another plan is there
  // while it is executed.
  Operator given = tested.op;
  if (!succeeds([&] { prepared = backend.prepare(given, tested.version); })) return result;
  if (const Refusal* refusal = std::get_if<Refusal>(&prepared)) {
    if (refusal->unsupported) {
      result.verdict = Verdict::kUnsupported;
      result.message = words_of_others(refusal->message);
      return result;
    }
    take(judge_refusal(expected, *refusal, backend.names_rules()), result, checks);
    return result;
  }
  if (!permits_acceptance(expected)) {
    take(judge_acceptance(expected), result, checks);
    return result;
  }
  if (!violations.empty()) {
    // No buffers can be made for it.
    result.verdict = Verdict::kWrongRejection;
    result.rule = violations.list().front().rule;
    result.message = "a result is expected of a descriptor that breaks a rule: " +
                     violations.list().front().message;
    return result;
  }

  const TensorList tensors(tested.op);
  given = with_single_elements(tested.op);
  Prepared another;
  if (!succeeds([&] { another = backend.prepare(given, tested.version); })) return result;
  Executable& executable = *std::get<std::unique_ptr<Executable>>(prepared);
  std::optional<Failure> failure;
  const auto passes = [&](Memory& memory, const char* which) {
    memory.prepare_outputs(expected, options.seed);
    if (!succeeds([&] { failure = executable.execute(memory.bindings()); })) return false;
    const std::vector<ObservedInput> inputs = memory.observed_inputs();
    const std::vector<ObservedOutput> outputs = memory.observed_outputs();
    take(memory.judge_canaries(), result, checks);
    take(judge_inputs(inputs), result, checks);
    take(failure ? judge_failure(expected, *failure, backend.names_rules(), outputs)
                 : judge_outputs(expected, inputs, outputs, options.strict_gaps),
         result, checks);
    if (result.verdict == Verdict::kPass) return true;
    result.message += which;
    return false;
  };
  Memory memory(tested, tensors, options, Base::kOdd);
  if (expected.kind == Expectation::Kind::kReference)
    expected = reference_expectation(tested.op, tested.version, tensors, memory.inputs());
  const bool pass = [&] {
    if (!passes(memory, "")) return false;
    result.weak = !failure && contents_are_weak(tensors, memory);
    if (memory.size_bytes() > options.most_executed_again_bytes) return true;
    result.choices = choices_made(tested.op, tested.version, memory.observed_inputs(),
                                  memory.observed_outputs(), failure.has_value());
    // The first buffers stay: a plan that holds on to them must not find its new ones there.
    Memory again(tested, tensors, options, Base::kWide);
    if (!passes(again, " (in the second execution)")) return false;
    // The reference says what is due: that it is right was seen with the case's own inputs.
    const Case other = with_other_inputs(tested);
    Memory with_others(other, tensors, options, Base::kOdd);
    expected = reference_expectation(tested.op, tested.version, tensors, with_others.inputs());
    return passes(with_others, " (in the third execution, with other inputs)");
  }();
  if (!pass) {
    result.weak = false;
    result.choices.clear();
  }
  if (pass && checks == 0) result.verdict = Verdict::kVacuous;
  if (result.verdict == Verdict::kMismatch && result.rule.empty() && !tested.rules.empty())
    result.rule = tested.rules.front();
  return result;
}

}  // namespace opconform::harness
