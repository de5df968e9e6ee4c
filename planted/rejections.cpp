// Descriptors that are rejected or accepted wrongly, each at one edge.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "planted/rejection_seams.h"

namespace opconform::planted {
namespace {

constexpr Version at(FeatureLevel level) { return level; }

template <class Numbers>
bool is_any_beyond_int(const Numbers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](auto number) {
    return number > std::uint64_t{std::numeric_limits<std::int32_t>::max()};
  });
}

constexpr Row kRejectionBugs[] = {
    {"scatter-int32-indices-at-2_1",
     "offers signed indices one level too early: 2_1 has UINT32 alone", kOnly<Scatter>,
     "scatter.support",
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.support", [](Scatter& op, Version& version) {
         if (version == at(FeatureLevel::k2_1) && op.indices.data_type == DataType::kInt32)
           op.indices.data_type = DataType::kUint32;
       });
     }},
    {"scatter-64-bit-data-at-4_0", "offers 64-bit data at 4_0, where 4_1 brings it", kOnly<Scatter>,
     "scatter.support",
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.support", [](Scatter&, Version& version) {
         if (version == at(FeatureLevel::k4_0)) version = FeatureLevel::k4_1;
       });
     }},
    {"split-int8-refused-at-2_1",
     "rejects INT8 at 2_1, as the history of levels reads, which omits Split", kOnly<Split>,
     "split.support",
     [](Seams& s) {
       reject<Split>(s, "split.support", [](const Split& op, Version version) {
         return version == at(FeatureLevel::k2_1) && op.input.data_type == DataType::kInt8;
       });
     }},
    {"slice1-at-2_0", "offers Slice1 at 2_0, which does not have it", kOnly<Slice1>,
     "slice1.support",
     [](Seams& s) {
       miss_if_amended<Slice1>(s, "slice1.support", [](Slice1&, Version& version) {
         if (version == at(FeatureLevel::k2_0)) version = FeatureLevel::k2_1;
       });
     }},
    {"slice1-rank-5-refused-at-2_1", "rejects five dimensions at 2_1, which offers four and five",
     kOnly<Slice1>, "slice1.support",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.support", [](const Slice1& op, Version version) {
         return version == at(FeatureLevel::k2_1) && op.input.rank() == 5;
       });
     }},
    {"split-rank-8-refused-at-3_0",
     "rejects eight dimensions at 3_0 alone: less than for <= in one row", kOnly<Split>,
     "split.support",
     [](Seams& s) {
       reject<Split>(s, "split.support", [](const Split& op, Version version) {
         return version == at(FeatureLevel::k3_0) && op.input.rank() == 8;
       });
     }},
    {"level-6_4-unknown", "rejects everything at the newest level: levels compared one by one",
     kDirectml, kSupport,
     [](Seams& s) {
       s.judge = [](const Operator& op, Version version, Rejection& rejection) {
         if (version != at(FeatureLevel::k6_4) || !rejection.rules.empty()) return;
         rejection.rules = {std::string(describe(op).prefix) + ".support"};
       };
     }},
    {"gather-bfloat16-before-13", "offers bfloat16 to opsets 11 and 12, where 13 brings it",
     kOnly<OnnxGather>, "gather.support",
     [](Seams& s) {
       miss_if_amended<OnnxGather>(s, "gather.support", [](OnnxGather&, Version& version) {
         if (version >= Version::opset(11)) version = Version::opset(13);
       });
     }},
    {"gather-bfloat16-refused", "rejects bfloat16 in opset 13, too: a type list copied from 11",
     kOnly<OnnxGather>, "gather.support",
     [](Seams& s) {
       reject<OnnxGather>(s, "gather.support", [](const OnnxGather& op, Version) {
         return op.data.data_type == DataType::kBfloat16;
       });
     }},
    {"gather-bfloat16-refused-after-13", "rejects bfloat16 from opset 14 on: knows 13 alone",
     kOnly<OnnxGather>, "gather.support",
     [](Seams& s) {
       reject<OnnxGather>(s, "gather.support", [](const OnnxGather& op, Version version) {
         return version > Version::opset(13) && op.data.data_type == DataType::kBfloat16;
       });
     }},
    {"opset-22-unknown", "rejects everything from opset 22 on, which it was not written for",
     kOnly<OnnxGather>, "gather.support",
     [](Seams& s) {
       reject<OnnxGather>(s, "gather.support", [](const OnnxGather&, Version version) {
         return version >= Version::opset(22);
       });
     }},
    {"rank-0-accepted", "offers rank 0 at the newest levels", kDirectml, kSupport,
     [](Seams& s) {
       s.judge = [](const Operator& op, Version version, Rejection& rejection) {
         if (version.dialect() == Dialect::kDirectml && version >= at(FeatureLevel::k6_0) &&
             tensors_of(op).front().desc.rank() == 0)
           rejection.rules.clear();
       };
     }},
    {"axis-in-8-bits", "keeps 8 bits of the axis: 256 is 0", kOnly<Scatter, Split>,
     "scatter.axis-range split.axis-range",
     [](Seams& s) {
       s.judge = [](const Operator& op, Version version, Rejection& rejection) {
         Operator short_axis = op;
         if (Scatter* scatter = std::get_if<Scatter>(&short_axis)) scatter->axis &= 0xFF;
         if (Split* split = std::get_if<Split>(&short_axis)) split->axis &= 0xFF;
         if (short_axis != op && is_valid(short_axis, version)) rejection.rules.clear();
       };
       s.axis = [](const Execution&, std::size_t& axis) { axis &= 0xFF; };
     }},
    {"gather-of-a-scalar", "accepts data of rank 0", kOnly<OnnxGather>, "gather.data-rank",
     [](Seams& s) {
       miss<OnnxGather>(s, "gather.data-rank", [](const OnnxGather&, Version) { return true; });
     }},
    {"gather-least-axis-refused", "rejects the axis -r: the range taken as half-open at both ends",
     kOnly<OnnxGather>, "gather.axis-range",
     [](Seams& s) {
       reject<OnnxGather>(s, "gather.axis-range", [](const OnnxGather& op, Version) {
         return op.axis == -static_cast<std::int64_t>(op.data.rank());
       });
     }},
    {"scatter-axis-equal-to-rank", "accepts an Axis equal to the rank: > for >=", kOnly<Scatter>,
     "scatter.axis-range",
     [](Seams& s) {
       miss<Scatter>(s, "scatter.axis-range",
                     [](const Scatter& op, Version) { return op.axis == op.output.rank(); });
     }},
    {"scatter-smaller-indices-beside-axis",
     "accepts indices that are smaller beside the axis, as ONNX ScatterElements does "
     "(scatter.off-axis-sizes)",
     kOnly<Scatter>, "scatter.indices-sizes",
     [](Seams& s) {
       miss<Scatter>(s, "scatter.indices-sizes", [](const Scatter& op, Version) {
         for (std::size_t i = 0; i < op.indices.rank(); ++i)
           if (i != op.axis && op.indices.sizes[i] > op.input.sizes[i]) return false;
         return true;
       });
     }},
    {"scatter-updates-of-any-type", "does not compare the type of the updates", kOnly<Scatter>,
     "scatter.same-data-type",
     [](Seams& s) {
       miss_if_amended<Scatter>(s, "scatter.same-data-type", [](Scatter& op, Version&) {
         op.updates.data_type = op.input.data_type;
       });
     }},
    {"split-sum-in-32-bits", "adds the outputs' sizes in 32 bits, where they wrap to the right sum",
     kOnly<Split>, "split.sizes-sum",
     [](Seams& s) {
       miss<Split>(s, "split.sizes-sum", [](const Split& op, Version) {
         std::uint32_t sum = 0;
         for (const TensorDesc& output : op.outputs)
           sum += static_cast<std::uint32_t>(output.sizes[op.axis]);
         return sum == static_cast<std::uint32_t>(op.input.sizes[op.axis]);
       });
     }},
    {"split-of-less-than-all",
     "lets outputs leave over the end of the input: < for !=", kOnly<Split>, "split.sizes-sum",
     [](Seams& s) {
       miss<Split>(s, "split.sizes-sum", [](const Split& op, Version) {
         std::uint64_t sum = 0;
         for (const TensorDesc& output : op.outputs) sum += output.sizes[op.axis];
         return sum < op.input.sizes[op.axis];
       });
     }},
    {"split-into-nothing", "accepts an output of size 0, as ONNX does", kOnly<Split>,
     "tensor.sizes-positive",
     [](Seams& s) {
       miss_in_tensors(s, "tensor.sizes-positive", [](const NamedTensor& tensor) {
         return tensor.field.access == Access::kOutput || !has_empty_dimension(tensor.desc);
       });
     }},
    {"slice1-window-end-in-32-bits", "adds offset and size of a window in 32 bits", kOnly<Slice1>,
     "slice1.window-in-bounds",
     [](Seams& s) {
       miss<Slice1>(s, "slice1.window-in-bounds", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.input.rank(); ++i)
           if (op.window_offsets[i] + op.window_sizes[i] > op.input.sizes[i]) return false;
         return true;
       });
     }},
    {"slice1-window-end-exclusive", "rejects windows that reach the end of the tensor: >= for >",
     kOnly<Slice1>, "slice1.window-in-bounds",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.window-in-bounds", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.input.rank(); ++i)
           if (op.window_offsets[i] > 0 &&
               op.window_offsets[i] + op.window_sizes[i] == op.input.sizes[i])
             return true;
         return false;
       });
     }},
    {"slice1-empty-window", "accepts a window of 0 elements", kOnly<Slice1>,
     "slice1.window-not-empty",
     [](Seams& s) {
       miss<Slice1>(s, "slice1.window-not-empty", [](const Slice1&, Version) { return true; });
     }},
    {"slice1-stride-0", "accepts a stride of 0, as a broadcast", kOnly<Slice1>,
     "slice1.stride-not-zero",
     [](Seams& s) {
       miss<Slice1>(s, "slice1.stride-not-zero", [](const Slice1&, Version) { return true; });
     }},
    {"slice1-signed-max-copied",
     "divides by the signed stride, as the formula is printed (slice1.max-copied-sign), and so "
     "rejects reversed runs",
     kOnly<Slice1>, "slice1.output-sizes",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
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
     kOnly<Slice1>, "slice1.output-sizes",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
         for (std::size_t i = 0; i < op.output.rank(); ++i) {
           const auto step = static_cast<std::uint64_t>(std::llabs(op.window_strides[i]));
           if (op.output.sizes[i] > std::max<std::uint64_t>(op.window_sizes[i] / step, 1))
             return true;
         }
         return false;
       });
     }},
    {"slice1-float64-at-3_1", "offers FLOAT64 at 3_1, where 4_1 brings it", kOnly<Slice1>,
     "slice1.support",
     [](Seams& s) {
       miss<Slice1>(s, "slice1.support", [](const Slice1& op, Version version) {
         return version == at(FeatureLevel::k3_1) && op.input.data_type == DataType::kFloat64;
       });
     }},
    {"slice1-size-as-signed", "rejects sizes above 2^31 - 1, which are negative as INT",
     kOnly<Slice1>, "slice1.window-in-bounds",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.window-in-bounds",
                      [](const Slice1& op, Version) { return is_any_beyond_int(op.input.sizes); });
     }},
    {"slice1-offset-as-signed", "rejects offsets above 2^31 - 1, which are negative as INT",
     kOnly<Slice1>, "slice1.window-in-bounds",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.window-in-bounds", [](const Slice1& op, Version) {
         return is_any_beyond_int(op.window_offsets);
       });
     }},
    {"slice1-window-as-signed", "rejects windows above 2^31 - 1, which are negative as INT",
     kOnly<Slice1>, "slice1.window-not-empty",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.window-not-empty",
                      [](const Slice1& op, Version) { return is_any_beyond_int(op.window_sizes); });
     }},
    {"slice1-int-min-refused", "rejects the stride INT_MIN, whose magnitude is no INT",
     kOnly<Slice1>, "slice1.output-sizes",
     [](Seams& s) {
       reject<Slice1>(s, "slice1.output-sizes", [](const Slice1& op, Version) {
         return std::find(op.window_strides.begin(), op.window_strides.end(),
                          std::numeric_limits<std::int32_t>::min()) != op.window_strides.end();
       });
     }},
    {"first-rule-only", "names one broken rule where there are several", kAll, kAnyConstraint,
     [](Seams& s) {
       s.judge = [](const Operator&, Version, Rejection& rejection) {
         if (rejection.rules.size() > 1) rejection.rules.resize(1);
       };
     }},
};

}  // namespace

Rows rejection_bugs() { return kRejectionBugs; }

}  // namespace opconform::planted
