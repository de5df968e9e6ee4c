// Descriptors that are refused or accepted wrongly, each at one edge.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "spec/validate.h"
#include "tests/faulty_backends/registry.h"

namespace opconform::faulty {
namespace {

using harness::Refusal;

/// Does not see that `rule` is broken where `forgives` says so.
template <class Op, class Forgives>
void miss(Seams& seams, std::string_view rule, Forgives forgives) {
  seams.judge = [rule, forgives](const Operator& op, Version version, Refusal& refusal) {
    const auto place = std::find(refusal.rules.begin(), refusal.rules.end(), rule);
    if (place != refusal.rules.end() && std::holds_alternative<Op>(op) &&
        forgives(std::get<Op>(op), version))
      refusal.rules.erase(place);
  };
}
/// Takes the descriptor for what `amend` makes of it, as far as `rule` goes.
template <class Op, class Amend>
void miss_if_amended(Seams& seams, std::string_view rule, Amend amend) {
  miss<Op>(seams, rule, [rule, amend](Op op, Version version) {
    amend(op, version);
    return !validate(op, version).breaks(rule);
  });
}
/// Refuses a valid descriptor of which `objects` says so.
template <class Op, class Objects>
void refuse(Seams& seams, std::string_view rule, Objects objects) {
  seams.judge = [rule, objects](const Operator& op, Version version, Refusal& refusal) {
    if (refusal.rules.empty() && std::holds_alternative<Op>(op) &&
        objects(std::get<Op>(op), version))
      refusal.rules = {std::string(rule)};
  };
}
/// The same of any tensor, and of outputs alone.
template <class Objects>
void refuse_tensor(Seams& seams, std::string_view rule, Objects objects) {
  seams.judge = [rule, objects](const Operator& op, Version version, Refusal& refusal) {
    if (!refusal.rules.empty() || version.dialect() != Dialect::kDirectml) return;
    for (const NamedTensor& tensor : tensors_of(op))
      if (objects(tensor)) refusal.rules = {std::string(rule)};
  };
}
/// Does not see that tensors break `rule`, where `forgives` says so of each tensor.
template <class Forgives>
void miss_in_tensors(Seams& seams, std::string_view rule, Forgives forgives) {
  seams.judge = [rule, forgives](const Operator& op, Version, Refusal& refusal) {
    const auto place = std::find(refusal.rules.begin(), refusal.rules.end(), rule);
    if (place == refusal.rules.end()) return;
    for (const NamedTensor& tensor : tensors_of(op))
      if (!stride_count_matches(tensor.desc) || !forgives(tensor)) return;
    refusal.rules.erase(place);
  };
}

bool repeats_outputs(const NamedTensor& tensor) {
  if (tensor.field.access == Access::kInput || !tensor.desc.strides) return false;
  for (std::size_t i = 0; i < tensor.desc.rank(); ++i)
    if ((*tensor.desc.strides)[i] == 0 && tensor.desc.sizes[i] > 1) return true;
  return false;
}

/// Do the dimensions, from the smallest stride on, each begin behind what the ones before cover?
bool is_nested(const TensorDesc& tensor) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dimensions;  // stride, size
  const Dims strides = effective_strides(tensor);
  for (std::size_t i = 0; i < tensor.rank(); ++i)
    if (tensor.sizes[i] > 1) dimensions.emplace_back(strides[i], tensor.sizes[i]);
  std::sort(dimensions.begin(), dimensions.end());
  std::uint64_t covered = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride < covered) return false;
    covered = stride * size;
  }
  return true;
}

constexpr Version at(FeatureLevel level) { return level; }

