// A plug-in in C++ as a class: exceptions instead of codes, and the operators' fields read by name
// once for all engines.
//
//   class Engine {
//    public:
//     static constexpr const char* kName = "mine";
//     explicit Engine(Options& options);         // throws Answer where an option is wrong
//     std::string version() const;
//     std::string promise() const;               // a name or JSON; docs/promises.md
//     std::string lacks(const opconform_tensor& tensor, bool is_indices) const;  // empty: nothing
//     void run(const Gather& op);                // one for each operator that is offered
//     static Answer answer_of(const std::exception& error);  // what an error of the engine means
//   };
//   OPCONFORM_ADAPTER(Engine)
//
// Nothing is checked here on the engine's behalf: whatever can be said to it, it gets.
#pragma once

#include <opconform/plugin.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opconform_adapter {

/// Ends a call with something else than OPCONFORM_DONE.
class Answer : public std::runtime_error {
 public:
  Answer(std::int32_t status, const std::string& text)
      : std::runtime_error(text), status_(status) {}
  [[nodiscard]] std::int32_t status() const { return status_; }

 private:
  std::int32_t status_;
};
inline Answer refused(const std::string& text) { return {OPCONFORM_REFUSED, text}; }
inline Answer not_offered(const std::string& text) { return {OPCONFORM_NOT_OFFERED, text}; }
inline Answer failed(const std::string& text) { return {OPCONFORM_FAILED, text}; }

/// What stands behind the commas of --backend.
class Options {
 public:
  Options(const opconform_text* texts, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      left_.emplace_back(texts[i].bytes, texts[i].size_bytes);
  }
  /// The value of an option; without it, the first of those that there are.
  std::string choice(const std::string& name, const std::vector<std::string>& values) {
    for (auto at = left_.begin(); at != left_.end(); ++at) {
      if (at->compare(0, name.size() + 1, name + "=") != 0) continue;
      const std::string value = at->substr(name.size() + 1);
      if (std::find(values.begin(), values.end(), value) == values.end())
        throw failed(name + " can be" + listed(values) + ", but is " + value);
      left_.erase(at);
      return value;
    }
    return values.front();
  }
  /// Throws where an option is left that nobody asked for.
  void demand_none_left() const {
    if (!left_.empty()) throw failed("there is no option " + left_.front());
  }

 private:
  static std::string listed(const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) list += " " + value;
    return list;
  }
  std::vector<std::string> left_;
};

using Numbers = std::vector<std::int64_t>;

/// The numbers as engines count them.
inline Numbers numbers_of(const std::uint64_t* values, std::uint32_t count) {
  Numbers numbers;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (values[i] > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw not_offered("the engine counts in signed numbers");
    numbers.push_back(static_cast<std::int64_t>(values[i]));
  }
  return numbers;
}
inline Numbers sizes_of(const opconform_tensor& tensor) {
  return numbers_of(tensor.sizes, tensor.rank);
}
inline Numbers strides_of(const opconform_tensor& tensor) {
  return numbers_of(tensor.strides, tensor.stride_count);
}

inline const opconform_field& field_of(const opconform_descriptor& descriptor, const char* name) {
  const opconform_field* const field = opconform_find(&descriptor, name);
  if (field == nullptr) throw not_offered(std::string("the descriptor has no ") + name);
  return *field;
}
inline const opconform_tensor& tensor_of(const opconform_descriptor& descriptor, const char* name) {
  return *field_of(descriptor, name).tensors[0];
}
inline std::vector<const opconform_tensor*> tensors_of(const opconform_descriptor& descriptor,
                                                       const char* name) {
  const opconform_field& field = field_of(descriptor, name);
  return {field.tensors, field.tensors + field.count};
}
inline Numbers numbers_of(const opconform_descriptor& descriptor, const char* name) {
  const opconform_field& field = field_of(descriptor, name);
  return {field.numbers, field.numbers + field.count};
}

/// ONNX Gather. The axis is as the descriptor has it, so it may be negative.
struct Gather {
  static constexpr const char* kName = "ONNX_GATHER";
  explicit Gather(const opconform_descriptor& from)
      : data(tensor_of(from, "data")),
        indices(tensor_of(from, "indices")),
        output(tensor_of(from, "output")),
        axis(opconform_find_number(&from, "axis", 0)) {}
  const opconform_tensor& data;
  const opconform_tensor& indices;
  const opconform_tensor& output;
  std::int64_t axis;

