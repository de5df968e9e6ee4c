// Windows misread.

#include <cstdlib>

#include "harness/diagnosis/reading.h"

namespace opconform::diagnosis {
namespace {

using model::Execution;
using model::Seams;

const Slice1& slice(const Execution& e) { return *e.as<Slice1>(); }

/// Where a window starts in dimension `i`, if its stride is negative: start(op, i, right).
template <class Start>
void start_reversed_at(Seams& seams, Start start) {
  seams.window_start = [start](const Execution& e, std::size_t i, std::uint64_t right) {
    return slice(e).window_strides[i] < 0 ? start(slice(e), i, right) : right;
  };
}
template <class Change>
void change_start(Seams& seams, Change change) {
  seams.window_start = [change](const Execution& e, std::size_t i, std::uint64_t right) {
    return change(slice(e), i, right);
  };
}
template <class Change>
void change_stride(Seams& seams, Change change) {
  seams.window_stride = [change](const Execution& e, std::size_t i, std::int64_t right) {
    return change(slice(e), i, right);
  };
}
std::uint64_t magnitude(std::int64_t stride) {
  return static_cast<std::uint64_t>(std::llabs(stride));
}

/// The last element of a reversed row is the one before it once more.
void end_reversed_twice(Seams& seams) {
  seams.move = [](const Execution& e, model::Move& move) {
    for (std::size_t i = 0; i < move.to.size(); ++i) {
      const std::int64_t stride = slice(e).window_strides[i];
      const std::uint64_t size = slice(e).output.sizes[i];
      if (stride < 0 && size > 1 && move.to[i] + 1 == size)
        move.from[i] += static_cast<std::uint64_t>(-stride);
    }
    return true;
  };
}

constexpr Reading kSlice1Readings[] = {
    {"reversed-end-twice", "slice1.copy",
     "takes for the last element of a reversed row the one before it", end_reversed_twice},
    // slice1.copy-start
    {"reversed-start-at-offset", "slice1.copy-start",
     "starts at the window's first element where the stride is negative",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return std::uint64_t{op.window_offsets[i]};
       });
     }},
    {"reversed-start-behind-window", "slice1.copy-start",
     "starts one element behind the window where the stride is negative",
     [](Seams& s) {
       start_reversed_at(s,
                         [](const Slice1&, std::size_t, std::uint64_t right) { return right + 1; });
     }},
    {"reversed-start-before-last", "slice1.copy-start",
     "starts one element before the window's last where the stride is negative",
     [](Seams& s) {
       start_reversed_at(s,
                         [](const Slice1&, std::size_t, std::uint64_t right) { return right - 1; });
     }},
    {"reversed-start-at-tensor-end", "slice1.copy-start",
     "starts at the tensor's last element, not the window's, where the stride is negative",
     [](Seams& s) {
       start_reversed_at(
           s, [](const Slice1& op, std::size_t i, std::uint64_t) { return op.input.sizes[i] - 1; });
     }},
    {"reversed-start-from-first-size", "slice1.copy-start",
     "adds the window size of the first dimension in each dimension where the stride is negative",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return std::uint64_t{op.window_offsets[i]} + op.window_sizes[0] - 1;
       });
     }},
    {"reversed-start-from-output", "slice1.copy-start",
     "reverses the slice of a positive stride, which need not reach the window's last element",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return op.window_offsets[i] + (op.output.sizes[i] - 1) * magnitude(op.window_strides[i]);
       });
     }},
    {"offset-ignored", "slice1.copy-start",
     "starts at the tensor's first element, not the window's",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         return right - op.window_offsets[i];
       });
     }},
    {"offset-in-strides", "slice1.copy-start", "multiplies the window's offset by the stride",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         const std::int64_t stride = op.window_strides[i];
         return stride < 0 ? right : op.window_offsets[i] * static_cast<std::uint64_t>(stride);
       });
     }},
    {"window-offset-in-8-bits", "slice1.copy-start", "holds the window's offset in 8 bits",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         return right - op.window_offsets[i] + (op.window_offsets[i] & 0xFF);
       });
     }},
    {"window-offset-in-16-bits", "slice1.copy-start", "holds the window's offset in 16 bits",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         return right - op.window_offsets[i] + (op.window_offsets[i] & 0xFFFF);
       });
     }},
    {"start-in-16-bits-signed", "slice1.copy-start",
     "holds the window's offset in 16 bits with a sign",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         const auto narrow =
             static_cast<std::int16_t>(static_cast<std::uint16_t>(op.window_offsets[i]));
         return right - op.window_offsets[i] + static_cast<std::uint64_t>(std::int64_t{narrow});
       });
     }},
    // slice1.copy
    {"stride-sign-ignored", "slice1.copy", "takes a negative stride for a positive one",
     [](Seams& s) {
       start_reversed_at(s, [](const Slice1& op, std::size_t i, std::uint64_t) {
         return std::uint64_t{op.window_offsets[i]};
       });
       change_stride(s, [](const Slice1&, std::size_t, std::int64_t right) {
         return std::int64_t{std::llabs(right)};
       });
     }},
    {"stride-as-unsigned", "slice1.copy", "reads the strides as unsigned numbers of 32 bits",
     [](Seams& s) {
       change_stride(s, [](const Slice1&, std::size_t, std::int64_t right) {
         return std::int64_t{static_cast<std::uint32_t>(right)};
       });
     }},
    {"stride-as-1", "slice1.copy", "takes every stride for 1 or -1",
     [](Seams& s) {
       change_stride(s, [](const Slice1&, std::size_t, std::int64_t right) {
         return right < 0 ? std::int64_t{-1} : std::int64_t{1};
       });
     }},
    {"outer-stride-as-1", "slice1.copy",
     "takes the strides of all dimensions but the last for 1 or -1",
     [](Seams& s) {
       change_stride(s, [](const Slice1& op, std::size_t i, std::int64_t right) {
         if (i + 1 == op.input.rank()) return right;
         return right < 0 ? std::int64_t{-1} : std::int64_t{1};
       });
     }},
    {"innermost-stride-as-1", "slice1.copy", "takes the stride of the last dimension for 1 or -1",
     [](Seams& s) {
       change_stride(s, [](const Slice1& op, std::size_t i, std::int64_t right) {
         if (i + 1 != op.input.rank()) return right;
         return right < 0 ? std::int64_t{-1} : std::int64_t{1};
       });
     }},
    {"window-stride-in-8-bits", "slice1.copy", "holds the strides in 8 bits",
     [](Seams& s) {
       change_stride(s, [](const Slice1&, std::size_t, std::int64_t right) {
         return std::int64_t{static_cast<std::int8_t>(right)};
       });
     }},
    {"window-stride-in-16-bits", "slice1.copy", "holds the strides in 16 bits",
     [](Seams& s) {
       change_stride(s, [](const Slice1&, std::size_t, std::int64_t right) {
         return std::int64_t{static_cast<std::int16_t>(right)};
       });
     }},
    // slice1.partial
    {"partial-from-the-end", "slice1.partial",
     "gives the last elements of the window where the output is smaller than the window allows",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         const std::int64_t stride = op.window_strides[i];
         const std::uint64_t most = 1 + (op.window_sizes[i] - 1) / magnitude(stride);
         return right + (most - op.output.sizes[i]) * static_cast<std::uint64_t>(stride);
       });
     }},
    {"partial-in-the-middle", "slice1.partial",
     "gives the middle of the window where the output is smaller than the window allows",
     [](Seams& s) {
       change_start(s, [](const Slice1& op, std::size_t i, std::uint64_t right) {
         const std::int64_t stride = op.window_strides[i];
         const std::uint64_t most = 1 + (op.window_sizes[i] - 1) / magnitude(stride);
         return right + (most - op.output.sizes[i]) / 2 * static_cast<std::uint64_t>(stride);
       });
     }},
    {"window-stretched", "slice1.partial", "spreads a smaller output over the whole window",
     [](Seams& s) {
       change_stride(s, [](const Slice1& op, std::size_t i, std::int64_t right) {
         const std::uint64_t steps = op.output.sizes[i] > 1 ? op.output.sizes[i] - 1 : 1;
         const auto stride = static_cast<std::int64_t>((op.window_sizes[i] - 1) / steps);
         return right < 0 ? -stride : stride;
       });
     }},
};

}  // namespace

Readings readings_of(std::type_identity<Slice1> /*op*/) { return kSlice1Readings; }
std::string_view movement_rule(std::type_identity<Slice1> /*op*/) { return "slice1.copy"; }

}  // namespace opconform::diagnosis