constexpr Row kRows[] = {
    {"scatter-int32-indices-at-2_1",
     "offers signed indices one level too early: 2_1 has UINT32 alone", kScatter,
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.support", [](Scatter& op, Version& version) {
         if (version == at(FeatureLevel::k2_1) && op.indices.data_type == DataType::kInt32)
           op.indices.data_type = DataType::kUint32;
       });
     }},
    {"scatter-64-bit-data-at-4_0", "offers 64-bit data at 4_0, where 4_1 brings it", kScatter,
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.support", [](Scatter&, Version& version) {
         if (version == at(FeatureLevel::k4_0)) version = FeatureLevel::k4_1;
       });
     }},
    {"split-int8-refused-at-2_1",
     "refuses INT8 at 2_1, as the history of levels reads, which omits Split", kSplit,
     [](Seams& s) {
       refuse<Split>(s, "split.support", [](const Split& op, Version version) {
         return version == at(FeatureLevel::k2_1) && op.input.data_type == DataType::kInt8;
       });
     }},
    {"slice1-at-2_0", "offers Slice1 at 2_0, which does not have it", kSlice1,
     [](Seams& s) {
       miss_if_amended<Slice1>(s, "slice1.support", [](Slice1&, Version& version) {
         if (version == at(FeatureLevel::k2_0)) version = FeatureLevel::k2_1;
       });
     }},
    {"slice1-rank-5-refused-at-2_1", "refuses five dimensions at 2_1, which offers four and five",
     kSlice1,
     [](Seams& s) {
       refuse<Slice1>(s, "slice1.support", [](const Slice1& op, Version version) {
         return version == at(FeatureLevel::k2_1) && op.input.rank() == 5;
       });
     }},
    {"split-rank-8-refused-at-3_0",
     "refuses eight dimensions at 3_0 alone: less than for <= in one row", kSplit,
     [](Seams& s) {
       refuse<Split>(s, "split.support", [](const Split& op, Version version) {
         return version == at(FeatureLevel::k3_0) && op.input.rank() == 8;
       });
     }},
    {"level-6_4-unknown", "refuses everything at the newest level: levels compared one by one",
     kDirectml,
     [](Seams& s) {
       s.judge = [](const Operator& op, Version version, Refusal& refusal) {
         if (version != at(FeatureLevel::k6_4) || !refusal.rules.empty()) return;
         const char* const names[] = {"scatter.support", "split.support", "slice1.support"};
         refusal.rules = {names[op.index()]};
       };
     }},
    {"gather-bfloat16-before-13", "offers bfloat16 to opsets 11 and 12, where 13 brings it",
     kGather,
     [](Seams& s) {
       miss_if_amended<Gather>(s, "gather.support", [](Gather&, Version& version) {
         if (version >= Version::opset(11)) version = Version::opset(13);
       });
     }},
    {"gather-bfloat16-refused", "refuses bfloat16 in opset 13, too: a type list copied from 11",
     kGather,
     [](Seams& s) {
       refuse<Gather>(s, "gather.support", [](const Gather& op, Version) {
         return op.data.data_type == DataType::kBfloat16;
       });
     }},
    {"gather-of-a-scalar", "accepts data of rank 0", kGather,
     [](Seams& s) {
       miss<Gather>(s, "gather.data-rank", [](const Gather&, Version) { return true; });
     }},
    {"gather-least-axis-refused", "refuses the axis -r: the range taken as half-open at both ends",
     kGather,
     [](Seams& s) {
       refuse<Gather>(s, "gather.axis-range", [](const Gather& op, Version) {
         return op.axis == -static_cast<std::int64_t>(op.data.rank());
       });
     }},
    {"scatter-axis-equal-to-rank", "accepts an Axis equal to the rank: > for >=", kScatter,
     [](Seams& s) {
       miss<Scatter>(s, "scatter.axis-range",
                     [](const Scatter& op, Version) { return op.axis == op.output.rank(); });
     }},
    {"scatter-smaller-indices-beside-axis",
     "accepts indices that are smaller beside the axis, as ONNX ScatterElements does "
     "(scatter.off-axis-sizes)",
     kScatter,
     [](Seams& s) {
       miss<Scatter>(s, "scatter.indices-sizes", [](const Scatter& op, Version) {
         for (std::size_t i = 0; i < op.indices.rank(); ++i)
           if (i != op.axis && op.indices.sizes[i] > op.input.sizes[i]) return false;
         return true;
       });
     }},
    {"scatter-updates-of-any-type", "does not compare the type of the updates", kScatter,
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.same-data-type", [](Scatter& op, Version&) {
         op.updates.data_type = op.input.data_type;
       });
     }},
    {"split-sum-in-32-bits", "adds the outputs' sizes in 32 bits, where they wrap to the right sum",
     kSplit,
     [](Seams& s) {
       miss<Split>(s, "split.sizes-sum", [](const Split& op, Version) {
         std::uint32_t sum = 0;
         for (const TensorDesc& output : op.outputs)
           sum += static_cast<std::uint32_t>(output.sizes[op.axis]);
         return sum == static_cast<std::uint32_t>(op.input.sizes[op.axis]);
       });
     }},
    {"split-of-less-than-all", "lets outputs leave over the end of the input: < for !=", kSplit,
     [](Seams& s) {
       miss<Split>(s, "split.sizes-sum", [](const Split& op, Version) {
         return run_start(op, op.outputs.size()) < op.input.sizes[op.axis];
       });
     }},
    {"split-into-nothing", "accepts an output of size 0, as ONNX does", kSplit,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.sizes-positive", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kOutput || !has_empty_dimension(tensor.desc);
       });
     }},
    {"slice1-window-end-in-32-bits", "adds offset and size of a window in 32 bits", kSlice1,
     [](Seams& s) {
       miss<Slice1>(s, "slice1.window-in-bounds", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.input.rank(); ++i)
           if (op.window_offsets[i] + op.window_sizes[i] > op.input.sizes[i]) return false;
         return true;
       });
     }},
    {"slice1-window-end-exclusive", "refuses windows that reach the end of the tensor: >= for >",
     kSlice1,
     [](Seams& s) {
       refuse<Slice1>(s, "slice1.window-in-bounds", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.input.rank(); ++i)
           if (op.window_offsets[i] > 0 &&
               op.window_offsets[i] + op.window_sizes[i] == op.input.sizes[i])
             return true;
         return false;
       });
     }},
    {"slice1-empty-window", "accepts a window of 0 elements", kSlice1,
     [](Seams& s) {
       miss<Slice1>(s, "slice1.window-not-empty", [](const Slice1&, Version) { return true; });
     }},
    {"slice1-stride-0", "accepts a stride of 0, as a broadcast", kSlice1,
     [](Seams& s) {
       miss<Slice1>(s, "slice1.stride-not-zero", [](const Slice1&, Version) { return true; });
     }},
    {"slice1-signed-max-copied",
     "divides by the signed stride, as the formula is printed (slice1.max-copied-sign), and so "
     "refuses reversed runs",
     kSlice1,
     [](Seams& s) {
       refuse<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.output.rank(); ++i) {
           const std::int64_t most =
               1 + (std::int64_t{op.window_sizes[i]} - 1) / op.window_strides[i];
           if (static_cast<std::int64_t>(op.output.sizes[i]) > most) return true;
         }
         return false;
       });
     }},
    {"slice1-output-rounded-down",
     "allows window / stride elements, rounded down, and so one too few of windows that the "
     "stride does not divide",
     kSlice1,
     [](Seams& s) {
       refuse<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.output.rank(); ++i) {
           const auto step = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
           if (op.output.sizes[i] > std::max<std::uint64_t>(op.window_sizes[i] / step, 1))
             return true;
         }
         return false;
       });
     }},
    {"slice1-int-min-refused", "refuses the stride INT_MIN, whose magnitude is no INT", kSlice1,
     [](Seams& s) {
       refuse<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
         return std::find(op.window_strides.begin(), op.window_strides.end(),
                          std::numeric_limits<std::int32_t>::min()) != op.window_strides.end();
       });
     }},
    {"overlap-judged-by-extent",
     "takes an output for free of overlaps where its extent is as large as its elements are many "
     "(strides.packed-definition)",
     kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.output-no-overlap", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kInput ||
                extent_elements(tensor.desc) >= element_count(tensor.desc.sizes);
       });
     }},
    {"overlap-judged-by-zero-strides", "looks for strides of 0 alone", kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.output-no-overlap",
                       [](const NamedTensor& tensor) { return !repeats_outputs(tensor); });
     }},
    {"interleaved-output-refused",
     "refuses outputs whose dimensions interleave without meeting: the quick test of PyTorch's "
     "memory overlap check as the whole answer",
     kDirectml,
     [](Seams& s) {
       refuse_tensor(s, "tensor.output-no-overlap", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kOutput && !is_nested(tensor.desc);
       });
     }},
    {"size-one-stride-counted",
     "counts the stride of a dimension of size 1 as if it had a second element", kDirectml,
     [](Seams& s) {
       refuse_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         for (std::size_t i = 0; tensor.desc.strides && i < tensor.desc.rank(); ++i)
           if (tensor.desc.sizes[i] == 1 &&
               (*tensor.desc.strides)[i] > tensor.desc.total_tensor_size_bytes)
             return true;
         return false;
       });
     }},
    {"buffer-size-as-if-packed",
     "wants bytes for the product of the sizes only, as the page's padding section says "
     "(strides.padding-size)",
     kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         const std::uint64_t count = element_count(tensor.desc.sizes).value_or(0);
         return tensor.desc.total_tensor_size_bytes >= count * tensor.desc.element_size_bytes();
       });
     }},
    {"buffer-of-whole-rows-wanted",
     "wants the padding behind the last row, too: size * stride for (size - 1) * stride + 1",
     kDirectml,
     [](Seams& s) {
       refuse_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         for (std::size_t i = 0; tensor.desc.strides && i < tensor.desc.rank(); ++i)
           if (tensor.desc.sizes[i] > 1 &&
               tensor.desc.sizes[i] * (*tensor.desc.strides)[i] * tensor.desc.element_size_bytes() >
                   tensor.desc.total_tensor_size_bytes)
             return true;
         return false;
       });
     }},
    {"larger-buffer-refused", "wants exactly what the helper computes, not at least that",
     kDirectml,
     [](Seams& s) {
       refuse_tensor(s, "tensor.buffer-size", [](const NamedTensor& tensor) {
         return tensor.desc.total_tensor_size_bytes > buffer_tensor_size(tensor.desc);
       });
     }},
    {"buffer-of-any-granularity", "does not want sizes in bytes to be multiples of 4", kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.buffer-granularity", [](const NamedTensor&) { return true; });
     }},
    {"size-in-bytes-wraps",
     "computes buffer sizes modulo 2^64 (modulo 2^32 in DMLCalcBufferTensorSize before DirectML "
     "296)",
     kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.size-overflow", [](const NamedTensor&) { return true; });
     }},
    {"element-limit-of-places",
     "limits the elements in memory, not the logical ones: broadcasts pass", kDirectml,
     [](Seams& s) {
       miss_in_tensors(s, "tensor.element-limit", [](const NamedTensor& tensor) {
         return extent_elements(tensor.desc) < std::uint64_t{1} << 32;
       });
     }},
    {"first-rule-only", "names one broken rule where there are several", kAll,
     [](Seams& s) {
       s.judge = [](const Operator&, Version, Refusal& refusal) {
         if (refusal.rules.size() > 1) refusal.rules.resize(1);
       };
     }},
};

}  // namespace

Rows refusal_bugs() { return kRows; }

}  // namespace opconform::faulty