  /// The axis counted from the front. For those whose call wants it so, or who must look at the
  /// shapes.
  [[nodiscard]] std::size_t axis_from_front() const {
    const std::int64_t rank = data.rank;
    const std::int64_t counted = axis < 0 ? axis + rank : axis;
    if (counted < 0 || counted >= rank) throw not_offered("this axis cannot be said");
    return static_cast<std::size_t>(counted);
  }
  /// The sizes of the output with one dimension in place of those of the indices, for calls whose
  /// indices have one dimension. To them all can be said of such indices, and of others only an
  /// output of the right shape.
  [[nodiscard]] Numbers output_sizes_with_flat_indices() const {
    Numbers sizes = sizes_of(output);
    if (indices.rank == 1) return sizes;
    const std::size_t at = axis_from_front();
    const Numbers replaced = sizes_of(indices);
    if (sizes.size() + 1 != data.rank + replaced.size() ||
        !std::equal(replaced.begin(), replaced.end(),
                    sizes.begin() + static_cast<std::ptrdiff_t>(at)))
      throw not_offered(
          "the call takes indices of one dimension: the output's shape cannot be said");
    std::uint64_t count = 1;  // of buffers that exist, or empty: what wraps is not seen
    for (const std::int64_t size : replaced) count *= static_cast<std::uint64_t>(size);
    const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(at);
    sizes.insert(sizes.erase(first, first + static_cast<std::ptrdiff_t>(replaced.size())),
                 static_cast<std::int64_t>(count));
    return sizes;
  }
};

struct Scatter {
  static constexpr const char* kName = "DML_SCATTER";
  explicit Scatter(const opconform_descriptor& from)
      : input(tensor_of(from, "InputTensor")),
        indices(tensor_of(from, "IndicesTensor")),
        updates(tensor_of(from, "UpdatesTensor")),
        output(tensor_of(from, "OutputTensor")),
        axis(opconform_find_number(&from, "Axis", 0)) {}
  const opconform_tensor& input;
  const opconform_tensor& indices;
  const opconform_tensor& updates;
  const opconform_tensor& output;
  std::int64_t axis;
};

struct Split {
  static constexpr const char* kName = "DML_SPLIT";
  explicit Split(const opconform_descriptor& from)
      : input(tensor_of(from, "InputTensor")),
        outputs(tensors_of(from, "OutputTensors")),
        axis(opconform_find_number(&from, "Axis", 0)) {}
  const opconform_tensor& input;
  std::vector<const opconform_tensor*> outputs;
  std::int64_t axis;

  /// The outputs' sizes along the axis, which is all that a split is told of them.
  [[nodiscard]] Numbers sections() const {
    Numbers sections;
    for (const opconform_tensor* const one : outputs) {
      if (axis >= one->rank)
        throw not_offered("sizes along an axis that an output does not have cannot be said");
      sections.push_back(sizes_of(*one)[static_cast<std::size_t>(axis)]);
    }
    return sections;
  }
};

struct Join {
  static constexpr const char* kName = "DML_JOIN";
  explicit Join(const opconform_descriptor& from)
      : inputs(tensors_of(from, "InputTensors")),
        output(tensor_of(from, "OutputTensor")),
        axis(opconform_find_number(&from, "Axis", 0)) {}
  std::vector<const opconform_tensor*> inputs;
  const opconform_tensor& output;
  std::int64_t axis;
};

/// Slice1 in the words of engines: where each dimension starts, its step, and how many elements it
/// has, which is the output's word. The window itself cannot be said.
struct Slice {
  static constexpr const char* kName = "DML_SLICE1";
  explicit Slice(const opconform_descriptor& from)
      : input(tensor_of(from, "InputTensor")),
        output(tensor_of(from, "OutputTensor")),
        steps(numbers_of(from, "InputWindowStrides")),
        counts(sizes_of(output)) {
    const Numbers offsets = numbers_of(from, "InputWindowOffsets");
    const Numbers sizes = numbers_of(from, "InputWindowSizes");
    const std::size_t rank = input.rank;
    if (offsets.size() != rank || sizes.size() != rank || steps.size() != rank ||
        counts.size() != rank)
      throw not_offered("fields of different ranks cannot be said");
    for (std::size_t i = 0; i < rank; ++i)
      starts.push_back(steps[i] < 0 ? offsets[i] + sizes[i] - 1 : offsets[i]);
  }
  const opconform_tensor& input;
  const opconform_tensor& output;
  Numbers starts;
  Numbers steps;
  Numbers counts;

  /// The element of a dimension with the lowest coordinate, for engines that only step forwards.
  [[nodiscard]] std::int64_t lowest(std::size_t dimension) const {
    const std::int64_t start = starts[dimension];
    if (steps[dimension] >= 0) return start;
    const std::int64_t lowest = start + (counts[dimension] - 1) * steps[dimension];
    if (lowest < 0) throw not_offered("a coordinate below 0 would count from the end");
    return lowest;
  }
  /// The dimensions that run backwards.
  [[nodiscard]] Numbers turned() const {
    Numbers turned;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i] < 0) turned.push_back(static_cast<std::int64_t>(i));
    return turned;
  }
};

/// Calls f(name of the field, tensor).
template <class F>
void for_each_tensor(const opconform_descriptor& descriptor, F&& f) {
  for (std::uint64_t i = 0; i < descriptor.field_count; ++i) {
    const opconform_field& field = *descriptor.fields[i];
    if (field.kind != OPCONFORM_FIELD_TENSOR && field.kind != OPCONFORM_FIELD_TENSORS) continue;
    for (std::uint64_t j = 0; j < field.count; ++j)
      f(std::string_view(field.name.bytes, field.name.size_bytes), *field.tensors[j]);
  }
}

/// Where nothing can be executed, an engine that looks only at tensors is not asked.
inline void demand_buffers(const opconform_descriptor& descriptor) {
  for_each_tensor(descriptor, [](std::string_view /*field*/, const opconform_tensor& tensor) {
    const bool is_empty = std::any_of(tensor.sizes, tensor.sizes + tensor.rank,
                                      [](std::uint64_t size) { return size == 0; });
    if (tensor.data == nullptr && !is_empty) throw not_offered("without buffers it cannot be said");
  });
}

template <class Engine>
class Adapter {
 public:
  static std::int32_t init(opconform_plugin* plugin) {
    if (!opconform_plugin_fits(plugin)) return OPCONFORM_FAILED;
    filled_in = plugin;
    plugin->name = opconform_text_of(Engine::kName);
    plugin->flags = OPCONFORM_REFUSES_LATE;
    plugin->open = open;
    plugin->offers = offers;
    plugin->execute = execute;
    plugin->close = [](void* state) { delete static_cast<Adapter*>(state); };
    return OPCONFORM_DONE;
  }

 private:
  explicit Adapter(Options options)
      : engine_(options), version_(engine_.version()), promise_(engine_.promise()) {
    options.demand_none_left();
    filled_in->version = {version_.data(), version_.size()};
    filled_in->promise = {promise_.data(), promise_.size()};
  }

  static std::int32_t open(const opconform_text* texts, std::uint64_t count, void** state,
                           opconform_reply* reply) {
    return guarded(reply, [&] { *state = new Adapter(Options(texts, count)); });
  }
  static std::int32_t offers(void* state, const opconform_descriptor* descriptor,
                             opconform_reply* reply) {
    const Engine& engine = static_cast<Adapter*>(state)->engine_;
    return guarded(reply, [&] {
      for_each_tensor(*descriptor, [&](std::string_view field, const opconform_tensor& tensor) {
        const bool is_indices = field == "indices" || field == "IndicesTensor";
        if (const std::string lacking = engine.lacks(tensor, is_indices); !lacking.empty())
          throw not_offered(lacking);
      });
    });
  }
  static std::int32_t execute(void* state, void* /*plan*/, const opconform_descriptor* descriptor,
                              opconform_reply* reply) {
    Engine& engine = static_cast<Adapter*>(state)->engine_;
    return guarded(reply, [&] {
      demand_buffers(*descriptor);
      const bool is_known = run<Gather>(engine, *descriptor) || run<Scatter>(engine, *descriptor) ||
                            run<Split>(engine, *descriptor) || run<Join>(engine, *descriptor) ||
                            run<Slice>(engine, *descriptor);
      if (!is_known) throw not_offered("there is no such operator");
    });
  }

  /// False where the descriptor is of another operator, or the engine has none of that kind.
  template <class Op>
  static bool run(Engine& engine, const opconform_descriptor& descriptor) {
    if constexpr (requires(const Op& op) { engine.run(op); }) {
      if (!opconform_text_is(descriptor.operator_name, Op::kName)) return false;
      engine.run(Op(descriptor));
      return true;
    }
    return false;
  }

  template <class F>
  static std::int32_t guarded(opconform_reply* reply, F&& f) {
    static std::string text;  // stays until the next call; calls come from one thread at a time
    const auto with = [&](const Answer& answer) {
      text = answer.what();
      reply->text = {text.data(), text.size()};
      return answer.status();
    };
    try {
      f();
      return OPCONFORM_DONE;
    } catch (const Answer& answer) {
      return with(answer);
    } catch (const std::exception& error) {
      return with(Engine::answer_of(error));
    }
  }

  static inline opconform_plugin* filled_in = nullptr;
  Engine engine_;
  const std::string version_;
  const std::string promise_;
};

}  // namespace opconform_adapter

#define OPCONFORM_ADAPTER(Engine)                                                 \
  OPCONFORM_EXPORT std::int32_t opconform_plugin_init(opconform_plugin* plugin) { \
    return opconform_adapter::Adapter<Engine>::init(plugin);                      \
  }
